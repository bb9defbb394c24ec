"""Tables follow what is heard: made within the transaction that lets it take effect.

What is remembered of a tournament may be ahead of a transaction that is rolled back. That does no harm: it follows
from what lies in the inbox and in the log, and that stays.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import batched

from services.standings.projection import tables
from services.standings.projection.folded import Remembered, take_all
from shared.log.postgres import Connection
from shared.messaging import history
from shared.messaging.history import InboxMessage
from shared.values import Value

AT_ONCE = 20  # tournaments that are read together


class Refreshing:
    def __init__(self, *, service: str) -> None:
        self._service = service
        self._remembered = Remembered()
        self.is_past = self._remembered.is_past

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> None:
        """Make the tables of these tournaments follow all that is known of them."""
        wanted = sorted(set(scopes))
        age = await tables.take(connection, wanted)
        self._remembered.at(age)
        kept = Kept(generation=age.generation, inputs=await tables.stored(connection, age.generation, wanted))
        try:
            for some in batched(await self._behind(connection, wanted, kept), AT_ONCE):
                await self._make(connection, some, kept)
        except BaseException:
            self._remembered.forget(wanted)
            raise

    async def _behind(self, connection: Connection, scopes: Sequence[str], kept: "Kept") -> list[str]:
        """Without those that are not remembered here, since another copy has made all that there is to make."""
        others = [scope for scope in scopes if scope in kept.inputs and scope not in self._remembered]
        reached = await history.reached(connection, self._service, others) if others else {}
        done = {scope for scope, inputs in reached.items() if kept.rests_on(scope, str(inputs))}
        return [scope for scope in scopes if scope not in done]

    async def _make(self, connection: Connection, scopes: Sequence[str], kept: "Kept") -> None:
        folded = {scope: self._remembered.of(scope) for scope in scopes}
        reached = {scope: one.inputs for scope, one in folded.items()}
        news = by_scope(await history.behind(connection, self._service, reached))
        for scope, one in folded.items():
            take_all(one, news.get(scope, ()))
        behind = [scope for scope, one in folded.items() if not kept.rests_on(scope, str(one.inputs))]
        made = [await asyncio.to_thread(folded[scope].made, scope) for scope in behind]
        if behind:
            await tables.keep(connection, kept.generation, behind, [table for several in made for table in several])


def by_scope(news: Iterable[InboxMessage]) -> Mapping[str, Sequence[InboxMessage]]:
    found: dict[str, list[InboxMessage]] = defaultdict(list)
    for said in news:
        found[said.scope].append(said)
    return found


class Kept(Value):
    """What the tables that are kept rest on."""

    generation: int
    inputs: Mapping[str, set[str]]

    def rests_on(self, tournament: str, inputs: str) -> bool:
        return self.inputs.get(tournament) == {inputs}
