"""Othello championships played by chance, and their pairing found by trying everything."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import PairedRound, pair
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes
from shared.tournament.facts import Entrant, Facts, Game, Left, Result, Round, Settlement
from shared.tournament.progression import opening
from shared.tournament.ranking import rank
from tests.simulated import BY_LOT

RULESET = "othello-pl-2021"
PRELIMINARY = "preliminary"
SWISS: Changes = {"pairing.system": "cost-swiss", "pairing.meetings": 1}

type Vector = tuple[int, ...]  # b, c, d, e, f of OT.PAI-5
type Matching = tuple[tuple[str, str | None], ...]  # none is BYE


def championship(
    entrants: int,
    *,
    history: Iterable[int] = (),
    women: Iterable[int] = (),
    juniors: Iterable[int] = (),
    options: Changes | None = None,
) -> Facts:
    """P1, P2 and so on."""
    lists = {"women": set(women), "juniors": set(juniors)}
    return Facts(
        ruleset=with_options(catalogue.load(RULESET), options or {}),
        entrants={
            f"P{number}": Entrant(
                id=f"P{number}",
                number=number,
                history=number in set(history),
                lists=frozenset(name for name, members in lists.items() if number in members),
            )
            for number in range(1, entrants + 1)
        },
    )


def left(known: Facts, entrant: str, stage: str, after_round: int) -> Facts:
    return replace(known, left={**known.left, entrant: Left(stage=stage, after_round=after_round)})


def next_round(known: Facts, stage: str = PRELIMINARY) -> PairedRound:
    return pair(known, stage, lots=BY_LOT)


def result_of(known: Facts, table: SeatedTable, chance: random.Random) -> Result:
    """Whoever has left loses; otherwise the better number wins more often, and a game in eight is drawn."""
    one, other = (int(seat[1:]) for seat in table.seats)
    gone = [seat for seat, name in enumerate(table.seats) if name in known.left]
    first = table.first or table.option
    if gone:
        scores = (0, 64) if gone == [0] else (64, 0)
        return Result(scores=exactly(scores), points=points_of(scores), end="forfeit", by=frozenset(gone), first=first)
    if chance.random() < 0.125:
        return Result(scores=exactly((32, 32)), points=points_of((32, 32)), first=first, draw_wins=table.seats[-1])
    made = chance.randint(33, 64)
    is_upset = chance.random() < 0.3
    scores = (made, 64 - made) if (one < other) != is_upset else (64 - made, made)
    return Result(scores=exactly(scores), points=points_of(scores), first=first)


def exactly(scores: tuple[int, int]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, scores))


def points_of(scores: tuple[int, int]) -> tuple[Fraction, ...]:
    one, other = scores
    return (Fraction(1 + (one > other) - (one < other), 2), Fraction(1 + (other > one) - (other < one), 2))


def after(known: Facts, stage: str, pairing: PairedRound, chance: random.Random) -> Facts:
    """The facts when this round is played."""
    number = pairing.round
    games = tuple(
        Game(
            id=f"{stage}-{number}-{one.table}",
            table=one.table,
            seats=one.seats,
            first=one.first,
            option=one.option,
            match=one.match,
            number=one.number,
        )
        for one in pairing.pairs
    )
    results = {game.id: result_of(known, table, chance) for game, table in zip(games, pairing.pairs, strict=True)}
    stands = Round(stage=stage, number=number, games=games, byes=pairing.byes, missing=frozenset(pairing.missing))
    fields = known.fields
    if stage not in fields and stage != PRELIMINARY:
        fields = {**fields, stage: opening(known, stage).entrants}
    return replace(
        known,
        fields=fields,
        rounds={**known.rounds, (stage, number): stands},
        results={**known.results, **results},
        completed=known.completed | {(stage, number)},
    )


def with_lots(known: Facts) -> Facts:
    """As an official does after the preliminary rounds: draws for those who are still equal."""
    for equal in rank(known, PRELIMINARY).unresolved:
        lot = Settlement(stage=PRELIMINARY, kind="lot", order=tuple((one,) for one in sorted(equal.entrants)))
        known = replace(known, settled=(*known.settled, lot))
    return known


@dataclass
class Known:
    """What matters of somebody, read from the rounds themselves."""

    points: Fraction = Fraction(0)
    met: Counter[str | None] = field(default_factory=Counter[str | None])
    colours: list[int] = field(default_factory=list[int])  # 1 black, -1 white
    last_float: int = 0  # 1 up, -1 down


def histories(known: Facts) -> Mapping[str, Known]:
    found = {name: Known() for name in known.entrants}
    for (_, _), stands in sorted(known.rounds.items()):
        before = {name: one.points for name, one in found.items()}
        for name in stands.byes:
            found[name].met[None] += 1
            found[name].last_float = -1 if before[name] > 0 else found[name].last_float
            found[name].points += 1
        for game in stands.games:
            for seat, name in enumerate(game.seats):
                other = game.seats[1 - seat]
                found[name].met[other] += 1
                found[name].colours.append(1 if name == game.first else -1)
                if before[name] != before[other]:
                    found[name].last_float = 1 if before[other] > before[name] else -1
                found[name].points += known.results[game.id].points[seat]
    return found


def cost_of(known: Mapping[str, Known], one: str, other: str | None) -> Vector:
    """Of one pair, as the rules say it."""
    if other is None:
        alone = known[one]
        e = int(alone.points > 0 and alone.last_float == -1)
        return (int((2 * alone.points) ** 2), alone.met[None], sum(alone.colours) ** 2, e, 0)
    higher, lower = sorted((known[one], known[other]), key=lambda each: -each.points)
    difference = higher.points - lower.points
    floats = (higher.last_float == -1) + (lower.last_float == 1) if difference else 0
    choices = [
        (
            (sum(higher.colours) + colour) ** 2 + (sum(lower.colours) - colour) ** 2,
            sum(each.colours[-1:] == [its] for each, its in ((higher, colour), (lower, -colour))),
        )
        for colour in (1, -1)
    ]
    d, f = min(choices)
    return (int((2 * difference) ** 2), higher.met[other if higher is known[one] else one], d, floats, f)


def matchings(open_: Sequence[str | None]) -> Iterator[Matching]:
    """All ways to pair everybody."""
    if not open_:
        yield ()
        return
    one, *others = open_
    for other in others:
        rest = [each for each in others if each != other]
        if one is not None:
            yield from (((one, other), *more) for more in matchings(rest))


def best_vector(known: Facts, present: Sequence[str], meetings: int) -> Vector | None:
    """Of all pairings in which nobody meets anybody, or BYE, too often."""
    players = histories(known)
    everybody: list[str | None] = [*present, *([None] if len(present) % 2 else [])]
    costs = [
        tuple(map(sum, zip(*(cost_of(players, *two) for two in tried), strict=True)))
        for tried in matchings(everybody)
        if all(players[one].met[other] < meetings for one, other in tried)
    ]
    return min(costs, default=None)
