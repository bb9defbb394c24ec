"""Where ids are in a body is found by what its fields say, in whatever form the body comes."""

from typing import Annotated

import pytest
from pydantic import BaseModel, Field, TypeAdapter

from shared.access.references import Form, form_of, id_of

type PersonId = Annotated[str, Field(json_schema_extra=id_of("person"))]


class Somebody(BaseModel):
    id: PersonId | None = None
    name: str | None = None


class Pair(BaseModel):
    persons: tuple[PersonId, PersonId]


class Body(BaseModel):
    home: str | None = Field(default=None, json_schema_extra=id_of("home"))
    champion: PersonId | None = None
    team: list[PersonId | Somebody]
    pairs: list[Pair] | None = None
    words: str = ""


class Nested(BaseModel):
    person: PersonId
    further: "Nested | None" = None


def form(of: type[BaseModel], *kinds: str) -> Form | None:
    return form_of(TypeAdapter(of).json_schema(), kinds)


def found(body: object) -> list[str]:
    there = form(Body, "person")
    assert there is not None
    return ["/".join(map(str, (*one.steps, one.identity))) for one in there.references(body)]


def test_ids_are_found_in_members_lists_and_every_form_of_a_choice() -> None:
    body = {
        "home": "school",
        "champion": "ann",
        "team": ["bob", {"id": "cid", "name": "Cyril"}, {"name": "Dana"}],
        "pairs": [{"persons": ["eva", "fay"]}],
        "words": "gus",
    }
    wanted = ["champion/ann", "pairs/0/persons/0/eva", "pairs/0/persons/1/fay", "team/0/bob", "team/1/id/cid"]
    assert sorted(found(body)) == wanted


@pytest.mark.parametrize(
    "body", [None, [], "ann", {"champion": 7, "team": {"id": "ann"}, "pairs": "ann"}, {"x": ["ann"]}]
)
def test_what_has_another_form_is_passed_over(body: object) -> None:
    assert found(body) == []


def test_a_body_without_such_ids_asks_for_nothing() -> None:
    assert form(Body, "edition") is None
    assert form(Body) is None


def test_a_form_may_have_itself_within() -> None:
    there = form(Nested, "person")
    assert there is not None
    body = {"person": "ann", "further": {"person": "bob", "further": {"person": "cid"}}}
    assert [one.identity for one in there.references(body)] == ["ann", "bob", "cid"]
