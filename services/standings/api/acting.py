"""What somebody asks of a stage: what is known for it, how it happens, and how the stage is shown."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import Response

from services.standings.api.asked import Situation, Situations
from services.standings.api.bodies import Foreseen, Stage, Unresolved
from services.standings.api.paths import ACTIONS
from services.standings.domain import qualifying, ranking
from services.standings.domain.qualifying import QUALIFYING, qualified
from services.standings.domain.ranking import RANKING, Closed, CloseStage, Kind, Open, SettleTie, ShortenStage, Tie
from services.standings.domain.table import Ranked, obstacles, ranked, ties_about_going_on
from shared.access.asker import Asker
from shared.commands.handler import Beside, Handler, StreamAppend
from shared.http.door import Act
from shared.http.responses import Action, action, answer, changed, written
from shared.lots.drawing import Lots
from shared.personal.notes import Notes
from shared.rulesets.settings import settings, stage_of
from shared.tournament.completion import unfinished
from shared.tournament.facts import Facts, Order
from shared.tournament.stages import settings_of, size_of
from shared.values import Value

type Rankings = Handler[ranking.State, ranking.Command, ranking.Event]
type Qualifying = Handler[qualifying.State, qualifying.NameQualified, qualifying.Qualified]


REFUSED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


@dataclass(frozen=True, kw_only=True, eq=False)
class Desk:
    """What these operations work with."""

    rankings: Rankings
    qualifying: Qualifying
    lots: Lots
    situations: Situations
    notes: Notes


class Asked(Value):
    desk: Desk
    act: Act
    situation: Situation
    stage: str
    table: Ranked

    @classmethod
    async def of(cls, desk: Desk, act: Act, tournament: str, stage: str) -> "Asked":
        situation = await desk.situations.of(tournament)
        table = await situation.table(stage)
        return cls(desk=desk, act=act, situation=situation, stage=stage, table=table)

    @property
    def tournament(self) -> str:
        return self.situation.tournament

    def settling(self, kind: Kind, order: ranking.Places) -> SettleTie:
        return SettleTie(
            tournament=self.tournament,
            stage=self.stage,
            kind=kind,
            order=order,
            waiting=(*self.table.ties, *ties_about_going_on(self.situation.facts, self.stage)),
            unfinished=tuple(unfinished(self.situation.facts, self.stage)),
        )

    def shortening(self, rounds: int, reason: str) -> ShortenStage:
        facts, stage = self.situation.facts, self.stage
        least = settings_of(facts, stage).pairing.least_rounds or 1
        return ShortenStage(
            tournament=self.tournament,
            stage=stage,
            rounds=rounds,
            least=max(least, self.table.round),
            planned=settings(facts.ruleset, stage, size=size_of(facts, stage)).rounds,
            reason=reason,
        )

    def closing(self) -> CloseStage:
        return CloseStage(
            tournament=self.tournament,
            stage=self.stage,
            order=self.table.order.places,
            groups=self.table.order.groups,
            rests_on=str(self.situation.inputs),
            obstacles=obstacles(self.situation.facts, self.stage, self.table),
        )

    async def draw(self, entrants: Sequence[str]) -> Response:
        """Nothing is drawn for a tie that does not wait; for one that had its lot, the same comes out."""
        state, _ = await self.desk.rankings.load(self.tournament)
        if not state.is_settled(self.stage, "lot", entrants):
            await self.desk.rankings.foresee(self.tournament, self.settling("lot", one_by_one(entrants)))
        drawing = await self.desk.lots.begin(self.tournament, self.act.origin)
        order = drawing.draw(f"order of {self.stage}", entrants)
        return await self.happen(self.settling("lot", one_by_one(order)), drawing.recorded())

    async def happen(self, command: ranking.Command, *beside: Beside) -> Response:
        """Let it happen, and show what came of it."""
        handled = await self.desk.rankings.handle(
            self.tournament,
            command,
            scope=self.tournament,
            origin=self.act.origin,
            respond=self._show,
            key=self.act.key,
            versions=self.act.versions,
            beside=(*beside, self._qualifying(command)),
        )
        return written("standings", handled, HTTPStatus.OK)

    def _qualifying(self, command: ranking.Command) -> Beside:
        """Who goes on to another tournament, where this decides it."""

        async def decided() -> StreamAppend:
            state, _ = await self.desk.rankings.load(self.tournament)
            then = self.situation.with_decided(RANKING.fold(RANKING.decide(state, command), state))
            named = await asyncio.to_thread(qualified, self.tournament, then.facts, str(then.inputs))
            if named is not None:
                part = self.desk.qualifying.part(self.tournament, named, scope=self.tournament, origin=self.act.origin)
                return await part()
            _, version = await self.desk.qualifying.load(self.tournament)
            return StreamAppend(stream=QUALIFYING.stream(self.tournament), version=version, events=())

        return decided

    async def foresee_shortening(self, rounds: int) -> Foreseen:
        _, events = await self.desk.rankings.foresee(self.tournament, self.shortening(rounds, ""))
        planned = settings_of(self.situation.facts, self.stage).rounds
        return Foreseen(
            changes=[f"The stage is over after round {rounds}, and not after round {planned}."] if events else [],
            lost=[f"Round {rounds + 1} and those after it are not played."]
            if events and rounds < (planned or 0)
            else [],
        )

    async def foresee_closing(self) -> Foreseen:
        state, events = await self.desk.rankings.foresee(self.tournament, self.closing())
        if not events:
            return Foreseen(changes=[], lost=[])
        count = len(self.table.standings)
        match state.stage(self.stage):
            case Open():
                lost: list[str] = []
            case Closed() as closed:
                lost = [f"The order in which it was closed on {closed.rests_on}: the new one takes its place."]
        return Foreseen(changes=[f"The order of {count} entrants is told to all who build on this stage."], lost=lost)

    def _show(self, state: ranking.State, version: int) -> bytes:
        situation = self.situation.with_decided(state)
        table = ranked(situation.facts, situation.persons, self.stage)
        return answer(stage_of_table(situation, self.stage, table, state, self.act.asker), version)


def one_by_one(entrants: Sequence[str]) -> ranking.Places:
    return tuple((entrant,) for entrant in entrants)


def stage_of_table(situation: Situation, stage: str, table: Ranked, state: ranking.State, asker: Asker) -> Stage:
    facts = situation.facts
    hindered = obstacles(facts, stage, table)
    ties = (*table.ties, *ties_about_going_on(facts, stage))
    closed = state.stage(stage)
    order, groups, closed_on = (
        (closed.order, closed.groups, closed.rests_on) if isinstance(closed, Closed) else (None, None, None)
    )
    return Stage(
        tournament=situation.tournament,
        stage=stage,
        title=stage_of(facts.ruleset, stage).title,
        status="open" if order is None else "closed",
        round=table.round,
        rounds=settings_of(facts, stage).rounds,
        complete=table.complete,
        obstacles=list(hindered),
        unresolved=[Unresolved(entrants=list(tie.entrants), needs=tie.needs) for tie in ties],
        order=None if order is None else [list(equal) for equal in order],
        closed_on=closed_on,
        groups=list(groups) if groups else None,
        up_to_date=None if order is None else Order(places=order, groups=groups or ()) == table.order,
        inputs=str(situation.inputs),
        allowed_actions=list(allowed(situation, stage, asker, hindered, ties)),
    )


def why_not_shorter(facts: Facts, stage: str) -> str | None:
    planned = settings(facts.ruleset, stage, size=size_of(facts, stage)).rounds
    if planned is None:
        return "The rules fix no number of rounds for this stage."
    return "All its rounds are published." if (stage, planned) in facts.rounds else None


def allowed(
    situation: Situation, stage: str, asker: Asker, hindered: Sequence[str], ties: Sequence[Tie]
) -> Sequence[Action]:
    """By who asks first, and then by what has happened."""
    to_play = " ".join(unfinished(situation.facts, stage)) or None
    waits = {tie.needs for tie in ties}
    reasons = {
        "settleTie": to_play or (None if "duel" in waits else "Nobody waits for a duel."),
        "drawLot": to_play or (None if "lot" in waits else "Nobody waits for a lot."),
        "shortenStage": why_not_shorter(situation.facts, stage),
        "closeStage": " ".join(hindered) or None,
    }
    return [
        action(name, asker.why_not(policy, situation.tournament) or reasons[name]) for name, policy in ACTIONS.items()
    ]
