"""What is played, what it is worth, in which ways a game may end, and what each ending gives.

It is read by results, which adjudicates, and by everybody who ranks. An ending says who may be at fault, how the scores
come about, and how the points do. Those rules are few and have names; their numbers stand in the ruleset.
"""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from shared.rulesets.parts import Exact, Part, Slug

AWARDED = "awarded"  # how a game ends that an official has decided, by whatever reason: every ruleset knows it


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
    scores: Scores = Field(default_factory=AsReported)
    points: Literal["by-scores", "by-fault", "none", "draw", "bye", "winner", "official"] = Field(
        default="by-scores",
        description="What decides the points: the scores; the fault (a side at fault loses, the other wins; both get "
        "none, and without anybody at fault the scores decide); nobody gets any; half each; as a bye; who is declared "
        "the winner (nobody: no points); or an official.",
    )
    after: Literal["latest_start", "limit"] | None = Field(
        default=None, description="Which time of `results` has to be over for it, where that is told."
    )
    confirmed_by_both: bool = Field(default=False, description="Whether both have to confirm it, or it did not happen.")
    decided_by: Literal["reports", "director"] = Field(
        default="reports",
        description="What makes it final: reports, as of any game; or the director alone, for whom reports of it wait.",
    )
    reasons: tuple[str, ...] = Field(
        default=(),
        description="Of which one may be named; those of a draw begin with `draw_`.",
        examples=[["resignation", "draw_agreed"]],
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.RES-4"])

    @property
    def is_unplayed(self) -> bool:
        """Nobody has begun a match that falls to one side as a whole."""
        return isinstance(self.scores, AsBye) or (isinstance(self.scores, Full) and self.scores.of == "match")


class Expulsion(Part):
    """An entrant is expelled as soon as so many games have ended in these ways with it at fault."""

    count: int = Field(ge=1, examples=[2])
    of: tuple[str, ...] = Field(
        description="Endings; `awarded` where what officials award against a seat counts too.",
        examples=[["no_show", "resigned"]],
    )
    unmoved: tuple[str, ...] = Field(
        default=(), description="Endings that count only for a side that has made no move.", examples=[["limit_missed"]]
    )
    rule_id: str | None = Field(default=None, examples=["SK.RES-6"])


class Level(Part):
    """One level of a contest: a match has parties, a party has duels; or a match has games."""

    id: Literal["match", "party", "duel", "game"]
    count: int | None = Field(default=None, ge=1, description="So many, all played.", examples=[5])
    best_of: int | None = Field(default=None, ge=1, description="At most so many, until it is decided.", examples=[3])
    at_once: bool = Field(default=False, description="Whether they are played at the same time.")


class Period(Part):
    """A part of the time of each side: so many moves in so many minutes."""

    moves: int | None = Field(default=None, ge=1, description="None: all that are left.", examples=[30])
    minutes: Exact = Field(examples=[45])


type Element = Literal["hand-of-three", "open-tiles", "own-monasteries", "last-monasteries"]


class Drawn(Part):
    """How a match that may not end in a draw goes on."""

    duels: int = Field(default=0, ge=0, description="So many deciding duels at most.", examples=[2])
    minutes: Exact | None = Field(default=None, description="Of each side's clock in such a duel.", examples=[5])
    then: Literal["lot", "discs", "higher-placed", "stands"] = Field(
        default="stands",
        description="By lot; by the discs of all its games, and then for whoever was placed higher; for whoever was placed "
        "higher; or nothing: it stays drawn.",
    )


class Finish(Part):
    """When a game of Scrabble is over, and what the tiles are worth that are left on the racks."""

    turns: int = Field(
        ge=1, description="So many turns of each side, one after the other, without a valid word end it.", examples=[3]
    )
    racks: bool = Field(
        default=True,
        description="Whether the racks are counted at the table: who has played out gets the other one, otherwise each "
        "loses the own one.",
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.RES-12"])


class Contest(Part):
    """Who sits at a table, and of what a meeting consists."""

    seats: tuple[int, int] = Field(default=(2, 2), description="At least and at most so many.", examples=[[3, 4]])
    levels: tuple[Level, ...] = Field(default=(), description="None: one game.")
    drawn: Drawn = Field(default_factory=Drawn)
    option: bool = Field(
        default=False, description="Whether the higher-placed chooses between the colour and a draw that wins."
    )
    choice_minutes: int | None = Field(
        default=None, ge=0, description="How long before a game such a choice is announced.", examples=[5]
    )
    line_ups_first: bool = Field(
        default=False, description="Whether it is written down who sits at which board before a match of teams begins."
    )
    opening: Literal["swap1", "swap", "swap2", "pro"] | None = Field(default=None, description="Of gomoku.")
    tiles: Slug | None = Field(
        default=None, description="Of Scrabble: the tile set, where no variant has one of its own.", examples=["sk-100"]
    )
    periods: tuple[Period, ...] = Field(
        default=(),
        max_length=10,
        description="The time of each side, where it goes by moves: one period after the other, and the last one again and "
        "again unless it is for all that are left. What is left of a period goes into the next.",
        examples=[[{"moves": 30, "minutes": 45}, {"minutes": 15}]],
    )
    finish: Finish | None = Field(default=None, description="Of Scrabble: how a game comes to its end.")
    words: Literal["lists", "server"] = Field(
        default="lists",
        description="Of Scrabble: whether lists, dictionaries and a referee say which words are valid, or the server on "
        "which it is played.",
    )
    variant: tuple[Element, ...] | Slug = Field(
        default=(),
        description="Of Scrabble, the one that is played of those in `entry.variants`: `m` has its own tile set, whatever "
        "`tiles` says. Of Carcassonne, what is played besides the usual rules: three tiles in hand, refilled after each own "
        "move; three open tiles to refill from, filled up at once as long as there is a stack; three monasteries of one's "
        "own; and without a stack whoever has more of them left has to play one.",
    )
    starter: Literal["pairing", "choice", "server", "lot"] = Field(
        default="pairing",
        description="Who starts: who is named first; as the players choose (the first-named chooses who starts or how "
        "the board lies); as the server decides; by lot.",
    )

    @property
    def elements(self) -> tuple[Element, ...]:
        """Of Carcassonne."""
        return () if isinstance(self.variant, str) else self.variant


class Scoring(Part):
    """What a game is worth."""

    win: Exact = Fraction(1)
    draw: Exact = Fraction(1, 2)
    loss: Exact = Fraction(0)
    placement: tuple[Exact, ...] | None = Field(
        default=None,
        description="Instead: points by the place at a table; equal places share theirs.",
        examples=[[4, 3, 2, 1]],
    )
    score: Literal["pair", "fixed-sum", "duels", "win-loss", "list"] = Field(
        description="What is written down of a game: two scores, scores that add up to `total`, duel points of which "
        "there are `total`, only who won, or one score a seat."
    )
    total: int | None = Field(default=None, ge=1, description="Of all scores of a game together.", examples=[64])
    negative: bool = Field(default=False, description="Whether a score may be below zero.")
    success_seats: int | None = Field(
        default=None,
        ge=2,
        description="For the success rate a smaller table is made up to so many seats, each with the mean of its scores.",
        examples=[4],
    )
    bye: Literal["full", "half", "none"] = Field(
        default="full", description="Whether who sits out gets the points of a win, of a draw, or none."
    )
    bye_scores: tuple[Exact, Exact] = Field(
        default=(Fraction(0), Fraction(0)), description="Own score and the other's.", examples=[[20, 0]]
    )
    rest: Literal["bye", "bye-if-opponent-away", "nothing"] = Field(
        default="nothing",
        description="What who has nobody to play in a round robin gets: a bye, a bye where somebody was to be the opponent "
        "who is not there, or nothing.",
    )
    carry: bool = Field(default=False, description="Whether points have to be brought along from an earlier stage.")


class NewTime(Part):
    """What each side has when the clocks are set anew, by the turns of both that were played."""

    turns: int = Field(ge=1, description="Of both sides together.", examples=[10])
    fewer: Exact = Field(description="Minutes after fewer turns than these.", examples=[15])
    otherwise: Exact = Field(description="Minutes after these turns, or more.", examples=[10])
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.RES-15"])


type AboutResults = Literal[
    "sides",
    "boards",
    "drawn",
    "match",
    "start",
    "option",
    "left",
    "complaint",
    "void",
    "clock",
    "council",
    "penalties",
    "defaults",
    "turn",
]


class Results(Part):
    """How results come about."""

    endings: dict[str, Ending] = Field(
        default_factory=dict,
        description="The ways in which a game may end, by name. An official may always award a game.",
    )
    when_away: str | None = Field(
        default=None,
        description="The ending of a game that was planned for somebody who has left or will be absent, with that side at "
        "fault; none: an official decides.",
        examples=["no_show"],
    )
    when_both_away: str | None = Field(
        default=None, description="The same when neither side is there.", examples=["both_absent"]
    )
    expulsions: tuple[Expulsion, ...] = Field(default=(), description="Each of them expels.")
    penalties: tuple[
        Literal["warning", "time", "points", "score", "award-win", "award-draw", "default", "removal", "expel"], ...
    ] = Field(default=("warning", "points", "default", "expel"), description="What an official may impose.")
    penalties_by: Literal["officials", "director"] = Field(
        default="officials", description="Whether arbiters may impose them too, or the director alone."
    )
    flag_cap: Literal["counted", "success-only"] | None = Field(
        default=None,
        description="Whether who has lost by the clock counts at most one game point less than the opponent, in every "
        "criterion or only in the success rate; none: what stood on the board counts.",
    )
    minutes: Exact | None = Field(default=None, description="Of each side's clock.", examples=[22])
    least_minutes: Exact | None = Field(
        default=None, description="No clock for a whole game may give less.", examples=[25]
    )
    minutes_of_turn: Exact | None = Field(default=None, description="At most so many for one turn.", examples=[8])
    turn_warnings: tuple[int, ...] = Field(
        default=(), description="How many seconds before the end of a turn that is said.", examples=[[30, 10]]
    )
    one_limit: bool = Field(
        default=False,
        description="Whether a table has a clock for the whole game or a limit for a turn, never both: the limit holds "
        "where there is no clock.",
    )
    clocks: Literal["every-table", "slow-tables"] = Field(
        default="every-table", description="Where time is measured: everywhere, or where a table is slow."
    )
    clocks_by: Literal["organiser", "players", "officials"] | None = Field(
        default=None, description="Who brings the clocks, or that officials measure the time; none: not said."
    )
    new_time: NewTime | None = Field(
        default=None, description="Where what was on the clocks cannot be found out, or a game begins anew."
    )
    referee_minutes: Exact | None = Field(
        default=None, description="More for a player who is called as a referee meanwhile.", examples=[2]
    )
    latest_start: int | None = Field(
        default=None,
        description="Minutes after the start of a round; who is not there by then has lost.",
        examples=[22],
    )
    limit: int | None = Field(
        default=None, description="Minutes after the start of a round by which a game has ended.", examples=[50]
    )
    confirmed_by: Literal["both-sides", "each-side", "official"] = Field(
        default="both-sides",
        description="What makes a result final: two equal reports, whoever they are of; that each side stands by it, by "
        "its own word or its signature; or that an official does too, or two of them.",
    )
    complaint: Literal["next-round", "none"] = Field(
        default="next-round", description="Until when a result may be complained about."
    )
    complaint_minutes: int | None = Field(default=None, description="After the last round.", examples=[10])
    complaint_settles: bool = Field(
        default=False, description="Whether a result that nobody complained about in time is not changed any more."
    )
    rule_ids: dict[AboutResults, str] = Field(
        default_factory=dict,
        description="In docs/rules, where no ending names it: of what each side says for itself, of who sits at the boards "
        "of a match, of drawn matches, of matches of several games, of who begins, of the option, of who has left, of "
        "complaints, of void games, of clocks for a whole game, of the council, of who imposes penalties, of limits for a turn "
        "and of who decides about defaults.",
        examples=[{"complaint": "SK.RES-11"}],
    )

    @property
    def no_such_ending(self) -> str:
        """What is said of a game that is told to have ended in none of these ways."""
        known = ", ".join(sorted(self.endings))
        return (
            f"this ruleset knows no such ending: it knows {known}, and {AWARDED} for what an official decides otherwise"
        )
