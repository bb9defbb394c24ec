"""What may happen to a round: drafted, changed by hand, confirmed, published, recalled."""

import msgspec
import pytest
from msgspec.structs import replace

from services.pairing import publish
from services.pairing.domain.rooms import RoomsNamed
from services.pairing.domain.round import (
    ROUND,
    AcceptRecall,
    AcceptRepair,
    AlreadyPublished,
    AnswerAwaited,
    AskRecall,
    AskRepair,
    ChangedByHand,
    Command,
    Confirmed,
    ConfirmRound,
    Draft,
    DraftRound,
    Event,
    LogContradictsItself,
    NeedsReason,
    NotConfirmed,
    NotDrafted,
    NotPublished,
    OverridePairing,
    PairAndPublish,
    PairingOverridden,
    Published,
    PublishRound,
    RecallAsked,
    RecallFailed,
    Recalling,
    RefuseRecall,
    RefuseRepair,
    RepairAsked,
    RepairFailed,
    RoundConfirmed,
    RoundDrafted,
    RoundPlan,
    RoundPublished,
    RoundRecalled,
    State,
    TablesRepaired,
    Unpaired,
    decide,
)
from services.pairing.domain.round_sheet import (
    Doubt,
    Drafted,
    Outweighed,
    RoundSheet,
    SeatedTable,
    SheetNotWhole,
    StatedReason,
)
from services.pairing.domain.stage import GroupsDrawn, StageOpened
from shared.contracts import pairing as public
from shared.contracts.parts import PlannedGame

SHEET = RoundSheet(
    tables=(
        SeatedTable(table=1, seats=("D", "A"), first="D", why=("lower-rated first",)),
        SeatedTable(table=2, seats=("B", "E"), first="B"),
    ),
    byes=("G",),
    requested_byes={"H": "1/2"},
    missing=("I",),
)
SWAPPED = replace(
    SHEET, tables=(SeatedTable(table=1, seats=("B", "A"), first="B"), SeatedTable(table=2, seats=("D", "E"), first="D"))
)
DRAFT = Drafted(sheet=SHEET, method="cost-swiss", explanation=("halves",), inputs="reg9.pai1.res0.sta0")
NEWER = replace(DRAFT, inputs="reg10.pai1.res0.sta0")
DOUBT = Doubt(kind="newer-facts", detail="It rests on less than is known.")
REASON = StatedReason(code="agreement", note="n1")
GAMES = ("g1", "g2")

DRAFTED = RoundDrafted(tournament="t", stage="swiss", round=1, drafted=DRAFT)
OVERRIDDEN = PairingOverridden(sheet=SWAPPED, doubts=(), reason=None)
CONFIRMED = RoundConfirmed(inputs=DRAFT.inputs, doubts=(), reason=None)
PUBLISHED = RoundPublished(
    tournament="t",
    stage="swiss",
    round=1,
    sheet=SHEET,
    games=GAMES,
    inputs=DRAFT.inputs,
    starts_at=None,
    doubts=(),
    reason=None,
)
ASKED = RecallAsked(tournament="t", stage="swiss", round=1, recall="r1", games=GAMES, reason=REASON)
RECALLED = RoundRecalled(tournament="t", stage="swiss", round=1, recall="r1")
FAILED = RecallFailed(recall="r1", game="g2")

OUT = (DRAFTED, CONFIRMED, PUBLISHED)
PLAN = RoundPlan(tournament="t", stage="swiss", round=1, drafted=DRAFT, sheet=SHEET)

ORDER_TO_DRAFT = DraftRound(tournament="t", stage="swiss", round=1, drafted=DRAFT)
CONFIRM = ConfirmRound(inputs=DRAFT.inputs)
PUBLISH = PublishRound(games=GAMES)
RECALL = AskRecall(recall="r1", reason=REASON)
REPAIR = AskRepair(repair="x1", tables=SWAPPED.tables, reason=REASON)
REPAIR_ASKED = RepairAsked(
    tournament="t",
    stage="swiss",
    round=1,
    repair="x1",
    tables=SWAPPED.tables,
    games=GAMES,
    byes=SHEET.byes,
    starts_at=None,
    doubts=(),
    reason=REASON,
    missing=SHEET.missing,
)
REPAIRED = TablesRepaired(
    tournament="t",
    stage="swiss",
    round=1,
    repair="x1",
    tables=SWAPPED.tables,
    games=GAMES,
    byes=SHEET.byes,
    missing=SHEET.missing,
)


def after(*events: Event) -> State:
    return ROUND.fold(events, ROUND.initial)


def refused(state: State, command: Command, why: type[Exception], sentence: str) -> None:
    with pytest.raises(why, match=sentence):
        decide(state, command)


def test_a_round_is_drafted() -> None:
    assert decide(after(), ORDER_TO_DRAFT) == [DRAFTED]
    assert after(DRAFTED) == Draft(plan=PLAN)


def test_a_round_is_paired_and_published_at_once_by_the_facts_of_three_orders() -> None:
    at_once = PairAndPublish(draft=ORDER_TO_DRAFT, games=GAMES)
    assert decide(after(), at_once) == [*OUT]
    assert decide(after(DRAFTED), at_once) == [CONFIRMED, PUBLISHED]
    assert decide(after(DRAFTED, CONFIRMED), at_once) == [PUBLISHED]
    assert decide(after(*OUT), at_once) == []
    anew = (
        replace(DRAFTED, drafted=NEWER),
        replace(CONFIRMED, inputs=NEWER.inputs),
        replace(PUBLISHED, inputs=NEWER.inputs),
    )
    newer = replace(at_once, draft=replace(ORDER_TO_DRAFT, drafted=NEWER))
    assert decide(after(DRAFTED, CONFIRMED), newer) == [*anew]
    refused(after(), replace(at_once, doubts=(DOUBT,)), NeedsReason, "less than is known")
    refused(after(DRAFTED, OVERRIDDEN), at_once, ChangedByHand, "by hand")
    refused(after(*OUT), replace(at_once, starts_at="2026-03-14T10:30:00Z"), AlreadyPublished, "another start")


def test_drafting_the_same_from_the_same_facts_changes_nothing() -> None:
    assert decide(after(DRAFTED), ORDER_TO_DRAFT) == []
    assert decide(after(DRAFTED, CONFIRMED), ORDER_TO_DRAFT) == []


def test_a_draft_from_newer_facts_replaces_the_old_one_and_its_confirmation() -> None:
    newer = replace(ORDER_TO_DRAFT, drafted=NEWER)
    for state in (after(DRAFTED), after(DRAFTED, CONFIRMED)):
        assert decide(state, newer) == [replace(DRAFTED, drafted=NEWER)]
    assert isinstance(after(DRAFTED, CONFIRMED, replace(DRAFTED, drafted=NEWER)), Draft)


def test_drafting_again_takes_back_what_was_changed_by_hand() -> None:
    assert decide(after(DRAFTED, OVERRIDDEN), ORDER_TO_DRAFT) == [DRAFTED]
    assert after(DRAFTED, OVERRIDDEN, DRAFTED) == Draft(plan=PLAN)


def test_a_published_round_is_not_drafted_again() -> None:
    refused(after(*OUT), ORDER_TO_DRAFT, AlreadyPublished, "ask for its recall")
    refused(after(*OUT, ASKED), ORDER_TO_DRAFT, AlreadyPublished, "ask for its recall")


def test_a_pairing_is_changed_by_hand() -> None:
    assert decide(after(DRAFTED), OverridePairing(sheet=SWAPPED)) == [OVERRIDDEN]
    assert after(DRAFTED, OVERRIDDEN) == Draft(plan=replace(PLAN, sheet=SWAPPED, by_hand=True))


def test_a_change_by_hand_has_to_be_confirmed_anew() -> None:
    assert decide(after(DRAFTED, CONFIRMED), OverridePairing(sheet=SWAPPED)) == [OVERRIDDEN]
    assert isinstance(after(DRAFTED, CONFIRMED, OVERRIDDEN), Draft)


def test_changing_it_to_what_it_is_changes_nothing() -> None:
    other_order = replace(SHEET, tables=tuple(replace(table, why=()) for table in reversed(SHEET.tables)))
    assert decide(after(DRAFTED), OverridePairing(sheet=other_order)) == []
    assert decide(after(DRAFTED, CONFIRMED), OverridePairing(sheet=SHEET, doubts=(DOUBT,))) == []


def test_a_rule_that_binds_is_broken_only_with_a_reason() -> None:
    breaking = OverridePairing(sheet=SWAPPED, doubts=(DOUBT,))
    refused(after(DRAFTED), breaking, NeedsReason, "It rests on less than is known. .* send a reason")
    (event,) = decide(after(DRAFTED), replace(breaking, reason=REASON))
    assert event == replace(OVERRIDDEN, doubts=(DOUBT,), reason=REASON)
    state = after(DRAFTED, event)
    assert isinstance(state, Draft)
    assert state.plan.outweighed == (Outweighed(act="override", doubts=(DOUBT,), reason=REASON),)


def test_everybody_of_the_draft_stands_on_a_changed_sheet_exactly_once() -> None:
    def not_whole(sheet: RoundSheet, fault: str) -> None:
        refused(after(DRAFTED), OverridePairing(sheet=sheet, reason=REASON), SheetNotWhole, fault)

    not_whole(replace(SWAPPED, byes=()), "G is missing")
    not_whole(replace(SWAPPED, byes=("G", "A")), "A stands there 2 times")
    not_whole(replace(SWAPPED, byes=("G", "X")), "X is not part of this round")
    both_at_one = tuple(replace(table, table=1) for table in SWAPPED.tables)
    not_whole(replace(SWAPPED, tables=both_at_one), "Table 1 is there 2 times")
    elsewhere = (replace(SWAPPED.tables[0], first="E"), SWAPPED.tables[1])
    not_whole(replace(SWAPPED, tables=elsewhere), "At table 1 E should begin or choose without sitting there")


def test_what_is_not_drafted_is_neither_changed_nor_confirmed_nor_published() -> None:
    for command in (OverridePairing(sheet=SHEET), CONFIRM, PUBLISH):
        refused(after(), command, NotDrafted, "draft it first")


def test_where_the_rules_leave_no_pairing_a_round_is_made_by_hand() -> None:
    nobody = replace(
        ORDER_TO_DRAFT, drafted=replace(DRAFT, sheet=replace(SHEET, tables=(), byes=("A", "B", "D", "E", "G")))
    )
    by_hand = OverridePairing(sheet=SHEET, doubts=(DOUBT,), instead_of=nobody)
    refused(after(), by_hand, NeedsReason, "send a reason")
    drafted, changed = decide(after(), replace(by_hand, reason=REASON))
    assert changed == PairingOverridden(sheet=SHEET, doubts=(DOUBT,), reason=REASON)
    assert after(drafted, changed) == Draft(
        plan=replace(
            PLAN,
            drafted=nobody.drafted,
            by_hand=True,
            outweighed=(Outweighed(act="override", doubts=(DOUBT,), reason=REASON),),
        )
    )
    assert decide(after(), replace(by_hand, sheet=nobody.drafted.sheet)) == []


def test_a_published_round_is_not_changed_by_hand() -> None:
    for state in (after(*OUT), after(*OUT, ASKED)):
        refused(state, OverridePairing(sheet=SWAPPED), AlreadyPublished, "ask for its recall")


def test_a_draft_is_confirmed() -> None:
    assert decide(after(DRAFTED), CONFIRM) == [CONFIRMED]
    assert after(DRAFTED, CONFIRMED) == Confirmed(plan=PLAN, inputs=DRAFT.inputs)


def test_a_draft_is_confirmed_over_newer_facts_only_with_a_reason() -> None:
    over_newer = ConfirmRound(inputs=NEWER.inputs, doubts=(DOUBT,))
    refused(after(DRAFTED), over_newer, NeedsReason, "send a reason")
    (event,) = decide(after(DRAFTED), replace(over_newer, reason=REASON))
    assert event == RoundConfirmed(inputs=NEWER.inputs, doubts=(DOUBT,), reason=REASON)


def test_confirming_twice_is_once() -> None:
    for state in (after(DRAFTED, CONFIRMED), after(*OUT), after(*OUT, ASKED)):
        assert decide(state, CONFIRM) == []


def test_a_confirmed_round_is_published_with_an_id_for_every_game() -> None:
    assert decide(after(DRAFTED, CONFIRMED), PUBLISH) == [PUBLISHED]
    assert after(*OUT) == Published(plan=PLAN, games=GAMES, starts_at=None)


def test_a_round_is_published_as_it_was_changed_by_hand() -> None:
    (event,) = decide(after(DRAFTED, OVERRIDDEN, CONFIRMED), PUBLISH)
    assert event == replace(PUBLISHED, sheet=SWAPPED)


def test_nothing_is_published_that_nobody_has_confirmed() -> None:
    refused(after(DRAFTED), PUBLISH, NotConfirmed, "confirm it first")
    refused(after(DRAFTED, CONFIRMED, OVERRIDDEN), PUBLISH, NotConfirmed, "confirm it first")


@pytest.mark.rule("SK.PAI-7")
def test_a_round_is_published_too_early_only_with_a_reason() -> None:
    early = replace(PUBLISH, doubts=(Doubt(kind="too-early", detail="Begin at 10:30 or later."),))
    refused(after(DRAFTED, CONFIRMED), early, NeedsReason, "Begin at 10:30 or later.")
    (event,) = decide(after(DRAFTED, CONFIRMED), replace(early, reason=REASON))
    assert event == replace(PUBLISHED, doubts=early.doubts, reason=REASON)


def test_publishing_twice_is_once_and_keeps_the_ids_of_the_games() -> None:
    at_ten = "2026-11-21T10:00:00+00:00"
    for state in (after(*OUT), after(*OUT, ASKED)):
        assert decide(state, replace(PUBLISH, games=("g3", "g4"))) == []
        refused(state, replace(PUBLISH, starts_at=at_ten), AlreadyPublished, "another start")
    later = (DRAFTED, CONFIRMED, replace(PUBLISHED, starts_at=at_ten))
    assert decide(after(*later), replace(PUBLISH, starts_at=at_ten)) == []


def test_a_recall_is_asked_and_until_the_answer_the_round_is_published() -> None:
    assert decide(after(*OUT), RECALL) == [ASKED]
    state = after(*OUT, ASKED)
    assert isinstance(state, Recalling)
    assert (state.recall, state.published.games) == ("r1", GAMES)


def test_asking_for_the_recall_twice_is_once() -> None:
    assert decide(after(*OUT, ASKED), replace(RECALL, recall="r2")) == []


def test_what_is_not_published_is_not_recalled() -> None:
    for state in (after(), after(DRAFTED), after(DRAFTED, CONFIRMED)):
        refused(state, RECALL, NotPublished, "not published")


def test_an_accepted_recall_makes_the_round_as_if_never_paired() -> None:
    assert decide(after(*OUT, ASKED), AcceptRecall(recall="r1")) == [RECALLED]
    assert after(*OUT, ASKED, RECALLED) == Unpaired()
    assert decide(after(*OUT, ASKED, RECALLED), ORDER_TO_DRAFT) == [DRAFTED]


def test_after_a_refused_recall_the_round_stands_and_may_be_asked_back_again() -> None:
    assert decide(after(*OUT, ASKED), RefuseRecall(recall="r1", game="g2")) == [FAILED]
    assert isinstance(after(*OUT, ASKED, FAILED), Published)
    again = replace(RECALL, recall="r2")
    assert decide(after(*OUT, ASKED, FAILED), again) == [replace(ASKED, recall="r2")]


@pytest.mark.parametrize("answer", [AcceptRecall(recall="r1"), RefuseRecall(recall="r1", game="g2")])
def test_an_answer_to_what_was_not_asked_or_is_answered_changes_nothing(answer: Command) -> None:
    asked_again = replace(ASKED, recall="r2")
    for history in ((), OUT, (*OUT, ASKED, RECALLED), (*OUT, ASKED, FAILED), (*OUT, asked_again)):
        assert decide(after(*history), answer) == []


def test_a_history_that_no_decision_leads_to_stops_the_line() -> None:
    for history in ((CONFIRMED,), (DRAFTED, ASKED)):
        with pytest.raises(LogContradictsItself):
            after(*history)


def test_neighbours_are_told_of_a_round_when_it_is_published() -> None:
    assert [publish.of_round(event) for event in (DRAFTED, OVERRIDDEN, CONFIRMED, FAILED)] == [None] * 4
    assert publish.of_round(PUBLISHED) == public.RoundPublished(
        tournament="t",
        stage="swiss",
        round=1,
        games=(
            public.PlannedGame(game="g1", table=1, seats=("D", "A"), first="D"),
            public.PlannedGame(game="g2", table=2, seats=("B", "E"), first="B"),
        ),
        byes=("G",),
        requested_byes={"H": "1/2"},
        missing=("I",),
        rests_on="reg9.pai1.res0.sta0",
    )
    assert publish.of_round(ASKED) == public.RecallAsked(
        tournament="t", stage="swiss", round=1, recall="r1", games=GAMES
    )
    assert publish.of_round(RECALLED) == public.RoundRecalled(tournament="t", stage="swiss", round=1)


def test_tables_of_a_published_round_are_repaired_when_results_agrees() -> None:
    assert decide(after(*OUT), REPAIR) == [REPAIR_ASKED]
    asked = after(*OUT, REPAIR_ASKED)
    assert decide(asked, AcceptRepair(repair="x1")) == [REPAIRED]
    repaired = after(*OUT, REPAIR_ASKED, REPAIRED)
    assert isinstance(repaired, Published)
    assert (repaired.plan.sheet, repaired.plan.by_hand, repaired.games) == (SWAPPED, True, GAMES)
    assert decide(repaired, REPAIR) == []
    assert [one.act for one in repaired.plan.outweighed] == ["repair"]


def test_a_repair_asks_only_about_the_tables_that_change() -> None:
    with_bye = SeatedTable(table=2, seats=("B", "G"), first="G")
    (asked,) = decide(after(*OUT), replace(REPAIR, tables=(SHEET.tables[0], with_bye), byes=("E",)))
    assert isinstance(asked, RepairAsked)
    assert (asked.tables, asked.games, asked.byes) == ((with_bye,), ("g2",), ("E",))


def test_a_table_that_is_repaired_keeps_its_group_and_match() -> None:
    in_match = replace(SHEET.tables[0], match="F1", number=2)
    published = replace(PUBLISHED, sheet=replace(SHEET, tables=(in_match, SHEET.tables[1])))
    drafted = replace(DRAFTED, drafted=replace(DRAFT, sheet=published.sheet))
    (asked,) = decide(after(drafted, CONFIRMED, published), REPAIR)
    assert isinstance(asked, RepairAsked)
    assert [(table.match, table.number) for table in asked.tables] == [("F1", 2), (None, None)]


def test_a_refused_repair_leaves_the_round_as_it_is() -> None:
    asked = after(*OUT, REPAIR_ASKED)
    assert decide(asked, RefuseRepair(repair="x1", game="g1")) == [RepairFailed(repair="x1", game="g1")]
    state = after(*OUT, REPAIR_ASKED, RepairFailed(repair="x1", game="g1"))
    assert isinstance(state, Published)
    assert state.plan.sheet == SHEET
    assert decide(state, AcceptRepair(repair="x1")) == []


def test_of_a_round_one_thing_is_asked_at_a_time() -> None:
    refused(after(*OUT, REPAIR_ASKED), RECALL, AnswerAwaited, "not answered yet")
    refused(after(*OUT, ASKED), REPAIR, AnswerAwaited, "not answered yet")
    refused(after(DRAFTED), REPAIR, NotPublished, "not published")
    assert decide(after(*OUT, REPAIR_ASKED), AcceptRepair(repair="another")) == []


def test_a_repair_seats_everybody_who_sat_there_and_nobody_else() -> None:
    published = after(*OUT)
    stranger = (replace(SWAPPED.tables[0], seats=("B", "Z")),)
    refused(published, replace(REPAIR, tables=stranger), SheetNotWhole, "Z is not part of this round")
    refused(published, replace(REPAIR, tables=SWAPPED.tables[:1]), SheetNotWhole, "B stands there 2 times")
    nowhere = (replace(SWAPPED.tables[0], table=9),)
    refused(published, replace(REPAIR, tables=nowhere), SheetNotWhole, "There is no table 9")


def test_neighbours_hear_of_a_repair_with_the_games_that_change() -> None:
    games = (
        PlannedGame(game="g1", table=1, seats=("B", "A"), first="B"),
        PlannedGame(game="g2", table=2, seats=("D", "E"), first="D"),
    )
    assert publish.of_round(REPAIR_ASKED) == public.RepairAsked(
        tournament="t", stage="swiss", round=1, repair="x1", games=games
    )
    assert publish.of_round(REPAIRED) == public.TablesRepaired(
        tournament="t", stage="swiss", round=1, games=games, byes=("G",), missing=("I",)
    )
    assert publish.of_round(RepairFailed(repair="x1", game="g1")) is None


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (RecallAsked, public.RecallAsked),
        (RoundRecalled, public.RoundRecalled),
        (GroupsDrawn, public.GroupsDrawn),
        (StageOpened, public.StageOpened),
        (RoomsNamed, public.RoomsNamed),
    ],
)
def test_an_event_has_all_that_neighbours_are_told_of_it(
    event: type[msgspec.Struct], told: type[msgspec.Struct]
) -> None:
    assert set(told.__struct_fields__) <= set(event.__struct_fields__)


def test_a_table_has_all_that_neighbours_are_told_of_its_game() -> None:
    assert set(PlannedGame.__struct_fields__) - {"game"} <= set(SeatedTable.__struct_fields__)
