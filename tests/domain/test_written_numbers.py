"""A number of an announcement, a roll or a penalty, as people write it down."""

from fractions import Fraction

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.rulesets.parts import Exact

read = TypeAdapter[Fraction](Exact).validate_python


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (12, Fraction(12)),
        (0.5, Fraction(1, 2)),
        ("12.50", Fraction(25, 2)),
        ("-0.5", Fraction(-1, 2)),
        ("7/2", Fraction(7, 2)),
    ],
)
def test_a_number_is_read_exactly_however_it_is_written(written: float | str, meant: Fraction) -> None:
    assert read(written) == meant


@pytest.mark.parametrize("written", ["", "1,5", "1.", ".5", "1.5/2", "1e9", "٣", "7/0", True, None])
def test_what_is_no_number_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        read(written)
