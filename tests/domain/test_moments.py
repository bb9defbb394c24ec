"""When a log signs: while it grows once a minute, and at once behind what others rest on."""

from pathlib import Path

from shared.proof.moments import DECISIVE, LastSigned, decides, next_moment

SAMPLES = Path(__file__).parents[1] / "contracts" / "samples"
LAST = LastSigned(size=10, at=1000.0)


def test_a_log_that_does_not_grow_signs_nothing() -> None:
    assert next_moment(LAST, size=10, is_decisive=True, now=5000.0) is None


def test_what_was_never_signed_is_signed_now() -> None:
    assert next_moment(None, size=0, is_decisive=False, now=5.0) == 5.0


def test_a_growing_log_is_signed_once_a_minute() -> None:
    assert next_moment(LAST, size=11, is_decisive=False, now=1001.0) == 1060.0
    assert next_moment(LAST, size=11, is_decisive=False, now=2000.0) == 2000.0


def test_what_others_rest_on_is_signed_at_once_but_once_a_second_at_most() -> None:
    assert next_moment(LAST, size=11, is_decisive=True, now=1000.2) == 1001.0
    assert next_moment(LAST, size=11, is_decisive=True, now=1009.0) == 1009.0


def test_what_is_decisive_is_told_by_the_types_of_events() -> None:
    assert decides(["GameStarted", "RoundPublished"])
    assert not decides(["GameStarted", "ResultFinal"])
    assert not decides([])


def test_what_is_decisive_happens() -> None:
    """The names are those under which events are stored: a misspelt one would never be signed at once."""
    assert {sample.stem for sample in SAMPLES.glob("*/*.json")} >= DECISIVE
