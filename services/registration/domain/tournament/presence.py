"""Who is there while a tournament runs: late comers, rounds off, leaving and coming back."""

from services.registration.domain.tournament import facts, orders, refusals
from services.registration.domain.tournament.admission import has_entered
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.conditions import limit_of
from services.registration.domain.tournament.entering import require_met, said_besides
from services.registration.domain.tournament.finding import there
from services.registration.domain.tournament.lacking import papers
from services.registration.domain.tournament.numbering import rated
from services.registration.domain.tournament.orders import Leaving, PresenceOrder, Returning
from services.registration.domain.tournament.paying import with_the_entry
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.places import require_place, require_place_for_wild_card
from services.registration.domain.tournament.plan_orders import Reason
from services.registration.domain.tournament.presence_of_team import require_no_first_round
from services.registration.domain.tournament.reasons import because
from services.registration.domain.tournament.roster import Left, Participant, Playing, StruckOff, Withdrawn, evolve
from services.registration.domain.tournament.saying import Decision, Entry
from services.registration.domain.tournament.starting import forbidden
from services.registration.domain.tournament.states import Event, Known, Plan
from shared.numbers import Number, exact, stored
from shared.rulesets.settings import settings


def decide(state: Known, order: PresenceOrder) -> list[Event]:
    require(state, order)
    match order:
        case orders.AdmitLate():
            return admit(state, order)
        case orders.Leave():
            return leave(state, order)
        case orders.Return():
            return come_back(state, order)
        case orders.BeAbsent():
            return be_absent(state, order)
        case orders.BePresent():
            return be_present(state, order)


def admit(state: Known, order: orders.AdmitLate) -> list[Event]:
    """With the next number: those of the others stay."""
    ruleset = state.plan.ruleset
    said = rated(order.entry.said, ruleset, order.listed)
    require_round(state, ruleset.stages[0].id, order.from_round, first=1)
    if has_entered(state.roster, order.entry, ruleset):
        return []
    require_met(state.roster, order.entry, state.plan, order.passed, order.approval)
    require_entered_before(state, order.entry)
    if order.from_round == 1:
        require_no_first_round(state)
    require_papers(order.entry, state.plan)
    paid = with_the_entry(state, order.entry.also, order.payment)
    if order.decision is Decision.WILD_CARD:
        require_place_for_wild_card(state.roster, state.plan)
    else:
        require_place(state.roster, state.plan)
    admitted = facts.EntrantAdmitted(
        entrant=order.entry.entrant,
        tournament=state.plan.tournament,
        persons=said.persons,
        number=1 + max(participant.number for participant in state.roster.participants),
        rating=said.rating,
        key=said.key,
        lists=said.lists,
        from_round=order.from_round,
        decision=order.decision.value,
        note=order.note,
        school=order.entry.also.school,
        history=order.entry.also.history,
        carried=order.entry.also.carried,
        direct=order.entry.also.direct,
        rated_by=said.rated_by,
    )
    close = sorted(pair for pair in state.roster.close if set(pair) & set(said.persons))
    besides = said_besides(order.entry, state.plan, order.approval)
    return [admitted, *besides, *paid, *forbidden(state, close, evolve(state.roster, admitted).participants)]


def require_entered_before(state: Known, entry: Entry) -> None:
    """Where the rules take no late entries, only somebody comes who had entered and was not there at the start."""
    limit = limit_of(state.plan, "entry")
    if limit is None or limit.late != "refused":
        return
    gone = [one for one in state.roster.entrants.values() if isinstance(one, Withdrawn | StruckOff)]
    if not any(one.said.persons == entry.said.persons for one in gone):
        raise refusals.EntriesClosed(
            f"Entries are closed{by(limit.rule_id)}, and the rules let nobody in later who had not entered before."
        )


def require_papers(entry: Entry, plan: Plan) -> None:
    """There is no start any more at which they would be missing."""
    if missing := [*papers(entry.also, entry.verdicts, plan)]:
        raise refusals.NotReady(" ".join(f"{entry.entrant}{by(one.clause)}: {one.sentence}" for one in missing))


def leave(state: Known, order: orders.Leave) -> list[Event]:
    """Whoever has withdrawn can still be expelled; otherwise one leaves once."""
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state, stage, order.after_round, first=0)
    if isinstance(was, Left):
        if (was.stage, was.after_round, was.why) == (stage, order.after_round, order.why):
            return []
        if was.why is order.why or was.why is Leaving.EXPELLED:
            raise refusals.AlreadyLeft(
                f"{was.entrant} {said_of(was)}: if that is wrong, let them return first, and then say it right."
            )
    return [gone(was, stage, order.after_round, order.why, tournament=state.plan.tournament, reason=order.reason)]


def gone(
    was: Participant,
    stage: str,
    after_round: int,
    why: Leaving,
    *,
    tournament: str,
    clause: str | None = None,
    reason: Reason | None = None,
) -> facts.EntrantLeft:
    return facts.EntrantLeft(
        entrant=was.entrant,
        tournament=tournament,
        stage=stage,
        after_round=after_round,
        why=why.value,
        clause=clause,
        **because(reason),
    )


def come_back(state: Known, order: orders.Return) -> list[Event]:
    was = participant(state, order.entrant)
    match was:
        case Playing():
            return []
        case Left():
            if order.why is Returning.RETURN and not may_return(state, was):
                raise refusals.NoReturn(
                    f"{was.entrant} {said_of(was)}, and by the rules nobody returns"
                    f"{by(state.plan.ruleset.entry.rule_ids.get('return'))}; only a mistake or an appeal undoes it."
                )
            returned = facts.EntrantReturned(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                why=order.why.value,
                **because(order.reason),
            )
            return [returned]


def may_return(state: Known, was: Left) -> bool:
    return not state.plan.ruleset.entry.plays_all_rounds and was.why is Leaving.WITHDREW


def be_absent(state: Known, order: orders.BeAbsent) -> list[Event]:
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state, stage, order.round, first=1)
    points = granted(state, stage, order.points)
    if isinstance(was, Left):
        raise refusals.AlreadyLeft(f"{was.entrant} {said_of(was)} and needs no round off.")
    in_round = (stage, order.round)
    if in_round in was.absences and was.absences[in_round] == points:
        return []
    absent = facts.EntrantAbsent(
        entrant=was.entrant, tournament=state.plan.tournament, stage=stage, round=order.round, points=points
    )
    return [absent]


def be_present(state: Known, order: orders.BePresent) -> list[Event]:
    was, stage = participant(state, order.entrant), stage_of(state, order.stage)
    require_round(state, stage, order.round, first=1)
    if (stage, order.round) not in was.absences:
        return []
    present = facts.EntrantPresent(
        entrant=was.entrant, tournament=state.plan.tournament, stage=stage, round=order.round
    )
    return [present]


def participant(state: Known, entrant: str) -> Participant:
    found = there(state.roster, entrant)
    if isinstance(found, Playing | Left):
        return found
    raise refusals.NotEntered(f"{entrant} was gone before the start and does not play: admit them late.")


def stage_of(state: Known, stage: str | None) -> str:
    stages = [known.id for known in state.plan.ruleset.stages]
    if stage is None and len(stages) == 1:
        return stages[0]
    if stage not in stages:
        raise refusals.UnknownStage(f"Name one of the stages of this tournament: {', '.join(stages)}.")
    return stage


def require_round(state: Known, stage: str, number: int, *, first: int) -> None:
    last = settings(state.plan.ruleset, stage, size=len(state.roster.participants)).rounds
    if number < first or (last is not None and number > last):
        up_to = f"{first} to {last}" if last is not None else f"{first} or a later one"
        raise refusals.UnknownRound(f"There is no round {number} in {stage}: name {up_to}.")


def granted(state: Known, stage: str, points: Number | None) -> Number | None:
    if points is None:
        return None
    win = settings(state.plan.ruleset, stage, size=len(state.roster.participants)).scoring.win
    if not 0 <= exact(points) <= win:
        raise refusals.TooManyPoints(f"A round off is worth between 0 and {stored(win)} points: say how many.")
    return stored(exact(points))


def said_of(left: Left) -> str:
    how = "was expelled" if left.why is Leaving.EXPELLED else "has withdrawn"
    return f"{how} after round {left.after_round}"
