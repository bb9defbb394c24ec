"""`make bench`: every budget beside its limit. Ends with 1 when one is missed.

`make bench-quick` measures in about a minute, and roughly, what most changes could make slower: to record, to push, to make
anew, to start, to look on. Either is held against the last run of its kind on this machine. `python -m benchmarks record trees`
measures these alone.
"""

import argparse
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.table import Figure

ALL = (
    "append",
    "processes",
    "between",
    "record",
    "pairing",
    "rebuild",
    "pushed",
    "start",
    "trees",
    "proofs",
    "bundles",
    "spectators",
)
QUICK = ("record", "pushed", "rebuild", "start", "spectators")


def words_of(arguments: list[str]) -> list[str]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    what = f"{', '.join(ALL)}; all of them when none is named, or `quick`, alone, for the rough minute"
    parser.add_argument("what", nargs="*", metavar="what", help=what)
    words: list[str] = parser.parse_args(arguments).what
    if unknown := [word for word in words if word not in ALL and words != ["quick"]]:
        parser.error(f"{', '.join(unknown)} cannot be measured so: name some of {', '.join(ALL)}, or `quick` alone")
    return words


def main(words: list[str]) -> int:
    # What is measured is imported here: each process that makes tables anew imports this very module.
    import uvloop  # noqa: PLC0415 - as the line above says

    from benchmarks import append, history  # noqa: PLC0415 - as above
    from shared.garbage import collect_seldom  # noqa: PLC0415 - as above

    kind = "quick" if words == ["quick"] else " ".join(words) or "all"
    chosen = QUICK if kind == "quick" else words or ALL
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    figures: list[Figure] = []
    try:
        for name in chosen:
            measure = import_module(f"benchmarks.{name}").measure
            collect_seldom()  # those who speak and ask within this process, as services do
            figures += uvloop.run(measure(folder, quick=True) if kind == "quick" else measure(folder))
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(append.memory_disk(folder), ignore_errors=True)
    missed = [figure.name for figure in figures if not figure.holds]
    print(f"\n{len(missed)} budgets missed" if missed else "\nall budgets hold")
    history.keep(kind, figures)
    return 1 if missed and kind != "quick" else 0


if __name__ == "__main__":
    sys.exit(main(words_of(sys.argv[1:])))
