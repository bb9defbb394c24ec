"""`make load`: an evening of a national league on this machine, and whether all that was acknowledged is there."""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import click
import uvloop

from benchmarks.document import PROOF, circumstances, put, table
from benchmarks.load.acts import ACTS, OTHERS, Waited, Watch
from benchmarks.load.boards import Board
from benchmarks.load.checker import Compared, acknowledgements, compare, gaps
from benchmarks.load.consumption import Consumption
from benchmarks.load.evening import Evening, Hall, prepared
from benchmarks.load.origin import Origin, listed, live, shown, told_of
from benchmarks.spectators import ROOM, Audience
from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.local import ports
from deploy.local.folder import Folder
from shared.values import Value
from tests.integration.launching import Platform, free_base, until

REPORTS = ("report a result", "decide a dispute", "correct a result")
FOLLOWED = "… until the board of the hall shows it, since it was asked"
SHOWN = "… since it was acknowledged"
PROCESSES = ("postgres", "nats", *SERVICES, "proxy")


class Ended(Value):
    """An evening that is over."""

    evening: Evening
    halls: Sequence[Hall]
    boards: Sequence[Board]
    watch: Watch
    consumption: Consumption
    seconds: float
    told: int  # tables, to spectators
    compared: Sequence[Compared]
    gaps: int
    parked: str


@click.command()
@click.option("--halls", default=300, show_default=True, help="With a tournament each.")
@click.option("--players", default=20, show_default=True, type=click.IntRange(2, len(PLAYERS)), help="Of each hall.")
@click.option("--rounds", default=3, show_default=True, help="That each hall plays.")
@click.option("--minutes", default=10.0, show_default=True, help="In which all of them are played.")
@click.option("--spectators", default=2000, show_default=True, help="Who follow live tables.")
@click.option("--seed", default=1, show_default=True, help="Of what happens at the tables.")
@click.option("--write", is_flag=True, help=f"Put the figures into {PROOF}.")
def main(halls: int, players: int, rounds: int, minutes: float, spectators: int, seed: int, *, write: bool) -> None:
    """Play an evening of a national league, look how long everybody waited, and check what was acknowledged."""
    evening = Evening(halls=halls, players=players, rounds=rounds, minutes=minutes, spectators=spectators, seed=seed)
    command = f"make load HALLS={halls} PLAYERS={players} ROUNDS={rounds} MINUTES={minutes:g} SPECTATORS={spectators}"
    folder = Path(tempfile.mkdtemp(prefix="roundlog-load-"))
    platform = Platform(folder=Folder(path=folder / "data"), base_port=free_base(), environment=ROOM)
    try:
        with platform.launcher() as launcher:
            until(lambda: launcher.poll() is not None or platform.is_ready())
            if launcher.poll() is not None:
                sys.exit(f"The platform has not started:\n{launcher.stdout.read() if launcher.stdout else ''}")
            ended = uvloop.run(spent(evening, platform))
    except BaseException:
        click.echo(f"What is left of it: {folder}", err=True)
        raise
    shutil.rmtree(folder)
    text = "\n\n".join((circumstances(command), *sections(ended)))
    click.echo(text)
    if write:
        put("load", text, PROOF)
    sys.exit(0 if is_fine(ended) else 1)


async def spent(evening: Evening, platform: Platform) -> Ended:
    """Prepared, played, looked on, and compared."""
    watch = Watch()
    origin = Origin(port=ports.of("proxy", platform.base_port), keys=platform.folder.path / "keys")
    async with origin.networks(watch, evening.halls) as networks:
        click.echo(f"{evening.halls} halls with {evening.players} players each are prepared.")
        halls = await prepared(evening, networks)
        await listed(halls)
        audience = Audience(origin.port, [live(hall) for hall in halls])
        async with origin.boards(halls) as boards, audience.full(evening.spectators):
            consumption = Consumption(
                {name: platform.pid(name) for name in PROCESSES},
                {"(those who ask)": os.getpid(), "(those who look on)": audience.pid},
            )
            click.echo(
                f"{evening.spectators} spectators look on; {evening.rounds} rounds in {evening.minutes:g} minutes."
            )
            consumption.look()
            watching = asyncio.create_task(consumption.watch())
            began, told = time.monotonic(), await audience.told()
            async with asyncio.TaskGroup() as group:
                for hall in halls:
                    group.create_task(hall.play(began))
            took, told = time.monotonic() - began, await audience.told() - told
            watching.cancel()
            consumption.look()
            await shown(halls, boards)
        click.echo("What was acknowledged is compared with what the platform tells.")
        logs = {service: await origin.log(service) for service in ("results", "pairing")}
        compared = [compare(hall.kept, await told_of(hall, logs)) for hall in halls]
    return Ended(
        evening=evening,
        halls=halls,
        boards=boards,
        watch=watch,
        consumption=consumption,
        seconds=took,
        told=told,
        compared=compared,
        gaps=sum(map(gaps, logs.values())),
        parked=platform.run("parked").stdout.strip(),
    )


def is_fine(ended: Ended) -> bool:
    is_quiet = ended.parked == "Nothing is parked, and nothing has stopped."
    return (
        all(one.is_whole for one in ended.compared)
        and not (ended.gaps or ended.watch.refused.total() or delays(ended)[2])
        and is_quiet
    )


def sections(ended: Ended) -> Iterator[str]:
    evening, watch = ended.evening, ended.watch
    games = sum(len(hall.kept.results) for hall in ended.halls)
    yield (
        f"{evening.halls} halls with {evening.halls * evening.players} players, {evening.rounds} rounds each within "
        f"{evening.minutes:g} minutes: {games} games over in {ended.seconds:.0f} seconds, "
        f"{evening.spectators} spectators on live tables who were told {ended.told} tables, "
        f"{ended.told / ended.seconds:.0f} a second. All of it through the proxy, with those who ask on the same machine."
    )
    yield table(
        ("act", "how often", "a second", "p50 ms", "p99 ms", "p99.9 ms", "asked again", "refused"),
        (row for act in (*dict.fromkeys(act for _, _, act in ACTS), OTHERS) for row in act_row(act, ended)),
    )
    yield table(("process", "cores", "MB at first", "MB at most", "MB at last"), ended.consumption.rows(ended.seconds))
    yield table(("checked afterwards", "found"), checked(ended))
    if watch.faults:
        yield "\n".join(("Refused:", *(f"- {fault}" for fault in watch.faults[:5])))


def act_row(act: str, ended: Ended) -> Iterator[Sequence[str]]:
    waited = ended.watch.waited(act)
    if waited.seconds:
        yield figures(act, waited, ended, f"{ended.watch.again[act]}", f"{ended.watch.refused[act]}")
    if act == REPORTS[-1]:
        since_asked, since_answered, _ = delays(ended)
        if since_asked.seconds:
            yield figures(FOLLOWED, since_asked, ended, "", "")
            yield figures(SHOWN, since_answered, ended, "", "")


def figures(words: str, waited: Waited, ended: Ended, *more: str) -> Sequence[str]:
    count = len(waited.seconds)
    times = (f"{1000 * waited.within(share):.0f}" for share in (0.5, 0.99, 0.999))
    return (words, f"{count}", f"{count / ended.seconds:.1f}", *times, *more)


def delays(ended: Ended) -> tuple[Waited, Waited, int]:
    """Until a board has shown a result; and of how many it never did."""
    asked: list[float] = []
    answered: list[float] = []
    never = 0
    for hall, board in zip(ended.halls, ended.boards, strict=True):
        for one in hall.shown:
            if (moment := board.told(one.number)) is None:
                never += 1
            else:
                asked.append(moment - one.asked)
                answered.append(max(0.0, moment - one.answered))
    return Waited(seconds=sorted(asked)), Waited(seconds=sorted(answered)), never


def checked(ended: Ended) -> Iterator[Sequence[str]]:
    compared = ended.compared
    yield from acknowledgements(compared)
    yield "rounds published, and not there once", f"{sum(one.rounds for one in compared)}"
    yield "games that show another result", f"{sum(one.games for one in compared)}"
    yield "tables that do not follow from the results", f"{sum(one.tables for one in compared)} of {len(compared)}"
    yield "gaps in the logs of results and pairing", f"{ended.gaps}"
    yield "results that a board never showed", f"{delays(ended)[2]}"
    yield "boards whose connection was cut, on average", f"{fmean(board.came_again for board in ended.boards):.2f}"
    yield "parked or stopped", "nothing" if ended.parked.startswith("Nothing is") else ended.parked


if __name__ == "__main__":
    main()
