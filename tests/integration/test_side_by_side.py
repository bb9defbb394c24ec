"""Two versions side by side, as while a newer one is brought in: what the newer one has written, the older one does not guess at."""

from http import HTTPStatus

import msgspec

from services.registration.domain.federation import FEDERATION
from services.registration.publish import of_federation
from shared.clock import now
from shared.commands.handler import Handler
from shared.ids import new_id
from shared.log.envelope import Envelope, seal
from shared.log.postgres import PostgresStore
from shared.log.store import Append
from tests.api.asking import FEDERATIONS, found, service
from tests.patience import AT_ONCE

NEWER = "FederationMoved"


async def say_something_newer(database: str, federation: str) -> None:
    """As a copy of a later version writes it into the stream of a federation."""
    store = PostgresStore(database)
    handler = Handler(
        decider=FEDERATION, publish=of_federation, store=store, now=now, new_id=new_id, service="registration"
    )
    async with store.running():
        _, version = await handler.load(federation)
        envelope = Envelope(
            id=new_id(),
            stream=FEDERATION.stream(federation),
            version=version + 1,
            type=NEWER,
            scope=federation,
            at=now(),
            actor="somebody",
            causation=None,
            trace=None,
            data=msgspec.Raw(b'{"federation":"x","to":"Brno"}'),
            public=None,
        )
        await store.append(Append(expected={envelope.stream: version}, events=[seal(envelope, None)]))


async def test_an_older_copy_leaves_to_the_newer_one_what_only_that_knows(database: str) -> None:
    async with service(database) as older:
        moved, other = [(await found(older, name)).json()["id"] for name in ("Go", "Chess")]
        await say_something_newer(database, moved)
        before = (await older.get("/v1/log")).content
        for answer in (
            await older.get(f"{FEDERATIONS}/{moved}", extensions=AT_ONCE),
            await older.post(f"{FEDERATIONS}/{moved}/rename", json={"name": "Weiqi"}, extensions=AT_ONCE),
        ):
            assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE, answer.text
            assert "Retry-After" in answer.headers
            assert f"{NEWER} at position" in answer.json()["detail"]
        assert (await older.get("/v1/log")).content == before
        assert (await older.post(f"{FEDERATIONS}/{other}/rename", json={"name": "Chess and more"})).is_success
        assert NEWER in (await older.get("/v1/log")).text, "the log shows what it has, whoever understands it"
