"""Tables of four and three: the qualification of Carcassonne, by docs/rules/carcassonne.md."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import (
    NoPairing,
    NotAvailable,
    PairedRound,
    StageOver,
    alternative,
    check,
    pair,
)
from shared.tournament.facts import Absence, Ban, Facts
from tests import carcassonne, simulated
from tests.carcassonne import (
    QUALIFICATION,
    Course,
    after,
    by_chance,
    come,
    left,
    next_tables,
    played,
    qualification,
    repeated,
    seated,
    sizes,
    table_of,
    times_at_three,
    with_scores,
)

NO_MORE = "Of the later rounds none can be without repeated meetings, as far as can be seen."
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "carcassonne" / "tables.json").read_text())


@pytest.mark.rule("CC.PAI-2")
@pytest.mark.parametrize("vector", VECTORS["sizes"], ids=lambda vector: str(vector["players"]))
def test_tables_have_four_seats_and_three_only_where_the_number_demands_it(vector: dict[str, Any]) -> None:
    """CC.V9."""
    pairing = next_tables(qualification(vector["players"]))
    assert sizes(pairing) == Counter({4: vector["fours"], 3: vector["threes"]})
    assert sorted(seated(pairing)) == sorted(f"P{number}" for number in range(1, vector["players"] + 1))


@pytest.mark.rule("CC.PAI-2")
@pytest.mark.parametrize("players", VECTORS["refused"])
def test_a_number_that_no_tables_fit_is_refused(players: int) -> None:
    known = qualification(players)
    with pytest.raises(
        NoPairing, match=f"^{players} players? (is|are) there in round 1, and tables have three or four"
    ):
        next_tables(known)


def test_nobody_there_is_nobody_to_seat() -> None:
    known = qualification(3)
    for one in known.entrants:
        known = left(known, one, 0)
    with pytest.raises(NoPairing, match="Nobody is there to be seated in round 1"):
        next_tables(known)


@pytest.mark.rule("CC.PAI-1")
@pytest.mark.parametrize(
    ("players", "rounds", "course"),
    [
        (16, 4, "chance"),
        (16, 4, "all-equal"),
        *((16, 5, course) for course in ("chance", "best-wins", "all-equal")),
        (28, 4, "chance"),
        (32, 4, "best-wins"),
        (36, 4, "chance"),
        (48, 4, "all-equal"),
        (64, 4, "chance"),
    ],
)
def test_nobody_meets_anybody_twice(players: int, rounds: int, course: Course) -> None:
    known = after(qualification(players, rounds=rounds), rounds, by_chance(players, course))
    assert repeated(known) == 0
    assert all(len(one.games) == players // 4 for one in known.rounds.values())


@pytest.mark.rule("CC.PAI-1")
@pytest.mark.parametrize("players", [13, 15, 18, 22, 33, 37])
def test_nor_in_other_fields_and_nobody_sits_at_a_three_twice_before_all_have(players: int) -> None:
    known = after(qualification(players), 4, by_chance(players))
    assert repeated(known) == 0
    threes, seats = times_at_three(known), 4 * 3 * (-players % 4)
    if players > 13:  # of whom four sat at the four, and only three of those find strangers at a three
        assert set(threes.values()) <= ({1} if seats <= players else {1, 2})
        assert len(threes) == min(seats, players)


def test_the_first_round_is_by_lot() -> None:
    known = qualification(12)
    assert next_tables(known) == next_tables(known)
    turned = replace(known, entrants=dict(sorted(known.entrants.items(), reverse=True)))
    assert next_tables(turned) == next_tables(known)
    another = pair(known, QUALIFICATION, lots=lambda purpose, names: simulated.BY_LOT(f"other {purpose}", names))
    assert tables_of(another) != tables_of(next_tables(known))
    assert "The lot has made the tables of the first round." in next_tables(known).explanation


def tables_of(pairing: PairedRound) -> set[frozenset[str]]:
    return {frozenset(one.seats) for one in pairing.pairs}


@pytest.mark.rule("CC.PAI-4", "CC.X-3")
def test_seats_are_drawn_by_lot_and_whoever_is_drawn_first_begins() -> None:
    drawn: list[tuple[str, list[str]]] = []

    def lots(purpose: str, names: Any) -> list[str]:
        drawn.append((purpose, simulated.BY_LOT(purpose, names)))
        return drawn[-1][1]

    known = after(qualification(16), 1, by_chance(1))
    pairing = pair(known, QUALIFICATION, lots=lots)
    ((purpose, order),) = drawn
    assert purpose == "pairing of round 2 of qualification"
    for one in pairing.pairs:
        assert list(one.seats) == sorted(one.seats, key=order.index)
        assert one.first == one.seats[0]


@pytest.mark.rule("CC.PAI-1")
def test_players_of_similar_performance_meet() -> None:
    """All winners of the first round are at tables of their own, if they have not met; so are all last ones."""
    known = qualification(64)
    first = next_tables(known)
    known = with_scores(known, first, {one.table: [90, 70, 50, 30] for one in first.pairs})
    second = next_tables(known)
    places = {seat: place for one in first.pairs for place, seat in enumerate(one.seats)}
    assert all(len({places[seat] for seat in one.seats}) == 1 for one in second.pairs)
    assert second.cost == (0, 0, 0)
    assert second.proved


@pytest.mark.rule("CC.PAI-1")
def test_a_third_meeting_counts_two_and_differences_count_by_their_squares() -> None:
    """CC.D50. Four have only one table; points are counted in halves, so 4, 3, 2 and 1 are 20 squares of a point."""
    known = qualification(4)
    first = next_tables(known)
    known = with_scores(known, first, {1: [90, 70, 50, 30]})
    second = next_tables(known)
    assert second.cost == (6, 0, 4 * 20)
    known = with_scores(known, second, {1: [60, 60, 60, 60]})
    third = next_tables(known)
    assert set(seated(third)) == set(seated(first))
    assert third.cost == (12, 0, 4 * 20)


def test_where_meetings_have_to_be_repeated_they_are_the_fewest_and_named() -> None:
    """Of twelve each table brings together four of three earlier ones."""
    known = after(qualification(12), 1, by_chance(1))
    pairing = next_tables(known)
    assert pairing.cost is not None
    assert (pairing.cost[0], pairing.proved) == (3, True)
    (said,) = (one for one in pairing.explanation if "meetings are repeated" in one)
    assert said.startswith("3 meetings are repeated, the fewest possible: ")
    assert all(any("once before" in why for why in one.why) for one in pairing.pairs)
    assert NO_MORE in pairing.explanation


@pytest.mark.rule("CC.PAI-1")
def test_what_was_played_without_looking_ahead_keeps_as_many_rounds_as_it_can() -> None:
    """Sixteen who have sat like the group of order four can meet no further strangers after three rounds."""
    players = [f"P{number}" for number in range(1, 17)]
    known = qualification(16, rounds=5)
    rows = [players[at : at + 4] for at in range(0, 16, 4)]
    cyclic = [[rows[n][(n + at) % 4] for n in range(4)] for at in range(4)]
    for number, tables in enumerate((rows, [list(column) for column in zip(*rows, strict=True)], cyclic), start=1):
        made = tuple(SeatedTable(table=n, seats=tuple(seats)) for n, seats in enumerate(tables, start=1))
        known = played(known, PairedRound(round=number, method="by hand", pairs=made), by_chance(number))
    pairing = next_tables(known)
    assert pairing.cost is not None
    assert pairing.cost[0] > 0
    assert NO_MORE in pairing.explanation


def test_six_rounds_of_sixteen_are_five_without_a_repeated_meeting() -> None:
    known = after(qualification(16, rounds=6), 5, by_chance(3))
    assert repeated(known) == 0
    assert next_tables(known).cost is not None


def test_who_must_not_meet_is_kept_apart() -> None:
    known = qualification(8)
    one, other, *_ = table_of(next_tables(known), "P1").seats
    apart = replace(known, bans=(Ban(entrants=frozenset({one, other})),))
    assert other not in table_of(next_tables(apart), one).seats
    everybody = replace(known, bans=(Ban(entrants=frozenset(known.entrants)),))
    with pytest.raises(NoPairing, match="No tables were found at which nobody sits who must not meet") as refused:
        next_tables(everybody)
    assert len(refused.value.entrants) == 2


def test_who_is_missing_or_has_asked_for_a_round_off_has_no_table() -> None:
    known = qualification(9)
    away = Absence(entrant="P3", stage=QUALIFICATION, round=1)
    off = Absence(entrant="P4", stage=QUALIFICATION, round=1)
    known = replace(known, absences={away: None, off: known.ruleset.scoring.loss})
    pairing = next_tables(known)
    assert (pairing.missing, list(pairing.requested_byes)) == (("P3",), ["P4"])
    assert sizes(pairing) == Counter({4: 1, 3: 1})
    assert "Not there in this round: P3." in pairing.explanation


def test_a_void_game_is_no_meeting() -> None:
    known = after(qualification(12), 1, by_chance(1))
    games = {game.id for game in known.rounds[QUALIFICATION, 1].games}
    known = replace(known, voided=frozenset(games), results={})
    assert next_tables(known).cost == (0, 0, 0)


def test_tournaments_whose_field_changes_run_to_their_end() -> None:
    for players in (7, 16, 23):
        known = qualification(players, rounds=5)
        play = by_chance(players)
        for number in range(1, 6):
            if number in (2, 3):
                known = come(left(known, f"P{number}", number - 1), f"P{players + number}", number)
            if number == 4:
                known = left(known, "P5", 3)
            pairing = next_tables(known)
            assert hard(known, pairing) == []
            known = played(known, pairing, play)
        with pytest.raises(StageOver):
            next_tables(known)


def test_what_it_costs_to_keep_two_apart_is_told() -> None:
    known = after(qualification(12), 2, by_chance(1))
    best = next_tables(known)
    one, other, *_ = best.pairs[0].seats
    (far, *_) = (seat for pair in best.pairs[1:] for seat in pair.seats)
    apart = alternative(known, QUALIFICATION, one, other, lots=simulated.BY_LOT)
    assert apart.pairing is not None
    assert not [pair for pair in apart.pairing.pairs if {one, other} <= set(pair.seats)]
    assert (apart.pairing.cost or ()) >= (best.cost or ())
    assert apart.sentence.startswith("If they did not meet, ")
    together = alternative(known, QUALIFICATION, one, far, lots=simulated.BY_LOT)
    assert together.would_meet
    assert together.pairing is not None
    assert [pair for pair in together.pairing.pairs if {one, far} <= set(pair.seats)]
    assert sorted(seated(together.pairing)) == sorted(known.entrants)
    assert (together.pairing.cost or ()) >= (best.cost or ())
    assert together.sentence.startswith("If they met, ")
    others = sorted(known.entrants.keys() - {one, far})
    bans = [Ban(entrants=frozenset({far if n % 2 else one, other})) for n, other in enumerate(others)]
    torn = alternative(replace(known, bans=tuple(bans)), QUALIFICATION, one, far, lots=simulated.BY_LOT)
    assert torn.sentence.startswith(f"No pairing is left in which {one} and {far} meet: ")
    with pytest.raises(NotAvailable, match="drawn by lot"):
        alternative(qualification(12), QUALIFICATION, "P1", "P2", lots=simulated.BY_LOT)


def hard(known: Facts, pairing: PairedRound) -> list[str]:
    return [one.sentence for one in check(known, QUALIFICATION, pairing) if one.severity == "hard"]


def test_big_fields_are_seated_too() -> None:
    known = after(qualification(401), 2, by_chance(1))
    pairing = next_tables(known)
    assert pairing.cost is not None
    assert pairing.cost[:2] == (0, 0)
    assert repeated(played(known, pairing, by_chance(2))) == 0
    far = pairing.pairs[0].seats[0], pairing.pairs[-1].seats[0]
    together = alternative(known, QUALIFICATION, *far, lots=simulated.BY_LOT).pairing
    assert together is not None
    assert [one for one in together.pairs if {*far} <= set(one.seats)]


def test_tables_are_for_games_of_three_and_four() -> None:
    known = carcassonne.final([10] * 4, **{"pairing.system": "tables"})
    with pytest.raises(NotAvailable, match="Tables are for games of three and four"):
        next_tables(known)


# Made by hand


def swapped(pairing: PairedRound, one: str, other: str) -> PairedRound:
    places = {one: other, other: one}
    pairs = [
        replace(table, seats=tuple(places.get(seat, seat) for seat in table.seats), first=None)
        for table in pairing.pairs
    ]
    return replace(pairing, pairs=tuple(pairs))


def kinds(known: Facts, pairing: PairedRound) -> set[tuple[str, str, str | None]]:
    return {(one.kind, one.severity, one.requirement) for one in check(known, QUALIFICATION, pairing)}


@pytest.mark.rule("CC.PAI-1")
def test_repeated_meetings_made_by_hand_are_shown_and_allowed() -> None:
    known = after(qualification(16), 1, by_chance(1))
    pairing = next_tables(known)
    assert kinds(known, pairing) == set()
    one, other, *_ = known.rounds[QUALIFICATION, 1].games[0].seats
    stays = table_of(pairing, one).seats
    moved = swapped(pairing, other, next(seat for seat in stays if seat != one))
    assert ("met-before", "soft", "CC.PAI-1") in kinds(known, moved)
    assert f"{one} and {other} have met already." in {
        found.sentence.replace(f"{other} and {one}", f"{one} and {other}")
        for found in check(known, QUALIFICATION, moved)
    }


def test_a_second_time_at_three_before_others_is_shown() -> None:
    known = after(qualification(15), 1, by_chance(1))
    pairing = next_tables(known)
    (had, *_) = next(game.seats for game in known.rounds[QUALIFICATION, 1].games if len(game.seats) == 3)
    (fresh, *_) = next(one.seats for one in pairing.pairs if len(one.seats) == 3)
    found = kinds(known, swapped(pairing, had, fresh))
    assert ("three-again", "soft", "CC.D2") in found


@pytest.mark.rule("CC.PAI-1", "CC.PAI-2")
def test_wrong_tables_and_byes_break_what_binds() -> None:
    known = qualification(12)
    pairing = next_tables(known)
    one, two, three = (replace(table, first=None) for table in pairing.pairs)
    of_five = replace(
        pairing, pairs=(replace(one, seats=(*one.seats, two.seats[0])), replace(two, seats=two.seats[1:]), three)
    )
    assert kinds(known, of_five) == {
        ("not-three-or-four", "hard", "CC.PAI-2"),
        ("wrong-sizes", "hard", "CC.PAI-2"),
    }
    four_threes = [[*seated(pairing)][at : at + 3] for at in range(0, 12, 3)]
    tables = tuple(SeatedTable(table=n, seats=tuple(seats)) for n, seats in enumerate(four_threes, start=1))
    (found,) = check(known, QUALIFICATION, replace(pairing, pairs=tables))
    assert found.sentence == "12 players sit at 3 tables of four and 0 of three, not at 0 and 4."
    resting = replace(pairing, pairs=(replace(one, seats=one.seats[1:]), two, three), byes=one.seats[:1])
    assert ("bye-not-needed", "hard", "CC.PAI-1") in kinds(known, resting)
    banned = replace(known, bans=(Ban(entrants=frozenset(one.seats[:2])),))
    assert ("banned", "hard", None) in kinds(banned, pairing)
