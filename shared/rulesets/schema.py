"""What a ruleset says. It is data: a federation that differs in a number or an order differs in a file.

The parts are read by those who need them: `entry` by registration, `pairing` by pairing, `results` by results,
`scoring` and `standings` by everybody who ranks. What a rule cannot say as data it names: a pairing system, a
criterion, the profile of a game are functions registered under the names that stand here.

One mechanism changes settings everywhere: `changes`, from a path such as `standings.criteria` to a value. A stage
changes some for itself, the size of its field and its pairing system some more, and the options of a tournament have
the last word (`shared/rulesets/settings.py`).
"""

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, Self, override

from pydantic import Field

from shared.rulesets.entry import Entry
from shared.rulesets.pairing_and_standings import Pairing, Standings
from shared.rulesets.parts import Changes, Date, Part, Slug, TimetableEntry
from shared.rulesets.play import Contest, Results, Scoring
from shared.rulesets.season import InSeason
from shared.rulesets.stages import FinalOrder, ListOf, Stage

type Game = Literal["gomoku-pisqworky", "gomoku-cfp", "scrabble", "carcassonne", "othello"]


type AnnouncedPath = Literal[
    "contest.opening",
    "contest.periods",
    "results.minutes",
    "results.minutes_of_turn",
    "results.latest_start",
    "results.limit",
    "results.clocks",
    "results.clocks_by",
]


class Source(Part):
    """Where the rules come from."""

    title: str = Field(examples=["Súťažný poriadok pre hru SCRABBLE"])
    issuer: str = Field(examples=["Slovenský spolok SCRABBLE"])
    valid_from: Date | None = Field(default=None, description="None: the text does not say.", examples=["2022-10-17"])
    valid_to: Date | None = None
    extended: Date | None = Field(default=None, description="When something was last added to them.")


class Ruleset(Part):
    """The rules of one kind of tournament, whole."""

    format: Literal["roundlog.ruleset/1"] = "roundlog.ruleset/1"
    id: Slug
    version: str = Field(max_length=32, description="Another text is another version.", examples=["1"])
    title: str = Field(examples=["Slovak Scrabble: qualifying tournament"])
    game: Game
    source: Source
    decisions: dict[str, str] = Field(
        default_factory=dict,
        description="Where the rules are silent or contradict themselves, by the id of docs/rules.",
        examples=[{"SK.D2": "Points per game are 1, ½ and 0, as the online text shows."}],
    )
    entry: Entry = Field(default_factory=Entry)
    lists: tuple[ListOf, ...] = Field(default=(), description="Tables of some entrants, besides that of all.")
    contest: Contest = Field(default_factory=Contest)
    scoring: Scoring
    results: Results = Field(default_factory=Results)
    pairing: Pairing
    standings: Standings
    stages: tuple[Stage, ...] = Field(min_length=1, description="In the order in which they are played.")
    programme: tuple[TimetableEntry, ...] = Field(
        default=(), description="What the timetable of the rules has besides the rounds of the stages.", examples=[[]]
    )
    final: FinalOrder = Field(default_factory=FinalOrder)
    season: InSeason | None = Field(default=None, description="As what its tournaments count in a season.")
    announced: dict[AnnouncedPath, str] = Field(
        default_factory=dict,
        description="What these rules leave to the announcement of each tournament, which gives it among its options: by "
        "path, with what leaves it there in docs/rules.",
        examples=[{"results.latest_start": "SK.REG-16"}],
    )
    options: Changes = Field(
        default_factory=dict, description="What a tournament changes for itself; it goes before everything else."
    )

    @cached_property
    def digest(self) -> bytes:
        """Equal rulesets are one key of a cache: what they have in them is looked through once, and not whenever they meet. Those
        of hundreds of tournaments by the same rules differ in a fee or a number of minutes."""
        return sha256(self.model_dump_json().encode()).digest()

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        vars(copied).pop("digest", None)  # that of the one it was copied from
        return copied

    @override
    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ruleset) and self.digest == other.digest)

    @override
    def __hash__(self) -> int:
        return hash(self.digest)
