"""The ranking of whole events: medals, lists of their own, groups and brackets, and who is no longer there."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.standings.calculate import above_next, ranked
from shared.rulesets import catalogue
from shared.rulesets.stages import Award, Bracket
from shared.tournament.awards import awards, titles
from shared.tournament.completion import undecided
from shared.tournament.explaining import separation
from shared.tournament.facts import Left
from shared.tournament.file import read
from shared.tournament.progression import qualified
from shared.tournament.ranking import Table, final, rank
from tests.explained import explain
from tests.tournaments import played, tournament

OTHELLO = "othello-pl-2021"
AREA = "pisqworky-2025-ss-ot"
PLAIN = {"standings.criteria": ["points", "start_number"]}


def rounds(*texts: str) -> list[dict[str, Any]]:
    return [played(number, text) for number, text in enumerate(texts, start=1)]


def championship(points: str, *, women: str = "", juniors: str = "", **stages: list[str]) -> dict[str, Any]:
    """Entrants A, B … with the points of the preliminary rounds; stages by name with `_` for `-`."""
    names = "ABCDEFGHIJK"[: len(points)]
    file: dict[str, Any] = tournament(names, ruleset=OTHELLO, options=PLAIN)
    for number, (name, carried) in enumerate(zip(names, points, strict=True)):
        lists = [of for of, whom in (("women", women), ("juniors", juniors)) if name in whom]
        file["entrants"][number] |= {"carried": int(carried), "number": number + 1, "lists": lists}
    del file["rounds"]
    named = {"preliminary": list[str]()} | {name.replace("_", "-"): texts for name, texts in stages.items()}
    file["stages"] = [{"id": name, "rounds": rounds(*texts)} for name, texts in named.items()]
    return file


def places(table: Table) -> str:
    """`A BC D`: B and C share the second place."""
    found: dict[int, str] = {}
    for row in table.rows:
        found[row.place] = found.get(row.place, "") + row.entrant
    assert list(found) == sorted(found)
    return " ".join(found.values())


def listed(file: dict[str, Any], among: str | None = None) -> str:
    return places(final(read(file).accepted(), among=among))


SEMIFINALS = ["A-D 20:44 @SF1, B-C 40:24 @SF2", "D-A 30:34 @SF1, C-B 24:40 @SF2", "A-D 32:32 @SF1"]


@pytest.mark.rule("OT.STA-5")
def test_the_final_and_the_game_for_third_place_go_before_the_list() -> None:
    file = championship(
        "87665", semifinals=SEMIFINALS, final=["D-B 40:24 @final, A-C 32:32 @third =C", "B-D 20:44 @final"]
    )
    assert listed(file) == "D B C A E"
    table = final(read(file).accepted())
    assert separation(*table.rows[:2]) == "D is above B by the matches: 1 and 2."
    assert separation(*table.rows[3:5]) == "A is above E by points: 8 and 5."


@pytest.mark.rule("OT.STA-5", "OT.RES-6")
def test_a_semifinal_that_is_level_goes_by_discs_and_then_to_who_was_placed_higher() -> None:
    level = ["A-D 20:44 @SF1", "D-A 20:44 @SF1", "A-D 32:32 @SF1"]
    assert listed(championship("8766", semifinals=level)) == "A BC D"
    more_discs = ["A-D 20:44 @SF1", "D-A 22:42 @SF1", "A-D 32:32 @SF1"]
    assert listed(championship("8766", semifinals=more_discs)) == "D BC A"


def test_semifinals_under_way_share_what_is_open() -> None:
    assert listed(championship("87665", semifinals=SEMIFINALS[:2])) == "B AD C E"
    assert listed(championship("87665", semifinals=SEMIFINALS)) == "BD AC E"


@pytest.mark.rule("OT.STA-3")
def test_who_has_left_stands_from_fifth_place_down_and_others_move_up() -> None:
    """5.3b: all who lost a play-off are fifth, so that nobody stands before them there; 5.3c is of those below."""
    file = championship("876555")
    file["entrants"][0]["withdrawn_after"] = 0
    assert listed(file) == "B C D EF A"  # fourth and fifth of those who are there are equal, and have not played yet
    file["stages"].append({"id": "play-offs", "rounds": rounds("E-F 40:24 @4-5")})
    assert listed(file) == "B C D E AF"
    assert [(one.entrant, one.place) for one in awards(read(file).accepted()) if one.award.what == "in-kind"][4:6] == [
        ("A", 5),
        ("F", 6),
    ]  # a prize is for one: by the provisional list


@pytest.mark.rule("OT.STA-3")
def test_all_who_lost_play_offs_are_fifth_however_many_have_left_with_more_points() -> None:
    """5.3b. Who has fewer points comes behind all of them."""
    file = championship("98876666654", play_offs=["F-G 40:24 @4-5, E-H 40:24 @3-6"])
    for gone in (0, 1):
        file["entrants"][gone]["withdrawn_after"] = 0
    assert listed(file) == "C D E F ABGHI J K"
    plain = championship("9887654")  # without play-offs nobody is fifth by them
    plain["entrants"][0]["withdrawn_after"] = plain["entrants"][1]["withdrawn_after"] = 0
    assert listed(plain) == "C D E F A B G"


@pytest.mark.rule("OT.STA-3", "OT.D32")
def test_who_shares_a_place_hears_by_what_and_who_of_them_has_a_prize_for_one() -> None:
    """OT.V6: E beats D, so that D and F are fifth; G and H are equal by points."""
    file = championship("87655544", play_offs=["D-E 20:44 @4-5"])
    assert neighbours(file)[4:] == [
        (
            "D and F share place 5, as all do who lost a play-off, have as many points as they, or have left with more. "
            "Where only one can have something, such as a prize, D does by start number: 4 and 6."
        ),
        "F is above G by points: 5 and 4.",
        (
            "G and H share place 7, since they have equal points, and behind those who play on nothing else counts. "
            "Where only one can have something, such as a prize, G does by start number: 7 and 8."
        ),
    ]
    prizes = {one.entrant: one.place for one in awards(read(file).accepted()) if one.award.what == "in-kind"}
    assert [prizes.get(one) for one in "DFGH"] == [5, 6, 7, None]
    open_yet = championship("87655544", women="GH")
    assert neighbours(open_yet)[3] == "D and E share place 4, which is theirs until matches decide it."
    assert neighbours(open_yet, "women") == ["G is above H by start number: 7 and 8."]


def neighbours(file: dict[str, Any], among: str | None = None) -> list[str]:
    facts = read(file).accepted()
    return list(above_next(facts, final(facts, among=among)).values())


@pytest.mark.rule("OT.STA-3")
def test_who_moves_up_after_the_play_offs_stands_among_the_four_as_in_the_provisional_order() -> None:
    facts = read(championship("8766665", play_offs=["D-E 20:44 @4-5, C-F 40:24 @3-6"])).accepted()
    assert places(final(facts)) == "A B C E DF G"
    left = {"A": Left(stage="play-offs", after_round=1)}
    assert places(final(replace(facts, left=left))) == "B C D E AF G"  # D has lost to E, and stands above


@pytest.mark.rule("OT.STA-6", "OT.PAI-7")
def test_whoever_left_before_the_finals_has_no_title_and_no_prize_of_the_best() -> None:
    """OT.D11 and OT.D18: the only woman was excluded, so that there is none who could have the title."""
    file = championship("876543", women="E")
    assert (titles(read(file).accepted())[-1].entrant, won(file, "E")) == (
        "E",
        ["title", "cash", "cup", "medal", "in-kind", "in-kind", "accreditation", "diploma", "badge"],
    )
    file["entrants"][4] |= {"withdrawn_after": 0, "left": "expelled"}
    assert listed(file, "women") == "E"
    assert [one.among for one in titles(read(file).accepted())] == [None]
    assert won(file, "E") == ["in-kind", "diploma", "badge"]  # the fifth of all has a prize in kind


@pytest.mark.rule("OT.STA-4", "OT.STA-6", "OT.PAI-7")
def test_behind_a_woman_in_the_overall_semifinals_who_has_left_keeps_her_place_and_its_prize() -> None:
    """6.2: then no semifinals of women are played. 8.3: the result of who has left stands in the list, and bars only from
    semifinals and finals."""
    file = championship("98765432", women="AEFG")
    file["entrants"][4]["withdrawn_after"] = 0
    assert listed(file, "women") == "A E F G"
    in_kind = [(one.entrant, one.place) for one in awards(read(file).accepted()) if is_prize_of(one.award, "women")]
    assert in_kind == [("A", 1), ("E", 2), ("F", 3)]


@pytest.mark.rule("OT.STA-6", "OT.PAI-7", "OT.D18")
@pytest.mark.parametrize(
    ("women", "left", "places_of_all", "prizes"),
    [
        ("EFG", "E", "F G E", "F G E"),  # two play a final, and nobody plays for the third place
        ("EFGH", "EF", "G H E F", "G H E"),
        ("EF", "E", "F E", "F E"),
        ("EFGHI", "EI", "F G H E I", "F G H"),  # three of them play for the three places
        ("E", "E", "E", ""),  # there is no woman who could have the title
    ],
)
def test_who_has_left_has_the_prize_of_a_place_in_a_list_for_which_nobody_plays(
    women: str, left: str, places_of_all: str, prizes: str
) -> None:
    """8.3: whoever withdraws comes into no semifinal and no final, and the result stands in the list."""
    file = championship("987654321", women=women)
    for one in file["entrants"]:
        if one["id"] in left:
            one["withdrawn_after"] = 0
    assert listed(file, "women") == places_of_all
    in_kind = [one.entrant for one in awards(read(file).accepted()) if is_prize_of(one.award, "women")]
    assert in_kind == prizes.split()


def is_prize_of(award: Award, among: str) -> bool:
    return (award.what, award.among) == ("in-kind", among)


def won(file: dict[str, Any], entrant: str) -> list[str]:
    return [one.award.what for one in awards(read(file).accepted()) if one.entrant == entrant]


@pytest.mark.rule("OT.STA-4")
def test_two_women_in_the_overall_semifinals_are_first_and_second_of_the_women() -> None:
    """OT.V11."""
    file = championship(
        "876655443", women="CDGHI", semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 24:40 @SF1, C-B 24:40 @SF2"]
    )
    file["stages"].append({"id": "final", "rounds": rounds("A-B 40:24 @final, C-D 24:40 @third", "B-A 24:40 @final")})
    assert listed(file) == "A B D C EF GH I"
    assert listed(file, "women") == "D C GH I"


@pytest.mark.rule("OT.STA-4", "OT.PAI-10")
def test_women_in_the_overall_semifinals_share_what_their_matches_leave_open() -> None:
    """They are ranked by how they end after the final and the game for third place: until it is played, none has the title."""
    lost = ["A-D 40:24 @SF1, B-C 24:40 @SF2", "D-A 24:40 @SF1, C-B 40:24 @SF2"]
    file = championship("8766554", women="BDG", semifinals=lost)
    assert listed(file) == "AC BD EF G"
    assert listed(file, "women") == "BD G"
    assert "women" not in [one.among for one in titles(read(file).accepted())]
    file["stages"].append({"id": "final", "rounds": rounds("A-C 40:24 @final, B-D 24:40 @third")})
    assert listed(file, "women") == "D B G"
    assert [one.entrant for one in titles(read(file).accepted()) if one.among == "women"] == ["D"]


@pytest.mark.rule("OT.STA-4")
def test_women_without_one_in_the_semifinals_have_their_own() -> None:
    file = championship("8766554321", women="EFGHI")
    assert listed(file, "women") == "E F G H I"
    assert places(rank(read(file).accepted(), "preliminary", among="women")) == "E F G H I"
    file["stages"] += [
        {"id": "semifinals-women", "rounds": rounds("E-H 20:44 @SF1, F-G 32:32 @SF2 =G")},
        {"id": "final-women", "rounds": rounds("H-G 40:24 @final, E-F 34:30 @third")},
    ]
    assert listed(file, "women") == "H G E F I"


@pytest.mark.rule("OT.STA-4")
def test_three_juniors_play_one_semifinal_and_two_only_a_final() -> None:
    file = championship("87665543", juniors="FGH")
    file["stages"] += [
        {"id": "semifinals-juniors", "rounds": rounds("G-H 20:44 @SF2")},
        {"id": "final-juniors", "rounds": rounds("F-H 20:44 @final")},
    ]
    assert listed(file, "juniors") == "H F G"
    file = championship("87665543", juniors="GH")
    file["stages"].append({"id": "final-juniors", "rounds": rounds("G-H 20:44 @final")})
    assert listed(file, "juniors") == "H G"


@pytest.mark.rule("OT.STA-1")
def test_provisional_lists_of_women_and_juniors_have_the_same_criteria_as_that_of_all() -> None:
    file: dict[str, Any] = tournament(
        "ABCD", "A-B 40:24, C-D 44:20", ruleset=OTHELLO, options={"pairing.system": "cost-swiss"}
    )
    for place in (0, 2, 3):
        file["entrants"][place]["lists"] = ["juniors", "women"]
    facts = read(file).accepted()
    assert [places(rank(facts, "preliminary", among=among)) for among in (None, "juniors", "women")] == [
        "C A B D",
        "C A D",
        "C A D",
    ]
    assert rank(facts, "preliminary").criteria == ("points", "brightwell", "discs", "lot")


def bands() -> list[Any]:
    brackets = catalogue.load(AREA).stages[1].brackets
    sizes = {4: 1, 7: 1, 8: 2, 9: 2, 10: 2, 12: 2, 13: 4, 19: 4, 20: 4, 24: 4, 25: 8, 30: 8}
    return [
        (size, next(one for one in reversed(brackets) if one.at_least <= size), groups)
        for size, groups in sizes.items()
    ]


def group_stage(size: int, groups: int) -> list[dict[str, Any]]:
    """Everybody beats those who come later in the group."""
    letters = "ABCDEFGH"[:groups]
    members = {
        letter: [f"{letter}{n}" for n in range(1, 1 + len(range(at, size, groups)))]
        for at, letter in enumerate(letters)
    }
    pairs = [(a, b, letter) for letter, own in members.items() for i, a in enumerate(own) for b in own[i + 1 :]]
    found: list[dict[str, Any]] = []
    while pairs:
        busy: set[str] = set()
        here: list[tuple[str, str, str]] = []
        for pair in pairs:
            if not busy & set(pair[:2]):
                here.append(pair)
                busy |= set(pair[:2])
        pairs = [pair for pair in pairs if pair not in here]
        games = [{"seats": [a, b], "group": letter, "scores": [12, 8]} for a, b, letter in here]
        found.append({"number": len(found) + 1, "games": games})
    return found


def play_off(bracket: Bracket) -> list[dict[str, Any]]:
    """The first side wins every match."""
    won: dict[str, str] = {}
    found: dict[int, list[dict[str, Any]]] = {}
    for match in sorted(bracket.matches, key=lambda one: one.round):
        seats = [won.get(side, side) for side in match.sides]
        won |= {f"winner:{match.id}": seats[0], f"loser:{match.id}": seats[1]}
        found.setdefault(match.round, []).append({"seats": seats, "match": match.id, "scores": [12, 8]})
    return [{"number": number, "games": games} for number, games in sorted(found.items())]


def area(size: int, bracket: Bracket, groups: int, **more: Any) -> dict[str, Any]:
    stage = group_stage(size, groups)
    names = sorted({seat for one in stage for game in one["games"] for seat in game["seats"]})
    file: dict[str, Any] = tournament(names, ruleset=AREA, options={}, advance=2)
    del file["rounds"]
    file["stages"] = [{"id": "groups", "rounds": stage}, {"id": "play-off", "rounds": play_off(bracket)}]
    return file | more


@pytest.mark.rule("PQ.STA-4")
@pytest.mark.parametrize(("size", "bracket", "groups"), bands())
def test_every_band_has_its_places(size: int, bracket: Bracket, groups: int) -> None:
    assert bracket.groups == groups
    table = final(read(area(size, bracket, groups)).accepted())
    assert len(table.rows) == size
    alone = [row.place for row in table.rows if not row.shared]
    assert alone[:4] == [1, 2, 3, 4]
    has_lower = any(match.places == (5, 6) for match in bracket.matches)
    assert (alone[4:8] == [5, 6, 7, 8]) is (has_lower or size == 7 + 1)
    ninth = [row.entrant for row in table.rows if row.place == 9]
    if size in {20, 24, 25, 30}:
        assert len(ninth) == 8  # all losers of the first round of the play-off share 9 to 16
    elif groups == 4:
        assert {name[1] for name in ninth} == {"3"}
    if size >= 25:
        assert len([row for row in table.rows if row.place == 5]) == 4
    assert {row.entrant for row in table.rows if row.place > 16} == {
        row.entrant for row in table.rows if int(row.entrant[1]) > {20: 4, 24: 4, 25: 2, 30: 2}.get(size, 9)
    } or size < 20


@pytest.mark.rule("PQ.STA-5")
def test_a_lot_decides_where_only_some_of_an_equal_place_go_on() -> None:
    size, bracket, groups = bands()[-2]
    table = final(read(area(size, bracket, groups, advance=6)).accepted())
    (awaited,) = table.unresolved
    assert (len(awaited.entrants), awaited.needs) == (4, "lot")
    order = list(reversed(awaited.entrants))
    settled = area(size, bracket, groups, advance=6, decisions=[{"kind": "lot", "order": order}])
    table = final(read(settled).accepted())
    assert table.unresolved == ()
    assert [row.entrant for row in table.rows[4:8]] == order
    assert [(row.place, row.shared) for row in table.rows[4:8]] == [(5, False), (6, False), (7, False), (8, False)]
    assert table.rows[4].separated_by == "lot"
    assert final(read(area(size, bracket, groups, advance=8)).accepted()).unresolved == ()
    partly = [{"kind": "lot", "order": [order[:2], *order[2:]]}]
    table = final(read(area(size, bracket, groups, advance=5, decisions=partly)).accepted())
    assert [row.place for row in table.rows[4:8]] == [5, 5, 7, 8]
    assert [set(one.entrants) for one in table.unresolved] == [set(order[:2])]


def test_a_ranking_before_the_play_off_shares_places_of_groups() -> None:
    size, bracket, groups = bands()[2]
    file = area(size, bracket, groups)
    del file["stages"][1]
    assert [row.place for row in final(read(file).accepted()).rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    shown = ranked(file).standings
    assert [(one.group, one.place) for one in shown[:5]] == [("A", 1), ("A", 2), ("A", 3), ("A", 4), ("B", 1)]
    explained = ranked(file, explanations=True).standings
    assert [one.above_next is None for one in explained] == [False, False, False, True] * 2


def test_a_play_off_under_way_leaves_open_what_is_open() -> None:
    size, bracket, groups = bands()[4]
    file = area(size, bracket, groups)
    file["stages"][1]["rounds"] = file["stages"][1]["rounds"][:1]
    facts = read(file).accepted()
    table = rank(facts, "play-off")
    assert [row.place for row in table.rows] == [1] * 4 + [5] * 4
    assert explain(facts, "play-off", "A1", "bracket").sentence == "place 1 by the matches: won QF1 against B4."
    assert explain(facts, "play-off", "B4", "bracket").sentence == "place 5 by the matches: lost QF1 against A1."


@pytest.mark.rule("PQ.STA-5", "PQ.D41")
def test_no_lot_is_drawn_at_the_cut_before_the_match_that_decides_there() -> None:
    """PQ.D41: two lose their semifinals and three go on, so the match for third place says which of them."""
    size, bracket, groups = bands()[2]
    file = area(size, bracket, groups, advance=3)
    assert final(read(file).accepted()).unresolved == ()
    file["stages"][1]["rounds"] = file["stages"][1]["rounds"][:1]
    table = final(read(file).accepted())
    assert [row.place for row in table.rows][:4] == [1, 1, 3, 3]
    assert table.unresolved == ()


@pytest.mark.rule("PQ.D40")
def test_matches_with_other_names_still_lead_to_the_places_that_are_played_for() -> None:
    size, bracket, groups = bands()[2]
    file = area(size, bracket, groups)
    for one in file["stages"][1]["rounds"]:
        for game in one["games"]:
            game["match"] = {"P1": "lower one", "P2": "lower two"}.get(game["match"], game["match"])
    facts = read(file).accepted()
    assert [row.place for row in final(facts).rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    file["stages"][1]["rounds"] = file["stages"][1]["rounds"][:1]
    by_name = {row.entrant: row.place for row in rank(read(file).accepted(), "play-off").rows}
    assert by_name["A3"] == by_name["B3"] < by_name["B4"]


def test_a_knockout_without_a_bracket_goes_by_the_last_match() -> None:
    options = {"pairing.system": "knockout", "standings.criteria": ["bracket"]}
    matches = ("A-D 300:200, B-C 300:200", "A-B 200:300 @final, C-D 300:200 @third")
    file = tournament("ABCDE", *matches, options=options)
    facts = read(file).accepted()
    assert places(rank(facts, "swiss")) == "E B A C D" or places(rank(facts, "swiss")) == "B A C D E"
    drawn = read(tournament("AB", "A-B 300:300", options=options)).accepted()
    assert places(rank(drawn, "swiss")) == "AB"
    assert "played swiss.1.1 against B" in explain(drawn, "swiss", "A", "bracket").sentence
    assert "none is played yet" in explain(facts, "swiss", "E", "bracket").sentence


def test_in_a_ranking_of_groups_and_matches_neighbours_are_separated_by_what_really_separates_them() -> None:
    size, bracket, groups = bands()[5]  # 12 teams of which the last of each group stay behind
    rows = final(read(area(size, bracket, groups)).accepted()).rows
    assert [row.entrant for row in rows[7:]] == ["B1", "A5", "B5", "A6", "B6"]
    assert [row.separated_by for row in rows[7:]] == [None] * 5
    assert [separation(above, below) for above, below in pairwise(rows[7:])] == [
        "B1 is above A5, who is not in the table of play-off.",
        "A5 and B5 share place 9.",
        "B5 is above A6 by their places in groups B and A.",
        "A6 and B6 share place 11.",
    ]
    explained = ranked(area(size, bracket, groups), final_order=True, explanations=True).standings
    assert all(row.above_next for row in explained[:-1])


@pytest.mark.rule("PQ.STA-5")
def test_who_is_expelled_keeps_a_marked_place() -> None:
    size, bracket, groups = bands()[0]
    file = area(size, bracket, groups)
    next(one for one in file["entrants"] if one["id"] == "A2")["withdrawn_after"] = 3
    next(one for one in file["entrants"] if one["id"] == "A2")["left"] = "expelled"
    file["stages"] = file["stages"][:1]
    assert [(one.entrant, one.left) for one in ranked(file).standings][:2] == [("A1", None), ("A2", "expelled")]
    assert qualified(read(file).accepted()).entrants == ("A1", "A3")


@pytest.mark.rule("PQ.STA-5")
def test_no_lot_is_drawn_for_who_is_no_longer_there_at_the_cut() -> None:
    size, bracket, groups = bands()[-2]
    facts = read(area(size, bracket, groups, advance=6)).accepted()
    (awaited,) = final(facts).unresolved
    gone = dict.fromkeys(awaited.entrants[:2], Left(stage="play-off", after_round=4, why="expelled"))
    known = replace(facts, left=gone)
    assert final(known).unresolved == ()
    assert set(qualified(known).entrants[4:]) == set(awaited.entrants[2:])


def rules() -> dict[str, Any]:
    return catalogue.load(OTHELLO).model_dump(mode="json")


def test_a_list_without_a_stage_of_its_own_has_the_order_of_the_table() -> None:
    file, ruleset = championship("87655", women="DE"), rules()
    ruleset["lists"][0]["stage"] = None
    assert listed(file | {"ruleset": ruleset}, "women") == "D E"
    ruleset["lists"][0]["stage"] = "semifinals-women"
    file = championship("87655", women="E")
    assert listed(file | {"ruleset": ruleset}, "women") == "E"


def test_a_podium_may_do_without_play_offs() -> None:
    ruleset = rules()
    ruleset["final"]["podium"]["play_offs"] = None
    assert listed(championship("876555") | {"ruleset": ruleset}) == "A B C D EF"


def test_a_list_of_a_knockout_has_the_places_of_its_matches() -> None:
    file = championship("8766", women="D", semifinals=["A-D 40:24 @SF1", "D-A 24:40 @SF1"])
    (row,) = rank(read(file).accepted(), "semifinals", among="women").rows
    assert (row.entrant, row.place, row.values["bracket"]) == ("D", 1, 4)


@pytest.mark.rule("OT.STA-2")
def test_rounds_that_do_not_count_say_so() -> None:
    options = {"pairing.system": "cost-swiss", "standings.unplayed_counts": False}
    file = tournament("ABC", "A-B 40:24, missing C", ruleset=OTHELLO, options=options)
    facts = read(file).accepted()
    (addend,) = explain(facts, "preliminary", "C", "brightwell").addends
    assert (addend.counted, addend.why) == (False, "a round for which somebody was not there does not count")
    late: dict[str, Any] = tournament("ABC", "A-B 40:24", "B-C 40:24, bye A", ruleset=OTHELLO, options=options)
    late["entrants"][2] |= {"from_round": 2, "withdrawn_after": 2}
    counted = [one.counted for one in explain(read(late).accepted(), "preliminary", "C", "brightwell").addends]
    assert counted == [False, True]  # also of who left after having come late


@pytest.mark.rule("OT.STA-2")
def test_leaving_acts_backwards_in_the_quotient_and_not_on_tables_before() -> None:
    file: dict[str, Any] = tournament(
        "ABCD",
        "A-B 40:24, C-D 40:24",
        "A-C 40:24, B-D 40:24",
        ruleset=OTHELLO,
        options={"pairing.system": "cost-swiss"},
    )
    of_a = [row.values["brightwell"] for row in rank(read(file).accepted(), "preliminary").rows if row.entrant == "A"]
    assert of_a == [40 + 6 + 40 + 6]
    file["entrants"][1]["withdrawn_after"] = 2
    facts = read(file).accepted()
    (explanation,) = [explain(facts, "preliminary", "A", "brightwell")]
    assert explanation.value == (32 + 12) + (40 + 6)
    assert explanation.addends[0].why == ("the opponent has left, a draw against oneself, 32 discs + 6 × 2 own points")
    assert explanation.addends[1].why == "40 discs + 6 × 1 points"
    before = rank(facts, "preliminary", through=1)
    assert {row.entrant: row.values["brightwell"] for row in before.rows} == {"A": 40, "B": 30, "C": 40, "D": 30}


@pytest.mark.rule("OT.STA-2", "OT.PAI-7")
def test_who_leaves_with_the_last_round_played_leaves_the_quotients_of_others_as_they_are() -> None:
    """Only who withdraws in the course of the rounds has games that count as a draw against oneself (OT.D33)."""
    file: dict[str, Any] = tournament(
        "ABCD", "A-B 40:24, C-D 40:24", "A-C 40:24, B-D 40:24", "A-D 40:24, B-C 40:24", ruleset=OTHELLO, options={}
    )
    options = {"pairing.system": "cost-swiss", "pairing.rounds": 3}
    stayed = rank(read(file | {"options": options}).accepted(), "preliminary")
    file["entrants"][1]["withdrawn_after"] = 3
    assert rank(read(file | {"options": options}).accepted(), "preliminary") == stayed
    options["pairing.rounds"] = 4  # one more to play
    left = rank(read(file | {"options": options}).accepted(), "preliminary")
    quotients = [table.rows[0].values["brightwell"] for table in (stayed, left)]
    assert quotients == [(40 + 12) + (40 + 6) + 40, (32 + 18) + (40 + 6) + 40]


def test_who_leaves_later_has_not_left_the_table_of_an_earlier_stage() -> None:
    facts = read(championship("8766")).accepted()
    later = replace(facts, left={"A": Left(stage="final", after_round=0)})
    assert rank(later, "preliminary") == rank(facts, "preliminary")


@pytest.mark.rule("CC.RES-4", "CC.STA-1")
def test_where_three_played_at_a_table_of_four_their_success_is_that_of_a_table_of_three() -> None:
    """Where only three played, the total is raised by the mean of the three, since no table of four could be compared else."""
    rules: dict[str, Any] = {"ruleset": "carcassonne-cz-qualification", "options": {}}
    three = read(tournament("ABC", "A-B-C 60:45:30", **rules)).accepted()
    alone = {row.entrant: row.values["success"] for row in rank(three, "qualification").rows}
    assert alone == {"A": Fraction(1, 3), "B": Fraction(1, 4), "C": Fraction(1, 6)}
    four = read(tournament("ABCD", "A-B-C-D 60:45:30:0 !3", **rules)).accepted()
    assert {row.entrant: row.values["success"] for row in rank(four, "qualification").rows} == alone | {"D": 0}
    (addend,) = explain(four, "qualification", "A", "success").addends
    assert addend.why == "60 of 135, made up from 3 to 4 seats as 135 × 4/3, is 33.3 % ÷ 1"
    played = read(tournament("ABCD", "A-B-C-D 60:45:30:0", **rules)).accepted()  # and has made nothing
    assert rank(played, "qualification").rows[0].values["success"] == Fraction(60, 135)


def test_points_are_told_where_the_stage_that_gives_them_is_not_in_the_file() -> None:
    file: dict[str, Any] = tournament("ABC", ruleset="carcassonne-cz-qualification", options={"pairing.field": "any"})
    del file["rounds"]
    file["entrants"][0]["carried"] = file["entrants"][1]["carried"] = 9
    file["stages"] = [{"id": "final", "rounds": rounds("A-B 60:50")}]
    assert {row.entrant: row.values["points"] for row in rank(read(file).accepted(), "final").rows} == {
        "A": 13,
        "B": 11,
    }


def test_nobody_waits_for_semifinals_that_so_few_go_on_without() -> None:
    """Two women play their final at once, so that nothing of theirs is to come before it."""
    facts = read(championship("8766655", women="FG", final_women=["F-G 40:24 @final"])).accepted()
    titled = [stage.title for stage in facts.ruleset.stages if stage.id == "semifinals-women"]
    assert titled == ["Semifinals, women"]
    assert "Semifinals, women has not begun." not in list(undecided(facts))


@pytest.mark.rule("OT.STA-4", "OT.STA-5")
def test_the_title_of_a_list_is_hers_who_won_its_final_whatever_a_correction_makes_of_the_list() -> None:
    file = championship(
        "9999876543",
        women="FGHIJ",
        semifinals_women=["F-I 20:44 @SF1, G-H 40:24 @SF2"],
        final_women=["G-I 24:40 @final, F-H 40:24 @third"],
    )
    facts = read(file).accepted()
    assert places(final(facts, among="women")) == "I G F H J"
    higher = structs.replace(facts.entrants["J"], carried=Fraction(5))
    corrected = replace(facts, entrants={**facts.entrants, "J": higher})
    assert places(final(corrected, among="women")) == "I G F H J"
    assert [one.entrant for one in titles(corrected) if one.among == "women"] == ["I"]


@pytest.mark.rule("CC.RES-7", "CC.STA-2")
def test_game_points_that_a_fallen_flag_caps_say_so() -> None:
    """CC.V7, CC.D7: 90:70 on the board counts as 69:70."""
    file = tournament("AB", ruleset="carcassonne-cz-final", options={"pairing.field": "any"})
    for entrant in file["entrants"]:
        entrant["carried"] = 10
    file["rounds"] = rounds("A-B 90:70 !0")
    told = explain(read(file).accepted(), "final", "A", "game_points").sentence
    assert told == "game points 69: 69 (round 1, against B: at fault, so at most one less than the opponent)."
    file["options"]["results.flag_cap"] = "success-only"
    told = explain(read(file).accepted(), "final", "A", "game_points").sentence
    assert told == "game points 90: 90 (round 1, against B)."
