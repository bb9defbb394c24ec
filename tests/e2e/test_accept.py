"""A source with another log than before: its neighbours stop, the operator sees it and lets them go on."""

import asyncio

import httpx

from deploy import databases
from deploy.local import folder, ports
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, until

NEIGHBOURS = ("pairing", "results", "standings")
STOPPED = "hears nothing more of registration"


async def renew(platform: Platform) -> None:
    """As after a backup was restored."""
    password = folder.passwords(platform.folder)["postgres"]
    server = f"postgresql://postgres:{password}@127.0.0.1:{ports.of('postgres', platform.base_port)}/postgres"
    async with databases.connection(databases.at(server, database=databases.name("registration"))) as admin:
        await admin.execute("update log.head set incarnation = gen_random_uuid()")


def have_heard(platform: Platform, position: str) -> None:
    """Returns when all neighbours know what registration had said by then."""
    headers = signed(platform, "operator") | {"Roundlog-Min-Position": position}
    for neighbour in NEIGHBOURS:
        log = f"{platform.url(neighbour)}/v1/log"
        until(lambda log=log: httpx.get(log, headers=headers).is_success)


def test_an_operator_lets_the_neighbours_of_a_restored_service_go_on(own_platform: Platform) -> None:
    operator = signed(own_platform, "operator")
    federations = f"{own_platform.url('registration')}/v1/federations"
    founded = httpx.post(federations, json={"name": "Go"}, headers=operator).raise_for_status()
    position = founded.headers["Roundlog-Position"]
    have_heard(own_platform, position)
    refused = own_platform.run("accept", "pairing", "registration", "--yes", "--reason", "other")
    assert (refused.returncode, "Receiving from registration has not stopped there." in refused.stderr) == (1, True)
    asyncio.run(renew(own_platform))
    until(lambda: own_platform.run("parked").stdout.count(STOPPED) == len(NEIGHBOURS))
    for neighbour in NEIGHBOURS:
        why = "--reason", "restored-from-backup", "--note", "its disk was changed"
        accepted = own_platform.run("accept", neighbour, "registration", "--yes", *why)
        assert accepted.returncode == 0, accepted.stderr
        assert f"{neighbour} goes on with registration behind {position.rpartition('/')[2]}." in accepted.stdout
    assert "nothing has stopped" in own_platform.run("parked").stdout
    founded = httpx.post(federations, json={"name": "Othello"}, headers=operator).raise_for_status()
    have_heard(own_platform, founded.headers["Roundlog-Position"])
    until(own_platform.is_ready)
