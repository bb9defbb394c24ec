"""The list of requirements that `make rules` works from."""

from tests.rules import RULES, requirements


def test_every_family_of_rules_is_listed() -> None:
    assert {rule.partition(".")[0] for rule in requirements()} == {"PQ", "CFP", "SK", "CC", "OT"}


def test_no_requirement_stands_twice() -> None:
    lines = [line for document in RULES.glob("*.md") for line in document.read_text().splitlines()]
    for rule in requirements():
        assert sum(line.startswith(f"- **{rule}** ") for line in lines) == 1
