"""Entrants as answers show them. Names are never kept with an idempotency key, where nobody could erase them."""

from collections.abc import Callable, Iterable, Mapping

from fastapi import Response
from pydantic import BaseModel

from services.pairing.api.bodies import Player
from shared.http.orders import with_body


def players(entrants: Iterable[str], names: Mapping[str, str]) -> list[Player]:
    return [Player(entrant=entrant, name=names.get(entrant)) for entrant in entrants]


def with_names[Body: BaseModel](
    response: Response,
    body: type[Body],
    players_of: Callable[[Body], Iterable[Player]],
    names: Mapping[str, str],
) -> Response:
    """An answer that was kept without names, as it leaves."""
    answered = body.model_validate_json(bytes(response.body))
    for player in players_of(answered):
        player.name = names.get(player.entrant)
    return with_body(response, answered)
