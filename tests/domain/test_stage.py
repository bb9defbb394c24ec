"""A stage gets its groups, until a round of theirs is published, and is opened by its first round."""

import pytest
from msgspec.structs import replace

from services.pairing.domain.round import NeedsReason
from services.pairing.domain.round_sheet import Doubt, StatedReason
from services.pairing.domain.stage import (
    STAGE,
    Command,
    DrawGroups,
    Event,
    GroupsChanged,
    GroupsDrawn,
    GroupsPlayed,
    OpenStage,
    StageOpened,
)

DRAW = DrawGroups(tournament="t", stage="groups", groups=(("A", "B"), ("C", "D")))
BY_HAND = replace(DRAW, groups=(("A", "C"), ("B", "D")), by_hand=True)
OPEN = OpenStage(tournament="t", stage="groups", entrants=("A", "B", "C", "D"), groups=DRAW.groups)


def after(*commands: Command) -> list[Event]:
    state = STAGE.initial
    events: list[Event] = []
    for command in commands:
        found = STAGE.decide(state, command)
        for event in found:
            state = STAGE.evolve(state, event)
        events += found
    return events


def test_the_same_draw_once_more_is_nothing_new() -> None:
    (drawn,) = after(DRAW, DRAW)
    assert isinstance(drawn, GroupsDrawn)
    assert (drawn.groups, drawn.by_hand) == (DRAW.groups, False)


@pytest.mark.rule("PQ.PAI-2")
def test_what_speaks_against_a_draw_by_hand_is_answered_by_a_reason() -> None:
    doubted = replace(BY_HAND, doubts=(Doubt(kind="same-school", detail="2 pairs of one school: 1 would do."),))
    with pytest.raises(NeedsReason, match="1 would do"):
        after(DRAW, doubted)
    reason = StatedReason(code="agreement")
    (_, drawn) = after(DRAW, replace(doubted, reason=reason))
    assert isinstance(drawn, GroupsDrawn)
    assert (drawn.groups, drawn.by_hand, drawn.doubts, drawn.reason) == (BY_HAND.groups, True, doubted.doubts, reason)


def test_groups_stay_while_a_round_of_theirs_is_published() -> None:
    with pytest.raises(GroupsPlayed):
        after(DRAW, OPEN, replace(BY_HAND, is_played=True))
    assert len(after(DRAW, OPEN, BY_HAND)) == 3  # its first round was recalled


def test_a_later_stage_is_opened_anew_when_others_are_in_it_after_its_first_round_was_recalled() -> None:
    later = replace(OPEN, stage="play-off", groups=(), is_later=True)
    others = replace(later, entrants=("A", "B", "C", "E"))
    opened = [event for event in after(later, later, others) if isinstance(event, StageOpened)]
    assert [event.entrants for event in opened] == [later.entrants, others.entrants]


def test_a_stage_is_opened_once_and_by_the_groups_that_its_round_was_paired_by() -> None:
    assert [type(event) for event in after(DRAW, OPEN, OPEN)] == [GroupsDrawn, StageOpened]
    assert [type(event) for event in after(replace(OPEN, groups=()))] == [StageOpened]
    with pytest.raises(GroupsChanged):
        after(DRAW, BY_HAND, OPEN)
