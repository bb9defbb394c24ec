"""FIDE's Tournament Report File, read by the columns of its tables. Whatever stands where nothing may is wrong.

read("330 +-   2   1   3") == ReportRecord(fields={"type": "+-", "round": "2", "white": "1", "black": "3"}, repeated=())
"""

from collections.abc import Iterator, Mapping, Sequence

from shared.values import Value

type Columns = tuple[int, int]  # the first and the last, from 1


class RecordLayout(Value):
    fields: Mapping[str, Columns]
    repeated: Mapping[str, Columns]
    every: int  # columns the repeated ones come again


class ReportRecord(Value):
    fields: Mapping[str, str]
    repeated: Sequence[Mapping[str, str]]


LAYOUTS = {
    "001": RecordLayout(
        fields={"number": (5, 8), "name": (15, 47), "rating": (49, 52), "points": (81, 84), "place": (86, 89)},
        repeated={"opponent": (92, 95), "side": (97, 97), "result": (99, 99)},
        every=10,
    ),
    "013": RecordLayout(fields={"name": (5, 36)}, repeated={"player": (37, 40)}, every=5),
    "132": RecordLayout(fields={}, repeated={"day": (92, 99)}, every=10),
    "162": RecordLayout(fields={}, repeated={"result": (6, 6), "points": (7, 10)}, every=9),
    "240": RecordLayout(fields={"type": (5, 5), "round": (7, 9)}, repeated={"team": (11, 14)}, every=5),
    "299": RecordLayout(
        fields={"type": (5, 5), "match_points": (8, 11), "points": (14, 17), "round": (20, 22)},
        repeated={"who": (24, 27)},
        every=5,
    ),
    "310": RecordLayout(
        fields={
            "number": (5, 7),
            "name": (9, 40),
            "nickname": (42, 46),
            "strength": (48, 53),
            "match_points": (55, 60),
            "game_points": (62, 67),
            "place": (69, 71),
        },
        repeated={"player": (74, 77)},
        every=5,
    ),
    "320": RecordLayout(fields={"match_points": (5, 8), "game_points": (10, 13)}, repeated={"team": (15, 17)}, every=4),
    "330": RecordLayout(
        fields={"type": (5, 6), "round": (8, 10), "white": (12, 14), "black": (16, 18)}, repeated={}, every=0
    ),
    "362": RecordLayout(fields={}, repeated={"result": (5, 6), "points": (7, 10)}, every=9),
    "802": RecordLayout(
        fields={"number": (5, 7), "nickname": (9, 13), "match_points": (15, 20), "game_points": (22, 27)},
        repeated={"opponent": (29, 31), "side": (33, 33), "points": (35, 38), "forfeit": (39, 39)},
        every=13,
    ),
}


def records(report: str, kind: str) -> list[ReportRecord]:
    return [read(line) for line in report.splitlines() if line.startswith(f"{kind} ")]


def words(report: str, kind: str) -> list[str]:
    """Of a record that has words and no columns."""
    return [line[4:] for line in report.splitlines() if line.startswith(f"{kind} ")]


def read(line: str) -> ReportRecord:
    layout = LAYOUTS[line[:3]]
    known = [layout.fields, *repeated(layout, len(line))]
    taken = {column for one in known for first, last in one.values() for column in range(first, last + 1)}
    stray = [column for column, sign in enumerate(line, start=1) if column > 3 and sign != " " and column not in taken]
    assert not stray, f"nothing may stand in the columns {stray} of {line!r}"
    fields, *others = ({name: line[first - 1 : last].strip() for name, (first, last) in one.items()} for one in known)
    return ReportRecord(fields=fields, repeated=tuple(others))


def repeated(layout: RecordLayout, length: int) -> Iterator[Mapping[str, Columns]]:
    start = min((first for first, _ in layout.repeated.values()), default=length + 1)
    for by in range(0, max(length + 1 - start, 0), layout.every or 1):
        yield {name: (first + by, last + by) for name, (first, last) in layout.repeated.items()}
