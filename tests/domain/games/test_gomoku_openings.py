"""How games of gomoku are opened: SWAP, SWAP2, PRO, and the openings of pIšQworky with their free symbols."""

from collections.abc import Sequence

import pytest

from services.results.games.ending_accounts import IllegalMove
from services.results.games.gomoku.board import POINTS
from services.results.games.gomoku.play import judge
from services.results.games.gomoku.profiles import CFP, PISQWORKY, Profile
from services.results.games.records import read_record

type Moves = Sequence[object]

THREE: list[object] = [[7, 7], [7, 8], [8, 8]]
ADDED: list[object] = [*THREE, [0, 0], [0, 1]]
SYMBOLS: list[object] = [[7, 7, "cross"], [7, 8, "nought"], [8, 8, "cross"]]
BLACK = {"take": "black"}
WHITE = {"take": "white"}


def goes_on(profile: Profile, opening: str, moves: Moves, saying: str) -> None:
    assert judge(profile, opening, moves).explanation == f"The game goes on: {saying}."


def refused(profile: Profile, opening: str, moves: Moves, rule: str, saying: str) -> None:
    """The last move breaks this rule."""
    with pytest.raises(IllegalMove, match=saying) as error:
        judge(profile, opening, moves)
    assert (error.value.index, error.value.rule) == (len(moves) - 1, rule)


@pytest.mark.rule("CFP.RES-7", "CFP.RES-8")
@pytest.mark.parametrize(
    ("opening", "moves", "next_to_move"),
    [
        ("swap", [*THREE, WHITE], "white, seat 1, is to move"),
        ("swap", [*THREE, BLACK], "white, seat 0, is to move"),
        ("swap2", [*THREE, WHITE], "white, seat 1, is to move"),
        ("swap2", [*THREE, BLACK], "white, seat 0, is to move"),
        ("swap2", [*ADDED, BLACK], "white, seat 1, is to move"),
        ("swap2", [*ADDED, WHITE], "white, seat 0, is to move"),
    ],
)
def test_white_moves_after_the_opening_whoever_plays_it(opening: str, moves: Moves, next_to_move: str) -> None:
    """CFP.V7."""
    goes_on(CFP, opening, moves, next_to_move)


@pytest.mark.rule("CFP.RES-7")
def test_in_swap2_the_second_chooses_or_adds_and_then_the_first_chooses() -> None:
    goes_on(CFP, "swap2", THREE[:1], "seat 0 has 2 more to lay")
    goes_on(CFP, "swap2", THREE, "seat 1 has to take a colour or to add one stone of each")
    goes_on(CFP, "swap2", ADDED[:4], "seat 1 has 1 more to lay")
    goes_on(CFP, "swap2", ADDED, "seat 0 has to take a colour")


@pytest.mark.rule("CFP.X-1")
@pytest.mark.parametrize(
    ("more", "happened"),
    [
        ([{"resign": 1}], [("StonePlaced", (3,)), ("Resigned", (4,))]),
        ([{"claim": "time", "by": 0}], [("StonePlaced", (3,)), ("TimeClaimed", (4,))]),
        ([{"offer": "draw"}, [0, 1]], [("TwoStonesAdded", (3, 5)), ("DrawOffered", (4,))]),
    ],
)
def test_what_is_said_between_two_added_stones_keeps_its_name(
    more: Moves, happened: list[tuple[str, tuple[int, ...]]]
) -> None:
    found = read_record("gomoku-cfp", [*ADDED[:4], *more], "swap2").happened
    assert [(one.what, one.moves) for one in found][3:] == happened


@pytest.mark.rule("CFP.RES-7")
@pytest.mark.parametrize(
    ("moves", "saying"),
    [
        pytest.param([[7, 7, "white"]], "it is black that moves", id="the first not black"),
        pytest.param([[7, 7], [7, 8, "black"]], "it is white that moves", id="the second not white"),
        pytest.param([*THREE[:2], BLACK], "seat 0 has 1 more to lay", id="only two stones"),
        pytest.param([*ADDED, [1, 1]], "seat 0 has to take a colour", id="a third stone added"),
        pytest.param([*ADDED[:4], BLACK], "seat 1 has 1 more to lay", id="only one stone added"),
        pytest.param([*ADDED[:4], [0, 1, "white"]], "it is black that moves", id="two of one colour added"),
        pytest.param([*THREE, BLACK, WHITE], "the colours are settled", id="chosen twice"),
        pytest.param([*THREE, {"take": "black", "by": 0}], "the choice is with seat 1", id="by the wrong player"),
        pytest.param([*ADDED, {"take": "black", "by": 1}], "the choice is with seat 0", id="by who has added"),
    ],
)
def test_swap2_refuses(moves: Moves, saying: str) -> None:
    refused(CFP, "swap2", moves, "CFP.RES-7", saying)


@pytest.mark.rule("CFP.RES-9")
def test_in_swap_nobody_adds() -> None:
    refused(CFP, "swap", [*THREE, [0, 0]], "CFP.RES-9", "seat 1 has to take a colour")


@pytest.mark.rule("CFP.RES-9")
def test_pro_leaves_eight_second_and_two_hundred_third_stones() -> None:
    """CFP.V6."""
    assert legal([]) == [(7, 7)]
    assert len(legal([[7, 7]])) == 8
    assert len(legal([[7, 7], [6, 6]])) == 200
    assert len(legal([[7, 7], [6, 6], [0, 0]])) == 225 - 3


def legal(before: Moves) -> list[tuple[int, int]]:
    """Where the next stone of PRO may go."""
    return [(point.row, point.column) for point in POINTS if may_go_on([*before, [point.row, point.column]])]


def may_go_on(moves: Moves) -> bool:
    try:
        judge(CFP, "pro", moves)
    except IllegalMove:
        return False
    return True


@pytest.mark.rule("CFP.RES-9")
def test_in_pro_the_opener_is_black_and_nobody_chooses() -> None:
    goes_on(CFP, "pro", [], "black, seat 0, is to move")
    goes_on(CFP, "pro", [[7, 7]], "white, seat 1, is to move")
    refused(CFP, "pro", [[7, 7], [7, 8], [0, 0], WHITE], "CFP.RES-9", "the colours are settled")
    refused(CFP, "pro", [[7, 6]], "CFP.RES-9", "1 from the centre, where stone 1 has to be 0")
    refused(CFP, "pro", [[7, 7], [7, 9]], "CFP.RES-9", "2 from the centre, where stone 2 has to be 1")
    refused(CFP, "pro", [[7, 7], [7, 8], [9, 9]], "CFP.RES-9", "2 from the centre, where stone 3 has to be 3 or more")


@pytest.mark.rule("PQ.RES-13")
@pytest.mark.parametrize(
    "three",
    [
        ["cross", "nought", "cross"],
        ["cross", "cross", "nought"],
        ["nought", "nought", "cross"],
        ["nought", "cross", "nought"],
    ],
)
def test_in_pisqworky_who_has_fewer_symbols_moves_next(three: list[str]) -> None:
    moves: list[object] = [[0, column, symbol] for column, symbol in enumerate(three)]
    fewer = min(three, key=three.count)
    more = "cross" if fewer == "nought" else "nought"
    for opening in ("swap1", "swap2"):
        goes_on(PISQWORKY, opening, [*moves, {"take": fewer}], f"{fewer}, seat 1, is to move")
        goes_on(PISQWORKY, opening, [*moves, {"take": more}], f"{fewer}, seat 0, is to move")
        goes_on(PISQWORKY, opening, [*moves, {"take": more}, [5, 5]], f"{more}, seat 1, is to move")
    for added in (["cross", "nought"], ["nought", "cross"]):
        five = [*moves, [1, 0, added[0]], [1, 1, added[1]]]
        goes_on(PISQWORKY, "swap2", [*five, {"take": fewer}], f"{fewer}, seat 0, is to move")


@pytest.mark.rule("PQ.RES-13", "PQ.D29")
@pytest.mark.parametrize(
    ("opening", "moves", "saying"),
    [
        pytest.param("swap1", [[7, 7]], "does not say whether it is cross or nought", id="no symbol named"),
        pytest.param(
            "swap1", [[7, 7, "cross"], [7, 8, "cross"], [7, 9, "cross"]], "the third cross", id="three of one kind"
        ),
        pytest.param("swap1", [*SYMBOLS, [0, 0, "cross"]], "seat 1 has to take", id="a fourth symbol"),
        pytest.param("swap2", [*SYMBOLS, [0, 0]], "does not say", id="no symbol named of the fourth"),
        pytest.param(
            "swap2", [*SYMBOLS, [0, 0, "cross"], [0, 1, "cross"]], "the second cross", id="two of one kind added"
        ),
        pytest.param("swap1", [*SYMBOLS, {"take": "nought"}, [7, 7]], "occupied", id="a field that is not free"),
        pytest.param("swap1", [*SYMBOLS, {"take": "nought"}, [0, 15]], "outside", id="outside the board"),
        pytest.param(
            "swap1", [*SYMBOLS, {"take": "nought"}, [0, 0, "cross"]], "it is nought that moves", id="the wrong side"
        ),
    ],
)
def test_pisqworky_refuses(opening: str, moves: Moves, saying: str) -> None:
    refused(PISQWORKY, opening, moves, "PQ.RES-13", saying)
