"""The list of requirements that `make rules` works from."""

import pytest

from tests.rules import RULES, decisions, requirements, written


def test_every_family_of_rules_is_listed() -> None:
    assert {rule.partition(".")[0] for rule in requirements()} == {"PQ", "CFP", "SK", "CC", "OT"}


def test_a_decision_is_one_of_a_document_and_no_requirement() -> None:
    assert {"PQ.D30", "PQ.D84", "CFP.D10"} <= decisions()
    assert not decisions() & requirements().keys()


def test_no_requirement_stands_twice() -> None:
    lines = [line for document in RULES.glob("*.md") for line in document.read_text().splitlines()]
    for rule in requirements():
        assert sum(line.startswith(f"- **{rule}** ") for line in lines) == 1


@pytest.mark.parametrize(
    ("module", "ids"),
    [
        ("def test_a(): ...", set[str]()),
        ('@pytest.mark.rule("A-1", "A-2")\n@pytest.mark.rule("B-1")\nasync def test_a(): ...', {"A-1", "A-2", "B-1"}),
        ('@pytest.mark.rule("A-1")\ndef test_a(): ...\npytestmark = pytest.mark.rule("A-2")', None),
        ('@pytest.mark.rule("A-1")\ndef helper(): ...', None),
        ("@pytest.mark.rule(*IDS)\ndef test_a(): ...", None),
        ('class TestA:\n  @pytest.mark.rule("A-1")\n  def test_a(self): ...', None),
        ('pytest.param(1, marks=pytest.mark.rule("A-1"))', None),
    ],
)
def test_marks_above_tests_are_read_off_and_any_others_asked_of_pytest(module: str, ids: set[str] | None) -> None:
    assert written(module) == ids
