"""A result as it is said, which has to be about this game whatever the ruleset makes of it, and as it becomes final.

Then it has what the sheet knows besides, such as who began and who goes on.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict, replace

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.refusals import (
    EntrantHasLeft,
    MatchIsDecided,
    NoSuchDuel,
    NotAtThisTable,
    NotOfThisTable,
    NotTheDirector,
    OnlyForOwnSeat,
    StartIsFixed,
    StillDrawn,
)
from services.results.domain.sheet.states import (
    DRAWN,
    DUELS,
    GameTerms,
    Open,
    Result,
    Sheet,
    Speaker,
    Started,
    before_reports,
)
from shared.rulesets.play import AWARDED

ORDINALS = ("first", "second", "third", "fourth")


def require_at_table(sheet: Sheet, speaker: Speaker) -> None:
    if speaker.entrant is not None and speaker.entrant not in sheet.seats:
        raise NotAtThisTable("Your entrant does not play at this table: look for your own game in the list.")


def require_fitting(sheet: Sheet, result: Result) -> None:
    """Whatever the ruleset says of it, it has to be about this table."""
    if len(result.scores) != len(sheet.seats) or len(result.points) != len(sheet.seats):
        raise NotOfThisTable(f"This table has {len(sheet.seats)} seats: send a score for each.")
    for name, seats in (("by", result.by), ("unmoved", result.unmoved)):
        if seats and any(seat not in range(len(sheet.seats)) for seat in seats):
            raise NotOfThisTable(f"Seats are counted from 0 to {len(sheet.seats) - 1}: `{name}` names another one.")
    if result.first is not None and result.first not in sheet.seats:
        raise NotOfThisTable("Who started has to be one of the entrants at this table.")


def require_present(sheet: Sheet, result: Result, gone: Sequence[str]) -> None:
    """Who has left can only lose by default; what an official awards is for him to answer for."""
    if not gone:
        return
    left = next((seat for seat, entrant in enumerate(sheet.seats) if entrant in gone and seat not in result.by), None)
    if left is not None and result.end != AWARDED:
        raise EntrantHasLeft(
            f"The entrant at the {ORDINALS[left]} seat had left before this round: report the default against that seat, or let "
            "an arbiter or the director award or void the game."
        )


def require_signatures(sheet: Sheet, command: orders.ReportResult) -> None:
    details = command.details
    turns = [*details.bingos, *([details.highest_turn] if details.highest_turn else [])]
    seats = {*command.signed_by, *details.flags, *(turn.seat for turn in turns)}
    if not seats <= set(range(len(sheet.seats))):
        raise NotOfThisTable(f"Seats are counted from 0 to {len(sheet.seats) - 1}: the sheet names another one.")
    require_at_table(sheet, command.by)
    if command.by.entrant is not None and any(sheet.seats[seat] != command.by.entrant for seat in command.signed_by):
        raise OnlyForOwnSeat("You sign for your own seat only: the other side reports or confirms for itself.")


def require_needed(terms: GameTerms) -> None:
    if terms.surplus:
        raise MatchIsDecided(
            "Its match was decided by the games before it, so this one is not played: void it, or correct one of those."
        )


def require_director(terms: GameTerms, end: str, *, directs: bool) -> None:
    """An award of an official is a default by another name."""
    if not directs and terms.for_director and end in {*terms.for_director, AWARDED}:
        raise NotTheDirector(
            f"Whether a game ends as `{end}` is for the director of the tournament alone to decide: report what has happened, "
            "and it waits for them."
        )


def require_start(sheet: Sheet, first: str | None, terms: GameTerms) -> None:
    """Where the pairing says who begins, or a choice that was made, nobody at the table says otherwise."""
    planned = sheet.prepared.first or (None if sheet.option else sheet.first)
    if terms.first_is_fixed and None not in {first, planned} and first != planned:
        raise StartIsFixed("Who begins in this game is fixed: an official decides it if another one has begun.")


def require_decisive(sheet: Sheet, result: Result, terms: GameTerms) -> None:
    """From a play-off match somebody has to go on: by deciding duels, each only after a drawn one, or by an option."""
    duels = result.deciding
    if duels and not (result.is_drawn and terms.deciding):
        raise NoSuchDuel("A deciding duel is played only after a drawn match of a play-off.")
    if len(duels) > terms.deciding:
        raise NoSuchDuel(f"There are {terms.deciding} deciding duels at most; then a lot decides.")
    if any(duel != DRAWN for duel in duels[:-1]):
        raise NoSuchDuel("A second deciding duel is played only when the first was drawn.")
    if not result.is_drawn or result.end == AWARDED:
        return
    if terms.by_lot and (not duels or (duels[-1] == DRAWN and len(duels) < terms.deciding)):
        raise StillDrawn("The match is drawn: play a deciding duel, and say in `deciding` who has won it.")
    if terms.option and sheet.option is not None and draw_wins(sheet, result) is None:
        raise StillDrawn("The game is drawn: record first who had taken the draw, or who the colour.")


def draw_wins(sheet: Sheet, result: Result) -> str | None:
    return sheet.prepared.draw_wins or result.draw_wins


def awaits_lot(result: Result, terms: GameTerms) -> bool:
    """All that could decide the match was drawn."""
    return (
        terms.by_lot
        and result.winner is None
        and len(result.deciding) == terms.deciding > 0
        and result.deciding[-1] == DRAWN
    )


def agreed(state: Open, result: Result, *, how: str, confirmed_by: Speaker | None = None) -> facts.ResultAgreed:
    return concluded(facts.ResultAgreed, state.sheet, completed(state, result), how=how, confirmed_by=confirmed_by)


def concluded[E: (facts.ResultAgreed, facts.ResultDecided, facts.ResultCorrected)](
    kind: type[E], sheet: Sheet, result: Result, **more: Any
) -> E:
    """Each of these facts names its game and the whole result, so that neighbours can be told it from this alone."""
    return kind(
        game=sheet.game,
        tournament=sheet.tournament,
        stage=sheet.stage,
        round=sheet.round,
        seats=sheet.seats,
        **asdict(result),
        **more,
    )


def completed(state: Open, result: Result) -> Result:
    """With what the sheet knows besides: who began, for whom a draw wins, who has won the deciding duels."""
    first, by_draw = starter(state, result), draw_wins(state.sheet, result)
    is_whole = (first, by_draw) == (result.first, result.draw_wins)
    return with_winner(state.sheet, result if is_whole else replace(result, first=first, draw_wins=by_draw))


def with_winner(sheet: Sheet, result: Result) -> Result:
    last = result.deciding[-1] if result.deciding else None
    if not isinstance(last, int):
        return result
    return replace(result, winner=sheet.seats[last], decided_by=DUELS[len(result.deciding) - 1])


def starter(state: Open, result: Result) -> str | None:
    """Who really started: by the result, or as it was said when the game began."""
    before = before_reports(state)
    return result.first or (before.first if isinstance(before, Started) else None) or state.sheet.prepared.first
