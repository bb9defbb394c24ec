"""A score sheet driven by anybody in any order: no report is lost, and nothing is final that was not agreed."""

import itertools
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from services.results.domain import facts, orders
from services.results.domain.game import GAME
from services.results.domain.report import Result, Speaker
from services.results.domain.states import (
    Closed,
    Disputed,
    Final,
    Pending,
    Postponed,
    Reported,
    Started,
    State,
    Unknown,
    Voided,
    reports_of,
    status,
)
from shared.decider import Conflict, Forbidden, NotFound, Refusal
from tests.domain.sheets import ADA, BEN, DRAWN, OPEN, SAM, SUE, WON, WON_MORE

SPEAKERS = (ADA, BEN, SUE, SAM)
RESULTS = (WON, WON_MORE, DRAWN)

OPEN_KINDS = (Pending, Started, Postponed, Reported, Disputed)

speakers, results = st.sampled_from(SPEAKERS), st.sampled_from(RESULTS)


class Sheet(RuleBasedStateMachine):
    """Beside the sheet a plain memory of who stands by what."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[facts.Event] = []
        self.state: State = Unknown()
        self.stands: dict[Speaker, Result] = {}
        self.numbers: list[int] = []
        self.do(OPEN)

    def do(self, command: orders.Command) -> list[facts.Event] | None:
        """What happened, or nothing when it was refused; whatever happened does not happen again."""
        before = self.state
        try:
            happened = list(GAME.decide(before, command))
        except (Conflict, Forbidden, NotFound):
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
        if self.do(orders.ReportResult(by=by, result=result)) is not None and was_open:
            self.stands[by] = result

    @rule(by=speakers)
    def withdraw(self, by: Speaker) -> None:
        if self.do(orders.WithdrawReport(by=by)) is not None:
            self.stands.pop(by, None)

    @rule(by=speakers, number=st.integers(1, 8))
    def confirm(self, by: Speaker, number: int) -> None:
        known = {} if isinstance(self.state, Unknown) else {one.number: one for one in reports_of(self.state)}
        happened = self.do(orders.ConfirmResult(by=by, number=number))
        if happened:
            assert known[number].by != by

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
        assert self.state.result == result

    @rule(replay=st.booleans())
    def void(self, *, replay: bool) -> None:
        if self.do(orders.VoidGame(replay=replay, reason="note")):
            self.stands.clear()

    @rule(command=st.sampled_from((orders.StartGame(), orders.PostponeGame(), orders.ResumeGame())))
    def run(self, command: orders.Command) -> None:
        self.do(command)

    @rule(recall=st.sampled_from(("r1", "r2")))
    def recall(self, recall: str) -> None:
        had = bool(self.stands)
        if self.do(orders.CloseSheet(recall=recall)):
            assert not had
        if isinstance(self.state, Closed):
            self.do(OPEN)

    @invariant()
    def no_report_is_lost(self) -> None:
        if isinstance(self.state, OPEN_KINDS):
            assert {report.by: report.result for report in reports_of(self.state)} == self.stands

    @invariant()
    def the_state_is_one_of_those_there_are(self) -> None:
        assert isinstance(self.state, (*OPEN_KINDS, Final, Voided, Closed))
        match self.state:
            case Reported():
                assert len(self.state.reports) == 1
            case Disputed():
                assert self.state.objections or len({report.result for report in self.state.reports}) > 1
            case _:
                pass

    @invariant()
    def the_log_says_the_same(self) -> None:
        assert GAME.fold(self.events, Unknown()) == self.state
        last = self.events[-1]
        if isinstance(last, facts.ResultReported | facts.ReportWithdrawn | facts.GameResumed):
            assert not isinstance(self.state, Unknown)
            assert status(self.state) == last.then

    @invariant()
    def numbers_of_reports_only_grow(self) -> None:
        numbers = [event.report.number for event in self.events if isinstance(event, facts.ResultReported)]
        assert numbers == list(range(1, len(numbers) + 1))


Sheet.TestCase.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
TestScoreSheet = Sheet.TestCase


def after(reports: Sequence[tuple[Speaker, Result]]) -> State:
    state: State = GAME.fold(GAME.decide(Unknown(), OPEN), Unknown())
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
