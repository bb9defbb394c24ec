"""Pairing of the three Scrabble rulesets: what holds in each of them, and what is another thing online."""

from collections import Counter

import pytest
from msgspec.structs import replace

from services.pairing.engines import check, evens_out_roles
from services.pairing.engines.paired_round import PairedRound
from shared.rulesets import catalogue
from shared.rulesets.settings import settings
from shared.tournament.facts import Entrant, Facts
from shared.tournament.stages import settings_of
from tests.simulated import STAGE, ban, by_chance, facts, left, next_pairing, played, to_the_end

QT, MS, ONLINE = "scrabble-sk-2022-qt", "scrabble-sk-2022-ms", "scrabble-sk-2022-online"
ROUNDS = {QT: 7, MS: 13, ONLINE: 7}


def whole(known: Facts, rounds: int) -> Facts:
    for number in range(rounds):
        pairing = next_pairing(known)
        assert [one for one in check(known, STAGE, pairing) if one.severity == "hard"] == []
        known = played(known, pairing, by_chance(number).of(pairing))
    return known


@pytest.mark.rule("SK.PAI-1", "SK.PAI-2", "SK.PAI-8", "SK.PAI-9")
@pytest.mark.parametrize(("ruleset", "entrants"), [(QT, 21), (MS, 32), (MS, 17), (ONLINE, 20), (ONLINE, 13)])
def test_a_swiss_has_its_rounds_no_second_meeting_balanced_roles_and_no_second_bye(ruleset: str, entrants: int) -> None:
    known = whole(facts(entrants, ruleset=ruleset), ROUNDS[ruleset])
    games = [game for one in known.rounds.values() for game in one.games]
    assert set(Counter(frozenset(game.seats) for game in games).values()) == {1}
    first = Counter(game.first for game in games)
    for entrant in known.entrants:
        played_by = sum(entrant in game.seats for game in games)
        assert abs(2 * first[entrant] - played_by) <= 2
    byes = Counter(one for stands in known.rounds.values() for one in stands.byes)
    assert sum(byes.values()) == (ROUNDS[ruleset] if entrants % 2 else 0)
    assert set(byes.values()) <= {1}


@pytest.mark.rule("SK.PAI-4")
@pytest.mark.parametrize(("ruleset", "open_rounds"), [(QT, 6), (MS, 9)])
def test_families_meet_in_no_blocked_round(ruleset: str, open_rounds: int) -> None:
    """SK.V14."""
    last = ROUNDS[ruleset] - open_rounds
    close = [ban("E1", "E2", last_rounds=last), ban("E3", "E4", last_rounds=last)]
    known = whole(facts(16, ruleset=ruleset, bans=close), ROUNDS[ruleset])
    together = {
        number
        for (_, number), one in known.rounds.items()
        for game in one.games
        if set(game.seats) in ({"E1", "E2"}, {"E3", "E4"})
    }
    assert all(number <= open_rounds for number in together)


@pytest.mark.rule("SK.PAI-5")
@pytest.mark.parametrize("ruleset", [QT, MS])
def test_live_the_lower_rated_is_player_a_on_odd_tables_of_round_one(ruleset: str) -> None:
    for pair in next_pairing(facts(20, ruleset=ruleset)).pairs:
        one, other = sorted(pair.seats, key=lambda seat: int(seat[1:]))
        assert pair.first == (other if pair.table % 2 else one)


def with_late(known: Facts, rating: int) -> Facts:
    """Somebody who was admitted before the first round, with the next start number."""
    number = len(known.entrants) + 1
    return replace(known, entrants={**known.entrants, "late": Entrant(id="late", number=number, rating=rating)})


@pytest.mark.rule("SK.PAI-5", "SK.REG-7")
@pytest.mark.parametrize("entrants", [3, 7, 9, 11])
def test_whoever_is_admitted_before_round_one_stands_where_the_rating_says(entrants: int) -> None:
    known = with_late(facts(entrants, ruleset=QT), rating=2100)
    rating = {one.id: one.rating or 0 for one in known.entrants.values()}
    pairing = next_pairing(known)
    for pair in pairing.pairs:
        lower, higher = sorted(pair.seats, key=rating.__getitem__)
        assert pair.first == (lower if pair.table % 2 else higher)
    assert "late" in pairing.pairs[0].seats


@pytest.mark.rule("SK.PAI-8")
def test_the_bye_of_round_one_is_for_the_lowest_rated_and_not_for_whoever_came_last() -> None:
    assert next_pairing(with_late(facts(8, ruleset=QT), rating=1995)).byes == ("E8",)


@pytest.mark.rule("SK.PAI-9")
@pytest.mark.parametrize("entrants", [7, 9, 11])
def test_online_the_highest_rated_does_not_start_though_they_came_last(entrants: int) -> None:
    assert "late" not in [pair.first for pair in next_pairing(with_late(facts(entrants, ruleset=ONLINE), 2100)).pairs]


def to_the_last_round(known: Facts) -> tuple[Facts, list[PairedRound]]:
    pairings: list[PairedRound] = []
    for number in range(len(known.rounds), ROUNDS[QT]):
        pairings.append(next_pairing(known))
        wins = {pair.table: (400 + number, 350) for pair in pairings[-1].pairs}
        known = played(known, pairings[-1], wins)
    return known, pairings


@pytest.mark.rule("SK.PAI-3", "SK.PAI-8")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_round_robin_for_which_somebody_comes_too_many_goes_on_as_a_swiss(rounds: int) -> None:
    """As on the platform, where a stage is opened with those of its first round, and as in a file, where it is not."""
    known, _ = to_the_end(facts(8, ruleset=QT), rounds)
    late = Entrant(id="late", number=9, rating=1995, from_round=rounds + 1)
    grown = replace(known, entrants={**known.entrants, "late": late})
    opened = replace(grown, fields={STAGE: tuple(known.entrants)})
    assert next_pairing(opened) == next_pairing(grown)
    whole, pairings = to_the_last_round(opened)
    assert {one.method for one in pairings} == {"cost-swiss"}
    meetings = [frozenset(game.seats) for one in whole.rounds.values() for game in one.games]
    assert len(meetings) == len(set(meetings)) == 4 * 7
    assert set(Counter(one for stands in whole.rounds.values() for one in stands.byes).values()) == {1}
    assert settings_of(opened, STAGE).standings.criteria[1] == "wins"


@pytest.mark.rule("SK.PAI-3")
def test_a_swiss_stays_one_though_somebody_leaves_before_their_first_game_was_played() -> None:
    known, _ = to_the_end(facts(9, ruleset=QT), 1)
    opened = replace(left(known, "E9", 0), fields={STAGE: tuple(known.entrants)})
    assert next_pairing(opened).method == "cost-swiss"
    late = Entrant(id="late", number=9, rating=1995, from_round=2)
    known, _ = to_the_end(facts(8, ruleset=QT), 1)
    known = replace(known, entrants={**known.entrants, "late": late}, fields={STAGE: tuple(known.entrants)})
    assert next_pairing(left(known, "late", 1)).method == "round-robin"


@pytest.mark.rule("SK.PAI-9")
@pytest.mark.parametrize("entrants", [2, 5, 8, 9, 10, 20])
def test_online_the_first_of_the_order_does_not_start_in_round_one(entrants: int) -> None:
    """Whether it is a Swiss or, in a small field, a round robin; later the roles are even."""
    known = facts(entrants, ruleset=ONLINE)
    pairing = next_pairing(known)
    assert "E1" not in [pair.first for pair in pairing.pairs]
    assert all(pair.first == pair.seats[0] for pair in pairing.pairs)


@pytest.mark.rule("SK.PAI-9")
def test_online_the_order_is_by_online_screlo_and_who_is_new_has_1600() -> None:
    ruleset = catalogue.load(ONLINE)
    assert (ruleset.entry.seeding.by, ruleset.entry.seeding.rating) == ("rating", "screlo-online")
    assert ruleset.entry.seeding.unrated == 1600
    assert settings(ruleset, STAGE, size=20).contest.starter == "server"


@pytest.mark.rule("SK.PAI-3")
@pytest.mark.parametrize(("ruleset", "most"), [(QT, 8), (MS, 14), (ONLINE, 8)])
def test_a_small_field_plays_a_round_robin_in_all_three(ruleset: str, most: int) -> None:
    assert next_pairing(facts(most, ruleset=ruleset)).method == "round-robin"
    assert next_pairing(facts(most + 1, ruleset=ruleset)).method == "cost-swiss"


@pytest.mark.rule("SK.PAI-2")
@pytest.mark.parametrize("entrants", [6, 12])
def test_a_round_says_of_how_many_games_nobody_knows_who_was_named_first(entrants: int) -> None:
    """1.3: starting has to stay balanced, which a file without `first` does not allow."""
    known = facts(entrants)
    first_round = next_pairing(known)
    known = played(known, first_round, by_chance(1).of(first_round))
    assert not [sentence for sentence in next_pairing(known).explanation if "who was first" in sentence]
    stands = known.rounds[STAGE, 1]
    games = (replace(stands.games[0], first=None), *stands.games[1:])
    untold = replace(known, rounds={(STAGE, 1): replace(stands, games=games)})
    said = f"Of 1 of {entrants // 2} games it is not told who was first: they count for nobody's balance of roles."
    assert said in next_pairing(untold).explanation


@pytest.mark.parametrize("ruleset", ["carcassonne-cz-final", "pisqworky-2025-individual"])
def test_nothing_is_said_of_who_was_first_where_no_role_is_evened_out(ruleset: str) -> None:
    rules = catalogue.load(ruleset)
    assert not evens_out_roles(settings(rules, rules.stages[0].id, size=32))
