"""Members that stand twice in one object."""

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.faults import MOST_FAULTS, Faulty, RepeatedMembers, names_differ, of_members, unpacked


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


names = st.sampled_from(["a", "b", ":", '"', '":', ",", "\\", "é", ""])
objects = st.recursive(
    names | st.integers(0, 9), lambda parts: st.lists(parts, max_size=3) | st.lists(st.tuples(names, parts), max_size=4)
)


def written(part: Any) -> str:
    """Pairs become an object, in which a name may stand twice."""
    if isinstance(part, list):
        lines = cast("list[Any]", part)
        if lines and isinstance(lines[0], tuple):
            return "{" + ", ".join(f"{json.dumps(name)} : {written(inner)}" for name, inner in lines) + "}"
        return "[" + ",".join(map(written, lines)) + "]"
    return json.dumps(part, ensure_ascii=False)


@given(objects)
def test_where_all_names_are_seen_to_differ_none_stands_twice(part: Any) -> None:
    looking = RepeatedMembers()
    json.JSONDecoder(object_pairs_hook=looking).decode(written(part))
    assert not (looking.has_found and names_differ(written(part).encode()))


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
