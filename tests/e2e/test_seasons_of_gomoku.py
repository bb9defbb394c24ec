"""A season of each competition in gomoku, from the first announcement to the last paper, with players who act for themselves."""

import pytest

from deploy import SERVICES
from deploy.demo.play import connected
from shared.clock import now
from tests.e2e.gomoku_contest import GomokuContest
from tests.e2e.individual_competition import IndividualCompetition
from tests.e2e.school_season import SchoolSeason
from tests.integration.launching import Platform

OVER = "The tournament is completed."


async def played(platform: Platform, season: type[SchoolSeason | IndividualCompetition | GomokuContest]) -> int:
    """How many tournaments of it are completed in the end."""
    urls = {service: platform.url(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        story = season(network, now().date())
        await story.play()
    return story.said.count(OVER)


@pytest.mark.rule(
    *("PQ.REG-2", "PQ.REG-4", "PQ.REG-5", "PQ.REG-7", "PQ.REG-10", "PQ.REG-11", "PQ.REG-12", "PQ.REG-13"),
    *("PQ.REG-14", "PQ.REG-16", "PQ.REG-18", "PQ.REG-22", "PQ.REG-23", "PQ.REG-24"),
    *("PQ.PAI-1", "PQ.PAI-2", "PQ.PAI-3", "PQ.PAI-6", "PQ.PAI-7", "PQ.PAI-8"),
    *("PQ.RES-13", "PQ.RES-14", "PQ.RES-15", "PQ.RES-16"),
    *("PQ.STA-1", "PQ.STA-2", "PQ.STA-4", "PQ.STA-5", "PQ.X-2"),
)
async def test_teams_of_schools_play_from_the_area_to_the_grand_final(platform: Platform) -> None:
    assert await played(platform, SchoolSeason) == 5


@pytest.mark.rule(
    *("PQ.REG-1", "PQ.REG-11", "PQ.REG-15", "PQ.REG-17", "PQ.REG-18", "PQ.REG-23"),
    *("PQ.RES-11", "PQ.RES-12", "PQ.RES-14", "PQ.RES-17", "PQ.STA-2", "PQ.D55", "PQ.D56"),
)
async def test_individuals_play_two_levels_online_and_a_grand_final(platform: Platform) -> None:
    assert await played(platform, IndividualCompetition) == 3


@pytest.mark.rule(
    *("CFP.REG-1", "CFP.REG-2", "CFP.PAI-1", "CFP.RES-2", "CFP.RES-3", "CFP.RES-4", "CFP.RES-5", "CFP.RES-6"),
    *("CFP.RES-10", "CFP.RES-11", "CFP.RES-12", "CFP.RES-14", "CFP.RES-15", "CFP.RES-16", "CFP.STA-1", "CFP.X-2"),
)
async def test_a_contest_of_the_federation_is_played_with_its_time_control(platform: Platform) -> None:
    assert await played(platform, GomokuContest) == 1
