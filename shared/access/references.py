"""What the ids in a request stand for: said at the field where each of them is, and judged at the door.

A field says with `id_of("person")` which kind of thing it names, and the OpenAPI document says it too. Things that are
known by their ids alone, whoever has them, are looked for at the door (`shared/http/authorization.py`), among what belongs to the
federation that the request is about: what belongs to another one is answered like what nobody has ever heard of. All
other kinds are only ever looked for inside the very thing that the request is about, where nothing foreign is.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from typing import Any, Literal, cast

from shared.values import Value

NAMES = "x-roundlog-names"
DEFINITIONS = "#/$defs/"

type Kind = Literal[
    "federation",
    "person",  # somebody whom the federation has registered
    "player",  # a person who stands already in the tournament or season that the request is about
    "member",  # one of the persons who are named beside it
    "tournament",
    "season",
    "origin",  # a tournament or season that has led here
    "home",  # a region, school, club or hall
    "team",  # by the id that it had in an earlier tournament of the series
    "entrant",
    "game",
    "record",
    "penalty",
    "protest",
    "notice",
    "webhook",
    "edition",  # of a word list
    "ruleset",
    "official",  # as tokens name them: nobody's in particular
    "scope",  # whatever a log has a scope for
]


class About(Value):
    """What a request is about: a tournament, season or federation, and the federation that this is or belongs to."""

    scope: str
    federation: str


type FindOwn = Callable[[About, Collection[str]], Awaitable[Collection[str]]]  # those of these that belong there


def id_of(kind: Kind) -> dict[str, Any]:
    """For a field that is the id of such a thing: `Field(…, json_schema_extra=id_of("person"))`."""
    return {NAMES: kind}


def ids_in_columns(columns: Mapping[str, Kind]) -> dict[str, Any]:
    """For a file whose columns are ids of such things."""
    return {NAMES: dict(columns)}


class Reference(Value):
    """An id in a body."""

    kind: Kind
    identity: str
    steps: tuple[str | int, ...]  # that lead to it


class Form(Value):
    """A JSON schema of a body, which says where ids of some kinds can be in it."""

    schema: Mapping[str, Any]
    kinds: frozenset[str]

    def references(self, body: object) -> list[Reference]:
        """What has another form than the operation wants is passed over: the operation refuses it."""
        return list(dict.fromkeys(self._within(self.schema, body, ())))

    def _within(self, schema: Mapping[str, Any], value: object, steps: tuple[str | int, ...]) -> Iterator[Reference]:
        if isinstance(value, str) and schema.get(NAMES) in self.kinds:
            yield Reference(kind=schema[NAMES], identity=value, steps=steps)
        for one in forms_of(schema, self.schema):
            yield from self._within(one, value, steps)
        match value:
            case dict():
                members = cast("dict[str, object]", value)
                for name, one in schema.get("properties", {}).items():
                    if name in members:
                        yield from self._within(one, members[name], (*steps, name))
            case list():
                firsts: list[Mapping[str, Any]] = schema.get("prefixItems", [])
                for index, item in enumerate(cast("list[object]", value)):
                    one = firsts[index] if index < len(firsts) else schema.get("items")
                    if isinstance(one, Mapping):
                        yield from self._within(cast("Mapping[str, Any]", one), item, (*steps, index))
            case _:
                pass


def forms_of(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All that a schema says in other places, or lets choose from."""
    if isinstance(reference := schema.get("$ref"), str):
        yield whole["$defs"][reference.removeprefix(DEFINITIONS)]
    for choice in ("anyOf", "oneOf", "allOf"):
        yield from schema.get(choice, ())


def form_of(schema: Mapping[str, Any], kinds: Collection[str]) -> Form | None:
    """Of a body with this JSON schema, unless it has no ids of these kinds."""
    return Form(schema=schema, kinds=frozenset(kinds)) if any(one in kinds for one in named_in(schema)) else None


def named_in(schema: object) -> Iterator[str]:
    match schema:
        case dict():
            for name, value in cast("dict[str, object]", schema).items():
                if name == NAMES and isinstance(value, str):
                    yield value
                yield from named_in(value)
        case list():
            for value in cast("list[object]", schema):
                yield from named_in(value)
        case _:
            pass
