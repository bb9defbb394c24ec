"""The stretches of a tournament, each with a table of its own, and who goes from one to the next."""

from typing import Annotated, Literal

from pydantic import Field

from shared.rulesets.pairing_and_standings import System
from shared.rulesets.parts import Changes, Currency, Exact, Part, PlannedStart, Slug


class Everybody(Part):
    """All entrants of the tournament."""

    rule: Literal["everybody"] = "everybody"


class Best(Part):
    """The best of an earlier stage: so many, or as many as were announced before the start."""

    rule: Literal["best"] = "best"
    stage: Slug
    count: int | Literal["announced"]
    among: Slug | None = Field(default=None, description="Only those of a list.", examples=["women"])
    unless_in: Slug | None = Field(
        default=None, description="The stage does not take place when one of the list is in this other stage."
    )


class Complement(Part):
    """Those qualified beforehand, and the best of an earlier stage up to a number."""

    rule: Literal["complement"] = "complement"
    stage: Slug
    up_to: int = Field(ge=2, examples=[32])
    rule_ids: dict[Literal["field", "carried", "source"], str] = Field(
        default_factory=dict,
        description="In docs/rules: of how many there are, of the points that they bring along, and of what says that "
        "they are qualified.",
        examples=[{"field": "CC.REG-2"}],
    )


class Windows(Part):
    """Places of an earlier stage that play each other where their points are equal."""

    rule: Literal["windows"] = "windows"
    stage: Slug
    places: tuple[tuple[int, int], ...] = Field(examples=[[[4, 5], [3, 6], [2, 7], [1, 8]]])


class GroupPlaces(Part):
    """Those whose places in the groups are in the bracket."""

    rule: Literal["group-places"] = "group-places"
    stage: Slug


class Players(Part):
    """Those who played an earlier stage: its matches say who meets whom."""

    rule: Literal["players"] = "players"
    stage: Slug


type FieldOf = Annotated[Everybody | Best | Complement | Windows | GroupPlaces | Players, Field(discriminator="rule")]


class BracketMatch(Part):
    """A match of a play-off: each side is a place (`A1`, `4`), or the winner or loser of another match."""

    id: str = Field(pattern=r"^[A-Za-z0-9-]{1,20}$", examples=["QF1"])
    sides: tuple[str, str] = Field(examples=[["A1", "B4"], ["winner:QF1", "loser:QF2"]])
    places: tuple[int, int] | None = Field(default=None, description="Of its winner and loser.", examples=[[1, 2]])
    round: int = Field(ge=1, description="In which round of the stage it is played.")
    games: int = Field(default=1, ge=1, description="Best of so many.")
    with_game: int | None = Field(
        default=None,
        ge=1,
        description="It starts with this game of the matches of the stage that is played at the same time, or of this one.",
    )


class Bracket(Part):
    """The play-off for a field of a certain size."""

    of: Literal["tournament", "stage"] = Field(
        default="tournament", description="Whether the whole field counts, or who plays in this stage."
    )
    at_least: int = Field(ge=2, examples=[8])
    at_most: int | None = Field(default=None, examples=[9])
    groups: int = Field(default=1, ge=1, description="Into how many groups the field is drawn before.")
    matches: tuple[BracketMatch, ...]

    def fits(self, size: int) -> bool:
        return self.at_least <= size and (self.at_most is None or size <= self.at_most)


class BySize(Part):
    """What else holds when the field is not larger than this: a number, or the rounds and one more."""

    at_most: int | Literal["rounds+1"] = Field(examples=["rounds+1"])
    changes: Changes


class Stage(Part):
    """One stretch of a tournament with a table of its own.

    What is different in it: first its own changes hold, then those for the size of its field, then those for its
    pairing system, and last the options of the tournament.
    """

    id: Slug
    title: str = Field(examples=["Swiss"])
    field: FieldOf = Field(default_factory=Everybody)
    changes: Changes = Field(default_factory=dict)
    by_size: tuple[BySize, ...] = Field(default=(), description="The first that fits holds.")
    by_system: dict[System, Changes] = Field(
        default_factory=dict, description="What goes with a pairing system, whether size or an option chose it."
    )
    seats_by: Slug | None = Field(default=None, description="The stage by whose order seats or colours are chosen.")
    brackets: tuple[Bracket, ...] = ()
    parallel_to: Slug | None = Field(default=None, description="A stage that is played at the same time.")
    timetable: tuple[PlannedStart, ...] = Field(
        default=(),
        description="Round by round; it holds where there are as many rounds, and for matches as far as it goes.",
        examples=[[]],
    )


class ListOf(Part):
    """A table of some entrants, and who bears its title."""

    id: Slug
    title: str = Field(examples=["Women"])
    whom: Literal["declared", "year-age-at-most", "everybody"] = "declared"
    years: int | None = Field(default=None, description="For the rule about age.", examples=[14])
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["OT.REG-6"])
    title_by: Literal["table", "stage", "stage-or-table"] = Field(
        default="table", description="By the table, or by a stage of their own where it takes place."
    )
    stage: Slug | None = Field(default=None, description="That stage.", examples=["final-women"])


class Podium(Part):
    """The best are found by play-offs and matches; all others keep the order of a stage, equal points equal places."""

    stage: Slug = Field(description="In whose order everybody stands.", examples=["preliminary"])
    places: int = Field(default=4, ge=1, description="So many of the best play on.")
    play_offs: Slug | None = Field(default=None, description="Where equal points at the edge are played out.")
    semifinals: Slug = Field(examples=["semifinals"])
    final: Slug = Field(examples=["final"])


type AwardKind = Literal["cash", "in-kind", "accreditation", "title", "cup", "medal", "diploma", "badge"]


class Award(Part):
    """What some places of the final ranking, or of that of a list, bring."""

    what: AwardKind
    among: Slug | None = Field(default=None, description="The list; none: everybody.", examples=["women"])
    places: tuple[int, int] | None = Field(
        default=None, description="From, and to; none: whoever takes part.", examples=[[1, 1]]
    )
    title: str | None = Field(
        default=None, max_length=100, description="As it is called, of a title.", examples=["Mistrz Polski w Othello"]
    )
    amount: Exact | None = Field(default=None, description="Of cash.", examples=[1000])
    currency: Currency | None = None
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["OT.STA-6"])


class FinalOrder(Part):
    """How the ranking of the whole event comes about: stage by stage, each with who is not in the one before.

    Equal places of different groups are equal places.
    """

    stages: tuple[Slug, ...] = Field(default=(), description="None: the last stage.", examples=[["final", "groups"]])
    podium: Podium | None = Field(default=None, description="Instead of going stage by stage.")
    advance: int | Literal["announced"] | None = Field(
        default=None, description="How many of the ranking go on to another tournament."
    )
    advance_rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.PAI-4"])
    awards: tuple[Award, ...] = Field(
        default=(), description="Who could have cash in several lists chooses one, and the others go to nobody."
    )
