"""Who meets whom, and who leads: the settings of pairing and of tables. Read by pairing, and by everybody who ranks."""

from typing import Annotated, Literal

from pydantic import Field

from shared.rulesets.parts import Exact, Part, TimetableEntry

type System = Literal["median-swiss", "cost-swiss", "round-robin", "double-round-robin", "groups", "tables", "knockout"]
type Cost = Literal[
    "difference",
    "squared-difference",
    "meetings",
    "repeats",
    "rating",
    "role-excess",
    "roles",
    "floats",
    "alternation",
    "halves",
    "lot",
    "same-school",
    "threes",
    "spread",
]
MeasureName = Literal[
    "points",
    "score",
    "wins",
    "median_buchholz",
    "buchholz",
    "buchholz_cut1",
    "sonneborn_berger",
    "brightwell",
    "discs",
    "score_difference",
    "made_points",
    "success",
    "first_places",
    "second_places",
    "third_places",
    "game_difference",
    "game_points",
    "start_number",
    "rating",
    "carried",
]  # what everybody has
type Criterion = Literal[MeasureName, "head_to_head", "duel", "lot", "bracket"]

type AboutPairing = Literal[
    "meetings",
    "round-robin",
    "bans",
    "byes",
    "bye",
    "left",
    "roles",
    "first-round",
    "seats",
    "threes",
    "field",
    "plan",
    "choice",
    "colours",
    "groups",
    "rounds",
    "results",
]

SWISS: frozenset[str] = frozenset({"median-swiss", "cost-swiss"})
ROUND_ROBIN: frozenset[str] = frozenset({"round-robin", "double-round-robin"})


class FirstRound(Part):
    """How a Swiss begins."""

    opponents: Literal["halves", "neighbours", "history-groups", "lot"] = Field(
        default="halves",
        description="The upper half meets the lower half; each the next; those with history the others, by lot; by lot.",
    )
    first: Literal["balance", "lower-rated-on-odd-tables", "second-seed-on-odd-tables", "history-alternates"] = Field(
        default="balance", description="Who starts, or is named first."
    )


class Pairing(Part):
    """Who meets whom."""

    system: System
    rounds: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        default=None, description="Of a Swiss or of tables; a round robin has as many as it takes.", examples=[7]
    )
    least_rounds: int | None = Field(default=None, ge=1, description="Where a tournament may choose.", examples=[4])
    meetings: Literal[1, 2] | None = Field(
        default=1, description="How often two may meet at most; null: as often as it happens."
    )
    cost: tuple[Cost, ...] = Field(
        default=(), description="Of the cost Swiss: what is minimised, most important first."
    )
    balance: Literal["starting", "named-first", "none"] = Field(
        default="starting", description="What everybody should have equally often: starting, or being named first."
    )
    first_round: FirstRound = Field(default_factory=FirstRound)
    bans_in_last_rounds: int | None = Field(
        default=None,
        ge=1,
        description="In how many last rounds those who are close to each other must not meet; none: never banned.",
        examples=[1],
    )
    bye: Literal["lowest", "lot", "matched", "none"] = Field(
        default="lowest",
        description="Who sits out when one is left over: the lowest-placed who has not; by lot; whoever it costs least, "
        "as if against an opponent without points; or nobody ever does.",
    )
    byes_of_one: int = Field(default=1, ge=1, description="How often one may, while others have not.")
    bye_after_default: bool = Field(
        default=True,
        description="Whether whoever came to a game and won it since the other side did not may sit out like all others; if "
        "not, others do so first.",
    )
    spread: Literal["school", "club", "region"] | None = Field(
        default=None, description="Who is kept apart in the draw of groups as far as possible."
    )
    starter_history: Literal["literal", "alternate"] = "literal"
    start_number_higher: Literal["better", "worse"] = "better"
    field: Literal["fixed", "any"] = "any"
    keeps_later_rounds: bool = Field(
        default=True,
        description="Of the cost Swiss: whether a costlier pairing is taken where the cheapest would leave a later "
        "round without one.",
    )
    minutes_between_rounds: int = Field(
        default=0, ge=0, description="Between the last result of a round and the next round.", examples=[5]
    )
    timetable: tuple[TimetableEntry, ...] = Field(
        default=(),
        max_length=200,
        description="Of the whole tournament, instead of that of the rules: when rounds begin, and what else is planned.",
        examples=[[{"day": 1, "time": "10:30", "stage": "preliminary", "round": 1}]],
    )
    rule_ids: dict[AboutPairing, str] = Field(
        default_factory=dict,
        description="In docs/rules: of how often two meet, in a round robin too, of bans, of byes and who has the bye, of "
        "who has left, of who starts, of the first round, of how many sit at a table, of tables of three, of the size "
        "of the field, of who meets "
        "whom by plan, of who chooses, of colours that are given, of the number of groups and of rounds, and of results "
        "that have to be in before the next round.",
        examples=[{"meetings": "SK.PAI-2"}],
    )

    def by(self, about: AboutPairing) -> str:
        """For the end of a sentence, before its full stop or colon."""
        return f" ({self.rule_ids[about]})" if about in self.rule_ids else ""


class Standings(Part):
    """Who leads."""

    criteria: tuple[Criterion, ...] = Field(min_length=1, description="The first that differs decides.")
    shown: tuple[MeasureName, ...] = Field(
        default=(),
        description="What is worked out and shown beside, and decides nothing.",
        examples=[["success"]],
    )
    ties: Literal["all", "decisive"] = Field(
        default="all",
        description="Which ties wait for a duel or a lot: all of them, or those on which something rests, that is who goes "
        "on, a place in the play-off of the groups or a match for a place. In other ties the place is shared.",
    )
    unplayed: Literal["virtual-zero", "fide-2009", "fide-2024", "fide-2026", "usc-like"] = Field(
        default="virtual-zero", description="What rounds without a game are in the criteria that look at opponents."
    )
    buchholz_opponents: Literal["all", "beaten"] = "all"
    brightwell_c: Exact | Literal["auto"] = Field(default="auto", description="`auto`: 64 by the number of rounds.")
    unplayed_counts: bool = Field(
        default=True, description="Whether a round without game counts in Brightwell for who was not there."
    )
