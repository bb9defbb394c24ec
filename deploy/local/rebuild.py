"""Tables made anew while everything runs. It stands alone since it imports what standings computes with: of who only asks
what waits, that would take a second."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from signal import SIG_DFL, SIGINT, signal

from deploy import inbox_sources
from deploy.counting import counted
from deploy.databases import why_unanswered
from deploy.inbox_sources import LeftOut
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.operations import SHOWN, find_addresses
from services.standings.projection import rebuild as tables
from services.standings.projection.fold_cache import UnreadableMessage
from services.standings.projection.generation import Progress
from services.standings.projection.rebuild import NotHeardOf, rebuild_some
from shared.log.notify import BROKEN
from shared.log.postgres import PostgresStore
from shared.log.trees import TreeDiffers, Trees, recheck
from shared.refusals import Unavailable

PAUSE = 1.0  # seconds between two lines about how far something is


def rebuild(folder: Folder, tournaments: Sequence[str], *, processes: int, say: Callable[[str], None]) -> bool:
    """All tournaments, or these. Whether all tables came out as they were, and nothing that was said is lost."""
    databases_of = find_addresses(folder).databases
    database = databases_of["standings"]
    require_own_log(database)
    require_as_said(databases_of, tournaments)
    said = time.monotonic()

    def tell(progress: Progress) -> None:
        nonlocal said
        if time.monotonic() >= said + PAUSE:
            said = time.monotonic()
            say(
                f"{100 * progress.spans // progress.of} % are made, from {counted(progress.messages, 'message')} so far"
            )

    try:
        left_out = asyncio.run(inbox_sources.left_out(database, tournaments))
        if tournaments:
            making = rebuild_some(database, service="standings", tournaments=tournaments, say=tell)
        else:
            making = tables.rebuild(database, service="standings", processes=processes, say=tell)
        made = asyncio.run(interruptible(making))
    except asyncio.CancelledError as interrupted:
        raise KeyboardInterrupt from interrupted
    except (tables.UnderWay, NotHeardOf) as refused:
        raise CannotRun(str(refused)) from refused
    except (UnreadableMessage, Unavailable) as error:
        raise CannotRun(f"The tables cannot be made, and those that are shown stay: {error}.") from error
    except BROKEN as error:
        raise CannotRun(
            f"The tables cannot be made, and those that are shown stay: {why_unanswered(error)}."
        ) from error
    show_rebuilt(made, left_out, say)
    return made.is_same


async def interruptible(making: Coroutine[None, None, tables.Rebuilt]) -> tables.Rebuilt:
    """Ctrl-C ends it in order, and a second one at once: raised wherever this stands, as asyncio does, it could leave
    somebody waiting for ever, and nobody else could make tables meanwhile."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(making)

    def end() -> None:
        loop.remove_signal_handler(SIGINT)
        signal(SIGINT, SIG_DFL)
        task.cancel()

    loop.add_signal_handler(SIGINT, end)
    return await task


def require_own_log(database: str) -> None:
    """What standings has said itself, such as how a tie was settled, is in its tables too."""
    try:
        asyncio.run(read_own_log(database))
    except TreeDiffers as found:
        raise CannotRun(
            f"The log of standings is not what it was: {found}. No table is made from it, and those that are shown stay. Keep a "
            "copy of that database, find out who could write to it, and bring back the right data (docs/operations.md, Keys of "
            "the logs)."
        ) from found
    except Unavailable as error:
        raise CannotRun(
            f"The log of standings cannot be read, so nothing is made anew: {why_unanswered(error)}."
        ) from error


async def read_own_log(database: str) -> None:
    store, trees = PostgresStore(database), Trees(database)
    async with store.running(), trees.running():
        await recheck(store, trees)


def require_as_said(databases_of: dict[str, str], tournaments: Sequence[str]) -> None:
    """Tables that follow from something else than what was said are not shown."""
    try:
        found = asyncio.run(inbox_sources.differences("standings", databases_of, tournaments))
    except BROKEN as error:
        raise CannotRun(
            f"What was heard cannot be held against what was said, so nothing is made anew: {why_unanswered(error)}."
        ) from error
    if found:
        raise CannotRun(
            f"The inbox of standings is not what was said: {'; '.join(found)}. No table is made from it, and those that are "
            "shown stay. Where a source was restored from a backup, `roundlog accept` comes first; `roundlog parked` names it. "
            "Otherwise somebody has changed a database: bring back the right one (docs/operations.md, Backup)."
        )


def show_rebuilt(made: tables.Rebuilt, left_out: Sequence[LeftOut], say: Callable[[str], None]) -> None:
    say(
        f"{counted(made.tables, 'table is', 'tables are')} made anew from {counted(made.messages, 'message')}; {made.compared} could be compared."
    )
    for one in made.different[:SHOWN]:
        say(f"    {one.how}: {one.tournament}, {one.stage}, at {one.inputs}")
    if len(made.different) > SHOWN:
        say(f"    and {len(made.different) - SHOWN} more")
    for source, number in made.lost.items():
        say(
            f"{counted(number, f'message of {source} is', f'messages of {source} are')} lost here: the tables lack what was said there."
        )
    for one in left_out:
        kind = f"of {one.source} ({one.type})"
        why = "passed over, as an operator has decided" if one.is_skipped else "of a kind that is not known here"
        many = counted(one.messages, f"message {kind} is", f"messages {kind} are")
        say(f"{many} {why}: the tables say nothing of that.")
    say(
        f"{len(made.different)} came out differently; the new ones are shown."
        if made.different
        else "All are the same, byte for byte."
    )
    if not made.lost:
        say("Everything that was said is here, without a gap.")
