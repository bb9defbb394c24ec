"""Tables of four and three, for everybody in every round: the qualification of Carcassonne.

1. There are as few tables of three as possible.
2. The first round is drawn by lot.
3. In a later round as few meetings as possible are repeated; then as few as possible sit at a table of three again
   while others have not; then the points at each table are as similar as possible.
4. As long as rounds without a repeated meeting can follow, for all that is left or as many as possible, a round leaves
   them possible. Of those that do it is the best by step 3.
5. Seats are drawn by lot, and the first of them begins. Tables are numbered from the top.
"""

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines.attendance import attendance_in, opened
from services.pairing.engines.field import Field
from services.pairing.engines.paired_round import NoPairing, NotAvailable, PairedRound
from services.pairing.engines.tables import explaining
from services.pairing.engines.tables.costs import COMPONENTS
from services.pairing.engines.tables.seating import TableSearch, TablesFound
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of
from shared.tournament.table_sizes import FOUR, THREE, sizes


def pair(field: Field, wanted: frozenset[str] = frozenset()) -> PairedRound:
    """`wanted`: two at one table, whatever it costs."""
    if field.settings.contest.seats != (THREE, FOUR):
        raise NotAvailable(f"Tables are for games of three and four, which the game of stage {field.stage} is not.")
    if (table_sizes := sizes(len(field.players))) is None:
        sentence = explaining.why_not(len(field.players), field.round, field.settings)
        raise NoPairing(sentence, entrants=tuple(player.id for player in field.players))
    found = TableSearch(field, table_sizes, wanted).find()
    if together := found.banned:
        raise NoPairing(explaining.why_together(field, together), entrants=together)
    return laid_out(field, found)


def none_for_so_many(facts: Facts, stage: str, number: int) -> str | None:
    """Why nobody can be seated in a round by the rules, if that is so."""
    settings = settings_of(facts, stage)
    if settings.pairing.system != "tables":
        return None
    there = len(attendance_in(opened(facts, stage), stage, number).present)
    return None if sizes(there) else explaining.why_not(there, number, settings)


def laid_out(field: Field, found: TablesFound) -> PairedRound:
    tables = [sorted(table, key=lambda player: player.lot) for table in found.tables]
    return PairedRound(
        round=field.round,
        method="tables",
        pairs=tuple(
            SeatedTable(
                table=number,
                seats=tuple(player.id for player in table),
                first=table[0].id,
                why=tuple(explaining.table_explained(field, found, table)),
            )
            for number, table in enumerate(tables, start=1)
        ),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=tuple(explaining.round_explained(field, found)),
        cost=found.sums,
        components=COMPONENTS,
        proved=found.is_proved,
    )
