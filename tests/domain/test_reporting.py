"""How those at the table come to a result: two voices agree, and nobody overwrites anybody."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.refusals import (
    EntrantHasLeft,
    NotAtThisTable,
    NothingReported,
    NotOfThisTable,
    OneForBoth,
    OnlyForOwnSeat,
    OnlyTheSides,
    OwnReport,
    ReportReplaced,
    ReportsContradict,
    ResultIsFinal,
    RoundIsRecalled,
    SheetUnknown,
)
from services.results.domain.sheet.states import Disputed, Final, GameTerms, Reported, Speaker
from tests.domain.sheets import (
    ADA,
    BEN,
    DEFAULT,
    DRAWN,
    EVA,
    FULL_DETAILS,
    OPENED,
    SAM,
    STARTED,
    SUE,
    WON,
    WON_MORE,
    agreed,
    refuses,
    said,
    says,
    state,
    when,
)

CLOSED = facts.SheetClosed(game="g", recall="r1")
DISPUTE = [OPENED, said(1, ADA), said(2, BEN, WON_MORE, then="disputed")]


def test_the_first_report_waits() -> None:
    assert when([OPENED], says(ADA)) == [said(1, ADA)]
    assert isinstance(state(OPENED, said(1, ADA)), Reported)


def test_an_equal_report_by_the_other_side_makes_a_result() -> None:
    assert when([OPENED, said(1, ADA)], says(BEN)) == [said(2, BEN), agreed()]


def test_equal_reports_of_two_scorers_make_a_result() -> None:
    assert when([OPENED, said(1, SUE)], says(SAM)) == [said(2, SAM), agreed()]


@pytest.mark.rule("PQ.RES-14")
def test_where_each_side_stands_for_itself_nobody_else_makes_a_result() -> None:
    terms = GameTerms(confirmed_by="each-side")

    def after(given: Sequence[facts.Event], by: Speaker, *signed_by: int) -> list[facts.Event]:
        return when(given, replace(says(by, signed_by=signed_by), terms=terms))

    scorer, half = said(1, SUE), said(1, SUE, signed_by=(0,))
    assert after([OPENED, scorer], SAM) == [said(2, SAM)]
    assert after([OPENED, scorer], ADA) == [said(2, ADA)]
    assert after([OPENED, scorer, said(2, ADA)], BEN) == [said(3, BEN), agreed()]
    assert after([OPENED, half], BEN) == [said(2, BEN), agreed()]
    assert after([OPENED, half], ADA) == [said(2, ADA)]
    assert after([OPENED], SUE, 0, 0) == [said(1, SUE, signed_by=(0, 0))]
    assert after([OPENED], SUE, 1, 0) == [said(1, SUE, signed_by=(1, 0)), agreed(how="signed")]
    refuses(OnlyTheSides, [OPENED, said(1, ADA)], orders.ConfirmResult(by=SUE, number=1, terms=terms))
    confirmed = when([OPENED, said(1, ADA)], orders.ConfirmResult(by=BEN, number=1, terms=terms))
    assert confirmed == [agreed(how="confirmed", by=BEN)]


@pytest.mark.rule("PQ.RES-14", "PQ.D60")
def test_one_scorer_stands_not_for_both_sides_with_tokens_of_his() -> None:
    terms = GameTerms(confirmed_by="each-side")
    ada, ben, of_sam = (replace(one, vouched_by=by) for one, by in ((ADA, "sue"), (BEN, "sue"), (BEN, "sam")))
    one_side = [OPENED, said(1, ada)]
    report, confirm = replace(says(ben), terms=terms), orders.ConfirmResult(by=ben, number=1, terms=terms)
    refuses(OneForBoth, one_side, report)
    refuses(OneForBoth, one_side, confirm)
    refuses(OneForBoth, one_side, replace(says(SUE, signed_by=(1,)), terms=terms))
    refuses(OneForBoth, [OPENED, said(1, SUE, signed_by=(0,))], report)
    for other in (BEN, of_sam):
        assert when(one_side, replace(says(other), terms=terms)) == [said(2, other), agreed()]
        assert when(one_side, replace(confirm, by=other)) == [agreed(how="confirmed", by=other)]
    assert when(one_side, replace(says(SAM, signed_by=(1,)), terms=terms))[1:] == [agreed()]
    assert when(one_side, replace(says(SUE, signed_by=(0, 1)), terms=terms))[1:] == [agreed(how="signed")]


@pytest.mark.rule("PQ.RES-14")
def test_a_contradiction_of_two_tokens_of_one_scorer_is_kept_and_its_end_is_no_agreement() -> None:
    terms = GameTerms(confirmed_by="each-side")
    ada, ben = (replace(one, vouched_by="sue") for one in (ADA, BEN))
    disputed = said(2, ben, WON_MORE, then="disputed")
    assert when([OPENED, said(1, ada)], replace(says(ben, WON_MORE), terms=terms)) == [disputed]
    refuses(OneForBoth, [OPENED, said(1, ada), disputed], replace(says(ben), terms=terms))
    third = said(3, SAM, DRAWN, then="disputed")
    given = [OPENED, said(1, ada, WON_MORE), disputed, third]
    withdrawn = when(given, orders.WithdrawReport(by=SAM, terms=terms))
    assert withdrawn == [facts.ReportWithdrawn(game="g", number=3, by=SAM, then="reported")]


@pytest.mark.rule("SK.REG-13")
def test_what_only_the_director_decides_is_final_by_his_word_alone() -> None:
    terms, dora = GameTerms(for_director=frozenset({"no_show"})), Speaker(person="dora", directs=True)

    def after(given: Sequence[facts.Event], by: Speaker, *signed_by: int) -> list[facts.Event]:
        return when(given, replace(says(by, DEFAULT, signed_by=signed_by), terms=terms))

    def confirmed(given: Sequence[facts.Event], by: Speaker) -> list[facts.Event]:
        return when(given, orders.ConfirmResult(by=by, number=1, terms=terms))

    waits = [OPENED, said(1, BEN, DEFAULT)]
    assert after([OPENED], SUE, 0, 1) == [said(1, SUE, DEFAULT, signed_by=(0, 1))]
    assert after(waits, ADA) == confirmed(waits, ADA) == [said(2, ADA, DEFAULT)]
    assert after([*waits, said(2, SUE, DEFAULT)], SAM) == [said(3, SAM, DEFAULT)]
    assert after([OPENED], dora) == [said(1, dora, DEFAULT), agreed(DEFAULT)]
    assert after(waits, dora) == [said(2, dora, DEFAULT), agreed(DEFAULT)]
    assert confirmed(waits, dora) == [agreed(DEFAULT, how="confirmed", by=dora)]
    assert when(waits, says(ADA, WON)) == [said(2, ADA, WON, then="disputed")]
    against = [*waits, said(2, ADA, WON, then="disputed")]
    withdrawn = when(against, orders.WithdrawReport(by=ADA, terms=terms))
    assert withdrawn == [facts.ReportWithdrawn(game="g", number=2, by=ADA, then="reported")]
    assert after([*against[:-1], said(2, SAM, DEFAULT)], dora)[1:] == [agreed(DEFAULT)]
    assert when([OPENED, said(1, ADA)], replace(says(BEN), terms=terms)) == [said(2, BEN), agreed()]
    each = replace(terms, confirmed_by="each-side")
    ada, ben = (replace(one, vouched_by="sue") for one in (ADA, BEN))
    assert when([OPENED, said(1, ada, DEFAULT)], replace(says(ben, DEFAULT), terms=each)) == [said(2, ben, DEFAULT)]


@pytest.mark.rule("OT.RES-8")
def test_a_scorer_who_gave_both_tokens_is_not_the_official_as_well() -> None:
    terms = GameTerms(confirmed_by="official")
    ada, ben = (replace(one, vouched_by="sue") for one in (ADA, BEN))
    both = [OPENED, said(1, ada), said(2, ben)]
    assert when(both[:2], replace(says(ben), terms=terms)) == [said(2, ben)]
    refuses(OneForBoth, both, replace(says(SUE), terms=terms))
    assert when(both, replace(says(SAM), terms=terms)) == [said(3, SAM), agreed()]


def test_where_it_matters_not_whose_word_it_is_two_captains_agree_whoever_gave_them_tokens() -> None:
    ada, ben = (replace(one, vouched_by="sue") for one in (ADA, BEN))
    assert when([OPENED, said(1, ada)], says(ben)) == [said(2, ben), agreed()]


def test_the_same_report_twice_is_once() -> None:
    assert when([OPENED, said(1, ADA)], says(ADA)) == []
    assert when([OPENED, said(1, ADA), said(2, BEN), agreed()], says(ADA)) == []


def test_one_person_in_two_roles_does_not_agree_with_himself() -> None:
    as_captain = replace(ADA, person="sue")
    assert when([OPENED, said(1, SUE)], says(as_captain)) == []
    assert when([OPENED, said(1, SUE)], says(as_captain, WON_MORE)) == [said(2, as_captain, WON_MORE)]


def test_all_who_speak_for_one_entrant_are_one_voice() -> None:
    successor = replace(ADA, person="captain:ada:2")
    assert when([OPENED, said(1, ADA)], says(successor)) == []
    refuses(OwnReport, [OPENED, said(1, ADA)], orders.ConfirmResult(by=successor, number=1))


def test_an_unequal_report_makes_a_dispute_in_which_both_are_kept() -> None:
    assert when([OPENED, said(1, ADA)], says(BEN, WON_MORE)) == [said(2, BEN, WON_MORE, then="disputed")]
    disputed = state(*DISPUTE)
    assert isinstance(disputed, Disputed)
    assert [report.result for report in disputed.reports] == [WON, WON_MORE]


def test_a_third_voice_does_not_outvote_anybody() -> None:
    assert when(DISPUTE, says(SUE)) == [said(3, SUE, then="disputed")]


def test_a_dispute_ends_when_one_side_takes_back_what_it_said() -> None:
    assert when(DISPUTE, says(BEN)) == [said(3, BEN), agreed()]
    gives_way = facts.ReportWithdrawn(game="g", number=2, by=BEN, then="reported")
    assert when(DISPUTE, orders.WithdrawReport(by=BEN)) == [gives_way]
    third = said(3, SUE, then="disputed")
    assert when([*DISPUTE, third], orders.WithdrawReport(by=BEN)) == [gives_way, agreed()]


def test_own_reports_are_replaced_as_long_as_nothing_is_final() -> None:
    assert when([OPENED, said(1, ADA)], says(ADA, WON_MORE)) == [said(2, ADA, WON_MORE)]
    replaced = state(OPENED, said(1, ADA), said(2, ADA, WON_MORE))
    assert isinstance(replaced, Reported)
    assert [report.result for report in replaced.reports] == [WON_MORE]


def test_a_withdrawn_report_leaves_what_was_there_before_it() -> None:
    withdraw = orders.WithdrawReport(by=ADA)
    assert when([OPENED, said(1, ADA)], withdraw) == [facts.ReportWithdrawn(game="g", number=1, by=ADA, then="pending")]
    assert when([OPENED, STARTED, said(1, ADA)], withdraw) == [
        facts.ReportWithdrawn(game="g", number=1, by=ADA, then="started")
    ]
    gone = facts.ReportWithdrawn(game="g", number=1, by=ADA, then="pending")
    assert when([OPENED, said(1, ADA), gone], withdraw) == []
    assert when([OPENED, said(1, ADA), gone], says(ADA)) == [said(2, ADA)]  # no number is used again


def test_a_sheet_with_both_signatures_is_final_when_an_official_enters_it() -> None:
    both = said(1, SUE, signed_by=(0, 1))
    assert when([OPENED], says(SUE, signed_by=(0, 1))) == [both, agreed(how="signed")]
    assert when([OPENED], says(SUE, signed_by=(0,))) == [said(1, SUE, signed_by=(0,))]


def test_signatures_do_not_overrule_what_one_side_has_reported() -> None:
    given = [OPENED, said(1, ADA, WON_MORE)]
    assert when(given, says(SUE, signed_by=(0, 1))) == [said(2, SUE, then="disputed", signed_by=(0, 1))]


@pytest.mark.rule("PQ.RES-14")
def test_a_captain_speaks_at_his_table_for_his_seat_alone() -> None:
    refuses(NotAtThisTable, [OPENED], says(EVA))
    refuses(NotAtThisTable, [OPENED, said(1, ADA)], orders.ConfirmResult(by=EVA, number=1))
    refuses(NotAtThisTable, [OPENED, said(1, ADA)], orders.DisputeResult(by=EVA))
    refuses(NotAtThisTable, [OPENED, said(1, ADA)], orders.WithdrawReport(by=EVA))
    refuses(OnlyForOwnSeat, [OPENED], says(ADA, signed_by=(0, 1)))
    assert when([OPENED], says(ADA, signed_by=(0,))) == [said(1, ADA, signed_by=(0,))]


def test_the_other_side_or_an_official_confirms() -> None:
    for speaker in (BEN, SUE):
        confirm = orders.ConfirmResult(by=speaker, number=1)
        assert when([OPENED, said(1, ADA)], confirm) == [agreed(how="confirmed", by=speaker)]


def test_nobody_confirms_his_own_report_or_one_that_is_gone() -> None:
    refuses(OwnReport, [OPENED, said(1, ADA)], orders.ConfirmResult(by=ADA, number=1))
    replaced = [OPENED, said(1, ADA), said(2, ADA, WON_MORE)]
    refuses(ReportReplaced, replaced, orders.ConfirmResult(by=BEN, number=1))
    refuses(NothingReported, [OPENED], orders.ConfirmResult(by=BEN, number=1))
    refuses(ReportsContradict, DISPUTE, orders.ConfirmResult(by=BEN, number=1))


def test_confirming_twice_is_once() -> None:
    final = [OPENED, said(1, ADA), agreed(how="confirmed", by=BEN)]
    assert when(final, orders.ConfirmResult(by=BEN, number=1)) == []


def test_an_objection_without_a_report_is_a_dispute() -> None:
    objected = facts.ResultDisputed(game="g", by=BEN, reason="note")
    given = [OPENED, said(1, ADA)]
    assert when(given, orders.DisputeResult(by=BEN, reason="note")) == [objected]
    assert isinstance(state(*given, objected), Disputed)
    assert when([*given, objected], orders.DisputeResult(by=BEN)) == []
    refuses(ReportsContradict, [*given, objected], orders.ConfirmResult(by=SUE, number=1))
    refuses(OwnReport, given, orders.DisputeResult(by=ADA))
    refuses(NothingReported, [OPENED], orders.DisputeResult(by=BEN))


def test_who_has_objected_may_agree_after_all() -> None:
    given = [OPENED, said(1, ADA), facts.ResultDisputed(game="g", by=BEN)]
    assert when(given, says(BEN)) == [said(2, BEN), agreed()]
    assert when(given, orders.ConfirmResult(by=BEN, number=1)) == [agreed(how="confirmed", by=BEN)]


def test_an_objection_ends_with_the_report_that_it_was_against() -> None:
    given = [OPENED, said(1, ADA), facts.ResultDisputed(game="g", by=BEN)]
    assert when(given, says(ADA, WON_MORE)) == [said(2, ADA, WON_MORE)]
    assert when(given, orders.WithdrawReport(by=ADA)) == [
        facts.ReportWithdrawn(game="g", number=1, by=ADA, then="pending")
    ]


def test_an_objection_to_two_reports_stays_as_long_as_one_of_them_does() -> None:
    given = [*DISPUTE, facts.ResultDisputed(game="g", by=SUE)]
    gives_in = said(3, BEN, then="disputed")
    assert when(given, says(BEN)) == [gives_in]
    refuses(ReportsContradict, [*given, gives_in], orders.ConfirmResult(by=BEN, number=1))
    assert when([*given, gives_in], says(SUE)) == [said(4, SUE), agreed()]
    assert when(given, orders.WithdrawReport(by=BEN)) == [
        facts.ReportWithdrawn(game="g", number=2, by=BEN, then="disputed")
    ]
    other = said(4, ADA, WON_MORE, then="disputed")
    assert when([*given, gives_in], says(ADA, WON_MORE)) == [other]
    assert when([*given, gives_in, other], says(BEN, WON_MORE)) == [said(5, BEN, WON_MORE), agreed(WON_MORE)]


def test_an_unequal_report_of_a_final_result_is_refused_with_what_to_do() -> None:
    final = [OPENED, said(1, ADA), said(2, BEN), agreed()]
    with pytest.raises(ResultIsFinal, match="380:350 is final: ask an arbiter or the director to correct it"):
        when(final, says(BEN, WON_MORE))
    assert when(final, says(SUE)) == []
    refuses(ResultIsFinal, final, orders.WithdrawReport(by=BEN))
    refuses(ResultIsFinal, final, orders.DisputeResult(by=BEN))


def test_who_says_nothing_of_the_starter_contradicts_nobody() -> None:
    knows = replace(WON, first="ben")
    assert when([OPENED, said(1, ADA)], says(BEN, knows)) == [said(2, BEN, knows), agreed(first="ben")]
    other = replace(WON, first="ada")
    assert when([OPENED, said(1, ADA, other)], says(BEN, knows)) == [said(2, BEN, knows, then="disputed")]


@pytest.mark.rule("SK.PAI-6")
def test_the_player_who_really_started_is_part_of_the_result() -> None:
    assert when([OPENED, STARTED, said(1, ADA)], says(BEN)) == [said(2, BEN), agreed(first="ben")]


@pytest.mark.rule("SK.RES-1")
def test_a_report_keeps_what_else_stands_on_the_sheet_and_agrees_by_the_result_alone() -> None:
    full = orders.ReportResult(by=ADA, result=DRAWN, signed_by=(0,), details=FULL_DETAILS)
    (reported,) = when([OPENED], full)
    assert isinstance(reported, facts.ResultReported)
    assert reported.report.details == FULL_DETAILS
    _, result = when([OPENED, reported], says(BEN, DRAWN))
    assert isinstance(result, facts.ResultAgreed)
    assert (result.scores, result.points) == ((350, 350), ("1/2", "1/2"))


def test_a_report_is_about_this_table() -> None:
    for wrong in (
        replace(WON, scores=(1, 2, 3)),
        replace(WON, points=(1,)),
        replace(WON, first="eva"),
        replace(DEFAULT, by=(2,)),
    ):
        refuses(NotOfThisTable, [OPENED], says(SUE, wrong))
    refuses(NotOfThisTable, [OPENED], says(SUE, signed_by=(5,)))
    refuses(NotOfThisTable, [OPENED], says(SUE, replace(WON, by=(0, -1))))


def test_nothing_is_reported_of_a_game_that_is_unknown_or_recalled() -> None:
    refuses(SheetUnknown, [], says(ADA))
    refuses(RoundIsRecalled, [OPENED, CLOSED], says(ADA))
    for order in (
        orders.WithdrawReport(by=ADA),
        orders.ConfirmResult(by=BEN, number=1),
        orders.DisputeResult(by=BEN),
    ):
        refuses(SheetUnknown, [], order)
        refuses(RoundIsRecalled, [OPENED, CLOSED], order)


@pytest.mark.rule("SK.RES-6")
def test_who_has_left_can_only_lose_by_default() -> None:
    gone = ("ada",)
    refuses(EntrantHasLeft, [OPENED], replace(says(SUE), gone=gone))
    assert when([OPENED], replace(says(SUE, DEFAULT), gone=gone)) == [said(1, SUE, DEFAULT)]
    awarded = replace(WON, end="awarded")
    assert when([OPENED], replace(says(SUE, awarded), gone=gone)) == [said(1, SUE, awarded)]


def test_what_was_final_keeps_all_reports() -> None:
    final = state(OPENED, said(1, ADA), said(2, BEN), agreed())
    assert isinstance(final, Final)
    assert [report.by for report in final.reports] == [ADA, BEN]
    assert Speaker(person="sue").voice == "sue"
