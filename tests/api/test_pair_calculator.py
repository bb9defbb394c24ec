"""Pairing a tournament file, over HTTP and by the command: one answer."""

import json
from http import HTTPStatus
from typing import Any

from click.testing import CliRunner, Result

from deploy.cli import main
from tests.api.asking import problem, service

ODD: dict[str, Any] = {
    "format": "roundlog.tournament/1",
    "ruleset": "scrabble-sk-2022-qt",
    "options": {"pairing.system": "cost-swiss"},
    "seed": 7,
    "entrants": [{"id": one} for one in "ABCDE"],
    "rounds": [
        {
            "number": 1,
            "games": [
                {"table": 1, "seats": ["C", "A"], "first": "C", "scores": [300, 400]},
                {"table": 2, "seats": ["B", "D"], "first": "B", "scores": [350, 350]},
            ],
            "byes": ["E"],
        }
    ],
}
STUCK: dict[str, Any] = {**ODD, "forbidden": [{"entrants": ["E", one]} for one in "ABCD"]}
OPEN: dict[str, Any] = {"next": {"missing": ["E"], "requested_byes": [{"entrant": "D", "points": 0.5}]}}

DRAWN = {"scores": [300, 300]}


def paired(file: object) -> Result:
    return CliRunner().invoke(main, ["pair", "-"], input=json.dumps(file))


def printed(file: object) -> Any:
    result = paired(file)
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_pair_prints_the_next_round_with_its_reasons() -> None:
    answer = printed(ODD)
    assert (answer["round"], answer["method"], answer["byes"]) == (2, "cost-swiss", ["C"])
    assert [pair["table"] for pair in answer["pairs"]] == [1, 2]
    for pair in answer["pairs"]:
        assert pair["first"] in pair["seats"]
        assert pair["why"]
        assert "option" not in pair
    assert len(answer["cost"]) == len(answer["components"]) > 0
    assert "lot" not in answer["components"]
    assert answer["proved"] is True
    assert answer["explanation"]


def test_pair_says_the_same_for_the_same_file_and_draws_by_its_seed() -> None:
    assert printed(ODD) == printed(ODD)
    alike: dict[str, Any] = {**ODD, "rounds": [], "entrants": [{"id": f"E{number}"} for number in range(12)]}
    drawn = {**alike, "rounds": [first_round(printed(alike))]}
    orders = {json.dumps(printed({**drawn, "seed": seed})["pairs"]) for seed in range(5)}
    assert len(orders) > 1


def first_round(answer: Any) -> dict[str, Any]:
    games = [{name: pair[name] for name in ("table", "seats", "first")} | DRAWN for pair in answer["pairs"]]
    return {"number": 1, "games": games, "byes": answer["byes"]}


def test_pair_leaves_out_who_is_away_in_the_next_round() -> None:
    answer = printed({**ODD, **OPEN})
    assert answer["missing"] == ["E"]
    assert answer["requested_byes"] == [{"entrant": "D", "points": 0.5}]
    assert {seat for pair in answer["pairs"] for seat in pair["seats"]} | {*answer["byes"]} == {"A", "B", "C"}


def test_pair_plays_a_round_robin_without_a_cost() -> None:
    answer = printed({**ODD, "options": {}, "rounds": []})
    assert answer["method"] == "round-robin"
    assert not {"cost", "components", "proved"} & answer.keys()


def test_pair_ends_with_2_where_nothing_is_left_to_pair() -> None:
    result = paired(STUCK)
    assert result.exit_code == 2
    refusal = json.loads(result.output)
    assert refusal["type"] == "/problems/no-pairing"
    assert refusal["detail"] == (
        "E must not meet A, D, B and C and has had a bye, so nobody is left to meet in round 2. "
        "Officials can end the stage after round 1, or make this round by hand, with a reason."
    )
    misnumbered: dict[str, Any] = {**ODD, "rounds": [{"number": 2, "games": []}]}
    result = paired(misnumbered)
    assert (result.exit_code, json.loads(result.output)["type"]) == (2, "/problems/faulty")


async def test_pairing_over_http_answers_what_the_command_prints(database: str) -> None:
    async with service(database, name="pairing") as pairing:
        answer = await pairing.post("/v1/pair", json=ODD)
        assert (answer.status_code, answer.json()) == (HTTPStatus.OK, printed(ODD))
        problem(await pairing.post("/v1/pair", json=STUCK), HTTPStatus.CONFLICT, "no-pairing")
        problem(await pairing.post("/v1/pair", json=[1]), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        unknown: dict[str, Any] = {**ODD, "options": {"pairing.system": "knockout"}, "rounds": []}
        problem(await pairing.post("/v1/pair", json=unknown), HTTPStatus.UNPROCESSABLE_ENTITY, "not-available")


def test_pair_says_what_the_next_best_pairing_would_cost() -> None:
    result = CliRunner().invoke(main, ["pair", "-", "--alternative"], input=json.dumps(ODD))
    other = (answer := json.loads(result.output))["alternative"]
    assert other["difference"] == [there - here for there, here in zip(other["cost"], answer["cost"], strict=True)]
    assert other["sentence"].startswith("In the next best pairing, ")
    result = CliRunner().invoke(main, ["pair", "-", "--entrant", "A"], input=json.dumps(ODD))
    assert json.loads(result.output)["alternative"]["sentence"].endswith("A would then meet D.")
