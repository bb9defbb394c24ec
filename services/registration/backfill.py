"""Tells neighbours whose the persons are who were registered when that was not told yet: once, after a start."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from services.registration.domain import person
from services.registration.domain.person import IntroducePerson, PersonRegistered, Registered
from shared.commands.handler import SERVICE, Handler, Origin
from shared.log.database import Database
from shared.refusals import Refusal, Unavailable

PATIENCE = 60.0  # seconds: the whole log is looked through
PAUSE = 1.0  # seconds
REGISTRATION = Origin(actor="registration", role=SERVICE, operation="start")

NEVER_TOLD = (
    "select scope from log.log where type = $1 group by scope having max(public) is null order by min(position)"
)

logger = logging.getLogger(__name__)


class PersonBackfill:
    def __init__(self, *, database: str, persons: Handler[person.State, person.Command, person.Event]) -> None:
        self._database = Database(database, connections=1, patience=PATIENCE)
        self._persons = persons
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._database.running():
            self._task = asyncio.create_task(self._introduce(), name="introducing of persons")
            try:
                yield
            finally:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)

    async def check(self) -> None:
        task = self._task
        if task and task.done() and not task.cancelled() and (error := task.exception()):
            raise Unavailable(f"persons could not be introduced: {error!r}")

    async def _introduce(self) -> None:
        while True:
            try:
                for row in await self._database.fetch(NEVER_TOLD, PersonRegistered.__name__):
                    await self._introduce_one(row["scope"])
            except Unavailable as error:
                logger.warning("introducing persons: %s", error)
                await asyncio.sleep(PAUSE)
            else:
                return

    async def _introduce_one(self, identity: str) -> None:
        state, _ = await self._persons.load(identity)
        if not isinstance(state, Registered):
            return  # whoever was merged or erased is named by this id no more
        order = IntroducePerson()
        try:
            await self._persons.handle(identity, order, scope=identity, origin=REGISTRATION, respond=lambda _, __: b"")
        except Refusal as refusal:  # they were merged or erased meanwhile
            logger.info("introducing %s: %s", identity, refusal)
