"""The start: what still stands in its way, the start numbers, and who must not meet whom."""

from collections.abc import Iterator

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.entry_orders import Lateness
from services.registration.domain.tournament.lacking import before_the_start, in_two_teams
from services.registration.domain.tournament.line_ups import with_two_teams
from services.registration.domain.tournament.numbering import BY_KEY, numbered, rated
from services.registration.domain.tournament.orders import StartTournament
from services.registration.domain.tournament.places import places
from services.registration.domain.tournament.refusals import NotReady
from services.registration.domain.tournament.roster import CheckedIn, Coming, Entered, Pair, Participant
from services.registration.domain.tournament.states import Event, Known, stored
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, announces_advance, settings
from shared.values import Value

FEWEST = 2  # whatever the rules say
AS_ASKED = StartTournament()


class Blocker(Value):
    """What has to be settled before the start."""

    kind: str
    sentence: str
    entrants: tuple[str, ...] = ()


def blockers(state: Known, order: StartTournament = AS_ASKED) -> tuple[Blocker, ...]:
    """What the field still lacks; whether it is time to start at all is another question."""
    found: list[Blocker] = []
    waited_for = tuple(entrant.entrant for entrant in state.roster.coming if isinstance(entrant, Entered))
    if waited_for:
        who = "1 entrant has" if len(waited_for) == 1 else f"{len(waited_for)} entrants have"
        clause = by(state.plan.ruleset.entry.rule_ids.get("presence"))
        sentence = f"{who} not checked in{clause}: check them in, withdraw them or strike them off."
        found.append(Blocker(kind="not-checked-in", sentence=sentence, entrants=waited_for))
    found += of_size(state, order)
    seeding = state.plan.ruleset.entry.seeding
    without = tuple(entrant.entrant for entrant in state.roster.coming if entrant.said.key is None)
    is_drawn = seeding.by == "lot" and len(without) == len(state.roster.coming)
    if seeding.by in BY_KEY and without and not is_drawn:
        sentence = (
            f"The rules seed by {seeding.by}, and {len(without)} have no place in that order: give everybody a key."
        )
        found.append(Blocker(kind="no-seeding", sentence=sentence, entrants=without))
    if state.plan.advance is None and announces_advance(state.plan.ruleset):
        clause = by(state.plan.ruleset.final.advance_rule_id)
        sentence = f"How many go on is not announced{clause}: announce it, which the rules want before the start."
        found.append(Blocker(kind="no-advance", sentence=sentence))
    if state.plan.ruleset.entry.director and not order.has_director:
        clause = by(state.plan.ruleset.entry.director_rule_id)
        sentence = f"Nobody directs this tournament{clause}: appoint a director for it."
        if state.plan.ruleset.entry.director_of_council:
            sentence = f"Exactly one of the council directs this tournament{clause}: appoint them as its only director."
        found.append(Blocker(kind="no-director", sentence=sentence))
    return (*found, *of_entries(state))


def of_size(state: Known, order: StartTournament) -> Iterator[Blocker]:
    """Where the rules leave it to the organiser a reason is enough, as long as the field can be paired at all."""
    there = sum(isinstance(entrant, CheckedIn) for entrant in state.roster.coming)
    size = state.plan.ruleset.entry.size
    least, clause = max(FEWEST, size.least), by(size.rule_id)
    may_differ = size.overridden and order.decision is not None
    unless = ", unless you say why it starts all the same" if size.overridden else ""
    if there < least and not (may_differ and there >= FEWEST):
        who = {0: "Nobody has", 1: "Only 1 entrant has"}.get(there, f"Only {there} entrants have")
        sentence = f"{who} checked in: this tournament takes {least}{clause}{unless if there >= FEWEST else ''}."
        yield Blocker(kind="too-few-entrants", sentence=sentence)
    elif knows_no_groups(state.plan.ruleset, there):
        sentence = (
            f"The rules know no groups for {there}{clause}: change the plan with the option pairing.system round-robin, and "
            "everybody meets everybody."
        )
        yield Blocker(kind="no-groups", sentence=sentence)
    most = places(state.roster, state.plan)
    if most is not None and there > most and not may_differ:
        sentence = f"{there} entrants have checked in: this tournament takes {most} at most{clause}{unless}."
        yield Blocker(kind="too-many-entrants", sentence=sentence)


def knows_no_groups(ruleset: Ruleset, size: int) -> bool:
    if first_stage(ruleset, size=size).pairing.system != "groups":
        return False
    return not any(bracket.fits(size) for stage in ruleset.stages for bracket in stage.brackets)


def of_entries(state: Known) -> Iterator[Blocker]:
    """What single entries lack, put together by kind."""
    both = with_two_teams(state.roster)
    found: dict[tuple[str, str, str | None], list[str]] = {}
    for entrant in state.roster.coming:
        for lack in (*before_the_start(entrant, state.roster, state.plan), *in_two_teams(entrant, both, state.plan)):
            found.setdefault((lack.kind, lack.sentence, lack.clause), []).append(entrant.entrant)
    for (kind, sentence, clause), entrants in found.items():
        who = entrants[0] if len(entrants) == 1 else f"{len(entrants)} entrants"
        yield Blocker(kind=kind, sentence=f"{who}{by(clause)}: {sentence}", entrants=tuple(entrants))


def start(state: Known, order: StartTournament) -> list[Event]:
    if open_yet := blockers(state, order):
        raise NotReady(" ".join(blocker.sentence for blocker in open_yet))
    plan, ruleset = state.plan, state.plan.ruleset
    field = numbered(state.roster, ruleset, order)
    return [
        facts.TournamentStarted(
            tournament=plan.tournament,
            federation=plan.federation,
            ruleset=stored(ruleset),
            time_zone=plan.time_zone,
            advance=plan.advance,
        ),
        *(admitted(state, entrant, number, order) for number, entrant in enumerate(field, start=1)),
        *forbidden(state, sorted(state.roster.close), field),
    ]


def admitted(state: Known, entrant: Coming, number: int, order: StartTournament) -> facts.EntrantAdmitted:
    details = state.roster.details_of(entrant.entrant)
    said = rated(entrant.said, state.plan.ruleset, order.listed.get(entrant.entrant))
    return facts.EntrantAdmitted(
        entrant=entrant.entrant,
        tournament=state.plan.tournament,
        persons=entrant.said.persons,
        number=number,
        rating=said.rating,
        key=entrant.said.key,
        lists=entrant.said.lists,
        from_round=2 if details.late is Lateness.FIRST_ROUND else 1,
        decision=None,
        school=details.also.school,
        history=details.also.history,
        carried=details.also.carried,
        direct=details.also.direct,
        rated_by=said.rated_by,
    )


def forbidden(state: Known, pairs: list[Pair], field: list[Coming] | list[Participant]) -> list[facts.MeetingForbidden]:
    """For each pair of close persons who both take part, the rounds at the end in which they must not meet."""
    rules = first_stage(state.plan.ruleset, size=len(field)).pairing
    entrant_of = {person: entrant.entrant for entrant in field for person in entrant.said.persons}
    met = [(entrant_of[one], entrant_of[other]) for one, other in pairs if one in entrant_of and other in entrant_of]
    return [
        facts.MeetingForbidden(tournament=state.plan.tournament, entrants=both, last_rounds=rules.bans_in_last_rounds)
        for both in met
        if rules.bans_in_last_rounds is not None and both[0] != both[1]
    ]


def first_stage(ruleset: Ruleset, *, size: int) -> Settings:
    return settings(ruleset, ruleset.stages[0].id, size=size)
