"""The records of a tournament of Scrabble: as JSON, for spreadsheets, and as a page to be printed."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.results.api.context import Context, require_started
from services.results.api.parameters import ADA, GAME, TOURNAMENT
from services.results.domain.sheet.states import Final
from services.results.domain.tournament_records import BestAchieved, BestKind, GameAchieved, achieved, bests, noted
from services.results.tournaments import KnownTournament
from shared.access.policy import ANYBODY
from shared.csv_lines import written
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.printed import FileOrPage, PrintedTable, in_each_form, on_paper, printed
from shared.http.problems import documented
from shared.http.responses import read_by_content
from shared.numbers import shown
from shared.personal.shown_names import called
from shared.refusals import Conflict

COLUMNS = ("record", "value", "entrant", "name", "stage", "round", "table", "game")
TITLES: Mapping[BestKind, str] = {
    "turn": "Best turn",
    "score": "Highest score",
    "joint-score": "Highest joint score",
    "bingos-of-game": "Most bingos in a game",
    "bingos-of-tournament": "Most bingos in the tournament",
}
FOUND = in_each_form(f"{','.join(COLUMNS)}\r\nturn,167,{ADA},Ada Lovelace,swiss,3,1,{GAME}\r\n")


class NoSuchRecords(Conflict):
    """Only Scrabble has records of turns and scores."""


class RecordHolder(BaseModel):
    entrant: str = Field(examples=[ADA])
    name: str | None = Field(description="As it is shown; null when it was erased.", examples=["Ada Lovelace"])


class TournamentRecord(BaseModel):
    record: BestKind = Field(examples=["turn"])
    value: int | float = Field(examples=[167])
    holders: list[RecordHolder] = Field(description="Both players of a joint score.")
    stage: str | None = Field(description="Null for the whole tournament, as the next ones.", examples=["swiss"])
    round: int | None = Field(examples=[3])
    table: int | None = Field(examples=[1])
    game: str | None = Field(examples=[GAME])


class NotedGames(BaseModel):
    """Of how many games something is known: what nobody noted on a sheet is in no record."""

    games: int = Field(description="Those that are final.", examples=[112])
    scores: int = Field(description="Played to their end: other endings set the scores.", examples=[110])
    turns: int = Field(description="With at least one turn that was noted.", examples=[98])
    bingos: int = Field(description="With at least one bingo that was noted.", examples=[61])


class TournamentRecords(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    noted: NotedGames
    records: list[TournamentRecord] = Field(description="Whoever are equal stand there each.")


def routes(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["records"])

    @router.get(
        "/records",
        summary="The records of a tournament",
        description="Of Scrabble: best turn, highest score, highest joint score, most bingos in a game and in the "
        "tournament, from sheets that are final, with how much was noted on them.",
        operation_id="getTournamentRecords",
        response_model=TournamentRecords,
        responses=FOUND | documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def of_tournament(tournament_id: TournamentId, as_format: FileOrPage = None) -> Response:
        known = await context.tournaments.of(tournament_id)
        require_started(known)
        if known.rules().game != "scrabble":
            raise NoSuchRecords(
                "Turns and scores make records in Scrabble only: look at the games and the table instead."
            )
        games = [achieved(sheet) for sheet in await final_sheets(context, known, tournament_id)]
        names = (await context.names.of_tournament(tournament_id)).names
        found = records_view(tournament_id, games, names)
        if as_format is None:
            return read_by_content(found)
        return on_paper(as_format, file=lambda: records_file(found), page=lambda: records_page(found, known.number))

    return router


async def final_sheets(context: Context, known: KnownTournament, tournament: str) -> Sequence[Final]:
    games = await context.projection.final_games(tournament, known.stages())
    states = [await context.games.load(game) for game in games]
    return [state for state, _ in states if isinstance(state, Final)]


def records_view(tournament: str, games: Sequence[GameAchieved], names: Mapping[str, str]) -> TournamentRecords:
    return TournamentRecords(
        tournament=tournament,
        noted=NotedGames.model_validate(noted(games), from_attributes=True),
        records=[record_view(best, names) for best in bests(games)],
    )


def record_view(best: BestAchieved, names: Mapping[str, str]) -> TournamentRecord:
    at = best.at
    return TournamentRecord(
        record=best.kind,
        value=shown(best.value),
        holders=[RecordHolder(entrant=one, name=names.get(one)) for one in best.holders],
        stage=at.stage if at else None,
        round=at.round if at else None,
        table=at.table if at else None,
        game=at.game if at else None,
    )


def records_file(found: TournamentRecords) -> bytes:
    """One line for each holder."""
    return written(
        COLUMNS,
        (one.model_dump(exclude={"holders"}) | dict(holder) for one in found.records for holder in one.holders),
    )


def records_page(found: TournamentRecords, number: Callable[[str], int | None]) -> Response:
    rows = [
        [
            TITLES[one.record],
            one.value,
            " and ".join(called(holder.name, number(holder.entrant)) for holder in one.holders),
            one.round,
            one.table,
        ]
        for one in found.records
    ]
    known = found.noted
    below = (
        f"From {known.games} games; turns were noted in {known.turns} of them, bingos in {known.bingos}, and {known.scores} "
        "have a score that counts."
    )
    table = PrintedTable(title="Records", columns=("Record", "Value", "Who", "Round", "Table"), rows=rows)
    return printed("Records of the tournament", below, [table])
