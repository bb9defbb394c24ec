"""What a ruling would change: on the sheet, and in which rounds that were published since."""

from collections.abc import Iterator, Mapping, Sequence

from services.results.api.games.views import between, counted_scores
from services.results.api.rulings.bodies import RoundPublishedSince
from services.results.domain.sheet.states import Final, KnownSheet, Result, reports_of, winning_seat
from services.results.projection import RoundRow
from services.results.tournaments import KnownTournament


def changes(before: KnownSheet, after: KnownSheet, called: Mapping[str, str]) -> Iterator[str]:
    """Sentence by sentence, by the names that whoever asks is shown."""
    seats = after.sheet.seats
    names = [called.get(seat, seat) for seat in seats]
    stood = before.result if isinstance(before, Final) else None
    if not isinstance(after, Final):
        return
    right = after.result
    table = f"Table {after.sheet.table}"
    if stood is None:
        yield f"{table}: {between(names, right)} is final."
        return
    yield f"{table}: {between(names, right)} instead of {between(names, stood)}."
    if winning_seat(right, seats) != winning_seat(stood, seats):
        yield f"{won(right, seats, names)[0]}; until now {won(stood, seats, names)[1]}."
    if right.points != stood.points:
        yield f"The points become {counted_scores(right.points)} instead of {counted_scores(stood.points)}."


def won(result: Result, seats: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """Who has won, and who had."""
    match winning_seat(result, seats):
        case None:
            return "Nobody has won", "nobody had won"
        case "draw":
            return "The game is drawn", "it was drawn"
        case seat:
            return f"{names[seat]} has won", f"{names[seat]} had won"


def lost(state: KnownSheet, called: Mapping[str, str]) -> list[str]:
    names = [called.get(seat, seat) for seat in state.sheet.seats]
    if isinstance(state, Final):
        return [f"The result {between(names, state.result)}."]
    return [f"Report {said.number}, {between(names, said.result)}." for said in reports_of(state)]


def published_since(
    rounds: Sequence[RoundRow], stage: str, number: int, known: KnownTournament
) -> list[RoundPublishedSince]:
    """Later rounds of the stage, and those of the stages behind it: they were paired by what stood then."""
    order = known.stages() if known.facts is not None else [stage]
    behind = order[order.index(stage) + 1 :] if stage in order else []
    return [
        RoundPublishedSince(stage=row.stage, round=row.round, complete=row.complete and not row.missing)
        for row in sorted(rounds, key=lambda row: (order.index(row.stage) if row.stage in order else 0, row.round))
        if row.stage in behind or (row.stage == stage and row.round > number)
    ]
