"""Whether what was acknowledged is what the platform tells afterwards: a comparison of two accounts, and nothing else.

It shares no code with the services. The table is worked out by a model of its own, `tests/naive_scrabble.py`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from shared.values import Value
from tests import naive_scrabble
from tests.naive_scrabble import Played, Sheet

type Scores = tuple[int, int]
type Line = Mapping[str, Any]  # of `/v1/log`: a position, and the record that stands there


class Acknowledged(Value):
    """Something about a result for which there was an answer."""

    kind: str  # of the record that has to be there
    game: str
    by: str  # the subject, where the record names one
    scores: Scores
    position: int  # that the answer has named: it is there by then


@dataclass
class Kept:
    """What those who acted in a hall have written down."""

    tournament: str = ""
    entrants: list[str] = field(default_factory=list[str])
    rounds: dict[int, Any] = field(default_factory=dict[int, Any])  # as they were published
    acknowledged: list[Acknowledged] = field(default_factory=list[Acknowledged])
    results: dict[str, Scores] = field(default_factory=dict[str, Scores])  # what counts in the end


class Told(Value):
    """What the platform tells of a tournament afterwards."""

    results: Sequence[Line]  # the log, of this tournament
    pairing: Sequence[Line]
    games: Mapping[str, Scores]  # as the lists of games have them
    table: Sequence[Mapping[str, Any]]


class Compared(Value):
    acknowledged: int
    lost: int  # acknowledged, and not there
    twice: int  # there more often than acknowledged
    unheard: int  # there, and acknowledged to nobody
    games: int  # of which another result is shown
    tables: int  # that do not follow from the results
    rounds: int  # published, and not there, or not once

    @property
    def is_whole(self) -> bool:
        return not any((self.lost, self.twice, self.unheard, self.games, self.tables, self.rounds))


def gaps(log: Sequence[Line]) -> int:
    """Positions of a log that are not the ones behind those before."""
    return sum(line["position"] != position for position, line in enumerate(log, start=1))


def compare(kept: Kept, told: Told) -> Compared:
    there = recorded(told.results)
    said = Counter((one.kind, one.game, one.by, one.scores) for one in kept.acknowledged)
    late = sum(
        bool(found := there.get((one.kind, one.game, one.by, one.scores))) and found[0] > one.position
        for one in kept.acknowledged
    )
    lost = sum(max(count - len(there.get(one, ())), 0) for one, count in said.items())
    published = Counter(
        line["record"]["data"]["round"] for line in told.pairing if line["record"]["type"] == "RoundPublished"
    )
    return Compared(
        acknowledged=said.total(),
        lost=lost + late,
        twice=sum(max(len(there.get(one, ())) - count, 0) for one, count in said.items()),
        unheard=sum(len(positions) for one, positions in there.items() if one not in said),
        games=sum(told.games.get(game) != scores for game, scores in kept.results.items())
        + len(told.games.keys() - kept.results.keys()),
        tables=int(not follows(kept, told.table)),
        rounds=sum(published[number] != 1 for number in kept.rounds.keys() | published.keys()),
    )


def acknowledgements(compared: Sequence[Compared]) -> Iterator[tuple[str, str]]:
    """What became of them in all tournaments, as rows of a table."""
    yield "acknowledged reports, decisions and corrections", f"{sum(one.acknowledged for one in compared)}"
    yield "of them lost", f"{sum(one.lost for one in compared)}"
    yield "of them recorded twice", f"{sum(one.twice for one in compared)}"
    yield "recorded, and acknowledged to nobody", f"{sum(one.unheard for one in compared)}"


def recorded(log: Sequence[Line]) -> Mapping[tuple[str, str, str, Scores], list[int]]:
    """Whatever somebody has said about a result, with all positions at which it stands."""
    found: dict[tuple[str, str, str, Scores], list[int]] = {}
    for line in log:
        kind, said = line["record"]["type"], line["record"]["data"]
        match kind:
            case "ResultReported":
                by, (one, other) = said["report"]["by"]["person"], said["report"]["result"]["scores"]
            case "ResultDecided" | "ResultCorrected":
                by, (one, other) = "", said["scores"]
            case _:
                continue
        found.setdefault((kind, said["game"], by, (one, other)), []).append(line["position"])
    return found


def follows(kept: Kept, table: Sequence[Mapping[str, Any]]) -> bool:
    """Places and values of everybody, who may share a place."""
    sheets = {entrant: Sheet() for entrant in kept.entrants}
    for _, published in sorted(kept.rounds.items()):
        games = [
            ((one["entrant"], other["entrant"]), kept.results[pair["game"]])
            for pair in published["pairs"]
            for one, other in [pair["seats"]]
        ]
        naive_scrabble.enter(sheets, Played(games=games, byes=[one["entrant"] for one in published["byes"]]))
    values = {entrant: naive_scrabble.criteria(sheets, entrant) for entrant in kept.entrants}
    expected = {entrant: (place(values, entrant), naive_scrabble.numbers(own)) for entrant, own in values.items()}
    return {row["entrant"]: (row["place"], row["values"]) for row in table} == expected


def place(values: Mapping[str, Mapping[str, Fraction]], entrant: str) -> int:
    own = naive_scrabble.rank(values[entrant])
    return 1 + sum(naive_scrabble.rank(other) < own for other in values.values())
