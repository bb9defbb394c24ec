"""What checking a bundle has found, and how it ends."""

from collections.abc import Mapping
from enum import StrEnum

from shared.values import Value


class Verdict(StrEnum):
    """How a finding ends. What was not found missing and not refuted holds."""

    RECOMPUTED = "recomputed"
    RULES = "rules checked only"
    UNCHECKABLE = "not checkable"
    MISSING = "missing"
    REFUTED = "refuted"


HOLDS, REFUTED, INCOMPLETE = 0, 3, 4  # exit statuses; 2 is what cannot be read, 1 is our own fault
MOST_SHOWN = 200  # of one clause and verdict: whoever changed a log did so in one place, or everywhere


class BundleFinding(Value):
    verdict: Verdict
    clause: str  # of docs/bundle-format.md
    text: str
    file: str | None = None
    position: int | None = None

    def __str__(self) -> str:
        place = [self.file] if self.file else []
        place += [f"position {self.position}"] if self.position is not None else []
        return f"{self.verdict}: {self.clause}: {f'{" ".join(place)}: ' if place else ''}{self.text}"


class BundleReport:
    """Takes findings as they come."""

    def __init__(self) -> None:
        self.findings: list[BundleFinding] = []
        self._counts: dict[tuple[Verdict, str], int] = {}

    def note(
        self, verdict: Verdict, clause: str, text: str, *, file: str | None = None, position: int | None = None
    ) -> None:
        count = self._counts[verdict, clause] = self._counts.get((verdict, clause), 0) + 1
        if count <= MOST_SHOWN:
            found = BundleFinding(verdict=verdict, clause=clause, text=text, file=file, position=position)
            self.findings.append(found)

    def refuse(self, clause: str, text: str, *, file: str | None = None, position: int | None = None) -> None:
        self.note(Verdict.REFUTED, clause, text, file=file, position=position)

    def recomputed(self, clause: str, text: str, *, file: str | None = None) -> None:
        """Unless something of it was refuted."""
        if not self._counts.get((Verdict.REFUTED, clause)):
            self.note(Verdict.RECOMPUTED, clause, text, file=file)

    @property
    def counts(self) -> Mapping[tuple[Verdict, str], int]:
        """How many there are of each, also of those that are not shown."""
        return self._counts

    @property
    def exit_status(self) -> int:
        found = {verdict for verdict, _ in self._counts}
        return REFUTED if Verdict.REFUTED in found else INCOMPLETE if Verdict.MISSING in found else HOLDS
