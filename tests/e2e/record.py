"""What a test itself has seen of a tournament: who plays, what was published, what it posted, what was decided."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.values import Value
from tests import naive_scrabble
from tests.naive_scrabble import Played, Row, Scores


class Post(Value):
    """A report that was acknowledged."""

    game: str
    by: str  # whom the log should name
    scores: Scores


@dataclass(kw_only=True)
class Record:
    entrants: list[str] = field(default_factory=list[str])
    rounds: dict[int, Any] = field(default_factory=dict[int, Any])  # as pairing has published them
    results: dict[str, Scores] = field(default_factory=dict[str, Scores])  # by game: what counts in the end
    posts: list[Post] = field(default_factory=list[Post])
    disputes: set[str] = field(default_factory=set[str])
    lots: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    def table(self) -> list[naive_scrabble.Row]:
        """What follows from all that, without any help of the product."""
        rounds = [self._played(published) for _, published in sorted(self.rounds.items())]
        return naive_scrabble.ranked(self.entrants, rounds, self.lots)

    def _played(self, published: Mapping[str, Any]) -> Played:
        games = [
            ((one, other), self.results[pair["game"]])
            for pair in published["pairs"]
            for one, other in [ids(pair["seats"])]
        ]
        return Played(games=games, byes=ids(published["byes"]))

    def posted(self) -> Counter[tuple[str, str, Scores]]:
        return Counter((post.game, post.by, post.scores) for post in self.posts)


def ids(players: Sequence[Mapping[str, str]]) -> list[str]:
    return [player["entrant"] for player in players]


def rows(standings: Iterable[Mapping[str, Any]]) -> list[Row]:
    """What has to be the same wherever a table comes from."""
    return [(row["place"], row["shared"], row["entrant"], row["values"]) for row in standings]
