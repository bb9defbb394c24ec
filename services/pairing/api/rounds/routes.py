"""Rounds: who meets whom and why, sheets to be printed, and what officials do with a round until it is published and after."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import replace

from services.pairing.api.bodies import ID, STAGE_PATH, Foreseen, ReasonGiven, StageId
from services.pairing.api.permissions import ANY_REASON, PAIR, SEE, SEE_DRAFTS, recalling, require_visible, sheet_of
from services.pairing.api.players import with_names
from services.pairing.api.reasons import stated
from services.pairing.api.rounds import orders, sheets, views
from services.pairing.api.rounds.bodies import (
    Confirmation,
    NewSheet,
    NextRound,
    PairingCompared,
    Publication,
    Recall,
    Repair,
    Round,
    RoundExplained,
    RoundList,
    RoundNumber,
    SeatSwap,
    TableMove,
)
from services.pairing.api.rounds.drafting import Drafting
from services.pairing.domain.round import (
    ROUND,
    AskRepair,
    Command,
    ConfirmRound,
    DraftRound,
    NeedsReason,
    OverridePairing,
    PairAndPublish,
    PublishRound,
    Told,
    Unpaired,
    plan_of,
)
from services.pairing.domain.round_sheet import Drafted, RoundSheet
from services.pairing.domain.stage import identity as stage_identity
from services.pairing.tournaments import KnownRound, KnownTournament, RoundHandler, StageHandler, Tournaments
from shared.access.asker import Asker
from shared.access.references import id_of
from shared.checkpoints.checkpoint_store import RootOnPaper
from shared.clock import Now
from shared.commands.handler import ActPart
from shared.csv_lines import CSV, as_csv, written
from shared.http import responses
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.moments import Moment, asked_for
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import TournamentId
from shared.http.printed import with_root
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, Documented, DryRun, page, read, read_by_content
from shared.ids import NewId
from shared.personal.notes import Notes
from shared.rulesets.times import times
from shared.tournament.stages import settings_of

type EntrantWanted = Annotated[
    str | None,
    Query(pattern=ID, json_schema_extra=id_of("entrant"), description="Only the pair of this entrant.", examples=["A"]),
]

type EntrantOne = Annotated[
    str | None,
    Query(
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="The one; without it the next best pairing of all.",
        examples=["A"],
    ),
]
type EntrantOther = Annotated[
    str | None,
    Query(
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="And the other; without it anybody else.",
        examples=["D"],
    ),
]


type Sorted = Annotated[
    sheets.SheetOrder,
    Query(description="By table for those who run the round, by name for the players.", examples=["name"]),
]

NOT_FOUND = documented(HTTPStatus.NOT_FOUND)
ANSWERS: Documented = READ | NOT_FOUND
COMPARED: Documented = {**READ, **documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)}
LIST: Documented = {**PAGE, **NOT_FOUND}
ONE = "/rounds/{round}"

HTML = "text/html"
AS_HTML = {
    HTTPStatus.OK.value: {
        "description": "The page.",
        "content": {HTML: {"schema": {"type": "string"}, "example": "<!doctype html>…"}},
    }
}
SPREADSHEET = as_csv(
    "table,room,label,seat,entrant,number,name,home,first\r\n1,Library,L1,1,A,1,Ada,Klub pri Dunaji,yes\r\n"
    "1,Library,L1,2,D,4,Dora,,\r\n"
)
STYLED = responses.page_policy(style=responses.hash_of(sheets.STYLE))
REFUSED = documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE)

NO_CONFIRMATION = Confirmation()
AT_ONCE = Publication()


def reading_routes(  # noqa: C901 - seven short operations
    *,
    tournaments: Tournaments,
    drafting: Drafting,
    notes: Notes,
    door: Door,
    kept: AnswerCache,
    root: RootOnPaper,
) -> APIRouter:
    router = Router(prefix=STAGE_PATH, tags=["rounds"])

    async def seen(
        tournament: str, stage: str, number: int, asker: Asker, moment: Moment
    ) -> tuple[Round, KnownTournament, int]:
        """A round for whoever may see it, with its version; in the past as it was published then."""
        if moment.is_past:
            known = await tournaments.with_stage(tournament, stage, moment)
            return views.round_told(known, stage, number), known, 0
        found = require_visible(await tournaments.round(tournament, stage, number), asker)
        return views.round_view(found, asker), found.tournament, found.version

    @router.get(
        "/rounds",
        summary="The rounds of a stage",
        description="Those that are published; officials also see how far the next one is.",
        operation_id="listRounds",
        response_model=RoundList,
        responses=LIST,
        dependencies=[Depends(kept)],
    )
    async def several(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        known = await tournaments.with_stage(tournament_id, stage, moment)
        listed = views.rounds_listed(known, stage)
        coming = known.next(stage)
        if coming.round is not None and not moment.is_past and asker.may(SEE_DRAFTS, tournament_id):
            listed.append(views.listed_in_making(await tournaments.round_of(known, stage, coming.round)))
        shown = RoundList(rounds=listed, of=coming.of)
        return page(shown, STAGE_PATH.format(tournament_id=tournament_id, stage=stage) + "/rounds", None, {})

    @router.get(
        ONE,
        summary="One round",
        description="Who meets whom. A draft is shown to officials only.",
        operation_id="getRound",
        response_model=Round,
        responses=ANSWERS,
        dependencies=[Depends(kept)],
    )
    async def one(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        shown, _, version = await seen(tournament_id, stage, number, asker, moment)
        return read_by_content(shown) if moment.is_past else read(shown, version)

    @router.get(
        f"{ONE}/why",
        summary="Why a round is paired as it is",
        description="How the pairing was made, step by step and table by table, and on what. Officials also see what "
        "spoke against it, and why it was done all the same.",
        operation_id="explainRound",
        response_model=RoundExplained,
        responses=ANSWERS,
    )
    async def why(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
        entrant: EntrantWanted = None,
    ) -> Response:
        known = require_visible(await tournaments.round(tournament_id, stage, number, moment), asker)
        official = asker.may(SEE_DRAFTS, tournament_id)
        key = None if moment.is_past else await drafting.lots.key(tournament_id, is_trusted=False)
        shown = await views.round_explained(known, notes, entrant=entrant, official=official, key=key)
        return read(shown, known.version)

    @router.get(
        f"{ONE}/compare",
        summary="What if two met in a round, or did not",
        description="The best pairing in which they meet, or do not where they do, from the facts that the round was "
        "paired from; and what it would cost. Of one entrant: the best in which it meets somebody else. Without "
        "entrants: the next best of all.",
        operation_id="comparePairing",
        response_model=PairingCompared,
        responses=COMPARED,
    )
    async def compare(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE_DRAFTS))],
        moment: Annotated[Moment, Depends(asked_for)],
        entrant: EntrantOne = None,
        other: EntrantOther = None,
    ) -> Response:
        known = require_visible(await tournaments.round(tournament_id, stage, number, moment), asker)
        named = [one for one in (entrant, other) if one is not None]
        facts = known.tournament.facts_at(plan_of(known.state).drafted.inputs)
        found = await drafting.compared(facts, tournament_id, stage, named)
        return read(views.compared(found, known.tournament), known.version)

    @router.get(
        "/next",
        summary="The next round, and what stands in its way",
        description="A round is paired when every game of the one before has its result.",
        operation_id="getNextRound",
        response_model=NextRound,
        responses=LIST,
    )
    async def following(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        known = await tournaments.with_stage(tournament_id, stage, moment)
        coming = known.next(stage)
        to_pair = await tournaments.round_of(known, stage, coming.round or 0, moment)
        return read_by_content(views.next_view(to_pair, coming, asker, is_past=moment.is_past))

    @router.get(
        f"{ONE}/sheet",
        summary="A round to be printed",
        description="A page for the wall or the desk, in the tournament's own time. Drafts are shown to officials "
        "only.",
        operation_id="printRound",
        response_class=Response,
        responses=AS_HTML | REFUSED,
    )
    async def printed(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
        by: Sorted = "table",
    ) -> Response:
        shown, known, _ = await seen(tournament_id, stage, number, asker, moment)
        content = with_root(sheets.page(shown, times(settings_of(known.facts, stage)), by), await root(tournament_id))
        return Response(content, media_type=f"{HTML}; charset=utf-8", headers=STYLED)

    @router.get(
        f"{ONE}/sheet.csv",
        summary="A round as a spreadsheet",
        description="CSV, one line a seat, and one for everybody without a table.",
        operation_id="exportRound",
        response_class=Response,
        responses=SPREADSHEET | REFUSED,
    )
    async def exported(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        shown, _, _ = await seen(tournament_id, stage, number, asker, moment)
        name = f"{tournament_id}-{stage}-{number}.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(written(sheets.COLUMNS, sheets.lines(shown)), media_type=CSV, headers=headers)

    return router


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundOrders:
    """How an order to a round is carried out, or only tried. An answer is kept without names, and leaves with them."""

    rounds: RoundHandler
    stages: StageHandler
    tournaments: Tournaments
    drafting: Drafting
    notes: Notes
    now: Now
    new_id: NewId

    async def answered_before(self, act: Act, tournament: str) -> Response | None:
        """The first answer to the same request, if it was answered before."""
        before = await answered_before(self.rounds, act)
        return before and with_names(before, Round, views.players_of, await self.tournaments.of(tournament))

    async def carry_out(self, order: Command, known: KnownRound, act: Act, *also: ActPart) -> Response:
        kept = replace(known, tournament=known.tournament.unnamed)
        response = await run(
            self.rounds,
            known.identity,
            order,
            act,
            lambda state: views.round_view(replace(kept, state=state), act.asker),
            scope=known.tournament.id,
            also=also,
        )
        return with_names(response, Round, views.players_of, known.tournament)

    async def decide(
        self,
        order: Command,
        given: ReasonGiven | None,
        known: KnownRound,
        act: Act,
        *also: ActPart,
        foreseen: Foreseen | None = None,
    ) -> Response:
        """With the reason that was given. With `foreseen` it is a dry run: that would change, unless the order would be
        refused even with a reason."""
        if foreseen is not None:
            _, events = await self.rounds.foresee(known.identity, replace(order, reason=ANY_REASON))
            return tried(views.foreseen_spoken(foreseen if events else views.NOTHING_FORESEEN, known.tournament.names))
        async with stated(self.notes, known.tournament.id, given, act) as reason:
            return await self.carry_out(replace(order, reason=reason), known, act, *also)

    def sheets_for(self, sheet: RoundSheet) -> tuple[str, ...]:
        """Ids of the score sheets that its publication opens."""
        return tuple(str(self.new_id()) for _ in sheet.tables)

    def opening(self, known: KnownRound, drafted: Drafted | None, act: Act) -> list[ActPart]:
        """What the first round of a stage does to the stage."""
        name, scope = stage_identity(known.tournament.id, known.stage), known.tournament.id
        return [
            self.stages.part(name, opened, scope=scope, origin=act.origin) for opened in orders.opening(known, drafted)
        ]

    async def pair_and_publish(self, known: KnownRound, body: Publication, act: Act, *, dry_run: bool) -> Response:
        orders.require_in_turn(known)
        if dry_run:
            drafted, is_shown = await self.drafting.tried(known.tournament, known.stage)
            order = self.order_to_pair(known, drafted, body)
            foreseen = views.pairing_foreseen(known, drafted.sheet, order.starts_at, order.doubts, is_shown=is_shown)
            return await self.decide(order, body.reason, known, act, foreseen=foreseen)
        drafted, lots = await self.drafting.next_round(known.tournament, known.stage, act)
        order = self.order_to_pair(known, drafted, body)
        return await self.decide(order, body.reason, known, act, lots, *self.opening(known, drafted, act))

    def order_to_pair(self, known: KnownRound, drafted: Drafted, body: Publication) -> PairAndPublish:
        return PairAndPublish(
            draft=orders.order_to_draft(known, drafted),
            games=self.sheets_for(drafted.sheet),
            starts_at=start_of(body),
            doubts=orders.against_start(known, body.starts_at or self.now()),
        )

    async def override(
        self,
        known: KnownRound,
        sheet: RoundSheet,
        given: ReasonGiven | None,
        act: Act,
        *,
        dry_run: bool,
        instead_of: DraftRound | None = None,
    ) -> Response:
        breaches = orders.breaches_of_sheet(known, sheet)
        order = OverridePairing(
            sheet=sheet, idle=orders.idle(known), doubts=orders.binding(breaches), instead_of=instead_of
        )
        foreseen = views.override_foreseen(known.state, sheet_of(known), sheet, breaches) if dry_run else None
        return await self.decide(order, given, known, act, foreseen=foreseen)

    async def repair(
        self, known: KnownRound, order: AskRepair, given: ReasonGiven | None, act: Act, *, dry_run: bool
    ) -> Response:
        sheet = orders.repaired_sheet(known, order)
        breaches = orders.breaches_of_repair(known, sheet)
        if given is None and not dry_run:
            raise NeedsReason("The round is published, and people look for their seats already: say why.")
        order = replace(order, doubts=orders.binding(breaches))
        foreseen = views.repair_foreseen(known.state, sheet, breaches) if dry_run else None
        return await self.decide(order, given, known, act, foreseen=foreseen)

    async def reseat(
        self, known: KnownRound, sheet: RoundSheet, given: ReasonGiven | None, act: Act, *, dry_run: bool
    ) -> Response:
        """Others sit at some tables: before the round is published by changing the draft, then by a repair."""
        if isinstance(known.state, Told):
            asked = orders.order_to_reseat(known, sheet, str(self.new_id()))
            return await self.repair(known, asked, given, act, dry_run=dry_run)
        return await self.override(known, orders.new_sheet(known, sheet), given, act, dry_run=dry_run)

    async def begun_by_hand(self, known: KnownRound) -> tuple[KnownRound, DraftRound | None]:
        """A round with a sheet on which nobody is seated yet, where the rules leave no pairing."""
        if not isinstance(known.state, Unpaired):
            return known, None
        orders.require_in_turn(known)
        drafted = await self.drafting.by_hand(known.tournament, known.stage)
        if drafted is None:
            return known, None
        order = orders.order_to_draft(known, drafted)
        return replace(known, state=ROUND.fold(ROUND.decide(known.state, order), known.state)), order


def start_of(body: Publication) -> str | None:
    return body.starts_at.isoformat() if body.starts_at else None


def routes(  # noqa: C901 - five short operations
    *, running: RoundOrders, door: Door
) -> APIRouter:
    """The way of a round, from its draft on."""
    router = Router(prefix=STAGE_PATH + ONE, tags=["rounds"])

    @router.post(
        "/draft",
        summary="Pair the next round",
        description="By the system of the stage, from all that is known now. Nobody is told. Until it is published a "
        "round may be paired anew; what was changed by hand or confirmed is then gone.",
        operation_id="draftRound",
        response_model=Round,
        responses=CHANGED,
    )
    async def draft(
        tournament_id: TournamentId, stage: StageId, number: RoundNumber, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        if before := await running.answered_before(act, tournament_id):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        orders.require_in_turn(known)
        drafted, lots = await running.drafting.next_round(known.tournament, stage, act)
        return await running.carry_out(orders.order_to_draft(known, drafted), known, act, lots)

    @router.post(
        "/confirm",
        summary="Stand by a pairing",
        description="Where facts have changed since it was made, pair the round anew or say why not.",
        operation_id="confirmRound",
        response_model=Round,
        responses=CHANGED,
    )
    async def confirm(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        body: Confirmation = NO_CONFIRMATION,
    ) -> Response:
        if before := await running.answered_before(act, tournament_id):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        order = ConfirmRound(inputs=str(known.tournament.inputs), doubts=orders.against_confirmation(known))
        return await running.decide(order, body.reason, known, act)

    @router.post(
        "/publish",
        summary="Publish a round",
        description="Everybody sees it, and score sheets are opened. It starts now, or when `starts_at` says; the rest "
        "between two rounds is shortened only with a reason.",
        operation_id="publishRound",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def publish(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        body: Publication = AT_ONCE,
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        against = orders.against_publication(known, body.starts_at or running.now())
        sheet = orders.sheet_to_publish(known)
        order = PublishRound(games=running.sheets_for(sheet), starts_at=start_of(body), doubts=against)
        foreseen = views.publication_foreseen(known, sheet, order.starts_at, against) if dry_run else None
        opening = running.opening(known, orders.drafted_of(known), act)
        return await running.decide(order, body.reason, known, act, *opening, foreseen=foreseen)

    @router.post(
        "/pair-and-publish",
        summary="Pair and publish the next round in one act",
        description="The same as to draft, confirm and publish it, all of it or nothing. What would need a reason for "
        "its publication needs one here. A draft that was changed by hand is confirmed and published as it is. A dry "
        "run shows who would meet, unless that waits for a lot: none is drawn to be looked at.",
        operation_id="pairAndPublishRound",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def pair_and_publish(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        body: Publication = AT_ONCE,
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        if isinstance(known.state, Told):  # once more is nothing new
            again = PublishRound(games=(), starts_at=start_of(body))
            foreseen = views.NOTHING_FORESEEN if dry_run else None
            return await running.decide(again, body.reason, known, act, foreseen=foreseen)
        return await running.pair_and_publish(known, body, act, dry_run=dry_run)

    @router.post(
        "/recall",
        summary="Ask for a published round back",
        description="Asked, not done: results answers. When no game has begun, its score sheets are closed and the "
        "round counts as never published; otherwise it stands, and `refused` of the round says why.",
        operation_id="recallRound",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def recall(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: Recall,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        order = recalling(known, str(running.new_id()))
        foreseen = views.recall_foreseen(known) if dry_run else None
        return await running.decide(order, body.reason, known, act, foreseen=foreseen)

    return router


def routes_by_hand(*, running: RoundOrders, door: Door) -> APIRouter:
    """What people change of a pairing."""
    router = Router(prefix=STAGE_PATH + ONE, tags=["rounds"])

    @router.post(
        "/override",
        summary="Change a pairing by hand",
        description="Send the whole sheet. A rule that binds is broken only with a reason. The round has to be "
        "confirmed again. Where the rules leave no pairing, it is made by hand in this way.",
        operation_id="overridePairing",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def override(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: NewSheet,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known, instead_of = await running.begun_by_hand(await running.tournaments.round(tournament_id, stage, number))
        sheet = orders.whole_sheet(known, body)
        return await running.override(known, sheet, body.reason, act, dry_run=dry_run, instead_of=instead_of)

    @router.post(
        "/swap",
        summary="Let two change places",
        description="Named by start numbers, by names, or by where they sit. Each takes the seat of the other, or the "
        "bye, with whether that one begins or may choose. A draft has to be confirmed again; of a published round a "
        "repair is asked as by `repairTables`, with a reason.",
        operation_id="swapEntrants",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def swap(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: SeatSwap,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = orders.require_paired(await running.tournaments.round(tournament_id, stage, number))
        return await running.reseat(known, orders.swapped(known, body), body.reason, act, dry_run=dry_run)

    @router.post(
        "/move",
        summary="Move a game to another table",
        description="The game of whoever is named, and the one at that table, change their tables. A draft is "
        "changed; of a published round a repair is asked, with a reason.",
        operation_id="moveToTable",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def move(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: TableMove,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = orders.require_paired(await running.tournaments.round(tournament_id, stage, number))
        return await running.reseat(known, orders.moved(known, body), body.reason, act, dry_run=dry_run)

    @router.post(
        "/repair",
        summary="Change some tables of a published round",
        description="Who sits at them changes places, also with a bye; who has left or is absent may be left out. The "
        "rest of the round stands. Once one of these games has begun results refuses, and `refused` of the round says why.",
        operation_id="repairTables",
        response_model=Round | Foreseen,
        responses=CHANGED,
    )
    async def repair(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: Repair,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await running.answered_before(act, tournament_id)):
            return before
        known = await running.tournaments.round(tournament_id, stage, number)
        order = orders.order_to_repair(known, body, str(running.new_id()))
        return await running.repair(known, order, body.reason, act, dry_run=dry_run)

    return router
