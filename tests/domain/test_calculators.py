"""The calculators of the command line: a file in, JSON out, 2 where it is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from shared.rulesets import catalogue
from tests.domain.test_final_lists import area, bands, championship
from tests.tournaments import SCRABBLE, tournament

DOCUMENT = Path(__file__).parents[2] / "docs" / "tournament-file.md"
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
    assert tied[0]["above_next"] == "A and B share place 1 until a lot decides: all that counts before it is equal."


def test_penalties_are_explained_in_the_order_of_rounds() -> None:
    penalties = [{"entrant": "A", "round": number, "points": points} for number, points in ((1, -1), (1, -2), (2, -1))]
    one, other = (
        run("rank", "-", "--explain", file=FILE | {"adjustments": adjustments}).output
        for adjustments in (penalties, penalties[::-1])
    )
    assert one == other


def test_rank_says_who_met_whom_and_writes_a_sheet() -> None:
    file = tournament("ABC", "A-B 300:200, bye C", "C-B 250:250")
    file["entrants"][0] |= {"name": "Ada, of course", "withdrawn_after": 1}
    first = printed(run("rank", "-", "--crosstable", file=file))["standings"][0]
    assert (first["entrant"], first["rounds"][0]) == (
        "C",
        {"round": 1, "kind": "bye", "opponents": [], "places": [], "points": 1, "made": 20, "received": 0}
        | {"corrected": False},
    )
    assert (first["rounds"][1]["opponents"], first["rounds"][1]["places"]) == (["B"], [3])
    sheet = run("rank", "-", "--csv", "--crosstable", file=file).output.removeprefix("\ufeff").splitlines()
    assert sheet == [
        "number,place,entrant,name,points,wins,median_buchholz,buchholz,score_difference,lot,round 1,round 2,left",
        "1,1,C,,1.5,1,0,0.5,20,,1 bye,0.5 v 3 (250:250),",
        '2,2,A,"Ada, of course",1,1,0,0.5,100,,1 v 3 (300:200),0 away,withdrew',
        "3,3,B,,0.5,0,0,2.5,-100,,0 v 2 (200:300),0.5 v 1 (250:250),",
    ]
    explained = run("rank", "-", "--csv", "--explain", file=file).output.splitlines()
    assert explained[0].endswith("lot,left,above_next")
    assert explained[1].endswith("C is above A by points: 1.5 and 1.")


def test_rank_tells_of_the_whole_event_what_it_brings_and_who_goes_on() -> None:
    semifinals = ["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 24:40 @SF1, C-B 24:40 @SF2"]
    file = championship(
        "87654", women="AE", semifinals=semifinals, final=["A-B 40:24 @final, C-D 40:24 @third", "B-A 24:40 @final"]
    )
    whole = printed(run("rank", "-", "--final", file=file))
    assert whole["titles"] == [{"entrant": "A"}, {"entrant": "A", "among": "women"}]
    assert next(one for one in whole["awards"] if one["what"] == "cash") == {
        "entrant": "A",
        "what": "cash",
        "place": 1,
        "amount": 1000,
        "currency": "PLN",
        "to_choose": True,
        "choice": "to-choose",
        "clause": "OT.STA-6",
    }
    assert whole["awards"][0] == {
        "entrant": "A",
        "what": "title",
        "title": "Mistrz Polski w Othello",
        "place": 1,
        "to_choose": False,
        "clause": "OT.STA-6",
    }
    assert set(printed(run("rank", "-", "--final", "--list", "women", file=file))) == {"standings", "unresolved"}
    size, bracket, groups = bands()[0]
    school = printed(run("rank", "-", "--final", file=area(size, bracket, groups)))
    assert school["qualified"] == {"entrants": ["A1", "A2"], "reserves": ["A4", "A3"]}


def test_what_is_shown_beside_ranks_nobody() -> None:
    """CC.D6."""
    ruleset = "carcassonne-cz-final"
    file = tournament("AB", "A-B 60:40", ruleset=ruleset, options={"pairing.field": "any"})
    for one in file["entrants"]:
        one["carried"] = 9
    rows = printed(run("rank", "-", file=file))["standings"]
    assert [(row["values"]["points"], row["beside"]) for row in rows] == [
        (13, {"success": 0.6}),
        (11, {"success": 0.4}),
    ]
    explained = printed(run("rank", "-", "--explain", file=file))["standings"][0]["explained"]["success"]
    assert explained["sentence"] == "success rate 0.6: 0.6 (round 1, against B: 60 of 100 is 60.0 % ÷ 1)."
    sheet = run("rank", "-", "--csv", file=file).output.splitlines()
    assert sheet[1] == "1,A,,13,20,60,1,,0.6"


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


@pytest.mark.parametrize("ruleset", catalogue.ids())
def test_the_example_of_each_ruleset_is_ranked_and_its_next_round_paired(ruleset: str) -> None:
    example = printed(run("example", ruleset))
    assert printed(run("rank", "-", file=example))["standings"]
    assert printed(run("pair", "-", file=example))["round"] == 2


@pytest.mark.parametrize(("command", "examples"), [("rank", 1), ("pair", 1), ("adjudicate", 2), ("season", 1)])
def test_help_shows_files_that_the_command_takes(command: str, examples: int) -> None:
    shown = run(command, "--help").output
    files = [
        json.JSONDecoder().raw_decode(shown, found.end())[0] for found in re.finditer(r"^ +(?={)", shown, re.MULTILINE)
    ]
    assert len([one for one in files if one.keys() & {"ruleset", "season"}]) == examples
    assert all(printed(run(command, "-", file=one)) for one in files if one.keys() & {"ruleset", "season"})


def test_the_file_in_the_documents_is_ranked_and_paired() -> None:
    file = json.loads(DOCUMENT.read_text().partition("```json\n")[2].partition("```")[0])
    assert [row["entrant"] for row in printed(run("rank", "-", file=file))["standings"]] == ["B", "A", "E", "D", "C"]
    assert printed(run("pair", "-", file=file))["requested_byes"] == [{"entrant": "B", "points": 0.5}]


def test_rulesets_lists_the_catalogue_and_prints_one_whole() -> None:
    assert SCRABBLE in [one["id"] for one in printed(run("rulesets"))["items"]]
    assert printed(run("rulesets", SCRABBLE))["pairing"]["rounds"] == 7
