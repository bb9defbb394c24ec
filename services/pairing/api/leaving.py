"""How answers leave: names are put in here, and never kept with an idempotency key, where nobody could erase them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

import msgspec
from fastapi import Response
from msgspec.structs import replace

from services.pairing.api.situation import Situation
from shared.commands.handler import Handled
from shared.http.responses import written
from shared.personal.shown_names import NamesToShow

NOBODY = NamesToShow(names={}, seen_by="", own_names=frozenset(), schools=frozenset())


def unnamed(situation: Situation) -> Situation:
    """For an answer that is kept."""
    return replace(situation, told=NOBODY)


def leaving(handled: Handled, situation: Situation) -> Response:
    tag, _, body = handled.response.partition(b"\n")
    content: Any = msgspec.json.decode(body)
    put_in(content, situation.names)
    named = b"%s\n%s" % (tag, msgspec.json.encode(content))
    return written("pairing", replace(handled, response=named), HTTPStatus.OK)


def put_in(part: object, names: Mapping[str, str]) -> None:
    """Beside every entrant who may have a name."""
    match part:
        case dict():
            shown = cast("dict[str, object]", part)
            if "name" in shown and isinstance(entrant := shown.get("entrant"), str):
                shown["name"] = names.get(entrant)
            for inner in shown.values():
                put_in(inner, names)
        case list():
            for inner in cast("list[object]", part):
                put_in(inner, names)
        case _:
            pass
