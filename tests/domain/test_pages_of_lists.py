"""Page by page through lists that change meanwhile: nothing begins anew without notice."""

import pytest
from fastapi.exceptions import RequestValidationError

from shared.http.responses import items_after, items_behind

ROLL = ["c", "a", "d", "b"]


def test_a_list_in_an_order_of_its_own_goes_on_behind_what_is_there() -> None:
    assert items_after("", ROLL, 2, str) == (["c", "a"], "a")
    assert items_after("a", ROLL, 2, str) == (["d", "b"], None)
    assert items_after("b", ROLL, 2, str) == ([], None)


def test_what_is_not_wanted_any_more_still_has_its_place() -> None:
    assert items_after("", ROLL, 1, str, is_wanted={"a", "d", "b"}.__contains__) == (["a"], "a")
    assert items_after("a", ROLL, 1, str, is_wanted={"d", "b"}.__contains__) == (["d"], "d")
    assert items_after("d", ROLL, 1, str, is_wanted={"b"}.__contains__) == (["b"], None)


def test_where_the_end_of_a_page_has_left_the_list_the_first_page_is_not_told_again() -> None:
    with pytest.raises(RequestValidationError, match="begin with the first page"):
        items_after("e", ROLL, 2, str)


@pytest.mark.parametrize(("after", "page"), [("", "ab"), ("b", "cd"), ("bb", "cd"), ("d", ""), ("e", "")])
def test_a_list_in_the_order_of_its_identities_goes_on_behind_one_that_has_left(after: str, page: str) -> None:
    items, following = items_behind(after, sorted(ROLL), 2, str)
    assert "".join(items) == page
    assert following == ("b" if after == "" else None)
