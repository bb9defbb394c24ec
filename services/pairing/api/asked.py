"""An act that somebody asks of a round: what is known for it, and how it happens or is only tried."""

from fastapi import Response

from services.pairing.api.bodies import Foreseen
from services.pairing.api.desk import Desk
from services.pairing.api.leaving import leaving, unnamed
from services.pairing.api.shown import round_of
from services.pairing.api.situation import Situation
from services.pairing.domain.round.decisions import identity
from services.pairing.domain.round.orders import Command
from services.pairing.domain.round.states import State
from shared.commands.handler import Beside
from shared.http.door import Act
from shared.http.responses import JSON, answer
from shared.personal.sentences import all_spoken
from shared.tournament.stages import require_stage, settings_of
from shared.values import Value


async def answered_before(desk: Desk, act: Act) -> Response | None:
    repeated = await desk.rounds.repeated(act.key)
    return repeated and leaving(repeated, await desk.situations.of(act.asker.scope))


class Asked(Value):
    desk: Desk
    act: Act
    situation: Situation
    stage: str
    number: int
    state: State

    @property
    def identity(self) -> str:
        return identity(self.situation.tournament, self.stage, self.number)

    @property
    def idle(self) -> frozenset[str]:
        """In groups and round robins in which a rest is no bye, whoever rests is named nowhere."""
        settings = settings_of(self.situation.facts, self.stage)
        goes_by_plan = settings.is_round_robin or settings.pairing.system == "groups"
        is_unnamed = goes_by_plan and settings.scoring.rest != "bye"
        return frozenset(self.situation.field(self.stage)) if is_unnamed else frozenset()

    async def happen(self, command: Command, *beside: Beside) -> Response:
        """Let it happen, and show what came of it."""
        handled = await self.desk.rounds.handle(
            self.identity,
            command,
            scope=self.situation.tournament,
            origin=self.act.origin,
            respond=self._show,
            key=self.act.key,
            versions=self.act.versions,
            beside=beside,
        )
        return leaving(handled, self.situation)

    async def foresee(self, command: Command, foreseen: Foreseen) -> Response:
        """Say what would change, if it would not be refused."""
        await self.desk.rounds.foresee(self.identity, command)
        told = {name: all_spoken(sentences, self.situation.names) for name, sentences in foreseen}
        return Response(Foreseen.model_validate(told).model_dump_json(), media_type=JSON)

    def _show(self, state: State, version: int) -> bytes:
        return answer(round_of(state, unnamed(self.situation), self.stage, self.number, self.act.asker), version)


async def asked(desk: Desk, act: Act, tournament: str, stage: str, number: int) -> Asked:
    situation = await desk.situations.of(tournament)
    require_stage(situation.facts, stage)
    state, _ = await desk.rounds.load(identity(tournament, stage, number))
    return Asked(desk=desk, act=act, situation=situation, stage=stage, number=number, state=state)
