"""A score sheet apart from reports: opened, started, put off, recalled, decided, corrected, voided."""

import pytest
from msgspec.structs import replace

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.decider import GAME, Impossible
from services.results.domain.sheet.lifecycle import has_begun
from services.results.domain.sheet.refusals import (
    EntrantHasLeft,
    GameHasBegun,
    GameIsPostponed,
    GameIsReported,
    GameIsVoid,
    NotFinalYet,
    NotOfThisTable,
    NotTheDirector,
    ResultIsFinal,
    RoundIsRecalled,
    SheetUnknown,
)
from services.results.domain.sheet.states import GameTerms, Pending, Postponed, Speaker, Started, UnknownSheet
from services.results.publish import of_game
from shared.contracts.results import ResultReopened
from tests.domain.sheets import (
    ADA,
    BEN,
    DEFAULT,
    DRAWN,
    OPEN,
    OPENED,
    STARTED,
    WON,
    WON_MORE,
    agreed,
    decided,
    refuses,
    said,
    says,
    state,
    when,
)

CLOSED = facts.SheetClosed(game="g", recall="r1")
POSTPONED = facts.GamePostponed(game="g", until="2026-03-14T15:30:00+01:00", reason="note")
FINAL = [OPENED, said(1, ADA), said(2, BEN), agreed()]
DISPUTE = [OPENED, said(1, ADA), said(2, BEN, WON_MORE, then="disputed")]
VOIDED = facts.GameVoided(game="g", tournament="cup", stage="swiss", round=1, reason="note")
DECIDE = orders.DecideResult(by="art", result=WON, reason="note")
CORRECT = orders.CorrectResult(by="art", result=WON_MORE, reason="note")
VOID, REPLAY = orders.VoidGame(replay=False, reason="note"), orders.VoidGame(replay=True, reason="note")
CLOSE, POSTPONE = orders.CloseSheet(recall="r1"), orders.PostponeGame(until=POSTPONED.until, reason="note")


def replayed(*, stood: bool) -> facts.ReplayOrdered:
    return facts.ReplayOrdered(game="g", tournament="cup", stage="swiss", round=1, reason="note", stood=stood)


def test_a_sheet_is_opened_once_and_anew_after_a_recall() -> None:
    assert when([], OPEN) == [OPENED]
    assert when([OPENED], OPEN) == []
    assert when(FINAL, OPEN) == []
    assert when([OPENED, CLOSED], OPEN) == [OPENED]


def test_a_game_starts_once_and_says_who_starts() -> None:
    start = orders.StartGame(first="ben")
    assert when([OPENED], start) == [STARTED]
    assert when([OPENED, STARTED], start) == []
    assert when([OPENED, STARTED], orders.StartGame()) == []
    assert when([OPENED, STARTED], orders.StartGame(first="ada")) == [
        facts.GameStarted(game="g", tournament="cup", first="ada")
    ]
    assert when(FINAL, start) == []
    refuses(NotOfThisTable, [OPENED], orders.StartGame(first="eva"))
    refuses(GameIsPostponed, [OPENED, POSTPONED], start)
    refuses(SheetUnknown, [], start)


def test_a_postponed_game_is_afterwards_what_it_was() -> None:
    assert when([OPENED], POSTPONE) == [POSTPONED]
    assert when([OPENED, POSTPONED], POSTPONE) == []
    for before, word, kind in (([OPENED], "pending", Pending), ([OPENED, STARTED], "started", Started)):
        resumed = facts.GameResumed(game="g", then=word)
        assert when([*before, POSTPONED], orders.ResumeGame()) == [resumed]
        assert isinstance(state(*before, POSTPONED, resumed), kind)
    assert when([OPENED], orders.ResumeGame()) == []
    assert when([OPENED, POSTPONED], says(ADA)) == [said(1, ADA)]  # it was played all the same
    refuses(GameIsReported, [OPENED, said(1, ADA)], POSTPONE)
    refuses(ResultIsFinal, FINAL, POSTPONE)
    refuses(SheetUnknown, [], POSTPONE)
    refuses(SheetUnknown, [], orders.ResumeGame())


def test_a_game_that_was_put_off_is_so_again_once_a_report_of_it_is_withdrawn() -> None:
    for before, kind in (([OPENED], Pending), ([OPENED, STARTED], Started)):
        given = [*before, POSTPONED, said(1, ADA)]
        (withdrawn,) = when(given, orders.WithdrawReport(by=ADA))
        assert withdrawn == facts.ReportWithdrawn(game="g", number=1, by=ADA, then="postponed")
        again = state(*given, withdrawn)
        assert isinstance(again, Postponed)
        assert again.until == POSTPONED.until
        assert isinstance(again.before, kind)
        disputed: list[facts.Event] = [*before, POSTPONED, said(1, ADA), said(2, BEN, WON_MORE, then="disputed")]
        for by, then in ((ADA, "reported"), (BEN, "postponed")):
            (gone,) = when(disputed, orders.WithdrawReport(by=by))
            assert isinstance(gone, facts.ReportWithdrawn)
            assert gone.then == then
            disputed.append(gone)
        assert isinstance(state(*disputed), Postponed)
    old = facts.ReportWithdrawn(game="g", number=1, by=ADA, then="pending")  # as logs of earlier versions have it
    assert isinstance(state(OPENED, POSTPONED, said(1, ADA), old), Pending)


def test_what_was_prepared_while_a_game_was_put_off_or_reported_is_there_when_it_goes_on() -> None:
    line_up = facts.LineUpGiven(game="g", entrant="ada", persons=("ann", "abe"))
    clock = facts.ClockChanged(game="g", seat=1, minutes=5, why="special-needs")
    resumed = facts.GameResumed(game="g", then="pending")
    goes_on = state(OPENED, POSTPONED, line_up, clock, resumed)
    assert isinstance(goes_on, Pending)
    assert goes_on.sheet.prepared.line_ups == {"ada": ("ann", "abe")}
    assert [one.minutes for one in goes_on.sheet.prepared.clocks] == [5]
    withdrawn = facts.ReportWithdrawn(game="g", number=1, by=ADA, then="started")
    taken_back = state(OPENED, STARTED, said(1, ADA), clock, withdrawn)
    assert isinstance(taken_back, Started)
    assert [one.minutes for one in taken_back.sheet.prepared.clocks] == [5]


def test_others_are_seated_before_a_game_begins_and_not_after() -> None:
    others = replace(OPENED, seats=OPENED.seats[::-1])
    reseat = orders.ReseatSheet(repair="x1", opening=replace(OPEN, seats=OPENED.seats[::-1]))
    assert when([OPENED], reseat) == [replace(CLOSED, recall="x1"), others]
    refuses(GameHasBegun, [OPENED, STARTED], reseat)


def test_what_followed_from_who_was_not_there_stands_no_more_when_the_round_is_taken_back() -> None:
    away = when([OPENED], replace(DECIDE, by="registration", reason="", unplayed=True))
    assert not has_begun(state(OPENED, *away))
    assert when([OPENED, *away], CLOSE) == [replace(replayed(stood=True), reason=""), CLOSED]
    assert has_begun(state(OPENED, *away, *when([OPENED, *away], CORRECT)))


@pytest.mark.rule("SK.REG-13")
def test_an_absence_that_waits_for_the_director_does_not_hold_a_round() -> None:
    away = orders.ReportResult(by=Speaker(person="registration"), result=DEFAULT, unplayed=True)
    waits = [OPENED, *when([OPENED], away)]
    assert not has_begun(state(*waits))
    assert when(waits, CLOSE) == [CLOSED]
    assert has_begun(state(*waits, said(2, ADA, DEFAULT)))
    assert has_begun(state(OPENED, STARTED, *waits[1:]))


@pytest.mark.rule("SK.REG-13")
def test_nobody_but_the_director_decides_corrects_or_voids_what_is_left_to_him() -> None:
    terms = GameTerms(for_director=frozenset({"no_show"}))
    default, void = (
        replace(DECIDE, result=DEFAULT, terms=terms),
        orders.VoidGame(replay=True, reason="note", terms=terms),
    )
    awarded = replace(default, result=replace(DEFAULT, end="awarded"))
    correct = orders.CorrectResult(by="art", result=WON, reason="note", terms=terms)
    final = [OPENED, decided(DEFAULT)]
    for given, order in (
        ([OPENED], default),
        ([OPENED], awarded),
        (final, correct),
        (final, void),
        (final, replace(void, replay=False)),
        ([OPENED, decided(WON)], replace(correct, result=DEFAULT)),
    ):
        refuses(NotTheDirector, given, order)
        assert when(given, replace(order, directs=True)) != []
    waiting, played = said(1, ADA, DEFAULT), replace(DECIDE, terms=terms)
    for reported in ([OPENED, waiting], [OPENED, waiting, said(2, BEN, WON, then="disputed")]):
        for order in (played, void):
            refuses(NotTheDirector, reported, order)
            assert when(reported, replace(order, directs=True)) != []
    assert when([OPENED], replace(DECIDE, terms=terms)) == [decided(WON)]
    assert when([OPENED, decided(WON)], void) != []


def test_a_recall_closes_what_has_not_begun_and_nothing_else() -> None:
    for untouched in ([OPENED], [OPENED, POSTPONED]):
        assert when(untouched, CLOSE) == [CLOSED]
        assert not has_begun(state(*untouched))
    assert when([OPENED, CLOSED], CLOSE) == []
    assert when([], CLOSE) == []
    for begun in ([OPENED, STARTED], [OPENED, STARTED, POSTPONED], [OPENED, said(1, ADA)], DISPUTE, FINAL):
        refuses(GameHasBegun, begun, CLOSE)
        assert has_begun(state(*begun))


def test_an_official_decides_from_any_open_state() -> None:
    for given in ([OPENED], [OPENED, STARTED], [OPENED, POSTPONED], [OPENED, said(1, ADA)], DISPUTE):
        (result,) = when(given, DECIDE)
        assert isinstance(result, facts.ResultDecided)
        assert (result.scores, result.reason) == ((380, 350), "note")


def test_deciding_a_final_result_says_nothing_new_or_is_refused() -> None:
    assert when(FINAL, DECIDE) == []
    refuses(ResultIsFinal, FINAL, orders.DecideResult(by="art", result=DRAWN, reason="note"))
    refuses(GameIsVoid, [*FINAL, VOIDED], DECIDE)
    refuses(EntrantHasLeft, [OPENED], orders.DecideResult(by="art", result=WON, reason="note", gone=("ben",)))


def test_a_final_result_is_corrected_and_a_correction_corrected_again() -> None:
    (corrected,) = when(FINAL, CORRECT)
    assert isinstance(corrected, facts.ResultCorrected)
    assert corrected.scores == (390, 350)
    assert when([*FINAL, corrected], CORRECT) == []
    assert len(when([*FINAL, corrected], orders.CorrectResult(by="art", result=WON, reason="note"))) == 1
    assert len(when([OPENED, decided()], CORRECT)) == 1


def test_what_is_not_final_is_not_corrected() -> None:
    for given in ([OPENED], [OPENED, said(1, ADA)], DISPUTE):
        refuses(NotFinalYet, given, CORRECT)
    refuses(SheetUnknown, [], CORRECT)
    refuses(RoundIsRecalled, [OPENED, CLOSED], CORRECT)


def test_a_voided_game_takes_nothing_until_a_replay_is_ordered() -> None:
    assert when(FINAL, VOID) == [VOIDED]
    assert when([OPENED], VOID) == [VOIDED]
    assert when([OPENED, STARTED], VOID) == [VOIDED]
    gone = [*FINAL, VOIDED]
    assert when(gone, VOID) == []
    refuses(GameIsVoid, gone, says(ADA))
    refuses(GameIsVoid, gone, orders.StartGame())
    assert when(gone, REPLAY) == [replayed(stood=True)]
    assert when([*gone, replayed(stood=True)], says(ADA)) == [said(3, ADA)]
    refuses(SheetUnknown, [], VOID)


def test_of_a_replay_neighbours_are_told_also_where_there_was_no_result() -> None:
    """For them too the game has not begun then: its round may be recalled."""
    for stood in (True, False):
        assert isinstance(of_game(replayed(stood=stood)), ResultReopened)


def test_a_replay_opens_the_sheet_anew() -> None:
    assert when(FINAL, REPLAY) == [replayed(stood=True)]
    assert isinstance(state(*FINAL, replayed(stood=True)), Pending)
    assert when(DISPUTE, REPLAY) == [replayed(stood=False)]
    assert when([OPENED], REPLAY) == []


def test_every_event_follows_the_opening_of_its_sheet() -> None:
    with pytest.raises(Impossible):
        GAME.evolve(UnknownSheet(), STARTED)
    with pytest.raises(Impossible):
        state(*FINAL, STARTED)
