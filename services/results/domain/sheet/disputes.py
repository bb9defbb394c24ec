"""What makes the reports of one game a dispute: two of them differ, or somebody objects."""

from collections.abc import Collection, Sequence
from itertools import combinations

from services.results.domain.sheet.states import GivenReport, Result, SheetObjection

DISPUTED = "disputed"  # so events say that a report has led to one


def is_disputed(reports: Sequence[GivenReport], objections: Collection[SheetObjection]) -> bool:
    return bool(objections) or not all_agree(reports)


def all_agree(reports: Sequence[GivenReport]) -> bool:
    return len(reports) <= 1 or all(agree(one.result, other.result) for one, other in combinations(reports, 2))


def agree(one: Result, other: Result) -> bool:
    """Tell whether they have the same outcome. Who says nothing of who started or moved does not contradict."""
    return (
        (one.scores, one.points, one.end, one.by, one.deciding)
        == (other.scores, other.points, other.end, other.by, other.deciding)
        and not differ(one.first, other.first)
        and not differ(one.draw_wins, other.draw_wins)
        and not differ(one.unmoved, other.unmoved)
    )


def differ(one: object, other: object) -> bool:
    """Tell whether both were said, and are not the same."""
    return one is not None and other is not None and one != other
