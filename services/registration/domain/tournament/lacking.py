"""What an entry still lacks to be allowed to start, and what to do about it."""

from collections.abc import Iterator, Mapping, Sequence

from services.registration.domain.tournament.clauses import of_payment, of_team
from services.registration.domain.tournament.conditions import limit_of
from services.registration.domain.tournament.entry_facts import Verdict
from services.registration.domain.tournament.entry_orders import Also
from services.registration.domain.tournament.line_ups import team_of
from services.registration.domain.tournament.money import is_settled
from services.registration.domain.tournament.roster import CheckedIn, Coming, Entered, Roster
from services.registration.domain.tournament.states import Known, Plan
from shared.values import Value


class Lack(Value):
    kind: str
    sentence: str
    clause: str | None = None


SHOW_IT = "Record what shows it, with the person or the entry, and judge the entry again."


def lacks(state: Known, entrant: Coming, both: Mapping[str, Sequence[str]]) -> tuple[Lack, ...]:
    """`both` are those who stand in the line-ups of several."""
    return (
        *not_there(entrant, state.plan),
        *before_the_start(entrant, state.roster, state.plan),
        *in_two_teams(entrant, both, state.plan),
    )


def not_there(entrant: Coming, plan: Plan) -> Iterator[Lack]:
    if isinstance(entrant, Entered):
        yield Lack(
            kind="not-checked-in",
            sentence="They have not checked in: check them in, withdraw them or strike them off.",
            clause=plan.ruleset.entry.rule_ids.get("presence"),
        )


def before_the_start(entrant: Coming, field: Roster, plan: Plan) -> Iterator[Lack]:
    yield from of_entry(entrant, field, plan)
    rules, details = plan.ruleset.entry, field.details_of(entrant.entrant)
    if rules.payment != "recorded" and not is_settled(rules, details):
        yield unpaid(plan)
    team = team_of(plan.ruleset)
    if team is None:
        return
    if team.captain and details.also.captain is None:
        yield Lack(
            kind="no-captain",
            sentence="They have no captain: name one of the players.",
            clause=of_team(team, "captain"),
        )
    present = entrant.said.persons if details.present is None else details.present
    if len(present) < team.least and isinstance(entrant, CheckedIn):
        sentence = f"{len(present)} of them are there, and a team is let in with {team.least}: withdraw it, or wait for the others."
        yield Lack(kind="too-few-present", sentence=sentence, clause=of_team(team, "least"))


def papers(also: Also, verdicts: Sequence[Verdict], plan: Plan) -> Iterator[Lack]:
    """What was not agreed to, or is not shown."""
    rules = plan.ruleset.entry
    if missing := sorted(set(rules.consents) - set(also.consents)):
        yield Lack(
            kind="no-consent",
            sentence=f"Not agreed to: {', '.join(missing)}. Record it once they do.",
            clause=rules.rule_ids.get("consents"),
        )
    for verdict in dict.fromkeys((one.sentence, one.clause) for one in verdicts if one.met is not True):
        sentence, clause = verdict
        yield Lack(kind="not-judged", sentence=f"It is not shown that this is so: {sentence} {SHOW_IT}", clause=clause)


def of_entry(entrant: Coming, field: Roster, plan: Plan) -> Iterator[Lack]:
    details = field.details_of(entrant.entrant)
    yield from papers(details.also, details.verdicts, plan)
    confirmation = limit_of(plan, "confirmation")
    if confirmation is not None and not details.is_confirmed:
        sentence = "They have not confirmed that they will come: confirm, or withdraw them."
        yield Lack(kind="not-confirmed", sentence=sentence, clause=confirmation.rule_id)


def unpaid(plan: Plan) -> Lack:
    return Lack(
        kind="unpaid",
        sentence="The fee is neither paid nor waived: record the payment, or grant a waiver.",
        clause=of_payment(plan.ruleset.entry),
    )


def in_two_teams(entrant: Coming, both: Mapping[str, Sequence[str]], plan: Plan) -> Iterator[Lack]:
    clause = of_team(team_of(plan.ruleset), "choice")
    for person, teams in both.items():
        if entrant.entrant in teams:
            sentence = f"{person} is in the line-ups of {' and '.join(teams)}: let them choose one of these teams."
            yield Lack(kind="in-two-teams", sentence=sentence, clause=clause)
