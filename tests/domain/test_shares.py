"""Every test is handed out once, and each process begins with what takes long."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.shares import TESTS, shared_out

QUICK = [f"domain/test_{number}.py" for number in range(40)]
SHARED = ["e2e/test_desk.py", "e2e/test_live.py"]
OWN = ["e2e/test_demo.py", "faults/test_faults.py", "integration/test_launcher_life.py"]
SERVERS = ["integration/test_lease.py", "properties/test_proof_laws.py"]
ALL = [*QUICK[:20], *SHARED, *OWN, *SERVERS, *QUICK[20:]]


def parts(processes: int) -> list[Sequence[str]]:
    """What xdist gives to each."""
    ordered = shared_out({name: Path(TESTS / name) for name in ALL}, processes)
    assert sorted(ordered) == sorted(ALL)
    given: list[Sequence[str]] = []
    for left in range(processes, 0, -1):
        number = len(ordered) // left
        given.append(ordered[:number])
        del ordered[:number]
    return given


def test_what_shares_a_platform_is_begun_by_one_process_and_what_starts_its_own_by_another() -> None:
    shared, own, servers = parts(3)
    assert shared[: len(SHARED) + 1] == [*SHARED, QUICK[0]]
    assert own[: len(OWN)] == OWN
    assert servers[: len(SERVERS)] == SERVERS


@pytest.mark.parametrize("processes", [1, 2, 4, 7, len(ALL), 60])
def test_however_many_processes_there_are_every_test_is_handed_out_once(processes: int) -> None:
    assert sum(map(len, parts(processes))) == len(ALL)
