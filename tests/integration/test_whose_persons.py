"""Every service knows which federation has registered a person, also whoever was registered before that was told."""

import asyncio

from deploy.databases import at, connection, migrate
from services.registration.domain.person import PERSON, RegisterPerson
from shared.access.grants import Grants
from shared.clock import now
from shared.commands.handler import Handler, Origin
from shared.contracts.registration import EntrantAdmitted, PersonRegistered
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from tests.api.asking import issuer, service
from tests.api.hearing import announced, hear
from tests.api.signing import signed_by
from tests.logged import happened
from tests.patience import PATIENCE
from tests.told import tell

WHOSE = "select person, federation from inbox.persons order by person"


def admitted(tournament: str, *persons: str) -> EntrantAdmitted:
    return EntrantAdmitted(entrant=f"of-{persons[0]}", tournament=tournament, persons=persons, number=1)


async def whose(database: str) -> dict[str, str]:
    async with connection(database) as inbox:
        return dict(map(tuple[str, str], await inbox.fetch(WHOSE)))


async def test_who_was_registered_is_the_federations_and_who_only_plays_is_of_the_first_tournament(
    database: str,
) -> None:
    told = [announced("cup", "one"), announced("open", "two")]
    await hear(database, *told, admitted("cup", "ann", "bob"), admitted("open", "ann", "cid"))
    assert await whose(database) == {"ann": "one", "bob": "one", "cid": "two"}
    await hear(database, PersonRegistered(person="ann", federation="two"), admitted("cup", "ann"))
    assert (await whose(database))["ann"] == "two"
    grants = Grants(database)
    async with grants.running():
        assert await grants.federation_of("ann") == "two"
        assert await grants.federation_of("eva") is None
        assert set(await grants.persons_of("one", ["ann", "bob", "cid", "eva"])) == {"bob"}


async def test_what_was_heard_before_the_table_was_there_fills_it(server: str, database: str) -> None:
    await hear(database, announced("cup", "one"), announced("open", "two"))
    await tell(database, "registration", "cup", admitted("cup", "ann", "bob"))
    await tell(database, "registration", "open", admitted("open", "ann", "cid"))
    async with connection(at(server, database=database.rpartition("/")[2])) as administered:
        await administered.execute("drop table inbox.persons; delete from public.migrations where name = 'persons'")
        await migrate(administered)
        found = await administered.fetch(WHOSE)
    assert [tuple(row) for row in found] == [("ann", "one"), ("bob", "one"), ("cid", "two")]


async def test_registration_tells_whose_persons_are_of_whom_it_never_did(database: str) -> None:
    """As a version before would have registered them: without a word to neighbours."""
    store = PostgresStore(database)
    handler = Handler(
        decider=PERSON, publish=lambda _: None, store=store, now=now, new_id=new_id, service="registration"
    )
    async with store.running():
        order = RegisterPerson(person="ann", federation="one")
        await handler.handle("ann", order, scope="ann", origin=Origin(actor="x"), respond=lambda _, __: b"")
    assert await introduced(database) == await introduced(database) == 1 + 1


async def introduced(database: str) -> int:
    """How often a person's registration is in the log, once a service has begun and everybody can know of it."""
    async with service(database) as client, asyncio.timeout(PATIENCE):
        while "ann" not in await whose(database):
            await asyncio.sleep(0.02)
        log = await client.get("/v1/log/ann", headers=signed_by(issuer().token()))
        return happened(log.content, "PersonRegistered")
