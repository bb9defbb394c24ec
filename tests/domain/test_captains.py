"""Who speaks for an entrant: named once, dismissed with all tokens at once, and named again."""

import pytest

from services.registration.domain.captains import (
    CAPTAIN,
    KEYS,
    CaptainDismissed,
    CaptainKeyIntroduced,
    CaptainNamed,
    CaptainTokenIssued,
    DismissCaptain,
    Event,
    IntroduceKey,
    IssueToken,
    NoCaptain,
)
from shared.access.captain_tokens import Issuer
from shared.access.roles import Role

DORA = Issuer(subject="dora", role=Role.DIRECTOR, scope="open", term=0)
ISSUE = IssueToken(tournament="open", entrant="ann", issuer=DORA, issued=1_790_000_000)


def named(generation: int) -> CaptainNamed:
    return CaptainNamed(tournament="open", entrant="ann", generation=generation)


def issued(generation: int, serial: int) -> CaptainTokenIssued:
    return CaptainTokenIssued(
        tournament="open", entrant="ann", generation=generation, serial=serial, issuer=DORA, issued=1_790_000_000
    )


def dismissed(generation: int) -> CaptainDismissed:
    return CaptainDismissed(tournament="open", entrant="ann", generation=generation)


def after(*events: Event, command: IssueToken | DismissCaptain) -> list[Event]:
    return list(CAPTAIN.decide(CAPTAIN.fold(events, CAPTAIN.initial), command))


def test_the_first_captain_is_of_the_first_generation() -> None:
    assert after(command=ISSUE) == [named(1), issued(1, 1)]


def test_each_token_is_counted_with_who_has_issued_it() -> None:
    assert after(named(1), issued(1, 1), command=ISSUE) == [issued(1, 2)]
    assert after(named(1), command=ISSUE) == [issued(1, 1)]  # before tokens were counted


def test_a_dismissal_leaves_all_tokens_so_far_behind() -> None:
    assert after(named(1), command=DismissCaptain()) == [dismissed(2)]


def test_dismissing_twice_is_once() -> None:
    assert after(named(1), dismissed(2), command=DismissCaptain()) == []


def test_who_is_named_after_a_dismissal_is_of_the_next_generation() -> None:
    assert after(named(1), dismissed(2), command=ISSUE) == [named(2), issued(2, 1)]
    assert after(named(1), issued(1, 1), dismissed(2), command=ISSUE) == [named(2), issued(2, 2)]
    assert after(named(1), dismissed(2), named(2), command=DismissCaptain()) == [dismissed(3)]


def test_where_nobody_was_named_nobody_is_dismissed() -> None:
    with pytest.raises(NoCaptain):
        after(command=DismissCaptain())


def test_a_key_is_introduced_when_another_one_signed_before() -> None:
    one, two = (CaptainKeyIntroduced(key=key, public=key) for key in ("one", "two"))
    introduce = IntroduceKey(key="one", public="one")
    for happened, expected in (([], [one]), ([one], []), ([one, two], [one])):
        assert list(KEYS.decide(KEYS.fold(happened, KEYS.initial), introduce)) == expected
