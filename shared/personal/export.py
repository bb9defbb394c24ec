"""What a service's own log says of a person, put together for whoever asks what is known of them.

A log names persons and entrants by ids only, so what is about somebody are the records that have one of their ids in
them: also what they, or a captain of theirs, have done. What is said of others in the same record is left out as far as
it is said for each by itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from pydantic import BaseModel, Field

from shared import contracts
from shared.commands.personal_facts import OpeningStore
from shared.contracts.registration import EntrantAdmitted, EntrantChanged, SeasonOpened
from shared.log.database import Database
from shared.log.envelope import Envelope
from shared.values import Json

PATIENCE = 30.0  # seconds: nobody asks often, and all that was ever heard may have to be looked through
LONG = 50  # ids in a list; of a longer one only theirs are shown

MENTIONING = """
  select record from log.log
  where scope = any($1) and exists (select from unnest($2::bytea[]) one(id) where position(one.id in record) > 0)
  order by position
"""
BESIDE = "select commitment from personal.openings where about && $1::text[] and scope = any($2)"
WORDS = "select id, words from beside.notes where scope = any($1) and id = any($2)"
HEARD = """
  select type, message from inbox.events
  where source = 'registration' and type = any($1) and lost is null and position($2 in message) > 0
  order by arrival
"""
ENTRANTS = [kind.__name__ for kind in (EntrantAdmitted, EntrantChanged)]
DECODER = msgspec.json.Decoder(dict[str, Any])


class PersonalFact(BaseModel):
    at: datetime = Field(examples=["2026-11-21T09:00:00Z"])
    scope: str = Field(
        description="A tournament, a person and the like.",
        examples=["019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"],
    )
    what: str = Field(description="The type of the event in the log.", examples=["EntryWithdrawn"])
    by_them: bool = Field(description="They, or a captain of theirs.", examples=[False])
    said: dict[str, Any] = Field(
        description="What the event says of them; others are named by ids.",
        examples=[{"entrant": "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833", "reason": "ill"}],
    )
    words: list[str] = Field(
        description="What was written to explain it. It may tell of others as well.",
        examples=[["Her train was late."]],
    )


class PersonalFacts:
    def __init__(self, database: str, openings: OpeningStore) -> None:
        self._database = Database(database, connections=2, patience=PATIENCE)
        self._openings = openings
        self.running = self._database.running

    async def about(self, ids: Sequence[str], scopes: Sequence[str]) -> list[PersonalFact]:
        beside = await self._database.fetch(BESIDE, list(ids), scopes)
        named = [*ids, *(row["commitment"] for row in beside)]
        rows = await self._database.fetch(MENTIONING, scopes, [one.encode() for one in named])
        envelopes = [msgspec.json.decode(row["record"], type=Envelope) for row in rows]
        said = [
            {name: theirs(value, ids) for name, value in one.items()}
            for one in await self._with_what_lies_beside([DECODER.decode(envelope.data) for envelope in envelopes])
        ]
        notes = await self._words(scopes, {text for one in said for text in texts(one)})
        return [
            PersonalFact(
                at=envelope.at,
                scope=envelope.scope,
                what=envelope.type,
                by_them=any(one in envelope.actor for one in ids),
                said=one,
                words=[notes[text] for text in texts(one) if text in notes],
            )
            for envelope, one in zip(envelopes, said, strict=True)
        ]

    async def _with_what_lies_beside(self, said: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        beside: list[dict[str, str]] = [one.get("beside") or {} for one in said]
        values = await self._openings.values([commitment for one in beside for commitment in one.values()])
        return [
            {name: value for name, value in one.items() if name != "beside"}
            | {name: msgspec.json.decode(values[known]) for name, known in there.items() if known in values}
            for one, there in zip(said, beside, strict=True)
        ]

    async def _words(self, scopes: Sequence[str], notes: Iterable[str]) -> Mapping[str, str]:
        return {row["id"]: row["words"] for row in await self._database.fetch(WORDS, scopes, list(notes))}

    # Of the services that know of persons only what registration has told

    async def takes_part(self, person: str) -> Mapping[str, Sequence[str]]:
        """As which entrants, by tournament."""
        found: dict[str, list[str]] = {}
        for row in await self._database.fetch(HEARD, ENTRANTS, person.encode()):
            match contracts.decode("registration", row["type"], row["message"]):
                case EntrantAdmitted() | EntrantChanged() as told if person in told.persons:
                    there = found.setdefault(told.tournament, [])
                    there += [] if told.entrant in there else [told.entrant]
                case _:
                    pass
        return found

    async def seasons_of(self, federation: str) -> list[str]:
        rows = await self._database.fetch(HEARD, [SeasonOpened.__name__], federation.encode())
        told = [contracts.decode("registration", row["type"], row["message"]) for row in rows]
        return [one.season for one in told if isinstance(one, SeasonOpened) and one.federation == federation]


def theirs(said: Json, ids: Sequence[str]) -> Json:
    """Without what is said of others only."""
    match said:
        case dict():
            return {name: theirs(value, ids) for name, value in said.items()}
        case list():
            return [theirs(one, ids) for one in said if is_theirs(one, ids, is_long=len(said) > LONG)]
        case _:
            return said


def is_theirs(one: Json, ids: Sequence[str], *, is_long: bool) -> bool:
    match one:
        case dict():
            return any(text in ids for text in texts(one))
        case str():
            return not is_long or one in ids
        case _:
            return True


def texts(said: Json) -> Iterator[str]:
    match said:
        case str():
            yield said
        case dict():
            for value in said.values():
                yield from texts(value)
        case list():
            for value in said:
                yield from texts(value)
        case _:
            pass
