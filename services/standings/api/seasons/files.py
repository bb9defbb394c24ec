"""Files about a season, in and out: ratings as they were at its beginning, rating lists, results and games of what was held
elsewhere, and its tables as sheets.

Names are for whoever reads them: only the id says who it is. Games move ratings like games of the platform. Whoever
stands twice in a round, as in a list of both sides, is a fault.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

from services.standings.api.seasons.bodies import CupRow, QualificationRow, RatedShown, SeasonRatings
from services.standings.domain.season import ContestElsewhere, FirstRating, GameElsewhere, PlaceElsewhere
from services.standings.seasons.file import HALF_POINTS, MOST, crowded, crowded_place
from shared.contracts.parts import RatedPerson
from shared.csv_lines import SENTENCE, Line, read, written
from shared.faults import Faulty, InputFault
from shared.numbers import Number, stored
from shared.rulesets.season import Season
from shared.values import Value

RATINGS = ("person", "name", "rating", "online_rating", "games", "online_games")
LIST = ("person", "name", "rating", "games")
RESULTS = ("contest", "kind", "on", "person", "name", "place", "expelled", "organiser", "rating_list")
OF_CONTEST = ("kind", "on", "rating_list")
MOST_GAMES = 1_000_000
MOST_PLACE = 100_000
YES_OR_NO = {"yes": True, "no": False}
LONGEST = 64
CODE = re.compile(r"[0-9a-z-]{1,64}")
GAMES = ("contest", "round", "person", "name", "opponent", "opponent_name", "points")
SEATS = ("person", "opponent")
MOST_ROUNDS = 1000
NEEDED_OF_GAMES = ("contest", "round", "person", "opponent", "points")
CUP = ("place", "person", "name", "points")
QUALIFICATION = ("place", "person", "name", "points", "qualified", "champion")
SHEETS = {"cup": CUP, "qualification": QUALIFICATION}
COLUMNS_OF = {"live": ("rating", "games"), "online": ("online_rating", "online_games")}

type Games = Mapping[str, tuple[GameElsewhere, ...]]


class LineReader(Value):
    """Reads cell after cell, and notes what is wrong with each."""

    persons: Collection[str]  # who are known here
    faults: list[InputFault]

    def person(self, line: Line, column: str = "person") -> str:
        person = line.cells.get(column, "")
        if person not in self.persons:
            detail = "should be the id of a person of the federation, as registration knows it."
            self.faults.append(line.fault(detail, column))
        return person

    def whole(self, line: Line, column: str, *, least: int, most: int) -> int:
        cell = line.cells.get(column, str(least))
        if cell.isascii() and cell.isdecimal() and len(cell) <= len(str(most)) and least <= int(cell) <= most:
            return int(cell)
        self.faults.append(line.fault(f"should be a whole number from {least} to {most}.", column))
        return least

    def rating(self, line: Line, column: str) -> Number | None:
        if column not in line.cells:
            return None
        found = number(line.cells[column])
        if found is not None and 0 <= found <= MOST:
            return stored(found)
        self.faults.append(line.fault(f"should be a number from 0 to {MOST}.", column))
        return None

    def yes(self, line: Line, column: str) -> bool:
        cell = line.cells.get(column, "no")
        if cell not in YES_OR_NO:
            self.faults.append(line.fault("should be yes or no.", column))
        return YES_OR_NO.get(cell, False)


def number(cell: str) -> Fraction | None:
    """Spreadsheets write it with a point or with a comma."""
    if len(cell) > LONGEST or not cell.isascii() or "e" in cell.lower():
        return None
    try:
        return Fraction(cell.replace(",", "."))
    except (ValueError, ZeroDivisionError):
        return None


def persons_of(
    content: bytes, columns: Sequence[str], needed: Sequence[str], naming: Sequence[str] = ("person",)
) -> tuple[list[Line], set[str]]:
    """The lines, and whom they name."""
    lines = read(content, columns, needed=needed)
    return lines, {line.cells[column] for line in lines for column in naming if column in line.cells}


def first_ratings(lines: Sequence[Line], persons: Collection[str]) -> tuple[FirstRating, ...]:
    reader = LineReader(persons=persons, faults=[])
    found = [
        FirstRating(
            person=reader.person(line),
            rating=reader.rating(line, "rating"),
            online_rating=reader.rating(line, "online_rating"),
            games=reader.whole(line, "games", least=0, most=MOST_GAMES),
            online_games=reader.whole(line, "online_games", least=0, most=MOST_GAMES),
        )
        for line in lines
    ]
    reader.faults.extend(twice((line, "person", (line.cells.get("person", ""),)) for line in lines))
    require_sound(reader.faults)
    return tuple(found)


def rating_list(lines: Sequence[Line], persons: Collection[str]) -> tuple[RatedPerson, ...]:
    """The list as it is published: whole numbers, the best first."""
    reader = LineReader(persons=persons, faults=[])
    found = [
        RatedPerson(
            person=reader.person(line),
            rating=reader.whole(line, "rating", least=0, most=MOST),
            games=reader.whole(line, "games", least=0, most=MOST_GAMES),
        )
        for line in lines
    ]
    reader.faults.extend(line.fault("is missing: say it.", "rating") for line in lines if "rating" not in line.cells)
    reader.faults.extend(twice((line, "person", (line.cells.get("person", ""),)) for line in lines))
    require_sound(reader.faults)
    return tuple(sorted(found, key=lambda one: -one.rating))


def contests(
    lines: Sequence[Line], persons: Collection[str], rules: Season, today: str
) -> tuple[ContestElsewhere, ...]:
    """One line for each person of a contest: a place, or that they have organised it, or both."""
    reader = LineReader(persons=persons, faults=[])
    several: dict[str, list[Line]] = {}
    for line in lines:
        several.setdefault(line.cells.get("contest", ""), []).append(line)
    found = [contest(name, group, reader, rules, today) for name, group in several.items()]
    named = ((line, "person", (line.cells.get("contest", ""), line.cells.get("person", ""))) for line in lines)
    reader.faults.extend(twice(named))
    require_sound(reader.faults)
    return tuple(found)


def contest(name: str, group: Sequence[Line], reader: LineReader, rules: Season, today: str) -> ContestElsewhere:
    first = group[0]
    reader.faults.extend(contest_faults(name, group, rules, today))
    rows = [(line, reader.person(line), reader.yes(line, "organiser"), reader.yes(line, "expelled")) for line in group]
    placed = [(line, reader.whole(line, "place", least=1, most=MOST_PLACE)) for line in group if "place" in line.cells]
    kind = first.cells.get("kind", "")
    sound = [(line, place) for line, place in placed if line.cells["place"].lstrip("0") == str(place)]
    for index in crowded([place for _, place in sound], rules.most_at_a_place(kind)):
        line, place = sound[index]
        reader.faults.append(line.fault(f"{crowded_place(rules, kind, place)}.", "place"))
    persons = {line.number: (person, expelled) for line, person, _, expelled in rows}
    return ContestElsewhere(
        contest=name,
        kind=kind,
        on=first.cells.get("on", ""),
        places=tuple(
            PlaceElsewhere(person=persons[line.number][0], place=place, expelled=persons[line.number][1])
            for line, place in placed
        ),
        organisers=tuple(person for _, person, is_organiser, _ in rows if is_organiser),
        rating_list=first.cells.get("rating_list"),
    )


def contest_faults(name: str, group: Sequence[Line], rules: Season, today: str) -> Iterator[InputFault]:
    first = group[0]
    if not CODE.fullmatch(name):
        yield first.fault(
            "should be a code of the contest: small letters, digits and hyphens, such as ps-1.", "contest"
        )
    if first.cells.get("kind") not in rules.kinds:
        yield first.fault(f"should be one of {', '.join(rules.kinds)}.", "kind")
    on = first.cells.get("on", "")
    if not is_date(on) or on > today:
        yield first.fault("should be a date such as 2026-10-01, and not to come.", "on")
    moves = moved_by(rules, first.cells.get("kind"))
    if first.cells.get("rating_list") not in {None, *moves}:
        yield first.fault(
            f"should be {' or '.join(moves)}." if moves else "is moved by no such kind: leave it out.", "rating_list"
        )
    for line in group:
        for column in OF_CONTEST:
            if line.cells.get(column, first.cells.get(column)) != first.cells.get(column):
                yield line.fault(f"differs from line {first.number} of the same contest: say it once.", column)
        if "place" not in line.cells and line.cells.get("organiser") != "yes":
            yield line.fault("is missing: who has none is there as organiser only.", "place")


def moved_by(rules: Season, kind: str | None) -> list[str]:
    """Which rating lists a kind can move."""
    return [one.id for one in rules.ratings if kind in one.kinds]


def games(
    lines: Sequence[Line], persons: Collection[str], known: Mapping[str, ContestElsewhere], rules: Season
) -> Games:
    reader = LineReader(persons=persons, faults=[])
    found: dict[str, list[GameElsewhere]] = {}
    for line in lines:
        contest = line.cells.get("contest", "")
        reader.faults.extend(game_faults(line, known.get(contest), rules))
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


def game(line: Line, reader: LineReader) -> GameElsewhere:
    return GameElsewhere(
        round=reader.whole(line, "round", least=1, most=MOST_ROUNDS),
        persons=(reader.person(line, "person"), reader.person(line, "opponent")),
        points=points(line, reader),
    )


def points(line: Line, reader: LineReader) -> Number:
    found = number(line.cells.get("points", ""))
    if found is None or found not in HALF_POINTS:
        reader.faults.append(line.fault("should be 1, 0.5 or 0, as the person has them.", "points"))
        return 0
    return stored(found)


def game_faults(line: Line, contest: ContestElsewhere | None, rules: Season) -> Iterator[InputFault]:
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


def is_date(cell: str) -> bool:
    try:
        return date.fromisoformat(cell).isoformat() == cell
    except ValueError:
        return False


def twice(named: Iterator[tuple[Line, str, tuple[str, ...]]]) -> Iterator[InputFault]:
    """Each with the column that says who it is."""
    seen: dict[tuple[str, ...], Line] = {}
    for line, column, key in named:
        if key in seen:
            yield line.fault(f"stands in line {seen[key].number} already.", column)
        seen.setdefault(key, line)


def require_sound(faults: Sequence[InputFault]) -> None:
    if faults:
        raise Faulty(SENTENCE, sorted(faults, key=lambda fault: int(fault.pointer.split("/")[2])))


# Sheets


def ratings_sheet(found: SeasonRatings, persons: Collection[str]) -> bytes:
    """One line for each of these persons, as the next season takes it; nobody can bring in who was erased."""
    lines: dict[str, dict[str, object]] = {}
    for row in found.ratings:
        if row.person not in persons:
            continue
        rating, games = COLUMNS_OF[row.list]
        line = lines.setdefault(row.person, {"person": row.person, "name": row.name or ""})
        line |= {rating: row.rating, games: row.games}
    return written(RATINGS, lines.values())


def as_sheet(rows: Iterable[CupRow | QualificationRow | RatedShown], columns: tuple[str, ...]) -> bytes:
    """Whatever is a cell of its own in the columns; what is not known stays empty."""
    return written(
        columns,
        ({name: cell(getattr(row, name)) for name in columns if getattr(row, name) is not None} for row in rows),
    )


def cell(value: object) -> object:
    return {True: "yes", False: ""}[value] if isinstance(value, bool) else value
