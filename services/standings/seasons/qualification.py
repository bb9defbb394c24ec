"""Who qualifies: the reigning champion and the best by the sum of all their results."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from services.standings.seasons.cup import CupSum, Earned, Earnings, best
from services.standings.seasons.file import SeasonFile, Settled
from shared.rulesets.season import Breaker, Cut
from shared.values import Value

type Key = tuple[Fraction | int | tuple[Fraction | int, ...], ...]  # the smaller, the better


class QualificationSum(Value):
    place: int
    player: str
    points: Fraction
    qualified: bool
    champion: bool


class Qualification(Value):
    rows: tuple[QualificationSum, ...]
    unresolved: tuple[str, ...] = ()  # equal at the cut, where not all of them advance
    places_left: int = 0  # for those
    decided: tuple[tuple[str, ...], ...] = ()  # between whom a lot or a decision counts, best first

    @property
    def reserves(self) -> tuple[str, ...]:
        """They are called in this order."""
        return tuple(row.player for row in self.rows if not row.qualified)


class Contender(Value):
    player: str
    champion: bool
    results: tuple[Earned, ...]  # that count, the best first

    @property
    def points(self) -> Fraction:
        return sum((one.points for one in self.results), Fraction(0))


def qualification(cut: Cut, file: SeasonFile, earned: Earnings, table: tuple[CupSum, ...]) -> Qualification:
    """Who took part in anything that counts, and the champion, best first."""
    cup_places = {row.player: row.place for row in table}
    contenders = [
        contender
        for player in file.players
        for contender in [
            Contender(
                player=player.id,
                champion=player.champion and cut.champion,
                results=tuple(one for one in best(earned[player.id], cut.kinds) if not one.bonus),
            )
        ]
        if contender.results or contender.champion
    ]
    equal_keys = {one.player: key(cut, one, cup_places) for one in contenders}
    decided = counting(contenders, equal_keys, file.decisions)
    keys = equal_keys | {
        player: (*equal_keys[player], place) for order in decided for place, player in enumerate(order)
    }
    contenders.sort(key=lambda one: (keys[one.player], one.player))
    field = file.field or cut.field
    through, equal = advancing(contenders, keys, field, all_equal=cut.all_equal_advance)
    better = {keys[one.player]: index for index, one in reversed([*enumerate(contenders)])}
    return Qualification(
        rows=tuple(
            QualificationSum(
                place=better[keys[one.player]] + 1,
                player=one.player,
                points=one.points,
                qualified=one.champion or one.player in through,
                champion=one.champion,
            )
            for one in contenders
        ),
        unresolved=equal,
        places_left=field - len(through) - sum(one.champion for one in contenders) if equal else 0,
        decided=decided,
    )


def key(cut: Cut, contender: Contender, cup_places: Mapping[str, int]) -> Key:
    return (-contender.points, *(tie_break(breaker, contender, cup_places) for breaker in cut.ties))


def tie_break(
    breaker: Breaker, contender: Contender, cup_places: Mapping[str, int]
) -> Fraction | int | tuple[Fraction | int, ...]:
    match breaker:
        case "cup-place":
            return cup_places.get(contender.player, len(cup_places) + 1)
        case "best-results":
            return tuple(-one.points for one in contender.results if one.points)
        case "tournaments":
            return -len(contender.results)
        case "field-sizes":
            sizes = [(-one.points, -len(one.tournament.places)) for one in contender.results]
            return tuple(size for _, size in sorted(sizes))


def counting(
    contenders: Sequence[Contender], keys: Mapping[str, Key], decisions: Sequence[Settled]
) -> tuple[tuple[str, ...], ...]:
    """A decision counts between just those who are equal; the champion is in whatever they are decided by."""
    equal: dict[Key, set[str]] = {}
    for one in contenders:
        if not one.champion:
            equal.setdefault(keys[one.player], set()).add(one.player)
    return tuple(decision.order for decision in decisions if {*decision.order} in equal.values())


def advancing(
    contenders: list[Contender], keys: Mapping[str, Key], field: int, *, all_equal: bool
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Who of them goes on beside the champion, and who cannot be told apart at the cut."""
    ranked = [one.player for one in contenders if not one.champion]
    places = field - (len(contenders) - len(ranked))
    if len(ranked) <= places or places <= 0:
        return frozenset(ranked if places > 0 else ()), ()
    last, next_one = keys[ranked[places - 1]], keys[ranked[places]]
    if last != next_one:
        return frozenset(ranked[:places]), ()
    clear = [player for player in ranked if keys[player] < last]
    equal = tuple(player for player in ranked if keys[player] == last)
    return (frozenset([*clear, *equal]), ()) if all_equal else (frozenset(clear), equal)
