"""Which requirement of docs/rules speaks of a rule that a pairing made by hand may break: the ruleset says so."""

from collections.abc import Mapping, Sequence

from services.pairing.engines.field import Field
from services.pairing.engines.plan import Breach, Severity
from shared.rulesets.pairing_and_standings import AboutPairing

ABOUT: Mapping[str, AboutPairing] = {
    "met-before": "meetings",
    "banned": "bans",
    "bye-not-needed": "byes",
    "second-bye": "byes",
    "bye-not-lowest": "bye",
    "not-in-field": "left",
    "roles": "roles",
    "starter": "roles",
    "first-round-groups": "first-round",
    "first-round-roles": "first-round",
    "not-two": "seats",
    "not-three-or-four": "seats",
    "wrong-sizes": "seats",
    "three-again": "threes",
    "other-group": "plan",
    "not-in-bracket": "plan",
    "not-to-choose": "choice",
    "colours": "colours",
}


def breach(
    field: Field,
    severity: Severity,
    kind: str,
    sentence: str,
    entrants: Sequence[str] = (),
    tables: Sequence[int] = (),
) -> Breach:
    about = ABOUT.get(kind)
    if about == "meetings" and field.settings.is_round_robin:
        about = "round-robin"
    return Breach(
        kind=kind,
        severity=severity,
        requirement=field.settings.pairing.rule_ids.get(about) if about else None,
        sentence=sentence,
        entrants=tuple(entrants),
        tables=tuple(tables),
    )
