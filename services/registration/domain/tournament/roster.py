"""Who takes part in a tournament: entered, there, playing or gone, and who is close to whom."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.registration.domain.tournament import details, entry_facts, facts, level_facts
from services.registration.domain.tournament.details import NO_DETAILS, Details
from services.registration.domain.tournament.entrants import (
    CheckedIn,
    Coming,
    Entered,
    Entrant,
    InRound,
    Left,
    Participant,
    Playing,
    StruckOff,
    Waiting,
    Withdrawn,
    back,
    left,
    participant,
    without,
)
from services.registration.domain.tournament.saying import Said
from shared.values import Value

__all__ = [
    "CheckedIn",
    "Coming",
    "Entered",
    "Entrant",
    "InRound",
    "Left",
    "Pair",
    "Participant",
    "Playing",
    "Roster",
    "StruckOff",
    "Waiting",
    "Withdrawn",
    "evolve",
]

type Pair = tuple[str, str]  # of persons, in the order of their ids


class Roster(Value):
    entrants: Mapping[str, Entrant] = msgspec.field(default_factory=dict[str, Entrant])  # in the order of their entry
    close: frozenset[Pair] = frozenset()
    details: Mapping[str, Details] = msgspec.field(default_factory=dict[str, Details])
    spectators: Mapping[str, str] = msgspec.field(
        default_factory=dict[str, str]
    )  # approved; who it is, each by its note
    playing_for: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # persons, and the entrant of each
    origins: tuple[str, ...] = ()  # tournaments whose best come to this one
    order: level_facts.OrderNoted | None = None  # once that of this one is decided

    @property
    def coming(self) -> list[Coming]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, Entered | CheckedIn)]

    @property
    def participants(self) -> list[Participant]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, Playing | Left)]

    @property
    def taking_part(self) -> list[Coming | Participant]:
        return [*self.coming, *self.participants]

    @property
    def waiting(self) -> list[Waiting]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, Waiting)]

    def details_of(self, entrant: str) -> Details:
        return self.details.get(entrant, NO_DETAILS)

    def entrant_of(self, person: str) -> Coming | Waiting | Participant | None:
        """For whom they play, or wait to play."""
        found = self.entrants.get(self.playing_for.get(person, ""))
        return None if isinstance(found, Withdrawn | StruckOff) else found

    def in_line_up(self, person: str) -> bool:
        """Also as a substitute, of somebody who has not gone again."""
        there = (*self.taking_part, *self.waiting)
        return any(
            person in (*entrant.said.persons, *self.details_of(entrant.entrant).also.substitutes) for entrant in there
        )


def evolve(roster: Roster, event: facts.RosterEvent) -> Roster:
    match event:
        case facts.EntrantEntered():
            said = Said(persons=event.persons, rating=event.rating, key=event.key, lists=event.lists)
            return keep(roster, Entered(entrant=event.entrant, said=said))
        case facts.EntrantAdmitted() | facts.EntrantChanged():
            return keep(roster, playing(roster, event))
        case (
            facts.ClosePersonsDeclared()
            | facts.ClosePersonsRevoked()
            | facts.MeetingForbidden()
            | entry_facts.TournamentPlaced()
            | entry_facts.SpectatorApproved()
            | level_facts.NextLevelNamed()
            | level_facts.OrderNoted()
            | level_facts.OriginNamed()
            | level_facts.OriginDropped()
        ):
            return besides(roster, event)
        case entry_facts.EntrantWaits():
            was = roster.entrants[event.entrant]
            return keep(roster, Waiting(entrant=was.entrant, said=was.said))
        case entry_facts.ReserveCalled():
            was = roster.entrants[event.entrant]
            return detailed(keep(roster, Entered(entrant=was.entrant, said=was.said)), event)
        case entry_facts.LineUpChanged():
            was = roster.entrants[event.entrant]
            with_persons = replace(was, said=replace(was.said, persons=event.persons))
            return detailed(keep(roster, with_persons), event)
        case (
            entry_facts.EntryDetailed()
            | entry_facts.EligibilityJudged()
            | entry_facts.RegionApproved()
            | entry_facts.PlaceConfirmed()
            | entry_facts.PaymentRecorded()
            | entry_facts.RefundDue()
            | entry_facts.RefundRecorded()
            | entry_facts.WaiverRequested()
            | entry_facts.WaiverGranted()
            | entry_facts.WaiverRefused()
            | entry_facts.MembersPresent()
            | entry_facts.EntrantLate()
            | level_facts.EntrantQualified()
        ):
            return detailed(roster, event)
        case _:
            return keep(roster, changed(roster.entrants[event.entrant], event))


def besides(
    roster: Roster,
    event: facts.ClosePersonsDeclared
    | facts.ClosePersonsRevoked
    | facts.MeetingForbidden
    | entry_facts.TournamentPlaced
    | entry_facts.SpectatorApproved
    | level_facts.LevelEvent,
) -> Roster:
    """What is about no single entrant."""
    match event:
        case facts.ClosePersonsDeclared():
            return replace(roster, close=roster.close | {event.persons})
        case facts.ClosePersonsRevoked():
            return replace(roster, close=roster.close - {event.persons})
        case entry_facts.SpectatorApproved():
            return replace(roster, spectators={**roster.spectators, event.spectator: event.note})
        case level_facts.OrderNoted():
            return replace(roster, order=event)
        case level_facts.OriginNamed():
            return replace(roster, origins=(*roster.origins, event.origin))
        case level_facts.OriginDropped():
            return replace(roster, origins=tuple(one for one in roster.origins if one != event.origin))
        case facts.MeetingForbidden() | entry_facts.TournamentPlaced() | level_facts.NextLevelNamed():
            return roster


def detailed(roster: Roster, event: details.DetailEvent) -> Roster:
    now = details.evolve(roster.details_of(event.entrant), event)
    return replace(roster, details={**roster.details, event.entrant: now})


type Change = (
    facts.EntryCorrected
    | facts.EntryWithdrawn
    | facts.EntrantStruckOff
    | facts.EntrantCheckedIn
    | facts.CheckInUndone
    | facts.EntrantLeft
    | facts.EntrantReturned
    | facts.EntrantAbsent
    | facts.EntrantPresent
)


def changed(was: Entrant, event: Change) -> Entrant:
    entrant, said = was.entrant, was.said
    match event:
        case facts.EntryCorrected():
            corrected = replace(said, rating=event.rating, key=event.key, lists=event.lists)
            return replace(was, said=corrected)
        case facts.EntryWithdrawn():
            return Withdrawn(entrant=entrant, said=said)
        case facts.EntrantStruckOff():
            return StruckOff(entrant=entrant, said=said)
        case facts.EntrantCheckedIn():
            return CheckedIn(entrant=entrant, said=said)
        case facts.CheckInUndone():
            return Entered(entrant=entrant, said=said)
        case facts.EntrantLeft():
            return left(participant(was), event)
        case facts.EntrantReturned():
            return back(participant(was))
        case facts.EntrantAbsent():
            there = participant(was)
            return replace(there, absences={**there.absences, (event.stage, event.round): event.points})
        case facts.EntrantPresent():
            there = participant(was)
            return replace(there, absences=without(there.absences, (event.stage, event.round)))


def keep(roster: Roster, entrant: Entrant) -> Roster:
    entrants = {**roster.entrants, entrant.entrant: entrant}
    return replace(roster, entrants=entrants, playing_for=with_players(roster, entrant))


def with_players(roster: Roster, now: Entrant) -> Mapping[str, str]:
    was = roster.entrants.get(now.entrant)
    persons = () if isinstance(now, Withdrawn | StruckOff) else now.said.persons
    before = () if was is None or isinstance(was, Withdrawn | StruckOff) else was.said.persons
    if persons == before:
        return roster.playing_for
    others = {person: entrant for person, entrant in roster.playing_for.items() if entrant != now.entrant}
    return {**others, **dict.fromkeys(persons, now.entrant)}


def playing(roster: Roster, event: facts.EntrantAdmitted | facts.EntrantChanged) -> Participant:
    said = Said(persons=event.persons, rating=event.rating, key=event.key, lists=event.lists, rated_by=event.rated_by)
    was = roster.entrants.get(event.entrant)
    if isinstance(was, Playing | Left):
        return replace(was, said=said)
    return Playing(entrant=event.entrant, said=said, number=event.number, from_round=event.from_round)
