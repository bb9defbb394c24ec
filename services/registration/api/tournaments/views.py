"""How a tournament is shown, and what stands in the way of its start; and whose names there are in it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.registration.api.entrants.views import part_in_field
from services.registration.api.permissions import tournament_actions
from services.registration.api.tournaments.bodies import (
    DutyShown,
    StageTimes,
    StartBlocker,
    StartCheck,
    TimetableShown,
    Tournament,
)
from services.registration.domain.tournament.decider import not_now
from services.registration.domain.tournament.entrants import Entered
from services.registration.domain.tournament.start import StartTournament, blockers
from services.registration.domain.tournament.states import STATUS, Plan, State, Unannounced, known
from shared.access.asker import Asker
from shared.personal.shown_names import NOBODY, Bearer, NameField
from shared.rulesets.settings import settings
from shared.rulesets.times import times
from shared.rulesets.timetable import in_words, timetable

PUBLIC = frozenset(
    {
        "wrong-status",
        "not-checked-in",
        "too-few-entrants",
        "too-many-entrants",
        "no-seeding",
        "no-advance",
        "no-director",
    }
)


def tournament_view(state: State, asker: Asker) -> Tournament:
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
        timetable=timetable_view(plan),
        duties=duties_view(plan),
        channels=list(plan.ruleset.entry.channels),
        places=plan.ruleset.entry.size.most,
        waiting=len(found.roster.waiting),
        entrants=len(found.roster.taking_part),
        checked_in=sum(not isinstance(entrant, Entered) for entrant in found.roster.taking_part),
        allowed_actions=tournament_actions(found, asker),
    )


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


def start_check_view(state: State, *, has_director: bool, in_full: bool) -> StartCheck:
    """Everything that stands in the way of the start; what single entries lack is shown to officials alone."""
    found = known(state)
    too_early = not_now(found, StartTournament)
    listed = [StartBlocker(kind="wrong-status", sentence=str(too_early), entrants=[])] if too_early else []
    listed += [
        StartBlocker(kind=blocker.kind, sentence=blocker.sentence, entrants=list(blocker.entrants))
        for blocker in blockers(found, StartTournament(has_director=has_director))
        if not found.roster.participants
    ]
    if not in_full and (private := [blocker for blocker in listed if blocker.kind not in PUBLIC]):
        listed = [blocker for blocker in listed if blocker not in private]
        sentence = "Some entries still lack something: officials see what."
        listed.append(StartBlocker(kind="entries", sentence=sentence, entrants=[]))
    return StartCheck(ready=not listed, blockers=listed)
