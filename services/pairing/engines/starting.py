"""Who starts where the rules leave it to a lot: whoever of the two came out first in the lot of the round."""

from services.pairing.engines.field import Field
from shared.values import Value


class Start(Value):
    seats: tuple[str, str]  # the first starts
    why: str


def by_lot(field: Field, seats: tuple[str, str]) -> Start:
    """Who is not there starts nothing: the other one wins by default."""
    there = [one for one in seats if one in field.by_id]
    if len(there) == len(seats):
        first, second = sorted(seats, key=lambda one: field.by_id[one].lot)
        return Start(
            seats=(first, second), why=f"{first} starts: in the lot of this round it came out before {second}."
        )
    if not there:
        return Start(seats=seats, why="Neither of them is there.")
    (first,) = there
    (away,) = (one for one in seats if one != first)
    return Start(seats=(first, away), why=f"{away} is not there, so that {first} wins by default.")
