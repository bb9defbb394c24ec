"""`make rules`: which requirements no test proves.

Requirements stand in docs/rules/*.md, one line each: `- **OT.STA-2** what it asks. [clause]`. One that asks nothing of
software ends with its reason: `*(no software: …)*`. A test says what it proves: `@pytest.mark.rule("OT.STA-2")`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules"

REQUIREMENT = re.compile(r"^- \*\*((?:PQ|CFP|SK|CC|OT)\.(?:REG|PAI|RES|STA|X)-\d+\w?)\*\* (.*)$", re.MULTILINE)
NO_SOFTWARE = re.compile(r"\*\(no software: .+\)\*$")


def main() -> int:
    required = requirements()
    proved = set(marks())
    unproved = [rule for rule in required if rule not in proved]
    for rule in unproved:
        print(f"{rule:<12}{required[rule]}")
    print(f"{len(required) - len(unproved)} of {len(required)} requirements are proved by a test", file=sys.stderr)
    if unknown := proved - required.keys():
        print(f"tests are marked with what is no requirement: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 1
    return 0


def requirements() -> dict[str, str]:
    """The requirements that ask something of software, by id, in the order of the documents."""
    found = (line for document in sorted(RULES.glob("*.md")) for line in REQUIREMENT.findall(document.read_text()))
    return {rule: text for rule, text in found if not NO_SOFTWARE.search(text)}


def marks() -> Iterator[str]:
    """Every id given to `pytest.mark.rule`, in whatever test."""
    for test in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(test.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                yield from (ast.literal_eval(argument) for argument in node.args)


if __name__ == "__main__":
    sys.exit(main())
