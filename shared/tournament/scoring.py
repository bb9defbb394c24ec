"""What scores a game can have, and the points that follow from them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal

from shared.numbers import Exact, in_words, shown
from shared.rulesets.play import Scoring

type FlagCap = Literal["counted", "success-only"] | None

POINTS_APART = frozenset(
    {"scrabble"}
)  # games in which an award may give each side its points by itself, such as 1 and a half
NOTHING = Fraction(0)
PAIR = (0, 1)  # seats
DECIDED = frozenset({(Fraction(1), NOTHING), (NOTHING, Fraction(1)), (Fraction(1, 2), Fraction(1, 2))})
FORFEITED = DECIDED | {(NOTHING, NOTHING)}


def points_of(scoring: Scoring, scores: Sequence[Exact], *, by: Iterable[int] = ()) -> tuple[Fraction, ...]:
    """Whoever is at fault has lost, whatever the scores say; two at fault have both lost."""
    at_fault = frozenset(by)
    if scoring.placement is not None:
        return placed(scoring.placement, scores)
    if at_fault:
        return tuple(scoring.loss if seat in at_fault else scoring.win for seat in range(len(scores)))
    ratios = [score.as_integer_ratio() for score in scores]
    if {below for _, below in ratios} == {1}:  # whole numbers, as most are, are compared several times faster
        return by_best(scoring, [above for above, _ in ratios])
    return by_best(scoring, scores)


def by_best(scoring: Scoring, scores: Sequence[Exact]) -> tuple[Fraction, ...]:
    best = max(scores)
    if scores.count(best) == len(scores):
        return (scoring.draw,) * len(scores)
    return tuple([scoring.win if score == best else scoring.loss for score in scores])


def placed(placement: Sequence[Fraction], scores: Sequence[Exact]) -> tuple[Fraction, ...]:
    """By the place at the table: equal scores share the points of the places that they take together."""
    points: list[Fraction] = []
    for score in scores:
        above = sum(1 for other in scores if other > score)
        shared = placement[above : above + scores.count(score)]
        points.append(sum(shared, NOTHING) / len(shared))
    return tuple(points)


def counted(flag_cap: FlagCap, scores: Sequence[Exact], by: Collection[int]) -> Sequence[Exact]:
    """What counts of the scores: whoever has lost by the clock has at most one less than the opponent."""
    return scores if flag_cap != "counted" or len(scores) != len(PAIR) or len(by) != 1 else capped(scores, *by)


def capped(scores: Sequence[Exact], loser: int) -> Sequence[Exact]:
    """Never below nothing, and never more than it was."""
    most = max(scores[1 - loser] - 1, NOTHING)
    return tuple(min(score, most) if seat == loser else score for seat, score in enumerate(scores))


def score_faults(
    scoring: Scoring, scores: Sequence[Fraction], *, both_at_fault: bool
) -> Iterator[tuple[int | None, str]]:
    """Why a game cannot have these scores: each sentence with the seat that it is about, or none for all of them."""
    for seat, score in enumerate(scores):
        if score.denominator != 1 and scoring.score != "win-loss":
            yield seat, f"should be a whole number, not {shown(score)}"
        if score.numerator < 0 and not scoring.negative:
            yield seat, f"should not be below zero, as {shown(score)} is"
    yield from ((None, sentence) for sentence in sum_faults(scoring, scores, both_at_fault=both_at_fault))


def point_faults(scoring: Scoring, points: Sequence[Fraction]) -> Iterator[tuple[int, str]]:
    """An official may set other points than the scores give, but none that no game gives: each sentence with its seat."""
    best = max(scoring.placement) if scoring.placement else scoring.win
    for seat, number in enumerate(points):
        if not 0 <= number <= best:
            yield seat, f"should be between 0 and {best}"


def unearned(scoring: Scoring, scores: Sequence[Fraction], points: Sequence[Fraction]) -> str | None:
    """Why no game gives these points together, beside scores that it can have. Nothing for anybody is for all who have lost."""
    if not any(points):
        return None
    if scoring.placement is not None:
        return beyond_places(scoring.placement[: len(points)], points)
    if scoring.score in ("fixed-sum", "win-loss"):
        return besides_scores(scoring, scores, points)
    lost = {scoring.loss, NOTHING}
    if len(points) != len(PAIR):
        known = {scoring.win, scoring.draw, *lost}.issuperset(points)
    else:
        known = set(points) <= lost or set(points) == {scoring.draw} or (scoring.win in points and min(points) in lost)
    if known:
        return None
    outcomes = ((scoring.win, scoring.loss), (scoring.loss, scoring.win), (scoring.draw, scoring.draw))
    return f"should be what a game gives, {', '.join(map(side_by_side, outcomes))}, or nothing for who has lost"


def besides_scores(scoring: Scoring, scores: Sequence[Fraction], points: Sequence[Fraction]) -> str | None:
    """Where scores say who has won, nobody else has; but both may have lost."""
    lost = (scoring.loss,) * len(scores)
    follows = points_of(scoring, scores) if any(scores) else lost
    if tuple(points) in (follows, lost):
        return None
    return (
        f"should be {side_by_side(follows)} beside {side_by_side(scores)}, or 0 for each where both have lost: if the game is awarded "
        "otherwise, send scores that say so too"
    )


def beyond_places(placement: Sequence[Fraction], points: Sequence[Fraction]) -> str | None:
    """Whoever has lost a place may get nothing; all others have what the places of one order at the table bring."""
    given = Counter(point for point in points if point != NOTHING)
    if any(given <= Counter(shared_by(placement, sizes)) for sizes in orders(len(placement))):
        return None
    alone = ", ".join(map(in_words, sorted(placement)))
    return f"should be what the places of one game bring together, {alone}, shared where they are equal, or nothing"


def orders(seats: int) -> Iterator[tuple[int, ...]]:
    """How many share each place, from the first on: every way in which so many can be equal."""
    if not seats:
        yield ()
    for size in range(1, seats + 1):
        yield from ((size, *rest) for rest in orders(seats - size))


def shared_by(placement: Sequence[Fraction], sizes: Iterable[int]) -> Iterator[Fraction]:
    start = 0
    for size in sizes:
        yield from [sum(placement[start : start + size], NOTHING) / size] * size
        start += size


def side_by_side(numbers: Iterable[Fraction]) -> str:
    return ":".join(map(in_words, numbers))


def sum_faults(scoring: Scoring, scores: Sequence[Fraction], *, both_at_fault: bool) -> Iterator[str]:
    if scoring.score in ("pair", "list"):
        return
    total = sum(scores, NOTHING)
    match scoring.score:
        case "fixed-sum":
            if total != scoring.total:
                yield f"should add up to {scoring.total}, not to {shown(total)}"
        case "duels":
            if scoring.total is not None and total > scoring.total:
                yield f"should add up to {scoring.total} at most, not to {shown(total)}"
            if total % 2:
                yield f"should add up to an even number, since each duel has two points, not to {shown(total)}"
        case "win-loss":
            if tuple(scores) not in (FORFEITED if both_at_fault else DECIDED):
                yield "should be 1 and 0, or a half each"
