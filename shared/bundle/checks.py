"""What of a bundle follows from its bytes alone: who has signed, that all of it stood in the signed logs, and nothing is left out.

No rule of any game is known here. Each event is handed on as soon as it is looked at, so that a log of any length takes
little memory.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection
from datetime import datetime
from hashlib import sha256
from typing import Annotated

import msgspec

from shared.bundle.container import Bundle, in_file
from shared.bundle.form import BundledEvent, require_unambiguous
from shared.bundle.report import BundleReport, Verdict
from shared.checkpoints.stream import SIGNED_LOG, LogKeyIntroduced, LogKeyRetired, LogRestored
from shared.log.envelope import Envelope, Message
from shared.proof.findings import Malformed, Refuted
from shared.proof.keys import KeyKind
from shared.proof.notes import Checkpoint, Note, SignedCheckpoint, open_checkpoint
from shared.proof.tiles import RightEdge, grow
from shared.proof.tree import LARGEST, verify_consistency, verify_many
from shared.proof.trust import TrustPolicy
from shared.values import UNREADABLE, Value


class WrittenEvent(msgspec.Struct, frozen=True):
    """What records and messages have in common, as it is written: in one way."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")]
    at: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})\Z"
        ),
    ]
    data: dict[str, msgspec.Raw]


WRITTEN = msgspec.json.Decoder(WrittenEvent)
ENVELOPES = msgspec.json.Decoder(Envelope)
MESSAGES = msgspec.json.Decoder(Message)
SEAL = "ScopeSealed"
ANNOUNCED = ("registration", "TournamentAnnounced")
OFTEN = 2_000  # events between two words of progress
SALT = 32  # bytes
BESIDE = b'"beside"'
TOLERANCE = 300.0  # seconds that clocks may disagree


class LoggedEvent(Value):
    """An event of a bundle, with as much of it as is shown."""

    service: str
    position: int
    number: int | None
    record: Envelope | None
    message: Message | None
    leaf: bytes

    @property
    def type(self) -> str:
        if self.record is not None:
            return self.record.type
        return self.message.type if self.message is not None else ""

    @property
    def scope(self) -> str | None:
        if self.record is not None:
            return self.record.scope
        return self.message.scope if self.message is not None else None

    @property
    def at(self) -> datetime | None:
        return self.record.at if self.record is not None else self.message.at if self.message is not None else None

    @property
    def records(self) -> str:
        """The file of the bundle that its record is of."""
        return f"logs/{self.service}/records"

    @property
    def messages(self) -> str:
        return f"logs/{self.service}/messages"


class SealData(msgspec.Struct, frozen=True):
    scope: str
    upto: int
    count: int
    root: str


SEALS = msgspec.json.Decoder(SealData)
type LogEvent = LogKeyIntroduced | LogKeyRetired | LogRestored
OF_THE_LOG = {one.__name__: one for one in SIGNED_LOG.events}


class LogSummary(Value):
    """The last lines of what is said of a log."""

    service: str
    origin: str
    size: int
    events: int
    witnesses: int
    since: int | None
    own: int  # events of the tournament
    is_announced: bool
    is_sealed: bool


type TakeEvent = Callable[[LoggedEvent], None]
type SayProgress = Callable[[str], None]


def check_logs(
    bundle: Bundle, policy: TrustPolicy, report: BundleReport, take: TakeEvent, say: SayProgress
) -> list[LogSummary]:
    """Everything that is asked of each log. `take` gets its events, in their order."""
    summaries = [LogCheck(bundle, service, policy, report, take, say).run() for service in bundle.list.services]
    deployments = {summary.origin.split("/")[0] for summary in summaries if summary}
    found = [summary for summary in summaries if summary]
    if len(deployments) > 1:
        origins = ", ".join(sorted(summary.origin for summary in found))
        report.refuse("notes", f"the logs are of several deployments: {origins}")
    for service in sorted({key.name.split("/")[1] for key in policy.logs if "/" in key.name} - {*bundle.list.services}):
        text = f"nothing is here of the log of {service}, which the policy names"
        report.note(Verdict.MISSING, "seals", text)
    if not any(summary.is_announced for summary in found):
        text = f"nothing here announces the tournament {bundle.list.tournament}: it may be that of another one"
        report.note(Verdict.MISSING, "tournament", text)
    for summary in found:
        if not summary.own:
            text = "no event of the tournament is here, and nothing says that none stood in this log"
            report.note(Verdict.MISSING, "tournament", text, file=f"logs/{summary.service}/records")
        if not summary.is_sealed and any(other.is_sealed for other in found):
            text = "no seal says how much of the tournament stood in this log, as others do"
            report.note(Verdict.MISSING, "seals", text, file=f"logs/{summary.service}/records")
    return found


class LogCheck:
    def __init__(
        self, bundle: Bundle, service: str, policy: TrustPolicy, report: BundleReport, take: TakeEvent, say: SayProgress
    ) -> None:
        self._bundle = bundle
        self._service = service
        self._policy = policy
        self._report = report
        self._take = take
        self._say = say
        self._folder = f"logs/{service}"
        self._scope = bundle.list.tournament
        self._leaves: list[tuple[int, bytes]] = []
        self._own: list[tuple[int, bytes]] = []  # positions and leaves of the tournament
        self._last: dict[str, int] = {}  # version of each stream
        self._ids: set[bytes] = set()
        self._seals: list[tuple[int, SealData]] = []
        self._is_announced = False
        self._signed: list[tuple[str, SignedCheckpoint]] = []  # of this log, by the names of their files
        self._proved: dict[int, Checkpoint] = {}  # earlier ones that the newest continues, by their sizes
        self._foreign: list[str] = []  # files of checkpoints that were signed under another name
        self._keys: list[tuple[int, LogKeyIntroduced | LogKeyRetired]] = []
        self._restored: list[tuple[int, LogRestored]] = []
        self._hidden = self._untold = 0  # events of which no record is shown, and of which no message
        self._position = self._number = self._most = 0  # of the last event; the most that its public number can be
        self._times: list[tuple[int, int]] = []  # sizes, and when witnesses knew them

    def run(self) -> LogSummary | None:
        newest = self._checkpoint(f"{self._folder}/checkpoint")
        if newest is None or not self._is_newest(newest):
            return None
        self._quorum(newest, f"{self._folder}/checkpoint")
        self._earlier(newest)
        self._events(newest)
        self._inclusion(newest)
        self._completeness()
        self._keys_in_time()
        self._restorations(newest.checkpoint)
        return LogSummary(
            service=self._service,
            origin=newest.checkpoint.origin,
            size=newest.checkpoint.size,
            events=len(self._leaves),
            witnesses=len(newest.witnesses),
            since=self._policy.since(newest.witnesses),
            own=len(self._own),
            is_announced=self._is_announced,
            is_sealed=bool(self._seals),
        )

    def _checkpoint(self, name: str) -> SignedCheckpoint | None:
        try:
            with in_file(name):
                signed = open_checkpoint(self._bundle.content(name), self._policy.keys)
        except Refuted as refuted:
            self._report.refuse("notes", str(refuted), file=name)
            return None
        if signed.checkpoint.origin.split("/")[1:2] != [self._service]:
            self._report.refuse("notes", f"this is the log {signed.checkpoint.origin}", file=name)
            return None
        self._signed.append((name, signed))
        return signed

    def _is_newest(self, newest: SignedCheckpoint) -> bool:
        """Where an older one stands in its place nothing can be held against it, and nothing else is at fault."""
        for size in self._bundle.list.earlier(self._service):
            name = f"{self._folder}/checkpoints/{size}"
            try:
                with in_file(name):
                    other = open_checkpoint(self._bundle.content(name), self._policy.keys).checkpoint
            except Refuted:  # which is said where each is looked at
                continue
            if other.origin == newest.checkpoint.origin and other.size >= newest.checkpoint.size:
                text = f"this is of {newest.checkpoint.size} events and not the newest: {name} is of {other.size}"
                self._report.refuse("consistency", text, file=f"{self._folder}/checkpoint")
                return False
        return True

    def _quorum(self, signed: SignedCheckpoint, name: str) -> None:
        by = signed.witnesses.keys()
        if not self._policy.is_met_by(by):
            text = f"{len(by)} witnesses have signed it, and the policy asks for more"
            self._report.note(Verdict.MISSING, "quorum", text, file=name)
        elif self._policy.quorum is None:
            text = "no witness is asked for: it holds against checkpoints that you got elsewhere and earlier"
            self._report.note(Verdict.UNCHECKABLE, "quorum", text, file=name)
        else:
            self._report.recomputed("quorum", f"{len(by)} witnesses have signed it", file=name)

    def _earlier(self, newest: SignedCheckpoint) -> None:
        """Each was signed, and the newest continues it."""
        count = 0
        for size in self._bundle.list.earlier(self._service):
            name = f"{self._folder}/checkpoints/{size}"
            with in_file(name):
                checkpoint = Checkpoint.parse(Note.parse(self._bundle.content(name)).text)
            is_own = checkpoint.origin == newest.checkpoint.origin
            signed = self._checkpoint(name) if is_own else None
            if is_own and signed is None:
                continue
            if checkpoint.size != size:
                self._report.refuse("consistency", "this is a checkpoint of another size", file=name)
                continue
            try:
                verify_consistency(
                    old=size,
                    old_root=checkpoint.root,
                    size=newest.checkpoint.size,
                    root=newest.checkpoint.root,
                    proof=list(self._bundle.hashes(f"{name}.proof")),
                )
            except Refuted as refuted:
                if is_own:
                    self._report.refuse("consistency", str(refuted), file=f"{name}.proof")
                else:
                    self._report.refuse("consistency", not_continued(checkpoint), file=name)
                continue
            count += 1
            self._proved[size] = checkpoint
            if signed is None:
                self._foreign.append(name)
            else:
                self._note_time(signed)
        self._note_time(newest)
        self._report.recomputed("consistency", f"{count} earlier checkpoints are continued", file=self._folder)

    def _note_time(self, signed: SignedCheckpoint) -> None:
        if times := signed.witnesses.values():
            self._times.append((signed.checkpoint.size, min(times)))

    def _events(self, newest: SignedCheckpoint) -> None:
        for event in self._bundle.events(self._service):
            if event.position <= self._position:
                raise Malformed(f"{self._folder}/positions do not go up at {event.position}")
            self._public_number(event)
            self._leaves.append((event.position - 1, event.leaf))
            read = self._read(event)
            self._judge(read, event)
            self._take(read)
            if len(self._leaves) % OFTEN == 0:
                self._say(f"{self._service}: {len(self._leaves)} events, position {event.position}")
        if self._position > newest.checkpoint.size:
            text = f"the log was signed with {newest.checkpoint.size} events"
            self._report.refuse("inclusion", text, file=f"{self._folder}/positions", position=self._position)
        if self._hidden or self._untold:
            text = (
                f"of {self._hidden} of {len(self._leaves)} events no record is shown, and of {self._untold} "
                "not the message that there is: what they say is not checkable"
            )
            self._report.note(Verdict.UNCHECKABLE, "records", text, file=self._folder)

    def _public_number(self, event: BundledEvent) -> None:
        """As many leaves with a message can lie between two as there is room for."""
        room = event.position - self._position - (not event.has_message)
        self._most += room
        if (event.number is not None) != event.has_message:
            text = "it has a public number and no message, or a message and no number"
            self._report.refuse("numbers", text, file=f"{self._folder}/numbers", position=event.position)
        elif event.number is not None:
            if self._number < event.number <= self._most:
                self._number = self._most = event.number
            else:  # the next one is held against the last that had room
                text = f"the public number {event.number} has no room behind {self._number}"
                self._report.refuse("numbers", text, file=f"{self._folder}/numbers", position=event.position)
        self._position = event.position

    def _read(self, event: BundledEvent) -> LoggedEvent:
        self._hidden += event.record is None
        self._untold += event.has_message and event.message is None
        try:
            for written in (event.record, event.message):
                if written is not None:
                    written.decode()  # also what is decoded later, as data
                    WRITTEN.decode(written)
                    require_unambiguous(written)
            record = ENVELOPES.decode(event.record) if event.record is not None else None
            message = MESSAGES.decode(event.message) if event.message is not None else None
        except (*UNREADABLE, Malformed) as error:
            raise Malformed(f"{self._folder} at position {event.position} cannot be read: {error}") from None
        read = LoggedEvent(
            service=self._service,
            position=event.position,
            number=event.number,
            record=record,
            message=message,
            leaf=event.leaf,
        )
        if read.scope in (self._scope, None):  # what is not shown counts as one of the tournament
            self._own.append((event.position, self._leaves[-1][1]))
            self._is_announced = self._is_announced or (self._service, read.type) == ANNOUNCED
        return read

    def _judge(self, read: LoggedEvent, event: BundledEvent) -> None:
        record, message = read.record, read.message
        if record is not None:
            if record.public != event.said:
                text = "the record says another message than the one that is here"
                self._report.refuse("records", text, file=f"{self._folder}/messages", position=read.position)
            if (identity := record.id.bytes) in self._ids:
                text = "another event of this log has the same id"
                self._report.refuse("records", text, file=f"{self._folder}/records", position=read.position)
            self._ids.add(identity)
            self._version(record, read.position)
            if record.type == SEAL:
                self._note_seal(record, read.position)
            if kind := OF_THE_LOG.get(record.type):
                self._note_history(record, read.position, kind)
        if record is not None and message is not None:
            said = message.id, message.scope, message.at, message.trace
            if said != (record.id, record.scope, record.at, record.trace):
                text = "id, scope, time or trace of the message are not those of the record"
                self._report.refuse("records", text, file=f"{self._folder}/messages", position=read.position)
        self._time(read)

    def _version(self, record: Envelope, position: int) -> None:
        """Of the tournament's streams each version is here; those of others are single leaves."""
        before = self._last.get(record.stream, 0)
        is_next = record.version == before + 1 if record.scope == self._scope else record.version > before
        if not is_next and record.scope == self._scope and self._hidden and record.version > before:
            text = f"{record.stream} goes on from version {before} to {record.version}: others may be hidden"
            self._report.note(Verdict.UNCHECKABLE, "versions", text, file=f"{self._folder}/records", position=position)
        elif not is_next:
            text = f"version {record.version} of {record.stream} follows version {before}"
            self._report.refuse("versions", text, file=f"{self._folder}/records", position=position)
        self._last[record.stream] = record.version

    def _note_seal(self, record: Envelope, position: int) -> None:
        try:
            seal = SEALS.decode(record.data)
        except UNREADABLE as error:
            raise Malformed(f"{self._folder} at position {position}: {error}") from None
        if seal.scope == self._scope:
            self._seals.append((position, seal))

    def _note_history(self, record: Envelope, position: int, kind: type[LogEvent]) -> None:
        try:
            said = msgspec.json.decode(record.data, type=kind)
        except UNREADABLE as error:
            raise Malformed(f"{self._folder} at position {position}: {error}") from None
        if isinstance(said, LogRestored):
            self._restored.append((position, said))
        else:
            self._keys.append((position, said))

    def _time(self, read: LoggedEvent) -> None:
        """What a clock said is reported and never refused: the order is that of positions."""
        if not self._times or read.at is None:
            return
        said, at = read.at.timestamp(), bisect_left(self._times, (read.position, 0))
        before = self._times[at - 1][1] if at else None
        behind = self._times[at][1] if at < len(self._times) else None
        if (before is not None and said < before - TOLERANCE) or (behind is not None and said > behind + TOLERANCE):
            text = f"its time {read.at.isoformat()} lies outside those of the witnessed checkpoints around it"
            self._report.note(
                Verdict.UNCHECKABLE, "times", text, file=f"{self._folder}/records", position=read.position
            )

    def _inclusion(self, newest: SignedCheckpoint) -> None:
        if self._position > newest.checkpoint.size:
            return  # which was said of that position
        name = f"{self._folder}/inclusion"
        try:
            verify_many(
                leaves=self._leaves,
                size=newest.checkpoint.size,
                proof=list(self._bundle.hashes(name)),
                root=newest.checkpoint.root,
            )
        except Refuted as refuted:
            if not self._named(newest):
                self._report.refuse("inclusion", str(refuted), file=name)
            return
        self._kept_leaves()
        text = f"{len(self._leaves)} events stood in the log when it was signed"
        self._report.recomputed("inclusion", text, file=self._folder)

    def _named(self, newest: SignedCheckpoint) -> bool:
        """Which events are not what they were: those whose leaves are others than the ones that do stand in the signed tree."""
        name = f"{self._folder}/leaves"
        if name not in self._bundle.list.files:
            return False
        kept = list(self._bundle.hashes(name))
        if len(kept) != len(self._leaves):
            return False
        indexes = [index for index, _ in self._leaves]
        proof = list(self._bundle.hashes(f"{self._folder}/inclusion"))
        try:
            verify_many(
                leaves=list(zip(indexes, kept, strict=True)),
                size=newest.checkpoint.size,
                proof=proof,
                root=newest.checkpoint.root,
            )
        except Refuted:
            return False
        for (index, leaf), signed in zip(self._leaves, kept, strict=True):
            if leaf != signed:
                text = "record or message is not what stood here when the log was signed"
                self._report.refuse("inclusion", text, file=f"{self._folder}/records", position=index + 1)
        signed_at = dict(zip((index + 1 for index in indexes), kept, strict=True))
        self._own = [(position, signed_at[position]) for position, _ in self._own]  # so that seals are not at fault
        return True

    def _kept_leaves(self) -> None:
        """Nothing rests on them where the events have given the root, and they are what the events give."""
        name = f"{self._folder}/leaves"
        kept = (
            list(self._bundle.hashes(name)) if name in self._bundle.list.files else [leaf for _, leaf in self._leaves]
        )
        if len(kept) != len(self._leaves):
            text = f"there are {len(kept)} leaves of {len(self._leaves)} events"
            self._report.refuse("inclusion", text, file=name)
            return
        for (index, leaf), other in zip(self._leaves, kept, strict=True):
            if leaf != other:
                text = "this is not the leaf of the event, which is what stood here when the log was signed"
                self._report.refuse("inclusion", text, file=name, position=index + 1)

    def _completeness(self) -> None:
        """Each seal says how many events of the tournament stood up to a position, and the root over them."""
        edge, rest, covered = RightEdge(), list(self._own), 0
        for position, seal in sorted(self._seals, key=lambda one: one[1].upto):
            within = [leaf for at, leaf in rest if at <= seal.upto]
            rest = rest[len(within) :]
            edge, _ = grow(edge, within)
            covered = max(covered, seal.upto)
            found = (edge.size, edge.root.hex())
            if seal.upto >= position or (seal.count, seal.root) != found:
                text = (
                    f"the seal says {seal.count} events up to position {seal.upto}, with a root over them; "
                    f"here are {edge.size}, or others"
                )
                self._report.refuse("seals", text, file=f"{self._folder}/records", position=position)
        seals = {position for position, _ in self._seals}
        if open_events := [position for position, _ in rest if position not in seals]:
            text = f"no seal covers what stands from this event on ({len(open_events)} in all): others may be left out"
            self._report.note(Verdict.MISSING, "seals", text, file=f"{self._folder}/records", position=open_events[0])
        elif seals:
            text = f"none of the {len(self._own)} events of the tournament is left out"
            self._report.recomputed("seals", text, file=self._folder)

    def _keys_in_time(self) -> None:
        """A key signs from when the log has named it, the first one from the beginning, and no more behind its retirement."""
        named = {one.vkey: position for position, one in self._keys if isinstance(one, LogKeyIntroduced)}
        retired = {one.vkey: position for position, one in self._keys if isinstance(one, LogKeyRetired)}
        for name, signed in self._signed:
            size = signed.checkpoint.size
            own = [key.vkey for key in signed.signers if key.kind is KeyKind.LOG]
            if not any(named.get(vkey, 0) <= size < retired.get(vkey, LARGEST) for vkey in own):
                text = f"the log had not named the key yet that signed its {size} events, or had retired it"
                self._report.refuse("keys", text, file=name)
        for position, one in self._keys:
            what = "named" if isinstance(one, LogKeyIntroduced) else "retired"
            text = f"the key {one.vkey.rsplit('+', 1)[0]} was {what} here"
            place = f"{self._folder}/records"
            self._report.note(Verdict.RECOMPUTED, "keys", text, file=place, position=position)

    def _restorations(self, newest: Checkpoint) -> None:
        """What the log says of having been another one, and of what was lost then."""
        allowed = set[str]()
        for position, restored in self._restored:
            former = Checkpoint.parse(Note.parse(restored.former.encode()).text)
            allowed.add(former.text)
            self._restoration(position, restored, former, newest)
        for name in self._foreign:
            checkpoint = self._proved[int(name.rpartition("/")[2])]
            if checkpoint.text not in allowed:
                self._report.refuse("consistency", not_continued(checkpoint), file=name)

    def _restoration(self, position: int, restored: LogRestored, former: Checkpoint, newest: Checkpoint) -> None:
        def note(verdict: Verdict, text: str) -> None:
            self._report.note(verdict, "restores", text, file=f"{self._folder}/records", position=position)

        service = former.origin.split("/")[:2]
        if former.origin == newest.origin:
            text = f"this is of the log before it was restored at position {position}: it has another name since"
            self._report.refuse("restores", text, file=f"{self._folder}/checkpoint")
        elif service != newest.origin.split("/")[:2]:
            note(Verdict.REFUTED, f"{former.origin} is no former name of this log")
        elif not restored.kept <= former.size or not restored.kept < position:
            note(Verdict.REFUTED, f"{restored.kept} of {former.size} events cannot have been kept in front of it")
        else:
            if not any(key.name == former.origin for key in self._policy.logs):
                note(Verdict.UNCHECKABLE, f"no key of {former.origin}, which the log was before, is in the policy")
            else:
                try:
                    open_checkpoint(restored.former.encode(), self._policy.keys)
                except Refuted as refuted:
                    note(Verdict.REFUTED, f"what the log was before was not signed: {refuted}")
            proved = self._proved.get(former.size)
            if restored.kept < former.size:
                lost = f"{restored.kept + 1} to {former.size}"
                note(Verdict.UNCHECKABLE, f"the log was restored: events {lost} of {former.origin} were lost")
            elif proved is not None and proved.root != former.root:
                note(Verdict.REFUTED, f"the log does not continue {former.origin}, all of which is said to be kept")
            elif proved is not None:
                note(
                    Verdict.RECOMPUTED,
                    f"the log was restored, and all {former.size} events of {former.origin} were kept",
                )
            else:
                text = (
                    f"the log was restored: nothing proves that all {former.size} events of {former.origin} were kept"
                )
                note(Verdict.UNCHECKABLE, text)


def not_continued(checkpoint: Checkpoint) -> str:
    return f"this is a checkpoint of {checkpoint.origin}, which this log does not continue"


class PersonalData(msgspec.Struct, frozen=True):
    """The part of these events that names something by its hash."""

    beside: dict[str, str] = {}
    table: str | None = None
    content: str | None = None


NAMING = {"TableSealed": "tables", "RecordAttached": "contents", "EditionTaken": "contents"}


class NamedFiles:
    """Whatever lies there by its hash is what an event has named; what was personal and erased is not there any more."""

    def __init__(self, bundle: Bundle, report: BundleReport) -> None:
        self._files = frozenset(name for name in bundle.list.files if not name.startswith("logs/"))
        self._report = report
        self._named = set[str]()
        self._is_partial = False  # whether some logs could not be read

    def take(self, read: LoggedEvent) -> None:
        record = read.record
        if record is None or not (record.type in NAMING or BESIDE in bytes(record.data)):
            return
        try:
            said = msgspec.json.decode(record.data, type=PersonalData)
            self._named |= {f"opened/{one}" for one in said.beside.values()}
            if where := NAMING.get(record.type):
                self._named |= {f"{where}/{one}" for one in (said.table, said.content) if one}
        except UNREADABLE as error:
            name = read.records
            self._report.refuse("contents", f"it names nothing: {error}", file=name, position=read.position)

    def do_without(self, unread: Collection[str]) -> None:
        """The logs of these services could not be read."""
        self._is_partial = bool(unread)

    def finish(self, say: SayProgress) -> None:
        say("contents")
        verdict = Verdict.UNCHECKABLE if self._is_partial else Verdict.REFUTED
        for name in sorted(self._files - self._named):
            self._report.note(verdict, "contents", "no event of the bundle names it", file=name)
        opened = {one for one in self._named if one.startswith("opened/")}
        if here := opened & self._files:
            self._report.recomputed("contents", f"{len(here)} personal fields are what the events are bound to")
        if gone := opened - self._files:
            text = f"{len(gone)} personal fields are not in the bundle, or were erased: of them there are commitments"
            self._report.note(Verdict.UNCHECKABLE, "contents", text)
        if gone := {one for one in self._named if one.startswith("contents/")} - self._files:
            text = f"{len(gone)} contents, such as lists of words, are named and not in the bundle"
            self._report.note(Verdict.UNCHECKABLE, "contents", text)


def check_single_files(bundle: Bundle, report: BundleReport) -> None:
    """Tables, contents and what was opened are named by their hashes."""
    for folder in ("tables", "contents"):
        for digest in bundle.list.named(folder):
            found = sha256()
            for piece in bundle.pieces(f"{folder}/{digest}"):
                found.update(piece)
            if found.hexdigest() != digest:
                report.refuse("contents", "its hash is not its name", file=f"{folder}/{digest}")
    for commitment in bundle.list.named("opened"):
        salt_and_value = bundle.content(f"opened/{commitment}")
        digest = sha256(b"roundlog/personal/v1\n" + salt_and_value).hexdigest()
        if len(salt_and_value) <= SALT or digest != commitment:
            report.refuse("contents", "salt and value give another hash", file=f"opened/{commitment}")
