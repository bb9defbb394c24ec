"""Under which name requests are counted, so that nobody gets more than their share by coming in several guises."""

import time
from typing import Any

import pytest

from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.roles import Role
from shared.access.tokens import Caller
from shared.http.limits import Rate, name_of

HERE: dict[str, Any] = {"client": ("192.0.2.7", 50_000)}
ELSEWHERE: dict[str, Any] = {"client": ("192.0.2.8", 50_000)}


def captain(entrant: str, *, generation: int = 1, serial: int = 1) -> Caller:
    issuer = Issuer(subject="dora", role=Role.DIRECTOR, scope="cup", term=0)
    token = Captaincy(tournament="cup", entrant=entrant, generation=generation, serial=serial, issuer=issuer)
    return Caller(subject=token.subject, expires=0, captain=token)


def test_all_tokens_of_one_captain_are_counted_together() -> None:
    one, another, later = captain("ada"), captain("ada", serial=2), captain("ada", generation=2)
    assert len({caller.subject for caller in (one, another, later)}) == 3
    assert len({name_of(caller, place) for caller in (one, another, later) for place in (HERE, ELSEWHERE)}) == 1


def test_captains_of_two_entrants_are_two_callers() -> None:
    assert name_of(captain("ada"), HERE) != name_of(captain("ben"), HERE)


def test_an_official_is_counted_by_their_subject_wherever_they_are() -> None:
    sue = Caller(subject="sue", expires=0)
    assert name_of(sue, HERE) == name_of(sue, ELSEWHERE) == "sue"


def test_nobody_in_particular_is_counted_with_all_others_at_the_same_address() -> None:
    assert name_of(None, HERE) == name_of(None, HERE | {"client": ("192.0.2.7", 50_001)})
    assert name_of(None, HERE) != name_of(None, ELSEWHERE)


def test_no_subject_can_be_taken_for_a_captain_or_an_address() -> None:
    """A subject has no space in it, and these names have one."""
    assert all(" " in name for name in (name_of(None, HERE), name_of(captain("ada"), HERE)))


def test_a_rate_of_less_than_one_in_two_seconds_lets_one_through_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rate, moments = Rate(0.25), (0.0, 1.0, 4.0, 5.0)
    monkeypatch.setattr(time, "monotonic", iter(moments).__next__)
    assert [rate.wait("ada") for _ in moments] == [0, 3, 0, 3]
