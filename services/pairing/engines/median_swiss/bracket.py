"""Brackets, and in which of them somebody has been moved."""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from services.pairing.engines.field import Player

type Way = Literal["down", "up"]

MIRRORED: dict[Way, Way] = {"down": "up", "up": "down"}


@dataclass(kw_only=True, eq=False)
class Bracket:
    """Those with equal points, and who has been moved in. `value` is in units of the field."""

    value: int
    members: list[Player] = field(default_factory=list[Player])  # best first

    @property
    def own(self) -> list[Player]:
        return [member for member in self.members if member.points == self.value]

    def moved(self, way: Way) -> list[Player]:
        """Who is here from above, or from below; also who comes back from somewhere is judged by the own points."""
        return [member for member in self.members if moved(member, self.value) == way]

    def come(self, player: Player) -> None:
        insort(self.members, player, key=lambda member: member.place)


def moved(player: Player, value: int) -> Way | None:
    """None: an own member of the bracket of this value."""
    return "down" if player.points > value else "up" if player.points < value else None


def worst_first(members: Sequence[Player]) -> list[Player]:
    return list(reversed(members))


def leaving_first(members: Sequence[Player], way: Way) -> list[Player]:
    """Downwards the worst leave first, upwards the best."""
    return worst_first(members) if way == "down" else list(members)


def coming_first(members: Sequence[Player], way: Way) -> list[Player]:
    """In exchange downwards the best come first, upwards the worst."""
    return leaving_first(members, MIRRORED[way])
