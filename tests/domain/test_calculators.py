"""The calculators of the command line: a file in, JSON out, 2 where it is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from tests.tournaments import SCRABBLE, tournament

FILE = tournament("ABC", "A-B 300:200, bye C")


def run(*arguments: str, file: object = FILE) -> Result:
    return CliRunner().invoke(main, arguments, input=json.dumps(file))


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_rank_prints_the_table_and_what_it_asks_for() -> None:
    table = printed(run("rank", "-"))
    assert table["unresolved"] == []
    assert table["standings"][0] == {
        "place": 1,
        "shared": False,
        "entrant": "A",
        "values": {"points": 1, "wins": 1, "median_buchholz": 0, "buchholz": 0, "score_difference": 100},
    }
    assert [row["entrant"] for row in table["standings"]] == ["A", "C", "B"]


def test_rank_reads_a_file_as_it_reads_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "tournament.json"
    file.write_text(json.dumps(FILE))
    assert run("rank", str(file)).output == run("rank", "-").output


def test_rank_lists_what_only_the_world_can_decide() -> None:
    table = printed(run("rank", "-", file=tournament("AB")))
    assert table["unresolved"] == [{"entrants": ["A", "B"], "needs": "lot"}]


def test_rank_explains_every_value_and_every_place() -> None:
    first, second, third = printed(run("rank", "-", "--explain"))["standings"]
    assert first["explained"]["points"] == {
        "addends": [{"value": 1, "what": "game", "round": 1, "opponent": "B", "counted": True}],
        "sentence": "points 1: 1 (round 1, against B).",
    }
    assert first["above_next"] == "A is above C by score difference: 100 and 20."
    assert second["above_next"] == "C is above B by points: 1 and 0."
    assert "above_next" not in third
    tied = printed(run("rank", "-", "--explain", file=tournament("AB")))["standings"]
    assert tied[0]["above_next"] == "A and B are equal by all that is decided."


def test_rank_ranks_a_stage_or_the_whole_event() -> None:
    assert run("rank", "-", "--stage", "swiss").output == run("rank", "-").output
    assert run("rank", "-", "--final").output == run("rank", "-").output


@pytest.mark.parametrize(
    ("arguments", "file", "kind"),
    [
        (["rank", "-"], [], "/problems/faulty"),
        (["rank", "/nowhere/at/all.json"], FILE, "/problems/faulty"),
        (["rank", "-", "--stage", "final"], FILE, "/problems/stage-unknown"),
        (["rank", "-", "--list", "women"], FILE, "/problems/list-unknown"),
        (["rulesets", "chess"], FILE, "/problems/ruleset-unknown"),
    ],
)
def test_what_is_refused_ends_with_2_and_a_problem_document(arguments: list[str], file: object, kind: str) -> None:
    result = run(*arguments, file=file)
    assert result.exit_code == 2
    document = json.loads(result.output)
    assert document["type"] == kind
    assert document["detail"]


def test_a_refused_file_has_every_fault_with_its_pointer() -> None:
    document = json.loads(run("rank", "-", file=tournament("AB", "A-Z 300:200, bye B")).output)
    assert [fault["pointer"] for fault in document["errors"]] == ["/rounds/0/games/0/seats/1", "/rounds/0/byes/0"]


def test_rulesets_lists_the_catalogue_and_prints_one_whole() -> None:
    assert SCRABBLE in [one["id"] for one in printed(run("rulesets"))["items"]]
    assert printed(run("rulesets", SCRABBLE))["pairing"]["rounds"] == 7
