"""The final list where the best are found by play-offs and matches, and equal points are equal places below them."""

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from shared.numbers import Exact
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Players, Podium, Windows
from shared.tournament.brackets import Course, in_order, matches_of
from shared.tournament.facts import Facts
from shared.tournament.ordering import Row, separating
from shared.tournament.stages import begun, gone_before, gone_by_the_end
from shared.values import Value


class PlayOff(Value):
    """Two with equal points about the edge of those who play on; the first is placed higher."""

    match: str
    entrants: tuple[str, str]
    winner: str | None = None


class Finalists(Value):
    """Those who play on, in the order of their stage, and who still has to play for it."""

    sure: tuple[str, ...]
    open: tuple[str, ...] = ()


def eligible(facts: Facts, stage: str, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Whoever has not left by the end of a stage."""
    gone = gone_by_the_end(facts, stage)
    return tuple(row for row in rows if row.entrant not in gone)


def there_for(facts: Facts, stage: str, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Whoever has not left before a stage begins."""
    gone = gone_before(facts, stage)
    return tuple(row for row in rows if row.entrant not in gone)


def play_offs(facts: Facts, podium: Podium, rows: Sequence[Row]) -> tuple[PlayOff, ...]:
    """The windows of equal points, with who has won them; `rows` are those of all, best first."""
    if podium.play_offs is None:
        return ()
    field = stage_of(facts.ruleset, podium.play_offs).field
    candidates = eligible(facts, podium.stage, rows)
    windows = field.places if isinstance(field, Windows) else ()
    order = [row.entrant for row in rows]
    winners = {frozenset(one.entrants): one.winner for one in matches_of(facts, podium.play_offs, order).values()}
    found: list[PlayOff] = []
    for better, worse in windows:
        pair = (candidates[better - 1], candidates[worse - 1]) if worse <= len(candidates) else None
        if pair is not None and points(pair[0]) == points(pair[1]):
            entrants = (pair[0].entrant, pair[1].entrant)
            winner = winners.get(frozenset(entrants))
            found.append(PlayOff(match=f"{better}-{worse}", entrants=entrants, winner=winner))
    return tuple(found)


def points(row: Row) -> Exact:
    return row.values.get("points", 0)


def finalists(facts: Facts, podium: Podium, rows: Sequence[Row], *, of_list: Sequence[str] = ()) -> Finalists:
    """The best who are not in a play-off, and the winners of those; for whoever leaves after it the next one comes. `of_list`
    are the semifinals and the final of a list, before which there are no play-offs."""
    order = [row.entrant for row in rows]
    stages = of_list or (podium.semifinals, podium.final)
    begun_with = next((facts.fields[stage] for stage in stages if facts.fields.get(stage)), ())
    if begun_with:
        return Finalists(sure=tuple(sorted(begun_with, key=order.index)))
    candidates = [row.entrant for row in eligible(facts, podium.stage, rows)]
    there = {row.entrant for row in there_for(facts, stages[0], rows)}
    played = () if of_list else play_offs(facts, podium, rows)
    paired = {entrant for one in played for entrant in one.entrants}
    winners = {one.winner for one in played}
    sure = [name for name in candidates[: podium.places] if name not in paired and name in there]
    sure += [name for name in candidates if name in winners and name in there]
    open_yet = [name for one in played if one.winner is None for name in one.entrants]
    if not open_yet:
        next_ones = [name for name in candidates if name in there and name not in sure]
        sure += next_ones[: max(podium.places - len(sure), 0)]
    return Finalists(sure=tuple(sorted(sure, key=candidates.index)), open=tuple(sorted(open_yet, key=candidates.index)))


def placed(facts: Facts, stages: Sequence[str], among: Finalists, order: Sequence[str]) -> tuple[list[list[str]], bool]:
    """Those who play on, place by place: as they came, until a match of theirs is decided; and whether one is."""
    course = Course.of(facts, [stage for stage in stages if is_known(facts, stage)], order)
    if not any(one.winner is not None for one in course.played.values()):
        return [[name] for name in among.sure] + ([list(among.open)] if among.open else []), False
    several = [*among.sure, *among.open]
    reached = in_order({name: course.span(name, most=len(several)) for name in several})
    several.sort(key=reached.__getitem__)
    return [list(equal) for _, equal in groupby(several, reached.__getitem__)], True


def is_known(facts: Facts, stage: str) -> bool:
    """Whether it has begun, or the one whose matches lead to it."""
    field = stage_of(facts.ruleset, stage).field
    return begun(facts, stage) or (isinstance(field, Players) and begun(facts, field.stage))


def below(rows: Sequence[Row], top: Container[str], lost: Container[str] = ()) -> list[list[str]]:
    """Everybody else, by points alone. Who has lost a play-off is fifth: whoever has left with more points stands there too."""
    rest = [row for row in rows if row.entrant not in top]
    level = min((points(row) for row in rest if row.entrant in lost), default=None)

    def counting(row: Row) -> Exact:
        return points(row) if level is None else min(points(row), level)

    return [[row.entrant for row in equal] for _, equal in groupby(sorted(rest, key=counting, reverse=True), counting)]


def numbered(rows: Sequence[Row], places: Sequence[Sequence[str]], *, by_matches: Container[str]) -> Iterator[Row]:
    """The rows again, with these places."""
    known: Mapping[str, Row] = {row.entrant: row for row in rows}
    place = 1
    for equal, following in zip(places, [*places[1:], None], strict=False):
        for name in equal:
            row, is_last = known[name], name == equal[-1]
            yield Row(
                place=place,
                shared=len(equal) > 1,
                entrant=name,
                values={**row.values, "bracket": Fraction(place)} if name in by_matches else row.values,
                beside=row.beside,
                stage=row.stage,
                separated_by=reason(row, known[following[0]], by_matches) if following and is_last else None,
            )
        place += len(equal)


def reason(above: Row, below: Row, by_matches: Container[str]) -> str:
    """The criterion, where it speaks for the one above; otherwise the matches."""
    if above.place > below.place or (above.entrant in by_matches and below.entrant in by_matches):
        return "bracket"
    return separating(above.values, below.values) or "bracket"
