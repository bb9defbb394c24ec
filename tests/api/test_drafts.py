"""What nobody but officials is shown: drafts of tournaments; and who decides what is shown of names."""

from http import HTTPStatus

import pytest

from tests.api.asking import Client, founded, issuer, problem
from tests.api.holding import TOURNAMENTS, act, announce, announced, done, entered, path
from tests.api.signing import signed_by
from tests.api.test_officials import appoint


@pytest.fixture
def client(new_client: Client) -> Client:
    """Each test counts what there is."""
    return new_client


NOBODY = {"Authorization": ""}
READ = ("", "/start-check", "/entrants", "/entrants/somebody")


def stranger() -> dict[str, str]:
    return signed_by(issuer().token("stranger"))


async def listed(client: Client, who: dict[str, str] | None = None) -> list[str]:
    return [one["id"] for one in (await client.get(TOURNAMENTS, headers=who)).json()["items"]]


@pytest.mark.parametrize("who", ["nobody", "stranger"])
async def test_a_draft_is_not_there_for_who_holds_no_office(client: Client, who: str) -> None:
    tournament = await announced(client)
    asker = NOBODY if who == "nobody" else stranger()
    for below in READ:
        answer = await client.get(f"{path(tournament)}{below}", headers=asker)
        unknown = await client.get(f"{path('unknown')}{below}", headers=asker)
        assert (answer.status_code, answer.content) == (HTTPStatus.NOT_FOUND, unknown.content)
    assert await listed(client, asker) == []
    assert await listed(client) == [tournament]
    opened = await done(client, tournament, "open")
    assert opened["status"] == "registration"
    assert (await client.get(path(tournament), headers=asker)).status_code == HTTPStatus.OK
    assert await listed(client, asker) == [tournament]


async def test_an_official_of_another_federation_sees_no_draft(client: Client) -> None:
    tournament = await announced(client)
    other = await founded(client, "Another")
    assert (await appoint(client, other, "stranger", "director")).status_code == HTTPStatus.OK
    problem(await client.get(path(tournament), headers=stranger()), HTTPStatus.NOT_FOUND, "tournament-unknown")
    assert await listed(client, stranger()) == []


async def test_a_draft_that_was_cancelled_was_never_there(client: Client) -> None:
    tournament = await announced(client)
    await done(client, tournament, "cancel")
    problem(await client.get(path(tournament), headers=NOBODY), HTTPStatus.NOT_FOUND, "tournament-unknown")
    assert (await client.get(path(tournament))).json()["status"] == "cancelled"
    assert await listed(client, NOBODY) == []


async def test_the_next_level_is_named_once_it_is_open(client: Client) -> None:
    federation = await founded(client, "SSS")
    last = (await announce(client, federation)).json()["id"]
    first = (await announce(client, federation, next_level={"tournament": last})).json()["id"]
    await done(client, first, "open")
    assert (await client.get(path(first), headers=NOBODY)).json()["next_level"] is None
    assert (await client.get(path(first))).json()["next_level"] == last
    await done(client, last, "open")
    assert (await client.get(path(first), headers=NOBODY)).json()["next_level"] == last


async def test_what_is_shown_of_names_is_as_the_ruleset_says_until_the_federation_decides(client: Client) -> None:
    federation = await founded(client, "SSS")
    plain = (await announce(client, federation)).json()
    chosen = (await announce(client, federation, shown_names="number")).json()
    assert (plain["shown_names"], chosen["shown_names"]) == ("full", "number")
    tournament = plain["id"]
    await done(client, tournament, "open")
    await entered(client, tournament, "Ada Nová")

    async def shown(who: dict[str, str] | None) -> str:
        items = (await client.get(f"{path(tournament)}/entrants", headers=who)).json()["items"]
        return items[0]["persons"][0]["name"]

    assert await shown(NOBODY) == "Ada Nová"
    for decided, expected in (("first-name-and-initial", "Ada N."), ("number", "Player"), ("full", "Ada Nová")):
        answer = await act(client, tournament, "decide-shown-names", shown_names=decided)
        assert answer.json()["shown_names"] == decided
        assert (await shown(NOBODY), await shown(stranger()), await shown(None)) == (expected, expected, "Ada Nová")


async def test_only_officials_of_the_federation_decide_what_is_shown_of_names(client: Client) -> None:
    tournament = await announced(client)
    office = {"subject": "stranger", "role": "director"}
    appointed = await client.post(f"{path(tournament)}/officials", json=office)
    assert appointed.status_code == HTTPStatus.OK
    said = {"shown_names": "full"}
    refused = await client.post(f"{path(tournament)}/decide-shown-names", json=said, headers=stranger())
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_the_order_by_name_tells_nothing_of_names_that_are_not_shown(client: Client) -> None:
    federation = await founded(client, "SSS")
    tournament = (await announce(client, federation, shown_names="number")).json()["id"]
    await done(client, tournament, "open")
    await entered(client, tournament, "Zita Nová", "Adam Sokol", "Milan Kráľ")

    async def order(who: dict[str, str] | None, by: str) -> list[str]:
        answer = await client.get(f"{path(tournament)}/entrants?order={by}", headers=who)
        return [one["id"] for one in answer.json()["items"]]

    assert await order(None, "name") != await order(None, "entry")
    assert await order(NOBODY, "name") == sorted(await order(NOBODY, "entry"))
