"""What is known of a tournament when somebody asks: its facts, what they follow from, and what people are called."""

from collections.abc import Mapping

import msgspec

from services.pairing.domain import next_round
from services.pairing.domain.next_round import Next
from shared.contracts.pairing import RoomsNamed, RoundPublished, RoundRecalled, TablesRepaired
from shared.contracts.parts import Standing, standing
from shared.contracts.registration import TournamentCancelled, TournamentCompleted
from shared.contracts.results import GameStarted, GameVoided, ResultCorrected, ResultFinal, ResultReopened
from shared.http.moments import NOW, Moment
from shared.messaging.history import Histories, History, Inputs
from shared.personal.shown_names import NamesShown, NamesToShow
from shared.tournament.facts import Facts
from shared.tournament.progression import opening
from shared.tournament.stages import begun, field_of
from shared.values import Value


class Situation(Value):
    tournament: str
    history: History
    facts: Facts
    told: NamesToShow  # what those who ask are shown of names

    @property
    def names(self) -> Mapping[str, str]:
        return self.told.names

    @property
    def inputs(self) -> Inputs:
        return self.history.inputs

    @property
    def is_over(self) -> bool:
        return bool(self.history.of(TournamentCompleted, TournamentCancelled))

    def next(self, stage: str) -> Next:
        return next_round.next_round(self.facts, stage, over=self.is_over)

    def field(self, stage: str) -> tuple[str, ...]:
        """Who is there when a stage begins: by start number, or as an earlier stage says."""
        if not begun(self.facts, stage):
            return opening(self.facts, stage).entrants
        gone = {one for one, left in self.facts.left.items() if left.stage == stage and left.after_round == 0}
        present = (entrant for entrant in field_of(self.facts, stage).values() if entrant.id not in gone)
        return tuple(entrant.id for entrant in sorted(present, key=lambda entrant: entrant.number))

    def begun(self) -> frozenset[str]:
        """Games that somebody plays or has played. Who was not there has not, and an ordered replay begins anew."""
        found: set[str] = set()
        for told in self.history.of(GameStarted, ResultFinal, ResultCorrected, ResultReopened, GameVoided):
            match told:
                case ResultReopened() | ResultFinal(unplayed=True):
                    found.discard(told.game)
                case GameStarted() | ResultFinal() | ResultCorrected() | GameVoided():
                    found.add(told.game)
        return frozenset(found)

    def tables(self) -> Mapping[int, Standing]:
        """Where the tables of a round stand."""
        named = self.history.of(RoomsNamed)
        return standing(named[-1].rooms) if named else {}

    def published(self, stage: str) -> Mapping[int, RoundPublished]:
        """The rounds of a stage that stand, as they were told."""
        stands: dict[int, RoundPublished] = {}
        for told in self.history.of(RoundPublished, RoundRecalled, TablesRepaired):
            if told.stage != stage:
                continue
            match told:
                case RoundPublished():
                    stands[told.round] = told
                case RoundRecalled():
                    stands.pop(told.round, None)
                case TablesRepaired() if told.round in stands:
                    stands[told.round] = repaired(stands[told.round], told)
                case TablesRepaired():
                    pass
        return stands


def repaired(standing: RoundPublished, told: TablesRepaired) -> RoundPublished:
    changed = {game.game: game for game in told.games}
    games = tuple(changed.get(game.game, game) for game in standing.games)
    missing = standing.missing if told.missing is None else told.missing
    return msgspec.structs.replace(standing, games=games, byes=told.byes, missing=missing)


class Situations:
    def __init__(self, heard: Histories, names: NamesShown) -> None:
        self._heard = heard
        self._names = names

    async def of(self, tournament: str, moment: Moment = NOW) -> Situation:
        history, facts = await moment.started(self._heard, tournament)
        told = await self._names.of_tournament(tournament)
        return Situation(tournament=tournament, history=history, facts=facts, told=told)
