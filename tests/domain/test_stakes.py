"""Equal teams of a group play a duel only where something rests on it; otherwise they share their places."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from services.standings.calculate import ranked as calculated
from services.standings.domain.table import obstacles, ranked, ties_about_going_on
from shared.tournament.completion import handover
from shared.tournament.facts import Facts, Left
from shared.tournament.file import read
from shared.tournament.file.writing import written
from shared.tournament.progression import opening
from shared.tournament.ranking import final, rank
from tests.explained import explain
from tests.tournaments import tournament

AREA = "pisqworky-2025-ss-ot"
FIVE, SIX = "A B C D E", "A B C D E F"


def group(members: Sequence[str], equal: str) -> Iterator[dict[str, Any]]:
    """Everybody beats those named later; those who are to be equal draw."""
    for one, other in combinations(members, 2):
        scores = [10, 10] if one in equal and other in equal else [12, 8]
        yield {"seats": [one, other], "first": one, "scores": scores}


def rounds(*groups: Sequence[str], equal: str) -> list[dict[str, Any]]:
    """All games of all groups, in as many rounds as it takes."""
    games = [game for members in groups for game in group(members, equal)]
    found: list[list[dict[str, Any]]] = []
    for game in games:
        free = (one for one in found if not any(set(game["seats"]) & set(other["seats"]) for other in one))
        there = next(free, None)
        if there is None:
            found.append(there := [])
        there.append(game)
    everybody = {name for members in groups for name in members}
    return [
        {
            "number": number,
            "games": some,
            "missing": sorted(everybody - {seat for game in some for seat in game["seats"]}),
        }
        for number, some in enumerate(found, start=1)
    ]


def area(*groups: str, equal: str, advance: int = 2, **more: Any) -> dict[str, Any]:
    letters = dict(zip("ABCDEFGH", (names.split() for names in groups), strict=False))
    names = [(name, letter) for letter, members in letters.items() for name in members]
    file = tournament("", ruleset=AREA, options={}) | {"advance": advance}
    file["entrants"] = [{"id": one, "number": number, "group": of} for number, (one, of) in enumerate(names, start=1)]
    del file["rounds"]
    file["stages"] = [{"id": "groups", "rounds": rounds(*letters.values(), equal=equal)}]
    return file | more


def facts_of(file: dict[str, Any]) -> Facts:
    return read(file).accepted()


def waiting(facts: Facts) -> list[tuple[str, ...]]:
    return [one.entrants for one in rank(facts, "groups").unresolved]


def places(facts: Facts) -> dict[str, tuple[int, bool]]:
    return {row.entrant: (row.place, row.shared) for row in rank(facts, "groups").rows}


@pytest.mark.rule("PQ.STA-1")
def test_equal_teams_below_those_who_go_on_share_their_places_and_nothing_waits() -> None:
    facts = facts_of(area(SIX, equal="EF"))
    assert waiting(facts) == []
    assert places(facts)["E"] == places(facts)["F"] == (5, True)
    assert opening(facts, "play-off").awaits == ()
    assert obstacles(facts, "groups", ranked(facts, {}, "groups")) == ()
    assert calculated(area(SIX, equal="EF")).unresolved == []


@pytest.mark.rule("PQ.STA-1")
@pytest.mark.parametrize("equal", ["AB", "CD", "DE"])
def test_equal_teams_in_the_play_off_or_at_its_edge_play_a_duel(equal: str) -> None:
    """A1 meets A4 and A2 meets A3, so all four places count, and who is fifth is not in it."""
    file = area(SIX, equal=equal)
    facts = facts_of(file)
    assert waiting(facts) == [tuple(equal)]
    assert [one.entrants for one in opening(facts, "play-off").awaits] == [tuple(equal)]
    assert obstacles(facts, "groups", ranked(facts, {}, "groups")) == (
        f"{', '.join(equal)} are equal and wait for a duel.",
    )
    assert [one.entrants for one in calculated(file).unresolved] == [list(equal)]


@pytest.mark.rule("PQ.STA-1")
def test_a_duel_of_three_leaves_those_equal_on_whose_order_nothing_rests() -> None:
    decided = [{"stage": "groups", "kind": "duel", "order": ["E", ["D", "F"]]}]
    facts = facts_of(area(SIX, equal="DEF", decisions=decided))
    assert waiting(facts) == []
    assert places(facts)["E"] == (4, False)
    assert places(facts)["D"] == places(facts)["F"] == (5, True)
    asked = [{"stage": "groups", "kind": "duel", "order": [["D", "E"], "F"]}]
    ties = rank(facts_of(area(SIX, equal="DEF", decisions=asked)), "groups").unresolved
    assert [(one.entrants, one.needs) for one in ties] == [(("D", "E"), "lot")]


@pytest.mark.rule("PQ.STA-1")
@pytest.mark.parametrize(("advance", "asked"), [(4, False), (5, True), (6, False)])
def test_the_number_of_those_who_advance_may_make_a_tie_count(advance: int, *, asked: bool) -> None:
    """E and F are fifth: only with five who advance does it matter who of them is."""
    assert waiting(facts_of(area(SIX, equal="EF", advance=advance))) == ([("E", "F")] if asked else [])


@pytest.mark.rule("PQ.STA-1")
@pytest.mark.parametrize(("advance", "asked"), [(8, False), (9, True), (10, True), (11, True), (12, False)])
def test_behind_two_groups_a_tie_counts_where_it_changes_who_has_a_chance(advance: int, *, asked: bool) -> None:
    """Fifth of their groups are two of 9th and 10th place, sixth two of 11th and 12th."""
    facts = facts_of(area(SIX, "G H I J K L", equal="EF", advance=advance))
    assert waiting(facts) == ([("E", "F")] if asked else [])


@pytest.mark.rule("PQ.STA-1")
def test_a_match_for_fifth_place_makes_the_places_of_its_teams_count() -> None:
    """Of 9 teams the third and fourth of each group play for places 5 to 8; the fifth of the larger one plays no more."""
    assert waiting(facts_of(area(FIVE, "F G H I", equal="CD"))) == [("C", "D")]
    assert waiting(facts_of(area(FIVE, "F G H I", equal="HI"))) == [("H", "I")]
    assert waiting(facts_of(area(FIVE, "F G H I", equal="DE"))) == [("D", "E")]


@pytest.mark.rule("PQ.STA-1")
def test_who_has_left_takes_no_place_so_the_next_one_counts() -> None:
    """Without C the fifth is in the play-off, and E and F are equal for it."""
    file = area(SIX, equal="EF")
    file["entrants"][2]["withdrawn_after"] = len(file["stages"][0]["rounds"])
    assert waiting(facts_of(file)) == [("E", "F")]
    file = area(SIX, equal="DE")
    file["entrants"][4]["withdrawn_after"] = len(file["stages"][0]["rounds"])
    assert waiting(facts_of(file)) == []  # E is there no more, so D is fourth whatever their order is


def circle(**more: Any) -> dict[str, Any]:
    """D has beaten E, E has beaten F and F has beaten D, all by as much: they are equal for the fourth place. F is expelled."""
    file = area(SIX, equal="", **more)
    for one in file["stages"][0]["rounds"]:
        for game in one["games"]:
            game["scores"] = [8, 12] if game["seats"] == ["D", "F"] else game["scores"]
    file["entrants"][5] |= {"withdrawn_after": len(file["stages"][0]["rounds"]), "left": "expelled"}
    return file


@pytest.mark.rule("PQ.STA-1", "PQ.D49")
def test_two_who_are_left_of_three_equal_ones_have_their_mutual_match() -> None:
    """1.1.4.7: it decides where two teams are equal for who goes on, and who is expelled cannot."""
    assert waiting(facts_of(circle())) == []
    table = calculated(circle(), explanations=True).standings
    assert [(row.entrant, row.place) for row in table[3:]] == [("D", 4), ("E", 5), ("F", 6)]
    assert [row.above_next for row in table[3:]] == [
        "D is above E by their own meeting: 1 and 0.",
        "E is above F, who has left.",
        None,
    ]
    assert opening(facts_of(circle()), "play-off").awaits == ()


FOR_FOURTH = (
    ("A-B", 12),
    ("A-C", 12),
    ("B-C", 12),
    ("A-D", 20),
    ("B-D", 20),
    ("C-D", 20),
    ("A-E", 16),
    ("B-E", 16),
    ("C-E", 8),
)


def defaulted(**more: Any) -> dict[str, Any]:
    """D and E are equal for the fourth place by points and score. E did not come to their match."""
    file = area(FIVE, equal="")
    scores: dict[str, list[int]] = {pair: [score, 20 - score] for pair, score in FOR_FOURTH}
    for one in file["stages"][0]["rounds"]:
        for game in one["games"]:
            pair = "-".join(game["seats"])
            game["scores"] = scores.get(pair, [20, 0])
            if pair == "D-E":
                del game["first"]
                game |= {"end": "forfeit", "by": 1} | more
    return file


@pytest.mark.rule("PQ.STA-1", "PQ.D25")
def test_a_mutual_match_that_was_not_played_decides_nothing() -> None:
    """1.1.4.7 names the match as played ("odehraný vzájemný zápas"): the duel is next."""
    facts = facts_of(defaulted())
    assert waiting(facts) == [("D", "E")]
    assert [(one.entrants, one.needs) for one in rank(facts, "groups").unresolved] == [(("D", "E"), "duel")]
    why = explain(facts, "groups", "D", "head_to_head")
    assert why.value is None
    assert why.sentence == (
        "their own meeting: decides only between two who are equal until then and have played each other."
    )
    begun = facts_of(defaulted(first="D"))
    assert waiting(begun) == []
    assert [row.entrant for row in rank(begun, "groups").rows[3:]] == ["D", "E"]


@pytest.mark.rule("PQ.STA-1", "PQ.D25")
def test_nobody_plays_a_duel_against_a_team_that_has_left() -> None:
    file = defaulted()
    file["entrants"][4] |= {"withdrawn_after": len(file["stages"][0]["rounds"]), "left": "expelled"}
    assert waiting(facts_of(file)) == []
    assert opening(facts_of(file), "play-off").entrants == ("A", "B", "C", "D")


@pytest.mark.rule("PQ.STA-1", "PQ.D25", "PQ.D33")
def test_a_file_says_which_match_of_a_group_was_not_begun() -> None:
    """So that what is written from the facts of the platform gives the same table."""
    facts = facts_of(defaulted())
    (game,) = (game.id for one in facts.rounds.values() for game in one.games if game.seats == ("D", "E"))
    rounds = {
        place: replace(one, games=tuple(replace(game, first=game.seats[0]) for game in one.games))
        for place, one in facts.rounds.items()
    }
    stayed_away = replace(facts.results[game], end="no_show")
    live = replace(facts, rounds=rounds, results={**facts.results, game: stayed_away})
    assert waiting(live) == [("D", "E")]
    assert waiting(facts_of(written(live, names={}, key=None))) == [("D", "E")]
    left_party = replace(live, results={**live.results, game: replace(stayed_away, end="left_party")})
    assert waiting(left_party) == waiting(facts_of(written(left_party, names={}, key=None))) == []


@pytest.mark.rule("PQ.STA-1", "PQ.D49")
def test_who_is_expelled_plays_no_duel_for_a_place_that_it_cannot_take() -> None:
    file = area(SIX, equal="DEF")
    file["entrants"][5]["withdrawn_after"] = len(file["stages"][0]["rounds"])
    assert waiting(facts_of(file)) == [("D", "E")]
    four = area("A B C D E F G", equal="DEFG")
    four["entrants"][3]["withdrawn_after"] = len(four["stages"][0]["rounds"])
    assert waiting(facts_of(four)) == [("E", "F", "G")]


@pytest.mark.rule("PQ.STA-1", "PQ.D18")
def test_a_duel_of_three_stands_when_one_of_them_is_expelled_afterwards() -> None:
    decided = [{"stage": "groups", "kind": "duel", "order": ["E", "F", "D"]}]
    assert [places(facts_of(circle(decisions=decided)))[one] for one in "EFD"] == [(4, False), (5, False), (6, False)]


@pytest.mark.rule("PQ.STA-1")
def test_who_is_equal_for_nothing_shares_the_place_also_when_one_of_them_has_left() -> None:
    file = area("A B C D E F G", equal="EFG")
    file["entrants"][6]["withdrawn_after"] = len(file["stages"][0]["rounds"])
    assert [places(facts_of(file))[one] for one in "EFG"] == [(5, True)] * 3


@pytest.mark.rule("PQ.STA-1")
def test_shared_places_keep_nobody_from_the_next_level() -> None:
    file = area(FIVE + " F", equal="EF")
    file["stages"].append({"id": "play-off", "rounds": play_off("ABCD")})
    facts = facts_of(file)
    table = final(facts)
    assert table.unresolved == ()
    assert [(row.entrant, row.place) for row in table.rows][4:] == [("E", 5), ("F", 5)]
    found = handover(facts, is_over=True)
    assert found is not None
    assert found.order == (("A",), ("B",), ("C",), ("D",), ("E", "F"))
    assert found.advance == 2


def play_off(best: str) -> list[dict[str, Any]]:
    one, two, three, four = best
    return [
        {"number": 1, "games": [match("SF1", one, four), match("SF2", two, three)]},
        {"number": 2, "games": [match("third", three, four), match("final", one, two)]},
    ]


def match(name: str, one: str, other: str) -> dict[str, Any]:
    return {"seats": [one, other], "first": one, "scores": [12, 8], "match": name}


@pytest.mark.rule("PQ.STA-1")
def test_a_round_robin_of_three_asks_only_about_who_advances() -> None:
    plan = {"pairing.system": "round-robin"}
    assert waiting(facts_of(area("A B C", equal="BC", advance=1, options=plan))) == []
    assert waiting(facts_of(area("A B C", equal="BC", advance=2, options=plan))) == [("B", "C")]
    assert waiting(facts_of(area("A B C", equal="AB", advance=1, options=plan))) == [("A", "B")]


def test_nobody_draws_for_the_cut_while_a_play_off_will_decide_it() -> None:
    """Three of four advance: who of the second of two groups is decided by the play-off."""
    facts = facts_of(area(FIVE, "F G H I J", equal="", advance=3))
    assert final(facts).unresolved == ()
    assert ties_about_going_on(facts, "groups") == ()
    (without_it,) = ties_about_going_on(facts, "groups", is_over=True)
    assert (without_it.entrants, without_it.needs) == (("B", "G"), "lot")


@pytest.mark.rule("PQ.STA-1")
def test_a_tie_counts_from_when_on_somebody_leaves_a_place_to_one_of_them() -> None:
    file = area(SIX, equal="EF", advance=4)
    file["stages"].append({"id": "play-off", "rounds": play_off("ABCD")})
    facts = facts_of(file)
    assert waiting(facts) == []
    expelled = replace(facts, left={"D": Left(stage="play-off", after_round=2, why="expelled")})
    assert waiting(expelled) == [("E", "F")]
    assert handover(expelled, is_over=True) is None
