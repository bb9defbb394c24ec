"""Who is there on the day and while a tournament runs: late comers, rounds off, leaving, coming back, and expulsions by results."""

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce

from msgspec.structs import replace

from services.registration.domain.tournament import check_in, facts, payments
from services.registration.domain.tournament.admission import EntriesClosed, RegionReason, has_entered, require_met
from services.registration.domain.tournament.check_in import require_no_first_round
from services.registration.domain.tournament.close_persons import forbidden_meetings
from services.registration.domain.tournament.entrants import (
    NOTHING_ELSE,
    Lateness,
    Leaving,
    LeftEntrant,
    Participant,
    PlayingEntrant,
    ProposedEntry,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.entries import Decision, Enter, details_of_entry, enter
from services.registration.domain.tournament.payments import RecordPayment, pay_with_entry
from services.registration.domain.tournament.places_and_reserves import require_place, require_place_for_wild_card
from services.registration.domain.tournament.reasons import NotedReason, because, cite
from services.registration.domain.tournament.roster import NotEntered, Roster, entrant_of_id, evolve_roster
from services.registration.domain.tournament.start import NotReady, admitted, missing_papers, rated
from services.registration.domain.tournament.states import (
    DURING,
    AnnouncedTournament,
    Cancelled,
    CheckingIn,
    Completed,
    Phases,
    Plan,
    Running,
    deadline_of,
    evolve,
    known,
    require_phase,
)
from shared.commands.decider import Order
from shared.numbers import Number, exact, stored
from shared.refusals import Conflict, Invalid
from shared.rulesets.settings import settings
from shared.tournament.stages import UnknownRound, require_round

# Orders


class Returning(StrEnum):
    """Why somebody who has left is there again."""

    RETURN = "return"  # after having been away
    MISTAKE = "mistake"  # should not have been written down as having left
    APPEAL = "appeal"  # the decision was overturned


class AdmitLate(Order):
    """Somebody comes in after check-in was opened: entered and there at once, or from the start on with a number."""

    entry: ProposedEntry
    from_round: int | None  # needed from the start on
    decision: Decision
    at: str = ""  # a moment in UTC
    is_late: bool = False  # check-in has closed
    passed: frozenset[str] = frozenset()
    approval: RegionReason | None = None
    note: str | None = None  # on the decision
    listed: int | None = None  # their rating on the list by which the rules seed
    payment: RecordPayment | None = None  # where nobody takes part unpaid


class Leave(Order):
    entrant: str
    after_round: int
    why: Leaving
    stage: str | None = None
    reason: NotedReason | None = None


class ExpelByRule(Order):
    """The results demand it by a clause of the rules."""

    entrant: str
    stage: str
    after_round: int
    clause: str
    by_official: bool = False  # who disqualifies them, and no number of defaults


class LiftExpulsion(Order):
    """Those results were corrected."""

    entrant: str


class Return(Order):
    entrant: str
    why: Returning
    reason: NotedReason | None = None


class BeAbsent(Order):
    entrant: str
    round: int
    points: Number | None = None  # of a bye that was requested and granted
    stage: str | None = None


class BePresent(Order):
    entrant: str
    round: int
    stage: str | None = None


type PresenceOrder = AdmitLate | Leave | Return | BeAbsent | BePresent
type ExpulsionOrder = ExpelByRule | LiftExpulsion

PHASES: Phases = {
    AdmitLate: (CheckingIn, Running),
    Leave: DURING,
    Return: DURING,
    BeAbsent: DURING,
    BePresent: DURING,
    ExpelByRule: DURING,
    LiftExpulsion: DURING,
}

FIRST_MISSED = 2  # the first round of whoever misses one

# Refusals


class UnknownStage(Invalid):
    """The rules have no such stage, or several of which none was named."""


class AlreadyLeft(Conflict):
    """Who has left can do no more until they are back."""


class NoReturn(Conflict):
    """The rules let nobody return."""


class TooManyPoints(Invalid):
    """A round off cannot be worth more than a win, or less than nothing."""


def decide(state: AnnouncedTournament, order: PresenceOrder) -> list[facts.Event]:
    if not (isinstance(state, Completed) and is_afterwards(state, order)):
        require_phase(state, order, PHASES)
    match order:
        case AdmitLate():
            return admit(state, order)
        case Leave():
            return leave(state, order)
        case Return():
            return come_back(state, order)
        case BeAbsent():
            return be_absent(state, order)
        case BePresent():
            return be_present(state, order)


def is_afterwards(state: Completed, order: PresenceOrder) -> bool:
    """Tell whether it is an expulsion, or takes one back, which can happen when all is played: what somebody has done may
    come out at any time."""
    match order:
        case Leave(why=Leaving.EXPELLED):
            return True
        case Return(why=Returning.MISTAKE | Returning.APPEAL):
            was = state.roster.entrants.get(order.entrant)
            return isinstance(was, LeftEntrant) and was.why is Leaving.EXPELLED
        case _:
            return False


def admit_at_the_desk(state: CheckingIn, order: AdmitLate) -> list[facts.Event]:
    """They are entered, have paid and are there, as by one order after the other; who finds no place is not admitted."""
    if order.from_round not in {None, 1, 2}:
        raise UnknownRound(
            "Before the start somebody plays from the first or the second round on: say 1, 2 or nothing."
        )
    entering = Enter(
        entries=(order.entry,),
        at=order.at,
        decision=order.decision,
        passed=order.passed,
        approval=order.approval,
        note=order.note,
    )
    happens = enter(state, entering)
    there = after(state, happens).roster.entrant_of(order.entry.said.persons[0])
    entrant = there.entrant if there else order.entry.entrant
    if order.payment:
        happens += payments.decide(after(state, happens), replace(order.payment, entrant=entrant))
    at_the_desk: check_in.CheckInOrder = check_in.CheckIn(entrants=(entrant,), is_late=order.is_late)
    if order.from_round == FIRST_MISSED:
        at_the_desk = check_in.ArriveLate(entrant=entrant, effect=Lateness.FIRST_ROUND)
    return [*happens, *check_in.decide(after(state, happens), at_the_desk)]


def after(state: AnnouncedTournament, happens: Iterable[facts.Event]) -> AnnouncedTournament:
    return known(reduce(evolve, happens, state))


def admit(state: AnnouncedTournament, order: AdmitLate) -> list[facts.Event]:
    """They get the next number: the numbers of the others stay."""
    if isinstance(state, CheckingIn):
        return admit_at_the_desk(state, order)
    ruleset, from_round = state.plan.ruleset, order.from_round
    if from_round is None:
        raise UnknownRound("The tournament runs: say from which round on they play.")
    require_round(ruleset, ruleset.stages[0].id, from_round, size=len(state.roster.participants))
    waiting = who_waits(state.roster, order.entry)
    if waiting is not None and says_no_more(order.entry):
        order = replace(order, entry=entry_of(state.roster, waiting, order.entry))
    if has_entered(state.roster, order.entry, ruleset):
        if waiting is None:
            return []
        order = as_who_waits(state, order, waiting.entrant)
    said = rated(order.entry.said, ruleset, order.listed)
    require_met(state.roster, order.entry, state.plan, order.passed, order.approval)
    require_entered_before(state, order.entry)
    if from_round == 1:
        require_no_first_round(state)
    require_papers(order.entry, state.plan)
    paid = pay_with_entry(state, order.entry, order.payment)
    if order.decision is Decision.WILD_CARD:
        require_place_for_wild_card(state.roster, state.plan)
    else:
        require_place(state.roster, state.plan)
    number = 1 + max(participant.number for participant in state.roster.participants)
    plays = admitted(order.entry.entrant, said, order.entry.also, state.plan, number=number, from_round=from_round)
    plays = replace(plays, decision=order.decision.value, note=order.note)
    close = sorted(pair for pair in state.roster.close if set(pair) & set(said.persons))
    besides = details_of_entry(order.entry, state.plan, order.approval)
    return [plays, *besides, *paid, *forbidden_meetings(state, close, evolve_roster(state.roster, plays).participants)]


def who_waits(roster: Roster, entry: ProposedEntry) -> WaitingEntrant | None:
    return next((one for one in roster.waiting if one.said.persons == entry.said.persons), None)


def says_no_more(entry: ProposedEntry) -> bool:
    """Whether only who it is was said; what is found out about them is in every entry."""
    said = (entry.said.rating, entry.said.key, replace(entry.also, declared=()))
    return said == (None, None, NOTHING_ELSE)


def entry_of(roster: Roster, waiting: WaitingEntrant, sent: ProposedEntry) -> ProposedEntry:
    details = roster.details_of(waiting.entrant)
    return replace(sent, said=waiting.said, also=details.also, verdicts=details.verdicts)


def as_who_waits(state: AnnouncedTournament, order: AdmitLate, entrant: str) -> AdmitLate:
    """Whoever still waits when the tournament starts comes in by the entry that they have."""
    entry = replace(order.entry, entrant=entrant, also=state.roster.details_of(entrant).also)
    return replace(order, entry=entry, payment=order.payment and replace(order.payment, entrant=entrant))


def require_entered_before(state: AnnouncedTournament, entry: ProposedEntry) -> None:
    """Where the rules take no late entries, only somebody comes who had entered and was not there at the start."""
    limit = deadline_of(state.plan, "entry")
    if limit is None or limit.late != "refused":
        return
    before = [one for one in state.roster.entrants.values() if isinstance(one, Withdrawn | StruckOff | WaitingEntrant)]
    if not any(one.said.persons == entry.said.persons for one in before):
        raise EntriesClosed(
            f"Entries are closed{cite(limit.rule_id)}, and the rules let nobody in later who had not entered before."
        )


def require_papers(entry: ProposedEntry, plan: Plan) -> None:
    """What is missing is asked for at once, since there is no start any more that could wait for it."""
    if missing := [*missing_papers(entry.also, entry.verdicts, plan)]:
        raise NotReady(" ".join(f"{entry.entrant}{cite(one.clause)}: {one.sentence}" for one in missing))


def leave(state: AnnouncedTournament, order: Leave) -> list[facts.Event]:
    """Whoever has withdrawn can still be expelled; otherwise an entrant leaves once."""
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state.plan.ruleset, stage, order.after_round, size=len(state.roster.participants), first=0)
    if isinstance(was, LeftEntrant):
        if (was.stage, was.after_round, was.why) == (stage, order.after_round, order.why):
            return []
        if was.why is order.why or was.why is Leaving.EXPELLED:
            raise AlreadyLeft(
                f"{was.entrant} {how_they_left(was)}: if that is wrong, let them return first, and then say it right."
            )
    return [departure(was, stage, order.after_round, order.why, tournament=state.plan.tournament, reason=order.reason)]


def departure(
    was: Participant,
    stage: str,
    after_round: int,
    why: Leaving,
    *,
    tournament: str,
    clause: str | None = None,
    by_official: bool = False,
    reason: NotedReason | None = None,
) -> facts.EntrantLeft:
    return facts.EntrantLeft(
        entrant=was.entrant,
        tournament=tournament,
        stage=stage,
        after_round=after_round,
        why=why.value,
        clause=clause,
        by_official=by_official,
        **because(reason),
    )


def come_back(state: AnnouncedTournament, order: Return) -> list[facts.Event]:
    was = participant(state, order.entrant)
    match was:
        case PlayingEntrant():
            return []
        case LeftEntrant():
            if order.why is Returning.RETURN and not may_return(state, was):
                raise NoReturn(
                    f"{was.entrant} {how_they_left(was)}, and by the rules nobody returns"
                    f"{cite(state.plan.ruleset.entry.rule_ids.get('return'))}; only a mistake or an appeal undoes it."
                )
            return [taken_back(was, order.why.value, tournament=state.plan.tournament, reason=order.reason)]


def taken_back(
    was: LeftEntrant, why: str, *, tournament: str, reason: NotedReason | None = None
) -> facts.EntrantLeft | facts.EntrantReturned:
    """Whoever had withdrawn before being expelled is as they were then, once that is taken back: they do not play."""
    if was.withdrew is not None:
        return departure(was, *was.withdrew, Leaving.WITHDREW, tournament=tournament, reason=reason)
    return facts.EntrantReturned(entrant=was.entrant, tournament=tournament, why=why, **because(reason))


def may_return(state: AnnouncedTournament, was: LeftEntrant) -> bool:
    return not state.plan.ruleset.entry.plays_all_rounds and was.why is Leaving.WITHDREW


def be_absent(state: AnnouncedTournament, order: BeAbsent) -> list[facts.Event]:
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state.plan.ruleset, stage, order.round, size=len(state.roster.participants))
    points = granted_points(state, stage, order.points)
    if isinstance(was, LeftEntrant):
        raise AlreadyLeft(f"{was.entrant} {how_they_left(was)} and needs no round off.")
    in_round = (stage, order.round)
    if in_round in was.absences and was.absences[in_round] == points:
        return []
    absent = facts.EntrantAbsent(
        entrant=was.entrant, tournament=state.plan.tournament, stage=stage, round=order.round, points=points
    )
    return [absent]


def be_present(state: AnnouncedTournament, order: BePresent) -> list[facts.Event]:
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state.plan.ruleset, stage, order.round, size=len(state.roster.participants))
    if (stage, order.round) not in was.absences:
        return []
    present = facts.EntrantPresent(
        entrant=was.entrant, tournament=state.plan.tournament, stage=stage, round=order.round
    )
    return [present]


def participant(state: AnnouncedTournament, entrant: str) -> Participant:
    found = entrant_of_id(state.roster, entrant)
    if isinstance(found, PlayingEntrant | LeftEntrant):
        return found
    was = "still waited for a place" if isinstance(found, WaitingEntrant) else "was gone"
    raise NotEntered(f"{entrant} {was} before the start and does not play: admit them late.")


def stage_of(state: AnnouncedTournament, stage: str | None) -> str:
    stages = [known.id for known in state.plan.ruleset.stages]
    if stage is None and len(stages) == 1:
        return stages[0]
    if stage not in stages:
        raise UnknownStage(f"Name one of the stages of this tournament: {', '.join(stages)}.")
    return stage


def granted_points(state: AnnouncedTournament, stage: str, points: Number | None) -> Number | None:
    if points is None:
        return None
    win = settings(state.plan.ruleset, stage, size=len(state.roster.participants)).scoring.win
    if not 0 <= exact(points) <= win:
        raise TooManyPoints(f"A round off is worth between 0 and {stored(win)} points: say how many.")
    return stored(exact(points))


def how_they_left(left: LeftEntrant) -> str:
    how = "was expelled" if left.why is Leaving.EXPELLED else "has withdrawn"
    return f"{how} after round {left.after_round}"


# What follows from results


CORRECTED = "corrected"  # why somebody is back


def decide_expulsion(state: AnnouncedTournament, order: ExpulsionOrder) -> list[facts.Event]:
    """Once a tournament is over, an official still disqualifies at any time; of defaults that are only then corrected the
    council says what becomes of."""
    is_disqualification = isinstance(order, ExpelByRule) and order.by_official
    if isinstance(state, Cancelled) or (isinstance(state, Completed) and not is_disqualification):
        return []
    if not isinstance(state, Completed):
        require_phase(state, order, PHASES)
    match order:
        case ExpelByRule():
            return expel(state, order)
        case LiftExpulsion():
            return lift(state, order)


def expel(state: AnnouncedTournament, order: ExpelByRule) -> list[facts.Event]:
    """Whoever had left before is expelled from when they left: who withdrew, and who was expelled by defaults and is
    disqualified now."""
    was, tournament = participant(state, order.entrant), state.plan.tournament
    if isinstance(was, PlayingEntrant):
        stage, after_round = order.stage, order.after_round
    elif was.why is Leaving.WITHDREW or (order.by_official and is_by_defaults(was)):
        stage, after_round = was.stage, was.after_round
    else:
        return []
    expelled = departure(
        *(was, stage, after_round, Leaving.EXPELLED),
        tournament=tournament,
        clause=order.clause,
        by_official=order.by_official,
    )
    return [expelled]


def lift(state: AnnouncedTournament, order: LiftExpulsion) -> list[facts.Event]:
    """What an official has decided stands; only what results demanded goes with them."""
    was = participant(state, order.entrant)
    if isinstance(was, PlayingEntrant) or not is_by_defaults(was):
        return []
    return [taken_back(was, CORRECTED, tournament=state.plan.tournament)]


def is_by_defaults(left: LeftEntrant) -> bool:
    """Whether it was results that expelled them, and no official."""
    return left.clause is not None and not left.by_official
