"""Variables of Roundlog in the environment: what is mistyped is named."""

import re
from pathlib import Path

import pytest

from deploy.environment import read_by_nothing

ROOT = Path(__file__).parents[2]
NO_MORE = {"ROUNDLOG_PASSWORD"}  # of versions before


def test_what_nothing_reads_is_named_with_what_is_meant() -> None:
    assert read_by_nothing(["PATH", "ROUNDLOG_RATE", "ROUNDLOG_FRONTS"]) == []
    strange, mistyped = read_by_nothing(["ROUNDLOG_WITNESES", "ROUNDLOG_MOOD", "ROUNDLOG_RATE"])
    assert mistyped.startswith("ROUNDLOG_WITNESES is set, and nothing reads it; ROUNDLOG_WITNESSES is meant, perhaps")
    assert strange.startswith("ROUNDLOG_MOOD is set, and nothing reads it (docs/operations.md")


@pytest.mark.parametrize(
    "file",
    ["docs/operations.md", "docker-compose.yml", "deploy/Caddyfile", "deploy/cells/Caddyfile", "deploy/Dockerfile"],
)
def test_whatever_is_told_to_be_set_is_read(file: str) -> None:
    named = set(re.findall(r"ROUNDLOG_[A-Z_]*[A-Z]\b", (ROOT / file).read_text()))
    assert read_by_nothing(named - NO_MORE) == []
