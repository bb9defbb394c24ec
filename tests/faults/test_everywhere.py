"""A few faults of every kind against a platform in pieces, in every run of the tests; `make faults` does a thousand of them.

The command itself damages the platform afterwards in each way that its checker looks for, and fails where that is not noticed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.options import ROOT

PRODUCT = ("services", "shared", "deploy")


@pytest.mark.faults
def test_a_platform_in_pieces_loses_nothing_and_its_checker_notices_damage_of_each_kind(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    few = ["--minutes=0.1", "--tournaments=1", "--rounds=2"]
    command = [sys.executable, "-m", "tests.faults", *few, f"--report={report}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["tournaments"] > 0
    assert found["faults"] > 5
    assert found["reports"] > found["results"] > 0
    assert not any(found["verdicts"].values())
    assert not found["damage_unnoticed"]


def test_the_checker_shares_no_code_with_the_product() -> None:
    look = "import sys, tests.faults.checker; print(*{name.partition('.')[0] for name in sys.modules})"
    run = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert "asyncpg" in run.stdout.split()
    assert not set(PRODUCT) & set(run.stdout.split())
