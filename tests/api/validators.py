"""Apps that are made in a third of the time.

FastAPI makes a validator for each parameter of each operation as soon as an app is made. A service has hundreds of them,
and a test uses a few: here each is made when it is first used. That all of them can be made, the generated documents show.
"""

from collections.abc import Callable
from typing import Any, cast

from fastapi._compat import ModelField


class Needed:
    """Stands in the class until a field has a validator of its own."""

    def __init__(self, make: Callable[[ModelField], None]) -> None:
        self._make = make

    def __get__(self, field: ModelField, _: type[ModelField]) -> object:
        self._make(field)
        return vars(field)["_type_adapter"]


def are_made_when_needed() -> None:
    fields = cast("Any", ModelField)
    if not isinstance(vars(ModelField).get("_type_adapter"), Needed):
        fields._type_adapter = Needed(ModelField.__post_init__)
        fields.__post_init__ = make_none


def make_none(_: ModelField) -> None:
    """Until it is needed."""
