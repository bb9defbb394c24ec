"""A whole season of Slovak Scrabble, played by its players over HTTP on a running platform."""

import pytest

from deploy import SERVICES
from deploy.demo.play import connected
from shared.clock import now
from tests.e2e.scrabble_season import ScrabbleSeason
from tests.integration.launching import Platform


@pytest.mark.rule(
    *(f"SK.REG-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)),
    *(f"SK.PAI-{number}" for number in (2, 3, 4, 5, 8, 9)),
    *(f"SK.RES-{number}" for number in (1, 4, 8, 9, 10, 11, 12, 14)),
    *(f"SK.STA-{number}" for number in (1, 2, 3, 4, 6, 8, 9, 10)),
    *("SK.X-2", "SK.X-4", "SK.X-8", "SK.X-9"),
)
async def test_a_season_of_scrabble_goes_from_the_roll_of_members_to_the_ratings_of_the_next(
    platform: Platform,
) -> None:
    urls = {service: platform.url(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        await ScrabbleSeason(network, now().date()).play()
