"""What a tournament asks of those who act for themselves, besides what it asks of officials."""

import pytest
from msgspec.structs import replace

from services.registration.accounts import Own
from services.registration.domain.tournament.decider import TOURNAMENT, Command
from services.registration.domain.tournament.entrants import Also, EntrySaid, ProposedEntry
from services.registration.domain.tournament.entries import DetailEntry, Enter, WithdrawEntry
from services.registration.domain.tournament.facts import Asked, OriginNamed
from services.registration.domain.tournament.own_entries import BoundByAnswer, ByQualification, StartedAlready
from services.registration.domain.tournament.payments import RequestWaiver
from services.registration.domain.tournament.places_and_reserves import ConfirmPlace, NothingToConfirm
from services.registration.domain.tournament.states import (
    AnnouncedTournament,
    Plan,
    Registering,
    Running,
    confirmation_of,
    known,
)
from shared.rulesets import catalogue

ADA = Asked(subject="s1", capacity="player")
ENTRY = ProposedEntry(entrant="e1", said=EntrySaid(persons=("ada",)))


def tournament(rules: str, *, until: str | None = None) -> Registering:
    plan = Plan(
        tournament="t",
        federation="f",
        name="Cup",
        ruleset=catalogue.load(rules),
        time_zone="Europe/Prague",
        starts_on="2099-11-21",
        first_round="09:00",
        entries_close=until,
        is_open=True,
    )
    return Registering(plan=plan)


def after(state: AnnouncedTournament, *orders: Command) -> AnnouncedTournament:
    for order in orders:
        state = known(TOURNAMENT.fold(TOURNAMENT.decide(state, order), state))
    return state


def entering(asked: Asked | None) -> Enter:
    return Enter(entries=(ENTRY,), at="2026-01-01T00:00:00Z", asked=asked)


@pytest.mark.rule("PQ.REG-23", "SK.REG-19")
def test_who_has_entered_somebody_stands_in_the_entry() -> None:
    state = after(tournament("scrabble-sk-2022-qt"), entering(ADA))
    assert state.roster.details_of("e1").entered_by == ADA
    assert after(tournament("scrabble-sk-2022-qt"), entering(None)).roster.details_of("e1").entered_by is None


@pytest.mark.rule("PQ.REG-23", "PQ.REG-12")
def test_who_asked_for_a_waiver_stands_beside_it() -> None:
    rules = tournament("scrabble-sk-2022-ms")
    state = after(rules, entering(None))
    ground = next(ground for fee in rules.plan.ruleset.entry.fees for ground in fee.waived_for)
    asked = after(state, RequestWaiver(entrant="e1", ground=ground, asked=ADA))
    assert asked.roster.details_of("e1").waiver_asked == {ground: ADA}
    assert after(state, RequestWaiver(entrant="e1", ground=ground)).roster.details_of("e1").waiver_asked == {}
    assert TOURNAMENT.decide(asked, RequestWaiver(entrant="e1", ground=ground, asked=ADA)) == []


@pytest.mark.parametrize(
    "rules", ["scrabble-sk-2022-ms", "carcassonne-cz-final", "pisqworky-2025-ss-kt", "pisqworky-2025-zs-grf"]
)
def test_nobody_enters_themselves_where_places_are_earned(rules: str) -> None:
    assert catalogue.load(rules).entry.open_to == "qualified"


@pytest.mark.rule("PQ.REG-23", "SK.REG-19", "PQ.D70")
def test_who_has_earned_no_place_is_entered_by_officials_only() -> None:
    state = tournament("scrabble-sk-2022-ms")
    with pytest.raises(ByQualification, match=r"SK\.REG-10"):
        TOURNAMENT.decide(state, entering(ADA))
    assert TOURNAMENT.decide(state, entering(None))
    level = TOURNAMENT.evolve(tournament("scrabble-sk-2022-qt"), OriginNamed(tournament="t", origin="before"))
    with pytest.raises(ByQualification):
        TOURNAMENT.decide(level, entering(ADA))


@pytest.mark.rule("PQ.REG-23", "PQ.REG-17")
def test_from_the_start_on_entries_are_a_matter_of_officials() -> None:
    state = after(tournament("scrabble-sk-2022-qt"), entering(ADA))
    running = Running(plan=state.plan, roster=state.roster)
    orders: list[Command] = [
        entering(ADA),
        WithdrawEntry(entrant="e1", asked=ADA),
        DetailEntry(entrant="e1", also=Also(declared=("member",)), asked=ADA),
        RequestWaiver(entrant="e1", ground="host-school", asked=ADA),
    ]
    for order in orders:
        with pytest.raises(StartedAlready, match="ask an official"):
            TOURNAMENT.decide(running, order)


@pytest.mark.rule("SK.REG-11", "SK.REG-19", "CC.REG-4")
def test_an_answer_binds_whoever_gave_it() -> None:
    for rules, until in (("scrabble-sk-2022-ms", None), ("carcassonne-cz-final", "2099-11-01T00:00:00Z")):
        state = after(tournament(rules, until=until), entering(None), ConfirmPlace(entrant="e1", asked=ADA))
        assert state.roster.details_of("e1").is_confirmed
        with pytest.raises(BoundByAnswer):
            TOURNAMENT.decide(state, WithdrawEntry(entrant="e1", asked=ADA))
        assert TOURNAMENT.decide(state, WithdrawEntry(entrant="e1")), "an official who has heard why"
    unanswered = after(tournament("scrabble-sk-2022-ms"), entering(None))
    assert TOURNAMENT.decide(unanswered, WithdrawEntry(entrant="e1", asked=ADA)), "declined"


@pytest.mark.rule("CC.REG-4")
def test_nobody_answers_where_no_day_is_announced() -> None:
    state = after(tournament("carcassonne-cz-final"), entering(None))
    assert confirmation_of(state.plan) is None
    with pytest.raises(NothingToConfirm):
        TOURNAMENT.decide(state, ConfirmPlace(entrant="e1", asked=ADA))


def test_who_speaks_for_an_entry_follows_from_the_entry() -> None:
    alone = after(tournament("scrabble-sk-2022-qt"), entering(None))
    player, stranger = Own(subject="s1", ids=frozenset({"ada"})), Own(subject="s2", ids=frozenset({"ben"}))
    assert player.speaks_as(alone, "e1") == "player"
    assert player.asked(alone, "e1") == ADA
    assert (stranger.speaks_as(alone, "e1"), stranger.asked(alone, "e1"), player.speaks_as(alone, "e2")) == (None,) * 3
    hidden = replace(alone, plan=replace(alone.plan, is_open=False))
    assert player.speaks_as(hidden, "e1") is None
    team = tournament("pisqworky-2025-zs-ot")
    also = Also(school="school", club="club", captain="ada")
    said = ProposedEntry(entrant="e1", said=EntrySaid(persons=("ada", "ben", "cyril")), also=also)
    state = after(team, Enter(entries=(said,), at="2026-01-01T00:00:00Z"))
    assert player.speaks_as(state, "e1") == "captain"
    assert stranger.speaks_as(state, "e1") is None, "a member who is not the captain"
    assert Own(subject="s3", homes=frozenset({"school"})).speaks_as(state, "e1") == "school"
    assert Own(subject="s3", homes=frozenset({"club"})).speaks_as(state, "e1") == "club"
    assert Own(subject="captain:e1:1:1", entrant="e1").speaks_as(state, "e1") == "captain"
    assert Own(subject="captain:e1:1:1", entrant="e1").speaks_as(alone, "e1") == "player"
    assert Own(subject="captain:e2:1:1", entrant="e2").speaks_as(state, "e1") is None
