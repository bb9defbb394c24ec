"""Takes the pictures in the documents from the real pages, on a platform that is started for it: `make pictures`."""

import asyncio
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.demo.cast import PLAYERS, SCORERS
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services
from deploy.demo.play import Demo, publish_next
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.local.folder import Folder
from services.results.games.othello import START, OthelloPosition, name_of
from shared.clock import now
from tests.e2e.browser import close_browser
from tests.e2e.test_pages import Visit, at, first_of, network_of, visit, visited
from tests.integration.launching import Platform, free_base

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 60_000  # bytes of each
DESK, TALL, PHONE = (1120, 700), (1120, 900), (390, 720)
PLAYED, ENTERED = 3, 4  # rounds that are over, and tables of the next one that are in
MOVES = 34


async def take(platform: Platform, into: Path) -> None:
    async with network_of(platform) as network:
        cup = await under_way(network)
        leader = (await first_of(network, cup))["entrant"]
        othello, game = await recorded(network)
    scorer = platform.run("token", SCORERS[0], "--link").stdout.strip().partition("#")[2]
    boss = platform.run("token", "operator", "--link").stdout.strip().partition("#")[2]
    try:
        await visited(platform, views(cup, leader, othello, game, scorer, boss), pictures=into)
    finally:
        await close_browser()


def views(cup: Cup, leader: str, othello: Cup, game: str, scorer: str, boss: str) -> Sequence[Visit]:
    return [
        visit("table", f"{at(cup)}/table", frame=DESK),
        visit("hall", f"{at(cup)}/hall?show=tables", frame=DESK),
        visit("entrant", f"{at(cup)}/entrants/{leader}", frame=PHONE),
        visit("desk", f"/desk?tournament={cup.id}#{scorer}", frame=PHONE),
        visit("links", f"/desk/links?tournament={cup.id}#{boss}", frame=TALL, press="Make links"),
        visit("game", f"{at(othello)}/games/{game}", frame=TALL, theme="dark"),
    ]


async def under_way(network: Services) -> Cup:
    """Some rounds are over, and of the next one some tables are in."""
    cup = await found(network, now().date())
    demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
    for number in range(1, PLAYED + 1):
        await demo.play_round(number)
    published = await publish_next(director(network), cup.stage, PLAYED + 1, after=None)
    for table in published.body["pairs"][:ENTERED]:
        said = {"scores": [400 + 7 * table["table"], 361 + 11 * table["table"]], "signed_by": [0, 1]}
        path = f"/v1/games/{table['game']}/reports"
        await network.person(SCORERS[0]).act("results", path, said, after=published.position)
    return cup


async def recorded(network: Services) -> tuple[Cup, str]:
    cup = await found(network, now().date(), CupPlan(ruleset="othello-pl-2021", players=PLAYERS[:16]))
    published = await publish_next(director(network), cup.stage, 1, after=cup.started)
    game = str(published.body["pairs"][0]["game"])
    path = f"/v1/games/{game}/records"
    await director(network).act("results", path, {"moves": transcript(START)}, after=published.position)
    return cup, game


def transcript(position: OthelloPosition) -> list[str]:
    """Each turns as many as it can: nobody plays so, but it looks like a game."""
    moves: list[str] = []
    while len(moves) < MOVES and position.can_move():
        square = max(position.legal(), key=lambda one: (len(position.turned(one)), one))
        moves.append(name_of(square))
        position = position.after(square)
    return moves


@contextmanager
def started() -> Generator[Platform]:
    """A platform that nobody else uses, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="roundlog-pages-") as place:
        platform = Platform(folder=Folder(path=Path(place) / "data"), base_port=free_base())
        try:
            if (up := platform.up("--detach")).returncode:
                raise SystemExit(up.stdout)
            yield platform
        finally:
            platform.clear()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with started() as platform:
        asyncio.run(take(platform, PICTURES))
    for picture in sorted(PICTURES.glob("*.webp")):
        size = picture.stat().st_size
        print(f"{picture.relative_to(PICTURES.parents[1])}  {size / 1000:.0f} kB")
        if size > LARGEST:
            raise SystemExit(
                f"{picture.name} is too large to be kept with the code: {LARGEST / 1000:.0f} kB at the most."
            )


if __name__ == "__main__":
    main()
