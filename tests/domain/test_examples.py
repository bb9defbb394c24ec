"""A whole example of a model comes from the examples of its fields, however they lie in one another."""

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field

from services.registration.api.tournaments.bodies import PlanToChange, TournamentToAnnounce
from shared.http.openapi import Examples, NoExample


class Colour(StrEnum):
    BLACK = "black"
    WHITE = "white"


class Seat(BaseModel):
    player: str = Field(examples=["ann"])
    colour: Colour
    points: int | None = Field(default=None, examples=[3])


class Bye(BaseModel):
    kind: Literal["bye"]
    seat: Seat


class Game(BaseModel):
    kind: Literal["game"]
    seats: list[Seat]
    board: int = Field(default=1, ge=1)


class Branch(BaseModel):
    above: "Branch | None"
    below: "list[Branch]"


class Empty(BaseModel):
    pass


class Round(BaseModel):
    pairing: Game | Bye
    told: Annotated[Game | Bye, Field(discriminator="kind")]
    rating: float = Field(examples=[1834.5])
    is_published: bool
    at: datetime
    until: datetime = Field(examples=[datetime(2026, 3, 14, 12, 0, tzinfo=UTC)])
    day: date
    id: UUID
    director: Seat | None
    score: tuple[Colour, bool]
    names: dict[str, str] = Field(examples=[{"ann": "Ann"}])
    empty: Empty
    tree: Branch


def example(model: type[BaseModel]) -> Any:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    schemas: dict[str, Any] = schema.pop("$defs", {})
    shown = Examples(schemas=schemas).of(schema, model.__name__)
    jsonschema_rs.Draft202012Validator({**schema, "components": {"schemas": schemas}}, validate_formats=True).validate(
        shown
    )
    return shown


def test_a_whole_example_has_every_field() -> None:
    seat = {"player": "ann", "colour": "black", "points": 3}
    assert example(Round) == {
        "pairing": {"kind": "game", "seats": [seat], "board": 1},
        "told": {"kind": "game", "seats": [seat], "board": 1},
        "rating": 1834.5,
        "is_published": True,
        "at": "2026-03-14T09:30:00Z",
        "until": "2026-03-14T12:00:00Z",
        "day": "2026-03-14",
        "id": "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11",
        "director": seat,
        "score": ["black", True],
        "names": {"ann": "Ann"},
        "empty": {},
        "tree": {"above": None, "below": []},
    }


class Nameless(BaseModel):
    name: str


class Number(BaseModel):
    board: int


class Table(BaseModel):
    places: dict[str, int]


class Within(BaseModel):
    tables: list[Number]


class Perhaps(BaseModel):
    following: str | None


@pytest.mark.parametrize(
    ("model", "place"),
    [
        (Nameless, "Nameless.name"),
        (Number, "Number.board"),
        (Table, "Table.places"),
        (Within, "Number.board"),
        (Perhaps, "Perhaps.following"),
    ],
)
def test_a_field_without_an_example_is_named(model: type[BaseModel], place: str) -> None:
    with pytest.raises(NoExample, match=rf"^{place} has no example: give its field `examples="):
        example(model)


@pytest.mark.parametrize("form", [TournamentToAnnounce, PlanToChange])
@pytest.mark.parametrize("name", ["starts_on", "entries_close"])
def test_the_day_of_a_tournament_that_is_shown_is_not_over_one_day(form: type[BaseModel], name: str) -> None:
    """Whoever sends an example as it stands would be asked why the day is over."""
    [shown] = form.model_fields[name].examples or []
    assert shown[:4] >= "2099"
