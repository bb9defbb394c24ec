"""What a test itself has seen of a tournament: who plays, what was published, what it posted, what was decided."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.cast import RULESET
from services.standings.calculate import ranked

type Scores = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Post:
    """A report that was acknowledged."""

    game: str
    by: str  # whom the log should name
    scores: Scores


@dataclass(kw_only=True)
class Record:
    entrants: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])  # as in a tournament file
    rounds: dict[int, Any] = field(default_factory=dict[int, Any])  # as pairing has published them
    results: dict[str, Scores] = field(default_factory=dict[str, Scores])  # by game: what counts in the end
    posts: list[Post] = field(default_factory=list[Post])
    disputes: set[str] = field(default_factory=set[str])
    lots: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    def enter(self, entrants: Mapping[str, int], *, from_round: int = 1) -> None:
        """In the order of their start numbers, with their ratings."""
        for entrant, rating in entrants.items():
            number = len(self.entrants) + 1
            self.entrants[entrant] = {"id": entrant, "number": number, "rating": rating, "from_round": from_round}

    def file(self) -> dict[str, Any]:
        """The whole tournament, for the calculators."""
        return {
            "format": "roundlog.tournament/1",
            "ruleset": RULESET,
            "entrants": list(self.entrants.values()),
            "rounds": [self._round(number, published) for number, published in sorted(self.rounds.items())],
            "decisions": [{"stage": "swiss", "kind": "lot", "order": list(order)} for order in self.lots],
        }

    def _round(self, number: int, published: Mapping[str, Any]) -> dict[str, Any]:
        games = [
            {
                "table": pair["table"],
                "seats": ids(pair["seats"]),
                "first": pair["first"],
                "scores": list(self.results[pair["game"]]),
            }
            for pair in published["pairs"]
        ]
        return {
            "number": number,
            "games": games,
            "byes": ids(published["byes"]),
            "missing": ids(published["missing"]),
        }

    def table(self) -> list[tuple[Any, ...]]:
        """What the calculator makes of it."""
        ranking = ranked(self.file())
        assert ranking.unresolved == []
        return rows(row.model_dump(exclude_none=True) for row in ranking.standings)

    def posted(self) -> Counter[tuple[str, str, Scores]]:
        return Counter((post.game, post.by, post.scores) for post in self.posts)


def ids(players: Sequence[Mapping[str, str]]) -> list[str]:
    return [player["entrant"] for player in players]


def rows(standings: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """What has to be the same wherever a table comes from."""
    return [(row["place"], row["shared"], row["entrant"], row["values"]) for row in standings]
