"""What spans tournaments: for what a place counts, who qualifies, and how ratings move. Read by standings."""

from typing import Literal

from pydantic import Field

from shared.rulesets.parts import Exact, Part, Slug

type Kinds = tuple[Slug, ...]
type Breaker = Literal["cup-place", "best-results", "tournaments", "field-sizes"]


class InSeason(Part):
    """As what the tournaments of a ruleset count in a season."""

    id: Slug = Field(examples=["scrabble-sk-2022"])
    kind: Slug = Field(examples=["live"])


class Slot(Part):
    """The best so many results of some kinds count, each times a coefficient. A kind fills one slot alone."""

    kinds: Kinds = Field(examples=[["live"]])
    best: int = Field(default=1, ge=1, examples=[6])
    coefficient: Exact = Field(default=1, validate_default=True, examples=[1])  # pyright: ignore[reportArgumentType] - read like a number of a file


class Bonus(Part):
    """The organiser of a contest gets for it as many points as for a result elsewhere. A contest counts once: the best of its
    bonuses, or of an own place in it."""

    kinds: Kinds = Field(examples=[["written"]])
    as_result: int = Field(ge=1, description="As the n-th best of these results; nothing with fewer.", examples=[4])
    of: Kinds = Field(examples=[["live"]])


class Cut(Part):
    """Who qualifies by the sum of all results of these kinds."""

    kinds: Kinds = Field(description="Which results count.", examples=[["live", "online"]])
    field: int = Field(ge=1, description="How many qualify, the champion included.", examples=[32])
    champion: bool = Field(default=False, description="Whether the reigning champion is in beforehand.")
    ties: tuple[Breaker, ...] = Field(default=(), description="What goes before among equal sums, in this order.")
    all_equal_advance: bool = Field(default=True, description="Who is still equal at the cut advances; or waits.")


class Step(Part):
    """The factor of a rating change."""

    below: int | None = Field(default=None, description="For ratings below this.", examples=[1800])
    up_to_games: Exact = Field(description="The factor of who has played few games.", examples=[30])
    above_games: Exact = Field(examples=[20])


class Rating(Part):
    """How a rating list moves."""

    id: Literal["live", "online"] = Field(examples=["live"])
    called: Slug | None = Field(default=None, description="As rulesets call it in their seeding.", examples=["screlo"])
    kinds: Kinds = Field(description="Which tournaments move it.", examples=[["live", "championship"]])
    start: int = Field(ge=0, examples=[1600])
    few_games: int = Field(default=50, ge=0, description="Up to this many games before a tournament are few.")
    steps: tuple[Step, ...] = Field(min_length=1, description="From the lowest ratings; the last has no upper end.")
    surplus_per_game: Exact | None = Field(
        default=None,
        description="What somebody with few games gains above this per game is gained once more.",
        examples=[5],
    )
    decay: int = Field(default=0, ge=0, description="After a season without a tournament.", examples=[50])
    floor: int = Field(default=0, ge=0, description="Which decay does not cross.", examples=[1600])
    kept_by: Kinds = Field(default=(), description="Any of these in the season saves from decay.", examples=[["live"]])
    to_be_confirmed: bool = Field(default=False, description="Whether the federation has yet to confirm the factors.")


class Season(Part):
    """The rules of a season, whole."""

    format: Literal["roundlog.season/1"] = "roundlog.season/1"
    id: Slug = Field(examples=["scrabble-sk-2022"])
    version: str = Field(max_length=32, examples=["1"])
    title: str = Field(examples=["Slovak Scrabble: season 2022/2023"])
    decisions: dict[str, str] = Field(default_factory=dict, description="By the id of docs/rules.")
    kinds: dict[Slug, str] = Field(
        description="Of what tournaments it is made.", examples=[{"live": "a qualifying tournament at the table"}]
    )
    implied: dict[Slug, Slug] = Field(
        default_factory=dict,
        description="What a tournament is, whatever its ruleset says, by the kind of its entrants or by its variant.",
        examples=[{"pair": "pairs", "m": "m"}],
    )
    places: tuple[Exact, ...] = Field(default=(), description="The points of the places, from the first.")
    without_points: tuple[Literal["withdrew", "expelled"], ...] = Field(
        default=(), description="Who gets no points for the place, which nobody else gets either."
    )
    serious_reasons: Kinds = Field(
        default=(),
        description="Tournaments that somebody may leave for a serious reason without losing these points, if the "
        "federation says so.",
        examples=[["live"]],
    )
    unrated_endings: tuple[str, ...] = Field(
        default=(), description="Games that ended so were not played, and move no rating.", examples=[["no_show"]]
    )
    slots: tuple[Slot, ...] = Field(default=(), description="What the cup adds up.")
    bonuses: tuple[Bonus, ...] = ()
    cut: Cut | None = None
    ratings: tuple[Rating, ...] = ()

    def most_at_a_place(self, kind: str) -> int:
        """How many persons may have the same place in a tournament: equal ones are told apart, and a pair is two."""
        return 2 if self.implied.get("pair") == kind else 1
