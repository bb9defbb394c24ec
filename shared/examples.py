"""Whole examples of what is sent and answered, put together from the examples of the fields.

A field says with `Field(examples=[…])` what it looks like. What has but a few values needs no words: a constant, an
enumeration, a boolean, a time, an id.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

type Schema = Mapping[str, Any]

NULL = {"type": "null"}
OF_A_KIND = {
    "boolean": True,
    "date-time": "2026-03-14T09:30:00Z",
    "date": "2026-03-14",
    "time": "09:30:00Z",
    "uuid": "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11",
}


class NoExample(Exception):
    """A field has no example, so nobody can be shown a whole one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Examples:
    schemas: Mapping[str, Schema]  # those that have a name

    def of(self, schema: Schema, place: str, within: tuple[str, ...] = ()) -> Any:
        """The example of a schema; `place` is what to call it, `within` the references that have led to it."""
        match schema:
            case (
                {"examples": [shown, *_]}
                | {"default": str() | bool() | int() | float() as shown}
                | {"const": shown}
                | {"enum": [shown, *_]}
            ):
                return shown
            case {"$ref": str(reference)}:
                name = reference.rpartition("/")[2]
                return self.of(self.schemas[name], name, (*within, reference))
            case {"anyOf": [*several]} | {"oneOf": [*several]} | {"allOf": [*several]}:
                finite = [one for one in several if one != NULL and one.get("$ref") not in within]
                return self.of(finite[0], place, within) if finite else None
            case _:
                return self._put_together(schema, place, within)

    def _put_together(self, schema: Schema, place: str, within: tuple[str, ...]) -> Any:
        match schema:
            case {"properties": fields}:
                return {name: self.of(field, f"{place}.{name}", within) for name, field in fields.items()}
            case {"prefixItems": [*items]}:
                return [self.of(item, place, within) for item in items]
            case {"type": "array", "items": item}:
                return [] if item.get("$ref") in within else [self.of(item, place, within)]
            case {"format": kind} | {"type": kind} if kind in OF_A_KIND:
                return OF_A_KIND[kind]
            case _:
                raise NoExample(f"{place} has no example: give its field `examples=[…]`, or its content an `example`.")
