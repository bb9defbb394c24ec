"""Which rules a round of groups or of a play-off breaks that was changed by hand: there the plan says who meets whom."""

from collections.abc import Iterator
from itertools import combinations

from services.pairing.engines import groups, knockout, play_off
from services.pairing.engines.field import Field
from services.pairing.engines.plan import Breach, Pair, Pairing, named
from services.pairing.engines.requirements import breach
from shared.tournament.fixtures import Fixture, fixtures
from shared.tournament.stages import groups_of

SYSTEMS = (groups.METHOD, play_off.METHOD)


def breaches(field: Field, pairing: Pairing) -> Iterator[Breach]:
    is_in_groups = field.settings.pairing.system == groups.METHOD
    yield from in_groups(field, pairing) if is_in_groups else in_bracket(field, pairing)


def in_groups(field: Field, pairing: Pairing) -> Iterator[Breach]:
    letters = groups_of(field.facts, field.stage)
    for pair in pairing.pairs:
        one, *others = pair.seats
        if any(field.met.get(one, {}).get(other) for other in others):
            yield of_pair(field, "met-before", pair, f"{named(pair.seats)} have met already.")
        if len({letters.get(seat) for seat in pair.seats} | {pair.group or letters.get(one)}) > 1:
            there = named(f"{seat} plays in group {letters.get(seat)}" for seat in pair.seats)
            yield of_pair(field, "other-group", pair, f"At table {pair.table} {there}.")
    seated = {seat for pair in pairing.pairs for seat in pair.seats}
    resting = [player.id for player in field.players if player.id not in seated]
    for one, other in combinations(resting, 2):
        if letters.get(one) == letters.get(other) and not field.met.get(one, {}).get(other):
            sentence = f"{one} and {other} both rest, but could play each other."
            yield breach(field, "soft", "could-play", sentence, (one, other))


def in_bracket(field: Field, pairing: Pairing) -> Iterator[Breach]:
    planned = {one.match: one for one in fixtures(field.facts, field.stage)}
    for pair in pairing.pairs:
        fixture = planned.get(pair.match or "")
        seats = None if fixture is None else fixture.seats
        if fixture is not None and set(fixture.seats) == set(pair.seats):
            yield from rights(field, pair, fixture)
        else:
            wanted = f"the bracket has {named(seats)} in {pair.match}" if seats else "the bracket has no such match now"
            yield of_pair(field, "not-in-bracket", pair, f"{named(pair.seats)} at table {pair.table}: {wanted}.")
    for fixture in planned.values():
        if set(fixture.seats) <= set(pairing.byes):
            sentence = f"{named(fixture.seats)} do not play {fixture.match}, which is theirs now."
            yield breach(field, "hard", "match-left-out", sentence, fixture.seats)


def rights(field: Field, pair: Pair, fixture: Fixture) -> Iterator[Breach]:
    """Who chooses, and who has black where nobody does: as places and earlier games of the match say."""
    if not knockout.goes_by_places(field.facts, field.stage):
        return
    choice = knockout.choice_in(field.facts, field.stage, fixture)
    if pair.option not in (None, choice.option):
        yield of_pair(
            field, "not-to-choose", pair, f"It is not for {pair.option} to choose in {fixture.match}: {choice.why}"
        )
    if choice.first is not None and pair.first not in (None, choice.first):
        yield of_pair(field, "colours", pair, f"{pair.first} is not to have black in {fixture.match}: {choice.why}")


def of_pair(field: Field, kind: str, pair: Pair, sentence: str) -> Breach:
    return breach(field, "hard", kind, sentence, pair.seats, [pair.table])
