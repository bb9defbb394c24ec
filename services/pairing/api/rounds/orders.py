"""What requests ask of a round, as orders: who is to sit where, which rules that breaks, and what else speaks against it."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from services.pairing import engines
from services.pairing.api.permissions import ANY_REASON, EMPTY, sheet_of
from services.pairing.api.rounds.bodies import NewSheet, Repair
from services.pairing.domain.next_round import require_next
from services.pairing.domain.round import AskRepair, Confirmed, Draft, Published, Told, already_published
from services.pairing.domain.sheet import Doubt, RoundSheet, SeatedTable, repaired, require_seats, require_whole
from services.pairing.domain.stage import GroupMembers, OpenStage
from services.pairing.engines import Breach
from services.pairing.tournaments import KnownRound, KnownTournament
from shared.numbers import exact
from shared.tournament.absent_players import away_from
from shared.tournament.facts import Facts
from shared.tournament.groups import in_groups
from shared.tournament.stages import settings_of

WHY_REPAIRED = "Put together by hand after the round was published."

# What is asked


def require_in_turn(known: KnownRound) -> None:
    """It is the next round, and nothing stands in its way."""
    if isinstance(known.state, Told):
        raise already_published()
    require_next(known.tournament.next(known.stage), known.number)


def idle(known: KnownRound) -> frozenset[str]:
    """Who may be named nowhere: whoever rests in groups and round robins in which a rest is no bye."""
    settings = settings_of(known.tournament.facts, known.stage)
    goes_by_plan = settings.is_round_robin or settings.pairing.system == "groups"
    is_unnamed = goes_by_plan and settings.scoring.rest != "bye"
    return frozenset(known.tournament.field(known.stage)) if is_unnamed else frozenset()


def whole_sheet(known: KnownRound, body: NewSheet) -> RoundSheet:
    """The sheet that is wanted. Tables that stay as they are keep their grounds."""
    before = sheet_of(known)
    grounds = {(table.table, table.seats): table.why for table in before.tables}
    tables = tuple(
        SeatedTable(
            table=pair.table,
            seats=tuple(pair.seats),
            first=pair.first,
            option=pair.option,
            group=pair.group,
            match=pair.match,
            number=pair.number,
            why=grounds.get((pair.table, tuple(pair.seats)), ()),
        )
        for pair in body.pairs
    )
    return RoundSheet(
        tables=tables, byes=tuple(body.byes), requested_byes=before.requested_byes, missing=before.missing
    )


def order_to_repair(known: KnownRound, body: Repair, repair: str) -> AskRepair:
    return AskRepair(
        repair=repair,
        tables=tuple(
            SeatedTable(
                table=one.table, seats=tuple(one.seats), first=one.first, option=one.option, why=(WHY_REPAIRED,)
            )
            for one in body.tables
        ),
        byes=None if body.byes is None else tuple(body.byes),
        away=frozenset(away_from(known.tournament.facts, known.stage, known.number)),
        idle=idle(known),
        begun=known.tournament.begun(),
        reason=ANY_REASON,
    )


def repaired_sheet(known: KnownRound, order: AskRepair) -> RoundSheet:
    """The whole sheet as it would be; empty where the round is not published."""
    if not isinstance(known.state, Published):
        return EMPTY
    return repaired(known.state.plan.sheet, order.tables, order.byes, order.away, order.idle)


def sheet_to_publish(known: KnownRound) -> RoundSheet:
    return known.state.plan.sheet if isinstance(known.state, Confirmed) else EMPTY


def opening(known: KnownRound) -> list[OpenStage]:
    """The first round of a stage opens it, with the groups that it was paired by."""
    if known.number > 1:
        return []
    return [
        OpenStage(
            tournament=known.tournament.id,
            stage=known.stage,
            entrants=known.tournament.field(known.stage),
            groups=groups_paired_by(known),
        )
    ]


def groups_paired_by(known: KnownRound) -> GroupMembers:
    """The groups that were known when the round was paired."""
    if not isinstance(known.state, Confirmed):
        return ()
    facts = known.tournament.facts_at(known.state.plan.drafted.inputs)
    return tuple(map(tuple, in_groups(facts.drawn.get(known.stage, {})).values()))


# Which rules it breaks


def breaches_of_sheet(known: KnownRound, sheet: RoundSheet) -> Sequence[Breach]:
    """The rules that a sheet breaks, once it is one of this round at all."""
    if not isinstance(known.state, Draft | Confirmed):
        return ()
    require_whole(sheet, sheet_of(known), idle(known))
    return breaches(known, known.tournament.facts, sheet)


def breaches_of_repair(known: KnownRound, sheet: RoundSheet) -> Sequence[Breach]:
    """The rules that the round would break, as if it were paired now."""
    if not isinstance(known.state, Published):
        return ()
    facts = known.tournament.facts
    before = {place: one for place, one in facts.rounds.items() if place[0] != known.stage or place[1] < known.number}
    return breaches(known, replace(facts, rounds=before), sheet)


def breaches(known: KnownRound, facts: Facts, sheet: RoundSheet) -> Sequence[Breach]:
    require_seats(sheet, *settings_of(facts, known.stage).contest.seats)
    by_hand = engines.PairedRound(
        round=known.number,
        method="by hand",
        pairs=sheet.tables,
        byes=sheet.byes,
        requested_byes={entrant: exact(points) for entrant, points in sheet.requested_byes.items()},
        missing=sheet.missing,
    )
    return engines.check(facts, known.stage, by_hand)


# What speaks against it: not forbidden, but to be done knowingly and with a reason


def binding(found: Sequence[Breach]) -> tuple[Doubt, ...]:
    return tuple(Doubt(kind=breach.rule, detail=breach.detail) for breach in found if breach.binds)


def against_confirmation(known: KnownRound) -> tuple[Doubt, ...]:
    if not isinstance(known.state, Draft):
        return ()
    return tuple(newer_facts(known.tournament, known.state.plan.drafted.inputs))


def against_publication(known: KnownRound, start: datetime) -> tuple[Doubt, ...]:
    if not isinstance(known.state, Confirmed):
        return ()
    require_in_turn(known)
    return (
        *newer_facts(known.tournament, known.state.inputs),
        *too_early(known.tournament, known.stage, known.number, start),
    )


def newer_facts(known: KnownTournament, inputs: str) -> list[Doubt]:
    """What has come since, if the facts are others now."""
    if not known.has_changed_since(inputs):
        return []
    said = ", ".join(
        f"{news} ({times} times)" if times > 1 else news for news, times in Counter(known.news_since(inputs)).items()
    )
    return [Doubt(kind="newer-facts", detail=f"It rests on {inputs}, and since then {said or 'facts have changed'}.")]


def too_early(known: KnownTournament, stage: str, number: int, start: datetime) -> list[Doubt]:
    """Whether the players have their rest between two rounds."""
    minutes = settings_of(known.facts, stage).pairing.minutes_between_rounds
    ended = known.last_result(stage, number - 1)
    if ended is None or start >= ended + timedelta(minutes=minutes):
        return []
    earliest = (ended + timedelta(minutes=minutes)).isoformat(timespec="seconds")
    return [
        Doubt(
            kind="too-early",
            detail=f"The last result of round {number - 1} came less than {minutes} minutes before this start: "
            f"begin at {earliest} or later.",
        )
    ]
