"""What the operator can do, who has the keys of the logs as well: write a history anew and sign it.

What contradicts itself then, both verifiers find in an export. What does not, only somebody finds who has seen it before: a
witness signs no history that is not the one it knows.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from starlette.responses import Response

from deploy.witness import Witness, WitnessFolder
from shared.bundle.report import HOLDS, INCOMPLETE, REFUTED
from shared.proof.notes import Checkpoint, Note
from shared.proof.receipts import WitnessRequest
from shared.proof.tiles import RightEdge, TileId, grow, nodes
from shared.proof.tree import between
from tests.provable import SERVICES, Logs, WrittenLog, bundled, policy, signer_of
from tests.tampering.attacks import CHANGES, Row, attempted, only_columns, row_of, sealed_anew
from tests.tampering.judging import UNREADABLE, Verdicts, verdicts

NAMES_A_PLACE = re.compile(r" position \d|contents: tables/")  # an event, or a table that no event names any more
OUTCOMES = {
    HOLDS: "found by the witness alone",
    UNREADABLE: "cannot be read",
    REFUTED: "contradict themselves",
    INCOMPLETE: "lack something",
}
FORGED = [change for change in CHANGES if change is not only_columns]  # a bundle has no columns


@dataclass
class Forgeries:
    logs: Logs
    folder: Path
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])
    witness: Witness = field(init=False)

    def __post_init__(self) -> None:
        """The witness has seen what has really happened."""
        kept = WitnessFolder(self.folder / "witness")
        signer = kept.open_up("club.example/witness", [signer_of(service).key.vkey for service in SERVICES])
        self.witness = Witness(kept, signer)
        for log in self.logs.logs.values():
            assert self._asked(log, old=0).status_code == HTTPStatus.OK
        for name in ("none", "club"):
            (self.folder / name).write_bytes(policy(name))

    def run(self, times: int) -> None:
        for _ in range(times):
            service = self.chance.choice(SERVICES)
            before = [row_of(record, message) for record, message in self.logs.logs[service].events]
            rows, words = self._rewritten(before)
            if rows != before:
                self._judge(service, before, rows, words)

    def of_another_story(self, forged: Logs) -> Verdicts:
        """The same tournament as if all games had ended otherwise: whoever wrote all of it wrote it without contradiction."""
        self.counts["forged"] += 1
        found = self._verdicts(forged, "none")
        for service, log in forged.logs.items():
            self._require_refused(service, log)
        return found

    def _rewritten(self, before: Sequence[Row]) -> tuple[list[Row], list[str]]:
        rows, words = list(before), list[str]()
        for change in self.chance.choices(FORGED, k=self.chance.choice((1, 1, 2))):
            if rows:
                words.append(attempted(change.__name__, lambda change=change: change(self.chance, rows)))
        if self.chance.random() < 0.6:
            words.append(attempted("sealed anew", lambda: sealed_anew(rows)))
        return rows, words

    def _judge(self, service: str, before: Sequence[Row], rows: Sequence[Row], words: Sequence[str]) -> None:
        self.counts["forged"] += 1
        forged = deepcopy(self.logs)
        forged.logs[service] = written_down(self.logs.logs[service], before, rows)
        alone = self._verdicts(forged, "none")
        what = f"{service}: {', '.join(words)}"
        self.counts[OUTCOMES[alone.ours]] += 1
        if alone.ours == REFUTED and not any(NAMES_A_PLACE.search(one) for one in alone.refuted):
            self._miss(f"{what}: {alone.refuted} does not say where")
        if alone.theirs in (UNREADABLE, REFUTED) and not alone.is_refuted_by_ours:
            self._miss(f"{what}: ours ends with {alone.ours}, theirs with {alone.theirs}: {alone.text[:500]}")
        self._require_refused(service, forged.logs[service])
        asked = self._verdicts(forged, "club")
        if HOLDS in (asked.ours, asked.theirs):
            self._miss(f"{what}: without the witness it ends with {asked.ours} and {asked.theirs}")

    def _require_refused(self, service: str, log: WrittenLog) -> None:
        known = len(self.logs.logs[service].events)
        if log.leaves[:known] == self.logs.logs[service].leaves:
            return
        if self._asked(log, old=min(known, len(log.events))).status_code == HTTPStatus.OK:
            self._miss(f"the witness has signed another history of {service}")

    def _verdicts(self, forged: Logs, quorum: str) -> Verdicts:
        bundle = bundled(forged, witnesses=(), earlier=0).packed(self.folder / "forged.zip")
        return verdicts(bundle, self.folder / quorum)

    def _asked(self, log: WrittenLog, *, old: int) -> Response:
        signer, size = signer_of(log.service), len(log.events)
        edge, changed = grow(RightEdge(), log.leaves)
        tiles: Mapping[TileId, bytes] = {(tile.level, tile.number): tile.hashes for tile in changed}
        text = Checkpoint(origin=signer.key.name, size=size, root=edge.root).text
        note = bytes(Note(text=text, signatures=()).signed_by(signer))
        request = WitnessRequest(old=old, proof=tuple(nodes(between(old, size), tiles)), checkpoint=note)
        return self.witness.add_checkpoint(bytes(request))

    def _miss(self, what: str) -> None:
        self.missed.append(what)
        self.say(what)


def written_down(log: WrittenLog, before: Sequence[Row], rows: Sequence[Row]) -> WrittenLog:
    """With all that stands beside the records of a log."""
    times = dict(zip((row.id for row in before), log.at, strict=True))
    found = WrittenLog(log.service)
    for row in rows:
        found.said += row.message is not None
        found.events.append((row.record, row.message))
        found.public.append(found.said if row.message is not None else None)
        found.scopes.append(row.scope)
        found.at.append(times.get(row.id, log.at[0]))
    return found
