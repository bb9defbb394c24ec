"""Who takes part in a tournament: entered, there, playing or gone, and who is close to whom."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.registration.domain.tournament import entrants, facts
from services.registration.domain.tournament.entrants import (
    NO_DETAILS,
    CheckedIn,
    Coming,
    Entered,
    EntrantState,
    EntryDetails,
    EntrySaid,
    LeftEntrant,
    LineUp,
    Participant,
    PlayingEntrant,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
    evolve_entrant,
)
from services.registration.domain.tournament.reasons import cite
from shared.refusals import Conflict, NotFound
from shared.rulesets.entry import Entry
from shared.values import Value

type PairOfPersons = tuple[str, str]  # of persons, in the order of their ids


class Roster(Value):
    entrants: Mapping[str, EntrantState] = msgspec.field(
        default_factory=dict[str, EntrantState]
    )  # in the order of their entry
    close: frozenset[PairOfPersons] = frozenset()
    details: Mapping[str, EntryDetails] = msgspec.field(default_factory=dict[str, EntryDetails])
    spectators: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # approved; a note says who it is
    playing_for: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # persons, and the entrant of each
    origins: tuple[str, ...] = ()  # tournaments whose best come to this one
    order: facts.OrderNoted | None = None  # once that of this one is decided

    @property
    def coming(self) -> list[Coming]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, Entered | CheckedIn)]

    @property
    def expected(self) -> list[str]:
        """Whoever has entered and has not checked in."""
        return [entrant.entrant for entrant in self.entrants.values() if isinstance(entrant, Entered)]

    @property
    def participants(self) -> list[Participant]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, PlayingEntrant | LeftEntrant)]

    @property
    def taking_part(self) -> list[Coming | Participant]:
        return [*self.coming, *self.participants]

    @property
    def waiting(self) -> list[WaitingEntrant]:
        return [entrant for entrant in self.entrants.values() if isinstance(entrant, WaitingEntrant)]

    def numbered(self, number: int) -> str | None:
        return next((one.entrant for one in self.participants if one.number == number), None)

    def details_of(self, entrant: str) -> EntryDetails:
        return self.details.get(entrant, NO_DETAILS)

    def entrant_of(self, person: str) -> Coming | WaitingEntrant | Participant | None:
        """Find for whom they play, or wait to play."""
        found = self.entrants.get(self.playing_for.get(person, ""))
        return None if isinstance(found, Withdrawn | StruckOff) else found

    def in_line_up(self, person: str) -> bool:
        """Tell whether they play for somebody who has not gone again, be it as a substitute."""
        there = (*self.taking_part, *self.waiting)
        return any(
            person in (*entrant.said.persons, *self.details_of(entrant.entrant).also.substitutes) for entrant in there
        )


# Refusals


class EntrantUnknown(NotFound):
    """Nobody has entered under this id."""


class NotEntered(Conflict):
    """Only who has entered, and has not gone again, can do it."""


# What an event makes of it


def evolve_roster(roster: Roster, event: facts.RosterEvent) -> Roster:
    match event:
        case facts.EntrantEntered():
            said = EntrySaid(persons=event.persons, rating=event.rating, key=event.key, lists=event.lists)
            entered = keep(roster, Entered(entrant=event.entrant, said=said))
            if event.asked is None:
                return entered
            details = replace(NO_DETAILS, entered_by=event.asked)
            return replace(entered, details={**entered.details, event.entrant: details})
        case facts.EntrantAdmitted() | facts.EntrantChanged():
            return keep(roster, playing(roster, event))
        case (
            facts.ClosePersonsDeclared()
            | facts.ClosePersonsRevoked()
            | facts.MeetingForbidden()
            | facts.SpectatorApproved()
            | facts.OrderNoted()
            | facts.OriginNamed()
            | facts.OriginDropped()
        ):
            return evolve_field(roster, event)
        case facts.EntrantWaits():
            was = roster.entrants[event.entrant]
            return keep(roster, WaitingEntrant(entrant=was.entrant, said=was.said))
        case facts.ReserveCalled():
            was = roster.entrants[event.entrant]
            return with_details(keep(roster, Entered(entrant=was.entrant, said=was.said)), event)
        case facts.LineUpChanged():
            was = roster.entrants[event.entrant]
            with_persons = replace(was, said=replace(was.said, persons=event.persons))
            known = roster.details_of(event.entrant)
            entered = LineUp(persons=was.said.persons, substitutes=known.also.substitutes, captain=known.also.captain)
            details = {**roster.details, event.entrant: replace(known, registered=known.registered or entered)}
            return with_details(keep(replace(roster, details=details), with_persons), event)
        case facts.CheckInUndone():
            there = replace(roster.details_of(event.entrant), present=None, late=None)
            away = keep(roster, evolve_entrant(roster.entrants[event.entrant], event))
            return replace(away, details={**roster.details, event.entrant: there})
        case (
            facts.EntryCorrected()
            | facts.EntryWithdrawn()
            | facts.EntrantStruckOff()
            | facts.EntrantCheckedIn()
            | facts.EntrantLeft()
            | facts.EntrantReturned()
            | facts.EntrantAbsent()
            | facts.EntrantPresent()
        ):
            return keep(roster, evolve_entrant(roster.entrants[event.entrant], event))
        case _:
            return with_details(roster, event)


def evolve_field(roster: Roster, event: facts.FieldEvent) -> Roster:
    """These events are about no single entrant."""
    match event:
        case facts.ClosePersonsDeclared():
            return replace(roster, close=roster.close | {event.persons})
        case facts.ClosePersonsRevoked():
            return replace(roster, close=roster.close - {event.persons})
        case facts.SpectatorApproved():
            return replace(roster, spectators={**roster.spectators, event.spectator: event.note})
        case facts.OrderNoted():
            return replace(roster, order=event)
        case facts.OriginNamed():
            return replace(roster, origins=(*roster.origins, event.origin))
        case facts.OriginDropped():
            return replace(roster, origins=tuple(one for one in roster.origins if one != event.origin))
        case facts.MeetingForbidden():
            return roster


def with_details(roster: Roster, event: facts.DetailEvent) -> Roster:
    now = entrants.evolve_details(roster.details_of(event.entrant), event)
    return replace(roster, details={**roster.details, event.entrant: now})


def keep(roster: Roster, entrant: EntrantState) -> Roster:
    entrants = {**roster.entrants, entrant.entrant: entrant}
    return replace(roster, entrants=entrants, playing_for=with_players(roster, entrant))


def with_players(roster: Roster, now: EntrantState) -> Mapping[str, str]:
    was = roster.entrants.get(now.entrant)
    persons = () if isinstance(now, Withdrawn | StruckOff) else now.said.persons
    before = () if was is None or isinstance(was, Withdrawn | StruckOff) else was.said.persons
    if persons == before:
        return roster.playing_for
    others = {person: entrant for person, entrant in roster.playing_for.items() if entrant != now.entrant}
    return {**others, **dict.fromkeys(persons, now.entrant)}


def playing(roster: Roster, event: facts.EntrantAdmitted | facts.EntrantChanged) -> Participant:
    said = EntrySaid(
        persons=event.persons, rating=event.rating, key=event.key, lists=event.lists, rated_by=event.rated_by
    )
    was = roster.entrants.get(event.entrant)
    if isinstance(was, PlayingEntrant | LeftEntrant):
        return replace(was, said=said)
    return PlayingEntrant(entrant=event.entrant, said=said, number=event.number, from_round=event.from_round)


# Who is looked for


def entrant_of_id(roster: Roster, entrant: str, rule_id: str | None = None) -> EntrantState:
    """A refusal cites the rule by which they have to be there."""
    found = roster.entrants.get(entrant)
    if found is None:
        raise EntrantUnknown(f"Nobody has entered under this id{cite(rule_id)}: look into the list of entrants.")
    return found


def require_coming(entrant: EntrantState, rule_id: str | None = None) -> Coming:
    if isinstance(entrant, Entered | CheckedIn):
        return entrant
    raise not_entered(entrant, rule_id)


def require_entered(roster: Roster, entrant: str, rules: Entry) -> Coming:
    """Who is checked in has entered before."""
    rule_id = rules.rule_ids.get("presence")
    return require_coming(entrant_of_id(roster, entrant, rule_id), rule_id)


def require_there(entrant: EntrantState) -> None:
    if isinstance(entrant, Withdrawn | StruckOff):
        raise not_entered(entrant)


def not_entered(entrant: EntrantState, rule_id: str | None = None) -> NotEntered:
    if isinstance(entrant, WaitingEntrant):
        return NotEntered(f"{entrant.entrant} waits for a place{cite(rule_id)}: call them once one is free.")
    how = "was struck off" if isinstance(entrant, StruckOff) else "has withdrawn"
    return NotEntered(f"{entrant.entrant} {how}{cite(rule_id)}: enter them again first.")


def require_expected(entrant: EntrantState) -> Coming | WaitingEntrant:
    return entrant if isinstance(entrant, WaitingEntrant) else require_coming(entrant)
