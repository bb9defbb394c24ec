"""What is known of a tournament as of now, or as of an earlier moment: after so many things that were said, or at a time."""

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import Query
from fastapi.exceptions import RequestValidationError
from pydantic import AwareDatetime, TypeAdapter, ValidationError

from shared.http.parameters import Absent
from shared.messaging.history import INPUTS as FORM
from shared.messaging.history import Histories, History, Inputs, parse
from shared.refusals import Invalid, NotFound
from shared.tournament.facts import Facts
from shared.values import Value

INPUTS = "reg120.pai31.res88.sta7"
PATTERN = f"^{FORM.pattern}$"
TIME: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)
LARGE = 1000  # events that take longer to be folded than others should wait for
A_TIME = "should be a time with its zone, such as 2026-11-21T11:30:00Z; in a query + is written %2B"

type AtInputs = Annotated[
    str | Absent,
    Query(
        pattern=PATTERN,
        description="As it was when this much was known, such as `reg120.pai31.res88.sta7`.",
        examples=[INPUTS],
    ),
]
type AtTime = Annotated[
    str | Absent,
    Query(
        max_length=64,
        description="As it followed from what had happened by then, such as `2026-11-21T12:30:00+01:00`.",
        json_schema_extra={"format": "date-time"},
        examples=["2026-11-21T12:30:00+01:00"],
    ),
]


class NotStarted(NotFound):
    """There are no rounds and no tables before registration has closed the field."""


class InputsNotReached(NotFound):
    """The inputs of a question name something that is not known here."""


class InputsAndTime(Invalid):
    """A question names inputs or a time: each says by itself how far back to look."""


class Moment(Value):
    """The moment that a question is about: after some inputs, at a time, or now where neither is named."""

    inputs: Inputs | None = None
    at: datetime | None = None

    @property
    def is_past(self) -> bool:
        return self.inputs is not None or self.at is not None

    @property
    def when(self) -> str:
        return "at that time" if self.is_past else "now"

    @property
    def query(self) -> dict[str, str]:
        """As it is asked for."""
        inputs = {} if self.inputs is None else {"inputs": str(self.inputs)}
        return inputs | ({} if self.at is None else {"at": self.at.isoformat()})

    async def started(self, heard: Histories, tournament: str) -> tuple[History, Facts]:
        """The history of a tournament that is under way, and the facts that follow from it."""
        history = await self.of(heard, tournament)
        facts = history.facts() if len(history.events) < LARGE else await asyncio.to_thread(history.facts)
        if facts is None:
            raise NotStarted(f"No tournament with this id is under way {self.when}: registration starts it.")
        return history, facts

    async def of(self, heard: Histories, scope: str) -> History:
        history = await heard.of(scope, at=self.at)
        if self.inputs is None:
            return history
        if not history.inputs.include(self.inputs):
            raise InputsNotReached(f"Only {history.inputs} is known of this tournament here: look later.")
        return history.until(self.inputs)


NOW = Moment()


async def asked_for(inputs: AtInputs = None, at: AtTime = None) -> Moment:
    """The moment that the query parameters of a request name. FastAPI hands what does not await to a thread, and waits for it."""
    if inputs is not None and at is not None:
        raise InputsAndTime("Name inputs or a time, not both.")
    return Moment(inputs=None if inputs is None else parse(inputs), at=moment(at))


def moment(at: str | None, name: str = "at") -> datetime | None:
    """The time that the query parameter of this name names."""
    if at is None:
        return None
    try:
        return TIME.validate_strings(at)
    except ValidationError as error:
        raise RequestValidationError([{"loc": ("query", name), "msg": A_TIME}]) from error
