"""`make rules`: which requirements no test proves.

Requirements stand in docs/rules/*.md, one line each: `- **OT.STA-2** what it asks. [clause]`. One that asks nothing of
software ends with its reason: `*(no software: …)*`. A test says what it proves: `@pytest.mark.rule("OT.STA-2")`. It may name a
decision besides, as `PQ.D30`, where that can be broken without the requirement.
"""

import ast
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules"

REQUIREMENT = re.compile(r"^- \*\*((?:PQ|CFP|SK|CC|OT)\.(?:REG|PAI|RES|STA|X)-\d+\w?)\*\* (.*)$", re.MULTILINE)
DECISION = re.compile(r"^- \*\*((?:PQ|CFP|SK|CC|OT)\.D\d+)\*\* ", re.MULTILINE)
NO_SOFTWARE = re.compile(r"\*\(no software: .+\)\*$")


def main() -> int:
    required = requirements()
    proved = marks()
    unproved = [rule for rule in required if rule not in proved]
    for rule in unproved:
        print(f"{rule:<12}{required[rule]}")
    print(f"{len(required) - len(unproved)} of {len(required)} requirements are proved by a test", file=sys.stderr)
    if unknown := proved - required.keys() - decisions():
        print(
            f"tests are marked with what is neither a requirement nor a decision: {', '.join(sorted(unknown))}",
            file=sys.stderr,
        )
    return 1 if unproved or unknown else 0


def requirements() -> dict[str, str]:
    """The requirements that ask something of software, by id, in the order of the documents."""
    found = (line for document in sorted(RULES.glob("*.md")) for line in REQUIREMENT.findall(document.read_text()))
    return {rule: text for rule, text in found if not NO_SOFTWARE.search(text)}


def decisions() -> set[str]:
    return {one for document in RULES.glob("*.md") for one in DECISION.findall(document.read_text())}


def marks() -> set[str]:
    """Every id that a test is marked with: read off where it is written, asked of pytest where it is computed."""
    read = {path: written(path.read_text()) for path in sorted(TESTS.rglob("test_*.py"))}
    computing = [path for path, ids in read.items() if ids is None]
    return collected(computing).union(*(ids for ids in read.values() if ids is not None))


def written(module: str) -> set[str] | None:
    """The ids above the tests of a module; None where it makes marks in any other way."""
    if ".mark.rule" not in module:
        return set()
    tree = ast.parse(module)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    tests = [function for function in functions if function.name.startswith("test_")]
    above = [
        mark for test in tests for mark in test.decorator_list if isinstance(mark, ast.Call) and is_rule(mark.func)
    ]
    ids = [one for mark in above for one in mark.args]
    if len(above) != sum(map(is_rule, ast.walk(tree))) or not all(isinstance(one, ast.Constant) for one in ids):
        return None
    return {str(one.value) for one in ids if isinstance(one, ast.Constant)}


def is_rule(node: ast.AST) -> bool:
    """Whether it is `pytest.mark.rule`."""
    match node:
        case ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule"):
            return True
        case _:
            return False


def collected(paths: Sequence[Path]) -> set[str]:
    """Of the tests in these files; pytest finds them, and runs none."""
    found = Collected()
    with redirect_stdout(Path(os.devnull).open("w")):
        ended = pytest.main(["--collect-only", "-p", "no:cacheprovider", *map(str, paths)], plugins=[found])
    if ended is not pytest.ExitCode.OK:
        raise SystemExit("some tests cannot be read: run `make test`")
    return found.rules


class Collected:
    def __init__(self) -> None:
        self.rules: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.rules = {rule for item in items for mark in item.iter_markers("rule") for rule in mark.args}


if __name__ == "__main__":
    sys.exit(main())
