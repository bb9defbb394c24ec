"""Players who act for themselves: they sign in, say who they are, enter, and report at their tables with tokens of their own."""

import asyncio
from collections.abc import Awaitable, Collection, Mapping
from http import HTTPStatus
from typing import Any

import pytest

from deploy.demo.client import RequestRefused, Services, User
from shared.values import Value

type Said = dict[str, Any]


class SignedPlayer(Value):
    """Somebody with an account, as the federation knows them."""

    name: str
    person: str
    user: User
    entrant: str = ""


class AtTable(Value):
    """Whoever speaks for an entrant at the table, and from which position on the services know it."""

    user: User
    known: str | None


async def sign_up(network: Services, federation: str, name: str, subject: str, **particulars: Any) -> SignedPlayer:
    said: Said = {"name": name} | ({"particulars": particulars} if particulars else {})
    me = network.person(subject)
    registered = await me.act("registration", f"/v1/federations/{federation}/me", said)
    return SignedPlayer(name=name, person=registered.body["person"], user=me)


async def refused(asked: Awaitable[object]) -> RequestRefused:
    with pytest.raises(RequestRefused) as refusal:
        await asked
    return refusal.value


async def own_entry(player: SignedPlayer, tournament: str) -> Any:
    """Everything that the player sees of it; a page of entries has nobody else's."""
    items = (await player.user.look("registration", "/v1/me/entries"))["items"]
    assert {person["id"] for one in items for person in one["entry"]["entrant"]["persons"]} >= {player.person}
    (mine,) = [one for one in items if one["tournament"] == tournament.rpartition("/")[2]]
    return mine


async def handed_token(director: User, path: str, entrant: str) -> AtTable:
    issued = await director.act("registration", f"{path}/entrants/{entrant}/captain/token")
    return AtTable(user=User(network=director.network, token=issued.body["token"]), known=issued.position)


async def paper(
    who: User, service: str, path: str, *, after: str | None = None, names: Collection[str] = frozenset[str]()
) -> str:
    """A file, or a page to be printed, as it is. Names that were just given show a moment later at other services."""
    headers = {"Authorization": f"Bearer {who.token}"} if who.token else {}
    headers |= {"Roundlog-Min-Position": after} if after else {}
    while True:
        answer = await who.network.client.get(f"{who.network.urls[service]}{path}", headers=headers)
        if answer.is_success and all(name in answer.text for name in names):
            return answer.text.removeprefix("\ufeff")
        assert answer.status_code in {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}, answer.text
        await asyncio.sleep(0.1)


def lines(file: str) -> list[list[str]]:
    return [line.split(",") for line in file.splitlines()]


def seats(pair: Mapping[str, Any]) -> list[str]:
    """Of a table, as pairing has published it."""
    return [one["entrant"] for one in pair["seats"]]
