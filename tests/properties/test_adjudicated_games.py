"""Laws of every game: who sits where changes nothing, points add up, and what is damaged is refused."""

import json
import random
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.results.calculate import Adjudicated, adjudicate
from shared.http.problems import document_of
from shared.refusals import Refusal
from shared.rulesets import catalogue
from tests.adjudicated import examples, table_of
from tests.exploring import tries
from tests.properties.test_damaged_files import VALUES, places

NAMED = [table_of(example) for kind in ("gives", "refused") for _, example in examples(kind)]
WHOLE = [table | {"ruleset": catalogue.load(table["ruleset"]).model_dump(mode="json")} for table in NAMED[::20]]
MORE: list[Any] = [
    *VALUES,
    "draw",
    "played",
    "bye",
    "awarded",
    "time",
    [[0, 1]],
    {"resign": 0},
    10**30,
    [True, False],
    65,
]
FIELDS = [
    "boards",
    "board",
    "by",
    "discs",
    "draw_wins",
    "end",
    "first",
    "flag",
    "moves",
    "opening",
    "points",
    "reasons",
    "winner",
]

DUELS = st.sampled_from([0, 1, "draw", None])
SEATS = st.sampled_from([0, 1])
SCORES = st.integers(-200, 900)
COUNTS = st.tuples(st.integers(0, 64), st.integers(0, 64)).filter(lambda discs: 4 <= sum(discs) <= 64)


def game(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(fields)


def ends(end: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return game(end=st.just(end), **fields)


SHEET = st.tuples(SCORES, SCORES)
TABLE = st.tuples(st.integers(0, 200), st.integers(0, 200))
MATCH = st.lists(st.tuples(DUELS, DUELS), min_size=5, max_size=5)
GAMES: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "scrabble-sk-2022-qt": game(scores=SHEET) | ends("no_show", by=SEATS) | ends("resigned", by=SEATS, scores=SHEET),
    "scrabble-sk-2022-online": ends("disconnected", by=SEATS, scores=SHEET)
    | ends("time_over", by=SEATS, scores=SHEET)
    | ends("agreed_draw", scores=SHEET, confirmed=st.tuples(st.booleans(), st.booleans()))
    | ends("record_lost", agreed_winner=SEATS | st.none()),
    "pisqworky-2025-ss-grf": game(boards=MATCH)
    | ends("no_show", by=SEATS)
    | ends("left_party", by=SEATS, board=st.integers(0, 4), boards=MATCH),
    "gomoku-cfp": game(winner=SEATS | st.just("draw")),
    "carcassonne-cz-final": game(scores=TABLE) | game(scores=TABLE, flag=SEATS),
    "othello-pl-2021": game(discs=COUNTS)
    | game(discs=COUNTS, draw_wins=SEATS)
    | ends("refused", by=SEATS)
    | ends("time", first=SEATS, second=SEATS)
    | ends("time", first=SEATS, discs=COUNTS),
}
PLAYED = st.sampled_from(sorted(GAMES)).flatmap(lambda name: st.tuples(st.just(name), GAMES[name]))
OF_A_SEAT = ("by", "first", "second", "flag", "winner", "agreed_winner", "draw_wins")
OF_BOTH = ("scores", "discs", "confirmed", "points", "success")


def swapped(content: dict[str, Any]) -> dict[str, Any]:
    """As it is seen from the other side of the table."""
    return {name: other(name, value) for name, value in content.items()}


def other(name: str, value: Any) -> Any:
    match name, value:
        case _, None:
            return None
        case "boards", _:
            return [[other("winner", duel) for duel in board] for board in value]
        case _, 0 | 1 if name in OF_A_SEAT:
            return 1 - value
        case _ if name in OF_BOTH:
            return [*reversed(value)]
        case _:
            return value


def answer(ruleset: str, told: dict[str, Any]) -> dict[str, Any]:
    return adjudicate({"ruleset": ruleset, "game": told}).model_dump(exclude_unset=True)


@given(PLAYED)
@settings(max_examples=tries(300), deadline=None)
def test_who_sits_where_changes_nothing(played: tuple[str, dict[str, Any]]) -> None:
    ruleset, told = played
    assert answer(ruleset, swapped(told)) == swapped(answer(ruleset, told))


@given(PLAYED)
@settings(max_examples=tries(300), deadline=None)
def test_what_a_game_gives_adds_up(played: tuple[str, dict[str, Any]]) -> None:
    ruleset, told = played
    found = answer(ruleset, told)
    score, points = sum(found["scores"]), sum(found["points"])
    match catalogue.load(ruleset).game:
        case "othello":
            assert (score, points) == (64, 1)
        case "gomoku-cfp":
            assert (score, points) == (1, 1)
        case "gomoku-pisqworky":
            empty = sum(
                duel is None
                for number, board in enumerate(told.get("boards", ()))
                for duel in board
                if number != told.get("board")
            )
            assert (score, points) == (20 - 2 * empty, 2)
        case "carcassonne":
            assert (points, round(sum(found["success"]), 5)) == (6, 1)
        case "scrabble":
            assert points == (0 if told.get("end") == "record_lost" and told["agreed_winner"] is None else 1)


@given(st.lists(st.integers(0, 200), min_size=3, max_size=4))
@settings(max_examples=tries(100), deadline=None)
def test_a_table_shares_all_its_points(scores: list[int]) -> None:
    found = answer("carcassonne-cz-qualification", {"scores": scores})
    assert sum(found["points"]) == (10 if len(scores) == 4 else 9)
    assert round(sum(found["success"]), 5) == (1 if len(scores) == 4 else 0.75)
    by_score = sorted(zip(scores, found["points"], strict=True))
    assert [points for _, points in by_score] == sorted(found["points"])


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    chance = random.Random(draw(st.integers(0, 2**32)))
    table = deepcopy(chance.choice(NAMED + WHOLE))
    for _ in range(chance.randint(1, 3)):
        where: list[tuple[Any, Any]] = [*places(table), (table, "game")]
        holder, step = chance.choice(where)
        match chance.choice(["gone", "other", "more"]):
            case "gone" if step in holder or isinstance(holder, list):
                del holder[step]
            case "more":
                table.setdefault("game", {})
                if isinstance(table["game"], dict):
                    table["game"][chance.choice(FIELDS)] = deepcopy(chance.choice(MORE))
            case _:
                holder[step] = deepcopy(chance.choice(MORE))
    return table


@given(damaged())
@settings(max_examples=tries(600), deadline=None)
def test_a_damaged_account_is_adjudicated_or_refused(table: dict[str, Any]) -> None:
    from_object, from_file = answered(table), answered(json.dumps(table).encode())
    assert from_object
    assert from_file


def answered(table: object) -> str:
    try:
        found: Adjudicated = adjudicate(table)
    except Refusal as refusal:
        return document_of(refusal).model_dump_json()
    return found.model_dump_json(exclude_unset=True)


def test_half_a_letter_anywhere_is_refused() -> None:
    for table in map(deepcopy, NAMED[::4]):
        for holder, step in list(places(table)):
            sound, holder[step] = holder[step], "\ud800"
            assert "errors" in answered(table)
            holder[step] = sound
