"""The story of a tournament, as one log tells it: who did what, in which office, when, why, and what was so before.

It is made of records alone, in the order of their positions, so that a service tells it from its log and whoever has a bundle
from that. The words are those of the facts. What is long stays in the record, and what lies beside the log is not looked at:
a blank is told as nothing, and a note by its id.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from inspect import cleandoc
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from shared.access.captain_tokens import PREFIX
from shared.commands.decider import Fact, Mark
from shared.log.envelope import Envelope
from shared.values import Json, Value

MARKED = "marked"
LONGEST = 400  # bytes of a part that is told
ENVELOPES = msgspec.json.Decoder(Envelope)
NOTE = re.compile(
    r"[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)  # a reason that is a code says so by its form
WORDS_OF_TYPE = re.compile(r"(?<=[a-z])(?=[A-Z])")

WHOLE = ("sheet", "drafted", "report", "result")  # parts whose own parts are told as those of the record
WHY = ("reason", "decision", "override")  # where a record says why, the first that it has
CLAUSES = ("clause", "cited", "rule")
NOTED = ("note", "words", "question", "reason")  # what may name words that lie beside the log
OUTWEIGHED = ("doubts", "override", "decision")  # what is said of an act against the rules, or against the plan
UNTOLD = frozenset((  # what says where it was, why, or what for; and what is for programs
    "tournament", "federation", "stage", "round", "table", "tables", "game", "games", "entrant", "seats", "id", "beside",
    "inputs", "before", "after", "rests_on", "program", "ruleset", "publication", "recall", "repair",
    "explanation", "components", "cost", "proved", *WHY, *CLAUSES,
))  # fmt: skip
# What a record is about, the first that it has; of a stream that is about all of a tournament also the stage and round.
THINGS = ("penalty", "removal", "protest", "warning", "notice", "subject", "entrant", "seat")


class StoryPlace(Value):
    """Where in the tournament it happened, as far as the log knows by then."""

    stage: str | None = None
    round: int | None = None
    table: int | None = None
    game: str | None = None
    seats: tuple[str, ...] = ()


NOWHERE = StoryPlace()


class StoryEntry(Value):
    """One thing that happened."""

    position: int
    at: datetime
    actor: str
    role: str | None
    operation: str | None
    kind: str
    what: str
    mark: Mark | None
    instead_of: int | None  # the position of what it takes the place of
    place: StoryPlace
    entrants: tuple[str, ...]  # whom it is about: those at the table, and others
    said: Mapping[str, Json]
    before: Mapping[str, Json]  # of what is said, what was said otherwise before
    reason: str | None
    clause: str | None
    notes: tuple[str, ...]
    record: bytes

    def is_about(self, identity: str) -> bool:
        """Whether it was done by this account, happened in this stage, or names this entrant, person or game."""
        named = (self.actor, self.place.stage, *self.entrants)
        return identity in named or b'"%s"' % identity.encode() in self.record

    def is_of(self, kind: str) -> bool:
        """`marked` are all that bear a mark."""
        return kind in (self.kind, self.mark) or (kind == MARKED and self.mark is not None)


class StoryItem(Value):
    """An entry as it is answered: `docs/reference.md` has this form."""

    position: int
    at: datetime
    actor: str
    role: str | None
    operation: str | None
    kind: str
    what: str
    says: str
    mark: Mark | None
    instead_of: int | None
    stage: str | None
    round: int | None
    table: int | None
    game: str | None
    entrants: tuple[str, ...]
    said: Mapping[str, Any]  # JSON, which has no end for whoever reads types
    before: Mapping[str, Any]
    reason: str | None
    clause: str | None
    words: tuple[str, ...]


def happened(entry: StoryEntry, says: str, words: Mapping[str, str]) -> StoryItem:
    return StoryItem(
        position=entry.position,
        at=entry.at,
        actor=entry.actor,
        role=entry.role,
        operation=entry.operation,
        kind=entry.kind,
        what=entry.what,
        says=says,
        mark=entry.mark,
        instead_of=entry.instead_of,
        stage=entry.place.stage,
        round=entry.place.round,
        table=entry.place.table,
        game=entry.place.game,
        entrants=entry.entrants,
        said=entry.said,
        before=entry.before,
        reason=entry.reason,
        clause=entry.clause,
        words=tuple(words[note] for note in entry.notes if note in words),
    )


class StoryFilter(Value):
    """What of a story is asked for."""

    about: str | None = None
    kind: str | None = None
    round: int | None = None
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, entry: StoryEntry) -> bool:
        return (
            (self.kind is None or entry.is_of(self.kind))
            and (self.round is None or entry.place.round == self.round)
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at <= self.until)
            and (self.about is None or entry.is_about(self.about))
        )


class LastSaid(Value):
    """What was said of one thing last."""

    position: int
    parts: Mapping[str, Json]


class StoryTeller:
    """Tells the records of one scope in one log, one after the other."""

    def __init__(self, kinds: Mapping[str, type[Fact]]) -> None:
        self._kinds = kinds
        self._replaced = frozenset(name for kind in kinds.values() for name in kind.REPLACES)
        self._told: dict[tuple[str, str, object], LastSaid] = {}  # by stream, type and thing
        self._places: dict[str, StoryPlace] = {}  # by stream
        self._games: dict[str, StoryPlace] = {}
        self._seated: dict[str, dict[str, Json]] = {}  # by stream and table

    def tell(self, position: int, record: bytes) -> StoryEntry:
        envelope = ENVELOPES.decode(record)
        said = cast("dict[str, Json]", msgspec.json.decode(envelope.data))
        parts = whole(said)
        kind = self._kinds.get(envelope.type, Fact)
        place = self._place(envelope, parts)
        thing = thing_in(envelope, parts)
        replaced = self._last(envelope.stream, kind, thing)
        before = changed(replaced.parts, parts) if replaced else {}
        told = shortened(parts, before)
        if seated := self._seated_otherwise(envelope, kind, parts):
            before["tables"], told["tables"] = seated
        if envelope.type in self._replaced:
            self._told[envelope.stream, envelope.type, thing] = LastSaid(position=position, parts=parts)
        reason = next(
            (one for name in WHY if isinstance(one := parts.get(name), str) and not NOTE.fullmatch(one)), None
        )
        return StoryEntry(
            position=position,
            at=envelope.at,
            actor=envelope.actor,
            role=envelope.role,
            operation=envelope.operation,
            kind=kind_of(envelope.stream),
            what=envelope.type,
            mark=kind.MARK or ("override" if any(parts.get(name) for name in OUTWEIGHED) else None),
            instead_of=replaced.position if replaced else None,
            place=place,
            entrants=tuple(dict.fromkeys([*place.seats, *entrants_in(parts), *speaking(envelope.actor)])),
            said=told,
            before=before,
            reason=reason,
            clause=next((one for name in CLAUSES if isinstance(one := parts.get(name), str)), None),
            notes=tuple(one for name in NOTED if isinstance(one := parts.get(name), str) and NOTE.fullmatch(one)),
            record=record,
        )

    def _place(self, envelope: Envelope, parts: Mapping[str, Json]) -> StoryPlace:
        """A record says it, or an earlier one of the same game or round has."""
        game = parts.get("game")
        of_scope = envelope.stream.endswith(f"-{envelope.scope}")
        known = self._games.get(game, NOWHERE) if isinstance(game, str) else NOWHERE
        if known is NOWHERE and not of_scope:
            known = self._places.get(envelope.stream, NOWHERE)
        place = replace(known, **said) if (said := said_of_place(parts)) else known
        if isinstance(game, str):
            self._games[game] = place
        if not of_scope:
            self._places[envelope.stream] = place
        return place

    def _last(self, stream: str, kind: type[Fact], thing: object) -> LastSaid | None:
        found = [told for name in kind.REPLACES if (told := self._told.get((stream, name, thing)))]
        return max(found, key=lambda one: one.position, default=None)

    def _seated_otherwise(
        self, envelope: Envelope, kind: type[Fact], parts: Mapping[str, Json]
    ) -> tuple[Json, Json] | None:
        """By table who sat there, and who does now, where that differs; a repair says no more than what it changes."""
        if envelope.type not in self._replaced or not isinstance(tables := parts.get("tables"), list):
            return None
        known = self._seated.get(envelope.stream, {})
        said = {str(one["table"]): one["seats"] for one in tables if isinstance(one, dict)}
        now = known | said if kind.MARK == "repair" else said
        self._seated[envelope.stream] = now
        other = [table for table in (known | now) if known.get(table) != now.get(table)]
        if not kind.REPLACES or not other:
            return None
        return {table: known.get(table) for table in other}, {table: now.get(table) for table in other}


def kind_of(stream: str) -> str:
    """What a stream is of. Of a tournament none is told whose kind has a hyphen in it."""
    return stream.partition("-")[0]


def whole(said: Mapping[str, Json]) -> dict[str, Json]:
    """The parts of a record, with those of its parts that are themselves whole: the outer ones before the inner."""
    found: dict[str, Json] = {}
    inner: list[Mapping[str, Json]] = []
    for name, part in said.items():
        if name in WHOLE and isinstance(part, dict):
            inner.append(part)
        elif name == "reason" and isinstance(part, dict):
            found |= {"reason": part.get("code"), "note": part.get("note")}
        else:
            found[name] = part
    for one in inner:
        found = whole(one) | found
    return found


def said_of_place(parts: Mapping[str, Json]) -> dict[str, Any]:
    """What a record says of it. A field of the same name may be something else, as the hash of a table is."""
    kinds = {"stage": str, "round": int, "table": int, "game": str}
    said: dict[str, Any] = {name: parts[name] for name, kind in kinds.items() if isinstance(parts.get(name), kind)}
    seats = parts.get("seats")
    return said | ({"seats": tuple(seats)} if isinstance(seats, list) else {})


def thing_in(envelope: Envelope, parts: Mapping[str, Json]) -> object:
    named = next((parts[name] for name in THINGS if parts.get(name) is not None), None)
    if named is None and envelope.stream.endswith(f"-{envelope.scope}"):
        return parts.get("stage"), parts.get("round")
    return named


def changed(before: Mapping[str, Json], after: Mapping[str, Json]) -> dict[str, Json]:
    """What was otherwise; or all that was said, where a record says nothing of the kind, since it takes that back."""
    both = after.keys() & before.keys() - UNTOLD - {*THINGS}
    if not both:
        return shortened(before, {})
    return {
        name: pruned(before[name]) for name in sorted(both) if before[name] != after[name] and is_short(before[name])
    }


def shortened(parts: Mapping[str, Json], before: Mapping[str, Json]) -> dict[str, Json]:
    """What is short enough to be told, and says anything, or took the place of what did."""
    return {
        name: pruned(part)
        for name, part in parts.items()
        if name not in UNTOLD
        and is_short(part)
        and not (name in NOTED and isinstance(part, str))
        and (name in before or not says_nothing(pruned(part)))
    }


def pruned(part: Json) -> Json:
    """Without those of its parts that say nothing."""
    if isinstance(part, dict):
        return {name: shown for name, one in part.items() if not says_nothing(shown := pruned(one))}
    return part


def says_nothing(part: Json) -> bool:
    return part is None or part is False or part in ("", [], {})


def is_short(part: Json) -> bool:
    return not isinstance(part, str | list | dict) or len(msgspec.json.encode(part)) <= LONGEST


def entrants_in(parts: Mapping[str, Json]) -> Iterator[str]:
    for name in ("entrant", "person"):
        if isinstance(one := parts.get(name), str):
            yield one


def speaking(actor: str) -> Iterator[str]:
    """For which entrant a captain acts."""
    if actor.startswith(PREFIX):
        yield actor.removeprefix(PREFIX).partition(":")[0]


def title(what: str) -> str:
    """The name of a kind of record as people write it: `RoundPublished` is `Round published`."""
    first, *others = WORDS_OF_TYPE.split(what)
    return " ".join([first, *map(str.lower, others)])


def sentence(kind: type[Any] | None) -> str:
    """What such a record says: the words of its class, to the first empty line."""
    return " ".join(cleandoc((kind and kind.__doc__) or "").partition("\n\n")[0].split())
