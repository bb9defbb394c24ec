"""What an operator reads of a log before it is called another one."""

from deploy.local.operations import show_log
from deploy.signing import Heard, SignedLog


def said(*, is_signed: bool = True, is_there: bool = True, log: str = "now") -> str:
    lines: list[str] = []
    heard = (
        Heard(neighbour="pairing", messages=1, is_there=True),
        Heard(neighbour="standings", messages=7, is_there=is_there),
    )
    found = SignedLog(
        service="results",
        log=log,
        former="club.example/results/now",
        events=9,
        messages=5,
        signed=12,
        is_signed=is_signed,
        heard=heard,
    )
    show_log(found, lines.append)
    return "\n".join(lines)


def test_of_a_log_that_has_everything_it_is_said_that_nothing_looks_restored() -> None:
    assert "Signed last: 12 events, all of which are in it." in said()
    assert "pairing has heard 1 message of it: it still says all that" in said()
    assert "Nothing of this looks like" in said()


def test_what_is_not_there_any_more_is_named_instead() -> None:
    lost = said(is_signed=False, is_there=False)
    assert "which are not all in it as they were" in lost
    assert "standings has heard 7 messages of it: it says something else now, up to number 5" in lost
    for some in (said(is_signed=False), said(is_there=False), lost, said(log="another")):
        assert "Nothing of this looks like" not in some
    assert "It has another name already" in said(log="another")
