"""Laws of facts and tables: they do not depend on in which order things are told, listed or named."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.numbers import Exact
from shared.rulesets import catalogue
from shared.tournament.criteria.quotients import rate
from shared.tournament.explaining import explain_table
from shared.tournament.facts import Facts
from shared.tournament.file import read
from shared.tournament.ledger import ledger_of
from shared.tournament.ranking import Table, final, rank
from tests.exploring import tries
from tests.tellings import folded, told
from tests.tournaments import SWISS, tournament

if TYPE_CHECKING:
    import msgspec

NAMES = "ABCDEFGHI"
NUMBERS = ("points", "wins", "buchholz", "median_buchholz", "sonneborn_berger", "score_difference", "made_points")


@st.composite
def tournaments(draw: st.DrawFn) -> dict[str, Any]:
    """Whoever meets whom: the tables of tournaments that no engine would pair are right too."""
    names = NAMES[: draw(st.integers(2, 9))]
    chance = random.Random(draw(st.integers(0, 2**32)))
    rounds: list[dict[str, Any]] = []
    for number in range(1, draw(st.integers(0, 5)) + 1):
        order = chance.sample(names, len(names))
        games = [
            {"seats": [one, other], "scores": scores(chance), "override": "any", **end(chance)}
            for one, other in zip(order[::2], order[1::2], strict=False)
        ]
        byes = [order[-1]] if len(order) % 2 else []
        rounds.append({"number": number, "games": games, "byes": byes, "override": "any"})
    criteria = chance.sample(NUMBERS, chance.randint(1, len(NUMBERS)))
    file = tournament(names, options=SWISS | {"standings.criteria": [*criteria, "head_to_head", "lot"]})
    file |= {"rounds": rounds, "decisions": [{"kind": "lot", "order": chance.sample(names, 2)}]}
    file["adjustments"] = [{"entrant": names[0], "round": 1, "points": chance.choice([-1, "1/3"])}]
    return file


def scores(chance: random.Random) -> list[int]:
    return [chance.randint(-2, 3) * 10, chance.randint(-2, 3) * 10]


def end(chance: random.Random) -> dict[str, Any]:
    return {"end": "forfeit", "by": chance.randint(0, 1)} if chance.random() < 0.1 else {}


def facts_of(file: dict[str, Any]) -> Facts:
    return read(file).accepted()


def shown(table: Table) -> list[tuple[int, bool, str, dict[str, Exact]]]:
    return [(row.place, row.shared, row.entrant, dict(row.values)) for row in table.rows]


def interleaved(facts: Facts, chance: random.Random) -> "list[tuple[str, msgspec.Struct]]":
    """Any order between the services that keeps the order of each."""
    left = {source: list(events) for source, events in told(facts).items() if events}
    events: list[tuple[str, msgspec.Struct]] = []
    while left:
        source = chance.choice(sorted(left))
        events.append((source, left[source].pop(0)))
        if not left[source]:
            del left[source]
    return events


@given(tournaments(), st.randoms(use_true_random=False))
@settings(max_examples=tries(60), deadline=None)
def test_how_the_events_of_services_interleave_does_not_matter(file: dict[str, Any], chance: random.Random) -> None:
    facts = facts_of(file)
    found = folded(interleaved(facts, chance))
    assert rank(found, "swiss") == rank(facts, "swiss")
    assert replace(found, settled=(), penalties={}) == replace(facts, settled=(), penalties={})


@given(tournaments(), st.randoms(use_true_random=False))
@settings(max_examples=tries(60), deadline=None)
def test_what_is_told_again_changes_nothing(file: dict[str, Any], chance: random.Random) -> None:
    events = interleaved(facts_of(file), chance)
    again = chance.randrange(len(events))
    assert folded([*events, *events[again:]]) == folded(events)
    assert folded([event for event in events for _ in range(2)]) == folded(events)


@given(tournaments())
@settings(max_examples=tries(60), deadline=None)
def test_renaming_the_entrants_renames_the_table_and_nothing_else(file: dict[str, Any]) -> None:
    names = {name: f"{name} the {chr(ord('z') - place)}" for place, name in enumerate(NAMES)}
    for place, entrant in enumerate(file["entrants"], start=1):
        entrant["number"] = place
    table = rank(facts_of(file), "swiss")
    renamed = rank(facts_of(renaming(file, names)), "swiss")
    assert shown(renamed) == [(place, tied, names[one], values) for place, tied, one, values in shown(table)]


def renaming(content: Any, names: dict[str, str]) -> Any:
    match content:
        case dict():
            members = cast("dict[str, Any]", content)
            return {name: renaming(value, names) for name, value in members.items()}
        case list():
            return [renaming(value, names) for value in cast("list[Any]", content)]
        case str():
            return names.get(content, content)
        case _:
            return content


@given(tournaments(), st.randoms(use_true_random=False))
@settings(max_examples=tries(60), deadline=None)
def test_the_order_in_which_entrants_and_games_are_listed_does_not_matter(
    file: dict[str, Any], chance: random.Random
) -> None:
    for place, entrant in enumerate(file["entrants"], start=1):
        entrant["number"] = place
    table = rank(facts_of(file), "swiss")
    chance.shuffle(file["entrants"])
    for one in file["rounds"]:
        chance.shuffle(one["games"])
        for game in one["games"]:
            turn_round(game)
    assert rank(facts_of(file), "swiss") == table


def turn_round(game: dict[str, Any]) -> None:
    """The same game, seen from the other side of the table."""
    game["seats"].reverse()
    game["scores"].reverse()
    if "by" in game:
        game["by"] = 1 - game["by"]


@given(tournaments())
@settings(max_examples=tries(60), deadline=None)
def test_there_are_as_many_points_as_games_and_byes(file: dict[str, Any]) -> None:
    file["adjustments"] = []
    file["options"]["standings.criteria"] = ["points", "score_difference"]
    given_out = sum(len(one["games"]) + len(one["byes"]) for one in file["rounds"])
    rows = rank(facts_of(file), "swiss").rows
    assert sum(row.values["points"] for row in rows) == given_out
    assert sum(row.values["score_difference"] for row in rows) == 20 * sum(len(one["byes"]) for one in file["rounds"])


@given(tournaments(), st.sets(st.sampled_from(NAMES)))
@settings(max_examples=tries(60), deadline=None)
def test_a_list_has_the_order_of_all_among_its_own(file: dict[str, Any], women: set[str]) -> None:
    """By criteria that everybody has: who is tied with whom, and so a meeting of two, is another thing in a list."""
    ruleset = catalogue.load(file["ruleset"]).model_dump(mode="json") | {"lists": [{"id": "women", "title": "Women"}]}
    criteria = [name for name in file["options"]["standings.criteria"] if name in NUMBERS]
    file |= {"ruleset": ruleset, "options": SWISS | {"standings.criteria": [*criteria, "start_number"]}}
    for entrant in file["entrants"]:
        entrant["lists"] = ["women"] if entrant["id"] in women else []
    facts = facts_of(file)
    overall = [row for row in rank(facts, "swiss").rows if row.entrant in women]
    listed = rank(facts, "swiss", among="women").rows
    assert [(row.entrant, row.values) for row in listed] == [(row.entrant, row.values) for row in overall]
    assert [row.place for row in listed] == list(range(1, len(listed) + 1))
    assert final(facts, among="women").rows == listed


@given(tournaments())
@settings(max_examples=tries(60), deadline=None)
def test_a_table_goes_down_and_says_where_it_is_even(file: dict[str, Any]) -> None:
    table = rank(facts_of(file), "swiss")
    for above, below in pairwise(table.rows):
        assert (above.place == below.place) == (above.separated_by is None)
        if above.separated_by is not None:
            sign = -1 if above.separated_by == "lot" else 1
            assert sign * above.values[above.separated_by] > sign * below.values[above.separated_by]
    tied = {row.entrant for row in table.rows if row.shared}
    assert tied == {one for unresolved in table.unresolved for one in unresolved.entrants}


@given(tournaments())
@settings(max_examples=tries(60), deadline=None)
def test_what_counts_of_the_addends_is_the_value(file: dict[str, Any]) -> None:
    facts = facts_of(file)
    table = rank(facts, "swiss")
    for (_, criterion), explanation in explain_table(facts, table).items():
        if criterion in NUMBERS:
            assert sum(addend.value for addend in explanation.addends if addend.counted) == explanation.value


SWISS_RULESETS = {
    "scrabble-sk-2022-ms": "pair",
    "scrabble-sk-2022-online": "pair",
    "gomoku-cfp": "win-loss",
    "pisqworky-2025-ss-grf": "duels",
    "pisqworky-2025-zs-ot": "duels",
    "pisqworky-2025-individual": "duels",
    "othello-pl-2021": "fixed-sum",
    "carcassonne-cz-final": "list",
    "carcassonne-cz-qualification": "tables",
}


def scores_of(kind: str, seats: int, chance: random.Random) -> list[float]:
    match kind:
        case "win-loss":
            return chance.choice([[1, 0], [0, 1], [0.5, 0.5]])
        case "duels":
            one = chance.randint(0, 4)
            return [one, 4 - one]
        case "fixed-sum":
            one = chance.randint(0, 8) * 8
            return [one, 64 - one]
        case _:
            return [chance.randint(0, 4) * 10 for _ in range(seats)]


@st.composite
def of_any_family(draw: st.DrawFn) -> dict[str, Any]:
    """Tournaments of every ruleset, with whoever meets whom, leavers, byes and rounds missed."""
    ruleset = draw(st.sampled_from(sorted(SWISS_RULESETS)))
    kind = SWISS_RULESETS[ruleset]
    chance = random.Random(draw(st.integers(0, 2**32)))
    seats = 4 if kind == "tables" else 2
    names = NAMES[: draw(st.integers(1, 2)) * 4 + (0 if seats > 2 else draw(st.integers(0, 1)))]
    rounds: list[dict[str, Any]] = []
    gone = {names[0]} if draw(st.booleans()) and seats == 2 else set[str]()
    for number in range(1, draw(st.integers(0, 3)) + 1):
        there = [name for name in names if number == 1 or name not in gone]
        order = chance.sample(there, len(there))
        tables = [order[at : at + seats] for at in range(0, len(order) - seats + 1, seats)]
        over = order[len(tables) * seats :]
        games: list[dict[str, Any]] = []
        for table in tables:
            made = scores_of(kind, seats, chance)
            ended = end(chance) if seats == 2 and kind != "win-loss" else {}
            if ended and kind == "fixed-sum":  # whoever is at fault has fewer discs
                ended = {} if made[0] == made[1] else ended | {"by": made.index(min(made))}
            games.append({"seats": table, "scores": made, "override": "any"} | ended)
        resting = "byes" if chance.random() < 0.5 else "missing"
        rounds.append({"number": number, "games": games, resting: over, "override": "any"})
    regime = draw(st.sampled_from(["virtual-zero", "fide-2009", "fide-2024", "fide-2026", "usc-like"]))
    options: dict[str, Any] = {"standings.unplayed": regime, "pairing.field": "any"}
    if ruleset.startswith(("scrabble", "gomoku", "othello")):
        options["pairing.system"] = "cost-swiss"
    if draw(st.booleans()):
        options["standings.criteria"] = ["points", *EVERY, "lot"]
    file = tournament(names, ruleset=ruleset, options=options, advance=2) | {"rounds": rounds}
    for place, one in enumerate(file["entrants"], start=1):
        one |= {"number": place, "carried": place % 3} | ({"withdrawn_after": 1} if one["id"] in gone else {})
    return file


EVERY = (
    *NUMBERS[1:],
    "buchholz_cut1",
    "brightwell",
    "discs",
    "success",
    "first_places",
    "second_places",
    "third_places",
    "game_difference",
    "game_points",
    "score",
    "carried",
)


def first_table(file: dict[str, Any]) -> Table:
    reading = read(file)
    return rank(reading.accepted(), reading.stage)


@given(of_any_family())
@settings(max_examples=tries(150), deadline=None)
def test_in_every_family_what_counts_of_the_addends_is_the_value(file: dict[str, Any]) -> None:
    facts = facts_of(file)
    table = first_table(file)
    for (_, criterion), explanation in explain_table(facts, table).items():
        if criterion in EVERY:
            assert sum(addend.value for addend in explanation.addends if addend.counted) == explanation.value


@given(of_any_family(), st.randoms(use_true_random=False))
@settings(max_examples=tries(100), deadline=None)
def test_in_every_family_names_and_orders_do_not_matter(file: dict[str, Any], chance: random.Random) -> None:
    table = first_table(file)
    chance.shuffle(file["entrants"])
    for one in file["rounds"]:
        chance.shuffle(one["games"])
        for game in one["games"]:
            if len(game["seats"]) == 2:
                turn_round(game)
    assert first_table(file) == table
    names = {name: f"{name} the {chr(ord('z') - place)}" for place, name in enumerate(NAMES)}
    renamed = first_table(renaming(file, names))
    assert shown(renamed) == [(place, tied, names[one], values) for place, tied, one, values in shown(table)]


@given(of_any_family(), st.randoms(use_true_random=False))
@settings(max_examples=tries(100), deadline=None)
def test_in_every_family_events_tell_what_the_file_tells(file: dict[str, Any], chance: random.Random) -> None:
    reading = read(file)
    facts = reading.accepted()
    events = interleaved(facts, chance)
    assert rank(folded(events), reading.stage) == rank(facts, reading.stage)
    again = chance.randrange(len(events))
    assert folded([*events, *events[again:]]) == folded(events)


@given(of_any_family())
@settings(max_examples=tries(60), deadline=None)
def test_in_every_family_all_that_is_given_out_adds_up(file: dict[str, Any]) -> None:
    """Points of games and byes; scores against each other; of a table of four, places and the whole success."""
    reading = read(file)
    ledger = ledger_of(reading.accepted(), reading.stage)
    scoring = ledger.settings.scoring
    of_a_game = sum(scoring.placement or (scoring.win, scoring.loss))
    games = sum(len(one["games"]) for one in file["rounds"])
    byes = sum(len(one.get("byes", ())) for one in file["rounds"])
    of_a_bye = scoring.win if scoring.bye == "full" else 0
    turns = [turn for several in ledger.turns.values() for turn in several]
    assert ledger.exact(sum(turn.points for turn in turns)) == games * of_a_game + byes * of_a_bye
    played = [turn for turn in turns if turn.kind == "game"]
    seats = len(scoring.placement or "ab")
    assert sum(turn.received for turn in played) == (seats - 1) * sum(turn.made for turn in played)
    assert sum(Fraction(*rate(ledger, turn)) for turn in played if not turn.at_fault) <= games
    if not any(turn.at_fault for turn in played):
        assert sum(Fraction(*rate(ledger, turn)) for turn in played) == games


@given(of_any_family(), st.sets(st.sampled_from(NAMES)))
@settings(max_examples=tries(60), deadline=None)
def test_in_every_family_a_list_has_the_order_of_all_among_its_own(file: dict[str, Any], women: set[str]) -> None:
    ruleset = catalogue.load(file["ruleset"]).model_dump(mode="json")
    ruleset["lists"] = ruleset["lists"] or [{"id": "women", "title": "Women"}]
    criteria = [name for name in first_table(file).criteria if name in {"points", *EVERY}]
    file |= {"ruleset": ruleset, "options": file["options"] | {"standings.criteria": [*criteria, "start_number"]}}
    for one in file["entrants"]:
        one["lists"] = ["women"] if one["id"] in women else []
    reading = read(file)
    facts = reading.accepted()
    overall = [(row.entrant, row.values, row.group) for row in rank(facts, reading.stage).rows if row.entrant in women]
    listed = rank(facts, reading.stage, among="women").rows
    assert [(row.entrant, row.values, row.group) for row in listed] == overall


@given(of_any_family())
@settings(max_examples=tries(100), deadline=None)
def test_in_every_family_the_final_list_has_everybody_once_in_order(file: dict[str, Any]) -> None:
    table = final(facts_of(file))
    assert sorted(row.entrant for row in table.rows) == sorted(one["id"] for one in file["entrants"])
    places = [row.place for row in table.rows]
    assert places == sorted(places)
    for number, place in enumerate(places, start=1):
        assert place <= number
        assert (places.count(place) > 1) is table.rows[number - 1].shared
