"""A small evening of `make load`: everybody is answered, every board shows every result, and nothing is lost."""

from benchmarks.load.__main__ import is_fine, spent
from benchmarks.load.evening import Evening
from tests.integration.launching import Platform

EVENING = Evening(halls=3, players=6, rounds=2, minutes=0.05, spectators=6, seed=1)


async def test_an_evening_of_three_halls_is_whole(platform: Platform) -> None:
    ended = await spent(EVENING, platform)
    assert is_fine(ended), (ended.watch.faults, ended.compared, ended.parked)
    assert sum(one.acknowledged for one in ended.compared) >= 2 * 3 * 3 * 2
    assert all(board.told(hall.shown[-1].number) for hall, board in zip(ended.halls, ended.boards, strict=True))
