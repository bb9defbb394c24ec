"""Who is there while a tournament runs: late comers, rounds off, leaving and coming back."""

import pytest
from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import AlreadyEntered
from services.registration.domain.tournament.entrants import Leaving
from services.registration.domain.tournament.entries import CorrectEntry, Decision
from services.registration.domain.tournament.places_and_reserves import NoPlaceLeft
from services.registration.domain.tournament.presence import (
    AdmitLate,
    AlreadyLeft,
    BeAbsent,
    BePresent,
    ExpelByRule,
    Leave,
    LiftExpulsion,
    NoReturn,
    Return,
    Returning,
    TooManyPoints,
    UnknownStage,
)
from services.registration.domain.tournament.roster import EntrantUnknown, NotEntered
from services.registration.domain.tournament.start import StartTournament
from services.registration.domain.tournament.states import NotNow
from shared.numbers import Number
from shared.rulesets.entry import Size
from shared.tournament.stages import UnknownRound
from tests.rosters import (
    CHECK_IN,
    TOURNAMENT,
    close,
    entered,
    entry,
    refuses,
    rules,
    running,
    there,
    when,
)
from tests.schools import opened

RUNNING = running(*"ABCDEFGHI")  # nine: a Swiss of seven rounds
TWO_STAGES = rules().model_copy(
    update={"stages": (rules().stages[0], rules().stages[0].model_copy(update={"id": "final"}))}
)


def left(
    after_round: int = 3, why: str = "withdrew", clause: str | None = None, *, by_official: bool = False
) -> facts.EntrantLeft:
    return facts.EntrantLeft(
        entrant="A",
        tournament=TOURNAMENT,
        stage="swiss",
        after_round=after_round,
        why=why,
        clause=clause,
        by_official=by_official,
    )


def leave(after_round: int = 3, why: Leaving = Leaving.WITHDREW, *, stage: str | None = None) -> Leave:
    return Leave(entrant="A", after_round=after_round, why=why, stage=stage)


def absent(points: Number | None = None) -> facts.EntrantAbsent:
    return facts.EntrantAbsent(entrant="A", tournament=TOURNAMENT, stage="swiss", round=2, points=points)


def be_absent(points: Number | None = None, *, round_number: int = 2) -> BeAbsent:
    return BeAbsent(entrant="A", round=round_number, points=points)


# Late comers


def waits(entrant: str) -> facts.EntrantWaits:
    return facts.EntrantWaits(entrant=entrant, tournament=TOURNAMENT)


def admit(entrant: str = "Z", from_round: int = 2, person: str | None = None) -> AdmitLate:
    return AdmitLate(entry=entry(entrant, 1900, person=person), from_round=from_round, decision=Decision.EVEN_NUMBER)


def admitted(number: int = 10) -> facts.EntrantAdmitted:
    return facts.EntrantAdmitted(
        entrant="Z",
        tournament=TOURNAMENT,
        persons=("p-Z",),
        number=number,
        rating=1900,
        key=None,
        lists=(),
        from_round=2,
        decision="even-number",
    )


def test_who_comes_late_gets_the_next_number_however_strong() -> None:
    assert when(RUNNING, admit()) == [admitted()]


def test_who_comes_late_comes_once() -> None:
    assert when([*RUNNING, admitted()], admit("Y", person="p-Z")) == []
    refuses(AlreadyEntered, RUNNING, admit("Y", person="p-A"))


def test_who_still_waits_when_it_starts_comes_in_by_the_entry_that_they_have() -> None:
    ruleset = rules(size=Size(most=2))
    given = opened(ruleset, *map(entry, "ABC"))
    given += [CHECK_IN, there("A"), there("B")]
    given += when(given, StartTournament())
    late = AdmitLate(entry=entry("C2", person="p-C"), from_round=1, decision=Decision.OTHER)
    refuses(NoPlaceLeft, given, late)
    refuses(NotEntered, given, Leave(entrant="C", after_round=0, why=Leaving.WITHDREW), "C still waited for a place")
    reserves = opened(rules(size=Size(most=3)), *map(entry, "AB"))
    reserves += [entered("C"), waits("C"), CHECK_IN, there("A"), there("B")]
    reserves += when(reserves, StartTournament())
    (admitted,) = [one for one in when(reserves, late) if isinstance(one, facts.EntrantAdmitted)]
    assert (admitted.entrant, admitted.persons, admitted.number) == ("C", ("p-C",), 3)
    assert when([*reserves, admitted], late) == []


def test_who_has_left_is_not_admitted_anew_by_the_same_entry() -> None:
    late = AdmitLate(entry=entry("A2", person="p-A"), from_round=4, decision=Decision.OTHER)
    assert when(RUNNING, late) == []
    refuses(AlreadyEntered, [*RUNNING, left()], late, "A has withdrawn.*let them return")


def test_a_new_player_has_the_rating_of_new_players_also_when_late() -> None:
    late = AdmitLate(entry=entry("Z"), from_round=2, decision=Decision.OTHER)
    (event,) = when(RUNNING, late)
    assert isinstance(event, facts.EntrantAdmitted)
    assert event.rating == 1600


def test_who_comes_late_comes_for_a_round_that_there_is() -> None:
    for number in (0, 8):
        refuses(UnknownRound, RUNNING, admit(from_round=number), saying="name 1 to 7")


def test_a_late_comer_must_not_meet_who_is_close_to_them() -> None:
    gone = facts.EntryWithdrawn(entrant="Z", tournament=TOURNAMENT)
    before = running("A", "B")
    start = next(number for number, event in enumerate(before) if isinstance(event, facts.TournamentStarted))
    before[start:start] = [entered_before := when_entered("Z"), close("p-A", "p-Z"), gone]
    assert entered_before.entrant == "Z"
    forbidden = facts.MeetingForbidden(tournament=TOURNAMENT, entrants=("A", "Z2"), last_rounds=1)
    assert when(before, admit("Z2", from_round=1, person="p-Z"))[1:] == [forbidden]


def when_entered(entrant: str) -> facts.EntrantEntered:
    return facts.EntrantEntered(
        entrant=entrant,
        tournament=TOURNAMENT,
        persons=(f"p-{entrant}",),
        rating=None,
        key=None,
        lists=(),
        decision="other",
    )


# Leaving and coming back


def test_who_withdraws_leaves_after_a_round() -> None:
    assert when(RUNNING, leave()) == [left()]
    assert when(RUNNING, leave(0)) == [left(0)]
    assert when([*RUNNING, left()], leave()) == []


def test_one_leaves_after_a_round_that_there_is() -> None:
    for after_round in (-1, 8):
        refuses(UnknownRound, RUNNING, leave(after_round), saying="name 0 to 7")


def test_one_leaves_once() -> None:
    refuses(AlreadyLeft, [*RUNNING, left()], leave(4), saying="let them return first")
    refuses(AlreadyLeft, [*RUNNING, left(why="expelled")], leave())


def test_who_has_withdrawn_can_still_be_expelled() -> None:
    assert when([*RUNNING, left()], leave(why=Leaving.EXPELLED)) == [left(why="expelled")]


@pytest.mark.parametrize("why", [Returning.MISTAKE, Returning.APPEAL])
def test_a_mistake_or_an_appeal_brings_back(why: Returning) -> None:
    returned = facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why=why.value)
    for given in ([*RUNNING, left()], [*RUNNING, left(why="expelled")]):
        assert when(given, Return(entrant="A", why=why)) == [returned]
        assert when([*given, returned], Return(entrant="A", why=why)) == []
        assert when([*given, returned], leave()) == [left()]


def test_who_had_withdrawn_before_being_expelled_stays_away_when_that_is_taken_back() -> None:
    appeal = Return(entrant="A", why=Returning.APPEAL)
    by_defaults, disqualified = left(3, "expelled", "SK.RES-6"), left(3, "expelled", "SK.RES-13", by_official=True)
    for expelled in ([left(5, "expelled")], [disqualified], [by_defaults, disqualified]):
        given = [*RUNNING, left(3), *expelled]
        assert when(given, appeal) == [left(3)]
        assert when([*given, *OVER], appeal) == [left(3)]
    back = [*RUNNING, left(3), facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why="mistake")]
    assert when([*back, left(5, "expelled")], appeal) == [
        facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why="appeal")
    ]


@pytest.mark.rule("SK.REG-3")
def test_where_an_entry_obliges_to_play_every_round_nobody_just_returns() -> None:
    refuses(NoReturn, [*RUNNING, left()], Return(entrant="A", why=Returning.RETURN))


def test_where_the_rules_allow_it_one_returns_unless_expelled() -> None:
    free = running(*"ABC", ruleset=rules(plays_all_rounds=False))
    assert when([*free, left(1)], Return(entrant="A", why=Returning.RETURN)) != []
    refuses(NoReturn, [*free, left(1, "expelled")], Return(entrant="A", why=Returning.RETURN))


# Rounds off


def test_one_round_is_missed_or_taken_off_for_points() -> None:
    assert when(RUNNING, be_absent()) == [absent()]
    assert when(RUNNING, be_absent("2/4")) == [absent("1/2")]
    assert when([*RUNNING, absent()], be_absent()) == []
    assert when([*RUNNING, absent()], be_absent(1)) == [absent(1)]


def test_a_round_off_is_worth_no_more_than_a_win() -> None:
    for points in (2, "-1/2"):
        refuses(TooManyPoints, RUNNING, be_absent(points), saying="between 0 and 1")


def test_one_is_absent_from_a_round_that_there_is() -> None:
    for number in (0, 8):
        refuses(UnknownRound, RUNNING, be_absent(round_number=number))


def test_who_has_left_needs_no_round_off() -> None:
    refuses(AlreadyLeft, [*RUNNING, left(1)], be_absent())


def test_one_is_there_after_all() -> None:
    present = facts.EntrantPresent(entrant="A", tournament=TOURNAMENT, stage="swiss", round=2)
    be_present = BePresent(entrant="A", round=2)
    assert when(RUNNING, be_present) == []
    assert when([*RUNNING, absent()], be_present) == [present]
    assert when([*RUNNING, absent(), present], be_present) == []


def test_where_there_are_several_stages_one_is_named() -> None:
    given = running(*"ABC", ruleset=TWO_STAGES)
    refuses(UnknownStage, given, leave(1), saying="swiss, final")
    refuses(UnknownStage, given, leave(1, stage="semifinal"))
    assert when(given, leave(1, stage="swiss")) == [left(1)]


def test_who_did_not_start_has_no_rounds() -> None:
    gone = facts.EntryWithdrawn(entrant="Z", tournament=TOURNAMENT)
    given = [*RUNNING[:2], when_entered("Z"), gone, *RUNNING[2:]]
    refuses(NotEntered, given, Leave(entrant="Z", after_round=1, why=Leaving.WITHDREW))
    refuses(EntrantUnknown, given, BeAbsent(entrant="nobody", round=1))


def test_what_is_known_of_an_entrant_is_corrected_and_the_number_stays() -> None:
    correct = CorrectEntry(entrant="B", rating=None, key=7, lists=())
    changed = facts.EntrantChanged(
        entrant="B",
        tournament=TOURNAMENT,
        persons=("p-B",),
        number=2,
        rating=1600,
        key=7,
        lists=(),
        from_round=1,
        rated_by="rules",
    )
    assert when(RUNNING, correct) == [changed]
    assert when([*RUNNING, changed], correct) == []
    away = facts.EntrantLeft(
        entrant="B", tournament=TOURNAMENT, stage="swiss", after_round=1, why="withdrew", clause=None
    )
    assert when([*RUNNING, away, changed], Leave(entrant="B", after_round=1, why=Leaving.WITHDREW)) == []


# What results demand

DUE = ExpelByRule(entrant="A", stage="swiss", after_round=5, clause="SK.RES-6")
LIFTED = LiftExpulsion(entrant="A")
OVER: list[facts.Event] = [facts.ReviewBegun(tournament=TOURNAMENT), facts.TournamentCompleted(tournament=TOURNAMENT)]


def test_results_expel_and_corrected_results_bring_back() -> None:
    expelled = left(5, "expelled", "SK.RES-6")
    returned = facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why="corrected")
    assert when(RUNNING, DUE) == [expelled]
    assert when([*RUNNING, expelled], DUE) == []
    assert when([*RUNNING, expelled], LIFTED) == [returned]
    assert when([*RUNNING, expelled, returned], LIFTED) == []


def test_who_had_withdrawn_is_expelled_from_when_they_left_and_stays_away_when_that_is_lifted() -> None:
    expelled = left(3, "expelled", "SK.RES-6")
    assert when([*RUNNING, left(3)], DUE) == [expelled]
    assert when([*RUNNING, left(3), expelled], LIFTED) == [left(3)]


def test_what_an_official_has_decided_is_not_lifted_by_results() -> None:
    assert when([*RUNNING, left(why="expelled")], LIFTED) == []
    assert when([*RUNNING, left(why="expelled")], DUE) == []
    assert when([*RUNNING, left()], LIFTED) == []


def test_who_is_disqualified_stays_away_whatever_becomes_of_their_defaults() -> None:
    disqualify = replace(DUE, by_official=True, clause="SK.RES-13")
    by_defaults = left(3, "expelled", "SK.RES-6")
    disqualified = left(3, "expelled", "SK.RES-13", by_official=True)
    assert when([*RUNNING, by_defaults], disqualify) == [disqualified]
    assert when([*RUNNING, by_defaults, disqualified], disqualify) == []
    assert when([*RUNNING, by_defaults, disqualified], LIFTED) == []
    assert when([*RUNNING, disqualified], DUE) == []
    assert when([*RUNNING, disqualified], LIFTED) == []


def test_of_a_tournament_that_is_over_corrected_defaults_change_nothing_here() -> None:
    assert when([*RUNNING, *OVER], DUE) == []
    assert when([*RUNNING, left(5, "expelled", "SK.RES-6"), *OVER], LIFTED) == []
    cancelled = [*RUNNING, facts.TournamentCancelled(tournament=TOURNAMENT)]
    assert when(cancelled, replace(DUE, by_official=True)) == []


@pytest.mark.rule("PQ.RES-15")
def test_somebody_is_disqualified_without_a_limit_of_time_and_only_that_is_taken_back_afterwards() -> None:
    over, expelled = [*RUNNING, *OVER], left(5, "expelled", "PQ.RES-15", by_official=True)
    assert when(over, replace(DUE, by_official=True, clause="PQ.RES-15")) == [expelled]
    assert when([*over, expelled], replace(DUE, by_official=True)) == []
    (by_hand,) = when(over, Leave(entrant="A", after_round=5, why=Leaving.EXPELLED))
    assert isinstance(by_hand, facts.EntrantLeft)
    returned = facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why="appeal")
    assert when([*over, by_hand], Return(entrant="A", why=Returning.APPEAL)) == [returned]
    for given, order in (
        (over, Leave(entrant="A", after_round=5, why=Leaving.WITHDREW)),
        ([*over, by_hand], Return(entrant="A", why=Returning.RETURN)),
        (over, Return(entrant="A", why=Returning.MISTAKE)),
        (over, BeAbsent(entrant="A", round=1)),
    ):
        with pytest.raises(NotNow):
            when(given, order)
