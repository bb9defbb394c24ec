"""Members that stand twice in one object."""

import json

import pytest

from shared.faults import MOST_FAULTS, Faulty, of_members, unpacked


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ('{"a": 1, "a": 1}', ["/a"]),
        ('{"a": {"b": [0, {"c": 1, "d": 2, "c": 3}]}}', ["/a/b/1/c"]),
        ('[{"a/b": 1, "a/b": 2}, {"x": 1, "x": 1, "y": 2, "y": 2}]', ["/0/a~1b", "/1/x", "/1/y"]),
        ('{"a": 1, "\\u0061": 2}', ["/a"]),
        ('\ufeff{"a": 1, "a": 2}', ["/a"]),
        ('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}', []),
        ('"a"', []),
        ("", []),
        ("{", []),
        ("name;rating\n", []),
    ],
)
def test_each_of_them_is_named(text: str, pointers: list[str]) -> None:
    assert [fault.pointer for fault in of_members(text.encode())] == pointers


def test_half_a_letter_hides_none() -> None:
    assert [fault.pointer for fault in of_members(b'{"\xed\xa0\x80": "\xed\xa0\x80", "a": 1, "a": 2}')] == ["/a"]


def test_a_body_of_them_names_no_more_than_can_be_read() -> None:
    many = "{" + ",".join(f'"{n}": 1, "{n}": 2' for n in range(10_000)) + "}"
    with pytest.raises(Faulty) as refused:
        unpacked(many.encode(), "The file cannot be read.")
    assert len(refused.value.faults) == MOST_FAULTS + 1, "one more, which tells that there are others"


def test_a_file_says_nothing_twice() -> None:
    with pytest.raises(Faulty) as refused:
        unpacked(b'{"stages": [], "entrants": [], "stages": []}', "The file cannot be read.")
    assert [fault.pointer for fault in refused.value.faults] == ["/stages"]
    assert unpacked(json.dumps({"stages": []}).encode(), "") == {"stages": []}
