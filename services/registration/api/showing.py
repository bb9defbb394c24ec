"""How a tournament and its entrants are shown: from the state, without names."""

from datetime import UTC, date, datetime, time, timedelta
from typing import TypedDict
from zoneinfo import ZoneInfo

from services.registration.api import may
from services.registration.api.entrant_forms import (
    Absence,
    Attendance,
    ClosePair,
    ClosePairs,
    Departure,
    Entrant,
    EntrantInFull,
    EntrantStatus,
)
from services.registration.api.forms import DutyShown, PersonListed, StartBlocker, StartCheck, Tournament
from services.registration.domain.tournament import entrants
from services.registration.domain.tournament.decider import not_now
from services.registration.domain.tournament.entrants import (
    CheckedIn,
    Entered,
    LeftEntrant,
    Participant,
    PlayingEntrant,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.start import StartTournament, blockers
from services.registration.domain.tournament.states import STATUS, AnnouncedTournament, Plan, State, Unannounced, known
from shared.access.asker import Asker
from shared.numbers import exact, shown
from shared.personal.shown_names import NOBODY, Bearer, Field

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


def tournament(state: State, asker: Asker) -> Tournament:
    found = known(state)
    plan, counting = found.plan, found.plan.counting
    return Tournament(
        id=plan.tournament,
        federation=plan.federation,
        name=plan.name,
        status=STATUS[type(found)],
        ruleset=plan.ruleset.id,
        options=plan.ruleset.model_dump(mode="json", include={"options"})["options"],
        time_zone=plan.time_zone,
        starts_on=plan.starts_on,
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
        duties=duties(plan),
        channels=list(plan.ruleset.entry.channels),
        places=plan.ruleset.entry.size.most,
        waiting=len(found.roster.waiting),
        entrants=len(found.roster.taking_part),
        checked_in=sum(not isinstance(entrant, Entered) for entrant in found.roster.taking_part),
        allowed_actions=may.with_tournament(found, asker),
    )


def names_field(state: State) -> Field:
    """Whose names there are in a tournament, and what spectators see of them."""
    if isinstance(state, Unannounced):
        return NOBODY
    bearers = {
        name: Bearer(
            persons=(*one.said.persons, *state.roster.details_of(name).also.substitutes), number=of_field(one)["number"]
        )
        for name, one in state.roster.entrants.items()
    }
    return Field(shown=state.plan.shown_names, bearers=bearers)


def duties(plan: Plan) -> list[DutyShown]:
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
    """In the offset that holds there then; a delay counts as it passes, whatever the clocks do meanwhile."""
    announced = datetime.combine(
        date.fromisoformat(plan.starts_on), time.fromisoformat(plan.first_round), ZoneInfo(plan.time_zone)
    )
    return (announced.astimezone(UTC) + timedelta(minutes=plan.postponed)).astimezone(ZoneInfo(plan.time_zone))


def start_check(state: State, *, has_director: bool, in_full: bool) -> StartCheck:
    """What single entries lack is for officials."""
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


def attendance(state: State) -> Attendance:
    coming = known(state).roster.coming
    awaited = [entrant.entrant for entrant in coming if isinstance(entrant, Entered)]
    return Attendance(checked_in=len(coming) - len(awaited), awaited=awaited)


def close_pairs(state: State) -> ClosePairs:
    return ClosePairs(pairs=[ClosePair(persons=pair) for pair in sorted(known(state).roster.close)])


class OfField(TypedDict):
    """What depends on whether the tournament runs."""

    status: EntrantStatus
    number: int | None
    from_round: int
    absences: list[Absence]
    left: Departure | None


def entrant(state: State, identity: str) -> Entrant:
    return listed(known(state), entrant_of_id(known(state).roster, identity))


def entrant_in_full(state: State, identity: str, asker: Asker) -> EntrantInFull:
    plain = entrant(state, identity)
    return EntrantInFull(**dict(plain), allowed_actions=may.with_entrant(identity, known(state), asker))


def listed(state: AnnouncedTournament, found: entrants.EntrantState) -> Entrant:
    also = state.roster.details_of(found.entrant).also
    return Entrant(
        id=found.entrant,
        tournament=state.plan.tournament,
        name=None,
        persons=[PersonListed(id=person, name=None) for person in found.said.persons],
        substitutes=[PersonListed(id=person, name=None) for person in also.substitutes],
        captain=also.captain,
        school=also.school,
        rating=found.said.rating,
        rating_from="entry" if found.said.rating is not None and found.said.rated_by is None else found.said.rated_by,
        lists=list(found.said.lists),
        **of_field(found),
    )


def of_field(found: entrants.EntrantState) -> OfField:
    match found:
        case Entered():
            return before("entered")
        case CheckedIn():
            return before("checked-in")
        case WaitingEntrant():
            return before("waiting")
        case Withdrawn():
            return before("withdrawn")
        case StruckOff():
            return before("struck-off")
        case PlayingEntrant():
            return during("playing", found, None)
        case LeftEntrant():
            left = Departure(stage=found.stage, after_round=found.after_round, why=found.why)
            return during("left", found, left)


def before(status: EntrantStatus) -> OfField:
    return OfField(status=status, number=None, from_round=1, absences=[], left=None)


def during(status: EntrantStatus, found: Participant, left: Departure | None) -> OfField:
    absences = [
        Absence(stage=stage, round=number, points=None if points is None else shown(exact(points)))
        for (stage, number), points in sorted(found.absences.items())
    ]
    return OfField(status=status, number=found.number, from_round=found.from_round, absences=absences, left=left)
