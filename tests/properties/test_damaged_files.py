"""A damaged tournament file is ranked or refused with faults; nothing else ever happens."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from services.standings.calculate import ranked
from shared.http.problems import document_of
from shared.refusals import Refusal
from shared.rulesets import catalogue
from tests.exploring import tries
from tests.tournaments import SCRABBLE, tournament

ROUNDS = ("A-B 300:200, C-D 310:300, bye E", "C-A 250:300, E-B 300:290, bye D")
WHOLE = tournament(
    "ABCDE",
    *ROUNDS,
    decisions=[{"kind": "lot", "stage": "swiss", "order": ["C", ["A", "B"]]}],
    adjustments=[{"entrant": "A", "round": 1, "points": -1}],
    forbidden=[{"entrants": ["A", "B"]}],
    next={"missing": ["A"], "requested_byes": [{"entrant": "B", "points": 0.5}]},
)
FILES = [WHOLE, tournament("ABCDE", *ROUNDS, ruleset=catalogue.load(SCRABBLE).model_dump(mode="json"))]
FIELDS = [
    "by",
    "end",
    "from_round",
    "match",
    "override",
    "pairing.rounds",
    "pairing.system",
    "points",
    "scores",
    "stage",
]
VALUES: list[Any] = [
    *(None, True, 0, -1, 1, 2, 10**20, 0.5, 1e300, float("nan")),
    *(
        "",
        "A",
        "Z",
        "7/2",
        "1/0",
        "\ud800",
        "swiss",
        "lot",
        "void",
        "forfeit",
        "tables",
        "knockout",
        "fide-2009",
        "duels",
    ),
    *([], {}, ["A"], ["A", "B"], [[]], {"a": 1}, ["points", "brightwell"], ["points", "duel", "head_to_head"], [20, 0]),
]


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    chance = random.Random(draw(st.integers(0, 2**32)))
    file = deepcopy(chance.choice(FILES))
    for _ in range(chance.randint(1, 3)):
        holder, step = chance.choice(list(places(file)))
        match chance.choice(["gone", "other", "more"]):
            case "gone" if step in holder or isinstance(holder, list):
                del holder[step]
            case "more" if isinstance(holder, dict):
                holder[chance.choice(FIELDS)] = deepcopy(chance.choice(VALUES))
            case _:
                holder[step] = deepcopy(chance.choice(VALUES))
    return file


def places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that holds something, with each step into it."""
    steps: list[Any] = []
    if isinstance(content, dict):
        steps = list(cast("dict[str, Any]", content))
    elif isinstance(content, list):
        steps = list(range(len(cast("list[Any]", content))))
    for step in steps:
        yield content, step
        yield from places(content[step])


@given(damaged())
@settings(max_examples=tries(300), deadline=None)
def test_a_damaged_file_is_ranked_or_refused(file: dict[str, Any]) -> None:
    assert answered(file).model_dump_json()


def answered(file: object) -> BaseModel:
    try:
        return ranked(file, explanations=True)
    except Refusal as refusal:
        return document_of(refusal)


@pytest.mark.parametrize("file", FILES, ids=["named ruleset", "whole ruleset"])
def test_half_a_letter_anywhere_is_refused(file: dict[str, Any]) -> None:
    damaged = deepcopy(file)
    for holder, step in list(places(damaged)):
        sound, holder[step] = holder[step], "\ud800"
        assert "errors" in answered(damaged).model_dump_json()
        holder[step] = sound
