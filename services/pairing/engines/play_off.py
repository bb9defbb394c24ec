"""The play-off that goes on from groups: the matches of the bracket whose sides are known, each a single one."""

from string import ascii_uppercase, digits

from services.pairing.engines.explaining import ordinal
from services.pairing.engines.field import Field
from services.pairing.engines.plan import MatchNotDecided, NotAvailable, Pair, Pairing, StageOver, named
from services.pairing.engines.starting import by_lot
from shared.rulesets.stages import BracketMatch
from shared.tournament.brackets import planned
from shared.tournament.fixtures import Fixture, fixtures

METHOD = "knockout"
SIDES = {"winner": "the winner", "loser": "the loser"}


def pair(field: Field) -> Pairing:
    plan = planned(field.facts, field.stage)
    if not plan:
        raise NotAvailable(f"The rules plan no matches for the stage {field.stage}: choose another pairing.system.")
    found = fixtures(field.facts, field.stage)
    if undecided := [one.match for one in found if one.game > one.games]:
        raise MatchNotDecided(
            f"{named(undecided)} ended in a draw and nobody has gone on yet: write down the deciding duels, or the lot "
            "after two drawn ones."
        )
    if not found:
        raise StageOver("All matches of the play-off are paired.")
    return Pairing(
        round=field.round,
        method=METHOD,
        pairs=tuple(seated(field, table, one, plan[one.match]) for table, one in enumerate(found, start=1)),
        explanation=(f"Round {field.round} of the play-off: {named(one.match for one in found)}.",),
    )


def seated(field: Field, table: int, fixture: Fixture, match: BracketMatch) -> Pair:
    start = by_lot(field, fixture.seats)
    sides = [f"{name} as {described(side)}" for name, side in zip(fixture.seats, match.sides, strict=True)]
    return Pair(
        table=table,
        seats=start.seats,
        first=start.seats[0],
        match=fixture.match,
        why=(f"{fixture.match}{played_for(match)}: {named(sides)}.", start.why),
    )


def described(side: str) -> str:
    """`A1` is a place in a group, `1` in the list before, `winner:QF1` where somebody comes from."""
    outcome, colon, match = side.partition(":")
    if colon:
        return f"{SIDES[outcome]} of {match}"
    place = f"the {ordinal(int(side.lstrip(ascii_uppercase)))}"
    return place if side.isdecimal() else f"{place} of group {side.rstrip(digits)}"


def played_for(match: BracketMatch) -> str:
    return "" if match.places is None else f", for place {match.places[0]}"
