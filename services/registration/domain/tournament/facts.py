"""What has happened to a tournament and its field. Neither names nor anything else that is personal stands here."""

from dataclasses import dataclass

import msgspec

from services.registration.domain.tournament.entry_facts import EntryEvent
from shared.exact import Number

# Its life


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentAnnounced:
    tournament: str
    federation: str
    name: str
    ruleset_id: str
    ruleset: msgspec.Raw  # whole, with what this tournament changes in it
    time_zone: str
    starts_on: str
    first_round: str
    entries_close: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistrationOpened:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckInOpened:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstRoundPostponed:
    tournament: str
    minutes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentStarted:
    tournament: str
    federation: str
    ruleset: msgspec.Raw
    time_zone: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewBegun:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayResumed:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentCompleted:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentCancelled:
    tournament: str


# Entries


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantEntered:
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    decision: str | None  # why later than announced


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryCorrected:
    entrant: str
    tournament: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryWithdrawn:
    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantStruckOff:
    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantCheckedIn:
    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckInUndone:
    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClosePersonsDeclared:
    tournament: str
    persons: tuple[str, str]  # in the order of their ids


@dataclass(frozen=True, kw_only=True, slots=True)
class ClosePersonsRevoked:
    tournament: str
    persons: tuple[str, str]


# From the start on; neighbours hear of these


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantAdmitted:
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    number: int
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    from_round: int
    decision: str | None  # why after the start
    school: str | None = None
    history: bool = False
    carried: Number = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantChanged:
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    number: int
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    from_round: int
    school: str | None = None
    history: bool = False
    carried: Number = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class MeetingForbidden:
    tournament: str
    entrants: tuple[str, ...]
    last_rounds: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantLeft:
    entrant: str
    tournament: str
    stage: str
    after_round: int
    why: str
    clause: str | None  # of the rules, where results demand an expulsion


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantReturned:
    entrant: str
    tournament: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantAbsent:
    entrant: str
    tournament: str
    stage: str
    round: int
    points: Number | None


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantPresent:
    entrant: str
    tournament: str
    stage: str
    round: int


type LifeEvent = (
    TournamentAnnounced
    | RegistrationOpened
    | CheckInOpened
    | FirstRoundPostponed
    | TournamentStarted
    | ReviewBegun
    | PlayResumed
    | TournamentCompleted
    | TournamentCancelled
)
type RosterEvent = (
    EntrantEntered
    | EntryCorrected
    | EntryWithdrawn
    | EntrantStruckOff
    | EntrantCheckedIn
    | CheckInUndone
    | ClosePersonsDeclared
    | ClosePersonsRevoked
    | EntrantAdmitted
    | EntrantChanged
    | MeetingForbidden
    | EntrantLeft
    | EntrantReturned
    | EntrantAbsent
    | EntrantPresent
    | EntryEvent
)
