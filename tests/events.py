"""Events for tests of the log, where only their place matters."""

from uuid import UUID

from shared.ids import new_id
from shared.log.store import Answer, Append, Event, EventStore, Recorded


def event(
    stream: str, version: int, *, public: bool = False, scope: str = "scope", identity: UUID | None = None
) -> Event:
    said = f"{stream} {version}".encode()
    return Event(
        id=identity or new_id(),
        stream=stream,
        version=version,
        type="Happened",
        scope=scope,
        record=said,
        message=said if public else None,
    )


def adding(
    stream: str, after: int = 0, *, events: int = 1, public: bool = False, answer: Answer | None = None
) -> Append:
    """The next events of one stream that stands at a version."""
    return Append(
        expected={stream: after},
        events=[event(stream, after + n, public=public) for n in range(1, events + 1)],
        answer=answer,
    )


def answer(key: str, response: str = "done") -> Answer:
    return Answer(key=key.encode(), request=b"request", response=response.encode())


async def everything(store: EventStore) -> list[Recorded]:
    found: list[Recorded] = []
    while page := await store.read(after=len(found)):
        found += page
    return found
