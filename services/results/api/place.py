"""Where a game belongs."""

from services.results.domain.sheet.states import UnknownSheet
from services.results.streams import GameHandler
from services.results.tournaments import Tournaments
from shared.access.asker import NOBODY, Concerned
from shared.cache import MOST_REMEMBERED
from shared.values import Value


class Place(Value):
    """For ever; who sits there may change until it has begun."""

    tournament: str
    stage: str
    round: int
    match: str | None
    number: int | None  # of the game inside its match


class Places:
    """Finds where a game belongs; what was found once is remembered."""

    def __init__(self, games: GameHandler, tournaments: Tournaments) -> None:
        self._games = games
        self._tournaments = tournaments
        self._found: dict[str, Place] = {}

    async def of(self, game: str) -> Place | None:
        if (known := self._found.get(game)) is not None:
            return known
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return None
        sheet = state.sheet
        if len(self._found) >= MOST_REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[game] = place = Place(
            tournament=sheet.tournament,
            stage=sheet.stage,
            round=sheet.round,
            match=sheet.match,
            number=sheet.number,
        )
        return place

    async def tournament(self, game: str) -> str | None:
        place = await self.of(game)
        return place and place.tournament

    async def table(self, game: str) -> Concerned:
        """The entrants who sit there now, and the requirement that only they speak of the game."""
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return NOBODY
        sheet, known = state.sheet, await self._tournaments.of(state.sheet.tournament)
        rule = None if known.facts is None else known.settings(sheet.stage).results.rule_ids.get("sides")
        return Concerned(entrants=sheet.seats, rule=rule)
