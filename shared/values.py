"""What everything inside is made of: values that never change, are equal when all their parts are, and name their parts.

`replace` from `msgspec.structs` makes another one of one.
"""

from typing import Any, dataclass_transform

import msgspec

UNREADABLE = msgspec.DecodeError, UnicodeDecodeError  # of bytes that have another form than is read here, or none

type Json = bool | float | str | list[Json] | dict[str, Json] | None


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class ValueMeta(msgspec.StructMeta):
    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> "ValueMeta":
        given: dict[str, Any] = {"frozen": True, "kw_only": True} | options
        return super().__new__(cls, name, bases, namespace, **given)


class Value(msgspec.Struct, metaclass=ValueMeta):
    pass
