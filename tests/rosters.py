"""A tournament of the Slovak association for tests, as registration has it: events to begin with."""

from collections.abc import Sequence

import pytest

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT as TOURNAMENT_DECIDER
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.entrants import EntrySaid, ProposedEntry
from services.registration.domain.tournament.lifecycle import AnnounceTournament
from services.registration.domain.tournament.start import StartTournament
from services.registration.domain.tournament.states import State, stored
from shared.refusals import Refusal
from shared.rulesets import catalogue
from shared.rulesets.schema import Ruleset

TOURNAMENT = "cup"
FEDERATION = "sss"
IN_TIME, CLOSES, TOO_LATE = "2026-11-19T22:59:59Z", "2026-11-19T23:00:00Z", "2026-11-19T23:00:00Z"

OPENED = facts.RegistrationOpened(tournament=TOURNAMENT)
CHECK_IN = facts.CheckInOpened(tournament=TOURNAMENT)


def rules(**entry: object) -> Ruleset:
    """Those of a qualifying tournament, or what else about entries a test is about."""
    ruleset = catalogue.load("scrabble-sk-2022-qt")
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update=entry)}) if entry else ruleset


def announce(ruleset: Ruleset | None = None) -> AnnounceTournament:
    return AnnounceTournament(
        tournament=TOURNAMENT,
        federation=FEDERATION,
        name="Košice Cup",
        ruleset=ruleset or rules(),
        time_zone="Europe/Bratislava",
        starts_on="2026-11-21",
        first_round="09:00",
        entries_close=CLOSES,
    )


def announced(ruleset: Ruleset | None = None) -> facts.TournamentAnnounced:
    order = announce(ruleset)
    return facts.TournamentAnnounced(
        tournament=TOURNAMENT,
        federation=FEDERATION,
        name=order.name,
        ruleset_id=order.ruleset.id,
        ruleset=stored(order.ruleset),
        time_zone=order.time_zone,
        starts_on=order.starts_on,
        first_round=order.first_round,
        entries_close=order.entries_close,
    )


def entry(entrant: str, rating: int | None = None, key: int | None = None, person: str | None = None) -> ProposedEntry:
    """The entrant E of the person p-E, unless it is somebody else."""
    return ProposedEntry(entrant=entrant, said=EntrySaid(persons=(person or f"p-{entrant}",), rating=rating, key=key))


def entered(
    entrant: str,
    rating: int | None = None,
    key: int | None = None,
    decision: str | None = None,
    person: str | None = None,
) -> facts.EntrantEntered:
    return facts.EntrantEntered(
        entrant=entrant,
        tournament=TOURNAMENT,
        persons=(person or f"p-{entrant}",),
        rating=rating,
        key=key,
        lists=(),
        decision=decision,
    )


def there(entrant: str) -> facts.EntrantCheckedIn:
    return facts.EntrantCheckedIn(entrant=entrant, tournament=TOURNAMENT)


def close(one: str, other: str) -> facts.ClosePersonsDeclared:
    return facts.ClosePersonsDeclared(tournament=TOURNAMENT, persons=(one, other))


def checking_in(*entrants: str, ruleset: Ruleset | None = None) -> list[facts.Event]:
    """Check-in is open, and these are there."""
    return [
        announced(ruleset),
        OPENED,
        *(entered(entrant) for entrant in entrants),
        CHECK_IN,
        *(there(entrant) for entrant in entrants),
    ]


def running(*entrants: str, ruleset: Ruleset | None = None) -> list[facts.Event]:
    before = checking_in(*entrants, ruleset=ruleset)
    return [*before, *when(before, StartTournament())]


def state(given: Sequence[facts.Event]) -> State:
    return TOURNAMENT_DECIDER.fold(given, TOURNAMENT_DECIDER.initial)


def when(given: Sequence[facts.Event], command: Command) -> list[facts.Event]:
    return list(TOURNAMENT_DECIDER.decide(state(given), command))


def refuses(refusal: type[Refusal], given: Sequence[facts.Event], command: Command, saying: str = ".") -> None:
    with pytest.raises(refusal, match=saying):
        when(given, command)
