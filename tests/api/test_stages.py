"""How a tie ends and a stage is closed: who may, what is refused, and what neighbours are told."""

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest

from deploy.databases import connection
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import EntrantLeft, OfficialAppointed, TournamentCompleted
from shared.contracts.results import ResultFinal, RoundCompleted
from shared.lots import formula
from shared.rulesets import catalogue
from shared.values import Value
from tests.api.asking import Client, issuer, problem, service
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.played import STAGE, completed, corrected, pairings, published, result, rules, started
from tests.told import done, tell

CUP = "cup"
FOUR = ("A", "B", "C", "D")
PATH = f"/v1/tournaments/{CUP}/stages/{STAGE}"
ROUND: RoundPublished = published(CUP, 1, [("A", "B"), ("C", "D")])
EQUAL = [result(CUP, 1, 1, ("A", "B"), (400, 300)), result(CUP, 1, 2, ("C", "D"), (400, 300))]
LOT = ("points", "wins", "lot")
DUEL = ("points", "wins", "duel", "lot")


class Hall(Value):
    client: Client
    database: str

    async def hear(self, source: str, *events: msgspec.Struct) -> None:
        await tell(self.database, source, CUP, *events)
        await done(self.database)

    async def act(self, what: str, by: str = "art", *, key: str | None = None, **body: Any) -> httpx.Response:
        headers = self.signed(by) | ({"Idempotency-Key": key} if key else {})
        return await self.client.post(f"{PATH}/{what}", json=body or None, headers=headers)

    async def look(self, by: str | None = None, **headers: str) -> dict[str, Any]:
        answer = await self.client.get(PATH, headers={**(self.signed(by) if by else {}), **headers})
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def table(self) -> dict[str, Any]:
        return (await self.client.get(f"{PATH}/standings")).json()

    async def told(self) -> list[tuple[str, dict[str, Any]]]:
        log = await self.client.get(f"/v1/log/{CUP}", headers=self.signed("aud"))
        records = records_of(log.content)
        return [(record["type"], record["data"]) for record in records if not record["type"].endswith("Sealed")]

    def signed(self, by: str) -> dict[str, str]:
        return signed_by(issuer().token(by))


@pytest.fixture
async def hall(database: str) -> AsyncGenerator[Hall]:
    async with service(database, name="standings", signed_in=False) as client:
        yield Hall(client=client, database=database)


async def plays(
    hall: Hall, criteria: tuple[str, ...] = LOT, results: list[ResultFinal] = EQUAL, rounds: int = 1
) -> None:
    """A stage of one round, or of which one is played, after which A and C are equal, and B and D."""
    options = {"pairing.system": "cost-swiss", "pairing.rounds": rounds, "standings.criteria": list(criteria)}
    officials = {"art": "arbiter", "sue": "scorer", "aud": "auditor"}
    appointed = [OfficialAppointed(scope=CUP, subject=who, role=role) for who, role in officials.items()]
    await hall.hear("registration", *appointed, *started(CUP, FOUR, rules(**options)))
    await hall.hear("pairing", ROUND)
    await hall.hear("results", *results, completed(CUP, 1))


def may(stage: dict[str, Any]) -> set[str]:
    return {name for name, action in stage["allowed_actions"].items() if action["allowed"]}


async def test_a_stage_says_what_keeps_it_open(hall: Hall) -> None:
    await plays(hall, results=EQUAL[:1])
    stage = await hall.look("art")
    assert (stage["status"], stage["complete"]) == ("open", False)
    assert stage["obstacles"] == ["Round 1 has no result yet at table 2."]
    assert may(stage) == set()  # of the only round there is nothing to leave out
    refused = problem(await hall.act("close"), HTTPStatus.CONFLICT, "stage-not-finished")
    assert refused.detail == stage["obstacles"][0]
    await hall.hear("results", EQUAL[1])
    stage = await hall.look("art")
    assert stage["obstacles"] == ["A, C are equal and wait for a lot.", "B, D are equal and wait for a lot."]
    assert may(stage) == {"drawLot"}
    refused = problem(await hall.act("close"), HTTPStatus.CONFLICT, "stage-not-finished")
    assert refused.detail == " ".join(stage["obstacles"])
    assert may(await hall.look("sue")) == set()


async def test_why_a_stage_cannot_be_closed_says_names(hall: Hall) -> None:
    one, other = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833", "019aa4c2-a40c-7b8d-8a15-93c2e7d1f054"
    appointed = OfficialAppointed(scope=CUP, subject="art", role="arbiter")
    options = {"pairing.system": "cost-swiss", "pairing.rounds": 1, "standings.criteria": list(LOT)}
    await hall.hear("registration", appointed, *started(CUP, (one, other), rules(**options)))
    await hall.hear("pairing", published(CUP, 1, [(one, other)]))
    await hall.hear("results", result(CUP, 1, 1, (one, other), (400, 400)), completed(CUP, 1))
    async with connection(hall.database) as names:
        await names.execute("insert into names.names values ($1, 'Ada', 1), ($2, 'Bea', 2)", f"p-{one}", f"p-{other}")
    stage = await hall.look("art")
    assert stage["obstacles"] == ["Ada, Bea are equal and wait for a lot."]
    assert stage["allowed_actions"]["closeStage"] == {"allowed": False, "reason": stage["obstacles"][0]}


async def test_a_lot_is_drawn_once_and_ends_the_tie(hall: Hall) -> None:
    await plays(hall)
    drawn = await hall.act("lots", entrants=["A", "C"])
    assert drawn.status_code == HTTPStatus.OK, drawn.text
    assert [tie["entrants"] for tie in drawn.json()["unresolved"]] == [["B", "D"]]
    table = await hall.table()
    first, second = table["standings"][:2]
    assert {first["entrant"], second["entrant"]} == {"A", "C"}
    assert (first["place"], second["place"], first["separated_by"]) == (1, 2, "lot")
    again = await hall.act("lots", entrants=["C", "A"])
    assert again.json()["unresolved"] == drawn.json()["unresolved"]
    assert again.headers["Roundlog-Position"] == drawn.headers["Roundlog-Position"]
    problem(await hall.act("lots", entrants=["A", "B"]), HTTPStatus.CONFLICT, "no-such-tie")
    kinds = [kind for kind, _ in await hall.told()]
    assert kinds == ["LotSeedCommitted", "TieSettled", "LotDrawn"]


async def test_a_lot_can_be_checked_when_all_is_over(hall: Hall) -> None:
    await plays(hall)
    for pair in (["A", "C"], ["B", "D"]):
        assert (await hall.act("lots", entrants=pair)).status_code == HTTPStatus.OK
    await hall.hear("registration", TournamentCompleted(tournament=CUP))
    told = await hall.told()
    said = dict(told)
    seed = bytes.fromhex(said["LotSeedRevealed"]["seed"])
    assert formula.commitment(seed) == said["LotSeedCommitted"]["commitment"]
    for lot in lots_of(told):
        assert formula.draw(seed, lot["purpose"], lot["order"]) == lot["order"]
    why = (await hall.client.get(f"{PATH}/standings/entrants/A")).json()["criteria"]
    (sentence,) = [one["sentence"] for one in why if one["criterion"] == "lot"]
    assert f"“{lots_of(told)[0]['purpose']}”" in sentence
    assert sentence.endswith(f"the key of these lots is {seed.hex()}.")


def lots_of(told: list[tuple[str, Any]]) -> list[Any]:
    return [lot for kind, lot in told if kind == "LotDrawn"]


async def test_nothing_is_drawn_while_games_are_played(hall: Hall) -> None:
    await plays(hall, results=EQUAL[:1])
    stage = await hall.look()
    (tie,) = [tie["entrants"] for tie in stage["unresolved"]]
    refused = problem(await hall.act("lots", entrants=tie), HTTPStatus.CONFLICT, "stage-not-played")
    assert "Round 1 has no result yet at table 2." in refused.detail
    assert await hall.told() == []


async def test_a_duel_is_written_down_and_what_it_leaves_equal_goes_on(hall: Hall) -> None:
    await plays(hall, DUEL)
    assert may(await hall.look("art")) == {"settleTie"}
    won = await hall.act("ties", order=[["C"], ["A"]])
    assert [tie["entrants"] for tie in won.json()["unresolved"]] == [["B", "D"]]
    await hall.act("ties", order=[["A"], ["C"]])
    assert [row["entrant"] for row in (await hall.table())["standings"]][:2] == ["A", "C"]
    assert may((await hall.act("ties", order=[["D"], ["B"]])).json()) == {"settleTie", "closeStage"}
    drawn = await hall.act("ties", order=[["B", "D"]])
    assert drawn.json()["unresolved"] == [{"entrants": ["B", "D"], "needs": "lot"}]
    twice = await hall.act("ties", order=[["B"], ["B"]])
    problem(twice, HTTPStatus.UNPROCESSABLE_ENTITY, "order-unusable")


async def test_a_stage_is_closed_and_after_a_correction_once_more(hall: Hall) -> None:
    await plays(hall)
    for pair in (["A", "C"], ["B", "D"]):
        assert (await hall.act("lots", entrants=pair)).status_code == HTTPStatus.OK
    tried = await hall.client.post(f"{PATH}/close", params={"dry_run": True}, headers=hall.signed("art"))
    assert tried.json() == {"changes": ["The order of 4 entrants is told to all who build on this stage."], "lost": []}
    closed = await hall.act("close", key="close")
    assert (closed.json()["status"], closed.json()["up_to_date"]) == ("closed", True)
    first = closed.json()["order"]
    assert {first[0][0], first[1][0]} == {"A", "C"}
    assert (await hall.act("close", key="close")).content == closed.content
    await hall.hear("results", corrected(EQUAL[1], (100, 400)))
    stage = await hall.look("art")
    assert (stage["status"], stage["up_to_date"], stage["order"]) == ("closed", False, first)
    assert (await hall.act("close", key="close")).content == closed.content
    for tie in stage["unresolved"]:
        assert (await hall.act("lots", entrants=tie["entrants"])).status_code == HTTPStatus.OK
    tried = await hall.client.post(f"{PATH}/close", params={"dry_run": True}, headers=hall.signed("art"))
    assert len(tried.json()["lost"]) == 1
    again = await hall.act("close")
    assert {again.json()["order"][0][0], again.json()["order"][1][0]} == {"A", "D"}
    orders = [said["order"] for kind, said in await hall.told() if kind == "StageClosed"]
    assert orders == [first, again.json()["order"]]
    assert (await hall.act("close")).headers["ETag"] == again.headers["ETag"]
    assert [said["order"] for kind, said in await hall.told() if kind == "StageClosed"] == orders


async def test_a_stage_that_is_shortened_is_over_with_the_rounds_that_are_published(hall: Hall) -> None:
    await plays(hall, rounds=3)
    stage = await hall.look("art")
    assert (stage["rounds"], may(stage)) == (3, {"shortenStage"})
    assert stage["obstacles"] == ["Round 2 is not published.", "Round 3 is not published."]
    tried = await hall.client.post(
        f"{PATH}/shorten", params={"dry_run": True}, json={"rounds": 1, "reason": "?"}, headers=hall.signed("art")
    )
    assert tried.json() == {
        "changes": ["The stage is over after round 1, and not after round 3."],
        "lost": ["Round 2 and those after it are not played."],
    }
    shorter = await hall.act("shorten", rounds=1, reason="The hall closes.")
    assert (shorter.json()["rounds"], may(shorter.json())) == (1, {"shortenStage", "drawLot"})
    for pair in (["A", "C"], ["B", "D"]):
        assert (await hall.act("lots", entrants=pair)).status_code == HTTPStatus.OK
    assert (await hall.act("close")).json()["status"] == "closed"
    too_many = await hall.act("shorten", rounds=4, reason="Why not?")
    problem(too_many, HTTPStatus.CONFLICT, "rounds-impossible")


async def test_only_officials_who_rule_may(hall: Hall) -> None:
    await plays(hall)
    for by in ("sue", "aud", "somebody"):
        problem(await hall.act("lots", by, entrants=["A", "C"]), HTTPStatus.FORBIDDEN, "not-permitted")
        problem(await hall.act("close", by), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_an_act_over_a_version_that_is_gone_is_refused(hall: Hall) -> None:
    await plays(hall)
    seen = (await hall.client.get(PATH)).headers["ETag"]
    assert (await hall.act("lots", entrants=["A", "C"])).status_code == HTTPStatus.OK
    headers = hall.signed("art") | {"If-Match": seen}
    stale = await hall.client.post(f"{PATH}/lots", json={"entrants": ["B", "D"]}, headers=headers)
    problem(stale, HTTPStatus.PRECONDITION_FAILED, "changed-since")


async def test_who_goes_on_is_told_once_the_order_is_decided_and_anew_after_a_correction(hall: Hall) -> None:
    other = [result(CUP, 1, 1, ("A", "B"), (400, 300)), result(CUP, 1, 2, ("C", "D"), (350, 300))]
    await plays(hall, ("points", "score_difference", "lot"), results=other)
    closed = await hall.act("close")
    assert closed.status_code == HTTPStatus.OK, closed.text
    await hall.act("close")
    told = [data for kind, data in await hall.told() if kind == "Qualified"]
    assert [(one["order"], one["advance"], one["reserves"]) for one in told] == [
        ([["A"], ["C"], ["D"], ["B"]], None, [])
    ]
    assert told[0]["points"] == {"A": 1, "C": 1, "D": 0, "B": 0}
    await hall.hear("results", corrected(other[1], (500, 300)))
    assert len([kind for kind, _ in await hall.told() if kind == "Qualified"]) == 1  # nobody has decided it yet
    await hall.act("close")
    await hall.hear("registration", TournamentCompleted(tournament=CUP))
    told = [data["order"] for kind, data in await hall.told() if kind == "Qualified"]
    assert told[1:] == [[["C"], ["A"], ["B"], ["D"]]]


async def test_who_goes_on_is_told_when_a_tournament_is_completed_whose_stage_was_never_closed(hall: Hall) -> None:
    await plays(hall)
    for pair in (["A", "C"], ["B", "D"]):
        await hall.act("lots", entrants=pair)
    assert "Qualified" not in [kind for kind, _ in await hall.told()]
    await hall.hear("registration", TournamentCompleted(tournament=CUP))
    (order,) = [data["order"] for kind, data in await hall.told() if kind == "Qualified"]
    assert sorted(order[:2]) == [["A"], ["C"]]


AREA_CUP = f"/v1/tournaments/{CUP}/stages/groups"
SIX = ("A", "B", "C", "D", "E", "F")


async def area_played(hall: Hall, equal: tuple[str, ...]) -> None:
    """A group of six, of whom four go on: everybody beats those named later, but some are equal."""
    ruleset = msgspec.Raw(catalogue.load("pisqworky-2025-ss-ot").model_dump_json().encode())
    begun, *admitted = started(CUP, SIX, ruleset)
    announced = msgspec.structs.replace(begun, advance=2)
    await hall.hear("registration", OfficialAppointed(scope=CUP, subject="art", role="arbiter"), announced, *admitted)
    for number in range(1, 6):
        pairs = [tuple(sorted(pair)) for pair in pairings(SIX, number)]
        games = [
            PlannedGame(game=f"{number}-{table}", table=table, seats=pair, first=pair[0], group="A")
            for table, pair in enumerate(pairs, start=1)
        ]
        paired = RoundPublished(tournament=CUP, stage="groups", round=number, games=tuple(games), byes=())
        await hall.hear("pairing", paired)
        results = [
            ResultFinal(
                game=game.game,
                tournament=CUP,
                stage="groups",
                round=number,
                seats=game.seats,
                scores=(10, 10) if set(game.seats) <= set(equal) else (12, 8),
                points=(1, 1) if set(game.seats) <= set(equal) else (2, 0),
                first=game.seats[0],
            )
            for game in games
        ]
        await hall.hear("results", *results, RoundCompleted(tournament=CUP, stage="groups", round=number))


@pytest.mark.rule("PQ.STA-1")
async def test_a_tie_on_which_nothing_rests_is_shared_and_the_groups_are_closed(hall: Hall) -> None:
    await area_played(hall, ("E", "F"))
    signed = hall.signed("art")
    stage = (await hall.client.get(AREA_CUP, headers=signed)).json()
    assert (stage["unresolved"], stage["obstacles"]) == ([], [])
    assert may(stage) == {"closeStage"}
    duel = await hall.client.post(f"{AREA_CUP}/ties", json={"order": [["E"], ["F"]]}, headers=signed)
    problem(duel, HTTPStatus.CONFLICT, "no-such-tie")
    closed = await hall.client.post(f"{AREA_CUP}/close", headers=signed)
    assert closed.json()["order"] == [["A"], ["B"], ["C"], ["D"], ["E", "F"]]
    (coming,) = (await hall.client.get(f"/v1/tournaments/{CUP}/progression")).json()["stages"]
    assert (coming["status"], coming["awaits"]) == ("possible", [])
    assert [one["entrant"] for one in coming["entrants"]] == ["A", "B", "C", "D"]


@pytest.mark.rule("PQ.STA-1")
async def test_a_tie_at_the_edge_of_the_play_off_keeps_the_groups_open(hall: Hall) -> None:
    await area_played(hall, ("D", "E"))
    stage = (await hall.client.get(AREA_CUP, headers=hall.signed("art"))).json()
    assert stage["unresolved"] == [{"entrants": ["D", "E"], "needs": "duel"}]
    assert stage["obstacles"] == ["D, E are equal and wait for a duel."]
    assert may(stage) == {"settleTie"}


@pytest.mark.rule("PQ.STA-1", "PQ.D49")
async def test_a_duel_for_the_last_place_of_a_group_is_played_without_whoever_was_expelled(hall: Hall) -> None:
    await area_played(hall, ("D", "E", "F"))
    await hall.hear(
        "registration", EntrantLeft(entrant="F", tournament=CUP, stage="groups", after_round=5, why="expelled")
    )
    signed = hall.signed("art")
    stage = (await hall.client.get(AREA_CUP, headers=signed)).json()
    assert stage["unresolved"] == [{"entrants": ["D", "E"], "needs": "duel"}]
    duel = await hall.client.post(f"{AREA_CUP}/ties", json={"order": [["E"], ["D"]]}, headers=signed)
    assert (duel.status_code, duel.json()["unresolved"]) == (HTTPStatus.OK, [])
    closed = await hall.client.post(f"{AREA_CUP}/close", headers=signed)
    assert closed.json()["order"] == [["A"], ["B"], ["C"], ["E"], ["D"], ["F"]]
    (coming,) = (await hall.client.get(f"/v1/tournaments/{CUP}/progression")).json()["stages"]
    assert [one["entrant"] for one in coming["entrants"]] == ["A", "B", "C", "E"]
    why = (await hall.client.get(f"/v1/tournaments/{CUP}/stages/groups/standings/entrants/F")).json()
    assert why.get("above", {}).get("sentence") == "D is above F, who has left."
