"""The lots of a bundle: each drawn again from the secret that was fixed before, and from the value that nobody chose."""

from collections.abc import Collection, Iterator

import msgspec
from msgspec import field

from shared.bundle.checks import LoggedEvent, SayProgress
from shared.bundle.report import BundleReport, Verdict
from shared.contracts.lots import LotDrawn, LotSeedCommitted, LotSeedRevealed
from shared.contracts.registration import LotsOpened, LotSourceMoved
from shared.log.envelope import Envelope, Message
from shared.lots import source as sources
from shared.lots.formula import commitment
from shared.lots.known import LotsKnown, key_of
from shared.refusals import Invalid
from shared.values import Value

NOT_MIXED = "nothing that nobody chose was mixed in: whoever made the secret could choose it"


class NamedSource(Value):
    """The part of an announcement that says what its lots are mixed with."""

    lot_source: str | None = None


class SettledTie(Value):
    """The part of these events that says what a lot has decided."""

    stage: str
    kind: str
    order: tuple[tuple[str, ...], ...]


class SeatsByLot(Value):
    game: str
    order: tuple[str, ...]


class BoardsByLot(Value):
    game: str
    line_ups: dict[str, tuple[str | None, ...]]


class ServiceLots(msgspec.Struct):
    """What one service has said of its lots, each with its position."""

    committed: list[tuple[int, LotSeedCommitted]] = field(default_factory=list[tuple[int, LotSeedCommitted]])
    drawn: list[tuple[int, LotDrawn]] = field(default_factory=list[tuple[int, LotDrawn]])
    decided: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list[tuple[int, str, tuple[str, ...]]])
    revealed: tuple[int, bytes] | None = None


class LotsCheck:
    def __init__(self, tournament: str, report: BundleReport) -> None:
        self._tournament = tournament
        self._report = report
        self._services: dict[str, ServiceLots] = {}
        self._hidden = set[str]()  # services of which events are here that nobody shows
        self._unread = frozenset[str]()  # those whose logs could not be read
        self._source: str | None = None
        self._opened: tuple[int, LotsOpened] | None = None

    def take(self, read: LoggedEvent) -> None:
        shown = read.record or read.message
        if shown is None:
            self._hidden.add(read.service)
        elif shown.scope == self._tournament:
            self._take(read, shown)

    def _take(self, read: LoggedEvent, shown: Envelope | Message) -> None:
        said = self._services.setdefault(read.service, ServiceLots())
        try:
            match shown.type:
                case "LotSeedCommitted":
                    self._commit(read, said, msgspec.json.decode(shown.data, type=LotSeedCommitted))
                case "LotDrawn":
                    self._draw(read, said, msgspec.json.decode(shown.data, type=LotDrawn))
                case "LotSeedRevealed":
                    secret = bytes.fromhex(msgspec.json.decode(shown.data, type=LotSeedRevealed).seed)
                    said.revealed = said.revealed or (read.position, secret)
                case "TournamentAnnounced":
                    self._source = msgspec.json.decode(shown.data, type=NamedSource).lot_source
                case "LotSourceMoved":
                    self._source = msgspec.json.decode(shown.data, type=LotSourceMoved).source
                case "LotsOpened":
                    self._open(read, msgspec.json.decode(shown.data, type=LotsOpened))
                case _ if read.record is not None:
                    said.decided += ((read.position, *one) for one in decided_by(shown.type, shown.data))
                case _:
                    pass
        except (msgspec.DecodeError, ValueError) as error:
            self._refuse(read.service, read.position, f"this is no {shown.type}: {error}")

    def _commit(self, read: LoggedEvent, said: ServiceLots, new: LotSeedCommitted) -> None:
        """The same secret once more, to a source that has moved, as long as no lot was drawn."""
        if said.committed and (said.drawn or said.revealed or said.committed[-1][1].source == new.source):
            self._refuse(read.service, read.position, "another secret was fixed before")
        said.committed.append((read.position, new))

    def _draw(self, read: LoggedEvent, said: ServiceLots, lot: LotDrawn) -> None:
        if not said.committed:
            text = "a lot was drawn before its secret was fixed"
            self._refuse(read.service, read.position, text, unless=read.service)
        if said.revealed is not None:
            self._refuse(read.service, read.position, "a lot was drawn after the secret was open to all")
        said.drawn.append((read.position, lot))

    def _open(self, read: LoggedEvent, opened: LotsOpened) -> None:
        if self._opened is not None:
            self._refuse(read.service, read.position, "the value was written down before, and the first one stands")
            return
        self._opened = (read.position, opened)
        if opened.source != self._source:
            text = f"the value is of {opened.source}, and {self._source or 'no source'} was announced"
            self._refuse(read.service, read.position, text, unless=read.service)
        try:
            is_one = sources.parse(opened.source).value(opened.value) == opened.value
        except Invalid:
            is_one = False
        if not is_one:
            self._refuse(read.service, read.position, f"{opened.source} has no such value")
        elif opened.source.startswith("drand "):
            text = f"whether {opened.source} gave this value is to be looked up there"
            self._note(Verdict.UNCHECKABLE, read.service, read.position, text)
        else:
            text = f"whether {opened.source} fell so, those know who were there"
            self._note(Verdict.UNCHECKABLE, read.service, read.position, text)

    def do_without(self, unread: Collection[str]) -> None:
        """The logs of these services could not be read."""
        self._unread = frozenset(unread)

    def finish(self, say: SayProgress) -> None:
        say("lots")
        for service, said in sorted(self._services.items()):
            self._decisions(service, said)
            if said.drawn or said.revealed:
                self._check(service, said)

    def _decisions(self, service: str, said: ServiceLots) -> None:
        """What is said to have been decided by lot, was."""
        drawn = {(lot.purpose, lot.order) for _, lot in said.drawn}
        for position, purpose, order in said.decided:
            if (purpose, order) not in drawn:
                text = f"it rests on a lot for {purpose!r} that nobody has drawn so"
                self._refuse(service, position, text, unless=service)

    def _check(self, service: str, said: ServiceLots) -> None:
        if said.revealed is None:
            text = f"the secret of {len(said.drawn)} lots is not revealed"
            self._note(Verdict.MISSING, service, said.drawn[0][0], text)
            return
        at, secret = said.revealed
        others = [
            position
            for position, one in said.committed
            if one.commitment != commitment(secret, service=service, tournament=self._tournament, source=one.source)
        ]
        for position in others:
            text = "the secret that was revealed in the end is not the one that was fixed here"
            self._refuse(service, position, text)
        if len(others) == len(said.committed):
            self._refuse(service, at, "the secret is not the one that was fixed", unless=service)
            return
        known = self._known(service, said.committed[-1][1], said.drawn)
        if known is None or not said.drawn:
            return
        key = key_of(self._tournament, secret, known)
        wrong = [(position, lot) for position, lot in said.drawn if key.draw(lot.purpose, lot.order) != list(lot.order)]
        for position, lot in wrong:
            self._refuse(service, position, f"the lot for {lot.purpose!r} falls otherwise from the revealed secret")
        if self._opened is not None and known.source is not None and len(wrong) == len(said.drawn):
            self._refuse("registration", self._opened[0], f"no lot of {service} follows from this value")
        self._report.recomputed("lots", f"{len(said.drawn)} lots", file=f"logs/{service}/records")
        if known.source is None:
            self._note(Verdict.UNCHECKABLE, service, None, NOT_MIXED)

    def _known(self, service: str, last: LotSeedCommitted, drawn: list[tuple[int, LotDrawn]]) -> LotsKnown | None:
        """What the lots of a service are mixed with; none where nobody has written that down."""
        if last.source is None:
            return LotsKnown()
        if self._opened is None:
            if drawn and "registration" in self._unread:
                text = f"the value of {last.source} stands in the log of registration, which could not be read"
                self._note(Verdict.UNCHECKABLE, service, drawn[0][0], text)
            elif drawn:
                self._note(Verdict.MISSING, service, drawn[0][0], f"the value of {last.source} was not written down")
            return None
        at, opened = self._opened
        if (opened.source, opened.commitments.get(service)) != (last.source, last.commitment):
            text = f"what {service} had fixed is not what was heard of it when the value was written down"
            self._refuse("registration", at, text, unless=service)
        return LotsKnown(source=opened.source, value=opened.value, commitments=opened.commitments)

    def _note(self, verdict: Verdict, service: str, position: int | None, text: str) -> None:
        self._report.note(verdict, "lots", text, file=f"logs/{service}/records", position=position)

    def _refuse(self, service: str, position: int, text: str, *, unless: str | None = None) -> None:
        """Unless events of this service are hidden, which may be the answer."""
        self._note(Verdict.UNCHECKABLE if unless in self._hidden else Verdict.REFUTED, service, position, text)


def decided_by(kind: str, said: msgspec.Raw) -> Iterator[tuple[str, tuple[str, ...]]]:
    """For what a lot has to have been drawn, if this is so, and in which order."""
    match kind:
        case "TieSettled" if (tie := msgspec.json.decode(said, type=SettledTie)).kind == "lot":
            yield f"order of {tie.stage}", tuple(one for equal in tie.order for one in equal)
        case "SeatsDrawn":
            seats = msgspec.json.decode(said, type=SeatsByLot)
            yield f"seats of game {seats.game}", seats.order
        case "BoardsDrawn":
            boards = msgspec.json.decode(said, type=BoardsByLot)
            for entrant, persons in boards.line_ups.items():
                sitting = tuple(one for one in persons if one is not None)
                yield f"boards of {entrant} in game {boards.game}", sitting
        case _:
            pass
