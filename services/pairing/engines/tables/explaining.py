"""Why tables are as they are, in sentences for those who sit there."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from services.pairing.engines.explaining import LATER_ROUNDS, absences_explained, few, said, times
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.paired_round import named
from services.pairing.engines.tables.seating import TablesFound
from shared.rulesets.settings import Settings
from shared.tournament.table_sizes import FOUR, THREE


def why_not(players: int, round_: int, settings: Settings) -> str:
    """Why so many cannot be seated: one, two and five cannot, nor can nobody."""
    if not players:
        return f"Nobody is there to be seated in round {round_}."
    here = f"{players} player is" if players == 1 else f"{players} players are"
    return (
        f"{here} there in round {round_}, and tables have three or four seats: that is possible for 3, 4 and from "
        f"6 on, not for 1, 2 or 5{settings.pairing.by('seats')}. On a sheet that is made by hand somebody may sit out."
    )


def why_together(field: Field, two: Sequence[str]) -> str:
    return (
        f"No tables were found at which nobody sits who must not meet: {named(two)} would be at one in round "
        f"{field.round}."
    )


def round_explained(field: Field, found: TablesFound) -> Iterator[str]:
    yield sizes_explained(found)
    if field.round == 1:
        yield "The lot has made the tables of the first round."
    yield from absences_explained(field)
    yield from repeats_explained(field, found)
    yield from threes_explained(field, found)
    if field.round > 1:
        yield f"Differences of points between those at a table, doubled and squared: {found.sums[-1]}."
    if not found.is_cheapest:
        yield "Tables of more similar points would have left a later round without tables of strangers."


def sizes_explained(found: TablesFound) -> str:
    fours, threes = (sum(len(table) == size for table in found.tables) for size in (FOUR, THREE))
    players = FOUR * fours + THREE * threes
    parts = [f"{number} of {size}" for number, size in ((fours, "four"), (threes, "three")) if number]
    return f"{players} players: {tables(fours + threes)}, {named(parts)}."


def repeats_explained(field: Field, found: TablesFound) -> Iterator[str]:
    if field.round == 1:
        return
    again = [f"{one.id} and {other.id}" for table in found.tables for one, other in repeats(table)]
    if again:
        number = "1 meeting is" if len(again) == 1 else f"{len(again)} meetings are"
        which = "possible" if found.is_proved else "that were found"
        yield f"{number} repeated, the fewest {which}: {'; '.join(again[:6])}{'; …' if again[6:] else ''}."
    else:
        yield "Nobody meets anybody again."
    if found.rounds_kept < field.rounds - field.round:
        which = f"only the next {found.rounds_kept}" if found.rounds_kept else "none"
        yield f"{LATER_ROUNDS} {which} can be without repeated meetings, as far as can be seen."


def threes_explained(field: Field, found: TablesFound) -> Iterator[str]:
    here = [player for table in found.tables if len(table) == THREE for player in table]
    again = [player.id for player in here if found.times_at_three[player.id]]
    if not again:
        return
    most = max(found.times_at_three[one] for one in again)
    elsewhere = [player.id for player in field.players if player not in here]
    due = [one for one in elsewhere if found.times_at_three[one] < most]
    less = "to spare more repeated meetings, or who has been there more often still, though less often have been there"
    why = f"{less} {few(due)}" if due else "as everybody else has been"
    yield f"Again at a table of three, {why}: {few(again)}."


def table_explained(field: Field, found: TablesFound, table: Sequence[FieldPlayer]) -> Iterator[str]:
    if field.round == 1:
        yield "The lot has brought these players together."
    else:
        points = sorted({field.points(player) for player in table}, reverse=True)
        several = f"from {said(points[-1])} to {said(points[0])}" if len(points) > 1 else f"{said(points[0])} each"
        yield f"They have {several}."
    again = [f"{one.id} and {other.id} ({times(one.met[other.id])} before)" for one, other in repeats(table)]
    if again:
        yield f"Meeting again, since fewer repeated meetings were not found: {named(again)}."
    if len(table) == THREE:
        been = [one.id for one in table if found.times_at_three[one.id]]
        yield "A table of three; " + (f"{named(been)} sat at one before." if been else "nobody here sat at one before.")
    yield f"The lot has drawn the seats; {table[0].id} begins."


def repeats(table: Sequence[FieldPlayer]) -> Iterator[tuple[FieldPlayer, FieldPlayer]]:
    return ((one, other) for one, other in combinations(table, 2) if other.id in one.met)


def tables(number: int) -> str:
    return "1 table" if number == 1 else f"{number} tables"
