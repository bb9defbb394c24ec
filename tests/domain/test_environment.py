"""Variables of Roundlog in the environment: what is mistyped is named."""

import re
from pathlib import Path

import pytest

from deploy.environment import OF_THE_PLATFORM, passed_over, read_by_nothing
from shared.settings import variables

ROOT = Path(__file__).parents[2]
NO_MORE = {"ROUNDLOG_PASSWORD"}  # of versions before


def test_what_nothing_reads_is_named_with_what_is_meant() -> None:
    assert read_by_nothing(["PATH", "ROUNDLOG_RATE", "ROUNDLOG_FRONTS"]) == []
    (unread,) = read_by_nothing(["ROUNDLOG_SPANS_TO"])  # OpenTelemetry has a name of its own for it
    assert unread.startswith("ROUNDLOG_SPANS_TO is set, and nothing reads it")
    strange, mistyped = read_by_nothing(["ROUNDLOG_WITNESES", "ROUNDLOG_MOOD", "ROUNDLOG_RATE"])
    assert mistyped.startswith("ROUNDLOG_WITNESES is set, and nothing reads it; ROUNDLOG_WITNESSES is meant, perhaps")
    assert strange.startswith("ROUNDLOG_MOOD is set, and nothing reads it (docs/operations.md")


def test_what_a_local_run_sets_itself_is_named() -> None:
    (listen,) = passed_over(["ROUNDLOG_DATA", "ROUNDLOG_PROXY_LISTEN", "PATH"])
    assert listen.startswith("ROUNDLOG_PROXY_LISTEN is set, and `roundlog up` goes by what it sets itself")


def test_whatever_is_read_is_told_of() -> None:
    told = (ROOT / "docs/operations.md").read_text()
    assert [name for name in sorted({*OF_THE_PLATFORM, *variables()}) if f"`{name}" not in told] == []


@pytest.mark.parametrize(
    "file",
    ["docs/operations.md", "docker-compose.yml", "deploy/Caddyfile", "deploy/cells/Caddyfile", "deploy/Dockerfile"],
)
def test_whatever_is_told_to_be_set_is_read(file: str) -> None:
    named = set(re.findall(r"ROUNDLOG_[A-Z_]*[A-Z]\b", (ROOT / file).read_text()))
    assert read_by_nothing(named - NO_MORE) == []
