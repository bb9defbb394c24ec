"""`roundlog up --demo`: it plays to its end whatever is killed under it, and stops when it is asked to."""

import random
import re
import signal
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from subprocess import Popen

import click
import httpx
import pytest

from deploy import SERVICES
from deploy.demo.cast import PLAYERS, RULESET, cast
from deploy.demo.chance import DemoStory, ReportedEnding
from deploy.local.folder import Folder
from shared.rulesets import catalogue
from shared.rulesets.settings import settings
from tests.e2e.auditing import require_whole
from tests.e2e.record import Post, Record
from tests.integration.launching import Platform, free_base, kill
from tests.naive_scrabble import Scores
from tests.patience import PATIENCE
from tests.prepared import copy_prepared

SEED = 15  # the broker first, before results has heard of anything
PACE = 0.6  # seconds a round
VICTIMS = (*SERVICES, "postgres", "nats")


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    """For one launcher after another, on the same folder."""
    platform = Platform(folder=Folder(path=tmp_path_factory.mktemp("demo") / "data"), base_port=free_base())
    copy_prepared(tmp_path_factory, platform.folder)
    try:
        yield platform
    finally:
        platform.clear()


def test_the_demo_plays_to_its_end_whatever_is_killed(platform: Platform) -> None:
    chance = random.Random(SEED)
    victims = chance.sample(VICTIMS, len(VICTIMS))
    said: list[str] = []
    with platform.launcher("--demo", f"--demo-pace={PACE}") as launcher:
        for line in lines(launcher):
            said.append(line)
            if line.startswith("Round ") and victims:
                time.sleep(chance.uniform(0.2, 1) * PACE)
                kill(platform.pid(victims.pop()))
            if line == "The tournament is completed.":
                break
        assert not victims
        assert any("A round takes 0.6 seconds, and all of it about 4 seconds." in line for line in said)
        assert any(re.match(r"Why so\? .+ is above .+ by ", line) for line in said)
        tournament = tournament_in(said)
        for place in places(said):
            assert httpx.get(place).is_success
        final = require_whole(platform, {tournament: as_told(platform, tournament)})[tournament]
        assert len(final) == len(cast(RULESET))


def test_the_demo_stops_when_it_is_asked_to(platform: Platform) -> None:
    with platform.launcher("--demo") as launcher:
        said = list(until_it_says(launcher, "Round 1"))
        launcher.send_signal(signal.SIGINT)
        rest = list(lines(launcher))
        assert launcher.wait(PATIENCE) == 0
    assert rest[0] == "Stopping: Ctrl-C."
    assert len(rest) == 2, rest
    assert [line.split()[1] for line in said if "/v1/tournaments/" in line] == ["table", "it", "rounds", "games"]


def test_the_demo_of_a_ruleset_that_is_not_there_is_refused_before_anything_starts(tmp_path: Path) -> None:
    platform = Platform(folder=Folder(path=tmp_path / "data"), base_port=free_base())
    refused = platform.up("--demo", "chess")
    assert refused.returncode == click.UsageError.exit_code
    assert "There is no ruleset 'chess'. There are: carcassonne-cz-final, " in refused.stderr
    assert not platform.folder.path.exists()


def lines(launcher: Popen[str]) -> Iterator[str]:
    assert launcher.stdout is not None
    return (line.rstrip("\n") for line in launcher.stdout)


def until_it_says(launcher: Popen[str], beginning: str) -> Iterator[str]:
    for line in lines(launcher):
        yield line
        if line.startswith(beginning):
            return


def places(said: list[str]) -> list[str]:
    """Where it says to look, but for the stream that does not end."""
    found = [match[0] for line in said if (match := re.search(r"http://\S+/v1/tournaments/\S+", line))]
    return [place for place in found if not place.endswith("/live")]


def tournament_in(said: list[str]) -> str:
    (tournament,) = {place.split("/tournaments/")[1].split("/")[0] for place in places(said)}
    return tournament


def as_told(platform: Platform, tournament: str) -> Record:
    """The rounds as they were published, and what the story says that happened at their tables."""
    record, story, players = Record(), DemoStory(), {player.name: player for player in PLAYERS}
    holds = settings(catalogue.load(RULESET), "swiss", size=len(cast(RULESET)))
    stage = f"{platform.url('pairing')}/v1/tournaments/{tournament}/stages/swiss/rounds"
    for number in range(1, 8):
        record.rounds[number] = published = httpx.get(f"{stage}/{number}").raise_for_status().json()
        for pair in published["pairs"]:
            told = story.of(number, [players[seat["name"]] for seat in pair["seats"]], holds)
            record.results[pair["game"]] = scores(told.said)
            record.posts += [Post(game=pair["game"], by=one.scorer, scores=scores(one.said)) for one in told.readings]
            if len({scores(one.said) for one in told.readings}) > 1:
                record.disputes.add(pair["game"])
    record.entrants = [seat["entrant"] for pair in record.rounds[1]["pairs"] for seat in pair["seats"]]
    return record


def scores(said: ReportedEnding) -> Scores:
    one, other = said["scores"]
    return one, other
