"""By what right somebody acted: an office against the appointments, a captain's token against who issued it, an account
against the register, and a service against what it had heard.

Times of several logs are compared with a tolerance; within the log of registration it is the position that counts.
"""

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from uuid import UUID

import msgspec

from services.registration.domain.accounts import HomeLinked, HomeUnlinked, PersonLinked, PersonUnlinked
from services.registration.domain.captains import CaptainDismissed, CaptainTokenIssued
from services.registration.domain.officials import OfficialAppointed, OfficialDismissed
from shared.access.asker import ACCOUNT, ENTRANT, OPERATOR
from shared.access.captain_tokens import LONGEST, PREFIX
from shared.access.roles import OFFICES, Role
from shared.bundle.checks import ANNOUNCED, LoggedEvent, SayProgress
from shared.bundle.report import BundleReport, Verdict
from shared.checkpoints.stream import SIGNED_LOG
from shared.commands.handler import SERVICE
from shared.log.envelope import Envelope
from shared.seals.stream import SEALS
from shared.values import Value

type KindOfMessage = tuple[str, str]  # of which service, and what

TOLERANCE = 300.0  # seconds that clocks of several services may disagree
OFFICES_NAMED = frozenset(role.value for role in OFFICES)
CAPTAIN = re.compile(rf"{PREFIX}([^:]+):([0-9]{{1,9}}):([0-9]{{1,9}})", re.ASCII)
KINDS = {
    one.__name__: one
    for one in (
        OfficialAppointed,
        OfficialDismissed,
        CaptainTokenIssued,
        CaptainDismissed,
        PersonLinked,
        PersonUnlinked,
        HomeLinked,
        HomeUnlinked,
    )
}
OF_ENTRIES = frozenset({"EntrantEntered", "EntrantAdmitted", "EntrantChanged", "EntryDetailed"})
OF_NOBODY = frozenset(event.__name__ for kind in (SIGNED_LOG, SEALS) for event in kind.events)

WORDS = {
    Verdict.RECOMPUTED: {
        "office": "acts by who had been appointed to that office",
        "captain": "acts of captains, by tokens of who could issue them",
        "entrant": "acts of entrants, by their own accounts",
        "message": "events that follow from what a neighbour had said",
    },
    Verdict.UNCHECKABLE: {
        "operator": "acts of operators: who they are stands in no log",
        "account": "acts of accounts for themselves",
        "linked": "acts of accounts that are linked to nobody who is named in the entry",
        "itself": "events that follow from what is not in the bundle, or from the service itself",
        "nobody": "events say in no role who acted: an older program wrote them",
    },
}


class Concerning(msgspec.Struct, frozen=True):
    """Whom an event is about, as far as it says so."""

    entrant: str | None = None
    game: str | None = None
    seats: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    substitutes: tuple[str, ...] = ()
    captain: str | None = None
    school: str | None = None
    club: str | None = None


NOBODY = Concerning()


class TournamentAbove(msgspec.Struct, frozen=True):
    """The part of an announcement that says whose officials hold office in the tournament."""

    federation: str


class Since(Value):
    """That somebody was named from then on, or was no more."""

    position: int
    at: float  # in seconds, as all times here: a date may be the last one that there is
    named: bool
    what: str = ""  # the person, school or club


class Token(Value):
    position: int
    actor: str
    said: CaptainTokenIssued


class Acted(msgspec.Struct, frozen=True):
    service: str
    position: int
    at: float
    actor: str
    role: str | None
    operation: str | None = None
    causation: str | None = None
    about: Concerning = NOBODY


class OfficeThere(Value):
    subject: str
    role: str
    scope: str


class OfficesCheck:
    def __init__(self, tournament: str, report: BundleReport) -> None:
        self._scopes = {tournament}
        self._report = report
        self._offices: dict[OfficeThere, list[Since]] = {}
        self._tokens: dict[tuple[str, int, int], Token] = {}
        self._dismissed: dict[str, list[tuple[float, int]]] = {}
        self._accounts: dict[str, list[Since]] = {}
        self._own: dict[str, set[str]] = {}  # by entrant: its persons, and where it comes from
        self._seats: dict[str, set[str]] = {}
        self._told: dict[bytes, tuple[KindOfMessage, float]] = {}  # messages: of which service, which, and when
        self._kinds: dict[tuple[str, str], KindOfMessage] = {}
        self._acts: list[Acted] = []
        self._in_office: dict[tuple[str, str, str], tuple[array[int], array[float]]] = {}  # positions and times
        self._counts = Counter[str]()
        self._is_partial = False  # whether registration has said more of offices than could be read

    def take(self, read: LoggedEvent) -> None:
        message, record = read.message, read.record
        if message is not None:
            of = read.service, message.type
            self._told[message.id.bytes] = self._kinds.setdefault(of, of), message.at.timestamp()
        shown = record or message
        if shown is not None and (read.service, shown.type) == ANNOUNCED:
            with suppress(msgspec.DecodeError):  # as such it is refuted elsewhere
                self._scopes.add(msgspec.json.decode(shown.data, type=TournamentAbove).federation)
        if record is None:
            self._is_partial = self._is_partial or read.service == "registration"
            return
        if read.service == "registration" and (kind := KINDS.get(record.type)):
            with suppress(msgspec.DecodeError):
                self._name(read.position, record, msgspec.json.decode(record.data, type=kind))
        is_entry = read.service == "registration" and record.type in OF_ENTRIES
        about = NOBODY
        if is_entry or record.role in {Role.CAPTAIN.value, ENTRANT} or record.type == "SheetOpened":
            with suppress(msgspec.DecodeError):
                about = msgspec.json.decode(record.data, type=Concerning)
        if is_entry and about.entrant:
            told = (*about.persons, *about.substitutes, about.captain, about.school, about.club)
            self._own.setdefault(about.entrant, set()).update(one for one in told if one)
        if record.type == "SheetOpened" and about.game:
            self._seats.setdefault(about.game, set()).update(about.seats)
        if record.role in OFFICES_NAMED:
            acts = self._in_office.setdefault((read.service, record.actor, record.role), (array("q"), array("d")))
            acts[0].append(read.position)
            acts[1].append(record.at.timestamp())
        elif record.type not in OF_NOBODY:
            acted = Acted(
                service=read.service,
                position=read.position,
                at=record.at.timestamp(),
                actor=record.actor,
                role=record.role,
                operation=record.operation,
                causation=record.causation,
                about=about if record.role in {Role.CAPTAIN.value, ENTRANT} else NOBODY,
            )
            self._acts.append(acted)

    def _name(self, position: int, record: Envelope, event: object) -> None:
        at = record.at.timestamp()
        match event:
            case OfficialAppointed() | OfficialDismissed():
                office = OfficeThere(subject=event.subject, role=event.role.value, scope=event.scope)
                since = Since(position=position, at=at, named=isinstance(event, OfficialAppointed))
                self._offices.setdefault(office, []).append(since)
            case CaptainTokenIssued():
                token = Token(position=position, actor=record.actor, said=event)
                self._tokens[event.entrant, event.generation, event.serial] = token
            case CaptainDismissed():
                self._dismissed.setdefault(event.entrant, []).append((at, event.generation))
            case PersonLinked() | PersonUnlinked():
                since = Since(position=position, at=at, named=isinstance(event, PersonLinked), what=event.person)
                self._accounts.setdefault(event.subject, []).append(since)
            case HomeLinked() | HomeUnlinked():
                since = Since(position=position, at=at, named=isinstance(event, HomeLinked), what=event.home)
                self._accounts.setdefault(event.subject, []).append(since)
            case _:
                pass

    def do_without(self, unread: Collection[str]) -> None:
        """The logs of these services could not be read."""
        self._is_partial = self._is_partial or "registration" in unread

    def finish(self, say: SayProgress) -> None:
        say("offices")
        for (service, actor, role), (positions, times) in self._in_office.items():
            self._officials(service, actor, role, zip(positions, times, strict=True))
        for acted in self._acts:
            self._judge(acted)
        for token in self._tokens.values():
            if not self._could_issue(token):
                text = f"a token was issued by somebody who was no {token.said.issuer.role}"
                self._doubt("registration", token.position, text)
        for verdict, told in WORDS.items():
            for act, words in told.items():
                if count := self._counts[act]:
                    self._report.note(verdict, "offices", f"{count} {words}")

    def _judge(self, acted: Acted) -> None:
        match acted.role:
            case None:
                self._counts["nobody"] += 1
            case Role.CAPTAIN.value:
                if fault := self._captain(acted):
                    self._doubt(acted.service, acted.position, fault)
                else:
                    self._counts["captain"] += 1
            case role if role == ENTRANT:
                self._entrant(acted)
            case role if role == SERVICE:
                self._service(acted)
            case role if role == OPERATOR:
                self._counts["operator"] += 1
            case role if role == ACCOUNT:
                self._counts["account"] += 1
            case role:
                self._refuse(acted, f"nobody acts as {role}")

    def _officials(self, service: str, actor: str, role: str, acts: Iterable[tuple[int, float]]) -> None:
        offices = [OfficeThere(subject=actor, role=role, scope=scope) for scope in self._scopes]
        named = [terms for one in offices if (terms := self._offices.get(one))]
        for position, at in acts:
            if any(was_named(terms, at) for terms in named):
                self._counts["office"] += 1
            else:
                text = f"nobody had appointed who acted as {role}"
                self._doubt(service, position, text)

    def _captain(self, acted: Acted) -> str | None:
        """What speaks against it."""
        found = CAPTAIN.fullmatch(acted.actor)
        token = self._tokens.get((found[1], int(found[2]), int(found[3]))) if found else None
        if token is None:
            return "nobody had issued a token to this captain"
        said, issuer = token.said, token.said.issuer
        if not -TOLERANCE <= acted.at - said.issued <= LONGEST.total_seconds() + TOLERANCE:
            return "the captain's token was not good then"
        if any(at < acted.at - TOLERANCE and of > said.generation for at, of in self._dismissed.get(said.entrant, [])):
            return "the captain had been dismissed"
        if not self._could_issue(token):
            return f"the captain's token was issued by somebody who was no {issuer.role}"
        terms = self._terms(token)
        if any(not one.named and one.position > token.position and one.at < acted.at - TOLERANCE for one in terms):
            return f"the captain's token had ended with the term of the {issuer.role} who issued it"
        of_game = self._seats.get(acted.about.game or "")
        if acted.about.entrant not in {None, said.entrant} or (of_game is not None and said.entrant not in of_game):
            return "the captain speaks for another entrant"
        return None

    def _terms(self, token: Token) -> Sequence[Since]:
        """When who has issued it was appointed and dismissed in that office."""
        issuer = token.said.issuer
        office = OfficeThere(subject=issuer.subject, role=issuer.role.value, scope=issuer.scope)
        return self._offices.get(office, []) if issuer.scope in self._scopes else []

    def _could_issue(self, token: Token) -> bool:
        before = [one.named for one in self._terms(token) if one.position < token.position]
        issuer = token.said.issuer
        return token.actor == issuer.subject and before[-1:] == [True] and before.count(False) == issuer.term

    def _entrant(self, acted: Acted) -> None:
        linked = {
            one.what for one in self._accounts.get(acted.actor, []) if one.named and one.at < acted.at + TOLERANCE
        }
        held = {
            what
            for what in linked
            if was_named([one for one in self._accounts[acted.actor] if one.what == what], acted.at)
        }
        if not held:
            text = "nobody had linked this account to a person, a club or a school"
            self._doubt(acted.service, acted.position, text)
        elif held & self._own.get(acted.about.entrant or "", set()):
            self._counts["entrant"] += 1
        else:  # persons may have been merged
            self._counts["linked"] += 1

    def _service(self, acted: Acted) -> None:
        try:
            told = self._told.get(UUID(acted.causation or "").bytes)
        except ValueError:
            told = None
        if told is None:
            self._counts["itself"] += 1
        elif told[0] != (acted.actor, acted.operation) or told[1] > acted.at + TOLERANCE:
            self._refuse(
                acted,
                f"it is said to follow from {acted.operation} of {acted.actor}, and that is another message, or later",
            )
        else:
            self._counts["message"] += 1

    def _doubt(self, service: str, position: int, text: str) -> None:
        """What speaks against it may be answered by what is hidden."""
        verdict = Verdict.UNCHECKABLE if self._is_partial else Verdict.REFUTED
        self._report.note(verdict, "offices", text, file=f"logs/{service}/records", position=position)

    def _refuse(self, acted: Acted, text: str) -> None:
        self._report.refuse("offices", text, file=f"logs/{acted.service}/records", position=acted.position)


def was_named(told: Sequence[Since], at: float) -> bool:
    """Whether they were then, or a moment before or after."""
    last = False
    for one in told:
        if one.at > at + TOLERANCE:
            break
        last = one.named or (last and one.at > at - TOLERANCE)
    return last
