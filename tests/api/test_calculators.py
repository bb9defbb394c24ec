"""The catalogue, and the calculators over HTTP: what they answer is what the command line prints."""

import json
from http import HTTPStatus

from click.testing import CliRunner

from deploy.cli import main
from services.results.calculate import EXAMPLES
from tests.api.asking import pointers, problem, service
from tests.tournaments import SCRABBLE, tournament

FILE = tournament("ABC", "A-B 300:200, bye C")


async def test_ranking_over_http_answers_what_the_command_prints(database: str) -> None:
    async with service(database, name="standings") as standings:
        for query, options in (
            ("", []),
            ("?explain=true", ["--explain"]),
            ("?final=true&stage=swiss", ["--final"]),
            ("?crosstable=true", ["--crosstable"]),
        ):
            answer = await standings.post(f"/v1/rank{query}", json=FILE)
            said = CliRunner().invoke(main, ["rank", "-", *options], input=json.dumps(FILE)).output
            assert (answer.status_code, answer.json()) == (HTTPStatus.OK, json.loads(said))
        sheet = await standings.post("/v1/rank?format=csv&crosstable=true", json=FILE)
        said = CliRunner().invoke(main, ["rank", "-", "--csv", "--crosstable"], input=json.dumps(FILE)).stdout_bytes
        assert (sheet.headers["Content-Type"], sheet.content) == ("text/csv; charset=utf-8", said)


async def test_a_file_that_cannot_be_ranked_is_refused_with_every_fault(database: str) -> None:
    async with service(database, name="standings") as standings:
        refused = await standings.post("/v1/rank", json=tournament("AB", "A-Z 300:200, bye B") | {"colour": 1})
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/colour"]
        problem(await standings.post("/v1/rank?stage=final", json=FILE), HTTPStatus.NOT_FOUND, "stage-unknown")
        problem(await standings.post("/v1/rank?list=women", json=FILE), HTTPStatus.NOT_FOUND, "list-unknown")
        problem(await standings.post("/v1/rank", json=[1]), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert pointers(await standings.post("/v1/rank?final=perhaps", json=FILE)) == ["/query/final"]


SEASON = {
    "season": "scrabble-sk-2022",
    "players": [{"id": "N", "rating": 1720, "games": 49}, {"id": "M"}],
    "tournaments": [
        {
            "id": "T1",
            "kind": "live",
            "places": [{"player": "N", "place": 1}, {"player": "M", "place": 2}],
            "games": [{"players": ["N", "M"], "points": [1, 0]}],
        }
    ],
}


async def test_a_season_over_http_is_what_the_command_prints(database: str) -> None:
    async with service(database, name="standings") as standings:
        answer = await standings.post("/v1/season", json=SEASON)
        said = CliRunner().invoke(main, ["season", "-"], input=json.dumps(SEASON)).output
        assert (answer.status_code, answer.json()) == (HTTPStatus.OK, json.loads(said))
        refused = await standings.post("/v1/season", json=SEASON | {"players": [{"id": "N"}]})
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        named = [fault["pointer"] for fault in refused.json()["errors"]]
        assert named == ["/tournaments/0/places/1/player", "/tournaments/0/games/0/players/1"]


async def test_adjudicating_over_http_answers_what_the_command_prints(database: str) -> None:
    async with service(database, name="results") as results:
        for table in (*EXAMPLES, {"ruleset": "gomoku-cfp", "game": {"end": "void_replay"}}):
            answer = await results.post("/v1/adjudicate", json=table)
            said = CliRunner().invoke(main, ["adjudicate", "-"], input=json.dumps(table)).output
            assert (answer.status_code, answer.json()) == (HTTPStatus.OK, json.loads(said))
        refused = await results.post("/v1/adjudicate", json={"ruleset": "gomoku-cfp", "game": {"moves": [[7, 15]]}})
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/game/moves/0"]


async def test_anybody_reads_the_catalogue(database: str) -> None:
    async with service(database, signed_in=False) as registration:
        listed = (await registration.get("/v1/rulesets")).json()
        assert SCRABBLE in [one["id"] for one in listed["items"]]
        whole = await registration.get(f"/v1/rulesets/{SCRABBLE}")
        assert whole.json()["standings"]["criteria"][0] == "points"
        problem(await registration.get("/v1/rulesets/chess"), HTTPStatus.NOT_FOUND, "ruleset-unknown")


async def test_the_catalogue_comes_page_by_page(database: str) -> None:
    async with service(database, signed_in=False) as registration:
        page = await registration.get("/v1/rulesets?limit=1")
        (first,) = page.json()["items"]
        rest = (await registration.get("/v1/rulesets", params={"after": first["id"]})).json()
        assert first["id"] not in [one["id"] for one in rest["items"]]
        assert (page.json()["next"] is None) is (rest["items"] == [])
