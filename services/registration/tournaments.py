"""What neighbours have told of a tournament: how far its rounds are published."""

from collections.abc import Mapping

from shared.contracts.pairing import RoundPublished, RoundRecalled
from shared.messaging.history import Histories
from shared.values import Value


class KnownTournament(Value):
    published: Mapping[str, int]  # by stage, its last round; the stage that was published last is the last

    def stage(self, first: str) -> str:
        """The one that is played."""
        return [first, *self.published][-1]

    def last(self, stage: str) -> int:
        """Its last round that is published; 0 is before the first."""
        return self.published.get(stage, 0)


class KnownTournaments(Value):
    histories: Histories

    async def of(self, tournament: str) -> KnownTournament:
        rounds: dict[str, set[int]] = {}
        for told in (await self.histories.of(tournament)).of(RoundPublished, RoundRecalled):
            if isinstance(told, RoundRecalled):
                rounds.get(told.stage, set()).discard(told.round)
            else:
                rounds[told.stage] = rounds.pop(told.stage, set()) | {told.round}
        return KnownTournament(published={stage: max(known) for stage, known in rounds.items() if known})
