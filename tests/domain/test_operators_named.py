"""Under which subject an operator decides something by the command line: it stands in the log for ever."""

import pytest

from deploy.local.errors import CannotRun
from deploy.local.operations import operator


def test_the_only_operator_need_not_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUNDLOG_OPERATORS", raising=False)
    assert operator(None) == "operator"
    monkeypatch.setenv("ROUNDLOG_OPERATORS", "7be2d013")
    assert operator(None) == "7be2d013"


def test_of_several_operators_one_says_who_it_is_and_nobody_else_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDLOG_OPERATORS", "7be2d013,a1c09f44")
    assert operator("a1c09f44") == "a1c09f44"
    for named in (None, "root", "Jana Nováková"):
        with pytest.raises(CannotRun, match="7be2d013, a1c09f44"):
            operator(named)
