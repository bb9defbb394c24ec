"""What the columns of a table are called: whole, short enough for a head, and in a sentence for whoever wonders."""

from collections.abc import Iterable, Mapping

from shared.tournament.criteria import CRITERIA
from shared.values import Value

# By criterion: the head of a narrow column, and what the number says.
SAID: Mapping[str, tuple[str, str]] = {
    "points": ("Pts", "All points: of the rounds, brought along, and less those of penalties."),
    "wins": ("Won", "Rounds that brought as much as a win, byes too."),
    "first_places": ("1st", "Games in which nobody at the table was better."),
    "second_places": ("2nd", "Games in which one at the table was better."),
    "third_places": ("3rd", "Games in which two at the table were better."),
    "score": ("Score", "What was scored in all games together."),
    "made_points": ("Made", "The points that were made on the boards of all games together."),
    "game_points": ("Game", "The points of all games together, as the game itself counts them."),
    "discs": ("Discs", "The discs of all games together."),
    "score_difference": ("Diff", "What was scored in all games, less what the others at the table scored."),
    "game_difference": ("Diff", "The points of all games, less those of the others at the table."),
    "carried": ("Brought", "Points that were brought along into this stage."),
    "rating": ("Rtg", "The rating with which the tournament was begun."),
    "start_number": ("No.", "The start number; the lower one is the better."),
    "median_buchholz": ("mBh", "The points of all opponents together, without the best and the weakest of them."),
    "buchholz": ("Bh", "The points of all opponents together."),
    "buchholz_cut1": ("Bh-1", "The points of all opponents together, without the weakest of them."),
    "sonneborn_berger": ("SB", "Of each opponent all points after a win, and half of them after a draw."),
    "brightwell": ("BQ", "The own discs of all games, and for each point of an opponent a fixed number of discs."),
    "success": ("Succ.", "The own part of the points at the table, in the mean of all games."),
    "head_to_head": ("Met", "What those who are equal so far have made of their own meeting."),
    "lot": ("Lot", "The place that a lot has given to those whom all else leaves equal."),
    "duel": ("Duel", "The place that a duel has given to those whom all else leaves equal."),
    "bracket": ("Match", "The place that the matches have given."),
}


class CriterionColumn(Value):
    key: str  # by which the values of a row are found
    title: str
    short: str
    description: str
    decides: bool  # or it is only shown beside


def columns(criteria: Iterable[str], beside: Iterable[str] = ()) -> tuple[CriterionColumn, ...]:
    """Of the criteria in their order, and then of what decides nothing."""
    return (*(column(name, decides=True) for name in criteria), *(column(name, decides=False) for name in beside))


def column(name: str, *, decides: bool) -> CriterionColumn:
    title, (short, description) = CRITERIA[name].title, SAID[name]
    return CriterionColumn(
        key=name, title=title[0].upper() + title[1:], short=short, description=description, decides=decides
    )
