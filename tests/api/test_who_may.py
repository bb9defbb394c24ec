"""Every operation of every service, asked by everybody: nobody gets further than the policy of the operation says.

Made from the OpenAPI documents, so an operation that is new is asked too, and one without a policy does not start.
"""

import itertools
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest

from deploy import SERVICES
from shared.roles import Role
from tests.api.asking import FEDERATIONS, Client, founded, issuer, service
from tests.api.signing import another_key, signed_by
from tests.api.test_officials import appoint

HEALTH = {"getHealth", "getReadiness", "getMetrics"}

# What each operation asks for: no token, an operator, or one of the roles in the scope of its path.
EXPECTED: dict[str, set[str]] = {
    "foundFederation": {"operator"},
    "listFederations": {"anybody"},
    "getFederation": {"anybody"},
    "renameFederation": {"director", "council"},
    "appointOfficial": {"operator", "director"},
    "dismissOfficial": {"director"},
    "listOfficials": {"operator", *Role},
    "readLog": {"operator"},
    "readLogOf": {"operator", "auditor", "director", "council"},
    "followScope": {"operator", *Role},
}
NOT_YET_THERE = {"Last-Event-ID": f"{2**62}"}  # behind the door a stream refuses it, rather than begin and never end
PAST_THE_DOOR = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] not in HEALTH:
                yield operation["operationId"], method, path


async def ask(client: Client, method: str, path: str, scope: str, token: str | None) -> int:
    for parameter in ("{federation_id}", "{scope}"):
        path = path.replace(parameter, scope)
    headers = NOT_YET_THERE | (signed_by(token) if token else {})
    body = {"name": "Go", "subject": "somebody", "role": "scorer"} if method == "post" else None
    return (await client.request(method, path, headers=headers, json=body)).status_code


@pytest.mark.parametrize("name", SERVICES)
async def test_every_operation_lets_in_whom_its_policy_names_and_nobody_else(name: str, database: str) -> None:
    async with service(database) as registration:
        own, foreign = await founded(registration, "Own"), await founded(registration, "Foreign")
        last = ""
        for role in Role:
            answer = await appoint(registration, own, f"a-{role}", role)
            assert answer.status_code == HTTPStatus.OK
            last = answer.headers["Roundlog-Position"]
        after_it = {"Roundlog-Min-Position": last}
        await registration.get(f"{FEDERATIONS}/{own}/officials", headers=after_it)  # all of them are known by now
    async with service(database, name=name, signed_in=False) as client:
        found = list(operations((await client.get("/openapi.json")).json()))
        assert {operation for operation, _, _ in found} <= EXPECTED.keys()
        for (operation, method, path), role in itertools.product(found, (*Role, "operator")):
            may = EXPECTED[operation]
            token = issuer().token("operator" if role == "operator" else f"a-{role}")
            for scope in (own, foreign):
                is_scoped = "{" in path
                holds = role == "operator" and (role in may or "director" in may)  # it has founded, and so directs
                holds = holds or (role in may and (not is_scoped or scope == own))
                status = await ask(client, method, path, scope, token)
                allowed = "anybody" in may or holds
                assert (status not in PAST_THE_DOOR) is allowed or dismissed(operation, status), (
                    operation,
                    role,
                    scope,
                )


def dismissed(operation: str, status: int) -> bool:
    """Inside, an act may still be refused for what has happened."""
    return operation == "appointOfficial" and status == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize("name", SERVICES)
async def test_no_operation_takes_a_bad_token(name: str, database: str) -> None:
    sign = issuer().token
    bad = {
        "none": None,
        "expired": sign(seconds=-60),
        "for another": sign(aud="elsewhere"),
        "by another": sign(iss="elsewhere"),
        "another key": sign(key=another_key()),
        "unknown key": sign(kid="unknown"),
        "no subject": sign(sub=None),
        "damaged": sign()[:-4] + "AAAA",
        "nonsense": "a.b.c",
    }
    async with service(database, name=name, signed_in=False) as client:
        for operation, method, path in operations((await client.get("/openapi.json")).json()):
            for kind, token in bad.items():
                if "anybody" in EXPECTED[operation] and token is None:
                    continue
                status = await ask(client, method, path, "somewhere", token)
                assert status == HTTPStatus.UNAUTHORIZED, (operation, kind)
