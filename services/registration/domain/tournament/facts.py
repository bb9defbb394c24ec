"""What has happened to a tournament and its field. Neither names nor anything else that is personal stands here."""

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
from shared.commands.decider import Fact

# Its life


class TournamentAnnounced(Fact):
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


class ShownNamesDecided(Fact):
    """From now on spectators see this of persons."""

    tournament: str
    shown_names: str


class RegistrationOpened(Fact):
    tournament: str


class CheckInOpened(Fact):
    tournament: str


class AdvanceAnnounced(Fact):
    """How many go on from this tournament to another, or to a later stage of it."""

    tournament: str
    advance: int


class FirstRoundPostponed(Fact):
    tournament: str
    minutes: int


class TournamentStarted(Fact):
    tournament: str
    federation: str
    ruleset: msgspec.Raw
    time_zone: str
    advance: int | None = None


class ReviewBegun(Fact):
    tournament: str


class PlayResumed(Fact):
    tournament: str


class TournamentCompleted(Fact):
    tournament: str


class TournamentCancelled(Fact):
    tournament: str


# Entries


class EntrantEntered(Fact):
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    decision: str | None  # why later than announced
    note: str | None = None
    cited: str | None = None  # the clause that they are late by


class EntryCorrected(Fact):
    entrant: str
    tournament: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


class EntryWithdrawn(Because):
    entrant: str
    tournament: str


class EntrantStruckOff(Because):
    entrant: str
    tournament: str


class EntrantCheckedIn(Fact):
    entrant: str
    tournament: str


class CheckInUndone(Fact):
    entrant: str
    tournament: str


class ClosePersonsDeclared(Fact):
    tournament: str
    persons: tuple[str, str]  # in the order of their ids


class ClosePersonsRevoked(Fact):
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
