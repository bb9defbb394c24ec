"""How a tournament is shown, and what stands in the way of its start; and whose names there are in it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from services.registration.api.entrants.views import part_in_field
from services.registration.api.federations import OfficialsHandler
from services.registration.api.permissions import OFFICIATE, ORGANISE, tournament_actions
from services.registration.api.tournaments.bodies import (
    DutyShown,
    NextStep,
    StageInBrief,
    StageTimes,
    StartBlocker,
    StartCheck,
    TimetableShown,
    Tournament,
    TournamentListed,
)
from services.registration.domain import officials
from services.registration.domain.homes import Homes
from services.registration.domain.tournament.decider import not_now
from services.registration.domain.tournament.entrants import Entered, LeftEntrant
from services.registration.domain.tournament.lifecycle import AnnounceTournament, CompleteTournament
from services.registration.domain.tournament.plan import NoSeries, require_series
from services.registration.domain.tournament.start import StartTournament, blockers
from services.registration.domain.tournament.states import (
    STATUS,
    AnnouncedTournament,
    CheckingIn,
    Draft,
    Plan,
    Registering,
    Running,
    State,
    Unannounced,
    UnderReview,
    known,
)
from services.registration.eligibility.judge import HomesHandler
from services.registration.projection import Tournaments
from services.registration.projection.tables import TournamentRow
from services.registration.streams import TournamentHandler, announced
from services.registration.tournaments import KnownTournaments
from shared.access.asker import Asker
from shared.personal.sentences import ID, introduced
from shared.personal.shown_names import NOBODY, Bearer, NameField, NamesShown
from shared.rulesets.settings import settings
from shared.rulesets.times import times
from shared.rulesets.timetable import in_words, timetable
from shared.values import Value

PUBLIC = frozenset(
    {
        "wrong-status",
        "no-series",
        "not-checked-in",
        "too-few-entrants",
        "too-many-entrants",
        "no-seeding",
        "no-advance",
        "no-director",
        "lots-not-opened",
    }
)

NEXT_STEP: Mapping[type[AnnouncedTournament], NextStep] = {
    Draft: "open",
    Registering: "open-check-in",
    CheckingIn: "start",
    Running: "review",
    UnderReview: "complete",
}

NO_HOMES = Homes()
AS_PLAYED = CompleteTournament()
NOBODY_CALLED: Mapping[str, str] = MappingProxyType({})


class TournamentsShown(Value):
    """Shows a tournament to whoever asks, with what other streams know of it: who directs, and what its place is called."""

    tournaments: TournamentHandler
    homes: HomesHandler
    names: NamesShown
    offices: OfficialsHandler
    rounds: KnownTournaments

    async def of(self, tournament: str, asker: Asker) -> Callable[[State], Tournament]:
        """As it will be seen after an act; of the names of people an answer that is kept has none."""
        found = await announced(self.tournaments, tournament)
        return await self.planned(found.plan, asker, await self.completing_of(found, asker))

    async def planned(
        self, plan: Plan | AnnounceTournament, asker: Asker, completing: CompleteTournament = AS_PLAYED
    ) -> Callable[[State], Tournament]:
        has_director = await self.has_director(plan)
        homes, _ = await self.homes.load(plan.federation)
        return lambda state: tournament_view(state, asker, homes, has_director=has_director, completing=completing)

    async def now(self, state: State, asker: Asker) -> Tournament:
        """As it is: its homes are looked for only where its place is called after one."""
        plan = known(state).plan
        is_named = plan.place is None and (plan.hall, plan.host, plan.region) != (None, None, None)
        homes, _ = await self.homes.load(plan.federation) if is_named else (NO_HOMES, 0)
        has_director, completing = await self.has_director(plan), await self.completing_of(known(state), asker)
        shown = tournament_view(state, asker, homes, has_director=has_director, completing=completing)
        shown.blocked_by = await self.introduced(shown.blocked_by)
        return shown

    async def has_director(self, plan: Plan | AnnounceTournament) -> bool:
        """It is only looked for where the rules ask for one."""
        if not plan.ruleset.entry.director:
            return True
        (here, _), (above, _) = await self.offices.load(plan.tournament), await self.offices.load(plan.federation)
        return officials.directed(here, above, of_council=plan.ruleset.entry.director_of_council)

    async def completing(self, found: AnnouncedTournament) -> CompleteTournament:
        """As it would be ordered now: what is not played yet is only looked for where it is played, or under review."""
        if not isinstance(found, Running | UnderReview):
            return AS_PLAYED
        return CompleteTournament(unplayed=(await self.rounds.of(found.plan.tournament)).unplayed)

    async def completing_of(self, found: AnnouncedTournament, asker: Asker) -> CompleteTournament:
        """Whoever may not complete it is told so, whatever is played: for spectators nothing is looked for."""
        plan = found.plan
        may = asker.within(plan.tournament, plan.federation).may(ORGANISE, plan.tournament)
        return await self.completing(found) if may else AS_PLAYED

    async def start_check(self, state: State, asker: Asker) -> StartCheck:
        found = known(state)
        has_director = await self.has_director(found.plan)
        check = start_check_view(found, has_director=has_director, in_full=officiates(found, asker))
        check.blockers = await self.introduced(check.blockers)
        return check

    async def introduced(self, blockers: Sequence[StartBlocker]) -> list[StartBlocker]:
        """Officials, who alone are told what single entries lack, hear the names too."""
        ids = {one for blocker in blockers for one in ID.findall(blocker.sentence)}
        called = await self.names.of_officials(ids) if ids else NOBODY_CALLED
        return [blocker.model_copy(update={"sentence": introduced(blocker.sentence, called)}) for blocker in blockers]


def officiates(found: AnnouncedTournament, asker: Asker) -> bool:
    plan = found.plan
    return asker.within(plan.tournament, plan.federation).may(OFFICIATE, plan.tournament)


def tournament_view(
    state: State, asker: Asker, homes: Homes, *, has_director: bool, completing: CompleteTournament
) -> Tournament:
    found = known(state)
    plan, counting = found.plan, found.plan.counting
    check_in = plan.ruleset.entry.check_in
    return Tournament(
        id=plan.tournament,
        federation=plan.federation,
        name=plan.name,
        status=STATUS[type(found)],
        ruleset=plan.ruleset.id,
        options=plan.ruleset.model_dump(mode="json", include={"options"})["options"],
        times=times_view(plan),
        time_zone=plan.time_zone,
        starts_on=plan.starts_on,
        check_in_opens=check_in.opens if check_in else None,
        check_in_closes=check_in.closes if check_in else None,
        first_round=plan.first_round,
        first_round_at=first_round_at(plan),
        entries_close=datetime.fromisoformat(plan.entries_close) if plan.entries_close else None,
        series=plan.series,
        place=place_of(plan, homes),
        region=plan.region,
        host=plan.host,
        hall=plan.hall,
        advance=plan.advance,
        next_level=plan.next_level,
        otherwise=plan.otherwise,
        competition=plan.competition,
        variant=plan.variant,
        season=counting.season if counting else None,
        season_kind=counting.kind if counting else None,
        rating_list=counting.rating_list if counting else None,
        organisers=list(counting.organisers) if counting else [],
        shown_names=plan.shown_names,
        lot_source=plan.lot_source,
        lot_value=plan.lot_value,
        timetable=timetable_view(plan),
        duties=duties_view(plan),
        channels=list(plan.ruleset.entry.channels),
        places=plan.ruleset.entry.size.most,
        waiting=len(found.roster.waiting),
        entrants=len(found.roster.taking_part),
        checked_in=sum(not isinstance(entrant, Entered | LeftEntrant) for entrant in found.roster.taking_part),
        stages=stages_view(found),
        next_step=NEXT_STEP.get(type(found)),
        blocked_by=blocked_by(found, has_director=has_director, in_full=officiates(found, asker)),
        allowed_actions=tournament_actions(found, asker, StartTournament(has_director=has_director), completing),
    )


def place_of(plan: Plan, homes: Homes) -> str | None:
    """In words: those of the announcement, or else what the most exact of the places is called."""
    at = [one for one in (plan.hall, plan.host, plan.region) if one is not None and one in homes.known]
    return plan.place or next((homes.known[one].name for one in at), None)


LARGE = 1_000  # entrants of a field of which nobody knows yet how large it will be


def stages_view(found: AnnouncedTournament) -> list[StageInBrief]:
    """By the rules, for as many as take part; as long as that is nobody, for all places that there are."""
    ruleset, there = found.plan.ruleset, len(found.roster.taking_part)
    size = there or ruleset.entry.size.most or LARGE
    stages = [(stage, settings(ruleset, stage.id, size=size)) for stage in ruleset.stages]
    return [
        StageInBrief(
            id=stage.id,
            title=stage.title,
            pairing=holds.pairing.system,
            rounds=None if holds.is_round_robin and not there else holds.rounds,
            parallel_to=stage.parallel_to,
        )
        for stage, holds in stages
    ]


def blocked_by(found: AnnouncedTournament, *, has_director: bool, in_full: bool) -> list[StartBlocker]:
    """What stands in the way of the next step, as far as that is known here."""
    if isinstance(found, Draft):
        try:
            require_series(found.plan.ruleset, found.plan.series)
        except NoSeries as missing:
            return [StartBlocker(kind="no-series", sentence=str(missing), entrants=[])]
    if isinstance(found, CheckingIn):
        return start_check_view(found, has_director=has_director, in_full=in_full).blockers
    return []


async def tournaments_listed(rows: Sequence[TournamentRow], views: Tournaments) -> list[TournamentListed]:
    called = await views.federations({row.federation for row in rows})
    return [
        TournamentListed.model_validate(
            {**row.model_dump(), "federation_name": called.get(row.federation)}, extra="ignore"
        )
        for row in rows
    ]


def field_of_names(state: State) -> NameField:
    """Whose names there are in a tournament, and what spectators see of them."""
    if isinstance(state, Unannounced):
        return NOBODY
    bearers = {
        name: Bearer(
            persons=(*one.said.persons, *state.roster.details_of(name).also.substitutes),
            number=part_in_field(one)["number"],
        )
        for name, one in state.roster.entrants.items()
    }
    return NameField(shown=state.plan.shown_names, bearers=bearers)


def times_view(plan: Plan) -> list[StageTimes]:
    """Of each stage of which anything is said."""
    said = {
        stage.id: times(settings(plan.ruleset, stage.id, size=plan.ruleset.entry.size.least))
        for stage in plan.ruleset.stages
    }
    return [StageTimes(stage=stage, times=list(sentences)) for stage, sentences in said.items() if sentences]


def timetable_view(plan: Plan) -> list[TimetableShown]:
    """On the days of the tournament, in the offset that holds there then."""
    ruleset, zone = plan.ruleset, ZoneInfo(plan.time_zone)
    own = settings(ruleset, ruleset.stages[0].id, size=ruleset.entry.size.least).pairing.timetable
    first = date.fromisoformat(plan.starts_on)
    found: list[TimetableShown] = []
    for entry in timetable(ruleset, own):
        on = first + timedelta(days=entry.day - 1)
        at = None if entry.time is None else datetime.combine(on, time.fromisoformat(entry.time), zone)
        found.append(TimetableShown(on=on, at=at, what=in_words(ruleset, entry), stage=entry.stage, round=entry.round))
    return found


def duties_view(plan: Plan) -> list[DutyShown]:
    first = date.fromisoformat(plan.starts_on)
    return [
        DutyShown(
            what=duty.what,
            sentence=duty.sentence,
            until=None if duty.days_before is None else first - timedelta(days=duty.days_before),
            clause=duty.rule_id,
        )
        for duty in plan.ruleset.entry.duties
    ]


def first_round_at(plan: Plan) -> datetime:
    """The time of the first round in the offset that holds there then. A delay counts as it passes, whatever the clocks do
    meanwhile."""
    announced = datetime.combine(
        date.fromisoformat(plan.starts_on), time.fromisoformat(plan.first_round), ZoneInfo(plan.time_zone)
    )
    return (announced.astimezone(UTC) + timedelta(minutes=plan.postponed)).astimezone(ZoneInfo(plan.time_zone))


def start_check_view(found: AnnouncedTournament, *, has_director: bool, in_full: bool) -> StartCheck:
    """Everything that stands in the way of the start; what single entries lack is shown to officials alone."""
    too_early = not_now(found, StartTournament)
    listed = [StartBlocker(kind="wrong-status", sentence=str(too_early), entrants=[])] if too_early else []
    listed += [
        StartBlocker(**asdict(blocker))
        for blocker in blockers(found, StartTournament(has_director=has_director))
        if not found.roster.participants
    ]
    if not in_full and (private := [blocker for blocker in listed if blocker.kind not in PUBLIC]):
        listed = [blocker for blocker in listed if blocker not in private]
        sentence = "Some entries still lack something: officials see what."
        listed.append(StartBlocker(kind="entries", sentence=sentence, entrants=[]))
    return StartCheck(ready=not listed, blockers=listed)
