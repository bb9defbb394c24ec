"""A whole season of Slovak Scrabble, played by its players over HTTP on a running platform, and read on its pages."""

import pytest

from deploy import SERVICES
from deploy.demo.play import connected
from shared.clock import now
from tests.e2e.scrabble_season import ScrabbleSeason
from tests.e2e.test_pages import NOT_FOUND, Seen, visit, visited
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
        season = ScrabbleSeason(network, now().date())
        await season.play()
        table = await network.anybody().look("standings", f"/v1/seasons/{season.season}")
        lists = await network.anybody().look("standings", f"/v1/seasons/{season.season}/ratings/lists")
    await read_on_its_pages(platform, season, table, lists["items"][0])


async def read_on_its_pages(platform: Platform, season: ScrabbleSeason, table: Seen, newest: Seen) -> None:
    here, first = f"/seasons/{season.season}", table["cup"][0]
    published = f"{newest['list']}/{newest['on']}"
    seen = await visited(
        platform,
        [
            visit("federations", "/federations", language="pl"),
            visit("federation", f"/federations/{season.federation}", language="sk"),
            visit("cup", here, wide=True),
            visit("tournaments", f"{here}/tournaments", theme="dark"),
            visit("qualification", f"{here}/qualification", language="cs", theme="contrast"),
            visit("ratings", f"{here}/ratings"),
            visit("published", f"{here}/ratings?list={published}"),
            visit("person", f"{here}/persons/{first['person']}"),
            visit("nobody", f"{here}/persons/{season.federation}"),
            visit("no-season", f"/seasons/{season.federation}"),
        ],
    )
    wrong = {name: {*one["faults"], *one["said"], *one["strangers"], *one["unforced"]} for name, one in seen.items()}
    assert {name: what for name, what in wrong.items() if what} == {"no-season": {NOT_FOUND}}
    assert [name for name, one in seen.items() if max(one["sideways"], one["enlarged"]) > 0 or one["twice"]] == []
    text = {name: " ".join(one["text"].split()) for name, one in seen.items()}
    assert all(f"{row['name']} {counting(row)} {row['points']}" in text["cup"] for row in table["cup"])
    assert all((one["name"] or one["tournament"]) in text["tournaments"] for one in table["tournaments"])
    assert [text["qualification"].count(said) for said in ("úřadující mistr", "postupuje")] == [1, 2]
    assert all(row["name"] in text["ratings"] for row in table["cup"])
    assert text["published"].count("2026") >= 1
    worth = sorted(slot["points"] * slot["coefficient"] for slot in first["slots"])
    assert sum(worth) == first["points"]
    assert all(f"{points} {'=' if points > 40 else '·'} " in text["person"] for points in worth)
    assert f"Points: {first['points']}" in text["person"]
    assert "There is nobody like that in this season." in text["nobody"]
    assert "There is nothing at this address." in text["no-season"]
    assert "Sezóny 2026" in text["federation"]
    assert "Demo Federation" in text["federations"]


def counting(row: Seen) -> str:
    number = len(row["slots"])
    return f"{number} result counts" if number == 1 else f"{number} results count"
