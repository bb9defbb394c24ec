"""What was waited for when a test has taken too long: the stacks of threads say no more than that a loop was running."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest_timeout

NEXT = ("cr_await", "gi_yieldfrom", "ag_await")  # of a coroutine, a generator, an asynchronous generator
FRAME = ("cr_frame", "gi_frame", "ag_frame")

dump_stacks: Callable[[Any], None] = cast("Any", pytest_timeout).dump_stacks


def dump_tasks(terminal: Any) -> None:
    """Beside what it has dumped before; printed, it comes with the report of the test, from wherever that ran."""
    dump_stacks(terminal)
    try:
        tasks = asyncio.all_tasks(asyncio.get_running_loop())
    except RuntimeError:  # no loop was running
        return
    for task in sorted(tasks, key=lambda task: task.get_name()):
        print(f"{task.get_name()} waits in", *waiting(task.get_coro()), sep="\n  ", file=sys.stderr)


def waiting(awaited: Any) -> Iterator[str]:
    """The places where it waits, the outermost first."""
    while awaited is not None:
        if (frame := first_of(awaited, FRAME)) is not None:
            yield f"{frame.f_code.co_filename}:{frame.f_lineno}, {frame.f_code.co_qualname}"
        awaited = first_of(awaited, NEXT)


def first_of(thing: Any, names: tuple[str, ...]) -> Any:
    return next((found for name in names if (found := getattr(thing, name, None)) is not None), None)
