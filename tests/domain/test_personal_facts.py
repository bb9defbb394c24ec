"""What is shown of a record to somebody who is in it: nothing that it says of others each by themselves."""

from typing import Any

import pytest

from shared.personal.export import theirs

MANY = [f"E{n}" for n in range(60)]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"seats": ["E1", "E2"], "scores": [3, 1]}, {"seats": ["E1", "E2"], "scores": [3, 1]}),
        (
            {"verdicts": [{"person": "P1", "met": True}, {"person": "P2", "met": False}]},
            {"verdicts": [{"person": "P1", "met": True}]},
        ),
        ({"order": [["E2"], ["E1"]]}, {"order": [["E2"], ["E1"]]}),
        ({"persons": MANY}, {"persons": ["E1"]}),
        ({"places": [{"of": {"entrant": "E2"}}, {"of": {"entrant": "E1"}}]}, {"places": [{"of": {"entrant": "E1"}}]}),
    ],
    ids=["a game stays whole", "verdicts", "an order stays whole", "a long list", "below"],
)
def test_only_what_is_said_of_others_by_themselves_is_left_out(said: dict[str, Any], shown: dict[str, Any]) -> None:
    assert theirs(said, ["P1", "E1"]) == shown
