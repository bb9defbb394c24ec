"""Figures as they stand in a document: printed as the tables that they are there, and put in between two marks."""

import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

from benchmarks.history import commit
from shared.clock import now

PROOF = Path("docs/proof.md")


class NoPlace(Exception):
    """The document has no marks for this."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Words to the left, figures to the right."""
    ruler = ["---", *("---:" for _ in heads[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ruler, *rows))


def circumstances(command: str) -> str:
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"`{command}`, {now():%Y-%m-%d %H:%M} UTC, at {commit()}, on {os.cpu_count()} cores of {processor()}, "
        f"{memory:.0f} GB, Python {platform.python_version()}."
    )


def processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    found = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(found, platform.machine())


def put(name: str, text: str, document: Path) -> None:
    """In the place of what stood there."""
    begin, end = f"<!-- {name}: written by the command -->", f"<!-- end of {name} -->"
    before, is_there, rest = document.read_text(encoding="utf-8").partition(begin)
    _, has_end, after = rest.partition(end)
    if not is_there or not has_end:
        raise NoPlace(f"{document} lacks the lines {begin} and {end}")
    document.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
