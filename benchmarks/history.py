"""Runs of the benchmarks on this machine, in `.benchmarks`: each as a line of JSON, and how all of them grow as a picture.

What has moved is said by ratios to the limit of the same run, which a busy machine changes less than what both have reached.
"""

import os
import platform
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from benchmarks.picture import Dot, Strip, picture
from benchmarks.table import Figure
from shared.clock import now
from shared.values import Value

FOLDER = Path(".benchmarks")
NOISE = 0.1  # of a ratio, in which runs of the same code differ
MOST = 60  # runs in the picture


class Kept(Value):
    name: str
    ours: Sequence[float]  # a second
    limit: Sequence[float]
    ratio: float
    at_least: float | None
    holds: bool


class Run(Value):
    at: str
    commit: str
    machine: str
    kind: str
    figures: Mapping[str, Kept]  # by their keys


def keep(kind: str, figures: Sequence[Figure]) -> None:
    """Write the run down, say what has moved since the last one, and draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    this = Run(
        at=now().isoformat(timespec="seconds"), commit=commit(), machine=machine(), kind=kind, figures=kept(figures)
    )
    path = FOLDER / f"{kind}.jsonl"
    before = [run for run in runs(path) if run.machine == this.machine]
    with path.open("ab") as file:
        file.write(msgspec.json.encode(this) + b"\n")
    (FOLDER / f"{kind}.json").write_bytes(msgspec.json.format(msgspec.json.encode(this), indent=2) + b"\n")
    drawing = FOLDER / f"{kind}.svg"
    drawing.write_text(drawn([*before, this][-MOST:]), encoding="utf-8")
    print(f"written: {path}, {FOLDER / kind}.json, {drawing}")
    if before:
        print(f"\nsince {before[-1].at} at {before[-1].commit}:")
        print("\n".join(moved(before[-1], this)) or "nothing has moved")


def runs(path: Path) -> list[Run]:
    return [msgspec.json.decode(line, type=Run) for line in path.read_bytes().splitlines()] if path.exists() else []


def kept(figures: Sequence[Figure]) -> Mapping[str, Kept]:
    return {
        one.key or one.name: Kept(
            name=one.name, ours=one.ours, limit=one.limit, ratio=one.ratio, at_least=one.at_least, holds=one.holds
        )
        for one in figures
    }


def moved(before: Run, this: Run) -> Iterator[str]:
    """A ratio that is another one by more than noise, and of which no pair of runs is like one of the other run."""
    for key, one in this.figures.items():
        if (other := before.figures.get(key)) is None:
            yield f"  new      {key}: {one.ratio:.2f}×"
            continue
        mine, theirs = ratios(one), ratios(other)
        is_apart = min(mine) > max(theirs) or max(mine) < min(theirs)
        if is_apart and abs(one.ratio / other.ratio - 1) > NOISE:
            word = "quicker" if one.ratio > other.ratio else "slower"
            yield f"  {word:<8} {key}: {other.ratio:.2f}× before, {one.ratio:.2f}× now"
    for key in before.figures.keys() - this.figures.keys():
        yield f"  gone     {key}"


def ratios(one: Kept) -> list[float]:
    return [own / limit for own, limit in zip(one.ours, one.limit, strict=True)]


def commit() -> str:
    """With a plus where something is not committed."""
    words = ["git", "describe", "--always", "--dirty=+"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    return found.stdout.strip() or "unknown"


def machine() -> str:
    return f"{platform.node()}, {os.cpu_count()} × {platform.machine()}, {python()}"


def python() -> str:
    """What was compiled without a profile, as pyenv does unless it is told otherwise, is another machine."""
    is_profiled = "-fprofile" in (sysconfig.get_config_var("PY_CORE_CFLAGS") or "")
    return f"Python {platform.python_version()}, compiled {'with' if is_profiled else 'without'} a profile"


def drawn(several: Sequence[Run]) -> str:
    """A strip for each figure: its ratio run by run, and a dashed line where it has to be."""
    return picture([strip(key, several) for key in several[-1].figures])


def strip(key: str, several: Sequence[Run]) -> Strip:
    step = 1 / max(len(several) - 1, 1)
    found = [(place, run, run.figures[key]) for place, run in enumerate(several) if key in run.figures]
    return Strip(
        title=key,
        dots=[
            Dot(along=place * step, value=one.ratio, words=f"{run.at} {run.commit}: {one.ratio:.2f}×", holds=one.holds)
            for place, run, one in found
        ],
        due=found[-1][2].at_least,
        last=f"{found[-1][2].ratio:.2f}×",
    )
