"""A hall of score sheets with penalties and expulsions, driven by anybody in any order, over a network that repeats itself."""

import json
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace

from services.results.domain import penalties as imposing
from services.results.domain.penalties import PENALTIES, Imposed
from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.states import (
    Disputed,
    Final,
    Result,
    Speaker,
    State,
    UnknownSheet,
    reports_of,
    status,
)
from services.results.projection import SheetRow
from services.results.reactions.results import counted, entrants_at_fault
from shared.refusals import Refusal
from shared.rulesets import catalogue
from tests.domain.sheets import ADA, BEN, DEFAULT, DRAWN, OPEN, SAM, SUE, WON, WON_MORE
from tests.exploring import tries

CUP = "cup"
GAMES = ("g1", "g2", "g3")  # of rounds 1, 2 and 3
EXPULSIONS = catalogue.load("scrabble-sk-2022-qt").results.expulsions
OPENED = [replace(OPEN, game=game, round=number) for number, game in enumerate(GAMES, start=1)]

games, entrants = st.sampled_from(GAMES), st.sampled_from(("ada", "ben"))
speakers, results = st.sampled_from((ADA, BEN, SUE, SAM)), st.sampled_from((WON, WON_MORE, DRAWN, DEFAULT))
penalties = st.builds(
    imposing.ImposePenalty,
    penalty=st.sampled_from(("p1", "p2")),
    tournament=st.just(CUP),
    entrant=entrants,
    stage=st.just("swiss"),
    round=st.integers(1, 3),
    points=st.sampled_from((-1, "-1/2")),
    reason=st.just("note"),
)
warnings = st.builds(
    imposing.Warn,
    warning=st.sampled_from(("w1", "w2")),
    tournament=st.just(CUP),
    entrant=entrants,
    stage=st.just("swiss"),
    round=st.integers(1, 3),
    reason=st.just("note"),
)
disqualifications = st.builds(
    imposing.Disqualify,
    tournament=st.just(CUP),
    entrant=entrants,
    stage=st.just("swiss"),
    round=st.integers(1, 3),
    clause=st.just("SK.RES-6"),
    reason=st.just("note"),
)
lifts = st.builds(
    imposing.LiftPenalty, penalty=st.sampled_from(("p1", "p2")), tournament=st.just(CUP), reason=st.just("note")
)

type Request = tuple[str, orders.Command] | imposing.Command


class Hall:
    """Each sheet and the penalties are streams of their own; what follows from results is counted after each of them."""

    def __init__(self) -> None:
        self.sheets: dict[str, State] = {sheet.game: UnknownSheet() for sheet in OPENED}
        self.imposed = PENALTIES.initial
        self.game_events: list[tuple[str, facts.Event]] = []
        self.penalty_events: list[imposing.Event] = []
        for sheet in OPENED:
            self.on_sheet(sheet.game, sheet)

    def on_sheet(self, game: str, command: orders.Command) -> list[facts.Event]:
        happened = list(GAME.decide(self.sheets[game], command))
        self.sheets[game] = GAME.fold(happened, self.sheets[game])
        self.game_events += [(game, event) for event in happened]
        return happened

    def on_penalties(self, command: imposing.Command) -> list[imposing.Event]:
        happened = list(PENALTIES.decide(self.imposed, command))
        self.imposed = PENALTIES.fold(happened, self.imposed)
        self.penalty_events += happened
        return happened

    def deliver(self, request: Request) -> bool:
        """Whether it is acknowledged."""
        try:
            if isinstance(request, tuple):
                self.on_sheet(*request)
            else:
                self.on_penalties(request)
        except Refusal:
            return False
        self.count()
        return True

    def count(self) -> None:
        """As the service does whenever results have moved."""
        rows = [row(game, state) for game, state in self.sheets.items() if isinstance(state, Final)]
        for entrant in ("ada", "ben"):
            theirs = [one for one in rows if entrant in entrants_at_fault(one)]
            self.on_penalties(counted(CUP, entrant, theirs, EXPULSIONS))

    def gone(self, game: str) -> tuple[str, ...]:
        """Who was expelled before the round of this game, as registration then says."""
        due = [event for event in self.penalty_events if isinstance(event, imposing.ExpulsionDue)]
        expelled = self.imposed.by_defaults | self.imposed.disqualified
        return tuple({one.entrant for one in due if one.entrant in expelled and one.round <= GAMES.index(game)})

    def summary(self) -> object:
        """What is left in the end, whatever the numbers of the reports are."""
        sheets = {
            game: (
                status(state),
                {said.by.voice: said.result for said in reports_of(state)},
                state.result if isinstance(state, Final) else None,
            )
            for game, state in self.sheets.items()
            if not isinstance(state, UnknownSheet)
        }
        known = self.imposed
        return sheets, known.imposed, known.lifted, known.by_defaults, known.disqualified, set(known.warnings)


def row(game: str, state: Final) -> SheetRow:
    return SheetRow(
        game=game,
        tournament=CUP,
        stage="swiss",
        round=state.sheet.round,
        board=1,
        seats=json.dumps(state.sheet.seats),
        first=None,
        status="final",
        scores=None,
        points=None,
        ending=state.result.end,
        at_fault=json.dumps(state.result.by),
        unmoved="[]",
        winner=None,
        decided_by=None,
        draw_wins=None,
        match=None,
        number=None,
        began=None,
        letter=None,
        deciding="[]",
        end_reason=None,
        corrected_at=None,
        correction=None,
    )


class Machine(RuleBasedStateMachine):
    """Beside the hall a plain memory of what was acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.hall = Hall()
        self.stands: dict[str, dict[Speaker, Result]] = {game: {} for game in GAMES}
        self.penalties: dict[str, Imposed] = {}
        self.lifted: set[str] = set()

    @rule(game=games, by=speakers, result=results)
    def report(self, game: str, by: Speaker, result: Result) -> None:
        was_final, gone = isinstance(self.hall.sheets[game], Final), self.hall.gone(game)
        said = orders.ReportResult(by=by, result=result, gone=gone)
        if self.hall.deliver((game, said)) and not was_final:
            assert set(gone) <= {self.seats(game)[seat] for seat in result.by}
            self.stands[game][by] = result

    def seats(self, game: str) -> Sequence[str]:
        state = self.hall.sheets[game]
        assert not isinstance(state, UnknownSheet)
        return state.sheet.seats

    @rule(game=games, result=results)
    def decide(self, game: str, result: Result) -> None:
        self.hall.deliver((game, orders.DecideResult(by="art", result=result, reason="note")))

    @rule(game=games, result=results)
    def correct(self, game: str, result: Result) -> None:
        """Long afterwards, too: whoever was expelled by a default is so no more where it is corrected."""
        self.hall.deliver((game, orders.CorrectResult(by="art", result=result, reason="note")))

    @rule(game=games, by=speakers)
    def dispute(self, game: str, by: Speaker) -> None:
        self.hall.deliver((game, orders.DisputeResult(by=by)))

    @rule(game=games)
    def replay(self, game: str) -> None:
        if self.hall.deliver((game, orders.VoidGame(replay=True, reason="note"))):
            self.stands[game].clear()

    @rule(command=penalties)
    def impose(self, command: imposing.ImposePenalty) -> None:
        wanted = Imposed(entrant=command.entrant, stage=command.stage, round=command.round, points=command.points)
        assert self.hall.deliver(command) is (self.penalties.setdefault(command.penalty, wanted) == wanted)

    @rule(command=lifts)
    def lift(self, command: imposing.LiftPenalty) -> None:
        assert self.hall.deliver(command) is (command.penalty in self.penalties)
        self.lifted |= {command.penalty} & self.penalties.keys()

    @rule(command=st.one_of(warnings, disqualifications))
    def warn_or_disqualify(self, command: imposing.Command) -> None:
        self.hall.deliver(command)

    @invariant()
    def no_report_and_no_penalty_is_lost(self) -> None:
        for game, state in self.hall.sheets.items():
            assert not isinstance(state, UnknownSheet)
            assert {said.by: said.result for said in reports_of(state)} == self.stands[game]
            assert not isinstance(state, Disputed) or len(state.reports) > 1 or state.objections
        assert (self.hall.imposed.imposed, self.hall.imposed.lifted) == (self.penalties, self.lifted)

    @invariant()
    def two_defaults_expel_and_no_fewer(self) -> None:
        final = [state for state in self.hall.sheets.values() if isinstance(state, Final)]
        defaulted = [state.sheet.seats[seat] for state in final for seat in state.result.by]
        assert self.hall.imposed.by_defaults == {one for one in defaulted if defaulted.count(one) > 1}

    @invariant()
    def the_logs_say_the_same(self) -> None:
        for game, state in self.hall.sheets.items():
            assert GAME.fold([event for of, event in self.hall.game_events if of == game], UnknownSheet()) == state
        assert PENALTIES.fold(self.hall.penalty_events, PENALTIES.initial) == self.hall.imposed


Machine.TestCase.settings = settings(max_examples=tries(40), stateful_step_count=25, deadline=None)
TestHallOfSheets = Machine.TestCase


def delivered(requests: Sequence[Request], random: Random) -> object:
    """In some order, each until it is acknowledged and perhaps again."""
    hall, waiting = Hall(), list(requests)
    while waiting:
        request = random.choice(waiting)
        if hall.deliver(request) and random.random() < 0.6:
            waiting.remove(request)
    return hall.summary()


@settings(max_examples=tries(40), deadline=None)
@given(
    said=st.lists(st.tuples(results, results), min_size=3, max_size=3),
    of_penalties=st.lists(penalties, max_size=2, unique_by=lambda one: one.penalty),
    is_lifted=st.booleans(),
    warned=st.lists(warnings, max_size=2, unique_by=lambda one: one.warning),
    out=st.none() | disqualifications,
    random=st.randoms(use_true_random=False),
)
def test_however_the_network_repeats_and_reorders_requests_the_hall_is_left_the_same(
    said: list[tuple[Result, Result]],
    of_penalties: list[imposing.ImposePenalty],
    is_lifted: bool,  # noqa: FBT001 - drawn by name
    warned: list[imposing.Warn],
    out: imposing.Disqualify | None,
    random: Random,
) -> None:
    requests: list[Request] = [
        (game, orders.ReportResult(by=by, result=result))
        for game, both in zip(GAMES, said, strict=True)
        for by, result in zip((ADA, BEN), both, strict=True)
    ]
    requests += [*of_penalties, *warned, *([out] if out else [])]
    if of_penalties and is_lifted:
        requests.append(imposing.LiftPenalty(penalty=of_penalties[0].penalty, tournament=CUP, reason="note"))
    first = delivered(requests, random)
    assert all(delivered(requests, random) == first for _ in range(2))
