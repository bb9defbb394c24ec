"""Championships from their announcement to their last paper, where players act for themselves and officials do what is theirs."""

import pytest

from deploy import SERVICES
from deploy.demo.play import connected
from shared.clock import now
from tests.e2e.carcassonne_season import CarcassonneSeason
from tests.e2e.othello_season import OthelloSeason
from tests.integration.launching import Platform


@pytest.mark.rule("OT.REG-2", "OT.REG-3", "OT.REG-4", "OT.REG-5", "OT.REG-6", "OT.REG-7", "OT.REG-8", "OT.REG-9")
@pytest.mark.rule("OT.REG-10", "OT.PAI-3", "OT.PAI-7", "OT.PAI-8", "OT.PAI-9", "OT.PAI-10", "OT.PAI-11", "OT.RES-6")
@pytest.mark.rule("OT.RES-7", "OT.RES-8", "OT.RES-9", "OT.STA-1", "OT.STA-2", "OT.STA-3", "OT.STA-4", "OT.STA-5")
@pytest.mark.rule("OT.STA-6", "OT.X-1")
async def test_a_championship_of_othello_goes_from_entries_by_mail_to_titles_and_prizes(platform: Platform) -> None:
    urls = {service: platform.url(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        await OthelloSeason(network, now().date()).play()


@pytest.mark.rule("CC.REG-1", "CC.REG-2", "CC.REG-3", "CC.REG-4", "CC.PAI-1", "CC.PAI-2", "CC.PAI-3", "CC.PAI-4")
@pytest.mark.rule("CC.RES-1", "CC.RES-2", "CC.RES-3", "CC.RES-4", "CC.RES-5", "CC.RES-7", "CC.RES-8", "CC.RES-9")
@pytest.mark.rule("CC.RES-10", "CC.STA-1", "CC.STA-2", "CC.X-1", "CC.X-2")
async def test_a_championship_of_carcassonne_goes_from_the_tournaments_of_the_year_to_the_final(
    platform: Platform,
) -> None:
    urls = {service: platform.url(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        await CarcassonneSeason(network, now().date()).play()
