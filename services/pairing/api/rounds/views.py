"""How a round is answered: as it stands in its stream, as it was told at some time, why it is so, what an act would change."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from services.pairing.api.bodies import Foreseen, Player, PlayerWithPoints, Points
from services.pairing.api.permissions import allowed_on_next, allowed_on_round
from services.pairing.api.players import player, players
from services.pairing.api.rounds.bodies import (
    AskedInVain,
    CostPart,
    Decision,
    NextRound,
    ObstacleShown,
    Pair,
    PairExplained,
    PairingCompared,
    PairStatus,
    ResultHeard,
    Round,
    RoundExplained,
    RoundListed,
    RoundStatus,
)
from services.pairing.domain.next_round import ComingRound, is_completed, lost_for_absence, unfinished
from services.pairing.domain.round import (
    Confirmed,
    Draft,
    Published,
    RecallFailed,
    Recalling,
    RepairFailed,
    Repairing,
    RoundPlan,
    State,
    Told,
    Unpaired,
    has_begun,
    plan_of,
)
from services.pairing.domain.round_length import longest
from services.pairing.domain.round_sheet import Doubt, RoundSheet, SeatedTable
from services.pairing.engines import Alternative, Breach, EntrantUnknown
from services.pairing.tournaments import NEWS, KnownRound, KnownTournament, unpublished
from shared.access.asker import Asker
from shared.contracts.parts import PlannedGame
from shared.contracts.results import GameVoided, PenaltyImposed, ResultCorrected, ResultReopened
from shared.lots.explaining import once_revealed
from shared.lots.formula import LotKey
from shared.messaging import history
from shared.numbers import Number, exact, shown
from shared.personal.notes import Notes
from shared.personal.sentences import all_spoken, spoken
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.completion import planned_rounds
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of

type Ids = Sequence[str | None]

# A round


def round_view(known: KnownRound, asker: Asker) -> Round:
    tournament, state = known.tournament, known.state
    match state:
        case Unpaired():
            raise unpublished(known.number)
        case Draft() | Confirmed():
            plan, ids, starts_at = state.plan, [None] * len(state.plan.sheet.tables), None
        case Published():
            plan, ids, starts_at = state.plan, state.games, state.starts_at
        case Recalling(published=published) | Repairing(published=published):
            plan, ids, starts_at = published.plan, published.games, published.starts_at
    return Round(
        tournament=tournament.id,
        tournament_name=tournament.name,
        stage=known.stage,
        title=tournament.title(known.stage),
        round=known.number,
        of=planned_rounds(tournament.facts, known.stage),
        time_zone=tournament.time_zone,
        status=status(known),
        pairs=pairs(plan.sheet.tables, ids, tournament),
        byes=players(plan.sheet.byes, tournament),
        requested_byes=resting(plan.sheet.requested_byes, tournament),
        missing=players(plan.sheet.missing, tournament),
        starts_at=time(starts_at),
        rested_at=tournament.rested_at(known.stage, known.number) if isinstance(state, Draft | Confirmed) else None,
        rests_on=plan.drafted.inputs,
        recall_asked=isinstance(state, Recalling),
        repair_asked=isinstance(state, Repairing),
        refused=refused(state),
        allowed_actions=allowed_on_round(known, asker),
    )


def round_told(known: KnownTournament, stage: str, number: int) -> Round:
    """A round as everybody knew it at some time. Nothing can be done then any more."""
    told = known.published(stage).get(number)
    if told is None:
        raise unpublished(number)
    return Round(
        tournament=told.tournament,
        tournament_name=known.name,
        stage=told.stage,
        title=known.title(told.stage),
        round=told.round,
        of=planned_rounds(known.facts, told.stage),
        time_zone=known.time_zone,
        status="completed" if is_completed(known.facts, told.stage, told.round) else "published",
        pairs=pairs(told.games, [game.game for game in told.games], known),
        byes=players(told.byes, known),
        requested_byes=resting(told.requested_byes, known),
        missing=players(told.missing, known),
        starts_at=time(told.starts_at),
        rests_on=told.rests_on,
        recall_asked=False,
        repair_asked=False,
        refused=None,
        allowed_actions={},
    )


def rounds_listed(known: KnownTournament, stage: str) -> list[RoundListed]:
    """Those that are published, in order."""
    published, repaired = known.published_at(stage), known.repaired_at(stage)
    minutes = longest(settings_of(known.facts, stage))
    length = None if minutes is None else timedelta(minutes=float(minutes))
    listed: list[RoundListed] = []
    for number, told in sorted(known.published(stage).items()):
        waiting = len(unfinished(known.facts, known.facts.rounds[stage, number]))
        planned = time(told.starts_at)
        listed.append(
            RoundListed(
                round=number,
                status="published" if waiting else "completed",
                games=len(told.games),
                without_result=waiting,
                starts_at=planned,
                repaired_at=repaired.get(number),
                ends_at=(planned or published[number]) + length if waiting and length else None,
            )
        )
    return listed


def listed_in_making(known: KnownRound) -> RoundListed:
    """The next round in a list, for officials."""
    tables = 0 if isinstance(known.state, Unpaired | Told) else len(known.state.plan.sheet.tables)
    return RoundListed(
        round=known.number,
        status=status(known),
        games=tables,
        without_result=tables,
        starts_at=None,
        repaired_at=None,
        ends_at=None,
    )


def next_view(to_pair: KnownRound, coming: ComingRound, asker: Asker, *, is_past: bool) -> NextRound:
    """The next round of a stage. In the past nothing can be done any more."""
    known, stage = to_pair.tournament, to_pair.stage
    return NextRound(
        round=coming.round,
        of=coming.of,
        planned_for=None if coming.round is None else known.planned_start(stage, coming.round),
        ready=coming.round is not None and not coming.obstacles,
        obstacles=[
            ObstacleShown(kind=one.kind, detail=spoken(one.detail, known.names), tables=list(one.tables))
            for one in coming.obstacles
        ],
        allowed_actions={} if is_past else allowed_on_next(to_pair, asker),
    )


def status(known: KnownRound) -> RoundStatus:
    match known.state:
        case Unpaired():
            return "unpaired"
        case Draft():
            return "draft"
        case Confirmed():
            return "confirmed"
        case Published() | Recalling() | Repairing():
            return "completed" if known.is_completed else "published"


def refused(state: State) -> AskedInVain | None:
    match state:
        case Published(refused=RecallFailed() | RepairFailed() as failed):
            what = "recall" if isinstance(failed, RecallFailed) else "repair"
            return AskedInVain(what=what, game=failed.game, reason=has_begun(state, failed.game))
        case _:
            return None


def pairs(tables: Sequence[SeatedTable | PlannedGame], ids: Ids, known: KnownTournament) -> list[Pair]:
    standing, begun = known.tables(), known.begun()
    found = [
        Pair(
            game=game,
            table=table.table,
            room=room,
            label=label,
            status=pair_status(game, known.facts, begun),
            result=result_heard(game, known.facts),
            seats=players(table.seats, known),
            first=table.first,
            option=table.option,
            group=table.group,
            match=table.match,
            number=table.number,
        )
        for table, game in zip(tables, ids, strict=True)
        for room, label in [standing.get(table.table, (None, None))]
    ]
    return sorted(found, key=lambda pair: pair.table)


def pair_status(game: str | None, facts: Facts, begun: Collection[str]) -> PairStatus:
    if game in facts.results:
        return "final"
    if game in facts.voided:
        return "voided"
    return "started" if game in begun else "pending"


def result_heard(game: str | None, facts: Facts) -> ResultHeard | None:
    found = None if game is None else facts.results.get(game)
    return found and ResultHeard(
        scores=list(map(shown, found.scores)),
        points=list(map(shown, found.points)),
        end=found.end,
        corrected=game in facts.corrected,
    )


def resting(requested: Mapping[str, Number], known: KnownTournament) -> list[PlayerWithPoints]:
    return [
        PlayerWithPoints(**dict(player(entrant, known)), points=number(points)) for entrant, points in requested.items()
    ]


def players_of(answered: Round) -> Iterator[Player]:
    """Everybody in an answer."""
    for pair in answered.pairs:
        yield from pair.seats
    yield from (*answered.byes, *answered.requested_byes, *answered.missing)


def number(points: Number) -> Points:
    return shown(exact(points))


def time(written: str | None) -> datetime | None:
    return None if written is None else datetime.fromisoformat(written)


# Why it is paired as it is


async def round_explained(
    known: KnownRound, notes: Notes, *, entrant: str | None, official: bool, key: LotKey | None
) -> RoundExplained:
    """The grounds of the engine; for officials also what was decided against a doubt."""
    plan, tournament = plan_of(known.state), known.tournament
    if entrant is not None and entrant not in plan.sheet.entrants():
        raise EntrantUnknown("Nobody with this id is on the sheet of this round: look at the round.")
    grounds = plan.drafted.explanation
    since = since_paired(plan, tournament) if isinstance(known.state, Told) else ()
    return RoundExplained(
        method=plan.drafted.method,
        explanation=all_spoken([*grounds, *once_revealed(grounds, key), *since], tournament.names),
        pairs=tables_explained(plan.sheet.tables, tournament, entrant=entrant),
        cost=cost_parts(plan.drafted.components, plan.drafted.cost),
        proved=plan.drafted.proved,
        rests_on=plan.drafted.inputs,
        changed_by_hand=plan.by_hand,
        decisions=await decisions(plan, notes) if official else [],
    )


def since_paired(plan: RoundPlan, known: KnownTournament) -> Iterator[str]:
    """What has happened after it was paired, and what that changes."""
    yield from corrected(plan, known)
    seated = ((table.table, table.seats) for table in plan.sheet.tables)
    yield from lost_for_absence(known.facts, plan.stage, plan.round, seated)


def corrected(plan: RoundPlan, known: KnownTournament) -> Iterator[str]:
    """What has changed since it was paired in earlier rounds, and in the stages that say who is in it."""
    ruleset = known.facts.ruleset
    before = leading_to(ruleset, plan.stage)
    found = Counter[tuple[str, int, str]]()
    for event in known.history.behind(history.parse(plan.drafted.inputs)):
        match event.contract:
            case ResultCorrected() | ResultReopened() | GameVoided() | PenaltyImposed() as told if (
                told.stage in before or (told.stage == plan.stage and told.round < plan.round)
            ):
                found[told.stage, told.round, NEWS[event.type]] += 1
            case _:
                pass
    order = [one.id for one in ruleset.stages]
    for (stage, round_, news), times in sorted(found.items(), key=lambda one: (order.index(one[0][0]), one[0])):
        often = f" {times} times" if times > 1 else ""
        where = "" if stage == plan.stage else f" of {stage_of(ruleset, stage).title}"
        yield (
            f"Since it was paired, {news}{often} in round {round_}{where}. What is published stands, so nobody is paired "
            "anew."
        )


def leading_to(ruleset: Ruleset, stage: str) -> frozenset[str]:
    """The stages whose results say who is in this one."""
    field, podium = stage_of(ruleset, stage).field, ruleset.final.podium
    if isinstance(field, Everybody):
        return frozenset()
    earlier = {field.stage}
    if podium is not None and podium.play_offs is not None and stage == podium.semifinals:
        earlier.add(podium.play_offs)
    return frozenset(earlier).union(*(leading_to(ruleset, one) for one in earlier))


def tables_explained(
    tables: Sequence[SeatedTable], known: KnownTournament, *, entrant: str | None = None
) -> list[PairExplained]:
    return [
        PairExplained(table=table.table, seats=players(table.seats, known), why=all_spoken(table.why, known.names))
        for table in sorted(tables, key=lambda table: table.table)
        if entrant is None or entrant in table.seats
    ]


def cost_parts(components: Sequence[str], costs: Sequence[Number] | None) -> list[CostPart] | None:
    if costs is None:
        return None
    return [CostPart(counts=counts, cost=number(part)) for counts, part in zip(components, costs, strict=True)]


async def decisions(plan: RoundPlan, notes: Notes) -> list[Decision]:
    named = [one.reason.note for one in plan.outweighed if one.reason and one.reason.note]
    words = await notes.read(plan.tournament, named)
    return [
        Decision(
            act=one.act,
            doubts=[doubt.detail for doubt in one.doubts],
            reason=one.reason and one.reason.code,
            words=one.reason and words.get(one.reason.note or ""),
        )
        for one in plan.outweighed
    ]


def compared(found: Alternative, known: KnownTournament) -> PairingCompared:
    """Another pairing beside the one that the engine made, whatever was changed by hand since."""
    other = found.pairing
    return PairingCompared(
        would_meet=found.would_meet,
        sentence=spoken(found.sentence, known.names),
        pairs=None if other is None else tables_explained(other.pairs, known),
        byes=[] if other is None else players(other.byes, known),
        cost=None if other is None else cost_parts(other.components, other.cost),
        difference=None if other is None else cost_parts(other.components, found.difference),
    )


# What an act would change

NOTHING_FORESEEN = Foreseen(changes=[], lost=[], doubts=[], remarks=[])


def override_foreseen(state: State, before: RoundSheet, after: RoundSheet, breaches: Sequence[Breach]) -> Foreseen:
    old = before.by_number
    moved = [table for table in after.tables if table.table not in old or old[table.table].seats != table.seats]
    stayed = [table for table in after.tables if table not in moved]
    return Foreseen(
        changes=[f"At table {table.table} will sit {', '.join(table.seats)}." for table in moved]
        + [sentence for table in stayed for sentence in otherwise_begun(old[table.table], table)]
        + [f"{entrant} will rest." for entrant in before.entrants() if entrant not in set(after.entrants())]
        + [f"{entrant} will have the bye." for entrant in after.byes if entrant not in before.byes]
        + [f"{entrant} will be missing." for entrant in after.missing if entrant not in before.missing],
        lost=["The confirmation: the round has to be confirmed again."] if isinstance(state, Confirmed) else [],
        doubts=[breach.detail for breach in breaches if breach.binds],
        remarks=[breach.detail for breach in breaches if not breach.binds],
    )


def otherwise_begun(before: SeatedTable, after: SeatedTable) -> Iterator[str]:
    """What becomes of who starts and who may choose, where the same sit at a table."""
    if after.first != before.first:
        yield f"At table {after.table} {after.first or 'nobody'} will be named first."
    if after.option != before.option:
        yield f"At table {after.table} {after.option or 'nobody'} will have the option."


def publication_foreseen(
    known: KnownRound, sheet: RoundSheet, starts_at: str | None, doubts: Sequence[Doubt]
) -> Foreseen:
    games, byes = len(sheet.tables), len(sheet.byes)
    with_byes = f" and {byes} bye{'s' if byes > 1 else ''}" if byes else ""
    start = starts_at or "when it is published"
    planned = known.tournament.planned_start(known.stage, known.number)
    return Foreseen(
        changes=[
            f"Round {known.number} is published with {games} game{'' if games == 1 else 's'}{with_byes}; it starts {start}."
        ],
        lost=["From then on only a recall or a repair changes it, and only games that have not begun."],
        doubts=[doubt.detail for doubt in doubts],
        remarks=[f"By the timetable of the rules it begins {planned.isoformat()}."] if planned else [],
    )


WAITS_FOR_LOT = "Who meets whom a lot decides, and none is drawn before it counts: draft the round to see it."


def pairing_foreseen(
    known: KnownRound, sheet: RoundSheet, starts_at: str | None, doubts: Sequence[Doubt], *, is_shown: bool
) -> Foreseen:
    """What a publication changes, and who would meet whom."""
    foreseen = publication_foreseen(known, sheet, starts_at, doubts)
    if is_shown:
        tables = sorted(sheet.tables, key=lambda table: table.table)
        foreseen.changes += [f"At table {table.table} will sit {', '.join(table.seats)}." for table in tables]
        foreseen.changes += [f"{entrant} will have the bye." for entrant in sheet.byes]
    else:
        foreseen.changes.append(WAITS_FOR_LOT)
    return foreseen


def recall_foreseen(known: KnownRound) -> Foreseen:
    games = known.state.games if isinstance(known.state, Published) else ()
    return Foreseen(
        changes=[f"If no game has begun, round {known.number} counts as never published."],
        lost=[f"The {len(games)} score sheets of the round, with their ids."],
        doubts=[],
        remarks=[],
    )


def repair_foreseen(state: State, after: RoundSheet, breaches: Sequence[Breach]) -> Foreseen:
    if not isinstance(state, Published):
        return NOTHING_FORESEEN
    foreseen = override_foreseen(state, state.plan.sheet, after, breaches)
    lost = ["What was settled on these score sheets before the game, such as a choice or a line-up."]
    return foreseen.model_copy(update={"lost": lost})


def foreseen_spoken(foreseen: Foreseen, names: Mapping[str, str]) -> Foreseen:
    return Foreseen.model_validate({name: all_spoken(sentences, names) for name, sentences in foreseen})
