"""Games of what was held elsewhere, in a file: one line for each game, round by round, of contests that are recorded.

They move ratings like games of the platform. Whoever stands twice in a round, as in a list of both sides, is a fault.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from services.standings.api.seasons.files import Reader, moved_by, number, require_sound, twice
from services.standings.domain.season import Contest, GameElsewhere
from services.standings.seasons.file import HALF_POINTS
from shared.csv_lines import Line
from shared.faults import Fault
from shared.numbers import Number, stored
from shared.rulesets.season import Season

GAMES = ("contest", "round", "person", "name", "opponent", "opponent_name", "points")
SEATS = ("person", "opponent")
MOST_ROUNDS = 1000

type Games = Mapping[str, tuple[GameElsewhere, ...]]


def games(lines: Sequence[Line], persons: Collection[str], known: Mapping[str, Contest], rules: Season) -> Games:
    reader = Reader(persons=persons, faults=[])
    found: dict[str, list[GameElsewhere]] = {}
    for line in lines:
        contest = line.cells.get("contest", "")
        reader.faults.extend(faults_of(line, known.get(contest), rules))
        found.setdefault(contest, []).append(game(line, reader))
    seats = (
        (line, column, (line.cells.get("contest", ""), line.cells.get("round", ""), line.cells.get(column, "")))
        for line in lines
        for column in SEATS
        if column == "person" or not is_alone(line)
    )
    reader.faults.extend(twice(seats))
    require_sound(reader.faults)
    return {contest: tuple(several) for contest, several in found.items()}


def game(line: Line, reader: Reader) -> GameElsewhere:
    return GameElsewhere(
        round=reader.whole(line, "round", least=1, most=MOST_ROUNDS),
        persons=(reader.person(line, "person"), reader.person(line, "opponent")),
        points=points(line, reader),
    )


def points(line: Line, reader: Reader) -> Number:
    found = number(line.cells.get("points", ""))
    if found is None or found not in HALF_POINTS:
        reader.faults.append(line.fault("should be 1, 0.5 or 0, as the person has them.", "points"))
        return 0
    return stored(found)


def faults_of(line: Line, contest: Contest | None, rules: Season) -> Iterator[Fault]:
    if contest is None:
        yield line.fault("is not recorded in this season: bring in its places first.", "contest")
    elif not moved_by(rules, contest.kind):
        yield line.fault(f"is of the kind {contest.kind}, which moves no ratings: leave its games out.", "contest")
    if is_alone(line):
        yield line.fault("should be somebody else than the person.", "opponent")
    if "round" not in line.cells:
        yield line.fault("is missing: say it.", "round")


def is_alone(line: Line) -> bool:
    return line.cells.get("person") == line.cells.get("opponent")
