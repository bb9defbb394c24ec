"""Receipts that somebody has kept, held against a bundle: whether the events that they were given for are those that are here."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from shared.bundle.checks import LoggedEvent, LogSummary, SayProgress
from shared.bundle.container import Bundle, in_file
from shared.bundle.report import BundleReport, Verdict
from shared.checkpoints.stream import LogRestored
from shared.proof.findings import Refuted
from shared.proof.notes import Checkpoint, Note, SignedCheckpoint, open_checkpoint
from shared.proof.receipts import Receipt
from shared.proof.trust import TrustPolicy


class ReceiptsCheck:
    """`kept` are the bytes of each, by how its file is called. One that cannot be read stops all."""

    def __init__(self, kept: Mapping[str, bytes], bundle: Bundle, policy: TrustPolicy, report: BundleReport) -> None:
        self._bundle = bundle
        self._report = report
        self._signed = dict[str, tuple[Receipt, SignedCheckpoint]]()  # by their files
        self._leaves = dict[tuple[str, int], bytes]()
        self._proved = 0  # of them
        self._restored = defaultdict[str, list[LogRestored]](list)
        for name, content in kept.items():
            with in_file(name):
                receipt = Receipt.parse(content)
                Checkpoint.parse(Note.parse(receipt.checkpoint).text)
            try:
                self._signed[name] = receipt, open_checkpoint(receipt.checkpoint, policy.keys)
            except Refuted as refuted:
                report.refuse("receipts", str(refuted), file=name)
        self._wanted = {receipt.index + 1 for receipt, _ in self._signed.values()}

    def take(self, event: LoggedEvent) -> None:
        if event.position in self._wanted:
            self._leaves[event.service, event.position] = event.leaf
        if event.type == LogRestored.__name__ and event.record is not None:
            self._restored[event.service].append(msgspec.json.decode(event.record.data, type=LogRestored))

    def finish(self, summaries: Sequence[LogSummary], say: SayProgress) -> None:
        say("receipts")
        logs = {one.service: one for one in summaries}
        for name, (receipt, signed) in self._signed.items():
            origin = signed.checkpoint.origin
            service = origin.partition("/")[2].partition("/")[0]
            self._check(name, receipt, signed, service, logs.get(service))
        if self._proved:
            self._report.recomputed("receipts", f"{self._proved} receipts were given for what is here")

    def _check(
        self, name: str, receipt: Receipt, signed: SignedCheckpoint, service: str, log: LogSummary | None
    ) -> None:
        position, origin = receipt.index + 1, signed.checkpoint.origin
        if log is None:
            self._leave_open(name, f"the log of {origin} is not here, or could not be read")
            return
        former = dict(self._kept(service))
        if origin not in {log.origin, *former}:
            self._report.refuse("receipts", f"it is of the log {origin}, and here is {log.origin}", file=name)
        elif position > former.get(origin, position):
            self._leave_open(name, f"event {position} of {origin} was lost when the log was restored")
        elif (leaf := self._leaves.get((service, position))) is None:
            self._leave_open(name, f"event {position} of {origin} is not in the bundle")
        else:
            self._hold(name, receipt, signed, service, leaf)

    def _hold(self, name: str, receipt: Receipt, signed: SignedCheckpoint, service: str, leaf: bytes) -> None:
        size, position = signed.checkpoint.size, receipt.index + 1
        try:
            receipt.verify(leaf, signed.signers)
            self._proved += 1
        except Refuted as refuted:
            text = f"it does not prove event {position} of {service} as it stands here ({refuted}): one of both was changed"
            self._report.refuse("receipts", text, file=name)
        for file, other in self._checkpoints(service):
            is_same = (other.origin, other.size) == (signed.checkpoint.origin, size)
            if is_same and other.root != signed.checkpoint.root:
                text = f"the log has signed another history of {size} events in {file}: keep both, they are the proof"
                self._report.refuse("receipts", text, file=name)

    def _checkpoints(self, service: str) -> Iterator[tuple[str, Checkpoint]]:
        folder = f"logs/{service}"
        names = [f"{folder}/checkpoints/{size}" for size in self._bundle.list.earlier(service)]
        for name in (f"{folder}/checkpoint", *names):
            yield name, Checkpoint.parse(Note.parse(self._bundle.content(name)).text)

    def _kept(self, service: str) -> Iterator[tuple[str, int]]:
        """What of each former log there still is: of what an earlier one has kept, a later restore may have lost some."""
        fewest = None
        for one in reversed(self._restored[service]):
            fewest = one.kept if fewest is None else min(fewest, one.kept)
            yield Checkpoint.parse(Note.parse(one.former.encode()).text).origin, fewest

    def _leave_open(self, name: str, text: str) -> None:
        self._report.note(Verdict.UNCHECKABLE, "receipts", text, file=name)
