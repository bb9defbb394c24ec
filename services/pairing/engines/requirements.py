"""Which requirement of docs/rules speaks of a rule that a pairing made by hand may break."""

from collections.abc import Mapping, Sequence

from services.pairing.engines.field import Field
from services.pairing.engines.plan import Breach, Severity

OTHELLO = {
    "met-before": "OT.PAI-4",
    "bye-not-needed": "OT.PAI-7",
    "second-bye": "OT.PAI-7",
    "not-in-field": "OT.PAI-7",
    "roles": "OT.PAI-4",
    "first-round-groups": "OT.PAI-3",
    "first-round-roles": "OT.PAI-3",
}
SCRABBLE = {
    "met-before": "SK.PAI-2",
    "banned": "SK.PAI-4",
    "bye-not-needed": "SK.PAI-8",
    "second-bye": "SK.PAI-8",
    "bye-not-lowest": "SK.D11",
    "not-in-field": "SK.D13",
    "roles": "SK.PAI-2",
    "first-round-roles": "SK.PAI-5",
}

# By game and pairing system.
REQUIREMENTS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("othello", "cost-swiss"): OTHELLO,
    ("othello", "round-robin"): OTHELLO | {"met-before": "OT.PAI-2"},
    ("othello", "double-round-robin"): OTHELLO | {"met-before": "OT.PAI-2"},
    ("scrabble", "cost-swiss"): SCRABBLE,
    ("scrabble", "round-robin"): SCRABBLE,
    ("scrabble", "double-round-robin"): SCRABBLE,
    ("carcassonne", "cost-swiss"): {
        "met-before": "CC.D9",
        "bye-not-needed": "CC.D10",
        "second-bye": "CC.D10",
        "not-two": "CC.PAI-3",
    },
    ("carcassonne", "tables"): {
        "not-three-or-four": "CC.PAI-2",
        "wrong-sizes": "CC.PAI-2",
        "bye-not-needed": "CC.PAI-1",
        "met-before": "CC.PAI-1",
        "three-again": "CC.D2",
    },
    ("othello", "knockout"): {"not-in-bracket": "OT.PAI-9", "not-to-choose": "OT.RES-7", "colours": "OT.RES-6"},
    ("gomoku-pisqworky", "groups"): {"other-group": "PQ.PAI-3", "met-before": "PQ.PAI-3"},
    ("gomoku-pisqworky", "knockout"): {"not-in-bracket": "PQ.PAI-1"},
    ("gomoku-pisqworky", "median-swiss"): {
        "met-before": "PQ.PAI-9",
        "bye-not-needed": "PQ.PAI-9",
        "second-bye": "PQ.PAI-9",
        "bye-not-lowest": "PQ.PAI-9",
        "not-in-field": "PQ.D18",
        "starter": "PQ.PAI-10",
    },
}


def breach(
    field: Field,
    severity: Severity,
    kind: str,
    sentence: str,
    entrants: Sequence[str] = (),
    tables: Sequence[int] = (),
) -> Breach:
    rules = REQUIREMENTS.get((field.facts.ruleset.game, field.settings.pairing.system), {})
    return Breach(
        kind=kind,
        severity=severity,
        requirement=rules.get(kind),
        sentence=sentence,
        entrants=tuple(entrants),
        tables=tuple(tables),
    )
