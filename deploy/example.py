"""A small whole tournament file of each ruleset: entrants, a round that was played, and one that can be paired."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import cast

from deploy.demo.cast import PLAYERS
from services.pairing.calculate import PairShown, paired
from shared.numbers import shown
from shared.rulesets import catalogue
from shared.rulesets.play import Scoring
from shared.rulesets.settings import announces_advance, settings

type File = dict[str, object]

SIZE = 8  # of every game it is a field that can be paired
CARRIED = 10  # points, where some are brought along


def example(ruleset_id: str) -> File:
    """Paired as the rules want it, with results such as the game has."""
    ruleset = catalogue.load(ruleset_id)
    first = ruleset.stages[0].id
    holds = settings(ruleset, first, size=SIZE)
    players = PLAYERS[:SIZE]
    file: File = {"format": "roundlog.tournament/1", "ruleset": ruleset_id}
    if holds.pairing.field == "fixed":
        file["options"] = {"pairing.field": "any"}
    file |= {"stage": first, "seed": 2026}
    if announces_advance(ruleset):
        file["advance"] = SIZE // 2
    carried = {"carried": CARRIED} if ruleset.scoring.carry else {}
    file["entrants"] = [
        {"id": chr(ord("A") + index), "name": one.name, "number": index + 1, "rating": one.rating} | carried
        for index, one in enumerate(players)
    ]
    file["rounds"] = []
    round_ = paired(file)
    file["rounds"] = [{"number": 1, "games": [game(pair, holds.scoring) for pair in round_.pairs]}]
    return file


def in_json(ruleset_id: str) -> bytes:
    """An entrant and a game a line, as people write it."""
    file = example(ruleset_id)
    (round_,) = cast("list[Mapping[str, Sequence[object]]]", file["rounds"])
    lines = [f"  {text(name)}: {text(value)}" for name, value in file.items() if name not in {"entrants", "rounds"}]
    entrants = ",\n".join(f"    {text(one)}" for one in cast("list[object]", file["entrants"]))
    games = ",\n".join(f"      {text(one)}" for one in round_["games"])
    lines.append(f'  "entrants": [\n{entrants}\n  ]')
    lines.append(f'  "rounds": [\n    {{"number": 1, "games": [\n{games}\n    ]}}\n  ]')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def game(pair: PairShown, scoring: Scoring) -> File:
    named: File = {"group": pair.group, "match": pair.match, "game": pair.game}
    place: File = {"table": pair.table, "seats": pair.seats, "first": pair.first or pair.seats[0]}
    place.update((name, value) for name, value in named.items() if value is not None)
    place["scores"] = scores(pair, scoring)
    return place


def scores(pair: PairShown, scoring: Scoring) -> Sequence[int | float]:
    """The first seat wins at odd tables, the second at even ones."""
    total = scoring.total or 0
    more = pair.table
    match scoring.score:
        case "win-loss":
            found = (1, 0)
        case "fixed-sum":
            found = (shown(Fraction(total + 8, 2) + more), shown(Fraction(total - 8, 2) - more))
        case "duels":
            found = (shown(Fraction(total - 2)), 2)
        case "pair" | "list":
            found = (380 + 11 * more, 352 - 7 * more, 301 - 3 * more, 288)[: len(pair.seats)]
    return found if more % 2 else (found[1], found[0], *found[2:])
