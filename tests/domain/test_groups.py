"""Groups and the play-off that goes on from them, for fields of every size."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing import engines
from services.pairing.calculate import PairingShown, paired
from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import NoPairing, PairedRound, StageOver, check
from services.pairing.engines.paired_round import GroupsUnusable, MatchNotDecided
from shared.rulesets import catalogue
from shared.rulesets.stages import Bracket
from shared.tournament.file import read
from shared.tournament.groups import drawn
from shared.tournament.progression import opening
from shared.tournament.ranking import final, rank
from tests.school_cup import File, cup, play_off_of, played, to_the_end
from tests.simulated import BY_LOT

OT = "pisqworky-2025-ss-ot"
RULESETS = [f"pisqworky-2025-{category}-{level}" for category in ("zs", "ss") for level in ("ot", "kt")]
# Teams, sizes of groups, matches in groups and in the play-off.
BANDS = [
    (4, [4], 6, 4),
    (7, [7], 21, 4),
    (8, [4, 4], 12, 8),
    (9, [5, 4], 16, 8),
    (10, [5, 5], 20, 12),
    (13, [4, 3, 3, 3], 15, 12),
    (19, [5, 5, 5, 4], 36, 12),
    (20, [5, 5, 5, 5], 40, 20),
    (24, [6, 6, 6, 6], 60, 20),
    (25, [4, 3, 3, 3, 3, 3, 3, 3], 27, 16),
]
# The first play-off round of each band, and where its losers go on, word for word as in the regulations.
FIRST = {
    4: "A1-A4 A2-A3",
    8: "A1-B2 A2-B1 A3-B4 B3-A4",
    10: "A1-B4 A2-B3 A3-B2 A4-B1",
    13: "A1-B2 C1-D2 A2-B1 C2-D1",
    20: "A1-B4 C2-D3 A3-B2 C4-D1 A2-B3 C1-D4 A4-B1 C3-D2",
    25: "A1-B2 C1-D2 E1-F2 G1-H2 A2-B1 C2-D1 E2-F1 G2-H1",
}
LOSERS = {4: "", 8: "", 10: "QF1-QF2 QF3-QF4", 13: "QF1-QF3 QF2-QF4", 20: "QF1-QF2 QF3-QF4", 25: ""}


def matches(rounds: list[PairingShown]) -> int:
    return sum(len(one.pairs) for one in rounds)


@pytest.mark.rule("PQ.PAI-1", "PQ.PAI-3")
@pytest.mark.parametrize(("teams", "sizes", "in_groups", "in_play_off"), BANDS)
def test_the_number_of_teams_fixes_groups_and_matches(
    teams: int, sizes: list[int], in_groups: int, in_play_off: int
) -> None:
    """PQ.V6."""
    file = cup(teams)
    rounds = to_the_end(file)
    groups = rounds[0].groups or {}
    assert [len(members) for members in groups.values()] == sizes
    assert all(one.groups == groups for one in rounds)
    assert matches(rounds) == in_groups
    met = Counter(frozenset(pair.seats) for one in rounds for pair in one.pairs)
    assert met == Counter(frozenset(two) for members in groups.values() for two in combinations(members, 2))
    assert len(rounds) == sizes[0] - 1 + sizes[0] % 2
    assert matches(play_off_of(file)) == in_play_off


@pytest.mark.rule("PQ.PAI-1")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_band_is_the_same_at_area_and_regional_tournaments_of_both_categories(ruleset: str) -> None:
    for teams in (4, 9, 12, 14, 21, 26):
        file = cup(teams, ruleset=ruleset)
        to_the_end(file)
        play_off_of(file)
        places = [match.places for match in bracket(ruleset, teams).matches if match.places]
        assert sorted(places)[:2] == [(1, 2), (3, 4)]
        with pytest.raises(StageOver):
            paired(file)


def bracket(ruleset: str, teams: int) -> Bracket:
    return next(one for one in catalogue.load(ruleset).stages[1].brackets if one.fits(teams))


@pytest.mark.rule("PQ.PAI-1")
@pytest.mark.parametrize("teams", FIRST)
def test_who_meets_whom_in_the_play_off_is_as_the_regulations_say(teams: int) -> None:
    found = {
        match.id: "-".join(side.removeprefix("loser:") for side in match.sides) for match in bracket(OT, teams).matches
    }
    in_round_1 = [match.id for match in bracket(OT, teams).matches if match.round == 1]
    assert " ".join(found[name] for name in in_round_1) == FIRST[teams]
    going_on = [found[name] for name in ("P1", "P2") if name in found and name not in in_round_1]
    assert " ".join(going_on) == LOSERS[teams]


@pytest.mark.rule("PQ.PAI-1")
def test_the_losers_of_quarter_finals_cross_in_one_band_and_not_in_the_other() -> None:
    for teams, wanted in ((12, ("QF1", "QF2")), (13, ("QF1", "QF3"))):
        file = cup(teams)
        to_the_end(file)
        first, second, _ = play_off_of(file)
        lost = {
            game["match"]: loser(game) for game in file["stages"][1]["rounds"][0]["games"] if game["match"] in wanted
        }
        assert {seat for pair in second.pairs if pair.match == "P1" for seat in pair.seats} == set(lost.values())
        assert [pair.match for pair in first.pairs] == ["QF1", "QF2", "QF3", "QF4"]


def loser(game: dict[str, Any]) -> str:
    one, other = game["seats"]
    return other if game["scores"][0] > game["scores"][1] or game.get("winner") == one else one


def test_three_teams_have_no_groups_but_may_play_a_round_robin() -> None:
    with pytest.raises(NoPairing, match=r"The rules know no groups for 3 .* after it, take back who has left"):
        paired(cup(3))
    alone = paired(cup(3, options={"pairing.system": "round-robin"}))
    assert (alone.method, len(alone.pairs)) == ("round-robin", 1)


@pytest.mark.rule("PQ.PAI-2", "PQ.D45")
def test_whoever_is_drawn_is_dealt_to_the_groups_in_turn_and_schools_change_places() -> None:
    """PQ.D45."""
    assert drawn("DBGAFCE", 3, {}) == [["D", "A", "E"], ["B", "F"], ["G", "C"]]
    assert drawn("DBGAFCE", 3, {"D": "brno", "A": "brno"}) == [["B", "A", "E"], ["D", "F"], ["G", "C"]]


@pytest.mark.rule("PQ.PAI-2")
def test_the_draw_says_where_a_school_is_in_a_group_twice() -> None:
    first = paired(cup(8, schools=["brno"] * 3 + ["opava"] * 2))
    groups = first.groups or {}
    (_, _, twice, count, *_) = first.explanation
    assert twice.startswith("Of one school are in group ")
    assert count == "1 pair of one school in one group: fewer cannot be had."
    assert paired(cup(8)).explanation[2] == "No school is in a group twice."
    assert {"T4", "T5"} not in [set(members) & {"T4", "T5"} for members in groups.values()]
    assert (paired(cup(8, seed=1)).groups, paired(cup(8, seed=2)).groups) != (groups, groups)


@pytest.mark.rule("PQ.PAI-2", "PQ.D46")
def test_a_draw_by_hand_is_taken_as_it_is_and_its_conflicts_are_counted() -> None:
    file = cup(8, schools=["brno"] * 3)
    for one, letter in zip(file["entrants"], "AAABABBB", strict=True):
        one["group"] = letter
    first = paired(file)
    assert first.groups == {"A": ["T1", "T2", "T3", "T5"], "B": ["T4", "T6", "T7", "T8"]}
    assert "3 pairs of one school in one group: 1 would do." in first.explanation
    file["entrants"][3]["group"] = "A"
    with pytest.raises(GroupsUnusable, match="8 entrants play in groups of 4 and 4, called A and B"):
        paired(file)


def test_groups_are_read_from_the_games_where_somebody_else_has_drawn_them() -> None:
    file = cup(9)
    games = [
        {"seats": seats, "scores": [12, 8], "group": letter}
        for seats, letter in ((["T1", "T2"], "A"), (["T3", "T4"], "A"), (["T5", "T6"], "B"), (["T7", "T8"], "B"))
    ]
    file["stages"][0]["rounds"] = [{"number": 1, "games": games}]
    second = paired(file)
    assert second.groups == {"A": ["T1", "T2", "T3", "T4", "T9"], "B": ["T5", "T6", "T7", "T8"]}
    assert matches(to_the_end(file)) == 16 - 4


@pytest.mark.rule("PQ.PAI-11", "PQ.D48", "PQ.D49")
def test_a_lot_says_who_starts_in_groups_and_in_the_play_off() -> None:
    file = cup(8)
    for one in (*to_the_end(file), *play_off_of(file)):
        for pair in one.pairs:
            assert pair.first == pair.seats[0]
            assert pair.why[-1] == f"{pair.first} starts: in the lot of this round it came out before {pair.seats[1]}."
    starts = {tuple(pair.seats) for seed in range(8) for pair in paired(cup(4, seed=seed)).pairs}
    assert len(starts) > 2  # each of the two matches either way round


def test_who_has_left_or_is_not_there_loses_by_default_and_stays_in_the_plan() -> None:
    """PQ.D18."""
    file = cup(8)
    first = paired(file)
    played(file, first)
    file["entrants"][0] |= {"withdrawn_after": 1, "left": "expelled"}
    file["next"] = {"missing": ["T2"]}
    second = paired(file)
    assert len(second.pairs) == 4
    assert not second.missing
    (gone,) = (pair for pair in second.pairs if "T1" in pair.seats)
    assert gone.seats[1] == "T1"
    assert gone.why[-1] in {f"T1 is not there, so that {gone.seats[0]} wins by default.", "Neither of them is there."}
    (absent,) = (pair for pair in second.pairs if "T2" in pair.seats)
    assert "not there" in absent.why[-1] or absent is gone


def cup_without_a_fourth_of_b(**how: str) -> File:
    """Of ten teams, two of group B have left after the groups."""
    file = cup(10)
    groups = to_the_end(file)[0].groups or {}
    for one in file["entrants"]:
        if one["id"] in groups["B"][:2]:
            one |= {"withdrawn_after": 5, **how}
    return file


@pytest.mark.rule("PQ.PAI-3", "PQ.D47")
def test_groups_play_their_rounds_together_by_bergers_tables_and_who_rests_is_named_nowhere() -> None:
    pairings = [one for one in to_the_end(cup(9)) if one.pairs[0].group]
    assert [one.byes for one in pairings] == [[]] * 5
    for letter, rounds in (
        ("A", ["25 34", "12 35", "13 45", "14 23", "15 24"]),  # the sixth is nobody
        ("B", ["14 23", "12 34", "13 24", "", ""]),
    ):
        drawn_here = (pairings[0].groups or {})[letter]
        number = {entrant: f"{place}" for place, entrant in enumerate(sorted(drawn_here), start=1)}
        for wanted, one in zip(rounds, pairings, strict=True):
            here = ["".join(sorted(number[seat] for seat in two.seats)) for two in one.pairs if two.group == letter]
            assert sorted(here) == wanted.split()


@pytest.mark.rule("PQ.PAI-1", "PQ.D49")
def test_whoever_would_meet_nobody_goes_on_without_a_match() -> None:
    """PQ.D49: of ten teams two of group B are gone, so that nobody is its fourth."""
    file = cup_without_a_fourth_of_b(left="expelled")
    rounds = play_off_of(file)
    assert [sorted(pair.match or "" for pair in one.pairs) for one in rounds] == [
        ["QF2", "QF3", "QF4"],
        ["P2", "SF1", "SF2"],
        ["final", "place5", "third"],
    ]
    waited = next(pair for pair in rounds[1].pairs if pair.match == "SF1")
    assert "as the 1st of group A and" in waited.why[0]
    places = [row.place for row in final(read(file).accepted()).rows]
    assert places[:7] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("PQ.STA-4")
def test_whoever_waits_for_an_opponent_has_the_places_of_the_match_to_come() -> None:
    file = cup_without_a_fourth_of_b()
    play_off_of(file)
    file["stages"][1]["rounds"] = file["stages"][1]["rounds"][:1]
    facts = read(file).accepted()
    waiting = set(opening(facts, "play-off").entrants) - {
        seat for game in file["stages"][1]["rounds"][0]["games"] for seat in game["seats"]
    }
    assert len(waiting) == 1
    assert {row.place for row in rank(facts, "play-off").rows if row.entrant in waiting} == {1}


@pytest.mark.rule("PQ.PAI-1")
def test_whoever_comes_into_groups_that_have_begun_changes_no_play_off() -> None:
    file = cup(9)
    played(file, paired(file))
    file["entrants"].append({"id": "T10", "number": 10, "from_round": 2})
    rounds = to_the_end(file)
    assert sorted(map(len, (rounds[-1].groups or {}).values())) == [5, 5]
    (first, _) = play_off_of(file)
    assert sorted(pair.match or "" for pair in first.pairs) == ["P1", "P2", "SF1", "SF2"]
    assert [row.place for row in final(read(file).accepted()).rows] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]


def test_a_drawn_match_waits_for_who_goes_on() -> None:
    file = cup(4)
    to_the_end(file)
    play_off_of(file)
    file["stages"][1]["rounds"] = file["stages"][1]["rounds"][:1]
    facts = read(file).accepted()
    results = {name: structs.replace(result, winner=None) for name, result in facts.results.items()}
    with pytest.raises(MatchNotDecided, match="SF1 ended in a draw"):
        engines.pair(replace(facts, results=results), "play-off", lots=BY_LOT)


def test_a_tie_about_the_play_off_has_to_be_settled_before_it() -> None:
    file = cup(4)
    for _ in range(3):
        played(file, paired(file), lead=0)
    file["stages"].append({"id": "play-off", "rounds": []})
    with pytest.raises(NoPairing, match="Who goes on is not decided"):
        paired(file)


def test_a_changed_round_is_held_against_the_plan() -> None:
    file = cup(8)
    facts = read(file).accepted()
    pairs = [("T1", "T2"), ("T3", "T4"), ("T5", "T6"), ("T7", "T8")]
    mixed = PairedRound(
        round=1,
        method="by hand",
        pairs=tuple(SeatedTable(table=table, seats=two, first=two[0]) for table, two in enumerate(pairs, start=1)),
    )
    found = check(facts, "groups", mixed)
    assert {one.kind for one in found} == {"other-group"}
    assert {one.requirement for one in found} == {"PQ.PAI-3"}
    resting = PairedRound(round=1, method="by hand", pairs=(), byes=tuple(one for pair in pairs for one in pair))
    assert {(one.kind, one.severity) for one in check(facts, "groups", resting)} == {("could-play", "soft")}
    to_the_end(file)
    file["stages"].append({"id": "play-off", "rounds": []})
    found = check(read(file).accepted(), "play-off", mixed)
    assert [one.kind for one in found] == ["not-in-bracket"] * 4
    found = check(read(file).accepted(), "play-off", resting)
    assert {(one.kind, one.severity) for one in found} == {("match-left-out", "hard")}
