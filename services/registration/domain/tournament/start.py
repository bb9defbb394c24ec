"""The start: what still stands in its way, the start numbers, and what neighbours hear of the field."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.close_persons import forbidden_meetings
from services.registration.domain.tournament.entrants import Also, CheckedIn, Coming, Entered, EntrySaid, Lateness
from services.registration.domain.tournament.line_ups import team_of, with_two_teams
from services.registration.domain.tournament.payments import is_settled
from services.registration.domain.tournament.places_and_reserves import number_of_places
from services.registration.domain.tournament.reasons import cite, payment_clause, team_clause
from services.registration.domain.tournament.roster import Roster
from services.registration.domain.tournament.states import (
    AnnouncedTournament,
    CheckingIn,
    Phases,
    Plan,
    Running,
    deadline_of,
    first_stage,
    require_phase,
    stored,
)
from shared.commands.decider import Order
from shared.numbers import exact
from shared.refusals import Conflict
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import announces_advance, in_variant
from shared.values import Value

# Orders


NOBODY_LISTED: Mapping[str, int] = MappingProxyType({})


class StartTournament(Order):
    has_director: bool = True
    decision: str | None = None  # why with another number than the rules want
    drawn: tuple[str, ...] = ()  # the order by lot of those between whom one decides
    listed: Mapping[str, int] = NOBODY_LISTED  # by entrant: the rating on the list by which the rules seed


PHASES: Phases = {
    StartTournament: (CheckingIn,),
}

# Refusals


class NotReady(Conflict):
    """Something is still open that has to be settled first."""


class FieldChanged(Conflict):
    """Somebody came or went since it was looked at."""


# What stands in its way


FEWEST = 2  # whatever the rules say
AS_ASKED = StartTournament()


class Blocker(Value):
    """Something that has to be settled before the start."""

    kind: str
    sentence: str
    entrants: tuple[str, ...] = ()


def blockers(state: AnnouncedTournament, order: StartTournament = AS_ASKED) -> tuple[Blocker, ...]:
    """Say what the field still lacks; whether it is time to start at all is another question."""
    found: list[Blocker] = []
    waited_for = tuple(state.roster.expected)
    if waited_for:
        who = "1 entrant has" if len(waited_for) == 1 else f"{len(waited_for)} entrants have"
        clause = cite(state.plan.ruleset.entry.rule_ids.get("presence"))
        sentence = f"{who} not checked in{clause}: check them in, withdraw them or strike them off."
        found.append(Blocker(kind="not-checked-in", sentence=sentence, entrants=waited_for))
    found += size_blockers(state, order)
    seeding = state.plan.ruleset.entry.seeding
    without = tuple(entrant.entrant for entrant in state.roster.coming if entrant.said.key is None)
    is_drawn = seeding.by == "lot" and len(without) == len(state.roster.coming)
    if seeding.by in BY_KEY and without and not is_drawn:
        sentence = (
            f"The rules seed by {seeding.by}, and {len(without)} have no place in that order: give everybody a key."
        )
        found.append(Blocker(kind="no-seeding", sentence=sentence, entrants=without))
    if state.plan.advance is None and announces_advance(state.plan.ruleset):
        clause = cite(state.plan.ruleset.final.advance_rule_id)
        sentence = f"How many go on is not announced{clause}: announce it, which the rules want before the start."
        found.append(Blocker(kind="no-advance", sentence=sentence))
    if state.plan.ruleset.entry.director and not order.has_director:
        clause = cite(state.plan.ruleset.entry.director_rule_id)
        sentence = f"Nobody directs this tournament{clause}: appoint a director for it, or for its federation."
        if state.plan.ruleset.entry.director_of_council:
            sentence = f"Exactly one of the council directs this tournament{clause}: appoint them as its only director."
        found.append(Blocker(kind="no-director", sentence=sentence))
    return (*found, *entry_blockers(state), *lots_blockers(state))


def lots_blockers(state: AnnouncedTournament) -> Iterator[Blocker]:
    """Where the rules number by lot, the value that lots are mixed with is needed for the start already."""
    source = state.plan.lot_source
    if source is not None and state.plan.lot_value is None and lots_to_draw(state.roster, state.plan.ruleset):
        sentence = (
            f"Start numbers are drawn, and the lots follow from {source}: open the lots, once everybody is checked in."
        )
        yield Blocker(kind="lots-not-opened", sentence=sentence)


def size_blockers(state: AnnouncedTournament, order: StartTournament) -> Iterator[Blocker]:
    """Where the rules leave it to the organiser a reason is enough, as long as the field can be paired at all."""
    there = sum(isinstance(entrant, CheckedIn) for entrant in state.roster.coming)
    size = state.plan.ruleset.entry.size
    least, clause = max(FEWEST, size.least), cite(size.rule_id)
    may_differ = size.overridden and order.decision is not None
    unless = ", unless you say in `decision` why it starts all the same" if size.overridden else ""
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
    most = number_of_places(state.roster, state.plan)
    if most is not None and there > most and not may_differ:
        sentence = f"{there} entrants have checked in: this tournament takes {most} at most{clause}{unless}."
        yield Blocker(kind="too-many-entrants", sentence=sentence)


def knows_no_groups(ruleset: Ruleset, size: int) -> bool:
    if first_stage(ruleset, size=size).pairing.system != "groups":
        return False
    return not any(bracket.fits(size) for stage in ruleset.stages for bracket in stage.brackets)


def entry_blockers(state: AnnouncedTournament) -> Iterator[Blocker]:
    """Put together by kind what single entries lack."""
    both = with_two_teams(state.roster)
    found: dict[tuple[str, str, str | None], list[str]] = {}
    for entrant in state.roster.coming:
        for lack in (*before_the_start(entrant, state.roster, state.plan), *in_two_teams(entrant, both, state.plan)):
            found.setdefault((lack.kind, lack.sentence, lack.clause), []).append(entrant.entrant)
    for (kind, sentence, clause), entrants in found.items():
        who = entrants[0] if len(entrants) == 1 else f"{len(entrants)} entrants"
        yield Blocker(kind=kind, sentence=f"{who}{cite(clause)}: {sentence}", entrants=tuple(entrants))


# What an entry lacks


class Lack(Value):
    kind: str
    sentence: str
    clause: str | None = None


ABSENT_CAPTAIN = "Their captain is not there: name one of those who are there as acting captain."
SHOW_IT = "Record what shows it, with the person or the entry, and judge the entry again."


def lacks(state: AnnouncedTournament, entrant: Coming, both: Mapping[str, Sequence[str]]) -> tuple[Lack, ...]:
    """Say what one entry lacks; `both` are those who stand in the line-ups of several."""
    return (
        *not_checked_in(entrant, state.plan),
        *before_the_start(entrant, state.roster, state.plan),
        *in_two_teams(entrant, both, state.plan),
    )


def not_checked_in(entrant: Coming, plan: Plan) -> Iterator[Lack]:
    if isinstance(entrant, Entered):
        yield Lack(
            kind="not-checked-in",
            sentence="They have not checked in: check them in, withdraw them or strike them off.",
            clause=plan.ruleset.entry.rule_ids.get("presence"),
        )


def before_the_start(entrant: Coming, roster: Roster, plan: Plan) -> Iterator[Lack]:
    rules, details = plan.ruleset.entry, roster.details_of(entrant.entrant)
    yield from missing_papers(details.also, details.verdicts, plan)
    confirmation = deadline_of(plan, "confirmation")
    if confirmation is not None and not details.is_confirmed:
        sentence = "They have not confirmed that they will come: confirm, or withdraw them."
        yield Lack(kind="not-confirmed", sentence=sentence, clause=confirmation.rule_id)
    if rules.payment != "recorded" and not is_settled(rules, details):
        yield Lack(
            kind="unpaid",
            sentence="The fee is neither paid nor waived: record the payment, or grant a waiver.",
            clause=payment_clause(rules),
        )
    team = team_of(plan.ruleset)
    if team is None:
        return
    present = entrant.said.persons if details.present is None else details.present
    captain = details.also.captain
    if team.captain and (captain is None or (captain not in present and isinstance(entrant, CheckedIn))):
        sentence = "They have no captain: name one of the members." if captain is None else ABSENT_CAPTAIN
        yield Lack(kind="no-captain", sentence=sentence, clause=team_clause(team, "captain"))
    there = sum(person in entrant.said.persons for person in present)  # the line-up may be another one since then
    if there < team.least and isinstance(entrant, CheckedIn):
        sentence = (
            f"{there} of them are there, and a team is let in with {team.least}: withdraw it, or wait for the others."
        )
        yield Lack(kind="too-few-present", sentence=sentence, clause=team_clause(team, "least"))


def missing_papers(also: Also, verdicts: Sequence[facts.ConditionVerdict], plan: Plan) -> Iterator[Lack]:
    """Say what was not agreed to, or is not shown."""
    rules = plan.ruleset.entry
    if missing := sorted(set(rules.consents) - set(also.consents)):
        yield Lack(
            kind="no-consent",
            sentence=f"Not agreed to: {', '.join(missing)}. Record it once they do.",
            clause=rules.rule_ids.get("consents"),
        )
    for sentence, clause in dict.fromkeys((one.sentence, one.clause) for one in verdicts if one.met is not True):
        yield Lack(kind="not-judged", sentence=f"It is not shown that this is so: {sentence} {SHOW_IT}", clause=clause)


def in_two_teams(entrant: Coming, both: Mapping[str, Sequence[str]], plan: Plan) -> Iterator[Lack]:
    clause = team_clause(team_of(plan.ruleset), "choice")
    for person, teams in both.items():
        if entrant.entrant in teams:
            sentence = f"{person} is in the line-ups of {' and '.join(teams)}: let them choose one of these teams."
            yield Lack(kind="in-two-teams", sentence=sentence, clause=clause)


# Start numbers


BY_KEY = ("tiers", "lot")
PURPOSE = "start numbers"


def lots_to_draw(roster: Roster, ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """Find those between whom a lot decides, by the purpose of the lot."""
    by = ruleset.entry.seeding.by
    if by not in (*BY_KEY, "carried"):
        return {}
    tiers: dict[str, list[str]] = {}
    for entrant in roster.coming:
        with_points = f" with {points_of(roster, entrant)} points" if by == "carried" else ""
        of_place = "" if entrant.said.key is None else f" of place {entrant.said.key}"
        tiers.setdefault(f"{PURPOSE}{of_place}{with_points}", []).append(entrant.entrant)
    return {purpose: tuple(entrants) for purpose, entrants in tiers.items() if len(entrants) > 1}


def points_of(roster: Roster, entrant: Coming) -> Fraction:
    return exact(roster.details_of(entrant.entrant).also.carried)


def numbered(roster: Roster, ruleset: Ruleset, order: StartTournament) -> list[Coming]:
    """The highest is first. Equal ratings and points are decided by the key; who is still equal stands in the order of
    entry, or as drawn."""
    position = {entrant: number for number, entrant in enumerate(order.drawn)}

    def seed(entrant: Coming) -> tuple[bool, int, bool, int]:
        rating, key = rated(entrant.said, ruleset, order.listed.get(entrant.entrant)).rating, entrant.said.key
        return rating is None, -(rating or 0), key is None, key or 0

    def brought(entrant: Coming) -> tuple[Fraction, bool, int, int]:
        key = entrant.said.key
        return -points_of(roster, entrant), key is None, key or 0, position.get(entrant.entrant, 0)

    require_drawn(roster, ruleset, order.drawn)
    match ruleset.entry.seeding.by:
        case "order":
            return roster.coming
        case "rating":
            return sorted(roster.coming, key=seed)
        case "carried":
            return sorted(roster.coming, key=brought)
        case "tiers" | "lot":
            return sorted(roster.coming, key=lambda one: (one.said.key or 0, position.get(one.entrant, 0)))


def require_drawn(roster: Roster, ruleset: Ruleset, drawn: Sequence[str]) -> None:
    """A lot was drawn between everybody between whom one decides."""
    if {one for tier in lots_to_draw(roster, ruleset).values() for one in tier} - set(drawn):
        raise FieldChanged("The field has changed while its start numbers were drawn: start once more.")


def rated(said: EntrySaid, ruleset: Ruleset, listed: int | None = None) -> EntrySaid:
    """Whoever says no rating gets that of the list, and who is not on it the one that the rules give to who is new."""
    unrated = ruleset.entry.seeding.unrated
    if said.rating is not None:
        return said
    if listed is not None:
        return replace(said, rating=listed, rated_by="list")
    return said if unrated is None else replace(said, rating=unrated, rated_by="rules")


# Starting


def start(state: AnnouncedTournament, order: StartTournament) -> list[facts.Event]:
    if isinstance(state, Running):
        return []
    require_phase(state, order, PHASES)
    if open_yet := blockers(state, order):
        raise NotReady(" ".join(blocker.sentence for blocker in open_yet))
    plan, ruleset = state.plan, in_variant(state.plan.ruleset, state.plan.variant)
    field = numbered(state.roster, ruleset, order)
    return [
        facts.TournamentStarted(
            tournament=plan.tournament,
            federation=plan.federation,
            ruleset=stored(ruleset),
            time_zone=plan.time_zone,
            advance=plan.advance,
        ),
        *(admitted_at_start(state, entrant, number, order) for number, entrant in enumerate(field, start=1)),
        *forbidden_meetings(state, sorted(state.roster.close), field),
    ]


def admitted_at_start(
    state: AnnouncedTournament, entrant: Coming, number: int, order: StartTournament
) -> facts.EntrantAdmitted:
    details = state.roster.details_of(entrant.entrant)
    said = rated(entrant.said, state.plan.ruleset, order.listed.get(entrant.entrant))
    from_round = 2 if details.late is Lateness.FIRST_ROUND else 1
    return admitted(entrant.entrant, said, details.also, state.plan, number=number, from_round=from_round)


def admitted(
    entrant: str, said: EntrySaid, also: Also, plan: Plan, *, number: int, from_round: int
) -> facts.EntrantAdmitted:
    return facts.EntrantAdmitted(
        entrant=entrant,
        tournament=plan.tournament,
        persons=said.persons,
        number=number,
        rating=said.rating,
        key=said.key,
        lists=said.lists,
        from_round=from_round,
        decision=None,
        school=also.school,
        history=also.history,
        carried=also.carried,
        direct=also.direct,
        rated_by=said.rated_by,
        club=also.club,
    )
