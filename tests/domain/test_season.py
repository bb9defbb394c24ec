"""The Slovak Scrabble season: points of places, cup, qualification, ratings."""

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.standings.seasons.calculate import SeasonStandings, summed
from shared.faults import Faulty
from shared.refusals import Refusal
from shared.rulesets import seasons

SEASON = "scrabble-sk-2022"
KINDS = ["live", "live-replaced", "online", "pairs", "m", "written", "internet", "championship", "laying-out"]


def year(*tournaments: dict[str, Any], players: Iterable[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """With everybody who is named anywhere."""
    known = {player["id"]: player for player in players}
    named = [one["player"] for held in tournaments for one in held.get("places", ())]
    named += [player for held in tournaments for game in held.get("games", ()) for player in game["players"]]
    named += [player for held in tournaments for player in held.get("organisers", ())]
    everybody = {name: known.get(name, {"id": name}) for name in [*known, *named]}
    numbered = [{"id": f"T{number}"} | held for number, held in enumerate(tournaments, 1)]
    return {"season": SEASON, "players": list(everybody.values()), "tournaments": numbered} | more


def held(kind: str, *places: str, **more: Any) -> dict[str, Any]:
    """`N3` reached the third place; `N3!` was expelled."""
    return {
        "kind": kind,
        "places": [
            {"player": one[0], "place": int(one[1:].rstrip("!")), "expelled": one.endswith("!")} for one in places
        ],
    } | more


def cup_points(found: SeasonStandings) -> dict[str, float]:
    return {row.player: row.points for row in found.cup}


def qualified(found: SeasonStandings) -> list[str]:
    return [row.player for row in found.qualification if row.qualified]


def rating_after(found: SeasonStandings, player: str, rating_list: str = "live") -> float:
    (row,) = [row for row in found.ratings if (row.player, row.list) == (player, rating_list)]
    return row.after


@pytest.mark.rule("SK.STA-4")
def test_places_are_worth_40_35_32_30_and_then_one_less_each() -> None:
    places = seasons.load(SEASON).places
    assert places == (40, 35, 32, 30, *range(28, 0, -1))
    assert (len(places), sum(places)) == (32, 543)
    assert cup_points(summed(year(held("live", "A32", "B33", "C1")))) == {"C": 40, "A": 1, "B": 0}


@pytest.mark.rule("SK.STA-4", "SK.RES-6", "SK.RES-7", "SK.RES-10")
def test_the_points_of_the_expelled_go_to_nobody() -> None:
    found = summed(year(held("live", "A1", "B2", "C3!", "D4")))
    assert cup_points(found) == {"A": 40, "B": 35, "D": 30, "C": 0}
    assert [row.points for row in found.qualification] == [40, 35, 30, 0]


@pytest.mark.rule("SK.STA-6")
def test_the_cup_is_worth_at_most_600() -> None:
    everything = [held(kind, "A1") for kind in KINDS for _ in range(8)]
    found = summed(year(*everything))
    assert cup_points(found) == {"A": 600}
    assert len(found.cup[0].slots) == 6 + 7


@pytest.mark.rule("SK.STA-6", "SK.STA-10")
@pytest.mark.parametrize(
    ("tournaments", "points"),
    [
        ([held("live", f"A{place}") for place in (1, 1, 2, 2, 3, 3, 4, 4)], 40 + 40 + 35 + 35 + 32 + 32),
        ([held("live-replaced", "A1"), held("online", "A2")], 40),
        ([held("online", "A2"), held("live-replaced", "A3")], 35),
        ([held("pairs", "A2", "B2"), held("pairs", "A3", "B3")], 35),
        ([held("m", "A1"), held("m", "A2")], 40),
        ([held("written", "A2"), held("written", "A1"), held("internet", "A4")], 70),
        ([held("championship", "A1"), held("laying-out", "A2")], 80 + 70),
    ],
)
def test_each_kind_fills_only_its_own_slot(tournaments: list[dict[str, Any]], points: int) -> None:
    assert cup_points(summed(year(*tournaments)))["A"] == points


@pytest.mark.rule("SK.STA-6")
def test_equal_sums_share_a_place_of_the_cup() -> None:
    found = summed(year(held("live", "A1", "B2"), held("live", "B1", "A2"), held("live", "C1")))
    assert [(row.player, row.place) for row in found.cup] == [("A", 1), ("B", 1), ("C", 3)]


@pytest.mark.rule("SK.STA-7")
@pytest.mark.parametrize("kind", ["written", "internet"])
def test_an_organiser_gets_the_fourth_best_live_result_if_it_is_better_than_the_own_one(kind: str) -> None:
    results = [*(held("live", f"A{place}") for place in (1, 2, 3, 4, 5)), held("online", "A1"), held("pairs", "A1")]
    bonus = summed(year(*results, held(kind, "A10", organisers=["A"]))).cup[0]
    assert [(one.points, one.bonus) for one in bonus.slots if one.tournament == "T8"] == [(30, True)]
    own = summed(year(*results, held(kind, "A1", organisers=["A"]))).cup[0]
    assert [(one.points, one.bonus) for one in own.slots if one.tournament == "T8"] == [(40, None)]


@pytest.mark.rule("SK.STA-7")
def test_a_contest_counts_once_for_its_organiser_whatever_bonuses_there_are() -> None:
    """By rules of one's own, by which two written contests count and two bonuses are for them."""
    rules = seasons.load(SEASON).model_dump(mode="json") | {
        "id": "own",
        "slots": [{"kinds": ["written"], "best": 2}],
        "bonuses": [
            {"kinds": ["written"], "as_result": 2, "of": ["live"]},
            {"kinds": ["written"], "as_result": 1, "of": ["online"]},
        ],
    }
    live = [held("live", "A1"), held("live", "A2"), held("online", "A3")]
    organised = summed(year(*live, held("written", "A4", "B1", organisers=["A"]), season=rules))
    assert cup_points(organised) == {"A": 35, "B": 40}
    (once,) = organised.cup[1].slots
    assert (once.tournament, once.points, once.bonus) == ("T4", 35, True)
    another = held("written", "A5", organisers=["B"])
    assert cup_points(summed(year(*live, held("written", "A4", organisers=["A"]), another, season=rules)))["A"] == 63


@pytest.mark.rule("SK.STA-7")
def test_with_fewer_than_four_live_results_there_is_no_bonus() -> None:
    live = [held("live", "A1"), held("live", "A1"), held("live", "A1"), held("live-replaced", "A1")]
    found = summed(year(*live, held("written", "B1", organisers=["A"])))
    assert cup_points(found)["A"] == 160


@pytest.mark.rule("SK.REG-10", "SK.STA-10")
def test_the_champion_and_the_best_of_all_qualifying_tournaments_qualify() -> None:
    held_here = [held("live", "A1", "B2", "C3"), held("pairs", "B1", "D1"), held("m", "C1"), held("online", "E33")]
    others = [held("championship", "E1"), held("written", "E1"), held("internet", "E1")]
    found = summed(year(*held_here, *others, players=[{"id": "Z", "champion": True}], field=4))
    assert [(row.player, row.points) for row in found.qualification] == [
        ("B", 75),
        ("C", 72),
        ("A", 40),
        ("D", 40),
        ("E", 0),
        ("Z", 0),
    ]
    assert qualified(found) == ["B", "C", "A", "Z"]
    assert found.reserves == ["D", "E"]


@pytest.mark.rule("SK.REG-10")
def test_32_qualify_unless_something_else_is_said() -> None:
    players = [f"P{number}" for number in range(40)]
    places = [{"player": player, "place": place} for place, player in enumerate(players, 1)]
    found = summed(year({"kind": "live", "places": places}, players=[{"id": "P39", "champion": True}]))
    assert qualified(found) == [*players[:31], "P39"]
    assert found.reserves[0] == "P31"


@pytest.mark.rule("SK.STA-5")
@pytest.mark.parametrize(
    ("tournaments", "better", "worse"),
    [
        # 35 + 32 against 40 + 27 where a cup result separates them
        ([held("live", "A1", "B3"), held("live", "A6", "B2"), held("championship", "B1")], "B", "A"),
        # 8 + 1 against 5 + 4 and 6 + 3 against 6 + 2 + 1
        ([held("m", "A25", "B28"), held("live", "A32", "B29")], "A", "B"),
        ([held("m", "A27"), held("m", "B27"), held("live", "A30", "B31"), held("live", "B32")], "A", "B"),
        # the same points, once more without any
        ([held("live", "A1", "B33"), held("live", "B1")], "B", "A"),
        # the same, in a larger field
        ([held("live", "A1", "X33"), held("live", "B1", "X33", "Y34")], "B", "A"),
        # of equal results the one in the larger field is the better, whenever that was
        (
            [
                held("m", "A1"),
                held("live", "A1", "X33", "Y34"),
                held("live", "B1", "X33", "Y34"),
                held("pairs", "B1", "X33"),
            ],
            "B",
            "A",
        ),
    ],
)
def test_a_tie_at_the_cut_is_broken(tournaments: list[dict[str, Any]], better: str, worse: str) -> None:
    for field in (1, 2):
        rows = [row.player for row in summed(year(*tournaments, field=field)).qualification if row.player in "AB"]
        assert rows == [better, worse]
    assert better in qualified(summed(year(*tournaments, field=1)))
    assert worse not in qualified(summed(year(*tournaments, field=1)))


@pytest.mark.rule("SK.STA-5")
def test_who_is_equal_in_everything_advances_together() -> None:
    found = summed(year(held("live", "A1", "B2"), held("live", "B1", "A2"), field=1))
    assert qualified(found) == ["A", "B"]
    assert not found.unresolved


def test_a_season_may_let_the_equal_wait_for_a_lot_instead() -> None:
    rules = seasons.load(SEASON).model_dump(mode="json")
    rules["cut"]["all_equal_advance"] = False
    found = summed(year(held("live", "A1", "B2"), held("live", "B1", "A2"), field=1, season=rules))
    assert not qualified(found)
    assert [(one.players, one.places) for one in found.unresolved] == [(["A", "B"], 1)]
    drawn = year(held("live", "A1", "B2", "C3"), held("live", "B1", "A2", "C3"), field=1, season=rules)
    for order in ("AB", "BA"):
        settled = summed(drawn | {"decisions": [{"kind": "lot", "order": [*order]}]})
        assert (qualified(settled), settled.reserves) == ([order[0]], [order[1], "C"])
    several = [{"order": ["A", "C"]}, {"kind": "decision", "order": ["A", "B", "C"]}]
    assert summed(drawn | {"decisions": several}).unresolved  # they are not just those who are equal


# Ratings


def games(*results: str) -> list[dict[str, Any]]:
    """`A-B` is a win of A, `A=B` a draw."""
    return [{"players": [one[0], one[2]], "points": [1, 0] if one[1] == "-" else [0.5, 0.5]} for one in results]


def player(name: str, rating: float, played: int = 100, **more: Any) -> dict[str, Any]:
    return {"id": name, "rating": rating, "games": played, "played_this_season": True} | more


@pytest.mark.rule("SK.STA-8")
def test_a_difference_of_110_is_an_expectation_of_65_percent() -> None:
    found = summed(year(held("live", games=games("A=B")), players=[player("A", 1710), player("B", 1600)]))
    assert rating_after(found, "A") == pytest.approx(1710 + (0.5 - 0.6532) * 20, abs=0.01)
    assert rating_after(found, "B") == pytest.approx(1600 + (0.5 - 0.3468) * 20, abs=0.01)


@pytest.mark.rule("SK.STA-8")
@pytest.mark.parametrize(
    ("rating", "played", "factor"),
    [(1700, 50, 30), (1700, 51, 20), (1850, 50, 24), (1850, 121, 16), (2100, 50, 15), (2100, 51, 10)],
)
def test_the_factor_follows_rating_and_games(rating: int, played: int, factor: int) -> None:
    found = summed(year(held("live", games=games("B-A")), players=[player("A", rating, played), player("B", rating)]))
    assert rating_after(found, "A") == rating - factor / 2


@pytest.mark.rule("SK.STA-8")
def test_a_change_across_a_step_has_the_factor_of_each_side_for_its_part() -> None:
    found = summed(year(held("live", games=games("A-B")), players=[player("A", 1795), player("B", 1795)]))
    assert rating_after(found, "A") == 1800 + (0.5 - 5 / 20) * 16
    fallen = summed(year(held("live", games=games("B-A")), players=[player("A", 1800), player("B", 1800)]))
    assert rating_after(fallen, "A") == 1800 - 0.5 * 20


@pytest.mark.rule("SK.STA-8")
def test_whoever_has_played_few_games_gains_once_more_what_exceeds_five_a_game() -> None:
    held_here = held("live", games=games("A-B", "A-B"))
    found = summed(year(held_here, players=[player("A", 1600, 50), player("B", 1600)]))
    assert rating_after(found, "A") == 1600 + 30 + (30 - 10)
    known = summed(year(held_here, players=[player("A", 1600, 51), player("B", 1600)]))
    assert rating_after(known, "A") == 1600 + 20


@pytest.mark.rule("SK.STA-8")
def test_a_new_player_has_1600_and_pairs_change_nothing() -> None:
    found = summed(year(held("pairs", games=games("A-B")), held("live", games=games("C=D"))))
    assert {row.before for row in found.ratings} == {row.after for row in found.ratings} == {1600}
    assert {row.player: row.games for row in found.ratings if row.list == "live"} == {"A": 0, "B": 0, "C": 1, "D": 1}


@pytest.mark.rule("SK.STA-8")
@pytest.mark.parametrize(("before", "after"), [(1720, 1670), (1640, 1600), (1600, 1600), (1550, 1550)])
def test_a_season_without_a_qualifying_tournament_costs_50_down_to_1600(before: int, after: int) -> None:
    players = [player("A", before, online_rating=before, played_this_season=False)]
    idle = summed(year(held("championship", "A1"), players=players))
    assert (rating_after(idle, "A"), rating_after(idle, "A", "online")) == (after, after)


@pytest.mark.rule("SK.STA-9")
def test_the_two_lists_do_not_change_each_other() -> None:
    players = [player("A", 1700, online_rating=1650, online_games=60), player("B", 1700, online_rating=1650)]
    found = summed(year(held("online", games=games("A-B")), held("live", games=games("B-A")), players=players))
    assert (rating_after(found, "A"), rating_after(found, "A", "online")) == (1690, 1660)
    replaced = summed(year(held("live-replaced", games=games("A-B")), players=players))
    assert (rating_after(replaced, "A"), rating_after(replaced, "A", "online")) == (1700, 1660)


@pytest.mark.rule("SK.STA-9")
@pytest.mark.parametrize("kind", ["live", "online", "live-replaced"])
def test_one_qualifying_tournament_of_either_kind_keeps_both_ratings(kind: str) -> None:
    players = [player("A", 1720, online_rating=1710, played_this_season=False)]
    found = summed(year(held(kind, "A5"), players=players))
    assert (rating_after(found, "A"), rating_after(found, "A", "online")) == (1720, 1710)
    only_games = summed(year(held("pairs", games=games("A-B")), players=players))  # without a table yet
    assert rating_after(only_games, "A") == 1720


def test_a_tournament_that_was_played_online_moves_the_online_list() -> None:
    found = summed(year(held("m", "A1", "B2", games=games("A-B"), list="online")))
    assert (rating_after(found, "A"), rating_after(found, "A", "online")) == (1600, 1625)


# Laws and bad input


@pytest.mark.rule("SK.STA-4")
@pytest.mark.parametrize(
    ("tournament", "pointers"),
    [
        (held("live", "A1", "B2", "C2"), ["/tournaments/0/places/2/place"]),
        (held("live", "A1!", "B1"), ["/tournaments/0/places/1/place"]),
        (held("pairs", "A1", "B1", "C2", "D2"), []),
        (held("pairs", "A1", "B1", "C1", "D1"), ["/tournaments/0/places/2/place", "/tournaments/0/places/3/place"]),
    ],
)
def test_a_place_is_given_once_and_twice_to_a_pair(tournament: dict[str, Any], pointers: list[str]) -> None:
    if not pointers:
        assert cup_points(summed(year(tournament))) == {"A": 40, "B": 40, "C": 35, "D": 35}
        return
    with pytest.raises(Faulty) as refused:
        summed(year(tournament))
    assert [fault.pointer for fault in refused.value.faults] == pointers


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.permutations("ABCD")), max_size=12))
def test_no_order_of_players_changes_the_season(held_here: list[tuple[str, list[str]]]) -> None:
    tournaments = [held(kind, *(f"{name}{place}" for place, name in enumerate(names, 1))) for kind, names in held_here]
    players = [{"id": name} for name in "ABCD"]
    found = [
        summed(year(*tournaments, players=order, field=2)) for order in [players, *list(permutations(players))[7::8]]
    ]
    assert all(one == found[0] for one in found)
    assert all(points <= 600 for one in found for points in cup_points(one).values())


@pytest.mark.parametrize(
    ("season", "pointers"),
    [
        ({"season": "scrabble-sk-1999"}, ["/season"]),
        ({"season": {}}, ["/season/id", "/season/kinds", "/season/title", "/season/version"]),
        ({"colour": 1}, ["/colour"]),
        ({"field": 0}, ["/field"]),
        ({"decisions": [{"order": ["A", "A"]}, {"order": ["A", "Z"]}]},
         ["/decisions/0/order/1", "/decisions/1/order/1"]),
        ({"players": [{"id": "A", "champion": True}, {"id": "A", "champion": True}]}, ["/players/1/champion", "/players/1/id"]),
        ({"players": [{"id": "A", "rating": -1, "games": "many"}]}, ["/players/0/games", "/players/0/rating"]),
        ({"tournaments": [held("live") | {"id": "T"}] * 2}, ["/tournaments/1/id"]),
        ({"tournaments": [held("chess", "Z1") | {"id": "T"}]}, ["/tournaments/0/kind", "/tournaments/0/places/0/player"]),
        ({"tournaments": [held("live", "A1", "A2") | {"id": "T"}]}, ["/tournaments/0/places/1/player"]),
        ({"tournaments": [held("live", "A0") | {"id": "T"}]}, ["/tournaments/0/places/0/place"]),
        ({"tournaments": [held("live", list="online", id="T")]}, ["/tournaments/0/list"]),
        ({"tournaments": [held("pairs", list="live", id="T")]}, ["/tournaments/0/list"]),
        ({"tournaments": [held("live", games=games("A-A", "A-Z"), id="T")]},
         ["/tournaments/0/games/0/players", "/tournaments/0/games/1/players/1"]),
        ({"tournaments": [held("live", games=[{"players": ["A", "B"], "points": [1, 0.5]}], id="T")]},
         ["/tournaments/0/games/0/points"]),
        ({"tournaments": [held("live", organisers=["A", "A", "Y"], id="T")]},
         ["/tournaments/0/organisers/1", "/tournaments/0/organisers/2"]),
    ],
)  # fmt: skip
def test_everything_that_is_wrong_with_a_season_is_named(season: dict[str, Any], pointers: list[str]) -> None:
    with pytest.raises(Faulty) as refused:
        summed(year(players=[{"id": "A"}, {"id": "B"}]) | season)
    assert sorted(fault.pointer for fault in refused.value.faults) == pointers


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b'{"season": "\\ud800"}'])
def test_what_is_no_season_is_refused(content: bytes) -> None:
    with pytest.raises(Refusal):
        summed(content)
