"""What is decided about ties and stages: the right facts, refusals, and nothing when it is so already."""

from collections.abc import Sequence

import pytest

from services.standings.domain.ranking import (
    RANKING,
    ChoosePrize,
    ClosedStage,
    CloseStage,
    Command,
    Event,
    Kind,
    NoSuchTie,
    NothingToChoose,
    OrderUnusable,
    Places,
    PlacesUndecided,
    PrizeChosen,
    RoundsImpossible,
    SettleTie,
    ShortenStage,
    StageClosed,
    StageNotFinished,
    StageNotPlayed,
    StageShortened,
    State,
    Tie,
    TieSettled,
    UnclosedStage,
)

CUP, STAGE = "cup", "swiss"
AB, BA = (("A",), ("B",)), (("B",), ("A",))


def state(*given: Event) -> State:
    return RANKING.fold(given, RANKING.initial)


def when(given: Sequence[Event], command: Command) -> list[Event]:
    return list(RANKING.decide(state(*given), command))


def settle(order: Places, kind: Kind = "lot", *waiting: Tie, unfinished: tuple[str, ...] = ()) -> SettleTie:
    return SettleTie(tournament=CUP, stage=STAGE, kind=kind, order=order, waiting=waiting, unfinished=unfinished)


def settled(order: Places, kind: Kind = "lot", stage: str = STAGE) -> TieSettled:
    return TieSettled(tournament=CUP, stage=stage, kind=kind, order=order)


def close(order: Places = AB, *obstacles: str, rests_on: str = "reg1.pai1.res1.sta0") -> CloseStage:
    return CloseStage(tournament=CUP, stage=STAGE, order=order, rests_on=rests_on, obstacles=obstacles)


def closed(order: Places = AB, rests_on: str = "reg1.pai1.res1.sta0") -> StageClosed:
    return StageClosed(tournament=CUP, stage=STAGE, order=order, rests_on=rests_on)


LOT, DUEL = Tie(entrants=("A", "B"), needs="lot"), Tie(entrants=("B", "A"), needs="duel")


def test_a_tie_that_waits_is_settled() -> None:
    assert when([], settle(BA, "lot", LOT)) == [settled(BA)]
    assert when([], settle(BA, "duel", LOT, DUEL)) == [settled(BA, "duel")]


def test_a_tie_that_nobody_waits_for_is_not_settled() -> None:
    with pytest.raises(NoSuchTie, match="Nobody does"):
        when([], settle(AB))
    with pytest.raises(NoSuchTie, match=r"Ties that do: A; C\."):
        when([], settle(AB, "lot", Tie(entrants=("A", "C"), needs="lot"), DUEL))


def test_nothing_is_settled_while_games_are_played() -> None:
    with pytest.raises(StageNotPlayed, match=r"Round 2 is not published\."):
        when([], settle(AB, "lot", LOT, unfinished=("Round 2 is not published.",)))


def test_settled_once_more_the_same_way_is_nothing() -> None:
    assert when([settled(AB)], settle(AB)) == []
    assert when([settled(AB, "duel")], settle(AB, "duel")) == []


def test_a_lot_stays_as_it_was_drawn_and_a_duel_may_have_been_written_down_wrongly() -> None:
    with pytest.raises(NoSuchTie):
        when([settled(AB)], settle(BA))
    assert when([settled(AB, "duel")], settle(BA, "duel")) == [settled(BA, "duel")]
    assert when([settled(AB, "duel"), settled(BA, "duel")], settle(BA, "duel")) == []


def test_what_was_settled_in_another_stage_or_by_another_kind_is_another_tie() -> None:
    given = [settled(AB, stage="final"), settled(AB, "duel")]
    assert when(given, settle(AB, "lot", LOT)) == [settled(AB)]


@pytest.mark.parametrize("order", [(), (("A",),), (("A",), ()), (("A",), ("A",)), (("A", "A"),)])
def test_an_order_of_nobody_or_with_somebody_twice_is_none(order: Places) -> None:
    with pytest.raises(OrderUnusable):
        when([], settle(order, "duel", DUEL))


def test_only_a_duel_may_leave_somebody_equal() -> None:
    equal = (("A", "B"),)
    assert when([], settle(equal, "duel", DUEL)) == [settled(equal, "duel")]
    with pytest.raises(OrderUnusable):
        when([], settle(equal, "lot", LOT))


def test_a_stage_is_closed_with_its_order() -> None:
    assert when([], close()) == [closed()]
    now = state(closed())
    assert now.stage(STAGE) == ClosedStage(order=AB, rests_on="reg1.pai1.res1.sta0")
    assert now.stage("final") == UnclosedStage()


def test_all_that_keeps_a_stage_open_is_told() -> None:
    with pytest.raises(StageNotFinished, match=r"^One\. Two\.$"):
        when([], close(AB, "One.", "Two."))


def test_a_stage_is_closed_again_only_with_another_order() -> None:
    assert when([closed()], close(rests_on="reg1.pai1.res2.sta0")) == []
    assert when([closed()], close(BA)) == [closed(BA)]


def test_the_last_settlement_counts_most() -> None:
    now = state(settled(AB, "duel"), settled((("A",), ("C",)), "duel"), settled(BA, "duel"))
    assert list(now.settled.values()) == [(("A",), ("C",)), BA]


def shorten(rounds: int, *, least: int = 4, planned: int | None = 7) -> ShortenStage:
    return ShortenStage(tournament=CUP, stage=STAGE, rounds=rounds, least=least, planned=planned, reason="note")


def shortened(rounds: int) -> StageShortened:
    return StageShortened(tournament=CUP, stage=STAGE, rounds=rounds, reason="note")


@pytest.mark.rule("CC.PAI-1")
def test_a_stage_is_shortened_to_no_less_than_the_rules_want_and_lengthened_again_to_what_was_planned() -> None:
    assert when([], shorten(5)) == [shortened(5)]
    assert when([shortened(5)], shorten(5)) == []
    assert when([shortened(5)], shorten(7)) == [shortened(7)]
    assert when([], shorten(7)) == []
    for impossible in (shorten(3), shorten(8), shorten(5, planned=None)):
        with pytest.raises(RoundsImpossible):
            when([], impossible)
    with pytest.raises(RoundsImpossible, match="has 7 rounds and can have no other number"):
        when([], shorten(5, least=7))


def test_equal_places_of_two_groups_are_not_the_same_order_as_those_of_one() -> None:
    in_groups = CloseStage(tournament=CUP, stage=STAGE, order=AB, rests_on="reg1.pai1.res1.sta0", groups=("A", "B"))
    (happened,) = when([closed()], in_groups)
    assert isinstance(happened, StageClosed)
    assert happened.groups == ("A", "B")
    assert when([happened], in_groups) == []


# Prizes


def choose(among: str | None, *offered: str | None, undecided: tuple[str, ...] = ()) -> ChoosePrize:
    return ChoosePrize(tournament=CUP, entrant="A", among=among, offered=offered, undecided=undecided)


def chosen(among: str | None) -> PrizeChosen:
    return PrizeChosen(tournament=CUP, entrant="A", among=among)


@pytest.mark.rule("OT.STA-6")
@pytest.mark.parametrize("among", [None, "women"])
def test_a_prize_is_chosen_once_and_another_choice_takes_its_place(among: str | None) -> None:
    assert when([], choose(among, None, "women")) == [chosen(among)]
    assert when([chosen(among)], choose(among, None, "women")) == []
    other = None if among else "women"
    assert when([chosen(among)], choose(other, None, "women")) == [chosen(other)]


@pytest.mark.rule("OT.STA-6")
def test_nothing_is_chosen_that_was_not_won_or_is_not_sure_yet() -> None:
    with pytest.raises(NothingToChoose, match="Choose one of these rankings: that of all, women"):
        when([], choose("juniors", None, "women"))
    with pytest.raises(NothingToChoose, match="has no prizes in cash that do not add up"):
        when([], choose(None))
    with pytest.raises(PlacesUndecided, match="Final and third place has not begun"):
        when([], choose(None, None, "women", undecided=("Final and third place has not begun.",)))
