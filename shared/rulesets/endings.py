"""In which ways a game may end, and what each of them gives. Read by results, which adjudicates.

An ending says who may be at fault, how the scores come about, and how the points do. Those rules are few and have
names; their numbers stand in the ruleset.
"""

from typing import Annotated, Literal

from pydantic import Field

from shared.rulesets.parts import Exact, Part


class AsReported(Part):
    """The scores that stood at the end, or at that moment."""

    rule: Literal["as-reported"] = "as-reported"


class Fixed(Part):
    """The same scores each time."""

    rule: Literal["fixed"] = "fixed"
    at_fault: Exact = Field(description="Of each side at fault.", examples=[0])
    other: Exact = Field(description="Of the other side.", examples=[100])
    begun: bool = Field(
        default=False,
        description="Whether the game had begun: what stood on the board may be told, and counts for nothing.",
    )


class Lead(Part):
    """The other side's lead at that moment where it was above a limit, otherwise a fixed score."""

    rule: Literal["lead"] = "lead"
    at_fault: Exact = Field(examples=[0])
    above: Exact = Field(description="The lead has to be greater than this.", examples=[100])
    otherwise: Exact = Field(description="The other side's score where it was not.", examples=[100])


class Margin(Part):
    """As reported, but the other side's score is raised until it leads by a margin."""

    rule: Literal["margin"] = "margin"
    least: Exact = Field(examples=[50])


class LowerForBoth(Part):
    """The lower score counts for both once both have confirmed; otherwise the game counts as reported."""

    rule: Literal["lower-for-both"] = "lower-for-both"


class OfficialScores(Part):
    """As an official sets them: one of these, or the scores of a sheet."""

    rule: Literal["official"] = "official"
    choices: tuple[tuple[Exact, Exact], ...] = Field(default=(), description="None: whatever the official says.")
    sheet: bool = Field(default=True, description="Whether the scores of one of the two sheets may be taken instead.")


class AgreedWinner(Part):
    """The record is lost: fixed scores where the players agree on the winner, others where they do not."""

    rule: Literal["agreed-winner"] = "agreed-winner"
    winner: Exact = Field(examples=[50])
    loser: Exact = Field(examples=[0])
    otherwise: Exact = Field(description="Of both where they do not agree.", examples=[0])


class AsBye(Part):
    """What the scoring gives to who sits out."""

    rule: Literal["bye"] = "bye"


class Full(Part):
    """The whole score goes to the other side: of the match, or of one party of it."""

    rule: Literal["full"] = "full"
    of: Literal["match", "party"] = "match"


class Boards(Part):
    """The sum of what the duels on all boards give."""

    rule: Literal["boards"] = "boards"
    win: Exact = Field(examples=[2])
    draw: Exact = Field(examples=[1])
    loss: Exact = Field(examples=[0])
    nobody: Exact = Field(description="For each side of a duel to which nobody came.", examples=[0])


class Filled(Part):
    """As counted, and what is missing to the full sum goes to the winner; a draw shares it."""

    rule: Literal["filled"] = "filled"


class ExtraTime(Part):
    """Whose time ran out has lost, and both play on in extra time only to find the scores."""

    rule: Literal["extra-time"] = "extra-time"
    minutes: Exact = Field(description="Of extra time.", examples=[2])
    again: tuple[Exact, Exact] = Field(description="Winner and loser when the same side runs out again.")
    other: tuple[Exact, Exact] = Field(description="Winner and loser when the other side does.")
    least: Exact = Field(description="What the winner gets at least when the game is finished.", examples=[33])


class NoScores(Part):
    """None: the game is played anew."""

    rule: Literal["none"] = "none"


type Scores = Annotated[
    AsReported
    | Fixed
    | Lead
    | Margin
    | LowerForBoth
    | OfficialScores
    | AgreedWinner
    | AsBye
    | Full
    | Boards
    | Filled
    | ExtraTime
    | NoScores,
    Field(discriminator="rule"),
]


class Ending(Part):
    """One way in which a game may end."""

    title: str = Field(description="For people.", examples=["One player did not appear"])
    fault: Literal["nobody", "one", "both", "official-says"] = Field(
        default="nobody", description="Who is at fault; with `one`, whoever reports it says which side."
    )
    scores: Scores = AsReported()
    points: Literal["by-scores", "by-fault", "none", "draw", "bye", "winner", "official"] = Field(
        default="by-scores",
        description="What decides the points: the scores; the fault (a side at fault loses, the other wins; both get "
        "none, and without anybody at fault the scores decide); nobody gets any; half each; as a bye; who is declared "
        "the winner (nobody: no points); or an official.",
    )
    confirmed_by_both: bool = Field(default=False, description="Whether both have to confirm it, or it did not happen.")
    reasons: tuple[str, ...] = Field(
        default=(),
        description="Of which one may be named; those of a draw begin with `draw_`.",
        examples=[["resignation", "draw_agreed"]],
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.RES-4"])


class Expulsion(Part):
    """An entrant is expelled as soon as so many games have ended in these ways with it at fault."""

    count: int = Field(ge=1, examples=[2])
    of: tuple[str, ...] = Field(description="Endings.", examples=[["no_show", "resigned"]])
    unmoved: tuple[str, ...] = Field(
        default=(), description="Endings that count only for a side that has made no move.", examples=[["limit_missed"]]
    )
    rule_id: str | None = Field(default=None, examples=["SK.RES-6"])
