"""What all players are told: in order, with its time, and never changed in silence."""

import pytest

from services.registration.domain.notices import (
    MOST_NOTICES,
    NOTICES,
    Command,
    Event,
    NoticePosted,
    NoticeRecalled,
    NoticeUnknown,
    PostNotice,
    RecallNotice,
    TooManyNotices,
)


def when(given: list[Event], command: Command) -> list[Event]:
    return list(NOTICES.decide(NOTICES.fold(given, NOTICES.initial), command))


def post(notice: str, at: str = "2026-11-21T10:00:00Z") -> PostNotice:
    return PostNotice(notice=notice, tournament="cup", at=at, words=notice)


def posted(notice: str, number: int, at: str = "2026-11-21T10:00:00Z") -> NoticePosted:
    return NoticePosted(notice=notice, tournament="cup", number=number, at=at, words=notice)


RECALLED = NoticeRecalled(notice="a", tournament="cup", number=1, at="2026-11-21T10:05:00Z")
RECALL = RecallNotice(notice="a", tournament="cup", at="2026-11-21T10:05:00Z")


@pytest.mark.rule("SK.REG-17")
def test_notices_are_numbered_in_the_order_in_which_they_are_posted() -> None:
    given: list[Event] = [posted("a", 1)]
    assert when(given, post("b", "2026-11-21T10:01:00Z")) == [posted("b", 2, "2026-11-21T10:01:00Z")]
    assert when(given, post("a", "2026-11-21T10:09:00Z")) == []  # twice is once


@pytest.mark.rule("SK.REG-17")
def test_a_recalled_notice_keeps_its_number_and_its_times() -> None:
    assert when([posted("a", 1)], RECALL) == [RECALLED]
    state = NOTICES.fold([posted("a", 1), posted("b", 2), RECALLED], NOTICES.initial)
    assert [(one.number, one.at, one.recalled, one.told) for one in state.posted.values()] == [
        (1, "2026-11-21T10:00:00Z", "2026-11-21T10:05:00Z", 3),
        (2, "2026-11-21T10:00:00Z", None, 2),
    ]
    assert when([posted("a", 1), RECALLED], RECALL) == []
    assert when([posted("a", 1), RECALLED], post("c")) == [posted("c", 2)]
    with pytest.raises(NoticeUnknown, match="look for it in the list"):
        when([], RECALL)


def test_there_is_an_end_of_notices() -> None:
    given: list[Event] = [posted(f"n-{number}", number) for number in range(1, MOST_NOTICES + 1)]
    with pytest.raises(TooManyNotices):
        when(given, post("one-more"))
