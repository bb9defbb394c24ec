"""What spans tournaments: for what a place counts, and how ratings move. Read by standings."""

from typing import Literal

from pydantic import Field

from shared.rulesets.parts import Exact, Part, Slug


class Slot(Part):
    """The best so many results of a kind count, each times a coefficient."""

    kinds: tuple[Slug, ...] = Field(examples=[["live"]])
    best: int = Field(ge=1, examples=[6])
    coefficient: Exact = Field(examples=[1])


class Bonus(Part):
    """The organiser of a contest gets as many points as an own result elsewhere."""

    kinds: tuple[Slug, ...]
    as_result: int = Field(ge=1, description="As the n-th best of these results.", examples=[4])
    of: tuple[Slug, ...]


class Cut(Part):
    """Who qualifies."""

    field: int = Field(ge=1, examples=[32])
    champion: bool = Field(default=False, description="Whether the reigning champion is in beforehand.")
    kinds: tuple[Slug, ...] = Field(description="Which results count.")
    ties: tuple[Literal["cup-place", "best-results", "tournaments", "field-sizes"], ...] = ()
    all_equal_advance: bool = True


class Step(Part):
    """The factor of a rating change."""

    below: int | None = Field(default=None, description="For ratings below this.", examples=[1800])
    up_to_games: Exact = Field(description="The factor of who has played few games.", examples=[30])
    above_games: Exact = Field(examples=[20])


class Rating(Part):
    """How a rating list moves."""

    id: Slug = Field(examples=["screlo"])
    kinds: tuple[Slug, ...] = Field(description="Which tournaments move it.")
    start: int = Field(examples=[1600])
    few_games: int = Field(default=50, ge=0)
    steps: tuple[Step, ...] = ()
    surplus_per_game: Exact | None = Field(default=None, examples=[5])
    decay: int = Field(default=0, ge=0, description="After a season without a tournament.", examples=[50])
    floor: int | None = Field(default=None, description="Which decay does not cross.", examples=[1600])
    to_be_confirmed: bool = False


class Season(Part):
    """For what the places of a tournament count."""

    id: Slug = Field(examples=["scrabble-sk-2022"])
    kind: Slug | None = Field(
        default=None, description="As what a tournament of these rules counts.", examples=["live"]
    )
    places: tuple[Exact, ...] = Field(default=(), description="The points of the places, from the first.")
    without_points: tuple[Literal["withdrew", "expelled"], ...] = Field(
        default=(), description="Who gets no points for the place, which nobody else gets either."
    )
    slots: tuple[Slot, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    cut: Cut | None = None
    ratings: tuple[Rating, ...] = ()
