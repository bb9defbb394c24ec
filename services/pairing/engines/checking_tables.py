"""Which rules tables of three and four break that were made by hand. Repeated meetings are shown, and allowed."""

from collections.abc import Iterator
from itertools import combinations

from services.pairing.engines.explaining import few
from services.pairing.engines.field import Field
from services.pairing.engines.plan import Breach, Pair, Pairing
from services.pairing.engines.requirements import breach
from services.pairing.engines.tables.times import times_at_three
from shared.tournament.table_sizes import FOUR, THREE, are_right, sizes


def breaches(field: Field, pairing: Pairing) -> Iterator[Breach]:
    yield from of_sizes(field, pairing)
    for pair in pairing.pairs:
        yield from of_meetings(field, pair)
    yield from of_threes(field, pairing)
    for one in pairing.byes:
        yield breach(field, "hard", "bye-not-needed", f"{one} has a bye, but at tables everybody plays.", (one,))


def of_sizes(field: Field, pairing: Pairing) -> Iterator[Breach]:
    seats = [len(pair.seats) for pair in pairing.pairs]
    for pair in pairing.pairs:
        if len(pair.seats) not in (THREE, FOUR):
            sentence = f"At table {pair.table} sit {len(pair.seats)}, not three or four."
            yield breach(field, "hard", "not-three-or-four", sentence, pair.seats, [pair.table])
    wanted = sizes(sum(seats))
    if wanted is not None and not are_right(seats):
        sentence = (
            f"{sum(seats)} players sit at {wanted.count(FOUR)} tables of four and {wanted.count(THREE)} of three, not at "
            f"{seats.count(FOUR)} and {seats.count(THREE)}."
        )
        yield breach(field, "hard", "wrong-sizes", sentence)


def of_meetings(field: Field, pair: Pair) -> Iterator[Breach]:
    for one, other in combinations(pair.seats, 2):
        if field.met.get(one, {}).get(other):
            sentence = f"{one} and {other} have met already."
            yield breach(field, "soft", "met-before", sentence, (one, other), [pair.table])
        if field.is_banned(one, other, field.round):
            sentence = f"{one} and {other} must not meet in round {field.round}."
            yield breach(field, "hard", "banned", sentence, (one, other), [pair.table])


def of_threes(field: Field, pairing: Pairing) -> Iterator[Breach]:
    """Somebody sits at a table of three again, and somebody who has been there less often does not."""
    before = times_at_three(field)
    now = {seat: pair.table for pair in pairing.pairs if len(pair.seats) == THREE for seat in pair.seats}
    others = [player.id for player in field.players if player.id not in now]
    for one, table in now.items():
        if due := [other for other in others if before[other] < before[one]]:
            sentence = f"{one} sits at a table of three again, and has been there more often than {few(due)}."
            yield breach(field, "soft", "three-again", sentence, (one,), [table])
