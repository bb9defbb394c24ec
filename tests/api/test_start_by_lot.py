"""Start numbers that the rules leave to a lot: it is drawn at the start, recorded, and open to all in the end."""

import pytest

from shared.lots import formula
from tests.api.asking import Client, service
from tests.api.holding import act, done, entered, opened
from tests.logged import records_of


async def told(client: Client, tournament: str) -> list[dict[str, str]]:
    """The lots in the log, each with its kind."""
    records = records_of((await client.get(f"/v1/log/{tournament}")).content)
    return [record["data"] | {"type": record["type"]} for record in records if record["type"].startswith("Lot")]


@pytest.mark.rule("PQ.X-1")
async def test_the_lot_of_the_start_numbers_is_recorded_and_can_be_drawn_again_in_the_end(database: str) -> None:
    async with service(database) as client:
        tournament = await opened(client, ruleset="carcassonne-cz-qualification", first_round="10:00")
        entrants = [one["id"] for one in await entered(client, tournament, *"ABCDEF")]
        director = {"subject": "dora", "role": "director"}
        await done(client, tournament, "officials", **director)
        await done(client, tournament, "open-check-in")
        await done(client, tournament, "check-in")
        tried = await act(client, tournament, "start?dry_run=true")
        assert "numbered 1 to 6" in tried.text
        assert [one["type"] for one in await told(client, tournament)] == ["LotSeedCommitted"]
        await done(client, tournament, "start")
        committed, drawn = await told(client, tournament)
        assert (drawn["purpose"], sorted(drawn["order"])) == ("start numbers", sorted(entrants))
        listed = (await client.get(f"/v1/tournaments/{tournament}/entrants")).json()["items"]
        assert [one["id"] for one in sorted(listed, key=lambda one: one["number"])] == list(drawn["order"])
        await done(client, tournament, "review")
        await done(client, tournament, "complete")
        seed = bytes.fromhex((await told(client, tournament))[-1]["seed"])
        assert formula.commitment(seed) == committed["commitment"]
        assert formula.draw(seed, "start numbers", entrants) == list(drawn["order"])
