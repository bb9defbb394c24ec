"""Tables of all families by the examples of their regulations: data in tests/vectors."""

import json
from pathlib import Path
from typing import Any

import pytest

from shared.numbers import exact
from shared.tournament.criteria.opponents import median
from shared.tournament.file import read
from shared.tournament.ranking import Table, final, rank
from tests.tournaments import played, tournament

FOLDER = Path(__file__).parents[1] / "vectors"


def examples(family: str) -> list[Any]:
    found = json.loads((FOLDER / family / "ranking.json").read_text())
    return [pytest.param(one, id=one["name"]) for one in found]


def file_of(example: dict[str, Any]) -> dict[str, Any]:
    """`A+12` brings 12 points along; drawn games are halves where only winning is written down."""
    file: dict[str, Any] = tournament("", ruleset=example["ruleset"], options=example.get("options", {}))
    more = dict(example.get("more", {}))
    left = more.pop("left", {})
    file["entrants"] = [entrant(number, text, left) for number, text in enumerate(example["entrants"].split(), start=1)]
    del file["rounds"]
    file["stages"] = [
        {"id": stage, "rounds": [played(number, text) for number, text in enumerate(rounds, start=1)]}
        for stage, rounds in example["stages"].items()
    ]
    for game in [game for stage in file["stages"] for one in stage["rounds"] for game in one["games"]]:
        if example.get("halves") and game["scores"] == [1, 1]:
            game["scores"] = [0.5, 0.5]
        if example.get("repeats"):
            game["override"] = "an example"
    for one in file["stages"][0]["rounds"] if example.get("repeats") else ():
        one["override"] = "an example"
    return file | more


def entrant(number: int, text: str, left: dict[str, int]) -> dict[str, Any]:
    name, plus, carried = text.partition("+")
    brought = {"carried": int(carried)} if plus else {}
    return {"id": name, "number": number} | brought | ({"withdrawn_after": left[name]} if name in left else {})


def table_of(example: dict[str, Any]) -> Table:
    reading = read(file_of(example))
    facts = reading.accepted()
    return final(facts) if example.get("final") else rank(facts, reading.stage)


def require_as_it_says(example: dict[str, Any]) -> None:
    table = table_of(example)
    wanted = {name: {key: exact(value) for key, value in values.items()} for _, _, name, values in example["table"]}
    shown = {row.entrant: {key: row.values.get(key) for key in wanted[row.entrant]} for row in table.rows}
    assert [[row.place, row.shared, row.entrant] for row in table.rows] == [row[:3] for row in example["table"]]
    assert shown == wanted
    assert [[list(one.entrants), one.needs] for one in table.unresolved] == example.get("unresolved", [])


@pytest.mark.rule("PQ.STA-1", "PQ.STA-2", "PQ.STA-3", "PQ.STA-4")
@pytest.mark.parametrize("example", examples("pisqworky"))
def test_a_table_of_pisqworky_is_as_the_example_says(example: dict[str, Any]) -> None:
    require_as_it_says(example)


@pytest.mark.rule("OT.STA-1", "OT.STA-2", "OT.STA-3")
@pytest.mark.parametrize("example", examples("othello"))
def test_a_table_of_othello_is_as_the_example_says(example: dict[str, Any]) -> None:
    require_as_it_says(example)


@pytest.mark.rule("CC.STA-1", "CC.STA-2", "CC.STA-3")
@pytest.mark.parametrize("example", examples("carcassonne"))
def test_a_table_of_carcassonne_is_as_the_example_says(example: dict[str, Any]) -> None:
    require_as_it_says(example)


@pytest.mark.rule("CFP.STA-1")
@pytest.mark.parametrize("example", examples("gomoku-cfp"))
def test_a_table_of_gomoku_is_as_the_example_says(example: dict[str, Any]) -> None:
    require_as_it_says(example)


@pytest.mark.rule("SK.STA-1", "SK.STA-3")
@pytest.mark.parametrize("example", examples("scrabble"))
def test_a_table_of_scrabble_is_as_the_example_says(example: dict[str, Any]) -> None:
    require_as_it_says(example)


OWN_DISCS = (40, 33, 28, 64, 32, 45, 20, 38, 36)
OF_OPPONENTS = (5, 4, 7, 2, 6, 3, 8, 5, 4)


@pytest.mark.rule("OT.STA-2")
@pytest.mark.parametrize(("options", "quotient"), [({}, 600), ({"standings.brightwell_c": "auto"}, "5840/9")])
def test_the_quotient_of_nine_games_is_as_the_example_says(options: dict[str, Any], quotient: int | str) -> None:
    """OT.V2."""
    file: dict[str, Any] = tournament("ABCDEFGHIJ", ruleset="othello-pl-2021", options=options)
    for number, (own, points) in enumerate(zip(OWN_DISCS, OF_OPPONENTS, strict=True), start=1):
        file["rounds"].append(
            {"number": number, "games": [{"seats": ["A", "ABCDEFGHIJ"[number]], "scores": [own, 64 - own]}]}
        )
        got = 1 if own < 32 else 0.5 if own == 32 else 0
        file["entrants"][number]["carried"] = points - got
    reading = read(file)
    (of_a,) = [row for row in rank(reading.accepted(), reading.stage).rows if row.entrant == "A"]
    assert of_a.values["brightwell"] == exact(quotient)


@pytest.mark.rule("PQ.STA-3")
def test_a_median_leaves_out_the_best_and_the_worst_and_a_bye_is_one_of_them() -> None:
    """PQ.V13."""
    points = [16, 12, 10, 9, 8, 6, 4, 1]
    assert (sum(points), median(points), median([*points[:-1], 0]), median(points[:-1])) == (66, 49, 49, 45)
    assert median(points[:2]) == 0
