"""What the organiser tells all players of a tournament, in order and with its time. One stream a tournament.

The words may be about people, so they stand beside the log, where they can be erased.
"""

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

MOST_NOTICES = 1_000  # of one tournament

# Orders


class PostNotice(Order):
    notice: str
    tournament: str
    at: str  # a moment in UTC
    words: str  # names them, where they stand beside the log


class RecallNotice(Order):
    """It was a mistake: its words are shown no more, and everybody sees that it was there."""

    notice: str
    tournament: str
    at: str


type Command = PostNotice | RecallNotice

# Facts


class NoticePosted(Fact):
    """The organiser has posted a notice for all who play; `words` names the text, which lies beside the log."""

    notice: str
    tournament: str
    number: int  # the first is 1
    at: str
    words: str


class NoticeRecalled(Fact):
    """The organiser has taken a notice back."""

    REPLACES: ClassVar[tuple[str, ...]] = ("NoticePosted",)

    notice: str
    tournament: str
    number: int
    at: str


type Event = NoticePosted | NoticeRecalled

# State


class PostedNotice(Value):
    notice: str
    number: int
    at: str
    words: str
    recalled: str | None = None  # when
    told: int  # the place among all that was posted and recalled of what was said of it last


class Notices(Value):
    # in the order in which they were posted
    posted: Mapping[str, PostedNotice] = msgspec.field(default_factory=dict[str, PostedNotice])
    told: int = 0  # how much was posted and recalled


# Refusals


class NoticeUnknown(NotFound):
    """The tournament has no such notice."""


class TooManyNotices(Conflict):
    """More is told than anybody reads."""


def decide(state: Notices, command: Command) -> list[Event]:
    match command:
        case PostNotice():
            if command.notice in state.posted:
                return []
            if len(state.posted) >= MOST_NOTICES:
                raise TooManyNotices(f"There are {MOST_NOTICES} notices already: tell the rest on paper.")
            posted = NoticePosted(
                notice=command.notice,
                tournament=command.tournament,
                number=len(state.posted) + 1,
                at=command.at,
                words=command.words,
            )
            return [posted]
        case RecallNotice():
            known = notice_of(state, command.notice)
            if known.recalled is not None:
                return []
            recalled = NoticeRecalled(
                notice=known.notice, tournament=command.tournament, number=known.number, at=command.at
            )
            return [recalled]


def evolve(state: Notices, event: Event) -> Notices:
    told = state.told + 1
    match event:
        case NoticePosted():
            now = PostedNotice(notice=event.notice, number=event.number, at=event.at, words=event.words, told=told)
        case NoticeRecalled():
            now = replace(state.posted[event.notice], recalled=event.at, told=told)
    return Notices(posted={**state.posted, event.notice: now}, told=told)


def notice_of(state: Notices, notice: str) -> PostedNotice:
    if notice not in state.posted:
        raise NoticeUnknown("There is no such notice: look for it in the list.")
    return state.posted[notice]


NOTICES: Decider[Notices, Command, Event] = Decider(
    kind="notices", initial=Notices(), decide=decide, evolve=evolve, events=classes_of(Event)
)
