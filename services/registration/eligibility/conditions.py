"""Who may play: conditions of the rules, judged by what is known of a person. Pure; birth dates go no further than here."""

from collections.abc import Iterator, Mapping
from datetime import date

from services.registration.domain.tournament import facts
from shared.personal.particulars import Particulars
from shared.rulesets.entry import Eligibility
from shared.rulesets.schema import Ruleset
from shared.rulesets.stages import ListOf
from shared.values import Value

WORDS = {
    "born": "When they were born is known.",
    "citizenship": "Their citizenship is known.",
    "town": "The town that they live in is known.",
    "email": "An e-mail address is known.",
    "phone": "A phone number is known.",
}


class Entering(Value):
    """What of an entry conditions ask for."""

    declared: frozenset[str] = frozenset()
    school_types: tuple[str, ...] | None = None  # none: of no school
    starts_on: str


def verdicts(
    ruleset: Ruleset, members: Mapping[str, Particulars], entering: Entering
) -> tuple[facts.ConditionVerdict, ...]:
    """Every member is judged by every condition, substitutes too."""
    rules = ruleset.entry
    judged = [
        facts.ConditionVerdict(
            person=person,
            rule=condition.rule,
            clause=condition.rule_id,
            sentence=condition.sentence,
            met=is_met(condition, known, entering),
        )
        for person, known in members.items()
        for condition in rules.conditions
    ]
    return (*judged, *particulars(ruleset, members))


def particulars(ruleset: Ruleset, members: Mapping[str, Particulars]) -> Iterator[facts.ConditionVerdict]:
    """These have to be known of everybody. Whatever is missing keeps them from starting, not from entering."""
    for person, known in members.items():
        for what in ruleset.entry.particulars:
            is_known = bool(getattr(known, what))
            yield facts.ConditionVerdict(
                person=person,
                rule=f"particulars-{what}",
                clause=ruleset.entry.rule_ids.get("particulars"),
                sentence=WORDS[what],
                met=True if is_known else None,
            )


def is_met(condition: Eligibility, known: Particulars, entering: Entering) -> bool | None:
    """It is none where too little is known to say."""
    match condition.rule:
        case "age-at-most" | "age-below":
            return by_age(condition, known.born, condition.on or entering.starts_on)
        case "year-age-at-most":
            return by_year(condition.years, known.born, entering.starts_on)
        case "citizenship":
            return condition.country in known.citizenship if known.citizenship else None
        case "school-type":
            if entering.school_types is None:
                return None
            return bool(set(condition.types) & set(entering.school_types))
        case "declared":
            return True if (condition.declares or "eligible") in entering.declared else None


def by_age(condition: Eligibility, born: str | None, on: str) -> bool | None:
    """A year of birth is enough where it makes no difference on which day of it somebody was born."""
    if born is None or condition.years is None:
        return None
    youngest, oldest = ages(born, date.fromisoformat(on))
    limit = condition.years if condition.rule == "age-at-most" else condition.years - 1
    if oldest <= limit:
        return True
    return False if youngest > limit else None


def ages(born: str, on: date) -> tuple[int, int]:
    """The completed years that they have at least and at most."""
    year = int(born[:4])
    if len(born) == len("2010"):
        return on.year - year - 1, on.year - year
    day = date.fromisoformat(born)
    age = on.year - year - ((on.month, on.day) < (day.month, day.day))
    return age, age


def by_year(years: int | None, born: str | None, on: str) -> bool | None:
    if born is None or years is None:
        return None
    return int(on[:4]) - int(born[:4]) <= years


def lists_of(ruleset: Ruleset, members: Mapping[str, Particulars], starts_on: str) -> tuple[str, ...]:
    """The lists that an entrant is on by the rules alone, such as that of juniors."""
    return tuple(found.id for found in ruleset.lists if is_on(found, members, starts_on))


def is_on(found: ListOf, members: Mapping[str, Particulars], starts_on: str) -> bool:
    match found.whom:
        case "everybody":
            return True
        case "year-age-at-most":
            return all(by_year(found.years, known.born, starts_on) is True for known in members.values())
        case "declared":
            return False


def not_for(
    ruleset: Ruleset, wanted: tuple[str, ...], members: Mapping[str, Particulars], starts_on: str
) -> list[ListOf]:
    """Find the lists that somebody wants to be on, and by the rules is not."""
    by_age_only = [found for found in ruleset.lists if found.whom == "year-age-at-most" and found.id in wanted]
    return [
        found
        for found in by_age_only
        if any(by_year(found.years, known.born, starts_on) is False for known in members.values())
    ]
