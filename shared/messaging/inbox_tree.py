"""The tree over what was heard of a neighbour, which has to be the neighbour's own tree over what it has said.

A message that was changed in the inbox, exchanged or put in shows in the root, however long ago it came, and one that is filed
as something else than it says, in the columns beside it. The tree is in memory and begins anew with the receiver, so that all of it is read again: what was changed meanwhile is found then.
"""

import time
from uuid import UUID

import msgspec
from asyncpg import Record

from shared.log.postgres import Pool
from shared.messaging.subjects import TreeHead
from shared.proof.leaves import message_leaf
from shared.proof.tiles import RightEdge, grow
from shared.values import UNREADABLE

AT_ONCE = 500  # messages, between which others have their turn
AGAIN_AFTER = 6 * 3600.0  # seconds, after which it is read from its beginning once more

HEARD = """
  select number, scope, type, message from inbox.events
  where source = $1 and number > $2 and number <= $3 and lost is null order by number limit $4
"""


class Filed(msgspec.Struct, frozen=True):
    """The part of a message that the columns beside it repeat."""

    scope: str
    type: str


FILED = msgspec.json.Decoder(Filed)


def is_filed_rightly(row: Record) -> bool:
    """Histories are looked up by the columns, and it is the message that is proved."""
    try:
        return FILED.decode(row["message"]) == Filed(scope=row["scope"], type=row["type"])
    except UNREADABLE:
        return False


class InboxTree:
    def __init__(self, source: str) -> None:
        self._source = source
        self.begin_anew()

    def begin_anew(self) -> None:
        self._log: UUID | None = None
        self._edge = RightEdge()
        self._begun = time.monotonic()

    async def agrees(self, database: Pool, log: UUID, head: TreeHead) -> bool:
        """Whether what was heard up to the neighbour's root has the same root. All of that has to be here."""
        if log != self._log or time.monotonic() > self._begun + AGAIN_AFTER:
            self.begin_anew()
            self._log = log
        if head.size < self._edge.size:
            return True  # old news: it was held against a later root
        while self._edge.size < head.size:
            rows = await database.fetch(HEARD, self._source, self._edge.size, head.size, AT_ONCE)
            numbers = [row["number"] for row in rows]
            if not rows or numbers != list(range(self._edge.size + 1, self._edge.size + 1 + len(rows))):
                return False
            if not all(map(is_filed_rightly, rows)):
                return False
            self._edge, _ = grow(self._edge, [message_leaf(row["message"]) for row in rows])
        return self._edge.root.hex() == head.root
