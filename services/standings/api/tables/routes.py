"""Tables of stages as they are and as they were, the reasons for a place, what corrections changed, and how the whole
event ends.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from msgspec.structs import replace
from pydantic import BaseModel

from services.standings.api.parameters import Among, CrosstableFormat, LastEventId, StageId, TableFormat, Through
from services.standings.api.permissions import LOOK, SUPPOSE
from services.standings.api.reports.files import report_file
from services.standings.api.responses import (
    CROSSTABLE_FILES,
    REPORT,
    TABLE_ON_PAPER,
    Tagged,
    in_brief,
    respond,
    respond_on_paper,
    with_etag,
)
from services.standings.api.tables import live
from services.standings.api.tables.answers import TableAnswers
from services.standings.api.tables.bodies import (
    Crosstable,
    Explanation,
    FinalRanking,
    Progression,
    Supposed,
    Table,
    TableChanges,
    TableMoment,
    TableMoments,
    WhatIf,
)
from services.standings.api.tables.files import (
    crosstable_file,
    crosstable_page,
    final_ranking_file,
    final_ranking_page,
    table_file,
    table_page,
)
from services.standings.api.tables.live import LiveTables
from services.standings.api.tables.views import (
    FastCrosstable,
    KnownTurns,
    as_json,
    change_view,
    crosstable_view,
    explanation_view,
    final_ranking_view,
    progression_view,
    supposed_view,
)
from services.standings.domain import differences
from services.standings.projection.table_store import LARGE, TableStore
from services.standings.projection.traced_tables import Pushed
from services.standings.tournaments import EntrantNames, KnownTournament, Tournaments
from shared.access.asker import Asker
from shared.cache import LruCache
from shared.checkpoints.checkpoint_store import RootOnPaper
from shared.commands.handler import Handler
from shared.csv_lines import CSV
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.live_streams import EventStream, OpenStreams
from shared.http.moments import Moment, asked_for
from shared.http.parameters import Absent, EntrantId, TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, FOUND, PAGE, After, Limit, encoded, page, unknown_end, unversioned
from shared.rulesets.settings import stage_of
from shared.tournament.facts import Facts
from shared.tournament.ordering import RankingCache
from shared.tournament.stages import require_stage

MOST_AT_ONCE = 100
RANKED_LAST = 50  # stages of which it is remembered what was worked out for their crosstables
STAGE = "/stages/{stage}"
ON_PAPER = with_etag(TABLE_ON_PAPER)


def routes(  # noqa: C901, PLR0915 - nine short operations
    *,
    answers: TableAnswers,
    tournaments: Tournaments,
    changes: Handler[differences.State, differences.Command, differences.Event],
    tables: TableStore,
    streams: OpenStreams,
    door: Door,
    kept: AnswerCache,
    root: RootOnPaper,
    pushed: Pushed | None = None,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["standings"])
    caches = LruCache[tuple[str, str], RankingCache](RANKED_LAST)
    live_tables = LiveTables(answers=answers, tables=tables, streams=streams, door=door, pushed=pushed)

    async def shown[Found: BaseModel](
        tournament: str,
        moment: Moment,
        view: Callable[[KnownTournament, EntrantNames], Found],
    ) -> Tagged:
        known = await tournaments.of(tournament, moment)
        names = await tournaments.names(tournament)
        found = await asyncio.to_thread(view, known, names)
        return Tagged(inputs=str(known.inputs), content=encoded(found), names=in_brief(names.values()))

    async def met(
        known: KnownTurns, names: EntrantNames, *, through: int | None = None, among: str | None = None, is_whole: bool
    ) -> FastCrosstable:
        place = known.tournament, known.stage
        cache = (caches.pop(place) if is_whole else None) or RankingCache()
        view = partial(crosstable_view, known, names, through=through, among=among, cache=cache)
        found = view() if len(known.facts.entrants) < LARGE else await asyncio.to_thread(view)
        if is_whole:  # nobody else has used it meanwhile
            caches.put(place, cache)
        return found

    @router.get(
        f"{STAGE}/standings",
        summary="The table of a stage",
        description="As it is now, or as it was: after a round, or with what was known at a time. `inputs` names what "
        "it rests on, and so does its `ETag`.",
        operation_id="getStandings",
        response_model=Table,
        responses=FOUND | ON_PAPER,
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def table(
        tournament_id: TournamentId,
        stage: StageId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
        as_format: TableFormat = None,
    ) -> Response:
        is_plain = through is None and moment.at is None and among is None
        found = await answers.now(tournament_id, stage) if is_plain else None
        if found is None or (moment.is_past and str(moment.inputs) != found.inputs):
            known = await tournaments.of(tournament_id, moment)
            found = await answers.of(known, stage, through=through, among=among)
        if as_format == "csv":
            return respond(replace(found, content=table_file(found.content)), CSV)
        if as_format == "page":
            known = await tournaments.of(tournament_id, moment)
            title = stage_of(known.facts.ruleset, stage).title
            return respond_on_paper(
                found,
                table_page(found.content, known.heading(title), start_numbers(known.facts)),
                await root(tournament_id),
            )
        return respond(found)

    @router.get(
        f"{STAGE}/standings/moments",
        summary="When the table of a stage has changed",
        description="The moment of each result that came into it, was corrected or went: the steps by which the table can be "
        "replayed with `at`, and the last one is the last change.",
        operation_id="listTableMoments",
        response_model=TableMoments,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def moments(tournament_id: TournamentId, stage: StageId) -> Response:
        inputs, changes = await tournaments.changes_of_table(tournament_id, stage)
        told = [TableMoment(at=change.at, round=change.round) for change in changes]
        body = TableMoments(tournament=tournament_id, stage=stage, inputs=str(inputs), moments=told)
        return respond(Tagged(inputs=str(inputs), content=encoded(body)))

    @router.get(
        f"{STAGE}/standings/live",
        summary="The table of a stage, whenever it changes",
        description=live.DESCRIPTION,
        operation_id="followStandings",
        response_class=StreamingResponse,
        responses=live.ANSWER | documented(HTTPStatus.NOT_FOUND),
    )
    async def follow(
        request: Request,
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(LOOK))],
        last_event_id: LastEventId = None,
    ) -> EventStream:
        if await answers.now(tournament_id, stage) is None:
            await tournaments.stage(tournament_id, stage)  # which says why there is none
        return live_tables.stream(request, asker, tournament_id, stage, last_event_id)

    @router.post(
        f"{STAGE}/standings/what-if",
        summary="What would become of the tables if a game had another result",
        description="Who would go from which place to which, who would go on, and which rounds are published and stay "
        "as they are. Send as `result` what a dry run of results answers as `after`, or null for none.",
        operation_id="supposeResult",
        response_model=Supposed,
        responses=BAD | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(SUPPOSE))],
    )
    async def suppose(tournament_id: TournamentId, stage: StageId, body: WhatIf) -> Response:
        known = await tournaments.of(tournament_id)
        require_stage(known.facts, stage)
        view = partial(supposed_view, stage=stage, body=body)
        found = await asyncio.to_thread(view, known, await tournaments.names(tournament_id))
        return unversioned(found)

    @router.get(
        f"{STAGE}/standings/entrants/{{entrant_id}}",
        summary="Why an entrant stands where it stands",
        description="Each value with what it is made of, and what separates the entrant from the next ones.",
        operation_id="explainStanding",
        response_model=Explanation,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def explain(
        tournament_id: TournamentId,
        stage: StageId,
        entrant_id: EntrantId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
    ) -> Response:
        view = partial(explanation_view, stage=stage, entrant=entrant_id, through=through, among=among)
        return respond(await shown(tournament_id, moment, view))

    @router.get(
        "/changes",
        summary="What corrections changed in tables",
        description="A correction, a late penalty or a departure changes tables that people have read. Each such "
        "change is kept: what led to it, and who moved. Published pairings stay as they are.",
        operation_id="listTableChanges",
        response_model=TableChanges,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def list_changes(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        after: After | Absent = None,
        limit: Limit = MOST_AT_ONCE,
    ) -> Response:
        if after and not after.isdecimal():
            raise unknown_end()
        known = await tournaments.of(tournament_id, moment)
        names = await tournaments.names(tournament_id)
        state, _ = await changes.as_told(tournament_id, known.inputs.standings)
        first = int(after) if after else 0
        some = list(enumerate(state.changes, start=1))[first : first + limit]
        following = str(first + limit) if first + limit < len(state.changes) else None
        body = TableChanges(
            tournament=tournament_id, items=[change_view(number, one, names) for number, one in some], next=following
        )
        return page(body, f"/v1/tournaments/{tournament_id}/changes", following, {"limit": limit, **moment.query})

    @router.get(
        f"{STAGE}/crosstable",
        summary="Who met whom in a stage",
        description="Every entrant's rounds with opponents, points and scores, in the order of the table. In the "
        "sheet opponents are told by the number of their line. The files of other programs are for games of two and for "
        "matches of teams.",
        operation_id="getCrosstable",
        response_model=Crosstable,
        responses=FOUND | with_etag(CROSSTABLE_FILES),
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def crosstable(
        tournament_id: TournamentId,
        stage: StageId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
        as_format: CrosstableFormat = None,
    ) -> Response:
        is_whole = through is None and not moment.is_past and among is None
        names = await tournaments.names(tournament_id)
        made = answers.looked_up(tournament_id, stage) if is_whole and as_format in {None, "json"} else None
        if made is not None:
            turns = KnownTurns(
                tournament=tournament_id, stage=stage, facts=made.facts, inputs=made.inputs, table=made.ranking
            )
            return respond(as_json(await met(turns, names, is_whole=True)))
        known = await tournaments.of(tournament_id, moment)
        facts, inputs = known.facts, str(known.inputs)
        if as_format in ("trf16", "trf26", "tsh"):
            content = await asyncio.to_thread(report_file, known, stage, names, through, among, as_format)
            shown_names = in_brief(names.get(entrant) for entrant in facts.entrants)
            return respond(Tagged(inputs=inputs, content=content, names=shown_names), f"{REPORT}; charset=utf-8")
        turns = KnownTurns(tournament=tournament_id, stage=stage, facts=facts, inputs=inputs)
        found = await met(turns, names, through=through, among=among, is_whole=is_whole)
        tagged = as_json(found)
        if as_format == "page":
            heading = known.heading(f"{stage_of(facts.ruleset, stage).title}, who met whom")
            return respond_on_paper(
                tagged, crosstable_page(found, names, heading, start_numbers(facts)), await root(tournament_id)
            )
        if as_format == "csv":
            return respond(replace(tagged, content=crosstable_file(found, names)), CSV)
        return respond(tagged)

    @router.get(
        "/final",
        summary="The final ranking of a tournament",
        description="Put together from its stages as the rules say, with the titles and prizes that follow. While the "
        "tournament goes on, as things stand.",
        operation_id="getFinalRanking",
        response_model=FinalRanking,
        responses=FOUND | ON_PAPER,
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def final(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        among: Among = None,
        as_format: TableFormat = None,
    ) -> Response:
        known = await tournaments.of(tournament_id, moment)
        told = await tournaments.told(tournament_id)
        found = await asyncio.to_thread(final_ranking_view, known, told, among=among)
        names = in_brief(chain(told.names.values(), told.homes.values()))
        tagged = Tagged(inputs=found.inputs, content=encoded(found), names=names)
        if as_format == "csv":
            return respond(replace(tagged, content=final_ranking_file(found)), CSV)
        if as_format == "page":
            return respond_on_paper(
                tagged,
                final_ranking_page(found, known.heading("final ranking"), start_numbers(known.facts)),
                await root(tournament_id),
            )
        return respond(tagged)

    @router.get(
        "/progression",
        summary="Who goes on",
        description="To each later stage, and to another tournament: who, on what ground, who are the reserves, and "
        "what has to be drawn, played or closed before.",
        operation_id="getProgression",
        response_model=Progression,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK)), Depends(kept)],
    )
    async def going_on(tournament_id: TournamentId, moment: Annotated[Moment, Depends(asked_for)]) -> Response:
        return respond(await shown(tournament_id, moment, progression_view))

    return router


def start_numbers(facts: Facts) -> Mapping[str, int]:
    return {one.id: one.number for one in facts.entrants.values()}
