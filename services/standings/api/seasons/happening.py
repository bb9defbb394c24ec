"""How something happens to a season, or only would, and how that is answered."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus

from fastapi import Response

from services.standings.api.bodies import Foreseen
from services.standings.api.seasons.desk import Known, SeasonDesk
from services.standings.api.seasons.showing import season_book
from services.standings.domain.season import SEASON, Book, Command
from shared.access.policy import Policy, roles
from shared.access.roles import Role
from shared.commands.handler import Beside
from shared.http.door import Act
from shared.http.responses import JSON, answer, changed, written
from shared.values import Value

DECIDE = roles(Role.DIRECTOR, Role.COUNCIL, scope="season_id")
ACTIONS: Mapping[str, Policy] = {
    "importFirstRatings": DECIDE,
    "importContests": DECIDE,
    "importGames": DECIDE,
    "importRatingList": DECIDE,
    "nameChampion": DECIDE,
    "judgeDeparture": DECIDE,
    "announceField": DECIDE,
    "drawLotAtCut": DECIDE,
    "decideCut": DECIDE,
    "publishQualification": DECIDE,
    "publishRatings": DECIDE,
    "closeSeason": DECIDE,
}
REFUSED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)

type Making[Order: Command] = Callable[[Known], Awaitable[Order]]  # of an order, from what is known


class Happening(Value):
    desk: SeasonDesk

    async def happen[Order: Command](
        self, season: str, making: Making[Order], act: Act, *, beside: Sequence[Beside] = ()
    ) -> Response:
        """On the season as it was when the order was made: what is published adds up with all that was decided."""
        books = self.desk.books
        if before := await books.repeated(act.key):
            return written("standings", before, HTTPStatus.OK)
        known = await self.desk.of(season)

        def shown(state: Book, version: int) -> bytes:
            return answer(season_book(season, state, act.asker, ACTIONS), version)

        handled = await books.handle(
            season,
            await making(known),
            scope=season,
            origin=act.origin,
            respond=shown,
            key=act.key,
            versions={known.version} if act.versions is None else act.versions & {known.version},
            beside=beside,
        )
        return written("standings", handled, HTTPStatus.OK)

    async def happen_or_try[Order: Command](
        self, season: str, making: Making[Order], say: Callable[[Known, Order], Foreseen], act: Act, *, is_tried: bool
    ) -> Response:
        """It happens, or is only tried."""
        if is_tried:
            return await self.would(season, making, say)
        return await self.happen(season, making, act)

    async def would[Order: Command](
        self, season: str, making: Making[Order], say: Callable[[Known, Order], Foreseen]
    ) -> Response:
        known = await self.desk.of(season)
        order = await making(known)
        found = say(known, order) if SEASON.decide(known.book, order) else Foreseen(changes=[], lost=[])
        return Response(found.model_dump_json(), media_type=JSON)
