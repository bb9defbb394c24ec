"""A federation learns nothing of persons of another one, and decides nothing about them, by naming their ids."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus

import httpx
import pytest

from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.entrants import EntrySaid, ProposedEntry
from services.registration.domain.tournament.entries import Enter
from services.registration.publish import of_tournament
from shared.access.roles import Role
from shared.clock import now
from shared.commands.handler import Handler, Origin
from shared.contracts.pairing import RoundPublished
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.rulesets import catalogue
from shared.values import Value
from tests.api.asking import Client, founded, issuer, problem, service
from tests.api.holding import ANNOUNCED, announce
from tests.api.signing import signed_by
from tests.api.tables import TOURNAMENT as CUP
from tests.api.tables import Hall, hall, planned
from tests.told import done, tell

BORN, NAME = 2011, "Ferdinanda"
AGES = range(10, 20)
NOBODY = "unheard-of"


class Neighbours(Value):
    """Two federations: the director of one knows an id of a person of the other."""

    database: str
    client: Client
    own: str
    other: str
    tournament: str
    olga: str  # of the own federation
    foreign: str

    async def post(self, path: str, /, body: object = None, *, csv: str | None = None) -> httpx.Response:
        headers = signed_by(issuer().token("dora")) | ({"Content-Type": "text/csv"} if csv else {})
        return await self.client.post(path, json=body, content=csv, headers=headers)

    async def enter(self, person: str) -> httpx.Response:
        return await self.post(f"/v1/tournaments/{self.tournament}/entrants", {"person": person})

    async def bring_in(self, csv: str) -> httpx.Response:
        return await self.post(f"/v1/tournaments/{self.tournament}/entries/import", csv=csv)


@asynccontextmanager
async def neighbours(database: str) -> AsyncGenerator[Neighbours]:
    async with service(database) as client:
        own, other = [await founded(client, name) for name in ("Own", "Other")]
        official = {"subject": "dora", "role": Role.DIRECTOR}
        assert (await client.post(f"/v1/federations/{own}/officials", json=official)).is_success
        foreign = (await client.post("/v1/persons", json={"federation": other, "name": NAME})).json()["id"]
        born = await client.post(f"/v1/persons/{foreign}/particulars", json={"born": f"{BORN}-05-17"})
        assert born.status_code == HTTPStatus.OK, born.text
        tournament = (await announce(client, own, ruleset=asking_for_ages())).json()["id"]
        assert (await client.post(f"/v1/tournaments/{tournament}/open")).is_success
        olga = (await client.post("/v1/persons", json={"federation": own, "name": "Olga"})).json()["id"]
        yield Neighbours(
            database=database,
            client=client,
            own=own,
            other=other,
            tournament=tournament,
            olga=olga,
            foreign=foreign,
        )


def asking_for_ages() -> Mapping[str, object]:
    """A ruleset of one's own may ask as many conditions as it likes."""
    rules = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    conditions = [{"rule": "age-below", "years": age, "on": "2025-09-22", "sentence": f"Below {age}."} for age in AGES]
    return rules | {"id": "ages", "entry": rules["entry"] | {"eligibility": conditions}}


def told_apart(answer: httpx.Response, other: httpx.Response, ids: tuple[str, str]) -> bool:
    """By more than the ids, or whatever else was sent, that they repeat."""
    said = [one.text.replace(identity, "…") for one, identity in zip((answer, other), ids, strict=True)]
    return answer.status_code != other.status_code or said[0] != said[1]


@pytest.mark.parametrize("csv", [None, "person,rating\r\n{},1700\r\n", "person,name,rating\r\n{},Ferdinanda,1700\r\n"])
async def test_nobody_learns_how_old_or_how_called_a_person_of_another_federation_is(
    csv: str | None, database: str
) -> None:
    async with neighbours(database) as asked:
        ids = asked.foreign, NOBODY
        foreign, unknown = [await (asked.enter(one) if csv is None else asked.bring_in(csv.format(one))) for one in ids]
        assert foreign.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, foreign.text
        assert not told_apart(foreign, unknown, ids)
        assert "Below" not in foreign.text
        assert csv is not None or NAME not in foreign.text


async def test_whoever_was_entered_before_is_not_judged_by_what_another_federation_knows(database: str) -> None:
    """A guest who came in while that was possible stays in; nothing follows from when they were born."""
    async with neighbours(database) as asked:
        entrant = await entered_long_ago(asked)
        path = f"/v1/tournaments/{asked.tournament}/entrants/{entrant}"
        sheet = (await asked.post(f"{path}/judge")).json()
        assert len(sheet["verdicts"]) == len(AGES)
        assert {verdict["met"] for verdict in sheet["verdicts"]} == {None}
        right, wrong = f"{BORN}-05-17", "1950-01-01"
        files = [await asked.bring_in(f"name,born,rating\r\n{NAME},{born},1700\r\n") for born in (right, wrong)]
        assert not told_apart(files[0], files[1], (right, wrong))


async def entered_long_ago(asked: Neighbours) -> str:
    store = PostgresStore(asked.database)
    handler = Handler(
        decider=TOURNAMENT, publish=of_tournament, store=store, now=now, new_id=new_id, service="registration"
    )
    entry = ProposedEntry(entrant="guest", said=EntrySaid(persons=(asked.foreign,), rating=1700))
    order = Enter(entries=(entry,), at=now().isoformat())
    async with store.running():
        await handler.handle(
            asked.tournament, order, scope=asked.tournament, origin=Origin(actor="x"), respond=lambda _, __: b""
        )
    return entry.entrant


async def test_a_warning_names_nobody_but_a_person_of_that_entrant(database: str) -> None:
    async with hall(database) as asked:
        body = {"entrant": "ada", "stage": "swiss", "round": 1, "reason": "Loud."}
        for person in (NOBODY, "ben-1"):
            problem(await post(asked, "warnings", body | {"person": person}), HTTPStatus.NOT_FOUND, "entrant-unknown")
        assert (await post(asked, "warnings", body | {"person": "ada-1"})).status_code == HTTPStatus.OK


async def test_who_sits_in_a_council_plays_here_or_nowhere(database: str) -> None:
    async with hall(database) as asked:
        filed = (await post(asked, "protests", {"entrant": "ada", "reason": "The clock."})).json()["id"]
        council = [{"member": f"m{n}", "upholds": True, "is_chief": n == 1} for n in (1, 2)]
        body = {"council": [*council, {"member": "m3", "upholds": False, "entrant": NOBODY}], "reason": "So it was."}
        problem(await post(asked, f"protests/{filed}/decide", body), HTTPStatus.NOT_FOUND, "entrant-unknown")


async def test_a_file_of_results_does_not_say_which_games_there_are_elsewhere(database: str) -> None:
    """A game of another round of the own tournament is told from one that is not there; one of another tournament is not."""
    async with hall(database) as asked:
        elsewhere = RoundPublished(tournament="elsewhere", stage="swiss", round=2, games=(planned("far", 1, "x", "y"),))
        await tell(database, "pairing", "elsewhere", elsewhere)
        await done(database)
        foreign, unknown = [
            await asked.client.post(
                f"/v1/tournaments/{CUP}/stages/swiss/rounds/1/entry-sheet",
                content=f"game,score_1,score_2\r\n{game},400,300\r\n",
                headers=asked.signed("dora") | {"Content-Type": "text/csv"},
            )
            for game in ("far", NOBODY)
        ]
        assert foreign.json()["answers"][0]["status"] == HTTPStatus.NOT_FOUND
        assert not told_apart(foreign, unknown, ("far", NOBODY))


async def post(asked: Hall, what: str, body: object) -> httpx.Response:
    return await asked.client.post(f"/v1/tournaments/{CUP}/{what}", json=body, headers=asked.signed("dora"))


async def test_who_names_more_than_is_looked_up_is_told_so_at_once(database: str) -> None:
    async with neighbours(database) as here:
        entrants = [{"person": f"p{number}"} for number in range(5_001)]
        answer = await here.post(f"/v1/tournaments/{here.tournament}/entrants/import", {"entrants": entrants})
        refused = problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault.detail for fault in refused.errors] == ["has 5001 ids in it: at most 5000 are looked up"]


@pytest.mark.parametrize("place", ["persons' columns", "school", "club", "region", "columns", "home", "ruleset"])
async def test_no_refusal_says_how_somebody_of_another_federation_is_called(place: str, database: str) -> None:
    """Whatever a refusal repeats: only an id that belongs to what the request is about has a name behind it."""
    async with neighbours(database) as asked:
        unknown = str(new_id())
        for foreign in (asked.foreign, *await entered_elsewhere(asked)):
            found, other = [await repeated(asked, place, one) for one in (foreign, unknown)]
            assert foreign in found.text, "there is nothing that could be named"
            assert NAME not in found.text
            assert not told_apart(found, other, (foreign, unknown))
        assert f"Olga ({asked.olga})" in (await repeated(asked, place, asked.olga)).text


async def entered_elsewhere(asked: Neighbours) -> tuple[str, str]:
    """An entrant of a tournament of the other federation who is one person, and that person."""
    cup = (await announce(asked.client, asked.other)).json()["id"]
    assert (await asked.client.post(f"/v1/tournaments/{cup}/open")).is_success
    entered = await asked.client.post(f"/v1/tournaments/{cup}/entrants", json={"person": {"name": f"{NAME} II"}})
    assert entered.status_code == HTTPStatus.CREATED, entered.text
    return entered.json()["id"], entered.json()["persons"][0]["id"]


async def repeated(asked: Neighbours, place: str, identity: str) -> httpx.Response:
    """The refusal of a request that has it where something else belongs."""
    match place:
        case "persons' columns":
            path = f"/v1/federations/{asked.own}/persons/import?dry_run=true"
            answer = await asked.post(path, csv=f"name,{identity}\r\nAnna,1\r\n")
        case "columns":
            answer = await asked.bring_in(f"name,{identity}\r\nAnna,1\r\n")
        case "home":
            body = {"kind": "school", "name": "School", "types": ["primary"], "region": identity}
            answer = await asked.post(f"/v1/federations/{asked.own}/homes", body)
        case "ruleset":
            body = ANNOUNCED | {"federation": asked.own, "ruleset": identity}
            answer = await asked.post("/v1/tournaments", body)
        case _:
            body = {"person": {"name": "Anna"}, place: identity}
            answer = await asked.post(f"/v1/tournaments/{asked.tournament}/entrants", body)
    assert answer.is_client_error, answer.text
    return answer
