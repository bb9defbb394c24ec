"""From one tournament to the next: who gets a place, who waits as a reserve, and who is called for whom."""

from typing import Any

import pytest

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also, EntrySaid, ProposedEntry
from services.registration.domain.tournament.entries import WithdrawEntry
from services.registration.domain.tournament.levels import (
    Comer,
    ExpectFrom,
    ExpectNoMoreFrom,
    NameNextLevel,
    NobodyByRight,
    NoNextLevel,
    NoteOrder,
    TakeIn,
)
from services.registration.domain.tournament.lifecycle import AnnounceAdvance, NobodyAdvances
from services.registration.domain.tournament.places_and_reserves import (
    CallReserve,
    ConfirmPlace,
    NobodyWaits,
    NoPlaceLeft,
    OutOfOrder,
    ReleaseUnconfirmed,
    TooEarly,
)
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.start import StartTournament
from services.registration.domain.tournament.states import NotNow
from shared.rulesets import catalogue
from shared.rulesets.entry import Deadline, Seeding, Size
from tests.rosters import CHECK_IN, OPENED, TOURNAMENT, announced, entry, rules, there, when
from tests.schools import enter, opened

NORTH, SOUTH = "north", "south"
BY_PLACE = rules(seeding=Seeding(by="tiers"))


def comers(origin: str, names: str, **more: Any) -> tuple[Comer, ...]:
    """`a b cd`: c and d share the third place."""
    found: list[Comer] = []
    for equal in names.split():
        place = len(found) + 1
        found += [
            Comer(
                former=one, place=place, entry=entry(f"{origin}-{one}", key=place, person=f"p-{origin}-{one}"), **more
            )
            for one in equal
        ]
    return tuple(found)


def coming(names: str, by_right: int | None, origin: str = NORTH, *, by_hand: bool = False) -> TakeIn:
    return TakeIn(origin=origin, comers=comers(origin, names), by_right=by_right, by_hand=by_hand)


def with_a_place(given: list[facts.Event]) -> list[str]:
    """In the order in which they came in."""
    found: dict[str, None] = {}
    for event in given:
        match event:
            case facts.EntrantEntered() | facts.ReserveCalled():
                found[event.entrant] = None
            case facts.EntrantWaits() | facts.EntryWithdrawn() | facts.EntrantStruckOff():
                found.pop(event.entrant, None)
            case _:
                pass
    return list(found)


def after(given: list[facts.Event], *commands: Any) -> list[facts.Event]:
    for command in commands:
        given = [*given, *when(given, command)]
    return given


@pytest.mark.rule("PQ.STA-5")
def test_those_by_right_get_a_place_and_the_others_wait_as_reserves() -> None:
    given = after(opened(rules()), coming("a b c", 2))
    assert with_a_place(given) == ["north-a", "north-b"]
    claims = {one.former: (one.place, one.claim) for one in given if isinstance(one, facts.EntrantQualified)}
    assert claims == {"a": (1, "by-right"), "b": (2, "by-right"), "c": (3, "reserve")}
    assert when(given, coming("a b c", 2)) == []


@pytest.mark.rule("PQ.STA-5")
def test_a_reserve_is_called_for_who_goes_of_the_same_tournament() -> None:
    given = after(opened(rules()), coming("a b c d", 2), coming("a b", 1, SOUTH))
    given = after(given, WithdrawEntry(entrant="south-a"))
    assert with_a_place(given) == ["north-a", "north-b", "south-b"]
    given = after(given, WithdrawEntry(entrant="north-c"), WithdrawEntry(entrant="north-b"))
    assert with_a_place(given) == ["north-a", "south-b", "north-d"]
    given = after(given, WithdrawEntry(entrant="south-b"))
    assert with_a_place(given) == ["north-a", "north-d"]  # the south has nobody left
    assert when(given, coming("a b c d", 2)) == []  # who has withdrawn does not come back by themselves


def test_reserves_of_a_tournament_leave_free_places_to_others() -> None:
    given = after(opened(rules(size=Size(most=4))), coming("a b c", 2))
    given = after(given, enter(entry("wild"), entry("late"), entry("last")))
    assert with_a_place(given) == ["north-a", "north-b", "wild", "late"]
    given = after(given, WithdrawEntry(entrant="wild"))
    assert with_a_place(given) == ["north-a", "north-b", "late", "last"]
    given = after(given, WithdrawEntry(entrant="last"))
    with pytest.raises(NobodyWaits, match="north-a does not wait"):
        when(given, CallReserve(entrant="north-a"))
    given = after(given, CallReserve(entrant="north-c"))
    assert with_a_place(given)[-1] == "north-c"


@pytest.mark.rule("SK.REG-11")
def test_a_reserve_is_passed_over_for_a_reason_only_and_keeps_the_place_in_the_line() -> None:
    ruleset = catalogue.load("scrabble-sk-2022-ms")
    given = after(opened(ruleset), coming("a b c d e", 2))
    with pytest.raises(OutOfOrder, match=r"north-e would be called before north-c, north-d \(SK.REG-11\)"):
        when(given, CallReserve(entrant="north-e"))
    why = NotedReason(code="not-reached", note="n-1")
    passed = [
        facts.ReservePassedOver(
            entrant=one,
            tournament=TOURNAMENT,
            called="north-e",
            reason="not-reached",
            note="n-1",
            cited="SK.REG-11",
        )
        for one in ("north-c", "north-d")
    ]
    happened = when(given, CallReserve(entrant="north-e", reason=why))
    assert happened == [*passed, facts.ReserveCalled(entrant="north-e", tournament=TOURNAMENT)]
    given += happened
    assert when(given, CallReserve()) == [facts.ReserveCalled(entrant="north-c", tournament=TOURNAMENT)]
    assert with_a_place(after(given, WithdrawEntry(entrant="north-a")))[-1] == "north-c"


@pytest.mark.rule("SK.REG-11")
def test_a_corrected_order_is_the_order_in_which_reserves_are_called() -> None:
    """And in a line of those who entered by themselves it is that of their entry."""
    given = after(opened(catalogue.load("scrabble-sk-2022-ms")), coming("a b c d", 2), coming("a b d c", 2))
    assert when(given, CallReserve()) == [facts.ReserveCalled(entrant="north-d", tournament=TOURNAMENT)]
    with pytest.raises(OutOfOrder):
        when(given, CallReserve(entrant="north-c"))
    waiting = after(opened(rules(size=Size(most=1))), enter(entry("in"), entry("first"), entry("second")))
    roomy = [*waiting, facts.EntryWithdrawn(entrant="in", tournament=TOURNAMENT)]
    with pytest.raises(OutOfOrder, match="before first: call the next"):
        when(roomy, CallReserve(entrant="second"))
    by_reason = CallReserve(entrant="second", reason=NotedReason(code="travels-with"))
    assert [type(event).__name__ for event in when(roomy, by_reason)] == ["ReservePassedOver", "ReserveCalled"]


@pytest.mark.rule("CC.REG-2")
def test_where_no_number_is_said_the_best_fill_the_places_that_are_left() -> None:
    direct = tuple(entry(f"x{n}") for n in range(5))
    names = " ".join(chr(ord("A") + n) for n in range(30))
    given = after(opened(rules(size=Size(most=32)), *direct), coming(names, None))
    assert len(with_a_place(given)) == 32
    assert with_a_place(given)[-1] == f"north-{names.split()[26]}"  # 27 of the qualification
    given = after(given, WithdrawEntry(entrant="x0"))
    assert with_a_place(given)[-1] == f"north-{names.split()[27]}"  # the 28th is the first reserve


@pytest.mark.rule("SK.STA-5")
@pytest.mark.rule("CC.REG-2", "SK.REG-10")
def test_who_is_in_already_by_another_way_takes_no_second_place_from_the_others() -> None:
    """A direct qualifier who plays the qualification too, a reigning champion among the best."""
    direct = Comer(former="x", place=1, entry=entry("south-x", person="p-north-b"))
    given = after(opened(rules(size=Size(most=3))), TakeIn(origin=SOUTH, comers=(direct,), by_right=1))
    given = after(given, coming("a b c d", None))
    assert with_a_place(given) == ["south-x", "north-a", "north-c"]


def test_all_who_are_equal_at_the_cut_come_in_beyond_the_places_where_the_rules_say_so() -> None:
    """And the one whom the council adds to make the field even; by hand nobody does."""
    ruleset = catalogue.load("scrabble-sk-2022-ms")
    names = " ".join(chr(ord("A") + n) for n in range(26)) + " a b c d e f g h i j"
    given = after(opened(ruleset), coming(names, 34))
    assert len(with_a_place(given)) == 34
    with pytest.raises(NoPlaceLeft):
        when(given, CallReserve())
    given = after(given, WithdrawEntry(entrant="north-A"), WithdrawEntry(entrant="north-B"))
    assert len(with_a_place(given)) == 32
    by_hand = after(opened(ruleset, entry("wild")), coming(names, 32))
    assert len(with_a_place(by_hand)) == 32
    given = after(given, WithdrawEntry(entrant="north-C"))
    assert with_a_place(given)[-1] == "north-i"  # the first reserve


def test_who_shares_the_place_at_the_edge_waits_for_a_decision() -> None:
    given = after(opened(rules(size=Size(most=3))), coming("a b cde f", None))
    assert with_a_place(given) == ["north-a", "north-b"]
    given = after(given, CallReserve(entrant="north-d"))
    assert with_a_place(given) == ["north-a", "north-b", "north-d"]


def test_without_a_number_and_without_a_limit_an_official_says_how_many() -> None:
    given = opened(rules())
    assert when(given, coming("a b", None)) == []
    with pytest.raises(NobodyByRight, match="say how many"):
        when(given, coming("a b", None, by_hand=True))


def test_who_comes_too_late_waits_for_an_official_and_nothing_is_lost() -> None:
    draft: list[facts.Event] = [announced(rules())]
    assert with_a_place([*after(draft, coming("a b", 1)), OPENED]) == ["north-a"]
    desk = [*opened(rules()), CHECK_IN]
    assert when(desk, coming("a b", 1)) == []
    assert with_a_place(after(desk, coming("a b", 1, by_hand=True))) == ["north-a"]
    over = [*desk, facts.TournamentCancelled(tournament=TOURNAMENT)]
    assert when(over, coming("a b", 1)) == []
    with pytest.raises(NotNow, match="cancelled"):
        when(over, coming("a b", 1, by_hand=True))


@pytest.mark.rule("PQ.D52")
def test_after_a_correction_whoever_is_in_stays_and_gets_the_place_of_now() -> None:
    given = after(opened(BY_PLACE), coming("a b c", 2))
    happened = when(given, coming("c a b", 2))
    assert with_a_place([*given, *happened]) == ["north-a", "north-b"]
    keys = {one.entrant: one.key for one in happened if isinstance(one, facts.EntryCorrected)}
    assert keys == {"north-c": 1, "north-a": 2, "north-b": 3}
    given = after([*given, *happened], WithdrawEntry(entrant="north-b"))
    assert with_a_place(given) == ["north-a", "north-c"]


def test_who_was_taken_in_and_withdrew_is_recognised_when_they_enter_again() -> None:
    given = after(opened(BY_PLACE), coming("a b c", 2), WithdrawEntry(entrant="north-a"))
    assert with_a_place(given) == ["north-b", "north-c"]
    again = enter(entry("again", person="p-north-a"))
    (qualified,) = [one for one in when(given, again) if isinstance(one, facts.EntrantQualified)]
    assert (qualified.entrant, qualified.origin, qualified.former, qualified.place) == ("again", NORTH, "a", 1)
    happened = when(after(given, again), coming("b a c", 2))
    assert {one.entrant: one.key for one in happened if isinstance(one, facts.EntryCorrected)} == {
        "north-b": 1,
        "again": 2,
    }
    before = [one for one in after(given, again) if one != qualified]  # as logs of earlier versions have it
    assert qualified in when(before, coming("a b c", 2))


@pytest.mark.rule("PQ.PAI-6")
def test_start_numbers_go_by_the_place_in_the_tournament_before() -> None:
    given = after(opened(BY_PLACE), coming("a b", 2), coming("a b", 2, SOUTH))
    given = [*given, CHECK_IN, *(there(one) for one in with_a_place(given))]
    drawn = ("south-b", "north-b", "north-a", "south-a")
    started = when(given, StartTournament(drawn=drawn))
    numbers = [one.entrant for one in started if isinstance(one, facts.EntrantAdmitted)]
    assert numbers == ["north-a", "south-a", "south-b", "north-b"]


def test_who_may_not_enter_is_left_to_an_official() -> None:
    verdict = facts.ConditionVerdict(
        person="p", rule="age-below", clause="PQ.REG-4", sentence="Everybody is under 16.", met=False
    )
    too_old = ProposedEntry(entrant="old", said=EntrySaid(persons=("p",)), verdicts=(verdict,))
    several = (
        Comer(former="old", place=1, entry=too_old),
        *comers(NORTH, "a", obstacle="Claimed."),
        *comers(NORTH, "c", is_erased=True),
        *comers(NORTH, "b"),
    )
    given = after(opened(rules()), TakeIn(origin=NORTH, comers=several, by_right=4))
    assert with_a_place(given) == ["north-b"]
    by_hand = after(opened(rules(), entry("mine", person="p-north-b")), coming("b", 1))
    assert with_a_place(by_hand) == ["mine"]
    (known,) = [one for one in by_hand if isinstance(one, facts.EntrantQualified)]
    assert (known.entrant, known.former) == ("mine", "b")
    twice = after(by_hand, TakeIn(origin=SOUTH, comers=comers(NORTH, "b"), by_right=1))
    assert twice == by_hand  # who is qualified twice comes once


BINDING = rules(size=Size(most=2), deadlines=(Deadline(of="confirmation", days_before=7, rule_id="SK.REG-11"),))
OVER = frozenset({"confirmation"})


@pytest.mark.rule("SK.REG-11")
def test_a_place_that_nobody_confirmed_goes_to_the_next_reserve_who_may_answer_later() -> None:
    given = after(opened(BINDING), coming("a b c d", None), ConfirmPlace(entrant="north-a"))
    with pytest.raises(TooEarly, match=r"SK\.REG-11"):
        when(given, ReleaseUnconfirmed())
    release = ReleaseUnconfirmed(passed=OVER)
    given = after(given, release)
    assert with_a_place(given) == ["north-a", "north-c"]
    (gone,) = [one for one in given if isinstance(one, facts.EntryWithdrawn)]
    assert (gone.entrant, gone.reason, gone.cited) == ("north-b", "not-confirmed", "SK.REG-11")
    assert when(given, release) == []
    assert when(given, ConfirmPlace(entrant="north-c", passed=OVER)) != []


@pytest.mark.rule("SK.REG-11")
def test_who_is_taken_in_after_the_last_day_to_confirm_answers_later_and_is_not_released() -> None:
    late = TakeIn(origin=NORTH, comers=comers(NORTH, "a b c"), by_right=2, passed=OVER)
    given = after(opened(BINDING), late)
    assert with_a_place(given) == ["north-a", "north-b"]
    assert when(given, ReleaseUnconfirmed(passed=OVER)) == []
    answer = ConfirmPlace(entrant="north-a", passed=OVER)
    assert when(given, answer) == [facts.PlaceConfirmed(entrant="north-a", tournament=TOURNAMENT)]
    assert when(given, late) == []


def test_a_champion_who_is_entered_by_hand_takes_one_of_the_places() -> None:
    given = after(opened(rules(size=Size(most=3)), entry("champion")), coming("a b c", None))
    assert with_a_place(given) == ["champion", "north-a", "north-b"]


# What is named


def test_the_next_level_is_named_until_its_field_was_told() -> None:
    given: list[facts.Event] = [announced(rules())]
    named = facts.NextLevelNamed(tournament=TOURNAMENT, next_level="kt", otherwise="b")
    assert when(given, NameNextLevel(next_level="kt", otherwise="b")) == [named]
    given.append(named)
    assert when(given, NameNextLevel(next_level="kt", otherwise="b")) == []
    for wrong in (TOURNAMENT, "b"):
        with pytest.raises(NoNextLevel):
            when(given, NameNextLevel(next_level=wrong, otherwise="b"))
    with pytest.raises(NoNextLevel):
        when(given, NameNextLevel(next_level=None, otherwise="b"))
    order = NoteOrder(order=(("a",), ("b", "c")), advance=1, reserves=("b", "c"), points={"a": "7/2"})
    (noted,) = when(given, order)
    assert isinstance(noted, facts.OrderNoted)
    assert when([*given, noted], order) == []
    with pytest.raises(NoNextLevel, match="told to kt already"):
        when([*given, noted], NameNextLevel(next_level="other"))


def test_a_tournament_that_goes_on_may_announce_how_many() -> None:
    given: list[facts.Event] = [announced(rules())]
    with pytest.raises(NobodyAdvances):
        when(given, AnnounceAdvance(advance=3))
    assert when(after(given, NameNextLevel(next_level="kt")), AnnounceAdvance(advance=3)) != []


def test_a_tournament_knows_from_where_it_has_somebody_to_expect() -> None:
    given: list[facts.Event] = [announced(rules())]
    named = facts.OriginNamed(tournament=TOURNAMENT, origin=NORTH)
    assert when(given, ExpectFrom(origin=NORTH)) == [named]
    assert when([*given, named], ExpectFrom(origin=NORTH)) == []
    assert when([*given, named], ExpectNoMoreFrom(origin=NORTH)) != []
    assert when(given, ExpectNoMoreFrom(origin=NORTH)) == []
    onwards = after(given, NameNextLevel(next_level="kt", otherwise=NORTH))
    for back in ("kt", NORTH):  # named in the same moment as this one was there
        with pytest.raises(NoNextLevel, match="leads back here"):
            when(onwards, ExpectFrom(origin=back))


@pytest.mark.rule("CC.REG-3")
def test_the_best_of_a_qualifying_tournament_are_direct_qualifiers_with_their_source_and_points() -> None:
    ruleset = catalogue.load("carcassonne-cz-qualification")
    said = {
        "a": Also(direct=True, direct_source="brno-cup", carried=14),
        "b": Also(direct=True, direct_source="brno-cup"),
        "c": Also(direct=True, carried=14),
    }
    comers = tuple(
        Comer(
            former=name,
            place=place,
            entry=ProposedEntry(entrant=name.upper(), said=EntrySaid(persons=(name,)), also=also),
        )
        for place, (name, also) in enumerate(said.items(), start=1)
    )
    given = after(opened(ruleset), TakeIn(origin="brno-cup", comers=comers, by_right=3))
    assert with_a_place(given) == ["A"]  # nobody without points that they bring along, or without a source
    (detailed,) = [one for one in given if isinstance(one, facts.EntryDetailed)]
    assert (detailed.direct, detailed.direct_source, detailed.carried) == (True, "brno-cup", 14)
