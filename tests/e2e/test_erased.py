"""Somebody plays, and is erased: no row, message or line tells who it was, after `roundlog scrub` no byte of the disk,
and the history still leads to the same table.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any

import httpx

from deploy import SERVICES, databases
from deploy.local import operations
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, until
from tests.patience import PATIENCE
from tests.traces import files_with, rows_with

FIRST, LAST = "Qvorzelbine", "Ymbrackhult"
KNOWN = {
    "email": "zwickelfroh@example.org",
    "phone": "+421 987 123 456",
    "licence": "LZN-7731-XQ",
    "town": "Krumplowitz",
}
TRACES = (FIRST, LAST, *KNOWN.values())
REASON = {"code": "announcement", "words": f"{LAST} asked for it."}


class Cup:
    """Four players, one of whom is to be erased; each act rests on the one before."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._client = httpx.Client(headers=signed(platform, "operator"), timeout=PATIENCE)

    def ask(self, service: str, path: str, body: object = None, *, method: str = "POST") -> Any:
        key = {"Idempotency-Key": f"{method} {path}"} if method != "GET" else {}
        answer = self._client.request(method, f"{self._platform.url(service)}{path}", json=body, headers=key)
        while answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            answer = self._client.request(method, f"{self._platform.url(service)}{path}", json=body, headers=key)
        assert answer.is_success, answer.text
        if "Roundlog-Position" in answer.headers:
            self._client.headers["Roundlog-Min-Position"] = answer.headers["Roundlog-Position"]
        return answer.json()

    def look(self, service: str, path: str) -> Any:
        return self.ask(service, path, method="GET")

    def play(self) -> tuple[str, str]:
        """The person, and where the tournament is."""
        federation = self.ask("registration", "/v1/federations", {"name": "SSS"})["id"]
        said = {"name": f"{FIRST} {LAST}", "federation": federation}
        person = self.ask("registration", "/v1/persons", said)["id"]
        self.ask("registration", f"/v1/persons/{person}/particulars", KNOWN)
        announced = {
            "federation": federation,
            "name": "Cup",
            "ruleset": "scrabble-sk-2022-qt",
            "time_zone": "Europe/Bratislava",
            "starts_on": "2099-11-21",
        }
        cup = f"/v1/tournaments/{self.ask('registration', '/v1/tournaments', announced)['id']}"
        self.ask("registration", f"{cup}/open")
        entrants = [{"person": {"id": person}}, *({"person": {"name": name}} for name in ("Ann", "Bob", "Cyd"))]
        self.ask("registration", f"{cup}/entrants/import", {"entrants": entrants})
        self.ask("registration", f"{cup}/open-check-in")
        self.ask("registration", f"{cup}/check-in", {})
        self.ask("registration", f"{cup}/start")
        for number in (1, 2):
            self.play_round(f"{cup}/stages/swiss/rounds/{number}")
        return person, cup

    def play_round(self, path: str) -> None:
        self.ask("pairing", f"{path}/draft")
        self.ask("pairing", f"{path}/confirm", {"reason": REASON})
        for pair in self.ask("pairing", f"{path}/publish", {"reason": REASON})["pairs"]:
            game = f"/v1/games/{pair['game']}"
            self.ask("results", f"{game}/reports", {"scores": [390, 365], "signed_by": [0, 1]})
            corrected = {"end": "played", "scores": [391, 365], "reason": f"The sheet of {FIRST} was added up anew."}
            self.ask("results", f"{game}/correct", corrected)
        until(lambda: self.look("pairing", path)["status"] == "completed")

    def close(self) -> None:
        self._client.close()


@contextmanager
def cup_of(platform: Platform) -> Generator[Cup]:
    cup = Cup(platform)
    try:
        yield cup
    finally:
        cup.close()


def table(cup: Cup, path: str) -> list[dict[str, Any]]:
    """Without names."""
    rows = cup.look("standings", f"{path}/stages/swiss/standings?round=2")["standings"]
    return [{name: value for name, value in row.items() if name != "name"} for row in rows]


def said_elsewhere(cup: Cup, person: str) -> dict[str, set[str]]:
    """What their export leads to: by service, the types of facts; and the words of each."""
    export = cup.look("registration", f"/v1/persons/{person}/export")
    facts = {
        one["service"]: cup.look(one["service"], one["path"])["facts"]
        for one in export["elsewhere"]
        if one["path"].endswith("/export")
    }
    assert any(FIRST in words for fact in facts["results"] for words in fact["words"])
    return {service: {fact["what"] for fact in found} for service, found in facts.items()}


def rows_anywhere(platform: Platform) -> list[str]:
    server = operations.find_addresses(platform.folder).server

    async def everywhere() -> list[str]:
        own = [databases.at(server, database=databases.name(service)) for service in SERVICES]
        return [row for database in own for row in await rows_with(database, *TRACES)]

    return asyncio.run(everywhere())


def sample_names(platform: Platform) -> None:
    """As the server does by itself once a table has grown."""

    async def analyze() -> None:
        server = operations.find_addresses(platform.folder).server
        async with databases.connection(databases.at(server, database=databases.name("pairing"))) as admin:
            await admin.execute("analyze names.names")
            await admin.execute("checkpoint")

    asyncio.run(analyze())


def test_who_is_erased_leaves_no_trace_and_the_history_stays(own_platform: Platform) -> None:
    with cup_of(own_platform) as cup:
        person, path = cup.play()
        before = table(cup, path)
        said = said_elsewhere(cup, person)
        assert said.pop("standings") <= {"TableChanged"}, "which a correction may have made, or not"
        assert said == {
            "pairing": {"StageOpened", "RoundDrafted", "RoundPublished"},
            "results": {"SheetOpened", "ResultAgreed", "ResultCorrected"},
        }
        sample_names(own_platform)
        assert {found.split(":")[0].split("/")[0] for found in files_with(own_platform.folder.path, *TRACES)} == {
            "postgres",
            "nats",
        }
        erased = cup.ask("registration", f"/v1/persons/{person}", method="DELETE")
        assert (erased["id"], erased["name"], erased["erased"]) == (person, None, True)
        until(lambda: rows_anywhere(own_platform) == [])
        assert files_with(own_platform.folder.path, *TRACES), "there was nothing to scrub"
        scrubbed = own_platform.run("scrub")
        assert scrubbed.returncode == 0, scrubbed.stdout + scrubbed.stderr
        with suppress(AssertionError):  # what is left says more than that something is
            until(lambda: files_with(own_platform.folder.path, *TRACES) == [])
        assert files_with(own_platform.folder.path, *TRACES) == []
        assert table(cup, path) == before
        rebuilt = own_platform.run("rebuild")
        assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
        assert table(cup, path) == before
        names = {row["name"] for row in cup.look("standings", f"{path}/stages/swiss/standings")["standings"]}
        assert names == {None, "Ann", "Bob", "Cyd"}
        until(own_platform.is_ready)
