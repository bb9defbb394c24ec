"""A score sheet driven by anybody in any order: no report is lost, and nothing is final that was not agreed."""

import itertools
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from services.results.domain.sheet import facts, orders, states
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.disputes import agree, all_agree
from services.results.domain.sheet.reporting import settled_by
from services.results.domain.sheet.states import (
    USUAL_TERMS,
    Disputed,
    Final,
    GameTerms,
    Pending,
    Postponed,
    Recalled,
    Reported,
    Result,
    Speaker,
    Started,
    State,
    UnknownSheet,
    Voided,
    reports_of,
    status,
)
from shared.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal
from tests.domain.sheets import ADA, BEN, DEFAULT, DRAWN, OPEN, SAM, SUE, WON, WON_MORE
from tests.exploring import tries

SPEAKERS = (ADA, BEN, SUE, SAM)
RESULTS = (WON, WON_MORE, DRAWN, DEFAULT)

OPENED_WITH_A_CHOICE = replace(OPEN, option="ada")
OPEN_KINDS = (Pending, Started, Postponed, Reported, Disputed)

speakers, results = st.sampled_from(SPEAKERS), st.sampled_from(RESULTS)


class Sheet(RuleBasedStateMachine):
    """Beside the sheet a plain memory of who stands by what."""

    terms = USUAL_TERMS

    def __init__(self) -> None:
        super().__init__()
        self.events: list[facts.Event] = []
        self.state: State = UnknownSheet()
        self.stands: dict[Speaker, Result] = {}
        self.numbers: list[int] = []
        self.gone: tuple[str, ...] = ()
        self.do(OPENED_WITH_A_CHOICE)

    def do(self, command: orders.Command) -> list[facts.Event] | None:
        """What happened, or nothing when it was refused; whatever happened does not happen again."""
        before = self.state
        try:
            happened = list(GAME.decide(before, command))
        except (Conflict, Forbidden, Invalid, NotFound):
            assert self.state == before
            return None
        self.state = GAME.fold(happened, before)
        self.events += happened
        if not isinstance(command, orders.VoidGame):
            self.is_quiet_when_repeated(command)
        return happened

    def is_quiet_when_repeated(self, command: orders.Command) -> None:
        try:
            assert list(GAME.decide(self.state, command)) == []
        except Refusal:
            assert not isinstance(command, orders.ReportResult | orders.DecideResult | orders.CorrectResult)

    @rule(by=speakers, result=results)
    def report(self, by: Speaker, result: Result) -> None:
        was_open = isinstance(self.state, OPEN_KINDS)
        command = orders.ReportResult(by=by, result=result, gone=self.gone, terms=self.terms)
        if self.do(command) is not None and was_open:
            assert not self.gone or result == DEFAULT
            self.stands[by] = result

    @rule()
    def expel(self) -> None:
        """Who has left can only lose by default, in whatever is reported from then on."""
        self.gone = ("ada",)

    @rule(by=speakers)
    def withdraw(self, by: Speaker) -> None:
        if self.do(orders.WithdrawReport(by=by, terms=self.terms)) is not None:
            self.stands.pop(by, None)

    @rule(by=speakers, number=st.integers(1, 8))
    def confirm(self, by: Speaker, number: int) -> None:
        known = {} if isinstance(self.state, UnknownSheet) else {one.number: one for one in reports_of(self.state)}
        happened = self.do(orders.ConfirmResult(by=by, number=number, terms=self.terms))
        if happened:
            assert known[number].by != by
            if isinstance(self.state, OPEN_KINDS):
                self.stands[by] = known[number].result

    @rule(by=speakers)
    def dispute(self, by: Speaker) -> None:
        self.do(orders.DisputeResult(by=by))

    @rule(result=results)
    def settle(self, result: Result) -> None:
        self.do(orders.DecideResult(by="art", result=result, reason="note"))

    @precondition(lambda self: isinstance(self.state, Final))
    @rule(result=results)
    def correct(self, result: Result) -> None:
        assert self.do(orders.CorrectResult(by="art", result=result, reason="note")) is not None
        assert isinstance(self.state, Final)
        assert agree(self.state.result, result)

    @rule(replay=st.booleans())
    def void(self, *, replay: bool) -> None:
        if self.do(orders.VoidGame(replay=replay, reason="note")):
            self.stands.clear()

    @rule(command=st.sampled_from((orders.StartGame(), orders.PostponeGame(), orders.ResumeGame())))
    def run(self, command: orders.Command) -> None:
        self.do(command)

    @rule(by=speakers, in_time=st.booleans())
    def complain(self, by: Speaker, *, in_time: bool) -> None:
        happened = self.do(orders.Complain(by=by, reason="note", in_time=in_time))
        if happened:
            assert isinstance(self.state, Final)
            assert in_time

    @rule(number=st.integers(1, 3), upheld=st.booleans())
    def answer(self, number: int, *, upheld: bool) -> None:
        if self.do(orders.AnswerComplaint(number=number, upheld=upheld, reason="note")) is not None:
            assert isinstance(self.state, Final)
            assert self.state.complaints[number - 1].upheld is upheld

    @rule(entrant=st.sampled_from(("ada", "ben")), by=speakers, takes=st.sampled_from(("colour", "draw")))
    def choose(self, entrant: str, by: Speaker, takes: states.Takes) -> None:
        first = entrant if takes == "colour" else None
        self.do(orders.Choose(by=by, entrant=entrant, takes=takes, option=True, first=first))

    @rule(seat=st.integers(0, 1), minutes=st.integers(-22, 5))
    def change_clock(self, seat: int, minutes: int) -> None:
        if self.do(orders.ChangeClock(seat=seat, minutes=minutes, why="late")) is not None:
            assert not isinstance(self.state, UnknownSheet)
            clocks = {change.seat: change.minutes for change in self.state.sheet.prepared.clocks}
            assert clocks[seat] == minutes

    @rule(recall=st.sampled_from(("r1", "r2")))
    def recall(self, recall: str) -> None:
        had = bool(self.stands)
        if self.do(orders.CloseSheet(recall=recall)):
            assert not had
        if isinstance(self.state, Recalled):
            self.do(OPENED_WITH_A_CHOICE)

    @invariant()
    def no_report_is_lost(self) -> None:
        if isinstance(self.state, OPEN_KINDS):
            assert {report.by: report.result for report in reports_of(self.state)} == self.stands

    @invariant()
    def the_state_is_one_of_those_there_are(self) -> None:
        assert isinstance(self.state, (*OPEN_KINDS, Final, Voided, Recalled))
        match self.state:
            case Reported():
                assert all_agree(self.state.reports)
                assert settled_by(self.state.sheet, self.state.reports, self.terms) is None
            case Disputed():
                assert self.state.objections or len({report.result for report in self.state.reports}) > 1
            case _:
                pass

    @invariant()
    def a_choice_is_the_holders_and_only_a_draw_leaves_the_colour_to_the_other(self) -> None:
        assert not isinstance(self.state, UnknownSheet)
        choices = self.state.sheet.prepared.choices
        assert [choice.entrant for choice in choices] == ["ada", "ben"][: len(choices)]
        assert len(choices) < 2 or (choices[0].takes, choices[1].takes) == ("draw", "colour")

    @invariant()
    def the_log_says_the_same(self) -> None:
        assert GAME.fold(self.events, UnknownSheet()) == self.state
        last = self.events[-1]
        if isinstance(last, facts.ResultReported | facts.ReportWithdrawn | facts.GameResumed):
            assert not isinstance(self.state, UnknownSheet)
            assert status(self.state) == last.then

    @invariant()
    def numbers_of_reports_only_grow(self) -> None:
        numbers = [event.report.number for event in self.events if isinstance(event, facts.ResultReported)]
        assert numbers == list(range(1, len(numbers) + 1))


class SheetOfOfficials(Sheet):
    """Where a result is final only with an official's word."""

    terms = GameTerms(confirmed_by="official")

    @invariant()
    def nothing_is_final_without_an_official(self) -> None:
        agreements = [event for event in self.events if isinstance(event, facts.ResultAgreed)]
        for agreement in agreements:
            at = self.events.index(agreement)
            reports = [event.report.by for event in self.events[:at] if isinstance(event, facts.ResultReported)]
            confirming = [agreement.confirmed_by] if agreement.confirmed_by else []
            assert any(by.entrant is None for by in (*reports, *confirming))


class SheetOfSides(Sheet):
    """Where each side stands for itself."""

    terms = GameTerms(confirmed_by="each-side")

    @invariant()
    def nothing_is_agreed_without_both_sides(self) -> None:
        for at, agreement in enumerate(self.events):
            if isinstance(agreement, facts.ResultAgreed):
                reports = [event.report.by for event in self.events[:at] if isinstance(event, facts.ResultReported)]
                confirming = [agreement.confirmed_by] if agreement.confirmed_by else []
                assert {by.entrant for by in (*reports, *confirming)} >= {"ada", "ben"}


for machine in (Sheet, SheetOfOfficials, SheetOfSides):
    machine.TestCase.settings = settings(max_examples=tries(80), stateful_step_count=30, deadline=None)
TestScoreSheet = Sheet.TestCase
TestScoreSheetOfOfficials = SheetOfOfficials.TestCase
TestScoreSheetOfSides = SheetOfSides.TestCase


def after(reports: Sequence[tuple[Speaker, Result]]) -> State:
    state: State = GAME.fold(GAME.decide(UnknownSheet(), OPEN), UnknownSheet())
    for by, result in reports:
        try:
            state = GAME.fold(GAME.decide(state, orders.ReportResult(by=by, result=result)), state)
        except Conflict:
            continue
    return state


@given(
    by=st.lists(speakers, min_size=2, max_size=4, unique=True),
    again=st.lists(st.integers(0, 3), max_size=6),
    order=st.randoms(use_true_random=False),
)
def test_equal_reports_give_the_same_result_in_any_order_and_however_often(
    by: list[Speaker], again: list[int], order: Random
) -> None:
    told = [(speaker, WON) for speaker in by] + [(by[n % len(by)], WON) for n in again]
    order.shuffle(told)
    state = after(told)
    assert isinstance(state, Final)
    assert state.result == WON


@given(by=st.permutations(SPEAKERS), repeats=st.integers(0, 2))
def test_two_sides_that_contradict_each_other_are_never_final_by_themselves(by: list[Speaker], repeats: int) -> None:
    first, second = by[:2]
    for told in itertools.permutations(((first, WON), (second, WON_MORE))):
        state = after([*told, *told * repeats])
        assert isinstance(state, Disputed)
        assert {report.by: report.result for report in state.reports} == dict(told)
