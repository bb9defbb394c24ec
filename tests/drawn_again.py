"""Lots held against what was said of them, as `roundlog verify` does: by what stands in the logs and nothing else."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from shared.bundle.checks import LoggedEvent
from shared.bundle.lots import LotsCheck, NamedSource
from shared.bundle.report import BundleReport
from shared.contracts.lots import LotDrawn, LotSeedCommitted, LotSeedRevealed
from shared.contracts.registration import LotsOpened
from shared.log.envelope import Message
from shared.lots.known import LotsKnown

type SaidOfLots = LotSeedCommitted | LotDrawn | LotSeedRevealed


def faults(tournament: str, service: str, known: LotsKnown, said: Sequence[SaidOfLots]) -> list[str]:
    """Everything that is refuted. `known` is what registration has in its log."""
    return found(tournament, service, known, said, "refuted")


def unproved(tournament: str, service: str, known: LotsKnown, said: Sequence[SaidOfLots]) -> list[str]:
    """Why lots may not be what they seem, although nothing is wrong with them."""
    return found(tournament, service, known, said, "not checkable")


def found(tournament: str, service: str, known: LotsKnown, said: Sequence[SaidOfLots], verdict: str) -> list[str]:
    report = BundleReport()
    check = LotsCheck(tournament, report)
    for number, (of, kind, told) in enumerate(
        [*of_registration(tournament, known), *((service, type(one).__name__, one) for one in said)]
    ):
        message = Message(
            id=UUID(int=number),
            type=kind,
            scope=tournament,
            at=datetime(2026, 11, 21, tzinfo=UTC),
            trace=None,
            data=msgspec.Raw(msgspec.json.encode(told)),
        )
        position = number + 1
        check.take(LoggedEvent(service=of, position=position, number=position, record=None, message=message, leaf=b""))
    check.finish(lambda _: None)
    return [one.text for one in report.findings if one.verdict == verdict]


def of_registration(tournament: str, known: LotsKnown) -> Iterator[tuple[str, str, msgspec.Struct]]:
    yield "registration", "TournamentAnnounced", NamedSource(lot_source=known.source)
    if known.source is not None and known.value is not None:
        opened = LotsOpened(
            tournament=tournament, source=known.source, value=known.value, commitments=dict(known.commitments)
        )
        yield "registration", "LotsOpened", opened
