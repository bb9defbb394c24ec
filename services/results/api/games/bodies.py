"""What requests and answers about score sheets look like."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, override

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    create_model,
)
from pydantic.json_schema import JsonSchemaValue, SkipJsonSchema
from pydantic_core import CoreSchema
from pydantic_core.core_schema import union_schema

from services.results.api.parameters import ADA, FIRST, GAME, IDS, TOURNAMENT
from services.results.api.permissions import ACTIONS_OF_GAMES
from services.results.games.adjudication import AnyAccount
from services.results.games.ending_accounts import MOST_SEATS, Seat
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.rulesets.parts import Exact

type GameStatus = Literal["pending", "started", "reported", "disputed", "final", "postponed", "voided", "recalled"]

type Figure = float | int  # a whole number stays one

STATUS = Field(
    description="Where it stands: `reported` waits for the other side, `disputed` for an official; `recalled` means "
    "that its round was taken back before the game had begun.",
    examples=["final"],
)


def not_negative(points: int) -> int:
    if points < 0:
        raise ValueError("should not be below zero: no turn has fewer points than none (SK.RES-13)")
    return points


class Turn(RequestBody):
    seat: Seat
    points: Annotated[int, AfterValidator(not_negative)] = Field(
        le=10_000, description="A turn never has fewer than none.", examples=[86]
    )


def no_reason(said: object) -> None:
    if said is not None:
        raise ValueError("belongs to what an official decides: why the game ended is `end_reason`")


# As rulesets say it, where a `Game` is one that somebody plays at a table.
type Family = Literal["scrabble", "gomoku-pisqworky", "gomoku-cfp", "carcassonne", "othello"]

NAMES_OF_GAMES: Mapping[Family, str] = {
    "scrabble": "Scrabble",
    "gomoku-pisqworky": "Pisqworky",
    "gomoku-cfp": "Gomoku",
    "carcassonne": "Carcassonne",
    "othello": "Othello",
}
FAMILY = "Need not be said: whoever names another game than is played is refused."

PLAYED = Field(
    description="The game that is played: a report has the fields of that one. Null before the rules are known here.",
    examples=["scrabble"],
)


class ToSay(AnyAccount):
    """How a game ended, and what the sheet says of it besides. What files for `adjudicate` call `reason`, the words of the
    rules for why it ended, is `end_reason` here: a `reason` is what somebody says about what they do.

    It is read before it is known which game is played, so it has the fields of all of them. Callers are shown a form for each
    game, with the fields of that one."""

    called: ClassVar[str]  # the second word of the names of these forms

    family: Family | None = Field(default=None, description=FAMILY, examples=["scrabble"])
    reason: SkipJsonSchema[Annotated[None, BeforeValidator(no_reason)]] = None  # pyright: ignore[reportIncompatibleVariableOverride] - of the account
    end_reason: str | None = Field(
        default=None,
        max_length=64,
        description="Why a game of gomoku ended: one of the reasons that the ruleset lists for this ending.",
        examples=["five_claimed"],
    )
    first: str | None = FIRST
    deciding: tuple[Literal[0, 1, "draw"], ...] = Field(
        default=(),
        max_length=5,
        description="Of a drawn match of a play-off: the seat that has won each deciding duel, or `draw`.",
        examples=[[]],
    )
    unmoved: tuple[Seat, ...] | None = Field(
        default=None,
        max_length=4,
        description="Seats that have not made a single move, where it matters whether they have.",
        examples=[None],
    )

    @classmethod
    @override
    def fields_of(cls, game: Family) -> set[str]:
        own = super().fields_of(game)
        foreign = AnyAccount.model_fields.keys() - own
        return {*cls.model_fields} - foreign - ({"reason"} if "reason" in own else {"end_reason"})

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": named(forms_by_game(cls), handler)}

    def as_account(self) -> AnyAccount:
        """As it is adjudicated."""
        return self if self.end_reason is None else self.with_reason()

    def with_reason(self) -> AnyAccount:
        """The account alone, in which why the game ended is `reason`."""
        said = {name: getattr(self, name) for name in AnyAccount.model_fields} | {"reason": self.end_reason}
        given = (self.model_fields_set & AnyAccount.model_fields.keys()) - {"reason"}
        return AnyAccount.model_construct(given if self.end_reason is None else given | {"reason"}, **said)


class OfOneGame(BaseModel):
    """What may be said of one game: what may be said of any, and what such a game has of its own. They are put together where
    the form is shown, since several forms have the same parts."""

    parts: ClassVar[tuple[type[BaseModel], ...]] = ()

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        besides = {"properties": handler(schema)["properties"]} if cls.model_fields else {}
        return {"type": "object", "allOf": named(cls.parts, handler), **besides, "unevaluatedProperties": False}


def named(forms: Iterable[type[BaseModel]], handler: GetJsonSchemaHandler) -> list[JsonSchemaValue]:
    """Each by its name."""
    return handler(union_schema([form.__pydantic_core_schema__ for form in forms]))["anyOf"]


@cache
def forms_by_game(bag: type[ToSay]) -> tuple[type[OfOneGame], ...]:
    """What one form reads for all games, as a form for each."""
    common = part(f"Any{bag.called}", bag, fields_of_all(bag) - {"family"})
    return tuple(form_of(game, bag, common) for game in NAMES_OF_GAMES)


def form_of(game: Family, bag: type[ToSay], common: type[BaseModel]) -> type[OfOneGame]:
    own = fields_of_game(game)
    besides = bag.fields_of(game) - common.model_fields.keys() - own.model_fields.keys()
    form = create_model(f"{NAMES_OF_GAMES[game]}{bag.called}", __base__=OfOneGame, **fields(bag, besides))
    form.parts = common, own
    return form


@cache
def fields_of_game(game: Family) -> type[BaseModel]:
    """What such a game has of its own, whatever is said of it."""
    family = Literal[game], Field(default=None, description=FAMILY, examples=[game])
    return part(f"Of{NAMES_OF_GAMES[game]}", ToSay, ToSay.fields_of(game) - fields_of_all(ToSay), family=family)


def fields_of_all(bag: type[ToSay]) -> set[str]:
    return {name for name in bag.model_fields if all(name in bag.fields_of(game) for game in NAMES_OF_GAMES)}


def part(name: str, bag: type[ToSay], among: Collection[str], **instead: Any) -> type[BaseModel]:
    return create_model(name, **fields(bag, among) | instead)


def fields(bag: type[ToSay], among: Collection[str]) -> dict[str, Any]:
    return {name: (field.annotation, field) for name, field in bag.model_fields.items() if name in among}


class ToReport(ToSay):
    """What happened at the table."""

    called = "Report"

    signed_by: tuple[Seat, ...] = Field(
        default=(),
        max_length=4,
        description="Seats that have signed the sheet. Entered by an official or a scorer, a sheet that all have "
        "signed is final at once.",
        examples=[[0, 1]],
    )
    flags: tuple[Seat, ...] = Field(default=(), max_length=4, description="Seats whose clock ran out.", examples=[[]])
    highest_turn: Turn | None = Field(default=None, description="The best turn of the game, and whose it was.")
    bingos: tuple[Turn, ...] = Field(default=(), max_length=40, description="Turns with all tiles of a rack.")

    @classmethod
    @override
    def fields_of(cls, game: Family) -> set[str]:
        return super().fields_of(game) - (set() if game == "scrabble" else {"highest_turn", "bingos"})


class ToConfirm(RequestBody):
    report: int = Field(
        ge=1,
        description="The number of the report that you have seen, so that no other one is confirmed.",
        examples=[1],
    )


class ToDispute(RequestBody):
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["The last turn is missing."])


class ToStart(RequestBody):
    first: str | None = FIRST


class ToPostpone(RequestBody):
    until: AwareDatetime | None = Field(
        default=None, description="When it goes on, if that is known.", examples=["2026-03-14T15:30:00+01:00"]
    )
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["A clock is broken."])


class SeatedPlayer(BaseModel):
    """Who sits there, as pairing shows them too."""

    entrant: str = Field(examples=[ADA])
    number: int | None = Field(description="The start number.", examples=[12])
    name: str | None = Field(
        description="As spectators, or officials, are shown it. Null where it is not known or was erased, and in answers to "
        "acts on a game that is named by its id, which are kept without names.",
        examples=["Zuzana Kováčová"],
    )
    home: str | None = Field(
        description="What the school or club is called that they come from, as far as that is shown.",
        examples=["Gymnázium Poštová 9"],
    )


class Result(BaseModel):
    """What counts, seat by seat. Seats are counted from 0, as in what is sent; `first` is an entrant, as pairing has it."""

    scores: list[Figure] = Field(examples=[[380, 350]])
    points: list[Figure] = Field(examples=[[1, 0]])
    winner: Annotated[int, Field(ge=0, lt=MOST_SEATS)] | Literal["draw"] | None = Field(
        description="Who has won: the seat, or `draw`. Of a drawn match that went on, and of a draw that counts as a win, who "
        "goes on. Null where nobody has won any point.",
        examples=[0],
    )
    end: str = Field(description="How the game ended.", examples=["played"])
    end_reason: str | None = Field(
        description="Why, where it was said or the moves show it: by the words of the ruleset.", examples=[None]
    )
    by: list[int] = Field(description="The seats at fault.", examples=[[]])
    first: str | None = Field(description="Who really started, where somebody has said it.", examples=[ADA])
    draw_wins: int | None = Field(description="The seat for which a draw counts as a win.", examples=[None])
    deciding: list[Literal[0, 1] | Literal["draw"]] = Field(  # noqa: PYI030 - a document has a form for each kind of word
        description="What the deciding duels of a drawn match gave: the seat that has won, or `draw`.", examples=[[]]
    )
    decided_by: str | None = Field(
        description="By what a drawn match was decided: `duel1`, `duel2` or `lot`.", examples=[None]
    )
    unmoved: list[int] | None = Field(description="Seats without a single move, where it was said.", examples=[None])


class ResultCorrection(BaseModel):
    """That another result had been final before."""

    at: datetime = Field(examples=["2026-03-14T16:10:00Z"])
    reason: str | None = Field(
        description="Why, in the words of the official; null for spectators, and once it is erased.",
        examples=["Both sheets were added up anew."],
    )


class Report(BaseModel):
    """What somebody stands by."""

    number: int = Field(description="1, 2, 3 … on this sheet: what to name when you confirm it.", examples=[1])
    who: str = Field(description="The opaque id of who reported.", examples=["d0f3c1"])
    entrant: str | None = Field(description="For whom a captain spoke; null for an official.", examples=[ADA])
    result: Result
    signed_by: list[int] = Field(examples=[[0, 1]])
    flags: list[int] = Field(examples=[[]])
    highest_turn: Turn | None
    bingos: list[Turn]
    said: dict[str, Any] = Field(
        description="What the result follows from, as it was sent: boards, moves, what stood there.", examples=[{}]
    )


class Choice(BaseModel):
    entrant: str = Field(examples=[ADA])
    takes: Literal["colour", "draw"] = Field(examples=["colour"])
    first: str | None = Field(description="With the colour: who begins.", examples=[ADA])
    draw_wins: int | None = Field(description="The seat for which a draw counts as a win from then on.", examples=[1])
    late: bool = Field(description="Announced later than the rules ask for.", examples=[False])


class LineUp(BaseModel):
    entrant: str = Field(examples=[ADA])
    persons: list[str | None] = Field(description="Board by board; null where nobody sits.", examples=[["p1", None]])


class Wish(BaseModel):
    entrant: str = Field(examples=[ADA])
    wish: str = Field(examples=["board-draw"])


class Clock(BaseModel):
    minutes: float | None = Field(
        description="That this side has; null where the rules set no time for a side.", examples=[22]
    )
    changes: dict[str, float] = Field(description="By how many it was changed, and why.", examples=[{"late": -9}])


class Deciding(BaseModel):
    duels: int = Field(examples=[2])
    minutes: float | None = Field(description="Of each side's clock.", examples=[5])
    minutes_of_duel: float | None = Field(description="Of both together, where there are no clocks.", examples=[10])
    opening: str | None = Field(examples=["swap1"])
    then: str = Field(examples=["lot"])


class PeriodShown(BaseModel):
    moves: int | None = Field(description="Null: all that are left.", examples=[30])
    minutes: float = Field(examples=[45])


class Terms(BaseModel):
    """What the rules say about how it is played. Nobody is held to it by a clock of ours."""

    clocks: list[Clock] = Field(description="Seat by seat.")
    periods: list[PeriodShown] = Field(
        description="Where the time goes by moves: each side's, one after the other. The clock shows the first at the "
        "beginning.",
        examples=[[]],
    )
    minutes_of_turn: float | None = Field(examples=[None])
    turn_warnings: list[int] = Field(
        description="How many seconds before the end of a turn that is said.", examples=[[]]
    )
    measured_at: str = Field(description="Every table, or slow tables only.", examples=["every-table"])
    clocks_by: str | None = Field(
        description="Who brings the clocks, or that officials measure; null where nobody said.", examples=[None]
    )
    minutes_of_duel: float | None = Field(
        description="Of a duel, where it is played without clocks: what both sides have together.", examples=[None]
    )
    latest_start: int | None = Field(description="Minutes; who comes later has lost.", examples=[22])
    limit: int | None = Field(description="Minutes after the start of the round.", examples=[None])
    opening: str | None = Field(examples=[None])
    starter: str = Field(
        description="Who starts: by the pairing, by choice, by the server, by lot.", examples=["choice"]
    )
    boards: int = Field(description="Of a match of teams.", examples=[0])
    variant: list[str] = Field(
        description="Of Scrabble, in which it was announced; of Carcassonne, for the form that is a record of the game.",
        examples=[[]],
    )
    tiles: str | None = Field(description="Of Scrabble, the set by which racks are counted.", examples=["sk-100"])
    deciding: Deciding | None = Field(description="How a drawn match goes on.")
    confirmed_by: str = Field(examples=["both-sides"])
    in_words: list[str] = Field(
        description="What holds for the time, as it stands on sheets.",
        examples=[["Each side has 22 minutes for a game."]],
    )


class Complaint(BaseModel):
    number: int = Field(examples=[1])
    upheld: bool | None = Field(description="Null while nobody has answered.", examples=[None])


class SaidNo(BaseModel):
    """Somebody at the table, or an official, who contradicts what was reported."""

    entrant: str | None = Field(description="For whom; null: an official.", examples=[ADA])
    reason: str | None = Field(
        description="In their words; null where they gave none, where it was erased, and in answers to acts.",
        examples=["The last turn is missing."],
    )


class Game(BaseModel):
    """A game and its score sheet."""

    id: str = Field(examples=[GAME])
    tournament: str = Field(examples=[TOURNAMENT])
    family: Family | None = PLAYED
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    table: int = Field(examples=[7])
    room: str | None = Field(description="Where the table stands, if rooms were named.", examples=["Library"])
    label: str | None = Field(description="What stands on it there.", examples=["L7"])
    seats: list[SeatedPlayer] = Field(description="Seat 0 first.")
    first: str | None = Field(description="The entrant who is named first, or starts, by the pairing.", examples=[ADA])
    option: str | None = Field(
        description="The entrant who may choose the colour, or who starts, instead.", examples=[None]
    )
    group: str | None = Field(examples=[None])
    match: str | None = Field(description="Of a play-off.", examples=[None])
    number: int | None = Field(description="Of the game inside its match.", examples=[None])
    starts_at: str | None = Field(description="As the round was planned.", examples=[None])
    choices: list[Choice] = Field(description="What was chosen before the game.")
    line_ups: list[LineUp] = Field(
        description="Who sits at which board of a match of teams. Before it begins only for those at the table and the "
        "officials."
    )
    boards_drawn: bool = Field(description="Whether the opponents at the boards were drawn by lot.", examples=[False])
    seats_drawn: list[str] | None = Field(description="The order of seats, where it was drawn.", examples=[None])
    drawn_again: list[str] = Field(
        description="How anybody draws again what a lot has decided here. Empty in the answer to an act.", examples=[[]]
    )
    wishes: list[Wish] = Field(description="What somebody at the table has asked for.")
    terms: Terms | None = Field(description="What the rules say of it; null before they are known here.")
    complaints: list[Complaint] = Field(description="About the result that stands.")
    status: GameStatus = STATUS
    postponed_until: str | None = Field(examples=[None])
    result: Result | None = Field(description="Once it is final.")
    corrected: bool = Field(description="Whether another result had been final before this one.", examples=[False])
    correction: ResultCorrection | None = Field(
        description="When and why, as far as the caller may know; null in answers to acts."
    )
    reports: list[Report] | None = Field(
        description="What each side or official stands by; null for those who do not play or officiate here."
    )
    objections: int | None = Field(description="How many say no without a report of their own.", examples=[0])
    objected: list[SaidNo] | None = Field(
        description="Who they are, and why; null for those who do not play or officiate here."
    )
    awaits_director: bool | None = Field(
        description="Whether something was reported that only the director decides, such as a default online: it is final when "
        "he confirms it or decides; null for those who do not play or officiate here.",
        examples=[False],
    )
    allowed_actions: Actions = allowed(*ACTIONS_OF_GAMES)


class Step(BaseModel):
    """One thing that happened to the sheet."""

    at: datetime = Field(examples=["2026-03-14T15:30:00Z"])
    what: str = Field(description="The name of what happened.", examples=["ResultReported"])
    who: str = Field(description="The opaque id of who did it, or the service that told of it.", examples=["d0f3c1"])
    role: str | None = Field(description="In which.", examples=["scorer"])
    operation: str | None = Field(description="By which.", examples=["reportResult"])
    version: int = Field(description="Of the sheet with it.", examples=[2])
    report: Report | None = Field(description="What was reported.")
    result: Result | None = Field(description="What counts from then on.")
    reason: str | None = Field(description="Where one was given, and not erased.", examples=[None])


class Story(BaseModel):
    steps: list[Step] = Field(description="From the first to the last.")


ENTRANT = Field(
    pattern=IDS,
    json_schema_extra=id_of("entrant"),
    description="Whose it is: a captain's own entrant.",
    examples=[ADA],
)


class ToChoose(RequestBody):
    entrant: str = ENTRANT
    takes: Literal["colour", "draw"] = Field(
        description="The colour, and then a draw counts for the other side; or the draw, and then the other side takes "
        "the colour. In a match of several games there is only the colour.",
        examples=["colour"],
    )
    first: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("entrant"),
        description="With the colour: who begins, with black.",
        examples=[ADA],
    )


class ToLineUp(RequestBody):
    entrant: str = ENTRANT
    persons: tuple[Annotated[str, Field(pattern=IDS, json_schema_extra=id_of("player"))] | None, ...] = Field(
        max_length=20,
        description="Ids of persons of the team, board by board; null where nobody sits.",
        examples=[["p1", "p2", None]],
    )


class ToAsk(RequestBody):
    entrant: str = ENTRANT
    wish: Literal["board-draw", "seat-draw", "chess-clocks", "own-clocks", "swap2"] = Field(
        description="What the rules give to whoever asks for it.", examples=["board-draw"]
    )


class ToChangeClock(RequestBody):
    seat: Seat
    minutes: Exact | None = Field(
        default=None,
        description="More than the rules give, or below zero, as for who comes late. For each reason the last one sent "
        "holds. For `referee` it may be left out: then what the rules give for a call is added, for each call again.",
        examples=[-9],
    )
    why: Literal["late", "special-needs", "penalty", "referee", "clock"] = Field(
        description="Came late; special needs; a penalty; also referees; a clock was set anew.", examples=["late"]
    )
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["Came nine minutes late."])


class ToResetClocks(RequestBody):
    turns: int = Field(ge=0, le=1000, description="That were played, of both sides together.", examples=[9])
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["The tiles were spilled."])
