"""What a document shows of a body is taken as it stands, but for the ids in it, which have to be those that there are."""

from typing import Any

import pytest

from tests.api.asking import FEDERATIONS, Client, documented, founded, issuer
from tests.api.holding import act, announce, opened
from tests.api.signing import signed_by
from tests.documents import example


def shown(operation: str, service: str = "registration") -> Any:
    """The body of an operation, as whoever looks at its document sees it."""
    document = documented(service)
    described = (one for path in document["paths"].values() for one in path.values())
    body = next(one for one in described if one["operationId"] == operation)["requestBody"]
    return example(body["content"]["application/json"], document)


async def test_a_federation_is_founded_as_shown(client: Client) -> None:
    answer = await client.post(FEDERATIONS, json=shown("foundFederation"))
    assert answer.is_success, answer.text


async def test_a_tournament_is_announced_and_planned_anew_as_shown(client: Client) -> None:
    federation = await founded(client, "SSS")
    answer = await announce(client, **shown("announceTournament") | {"federation": federation})
    assert answer.is_success, answer.text
    changed = await act(client, answer.json()["id"], "change-plan", **shown("changePlan"))
    assert changed.is_success, changed.text


async def test_who_plays_is_entered_detailed_and_admitted_as_shown(client: Client) -> None:
    tournament = await opened(client)
    entered = await act(client, tournament, "entrants", **shown("enterTournament"))
    assert entered.is_success, entered.text
    steps = ("entrants", entered.json()["id"], "detail")
    for said in (
        await act(client, tournament, *steps, **shown("detailEntry")),
        await act(client, tournament, "entrants", "import", **shown("importEntrants")),
        await act(client, tournament, "open-check-in"),
        await act(client, tournament, "entrants", "admit", **shown("admitLateEntrant") | {"from_round": None}),
    ):
        assert said.is_success, said.text


async def test_somebody_registers_and_says_more_of_themselves_as_shown(client: Client) -> None:
    me = f"{FEDERATIONS}/{await founded(client, 'SSS')}/me"
    for url, operation in ((me, "registerMyself"), (f"{me}/particulars", "changeMyParticulars")):
        answer = await client.post(url, json=shown(operation), headers=signed_by(issuer().token("mary")))
        assert answer.is_success, answer.text


@pytest.mark.parametrize(("service", "kind"), [("pairing", "rounds"), ("results", "results"), ("standings", "tables")])
def test_a_webhook_is_shown_with_a_kind_of_which_its_service_tells(service: str, kind: str) -> None:
    assert shown("registerWebhook", service)["kinds"] == [kind]
