"""Lots cannot be fished: the secret is fixed first, every lot is recorded, and in the end all can be drawn again."""

import pytest

from shared.lots import formula
from shared.lots.stream import (
    LOTS,
    AnotherSeedCommitted,
    CommitSeed,
    Event,
    Lot,
    LotDrawn,
    LotSeedCommitted,
    LotSeedRevealed,
    RecordLots,
    RevealSeed,
    SeedNotCommitted,
    SeedRevealed,
    State,
)

SEED = bytes(32)
COMMITTED = LotSeedCommitted(tournament="t", commitment=formula.commitment(SEED))
LOT = Lot(purpose="swiss round 1", order=("B", "A"))
DRAWN = LotDrawn(tournament="t", purpose="swiss round 1", order=("B", "A"))
REVEALED = LotSeedRevealed(tournament="t", seed=SEED.hex())

COMMIT = CommitSeed(tournament="t", commitment=COMMITTED.commitment)
RECORD = RecordLots(tournament="t", lots=(LOT,))
REVEAL = RevealSeed(tournament="t", seed=SEED.hex())


def after(*events: Event) -> State:
    return LOTS.fold(events, LOTS.initial)


def test_the_secret_is_fixed_once() -> None:
    assert LOTS.decide(after(), COMMIT) == [COMMITTED]
    assert LOTS.decide(after(COMMITTED), COMMIT) == []
    assert LOTS.decide(after(COMMITTED, REVEALED), COMMIT) == []


def test_there_is_no_second_secret() -> None:
    with pytest.raises(AnotherSeedCommitted):
        LOTS.decide(after(COMMITTED), CommitSeed(tournament="t", commitment="another"))


def test_a_lot_is_drawn_from_a_fixed_secret_only() -> None:
    with pytest.raises(SeedNotCommitted):
        LOTS.decide(after(), RECORD)
    assert LOTS.decide(after(COMMITTED), RECORD) == [DRAWN]
    assert LOTS.decide(after(), RecordLots(tournament="t", lots=())) == []


def test_the_same_lot_is_recorded_once() -> None:
    assert LOTS.decide(after(COMMITTED, DRAWN), RECORD) == []
    assert LOTS.decide(after(COMMITTED), RecordLots(tournament="t", lots=(LOT, LOT))) == [DRAWN]


def test_the_secret_is_revealed_once_and_only_if_there_is_one() -> None:
    assert LOTS.decide(after(COMMITTED, DRAWN), REVEAL) == [REVEALED]
    assert LOTS.decide(after(COMMITTED, REVEALED), REVEAL) == []
    assert LOTS.decide(after(), REVEAL) == []


def test_nothing_new_is_drawn_from_a_secret_that_everybody_knows() -> None:
    with pytest.raises(SeedRevealed):
        LOTS.decide(after(COMMITTED, REVEALED), RECORD)
    assert LOTS.decide(after(COMMITTED, DRAWN, REVEALED), RECORD) == []
