"""How often everybody has sat at a table of three."""

from collections import Counter

from services.pairing.engines.field import Field
from shared.tournament.table_sizes import THREE


def times_at_three(field: Field) -> Counter[str]:
    facts = field.facts
    return Counter(
        seat
        for (stage, number), one in facts.rounds.items()
        if stage == field.stage and number < field.round
        for game in one.games
        if len(game.seats) == THREE and game.id not in facts.voided
        for seat in game.seats
    )
