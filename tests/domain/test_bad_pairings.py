"""What no pairing may be is refused by its rule, as `roundlog pair` and `POST /v1/pair` refuse it."""

from typing import Any

import pytest

from services.pairing.calculate import paired
from shared.faults import Faulty
from shared.refusals import Refusal
from tests.tournaments import tournament

INDIVIDUALS, SCRABBLE, OTHELLO = "pisqworky-2025-individual", "scrabble-sk-2022-qt", "othello-pl-2021"
QUALIFICATION, FINAL = "carcassonne-cz-qualification", "carcassonne-cz-final"
SWISS = {"pairing.system": "cost-swiss"}
TWICE = SWISS | {"pairing.meetings": 2}
FOUR = [{"seats": list("ABCD"), "scores": [4, 3, 2, 1]}]
ONCE_MORE = ["A-B 40:24", "B-A 40:24", "A-B 40:24"]


def said(file: dict[str, Any]) -> str:
    with pytest.raises(Refusal) as refused:
        paired(file)
    if isinstance(refused.value, Faulty):
        return " ".join(f"{fault.pointer} {fault.detail}." for fault in refused.value.faults)
    return str(refused.value)


@pytest.mark.parametrize(
    ("rule", "entrants", "rounds", "more", "sentence"),
    [
        ("PQ.PAI-1", "ABC", [], {"ruleset": "pisqworky-2025-ss-ot", "options": {}, "advance": 1}, "no groups for 3"),
        ("PQ.PAI-9", "AB", ["A-B 4:0"] * 2, {"ruleset": INDIVIDUALS, "options": {}}, "have met before"),
        ("PQ.PAI-9", "ABC", ["A-B 4:0, bye C"] * 2, {"ruleset": INDIVIDUALS, "options": {}}, "has sat out before"),
        ("PQ.PAI-5", "AB", ["A-B 4:0"], {"ruleset": INDIVIDUALS, "options": {"pairing.rounds": 1}}, "All 1 rounds"),
        ("PQ.PAI-5", "AB", ["A-B 4:0"] * 2, {"ruleset": INDIVIDUALS, "options": {"pairing.rounds": 1}}, "one too many"),
        ("SK.PAI-2", "AB", ["A-B 4:0"] * 2, {}, "have met before"),
        ("SK.PAI-4", "AB", ["A-B 4:0"], {"forbidden": [{"entrants": ["A", "B"], "last_rounds": 7}]}, "must not meet"),
        ("SK.PAI-8", "ABCD", ["A-B 4:0, bye C, bye D"], {}, "nobody sits out of 4 entrants"),
        ("SK.PAI-8", "ABC", ["A-B 4:0, bye C", "A-B 4:0, bye C"], {}, "C has sat out before"),
        (
            "CC.PAI-2",
            "ABCDE",
            [],
            {"ruleset": QUALIFICATION, "options": {}},
            "On a sheet that is made by hand somebody may sit out.",
        ),
        (
            "CC.PAI-2",
            "ABCD",
            ["A-B 4:0, C-D 4:0"],
            {"ruleset": QUALIFICATION, "options": {}},
            "should be 3 to 4 entrants",
        ),
        ("CC.PAI-3", "ABCD", FOUR, {"ruleset": FINAL, "options": {"pairing.field": "any"}}, "should be 2 entrants"),
        (
            "OT.PAI-4",
            "AB",
            ONCE_MORE[:2],
            {"ruleset": OTHELLO, "options": SWISS | {"pairing.meetings": 1}},
            "have met before",
        ),
        (
            "OT.PAI-7",
            "ABCD",
            ["A-B 40:24, bye C, bye D"],
            {"ruleset": OTHELLO, "options": TWICE},
            "nobody sits out of 4",
        ),
        ("OT.PAI-7", "ABCD", ["A-B 40:24, bye C, bye D"], {"ruleset": OTHELLO, "options": {}}, "gets nothing"),
        ("OT.PAI-7", "ABC", ["A-B 40:24, bye C"] * 3, {"ruleset": OTHELLO, "options": TWICE}, "sat out 2 times before"),
        (
            "OT.PAI-7",
            "ABCDE",
            ["A-B 40:24, C-D 40:24, bye E", "A-C 40:24, bye B, bye D, bye E"],
            {"ruleset": OTHELLO, "options": TWICE},
            "only one entrant sits out of an odd field",
        ),
        ("OT.PAI-4", "AB", ONCE_MORE, {"ruleset": OTHELLO, "options": TWICE}, "have met 2 times before"),
        ("OT.PAI-2", "AB", ONCE_MORE, {"ruleset": OTHELLO, "options": {}}, "have met 2 times before"),
    ],
)
def test_a_pairing_that_the_rules_do_not_know_is_refused_by_the_rule(
    rule: str, entrants: str, rounds: list[Any], more: dict[str, Any], sentence: str
) -> None:
    file = tournament(entrants, *(one for one in rounds if isinstance(one, str)), **more)
    if games := [one for one in rounds if not isinstance(one, str)]:
        file["rounds"] = [{"number": 1, "games": games}]
    if file["ruleset"] == FINAL:
        file["entrants"] = [one | {"carried": 0} for one in file["entrants"]]
    found = said(file)
    assert sentence in found
    assert f"({rule})" in found
