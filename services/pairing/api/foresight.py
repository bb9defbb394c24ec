"""What an act would change, for whoever only tries it."""

from collections.abc import Sequence
from datetime import datetime

from services.pairing.api.bodies import Foreseen
from services.pairing.domain.round.orders import AskRepair
from services.pairing.domain.round.states import Confirmed, Published, State
from services.pairing.domain.sheet import Breach, Doubt, Sheet, repaired


def of_override(state: State, before: Sheet, after: Sheet, breaches: Sequence[Breach]) -> Foreseen:
    old = {table.table: table.seats for table in before.tables}
    moved = [table for table in after.tables if old.get(table.table) != table.seats]
    return Foreseen(
        changes=[f"At table {table.table} will sit {', '.join(table.seats)}." for table in moved]
        + [f"{entrant} will rest." for entrant in before.entrants() if entrant not in set(after.entrants())]
        + [f"{entrant} will have the bye." for entrant in after.byes if entrant not in before.byes]
        + [f"{entrant} will be missing." for entrant in after.missing if entrant not in before.missing],
        lost=["The confirmation: the round has to be confirmed again."] if isinstance(state, Confirmed) else [],
        doubts=[breach.detail for breach in breaches if breach.binds],
        remarks=[breach.detail for breach in breaches if not breach.binds],
    )


def of_publication(
    number: int, sheet: Sheet, starts_at: str | None, planned: datetime | None, doubts: Sequence[Doubt]
) -> Foreseen:
    games, byes = len(sheet.tables), len(sheet.byes)
    with_byes = f" and {byes} bye{'s' if byes > 1 else ''}" if byes else ""
    start = starts_at or "when it is published"
    return Foreseen(
        changes=[f"Round {number} is published with {games} games{with_byes}; it starts {start}."],
        lost=["From then on only a recall or a repair changes it, and only games that have not begun."],
        doubts=[doubt.detail for doubt in doubts],
        remarks=[f"By the timetable of the rules it begins {planned.isoformat()}."] if planned else [],
    )


def of_recall(number: int, state: State) -> Foreseen:
    games = state.games if isinstance(state, Published) else ()
    return Foreseen(
        changes=[f"If no game has begun, round {number} counts as never published."],
        lost=[f"The {len(games)} score sheets of the round, with their ids."],
        doubts=[],
        remarks=[],
    )


def of_repair(state: State, command: AskRepair, breaches: Sequence[Breach]) -> Foreseen:
    if not isinstance(state, Published):
        return Foreseen(changes=[], lost=[], doubts=[], remarks=[])
    before = state.plan.sheet
    after = repaired(before, command.tables, command.byes, command.away, command.idle)
    foreseen = of_override(state, before, after, breaches)
    return Foreseen(
        changes=foreseen.changes,
        lost=["What was settled on these score sheets before the game, such as a choice or a line-up."],
        doubts=foreseen.doubts,
        remarks=foreseen.remarks,
    )
