"""Each type of a problem is written about, so that a frontend can have words of its own for it."""

import re
from pathlib import Path

import pytest

from deploy.documents import DOCS, problems
from deploy.documents.records import NoWords
from services.results.domain.sheet.refusals import GameIsVoid

ROOT = Path(__file__).parents[2]
SAID = re.compile(r'slug="([a-z-]+)"|/problems/([a-z-]+)')
WRITTEN = dict(re.findall(r"^\| `([a-z-]+)` \| ([0-9, ]+) \|", (DOCS / "problems.md").read_text(), re.MULTILINE))


def test_every_type_that_the_code_names_is_there() -> None:
    sources = [*(ROOT / "shared").rglob("*.py"), *(ROOT / "services").rglob("*.py"), ROOT / "deploy" / "Caddyfile"]
    named = {one or other for source in sources for one, other in SAID.findall(source.read_text())}
    assert named > {"malformed", "unavailable"}
    assert named - WRITTEN.keys() == set()


def test_a_refusal_stands_there_with_its_status_and_once_for_each_service() -> None:
    assert WRITTEN["changed-since"] == "412"
    assert WRITTEN["needs-reason"] == WRITTEN["game-is-void"] == "409"
    rows = re.findall(r"^\| `([a-z-]+)` \| [0-9, ]+ \| (\w+) \|", problems.written(), re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert {service for name, service in rows if name == "round-unknown"} == {"pairing", "results", "standings"}


def test_a_refusal_without_words_fails_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameIsVoid, "__doc__", None)
    with pytest.raises(NoWords, match="GameIsVoid"):
        problems.written()
