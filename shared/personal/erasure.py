"""What follows at every neighbour of registration when a person is erased: their words about them go too.

Nobody can tell by a program whom words are about, so all words of the tournaments in which they took part go. The codes
of reasons stay in the log. Names go another way, see `shared/personal/name_stream.py`.
"""

from collections.abc import Sequence

from shared.contracts import decode
from shared.contracts.registration import PersonErased
from shared.log.connection import Connection
from shared.messaging.reactions import Received
from shared.personal import notes

ERASED = PersonErased.__name__


async def react(connection: Connection, received: Sequence[Received]) -> None:
    for event in received:
        if event.type == ERASED and isinstance(told := decode(event.source, event.type, event.message), PersonErased):
            await notes.erase_all(connection, told.tournaments)
