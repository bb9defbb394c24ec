"""`make bench`: every budget beside its limit. Ends with 1 when one is missed."""

import shutil
import sys
import tempfile
from pathlib import Path

import uvloop

from benchmarks import append, between, pairing, pushed, rebuild, record, start, trees

MEASURED = (
    append.measure,
    between.measure,
    record.measure,
    pairing.measure,
    rebuild.measure,
    pushed.measure,
    start.measure,
    trees.measure,
)


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    try:
        figures = [figure for measured in MEASURED for figure in uvloop.run(measured(folder))]
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(append.memory_disk(folder), ignore_errors=True)
    missed = [figure.name for figure in figures if not figure.holds]
    print(f"\n{len(missed)} budgets missed" if missed else "\nall budgets hold")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
