"""What neighbours are told of our events, decided when they are appended. Drafts are nobody else's business."""

import msgspec

from services.pairing.domain import rooms as room_plan
from services.pairing.domain import round as rounds
from services.pairing.domain import stage
from services.pairing.domain.round_sheet import SeatedTable
from shared.contracts import pairing as public


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
                program=event.program,
            )
        case rounds.RecallAsked():
            return msgspec.convert(event, public.RecallAsked, from_attributes=True)
        case rounds.RoundRecalled():
            return msgspec.convert(event, public.RoundRecalled, from_attributes=True)
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
            return msgspec.convert(event, public.GroupsDrawn, from_attributes=True)
        case stage.StageOpened():
            return msgspec.convert(event, public.StageOpened, from_attributes=True)


def of_rooms(event: room_plan.RoomsNamed) -> public.RoomsNamed:
    return msgspec.convert(event, public.RoomsNamed, from_attributes=True)


def games(tables: tuple[SeatedTable, ...], ids: tuple[str, ...]) -> tuple[public.PlannedGame, ...]:
    """Each table as it stands, with the id of its game."""
    return tuple(
        msgspec.convert({"game": game, **msgspec.structs.asdict(table)}, public.PlannedGame)
        for game, table in zip(ids, tables, strict=True)
    )
