"""A tournament of school teams for tests: rules about line-ups, money and places, and entries that follow them."""

from typing import Any

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also, EntrySaid, ProposedEntry
from services.registration.domain.tournament.entries import Enter
from services.registration.domain.tournament.start import StartTournament
from shared.rulesets.entry import Fee, Quota, Team
from shared.rulesets.schema import Ruleset
from tests.rosters import CHECK_IN, IN_TIME, OPENED, announced, rules, there, when

IDS = {"least": "PQ.REG-6", "once": "PQ.REG-7", "choice": "PQ.REG-8", "frozen": "PQ.REG-9", "captain": "PQ.REG-10"}
ZS, SS = (
    Team.model_validate(
        {
            "base": base,
            "least": least,
            "substitutes": base // 2,
            "frozen": "season",
            "rule_id": "PQ.REG-5",
            "rule_ids": IDS,
        }
    )
    for base, least in ((3, 2), (5, 3))
)
HOST = "host-school"


def fee(amount: object, currency: str, **more: object) -> Fee:
    return Fee.model_validate({"amount": amount, "currency": currency, "rule_id": "PQ.REG-11"} | more)


FEES = tuple(
    fee(amount, currency, who="team", waived_for=(HOST,), waived_at_most=1)
    for amount, currency in ((180, "CZK"), (8, "EUR"))
)
QUOTA = Quota(by="school", most=4, times_merged=True, rule_id="PQ.REG-13")


def schools(team: Team = ZS, **entry: object) -> Ruleset:
    return rules(kind="team", team=team, fees=(), close_persons=False, **entry)


def team(
    entrant: str,
    *persons: str,
    substitutes: tuple[str, ...] = (),
    captain: str | None = "",
    school: str | None = None,
    verdicts: tuple[facts.ConditionVerdict, ...] = (),
    **also: Any,
) -> ProposedEntry:
    """Of A the players are A1, A2 and A3, unless it is somebody else; the first is captain."""
    base = persons or tuple(f"{entrant}{n}" for n in (1, 2, 3))
    captain = base[0] if captain == "" else captain
    said = Also(substitutes=substitutes, captain=captain, school=school, **also)
    return ProposedEntry(entrant=entrant, said=EntrySaid(persons=base), also=said, verdicts=verdicts)


def enter(*entries: ProposedEntry, **order: Any) -> Enter:
    return Enter(entries=entries, at=IN_TIME, **order)


def opened(ruleset: Ruleset, *entries: ProposedEntry) -> list[facts.Event]:
    """Registration is open, and these have entered."""
    given: list[facts.Event] = [announced(ruleset), OPENED]
    for entry in entries:
        given += when(given, enter(entry))
    return given


def at_the_desk(ruleset: Ruleset, *entries: ProposedEntry) -> list[facts.Event]:
    """All of them are there."""
    return [*opened(ruleset, *entries), CHECK_IN, *(there(entry.entrant) for entry in entries)]


def admitted(given: list[facts.Event], order: StartTournament | None = None) -> list[facts.EntrantAdmitted]:
    started = when(given, order or StartTournament())
    return [event for event in started if isinstance(event, facts.EntrantAdmitted)]
