"""Entrants as answers show them. Names are never kept with an idempotency key, where nobody could erase them."""

from collections.abc import Callable, Iterable

from fastapi import Response
from pydantic import BaseModel

from services.pairing.api.bodies import Player
from services.pairing.tournaments import KnownTournament
from shared.http.orders import answer_in, with_body


def players(entrants: Iterable[str], known: KnownTournament) -> list[Player]:
    return [player(entrant, known) for entrant in entrants]


def player(entrant: str, known: KnownTournament) -> Player:
    return Player(
        entrant=entrant,
        number=known.number(entrant),
        name=known.names.get(entrant),
        home=known.told.homes.get(entrant),
    )


def with_names[Body: BaseModel](
    response: Response,
    body: type[Body],
    players_of: Callable[[Body], Iterable[Player]],
    known: KnownTournament,
) -> Response:
    """An answer that was kept without names, as it leaves."""
    answered = answer_in(response, body)
    for one in players_of(answered):
        one.name = known.names.get(one.entrant)
        one.home = known.told.homes.get(one.entrant)
    return with_body(response, answered)
