"""What requests ask of a round, as orders: who is to sit where, which rules that breaks, and what else speaks against it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain

from msgspec import convert
from msgspec.structs import replace

from services.pairing import engines
from services.pairing.api.permissions import ANY_REASON, EMPTY, sheet_of
from services.pairing.api.rounds.bodies import (
    NewSheet,
    PairToPlay,
    Repair,
    SeatSwap,
    TableMove,
    TableToRepair,
    WhoIsMeant,
)
from services.pairing.domain.next_round import require_next
from services.pairing.domain.round import (
    AskRepair,
    Confirmed,
    Draft,
    DraftRound,
    Published,
    Told,
    Unpaired,
    already_published,
    plan_of,
    undrafted,
)
from services.pairing.domain.round_sheet import (
    Doubt,
    Drafted,
    RoundSheet,
    SeatedTable,
    repaired,
    require_seats,
    require_whole,
)
from services.pairing.domain.stage import GroupMembers, OpenStage, groups_changed
from services.pairing.engines import Breach
from services.pairing.tournaments import KnownRound, KnownTournament
from shared.faults import Faulty, InputFault, at
from shared.numbers import exact
from shared.rulesets.settings import fixed_size, stage_of
from shared.rulesets.stages import Windows
from shared.spelling import folded, words_of
from shared.tournament.absent_players import away_from
from shared.tournament.facts import Facts
from shared.tournament.fixtures import fixtures
from shared.tournament.groups import in_groups
from shared.tournament.stages import settings_of

WHY_REPAIRED = "Put together by hand after the round was published."
MOST_CANDIDATES = 10

# What is asked


def order_to_draft(known: KnownRound, drafted: Drafted) -> DraftRound:
    return DraftRound(tournament=known.tournament.id, stage=known.stage, round=known.number, drafted=drafted)


def require_in_turn(known: KnownRound) -> None:
    """It is the next round, and nothing stands in its way."""
    if isinstance(known.state, Told):
        raise already_published()
    require_next(known.tournament.next(known.stage), known.number)


def idle(known: KnownRound) -> frozenset[str]:
    """Who may be named nowhere: whoever rests in groups and round robins in which a rest is no bye."""
    settings = settings_of(known.tournament.facts, known.stage)
    is_unnamed = settings.goes_by_plan and settings.scoring.rest != "bye"
    return frozenset(known.tournament.field(known.stage)) if is_unnamed else frozenset()


def whole_sheet(known: KnownRound, body: NewSheet) -> RoundSheet:
    """The sheet that is wanted."""
    before = sheet_of(known)
    tables = tuple(by_hand(pair, table_before(before, pair)) for pair in body.pairs)
    return replace(before, tables=tables, byes=tuple(body.byes))


def table_before(sheet: RoundSheet, wanted: PairToPlay) -> SeatedTable | None:
    """The table of that number; of a new number the one at which the same sit, or else any, as all begin alike."""
    together = (table for table in sheet.tables if set(table.seats) == set(wanted.seats))
    return sheet.by_number.get(wanted.table) or next(chain(together, sheet.tables), None)


def by_hand(wanted: PairToPlay, before: SeatedTable | None) -> SeatedTable:
    """A table at which the same sit as before keeps its grounds."""
    table = convert(wanted, SeatedTable, from_attributes=True)
    first, option = who_begins(wanted, before)
    grounds = before.why if before is not None and before.seats == table.seats else ()
    return replace(table, first=first, option=option, why=grounds)


def order_to_repair(known: KnownRound, body: Repair, repair: str) -> AskRepair:
    there = current_sheet(known).by_number
    tables = tuple(to_repair(one, there.get(one.table)) for one in body.tables)
    return repair_of(known, repair, tables, None if body.byes is None else tuple(body.byes))


def repair_of(
    known: KnownRound, repair: str, tables: tuple[SeatedTable, ...], byes: tuple[str, ...] | None
) -> AskRepair:
    return AskRepair(
        repair=repair,
        tables=tables,
        byes=byes,
        away=frozenset(away_from(known.tournament.facts, known.stage, known.number)),
        idle=idle(known),
        begun=known.tournament.begun(),
        reason=ANY_REASON,
    )


def to_repair(wanted: TableToRepair, before: SeatedTable | None) -> SeatedTable:
    first, option = who_begins(wanted, before)
    return SeatedTable(table=wanted.table, seats=tuple(wanted.seats), first=first, option=option, why=(WHY_REPAIRED,))


def who_begins(wanted: TableToRepair | PairToPlay, before: SeatedTable | None) -> tuple[str | None, str | None]:
    """And who may choose. Where it is not said, whoever sits down where somebody does so does it instead, as in a swap."""
    if wanted.model_fields_set & {"first", "option"}:
        return wanted.first, wanted.option
    if before is None:
        return wanted.seats[0], None
    instead = dict(zip(before.seats, wanted.seats, strict=False))
    return instead.get(before.first or ""), instead.get(before.option or "")


def repaired_sheet(known: KnownRound, order: AskRepair) -> RoundSheet:
    """The whole sheet as it would be; empty where the round is not published."""
    if not isinstance(known.state, Published):
        return EMPTY
    return repaired(known.state.plan.sheet, order.tables, order.byes, order.away, order.idle)


def drafted_of(known: KnownRound) -> Drafted | None:
    """The draft that would be published."""
    return known.state.plan.drafted if isinstance(known.state, Confirmed) else None


def sheet_to_publish(known: KnownRound) -> RoundSheet:
    return known.state.plan.sheet if isinstance(known.state, Confirmed) else EMPTY


def opening(known: KnownRound, drafted: Drafted | None) -> list[OpenStage]:
    """The first round of a stage opens it, with the groups that its draft was made by. Once it is published it has. A later
    one adds whoever plays in it by a correction since."""
    if isinstance(known.state, Told):
        return []
    if known.number > 1:
        return joining(known)
    return [
        OpenStage(
            tournament=known.tournament.id,
            stage=known.stage,
            entrants=known.tournament.field(known.stage),
            groups=groups_paired_by(known, drafted),
            is_later=known.stage != known.tournament.facts.ruleset.stages[0].id,
        )
    ]


def joining(known: KnownRound) -> list[OpenStage]:
    """Who has equal points about the edge only since a correction."""
    facts = known.tournament.facts
    if not isinstance(stage_of(facts.ruleset, known.stage).field, Windows):
        return []
    there = facts.fields.get(known.stage, ())
    others = dict.fromkeys(seat for one in fixtures(facts, known.stage) for seat in one.seats if seat not in there)
    order = OpenStage(tournament=known.tournament.id, stage=known.stage, entrants=(*there, *others), is_later=True)
    return [order] if others else []


def groups_paired_by(known: KnownRound, drafted: Drafted | None) -> GroupMembers:
    """The groups that were known when the round was paired."""
    return () if drafted is None else groups_in(known.tournament.facts_at(drafted.inputs), known.stage)


def groups_in(facts: Facts, stage: str) -> GroupMembers:
    return tuple(map(tuple, in_groups(facts.drawn.get(stage, {})).values()))


def require_same_groups(known: KnownRound, drafted: Drafted) -> None:
    """What was paired by other groups can never be published, so nobody need stand by it."""
    groups = groups_in(known.tournament.facts, known.stage)
    if known.number == 1 and groups and groups_paired_by(known, drafted) != groups:
        raise groups_changed()


# Small changes, by what people know


class WhoIsUnclear(Faulty):
    """Nobody on the sheet is meant, or several may be."""


def current_sheet(known: KnownRound) -> RoundSheet:
    """What stands on the sheet now; empty where there is none."""
    return EMPTY if isinstance(known.state, Unpaired) else plan_of(known.state).sheet


def require_paired(known: KnownRound) -> KnownRound:
    if isinstance(known.state, Unpaired):
        raise undrafted()
    return known


def swapped(known: KnownRound, body: SeatSwap) -> RoundSheet:
    """Each takes the place of the other: the seat with whether it begins or chooses, or the bye."""
    sheet = current_sheet(known)
    one, other = (meant(known, who, at("swap", place)) for place, who in enumerate(body.swap))
    instead = {one: other, other: one}
    placed = {*(seat for table in sheet.tables for seat in table.seats), *sheet.byes}
    if without := [who for who in instead if who not in placed]:
        who = called(known, without[0])
        raise WhoIsUnclear(
            f"{who} has neither a table nor a bye in this round: bring them back or admit them, and pair it anew.",
            [InputFault(at("swap", int(without[0] == other)), "names somebody who does not play in this round")],
        )
    tables = tuple(
        replace(
            table,
            seats=tuple(instead.get(seat, seat) for seat in table.seats),
            first=instead.get(table.first or "", table.first),
            option=instead.get(table.option or "", table.option),
        )
        for table in sheet.tables
    )
    return replace(sheet, tables=tables, byes=tuple(instead.get(entrant, entrant) for entrant in sheet.byes))


def moved(known: KnownRound, body: TableMove) -> RoundSheet:
    """Two games change their tables."""
    sheet = current_sheet(known)
    who = meant(known, body.who, at("who"))
    tables = sheet.by_number
    old = next((table for table in sheet.tables if who in table.seats), None)
    if old is None:
        raise WhoIsUnclear(
            f"{called(known, who)} sits at no table in this round.", [InputFault(at("who"), "names nobody at a table")]
        )
    if (new := tables.get(body.to_table)) is None:
        raise WhoIsUnclear(
            f"There is no table {body.to_table} in this round: it has 1 to {max(tables)}.",
            [InputFault(at("to_table"), "is no table of this round")],
        )
    changed = {new.table: at_table(new, old), old.table: at_table(old, new)}
    return replace(sheet, tables=tuple(changed.get(table.table, table) for table in sheet.tables))


def at_table(table: SeatedTable, others: SeatedTable) -> SeatedTable:
    """A table with those who have sat at another one. Before a round is published their group and match go with them."""
    return replace(others, table=table.table)


def meant(known: KnownRound, who: WhoIsMeant, pointer: str) -> str:
    """The one entrant that is meant."""
    tournament, sheet = known.tournament, current_sheet(known)
    there = dict.fromkeys(sheet.entrants())
    match who:
        case WhoIsMeant(entrant=str(entrant)):
            found, said = [one for one in there if one == entrant], "this id"
        case WhoIsMeant(number=int(number)):
            found, said = [one for one in there if tournament.number(one) == number], f"the number {number}"
        case WhoIsMeant(name=str(name)):
            found, said = of_name(name, {one: tournament.names.get(one, "") for one in there}), f"the name {name!r}"
        case _:
            seats = next((table.seats for table in sheet.tables if table.table == who.table), ())
            place = (who.seat or 1) - 1
            found, said = list(seats[place : place + 1]), f"a place at seat {who.seat} of table {who.table}"
    if len(found) == 1:
        return found[0]
    if found:
        candidates = "; ".join(called(known, one) for one in found[:MOST_CANDIDATES])
        raise WhoIsUnclear(
            f"Several have {said}: {candidates}. Name one of them by the number.",
            [InputFault(pointer, f"may be any of these: {candidates}")],
        )
    raise WhoIsUnclear(
        f"Nobody on the sheet of this round has {said}: look at the round.",
        [InputFault(pointer, "names nobody on the sheet of this round")],
    )


def of_name(wanted: str, names: Mapping[str, str]) -> list[str]:
    """Whoever is called exactly so; otherwise whoever has all these words in the name."""
    known = {entrant: folded(name) for entrant, name in names.items()}
    whole = [entrant for entrant, name in known.items() if name == folded(wanted)]
    return whole or [entrant for entrant, name in known.items() if words_of(wanted) <= words_of(name)]


def called(known: KnownRound, entrant: str) -> str:
    """With what tells them apart from others of the same name."""
    tournament = known.tournament
    table = next((table.table for table in current_sheet(known).tables if entrant in table.seats), None)
    where = f", table {table}" if table is not None else ""
    return f"No. {tournament.number(entrant)} {tournament.names.get(entrant, entrant)}{where}"


def new_sheet(known: KnownRound, sheet: RoundSheet) -> RoundSheet:
    """The sheet of a round of which nobody has been told: the grounds of the engine go with what it has seated."""
    before = current_sheet(known).by_number
    tables = (table if table.seats == before[table.table].seats else replace(table, why=()) for table in sheet.tables)
    return replace(sheet, tables=tuple(tables))


def order_to_reseat(known: KnownRound, sheet: RoundSheet, repair: str) -> AskRepair:
    """The order that seats a published round anew, of which everybody has been told: only the tables that change."""
    before = current_sheet(known).by_number
    changed = (table for table in sheet.tables if table != before[table.table])
    tables = tuple(replace(table, group=None, match=None, number=None, why=(WHY_REPAIRED,)) for table in changed)
    return repair_of(known, repair, tables, sheet.byes)


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
    return breaches(known, replace(facts, rounds=before), sheet, is_published=True)


def breaches(known: KnownRound, facts: Facts, sheet: RoundSheet, *, is_published: bool = False) -> Sequence[Breach]:
    require_seats(sheet, *settings_of(facts, known.stage).contest.seats)
    by_hand = engines.PairedRound(
        round=known.number,
        method="by hand",
        pairs=sheet.tables,
        byes=sheet.byes,
        requested_byes={entrant: exact(points) for entrant, points in sheet.requested_byes.items()},
        missing=sheet.missing,
    )
    return engines.check(facts, known.stage, by_hand, is_published=is_published)


# What speaks against it: not forbidden, but to be done knowingly and with a reason


def binding(found: Sequence[Breach]) -> tuple[Doubt, ...]:
    return tuple(Doubt(kind=breach.rule, detail=breach.detail) for breach in found if breach.binds)


def against_confirmation(known: KnownRound) -> tuple[Doubt, ...]:
    if not isinstance(known.state, Draft):
        return ()
    require_same_groups(known, known.state.plan.drafted)
    return tuple(newer_facts(known.tournament, known.state.plan.drafted.inputs))


def against_publication(known: KnownRound, start: datetime) -> tuple[Doubt, ...]:
    if not isinstance(known.state, Confirmed):
        return ()
    require_in_turn(known)
    require_same_groups(known, known.state.plan.drafted)
    return (*newer_facts(known.tournament, known.state.inputs), *against_start(known, start))


def against_start(known: KnownRound, start: datetime) -> tuple[Doubt, ...]:
    return (*too_early(known.tournament, known.stage, known.number, start), *wrong_size(known))


def newer_facts(known: KnownTournament, inputs: str) -> list[Doubt]:
    """What has come since, if the facts are others now."""
    if not known.has_changed_since(inputs):
        return []
    said = ", ".join(
        f"{news} ({times} times)" if times > 1 else news for news, times in Counter(known.news_since(inputs)).items()
    )
    return [Doubt(kind="newer-facts", detail=f"It rests on {inputs}, and since then {said or 'facts have changed'}.")]


def wrong_size(known: KnownRound) -> list[Doubt]:
    """Whether a later stage begins with as many as the rules fix; of the first one the start of the tournament asks that."""
    facts = known.tournament.facts
    if known.number > 1 or known.stage == facts.ruleset.stages[0].id:
        return []
    there = len(known.tournament.field(known.stage))
    wanted = fixed_size(facts.ruleset, known.stage, size=there)
    if wanted in (None, there):
        return []
    title, by = stage_of(facts.ruleset, known.stage).title, settings_of(facts, known.stage).pairing.by("field")
    return [
        Doubt(
            kind="field-size", detail=f"The {title} begins with exactly {wanted} entrants{by}, and {there} are in it."
        )
    ]


ALMOST_A_SECOND = timedelta(seconds=1) - timedelta.resolution  # a start that is named is never before the moment itself


def too_early(known: KnownTournament, stage: str, number: int, start: datetime) -> list[Doubt]:
    """Whether the players have their rest between two rounds."""
    rested = known.rested_at(stage, number)
    if rested is None or start >= rested:
        return []
    minutes = settings_of(known.facts, stage).pairing.minutes_between_rounds
    earliest = (rested + ALMOST_A_SECOND).isoformat(timespec="seconds")
    return [
        Doubt(
            kind="too-early",
            detail=f"The last result of round {number - 1} came less than {minutes} minutes before this start: "
            f"begin at {earliest} or later.",
        )
    ]
