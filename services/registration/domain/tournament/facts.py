"""What has happened to a tournament and its field. Neither names nor anything else that is personal stands here."""

from dataclasses import dataclass

import msgspec

from services.registration.domain.tournament.entry_facts import EntryEvent
from services.registration.domain.tournament.level_facts import EntrantQualified, LevelEvent
from services.registration.domain.tournament.plan_facts import HallChanged, PlanChanged
from services.registration.domain.tournament.play_facts import (
    Because,
    EntrantAbsent,
    EntrantAdmitted,
    EntrantChanged,
    EntrantLeft,
    EntrantPresent,
    EntrantReturned,
    MeetingForbidden,
)

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
    season: str | None = None
    season_kind: str | None = None  # as what it counts there
    rating_list: str | None = None  # that it moves
    organisers: tuple[str, ...] = ()  # persons
    shown_names: str = "full"  # what spectators see of persons


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownNamesDecided:
    """From now on spectators see this of persons."""

    tournament: str
    shown_names: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistrationOpened:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckInOpened:
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AdvanceAnnounced:
    """How many go on from this tournament to another, or to a later stage of it."""

    tournament: str
    advance: int


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
    advance: int | None = None


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
    note: str | None = None
    cited: str | None = None  # the clause that they are late by


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryCorrected:
    entrant: str
    tournament: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryWithdrawn(Because):
    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantStruckOff(Because):
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


type LifeEvent = (
    TournamentAnnounced
    | ShownNamesDecided
    | PlanChanged
    | HallChanged
    | RegistrationOpened
    | CheckInOpened
    | AdvanceAnnounced
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
    | EntrantQualified
    | LevelEvent
)
