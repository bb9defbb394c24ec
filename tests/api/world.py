"""Something of each kind that a path can lead to, in the logs of the services that know of it."""

from collections import Counter
from collections.abc import Mapping

from services.registration.domain.person import PERSON, RegisterPerson
from services.registration.publish import of_person
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.orders import OpenSheet
from services.results.publish import of_game
from shared.clock import now
from shared.commands.handler import Handler, Origin
from shared.ids import new_id
from shared.log.postgres import PostgresStore

SOMEBODY = Origin(actor="somebody")


async def register(database: str, persons: Mapping[str, str]) -> None:
    """Persons of federations, in the log of registration."""
    store = PostgresStore(database)
    handler = Handler(decider=PERSON, publish=of_person, store=store, now=now, new_id=new_id, service="registration")
    async with store.running():
        for person, federation in persons.items():
            order = RegisterPerson(person=person, federation=federation)
            await handler.handle(person, order, scope=person, origin=SOMEBODY, respond=lambda _, __: b"")


async def open_sheets(database: str, games: Mapping[str, str], seats: Mapping[str, tuple[str, ...]]) -> None:
    """Games of tournaments with who sits there, in the log of results."""
    store = PostgresStore(database)
    handler = Handler(decider=GAME, publish=of_game, store=store, now=now, new_id=new_id, service="results")
    async with store.running():
        tables: Counter[str] = Counter()
        for game, tournament in games.items():
            tables[tournament] += 1
            table = tables[tournament]
            order = OpenSheet(game=game, tournament=tournament, stage="swiss", round=1, table=table, seats=seats[game])
            await handler.handle(game, order, scope=tournament, origin=SOMEBODY, respond=lambda _, __: b"")
