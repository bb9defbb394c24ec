"""What the ids in a request stand for: said at the field where each of them is, and judged at the door.

A field says with `id_of("person")` which kind of thing it names, and the OpenAPI document says it too. Things that are
known by their ids alone, whoever has them, are looked for at the door (`shared/act.py`), among what belongs to the
federation that the request is about: what belongs to another one is answered like what nobody has ever heard of. All
other kinds are only ever looked for inside the very thing that the request is about, where nothing foreign is.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

NAMES = "x-roundlog-names"
DEFINITIONS = "#/$defs/"

type Kind = Literal[
    "federation",
    "person",  # somebody whom the federation has registered
    "player",  # a person who stands already in the tournament or season that the request is about
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
    "edition",  # of a word list
    "ruleset",
    "official",  # as tokens name them: nobody's in particular
    "scope",  # whatever a log has a scope for
]

# Of these nothing foreign can be met: an operation looks for them in the tournament, season or federation that it is
# about, and nowhere else. Rulesets are there for everybody, and whom a token names belongs to no federation.
WITHIN: frozenset[Kind] = frozenset(
    {
        "federation",
        "player",
        "season",
        "origin",
        "home",
        "team",
        "entrant",
        "game",
        "record",
        "penalty",
        "protest",
        "ruleset",
        "official",
        "scope",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """What a request is about: a tournament, season or federation, and the federation that this is or belongs to."""

    scope: str
    federation: str


type FindOwn = Callable[[About, Collection[str]], Awaitable[Collection[str]]]  # those of these that belong there


def id_of(kind: Kind) -> dict[str, Any]:
    """For a field that is the id of such a thing: `Field(…, json_schema_extra=id_of("person"))`."""
    return {NAMES: kind}


def ids_in_columns(columns: Mapping[str, Kind]) -> dict[str, Any]:
    """The same of a file, by its columns."""
    return {NAMES: dict(columns)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """An id in a body."""

    kind: Kind
    identity: str
    steps: tuple[str | int, ...]  # that lead to it


@dataclass(frozen=True, slots=True)
class Shape:
    """Where ids of some kinds can be in a body; what leads to none is left out."""

    kinds: frozenset[Kind]  # of the ids that a text here can be
    members: Mapping[str, "Shape"]
    items: "Shape | None"  # of a list

    def references(self, value: object, steps: tuple[str | int, ...] = ()) -> Iterator[Reference]:
        """What has another form than the operation wants is passed over: the operation refuses it."""
        match value:
            case str():
                for kind in self.kinds:
                    yield Reference(kind=kind, identity=value, steps=steps)
            case dict():
                for name, shape in self.members.items():
                    yield from shape.references(cast("dict[str, object]", value).get(name), (*steps, name))
            case list() if self.items is not None:
                for index, item in enumerate(cast("list[object]", value)):
                    yield from self.items.references(item, (*steps, index))
            case _:
                pass


def shape_of(schema: Mapping[str, Any], kinds: Collection[str]) -> Shape | None:
    """Of a body with this JSON schema: where it has ids of these kinds, or nothing where it has none."""
    return within(schema, schema.get("$defs", {}), frozenset(kinds), ())


def within(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], kinds: frozenset[str], seen: tuple[str, ...]
) -> Shape | None:
    if isinstance(reference := schema.get("$ref"), str) and NAMES not in schema:
        name = reference.removeprefix(DEFINITIONS)
        return None if name in seen else within(definitions[name], definitions, kinds, (*seen, name))
    named = schema.get(NAMES)
    found = [
        within(one, definitions, kinds, seen)
        for choice in ("anyOf", "oneOf", "allOf")
        for one in schema.get(choice, ())
    ]
    members = {
        name: shape
        for name, one in schema.get("properties", {}).items()
        if (shape := within(one, definitions, kinds, seen)) is not None
    }
    several = [schema[one] for one in ("items",) if one in schema] + list(schema.get("prefixItems", ()))
    items = together([within(one, definitions, kinds, seen) for one in several])
    here = frozenset({named} & kinds) if isinstance(named, str) else frozenset[str]()
    own = Shape(cast("frozenset[Kind]", here), members, items)
    return together([own if here or members or items else None, *found])


def together(shapes: Collection[Shape | None]) -> Shape | None:
    """Of several forms that a value may have, all of them."""
    there = [shape for shape in shapes if shape is not None]
    if len(there) < 2:  # noqa: PLR2004 - nothing is put together with nothing
        return there[0] if there else None
    names = {name for shape in there for name in shape.members}
    members = {name: together([shape.members.get(name) for shape in there]) for name in names}
    return Shape(
        frozenset[Kind]().union(*(shape.kinds for shape in there)),
        {name: shape for name, shape in members.items() if shape is not None},
        together([shape.items for shape in there]),
    )
