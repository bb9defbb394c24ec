"""The life of a sheet apart from its result: opened, started, put off, recalled, seated anew."""

from msgspec import convert

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.outcomes import require_needed, require_start
from services.results.domain.sheet.preparation import require_line_ups, require_not_expelled
from services.results.domain.sheet.refusals import (
    GameHasBegun,
    GameIsPostponed,
    GameIsReported,
    NotOfThisTable,
    final,
    refused,
)
from services.results.domain.sheet.states import (
    Disputed,
    Final,
    Pending,
    Postponed,
    Recalled,
    Reported,
    Sheet,
    Started,
    State,
    UnknownSheet,
    Voided,
    status,
)


def open_sheet(state: State, command: orders.OpenSheet) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Recalled():
            return [opened(command)]
        case Pending() | Started() | Postponed() | Reported() | Disputed() | Final() | Voided():
            return []


def reseat(state: State, command: orders.ReseatSheet) -> list[facts.Event]:
    """Whatever was prepared on it is gone with those who prepared it."""
    return [*close(state, orders.CloseSheet(recall=command.repair)), opened(command.opening)]


def opened(command: orders.OpenSheet) -> facts.SheetOpened:
    return convert(command, facts.SheetOpened, from_attributes=True)


def start(state: State, command: orders.StartGame) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Postponed():
            raise GameIsPostponed("This game is postponed: resume it first.")
        case Reported() | Disputed() | Final():
            return []
        case Started() if command.first in {None, state.first}:
            return []
        case Pending() | Started():
            if command.first is not None and command.first not in state.sheet.seats:
                raise NotOfThisTable("Who starts has to be one of the entrants at this table.")
            require_needed(command.terms)
            require_start(state.sheet, command.first, command.terms)
            require_line_ups(state.sheet, first=command.terms.line_ups_first)
            if isinstance(state, Pending):
                require_not_expelled(state.sheet, command.expelled)
            first = command.first or state.sheet.prepared.first
            return [facts.GameStarted(game=state.sheet.game, tournament=state.sheet.tournament, first=first)]


def postpone(state: State, command: orders.PostponeGame) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            raise final(state)
        case Reported() | Disputed():
            raise GameIsReported("Somebody has reported this game: it cannot be played later, unless it is replayed.")
        case Postponed() if command.until == state.until:
            return []
        case Pending() | Started() | Postponed():
            return [facts.GamePostponed(game=state.sheet.game, until=command.until, reason=command.reason)]


def resume(state: State, _: orders.ResumeGame) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Postponed():
            return [facts.GameResumed(game=state.sheet.game, then=status(state.before))]
        case Pending() | Started() | Reported() | Disputed() | Final():
            return []


def close(state: State, command: orders.CloseSheet) -> list[facts.Event]:
    if isinstance(state, UnknownSheet | Recalled):
        return []
    if has_begun(state):
        raise GameHasBegun(f"Game {state.sheet.game} has begun: the round stands.")
    closed = facts.SheetClosed(game=state.sheet.game, recall=command.recall)
    return [reopened(state.sheet), closed] if isinstance(state, Final) else [closed]


def reopened(sheet: Sheet, reason: str = "", *, stood: bool = True) -> facts.ReplayOrdered:
    """Nobody has to give a reason where what followed from who was not there stands no more."""
    return facts.ReplayOrdered(
        game=sheet.game, tournament=sheet.tournament, stage=sheet.stage, round=sheet.round, reason=reason, stood=stood
    )


def is_untouched(state: State) -> bool:
    """Whether nobody has sat down to it, or said anything of it, yet."""
    return isinstance(state, Pending | Postponed) and not has_begun(state)


def has_begun(state: State) -> bool:
    """Whether recalling its round would lose something."""
    match state:
        case UnknownSheet() | Recalled() | Pending() | Postponed(before=Pending()) | Final(unplayed=True):
            return False
        case Reported(before=Pending()):
            return not all(said.unplayed for said in state.reports)
        case Started() | Postponed() | Reported() | Disputed() | Final() | Voided():
            return True
