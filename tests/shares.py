"""Which tests each process begins with, when several run them beside each other: what takes long comes before what is quick.

Of the list, xdist gives each process one part, and who has done its own takes from the end of the longest that is left. So
the dear ones stand in front, and the thousands of milliseconds behind them, where they fill whatever time there is. All that
share the platform are in one front: each process that has some of them would start a platform, and a browser, of its own.
"""

from collections.abc import Mapping
from pathlib import Path

TESTS = Path(__file__).parent

# Who starts platforms, or parts of them, for itself alone; in tests/e2e all others share one.
OWN_PLATFORMS = ("test_backups.py", "test_demo.py", "test_doctor.py", "test_erased.py", "test_traces.py")
OF_PROCESSES = ("faults", "hostile", "tampering")
OF_SERVERS = ("integration", "properties")


def shared_out[Test](tests: Mapping[Test, Path], processes: int) -> list[Test]:
    """All of them, in the order in which xdist hands them out."""
    fronts: list[list[Test]] = [[] for _ in range(processes)]
    quick: list[Test] = []
    for test, path in tests.items():
        front = front_of(path)
        (quick if front is None else fronts[front % processes]).append(test)
    ordered: list[Test] = []
    for left, front in zip(range(processes, 0, -1), fronts, strict=True):
        part = (len(tests) - len(ordered)) // left  # as xdist divides what is left among those who have nothing yet
        ordered += front
        behind = max(0, part - len(front))
        ordered += quick[:behind]
        del quick[:behind]
    return ordered + quick


def front_of(path: Path) -> int | None:
    match path.relative_to(TESTS).parts:
        case ("e2e", name) if name not in OWN_PLATFORMS:
            return 0
        case ("e2e", _):
            return 1
        case ("integration", name) if name.startswith("test_launcher"):
            return 1
        case (folder, *_) if folder in OF_PROCESSES:
            return 1
        case (folder, *_) if folder in OF_SERVERS:
            return 2
        case _:
            return None
