"""Play-offs, semifinals and finals of an Othello championship, as `roundlog pair` makes them."""

import re
from fractions import Fraction
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing.calculate import PairingShown, paired
from services.pairing.domain.next_round import next_round
from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import NoPairing, PairedRound, StageOver, check, pair
from shared.tournament.completion import order_of, undecided, unfinished
from shared.tournament.facts import Facts, Left, Penalty
from shared.tournament.file import read
from shared.tournament.file.writing import written
from shared.tournament.fixtures import fixtures
from shared.tournament.progression import opening
from shared.tournament.ranking import final, rank
from tests.domain.test_final_lists import SEMIFINALS, championship, places, rounds
from tests.simulated import BY_LOT

OPTION = "either the colour, and then a draw is a win for"


def opened(file: dict[str, Any], *stages: str) -> dict[str, Any]:
    """With stages of which nothing is played yet."""
    file["stages"] += [{"id": stage, "rounds": []} for stage in stages]
    return file


def shown(pairing: PairingShown) -> list[str]:
    """`SF1/2 D*-A`: game 2 of SF1, in which D has black; `?` marks who chooses."""
    return [
        f"{pair.match}{f'/{pair.game}' if pair.game else ''} "
        + "-".join(seat + ("*" if seat == pair.first else "?" if seat == pair.option else "") for seat in pair.seats)
        for pair in pairing.pairs
    ]


@pytest.mark.rule("OT.PAI-8", "OT.RES-7")
@pytest.mark.parametrize(
    ("points", "pairs"),
    [
        ("87655544", ["4-5 D?-E"]),
        ("87666654", ["4-5 D?-E", "3-6 C?-F"]),
        ("866666665", ["4-5 D?-E", "3-6 C?-F", "2-7 B?-G"]),
        ("888888888", ["4-5 D?-E", "3-6 C?-F", "2-7 B?-G", "1-8 A?-H"]),
    ],
)
def test_equal_points_about_the_fourth_place_are_played_out(points: str, pairs: list[str]) -> None:
    """OT.V6. The higher-placed has the option; a ninth with equal points is out (OT.D8)."""
    pairing = paired(opened(championship(points), "play-offs"))
    assert (pairing.round, pairing.method, shown(pairing)) == (1, "knockout", pairs)
    assert all(OPTION in pair.why[1] for pair in pairing.pairs)


@pytest.mark.rule("OT.PAI-8")
def test_without_equal_points_there_are_no_play_offs_and_for_women_there_are_none_at_all() -> None:
    with pytest.raises(NoPairing, match="Nobody about the edge has equal points"):
        paired(opened(championship("87665554"), "play-offs"))
    women = opened(championship("8766443333", women="GHIJ"), "semifinals-women")
    assert shown(paired(women)) == ["SF1 G?-J", "SF2 H?-I"]
    five = championship("8766443333", women="FGHIJ")  # four with equal points: the list has an order, and no play-offs
    assert shown(paired(opened(five, "semifinals-women"))) == ["SF1 F?-I", "SF2 G?-H"]


@pytest.mark.rule("OT.PAI-8", "OT.PAI-7")
def test_places_for_the_play_offs_are_counted_without_those_who_left() -> None:
    """OT.D18."""
    file = championship("8766554")
    file["entrants"][1]["withdrawn_after"] = 0
    assert shown(paired(opened(file, "play-offs"))) == ["4-5 E?-F"]


@pytest.mark.rule("OT.PAI-9")
def test_semifinals_are_first_against_fourth_and_second_against_third_of_the_final_list() -> None:
    won = championship("8766665", play_offs=["D-E 20:44 @4-5, C-F 20:44 @3-6"])
    assert shown(paired(opened(won, "semifinals"))) == ["SF1/1 A?-F", "SF2/1 B?-E"]
    with pytest.raises(NoPairing, match="D and E for a duel; C and F for a duel"):
        paired(opened(championship("8766665"), "semifinals"))
    left = championship("876655")
    left["entrants"][0]["withdrawn_after"] = 0
    with pytest.raises(NoPairing, match="E and F for a duel"):
        paired(opened(left, "semifinals"))


@pytest.mark.rule("OT.PAI-9")
def test_semifinals_that_have_begun_keep_their_four_whatever_comes_to_the_list() -> None:
    facts = read(championship("87665", semifinals=SEMIFINALS[:1])).accepted()
    penalty = Penalty(entrant="D", stage="preliminary", round=1, points=Fraction(-2))  # E has more points now
    later = replace(facts, penalties={"p": penalty})
    assert opening(later, "semifinals").entrants == ("A", "B", "C", "D")
    assert [row.entrant for row in final(later).rows] == ["A", "B", "C", "D", "E"]


@pytest.mark.rule("OT.PAI-9", "OT.RES-6")
def test_a_best_of_three_has_a_choice_then_colours_reversed_then_a_choice_by_discs() -> None:
    first = paired(opened(championship("87665"), "semifinals"))
    assert shown(first) == ["SF1/1 A?-D", "SF2/1 B?-C"]
    assert first.pairs[0].why[1] == "A is placed higher and chooses the colour of game 1."
    second = paired(championship("87665", semifinals=SEMIFINALS[:1]))
    assert (second.round, shown(second)) == (2, ["SF1/2 D*-A", "SF2/2 C*-B"])
    third = paired(championship("87665", semifinals=SEMIFINALS[:2]))
    assert (third.round, shown(third)) == (3, ["SF1/3 D?-A"])  # B has won twice
    assert third.pairs[0].why[1] == "D has made more discs so far, 74 to 54, and chooses the colour."
    level = championship("87665", semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 40:24 @SF1, C-B 24:40 @SF2"])
    assert shown(paired(level)) == ["SF1/3 A?-D"]
    with pytest.raises(StageOver, match="All matches of stage semifinals are decided"):
        paired(championship("87665", semifinals=SEMIFINALS))


def test_colours_that_are_not_known_cannot_be_reversed() -> None:
    file = championship("87665", semifinals=SEMIFINALS[:1])
    del file["stages"][1]["rounds"][0]["games"][0]["first"]
    second = paired(file)
    assert shown(second) == ["SF1/2 A-D", "SF2/2 C*-B"]
    assert second.pairs[0].why[1] == "Colours are the reverse of game 1, of which they are not known."


@pytest.mark.rule("OT.PAI-9", "OT.PAI-12")
def test_the_game_for_third_place_is_a_single_one_beside_the_first_of_the_final() -> None:
    file = opened(championship("87665", semifinals=SEMIFINALS), "final")
    pairing = paired(file)
    assert shown(pairing) == ["third A?-C", "final/1 B?-D"]
    assert OPTION in pairing.pairs[0].why[1]
    assert pairing.pairs[0].why[2] == "It starts together with game 1 of the stage final."
    file["stages"][-1]["rounds"] = championship("8", final=["A-C 32:32 @third =C, B-D 40:24 @final"])["stages"][1][
        "rounds"
    ]
    assert shown(paired(file)) == ["final/2 D*-B"]
    with pytest.raises(NoPairing, match=r"waits for semifinals: SF1 \(A and D\) is not decided"):
        paired(opened(championship("87665", semifinals=SEMIFINALS[:2]), "final"))


@pytest.mark.rule("OT.PAI-10", "OT.PAI-11", "OT.PAI-12")
@pytest.mark.parametrize(
    ("of", "semifinals", "third", "final"),
    [
        ("women", "game 2 of the stage semifinals", "game 1 of the stage final", "game 2 of the stage final"),
        (
            "juniors",
            "game 1 of the stage semifinals",
            "game 3 of the stage semifinals",
            "game 3 of the stage semifinals",
        ),
    ],
)
def test_women_and_juniors_play_single_games_while_the_others_play_theirs(
    of: str, semifinals: str, third: str, final: str
) -> None:
    file = opened(championship("876543210", **{of: "EFGHI"}), f"semifinals-{of}")  # pyrefly: ignore[bad-argument-type] - one of two lists
    pairing = paired(file)
    assert shown(pairing) == ["SF1 E?-H", "SF2 F?-G"]
    assert [pair.why[-1] for pair in pairing.pairs] == [f"It starts together with {semifinals}."] * 2
    played = championship("8", semifinals=["E-H 20:44 @SF1, F-G 32:32 @SF2 =G"])["stages"][1]["rounds"]
    file["stages"][-1]["rounds"] = played
    pairing = paired(opened(file, f"final-{of}"))
    assert shown(pairing) == ["third E?-F", "final G?-H"]
    assert [pair.why[-1] for pair in pairing.pairs] == [
        f"It starts together with {third}.",
        f"It starts together with {final}.",
    ]


@pytest.mark.rule("OT.PAI-10", "OT.PAI-11")
def test_with_one_of_them_in_the_overall_semifinals_women_have_no_games() -> None:
    """OT.V11."""
    for stage in ("semifinals-women", "final-women"):
        with pytest.raises(NoPairing, match="D of the list women plays in semifinals"):
            paired(opened(championship("87654321", women="DEFGH"), stage))
    with pytest.raises(NoPairing, match="D and E for a duel"):  # a play-off may still bring one there
        paired(opened(championship("87655432", women="EFGH"), "semifinals-women"))


@pytest.mark.rule("OT.PAI-10", "OT.PAI-11")
def test_with_fewer_than_four_women_the_best_wait() -> None:
    """OT.D11."""
    three = championship("87654321", women="EFG")
    assert shown(paired(opened(three, "semifinals-women"))) == ["SF2 F?-G"]
    three["stages"][-1]["rounds"] = championship("8", semifinals=["F-G 20:44 @SF2"])["stages"][1]["rounds"]
    assert shown(paired(opened(three, "final-women"))) == ["final E?-G"]
    with pytest.raises(NoPairing, match="has no matches"):
        paired(opened(championship("87654321", women="EF"), "semifinals-women"))
    assert shown(paired(opened(championship("87654321", women="EF"), "final-women"))) == ["final E?-F"]
    for stage in ("semifinals-women", "final-women"):
        with pytest.raises(NoPairing, match="fewer than 2"):
            paired(opened(championship("87654321", women="E"), stage))


@pytest.mark.rule("OT.PAI-7")
def test_for_whoever_leaves_before_the_semifinals_the_next_of_the_list_comes() -> None:
    """OT.D18."""
    facts = read(opened(championship("8766665", play_offs=["D-E 20:44 @4-5, C-F 40:24 @3-6"]), "semifinals")).accepted()
    assert opening(facts, "semifinals").entrants == ("A", "B", "C", "E")
    gone = replace(facts, left={"A": Left(stage="play-offs", after_round=1)})
    assert opening(gone, "semifinals").entrants == ("B", "C", "D", "E")
    assert [row.entrant for row in final(gone).rows][:4] == ["B", "C", "D", "E"]
    begun = replace(gone, fields={**gone.fields, "semifinals": ("A", "B", "C", "E")})
    assert [row.entrant for row in final(begun).rows][:4] == ["A", "B", "C", "E"]


@pytest.mark.rule("OT.PAI-7", "OT.PAI-9")
def test_the_best_of_three_who_are_left_waits_for_the_final() -> None:
    """OT.D48: five have played, two of them have left."""
    file = championship("87654", semifinals=["B-C 40:24 @SF2", "C-B 24:40 @SF2"])
    for name in (3, 4):
        file["entrants"][name]["withdrawn_after"] = 0
    assert places(final(read(file).accepted())) == "AB C D E"
    opened(file, "final")
    assert shown(paired(file)) == ["final/1 A?-B"]
    file["stages"][-1]["rounds"] = rounds("A-B 20:44 @final", "B-A 44:20 @final")
    assert places(final(read(file).accepted())) == "B A C D E"
    begun = championship("87654", semifinals=[])
    for name in (3, 4):
        begun["entrants"][name]["withdrawn_after"] = 0
    assert shown(paired(begun)) == ["SF2/1 B?-C"]


def corrected(facts: Facts, **points: int) -> Facts:
    """With other points of the preliminary rounds."""
    changed = {name: structs.replace(facts.entrants[name], carried=Fraction(now)) for name, now in points.items()}
    return replace(facts, entrants={**facts.entrants, **changed})


def matches(facts: Facts, stage: str) -> list[tuple[str, tuple[str, str], int]]:
    return [(one.match, one.seats, one.game) for one in fixtures(facts, stage)]


@pytest.mark.rule("OT.PAI-9")
def test_who_waits_for_the_final_does_so_whatever_a_correction_makes_of_the_list() -> None:
    """OT.D11: the second has met the third, and is first by now."""
    facts = read(championship("876", semifinals=["B-C 40:24 @SF2", "C-B 24:40 @SF2"])).accepted()
    facts = corrected(facts, B=9)
    assert matches(facts, "semifinals") == []
    assert matches(facts, "final") == [("final", ("A", "B"), 1)]
    assert pair(facts, "final", lots=BY_LOT).pairs[0].seats == ("B", "A")  # and B has the choice


@pytest.mark.rule("OT.PAI-9")
def test_a_semifinal_that_is_played_anew_has_nobody_of_the_other_one() -> None:
    facts = read(championship("8765", semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2"])).accepted()
    void = "semifinals.1.2"
    results = {game: one for game, one in facts.results.items() if game != void}
    facts = corrected(replace(facts, results=results, voided=frozenset({void})), C=9)
    assert matches(facts, "semifinals") == [("SF1", ("A", "D"), 2), ("SF2", ("C", "B"), 1)]


@pytest.mark.rule("OT.PAI-7", "OT.PAI-9")
def test_who_is_back_when_the_semifinals_have_begun_is_not_in_them() -> None:
    file = championship("87654", semifinals=["B-C 40:24 @SF2", "C-B 24:40 @SF2"])
    for name in (3, 4):
        file["entrants"][name]["withdrawn_after"] = 0
    facts = read(file).accepted()
    facts = replace(facts, left={"E": facts.left["E"]})
    assert matches(facts, "semifinals") == []
    assert matches(facts, "final") == [("final", ("A", "B"), 1)]
    assert places(final(facts)) == "AB C D E"


@pytest.mark.rule("OT.PAI-7")
def test_no_semifinal_waits_for_who_is_back_when_the_final_has_begun() -> None:
    file = championship("8765", final=["A-B 40:24 @final"])
    for name in (2, 3):
        file["entrants"][name]["withdrawn_after"] = 0
    facts = read(file).accepted()
    assert "Semifinals has not begun." not in list(undecided(facts))
    closed = {"preliminary": order_of(rank(facts, "preliminary").rows)}
    facts = replace(facts, left={"D": facts.left["D"]}, closed=closed)
    assert "Semifinals has not begun." not in list(undecided(facts))
    assert "not-held" in [one.kind for one in next_round(facts, "semifinals").obstacles]
    assert places(final(facts)) == "A B C D"


@pytest.mark.rule("OT.PAI-8")
def test_a_pair_that_a_correction_makes_plays_until_the_semifinals_begin() -> None:
    """OT.D73: D was fourth and has beaten E; now E and F have equal points about the edge."""
    file = championship("876554", play_offs=["D-E 40:24 @4-5"])
    facts = corrected(read(file).accepted(), D=4, F=5)
    assert [one.entrants for one in opening(facts, "semifinals").awaits] == [("E", "F")]
    assert matches(facts, "play-offs") == [("4-5", ("E", "F"), 1)]
    assert [one.seats for one in pair(facts, "play-offs", lots=BY_LOT).pairs] == [("E", "F")]
    ((_, first),) = ((place, one) for place, one in facts.rounds.items() if place[0] == "play-offs")
    game = structs.replace(first.games[0], id="again", seats=("F", "E"), first="F")
    second = replace(first, number=2, games=(game,))
    result = structs.replace(facts.results[first.games[0].id], first="F")
    facts = replace(
        facts, rounds={**facts.rounds, ("play-offs", 2): second}, results={**facts.results, "again": result}
    )
    assert matches(facts, "play-offs") == []
    assert opening(facts, "semifinals").entrants == ("A", "B", "C", "F")


@pytest.mark.rule("OT.PAI-8")
@pytest.mark.parametrize("play_offs", [[], ["D-E 40:24 @4-5"]])
def test_no_play_off_waits_to_be_played_once_the_semifinals_have_begun(play_offs: list[str]) -> None:
    points = "876554" if play_offs else "876543"
    file = championship(points, play_offs=play_offs, semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2"])
    if not play_offs:
        del file["stages"][1]
    facts = corrected(read(file).accepted(), D=4, E=5, F=5)
    assert matches(facts, "play-offs") == []
    assert not any(one.startswith("Play-offs has not begun") for one in undecided(facts))
    assert not any("4-5" in one for one in unfinished(facts, "play-offs"))


@pytest.mark.rule("OT.PAI-7")
def test_who_leaves_during_the_semifinals_has_lost_the_games_that_are_left() -> None:
    file = championship("87665", semifinals=SEMIFINALS[:1])
    file["entrants"][3]["withdrawn_after"] = 0
    file["stages"][1]["rounds"][0]["games"][0] |= {"scores": [64, 0], "end": "forfeit", "by": 1}
    pairing = paired(file)
    assert shown(pairing) == ["SF1/2 D*-A", "SF2/2 C*-B"]
    assert pairing.pairs[0].why[-1] == "D is no longer there: the game is entered as lost."


@pytest.mark.rule("OT.X-3")
def test_a_lot_decides_where_the_list_leaves_some_equal_and_it_is_said() -> None:
    file = opened(championship("87665"), "semifinals")
    file["options"] = {}
    pairing = paired(file)
    assert pairing.explanation[0].startswith("C and D are equal in the list of preliminary: by lot their order is ")
    assert pairing.explanation[0].endswith("Write it down as a decision, so that the tables know of it.")
    assert paired(file) == pairing
    orders = {shown(paired(file | {"seed": seed}))[0] for seed in range(20)}
    assert orders == {"SF1/1 A?-C", "SF1/1 A?-D"}
    file["decisions"] = [{"stage": "preliminary", "kind": "lot", "order": ["D", "C"]}]
    decided = paired(file)
    assert (shown(decided), decided.explanation[0]) == (
        ["SF1/1 A?-C", "SF2/1 B?-D"],
        "Semifinals: 2 matches to be played.",
    )


def faults(file: dict[str, Any]) -> list[str]:
    return [f"{fault.pointer}: {fault.detail}" for fault in read(file).faults]


@pytest.mark.rule("OT.PAI-8", "OT.PAI-10")
def test_a_file_has_no_play_offs_and_no_semifinals_that_the_rules_do_not_know() -> None:
    play_offs = ["D-E 20:44 @4-5, C-G 20:44 @3-6, B-F 40:24 @5-6"]
    assert faults(championship("87666654", play_offs=play_offs)) == [
        "/stages/1/rounds/0/games/1/seats: C and G do not have equal points",
        "/stages/1/rounds/0/games/2/match: should be one of 4-5, 3-6, 2-7, 1-8",
    ]
    crossed = championship("87666654", play_offs=["D-F 20:44 @4-5, C-E 20:44 @3-6"])
    assert [one.partition(": ")[2] for one in faults(crossed)] == [
        "4-5 is not between D and F, unless override says why",
        "3-6 is not between C and E, unless override says why",
    ]
    for game in crossed["stages"][1]["rounds"][0]["games"]:
        game["override"] = "The list was published wrongly."
    assert faults(crossed) == []
    women = championship("87654321", women="DEFG", semifinals=SEMIFINALS, semifinals_women=["E-F 20:44 @SF2"])
    sentence = "D of the list women plays in semifinals"
    assert faults(women) == [f"/stages/2/rounds/0: cannot be there: {sentence}, unless override says why"]
    final_only = championship("87654321", women="DEFG", semifinals=SEMIFINALS, final_women=["E-F 20:44 @final"])
    assert faults(final_only) == faults(women)


@pytest.mark.rule("OT.D74", "OT.STA-4")
def test_a_file_has_the_semifinals_that_women_played_before_one_of_them_came_into_those_of_all() -> None:
    """D left when E and H, F and G had played, and E was in the semifinals of all instead."""
    women = ["E-H 20:44 @SF1, F-G 20:44 @SF2"]
    file = championship("87654321", women="EFGH", semifinals=["A-E 40:24 @SF1, B-C 40:24 @SF2"], semifinals_women=women)
    file["entrants"][3]["withdrawn_after"] = 7
    file["stages"][2]["rounds"][0]["override"] = "They had played when D left."
    again = written(read(file).accepted(), names={}, key=None)
    assert faults(again) == []
    assert places(final(read(again).accepted(), among="women")) == "E F G H"


@pytest.mark.rule("OT.PAI-8")
def test_equal_points_alone_are_no_play_off_and_who_left_after_the_pairing_forfeits() -> None:
    below = championship("87654411", play_offs=["E-F 20:44 @4-5"])
    assert faults(below) == ["/stages/1/rounds/0/games/0/seats: 4-5 is not between E and F, unless override says why"]
    nameless = championship("87666654", play_offs=["D-E 20:44 @4-5, C-E 20:44 @3-6"])
    for game in nameless["stages"][1]["rounds"][0]["games"]:
        del game["match"]
    nameless["stages"][1]["rounds"][0]["games"][1]["seats"] = ["C", "G"]
    assert [one.partition(": ")[2] for one in faults(nameless)] == ["C and G do not have equal points"]
    nameless["stages"][1]["rounds"][0]["games"][1]["seats"] = ["C", "F"]
    assert faults(nameless) == []
    nameless["stages"][1]["rounds"][0]["games"] = [{"seats": ["D", "F"], "scores": [40, 24]}]
    assert [one.partition(": ")[2] for one in faults(nameless)] == [
        "no play-off is between D and F, unless override says why"
    ]
    left = championship("87666654", play_offs=["D-E 64:0 @4-5"])
    left["stages"][1]["rounds"][0]["games"][0] |= {"end": "forfeit", "by": 1}
    left["entrants"][4]["withdrawn_after"] = 0
    assert faults(left) == []


@pytest.mark.rule("OT.PAI-9")
@pytest.mark.parametrize(
    ("semifinals", "final", "sentences"),
    [
        ("A-D 64:0 @SF1, B-C 64:0 @SF2", "A-B 64:0 @final, D-C 64:0 @third", []),
        ("A-E 64:0 @SF1, B-C 64:0 @SF2", "", ["SF1 is between A and D (OT.PAI-9), not A and E"]),
        (
            "A-C 64:0 @SF1, B-D 64:0 @SF2",
            "",
            ["SF1 is between A and D (OT.PAI-9), not A and C", "SF2 is between B and C (OT.PAI-9), not B and D"],
        ),
        (
            "A-D 64:0 @SF1, B-C 64:0 @SF2",
            "D-B 64:0 @final",
            ["final is between A and B (OT.PAI-9), not D and B"],
        ),
    ],
)
def test_a_file_has_the_semifinals_and_the_final_that_follow_from_the_list(
    semifinals: str, final: str, sentences: list[str]
) -> None:
    file = championship("87654", semifinals=[semifinals, swapped(semifinals)], final=[final] if final else [])
    first = [one.partition(": ")[2] for one in faults(file) if "/rounds/0/" in one]
    assert first == [f"{sentence}, unless override says why" for sentence in sentences]
    for stage in file["stages"]:
        for game in (game for one in stage["rounds"] for game in one["games"]):
            game["override"] = "The list was published wrongly."
    again = written(read(file).accepted(), names={}, key=None)
    assert faults(again) == []


@pytest.mark.rule("OT.PAI-10")
def test_a_file_has_the_semifinals_of_the_women_that_follow_from_their_list() -> None:
    file = championship("9876543210", women="EFGH", semifinals_women=["E-G 64:0 @SF1, F-H 64:0 @SF2"])
    assert [one.partition(": ")[2] for one in faults(file)] == [
        "SF1 is between E and H (OT.PAI-10), not E and G, unless override says why",
        "SF2 is between F and G (OT.PAI-10), not F and H, unless override says why",
    ]


def test_what_the_rules_say_of_preliminary_rounds_is_not_said_of_matches() -> None:
    facts = read(championship("87665", semifinals=SEMIFINALS)).accepted()
    (over,) = next_round(facts, "semifinals").obstacles
    assert over.detail == "All 3 rounds of this stage are published."
    missing = replace(facts, results={})
    (open_yet,) = next_round(missing, "semifinals").obstacles
    assert open_yet.detail.endswith("the next round is paired when all are in.")


def swapped(games: str) -> str:
    """The second games of these matches, with the same winners."""
    return re.sub(r"(\w)-(\w) 64:0", r"\2-\1 0:64", games)


@pytest.mark.rule("OT.RES-6")
def test_a_file_has_colours_reversed_in_the_second_game() -> None:
    same = championship("87665", semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2", "A-D 24:40 @SF1, C-B 24:40 @SF2"])
    assert faults(same) == ["/stages/1/rounds/1/games/0/first: A began game 1 as well: in game 2 it is the other one"]


def test_the_rights_in_a_match_are_not_given_to_somebody_else() -> None:
    facts = read(championship("87665", semifinals=SEMIFINALS[:2])).accepted()
    wrong = PairedRound(
        round=3, method="by hand", pairs=(SeatedTable(table=1, seats=("A", "D"), option="A", match="SF1", number=3),)
    )
    (breach,) = check(facts, "semifinals", wrong)
    assert (breach.requirement, breach.entrants) == ("OT.RES-7", ("A", "D"))
    others = replace(wrong, pairs=(replace(wrong.pairs[0], seats=("A", "B"), option=None),))
    assert [one.requirement for one in check(facts, "semifinals", others)] == ["OT.PAI-9"]
    second = read(championship("87665", semifinals=SEMIFINALS[:1])).accepted()
    games = (
        SeatedTable(table=1, seats=("A", "D"), first="A", match="SF1", number=2),
        SeatedTable(table=2, seats=("C", "B"), first="C", match="SF2", number=2),
    )
    (breach,) = check(second, "semifinals", PairedRound(round=2, method="by hand", pairs=games))
    assert (breach.requirement, breach.sentence) == (
        "OT.RES-6",
        "A is not to have black in SF1: Colours are reversed: A had black in game 1, so D has it now.",
    )


@pytest.mark.rule("OT.PAI-9")
def test_a_match_that_has_begun_goes_on_between_the_same_whatever_becomes_of_the_list() -> None:
    """B is first of the list since a correction: the semifinals would be B-D and A-C if they were made now."""
    facts = read(championship("8777", semifinals=["A-D 20:44 @SF1, B-C 40:24 @SF2"])).accepted()
    penalty = Penalty(entrant="A", stage="preliminary", round=1, points=Fraction(-1, 2))
    better = Penalty(entrant="B", stage="preliminary", round=1, points=Fraction(1))
    later = replace(facts, penalties={"p": penalty, "q": better})
    assert [(one.match, set(one.seats), one.game) for one in fixtures(later, "semifinals")] == [
        ("SF1", {"A", "D"}, 2),
        ("SF2", {"B", "C"}, 2),
    ]


def test_somebody_else_who_plays_a_game_of_a_match_by_hand_adds_nothing_to_it() -> None:
    semifinals = ["A-D 20:44 @SF1, B-C 40:24 @SF2", "D-A 30:34 @SF1, C-B 24:40 @SF2"]
    facts = read(championship("87665", semifinals=semifinals)).accepted()
    second = facts.rounds["semifinals", 2]
    games = tuple(structs.replace(game, seats=("D", "E")) if game.match == "SF1" else game for game in second.games)
    by_hand = replace(facts, rounds={**facts.rounds, ("semifinals", 2): replace(second, games=games)})
    assert {row.entrant for row in final(by_hand).rows} == set("ABCDE")
