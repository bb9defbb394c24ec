"""What neighbours are told of our events, decided when they are appended. Drafts are nobody else's business."""

import msgspec

from services.pairing.domain import rooms as room_plan
from services.pairing.domain import stage
from services.pairing.domain.round import facts as rounds
from services.pairing.domain.sheet import Table
from shared.contracts import pairing as public
from shared.contracts import parts


def of_round(event: rounds.Event) -> msgspec.Struct | None:
    match event:
        case rounds.RoundPublished():
            return public.RoundPublished(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                games=games(event.sheet.tables, event.games),
                byes=event.sheet.byes,
                requested_byes=event.sheet.requested_byes,
                missing=event.sheet.missing,
                rests_on=event.inputs,
                starts_at=event.starts_at,
            )
        case rounds.RecallAsked():
            return public.RecallAsked(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                recall=event.recall,
                games=event.games,
            )
        case rounds.RoundRecalled():
            return public.RoundRecalled(tournament=event.tournament, stage=event.stage, round=event.round)
        case rounds.RepairAsked():
            return public.RepairAsked(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                repair=event.repair,
                games=games(event.tables, event.games),
                starts_at=event.starts_at,
            )
        case rounds.TablesRepaired():
            return public.TablesRepaired(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                games=games(event.tables, event.games),
                byes=event.byes,
                missing=event.missing,
            )
        case (
            rounds.RoundDrafted()
            | rounds.PairingOverridden()
            | rounds.RoundConfirmed()
            | rounds.RecallFailed()
            | rounds.RepairFailed()
        ):
            return None


def of_stage(event: stage.Event) -> msgspec.Struct:
    match event:
        case stage.GroupsDrawn():
            return public.GroupsDrawn(
                tournament=event.tournament, stage=event.stage, groups=event.groups, by_hand=event.by_hand
            )
        case stage.StageOpened():
            return public.StageOpened(tournament=event.tournament, stage=event.stage, entrants=event.entrants)


def of_rooms(event: room_plan.RoomsNamed) -> public.RoomsNamed:
    return public.RoomsNamed(
        tournament=event.tournament,
        rooms=tuple(parts.Room(name=room.name, tables=room.tables) for room in event.rooms),
    )


def games(tables: tuple[Table, ...], ids: tuple[str, ...]) -> tuple[public.PlannedGame, ...]:
    return tuple(
        public.PlannedGame(
            game=game,
            table=table.table,
            seats=table.seats,
            first=table.first,
            option=table.option,
            group=table.group,
            match=table.match,
            number=table.number,
        )
        for game, table in zip(ids, tables, strict=True)
    )
