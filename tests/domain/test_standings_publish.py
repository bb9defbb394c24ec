"""What standings tell neighbours has nothing that our own events do not say."""

import msgspec
import pytest

from services.standings.domain import differences, qualifying, ranking, season
from shared.contracts import standings as public

OWN = [
    ranking.TieSettled,
    ranking.StageShortened,
    ranking.StageClosed,
    ranking.PrizeChosen,
    qualifying.Qualified,
    season.RatingListPublished,
    season.QualificationPublished,
    season.SeasonTablePublished,
    differences.TableChanged,
]


@pytest.mark.parametrize("event", OWN, ids=lambda event: event.__name__)
def test_a_message_has_only_fields_of_its_event(event: type[msgspec.Struct]) -> None:
    message: type[msgspec.Struct] = getattr(public, event.__name__)
    assert set(message.__struct_fields__) <= set(event.__struct_fields__)


def test_every_message_has_its_event() -> None:
    told = {name for name, one in vars(public).items() if isinstance(one, type) and one.__module__ == public.__name__}
    assert told == {event.__name__ for event in OWN}
