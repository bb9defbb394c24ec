"""What neighbours have told of a tournament: how far its rounds are published, and which of them are played."""

from collections.abc import Mapping

from shared.contracts.pairing import RoundPublished, RoundRecalled
from shared.contracts.results import GameVoided, ResultFinal, ResultReopened
from shared.messaging.history import Histories
from shared.values import Value


class KnownTournament(Value):
    published: Mapping[str, int]  # by stage, its last round; the stage that was published last is the last
    unplayed: Mapping[tuple[str, int], int]  # rounds, by stage, with games that have no result, and how many

    def stage(self, first: str) -> str:
        """The one that is played."""
        return [first, *self.published][-1]

    def last(self, stage: str) -> int:
        """Its last round that is published; 0 is before the first."""
        return self.published.get(stage, 0)


class KnownTournaments(Value):
    histories: Histories

    async def of(self, tournament: str) -> KnownTournament:
        history = await self.histories.of(tournament)
        rounds: dict[str, set[int]] = {}
        games: dict[tuple[str, int], set[str]] = {}
        for told in history.of(RoundPublished, RoundRecalled):
            if isinstance(told, RoundRecalled):
                rounds.get(told.stage, set()).discard(told.round)
                games.pop((told.stage, told.round), None)
            else:
                rounds[told.stage] = rounds.pop(told.stage, set()) | {told.round}
                games[told.stage, told.round] = {game.game for game in told.games}
        settled: set[str] = set()
        for told in history.of(ResultFinal, ResultReopened, GameVoided):
            (settled.discard if isinstance(told, ResultReopened) else settled.add)(told.game)
        return KnownTournament(
            published={stage: max(known) for stage, known in rounds.items() if known},
            unplayed={place: len(several - settled) for place, several in games.items() if several - settled},
        )
