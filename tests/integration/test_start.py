"""Starting costs little: held against what the libraries cost by themselves, in the same run."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from deploy.example import in_json
from tests.integration.serving import serving

LIBRARIES = "import fastapi, sqlmodel, asyncpg, nats, msgspec"
TIMES = 3  # at most: what is quick enough once, is
SERVICE = 1.75  # times the libraries, of which SQLModel is the heaviest; it is 1.4 where nothing else runs
CALCULATOR = 0.65
ADDRESSES = {"ROUNDLOG_DATABASE_URL": "postgresql://nobody@localhost/nothing", "ROUNDLOG_NATS_URL": "nats://localhost"}
WEB = ("fastapi", "starlette", "sqlalchemy", "httpx", "nats", "asyncpg")


def seconds_of(command: Sequence[str | Path]) -> float:
    """Of a core."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


async def test_a_service_and_a_calculator_start_in_little_more_than_their_libraries(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # what is compiled at the first time is kept
    file = tmp_path / "small.json"
    file.write_bytes(in_json("othello-pl-2021"))
    services: list[float] = []
    calculators: list[float] = []
    for _ in range(TIMES):
        libraries = seconds_of([sys.executable, "-c", LIBRARIES])
        async with serving(database, alone=True) as served:
            used = psutil.Process(served.process.pid).cpu_times()
        services.append((used.user + used.system) / libraries)
        calculators.append(seconds_of([sys.executable, "-m", "deploy.cli", "rank", file]) / libraries)
        if min(services) < SERVICE and min(calculators) < CALCULATOR:
            break
    assert min(services) < SERVICE, services
    assert min(calculators) < CALCULATOR, calculators


def said(code: str) -> object:
    command = [sys.executable, "-c", f"import json, sys; {code}"]
    answered = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | ADDRESSES)  # noqa: S603
    return json.loads(answered.stdout)


def test_calculators_have_nothing_of_the_web_or_of_databases_in_them() -> None:
    calculators = ("pairing.calculate", "results.calculate", "standings.calculate", "standings.seasons.calculate")
    imported = ", ".join(f"services.{one}" for one in calculators)
    assert said(f"import deploy.calculate, {imported}; print(json.dumps([m for m in {WEB} if m in sys.modules]))") == []


def test_a_service_that_has_started_has_put_no_operation_together_and_has_no_tables_that_it_does_not_read() -> None:
    code = (
        "from services.pairing.app import create_app as pairing; from services.standings.app import create_app as standings; "
        "routes = [*pairing().routes, *standings().routes]; "
        "made = [one.path for one in routes if one.path.startswith('/v1') and 'dependant' in vars(one)]; "
        "print(json.dumps([made, [one for one in ('httpx', 'sqlalchemy') if one in sys.modules]]))"
    )
    assert said(code) == [[], []]
