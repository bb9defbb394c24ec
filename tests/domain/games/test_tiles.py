"""The tile sets of Scrabble."""

import pytest

from services.results.games.scrabble.tiles import TileSet, ids, load, spelled, tiles_of
from shared.rulesets import catalogue


def size(tiles: TileSet) -> int:
    return tiles.blanks + sum(tiles.counts.values())


def points(tiles: TileSet) -> int:
    return sum(count * tiles.values[letter] for letter, count in tiles.counts.items())


@pytest.mark.rule("SK.X-1")
def test_the_set_of_a_hundred_tiles() -> None:
    tiles = load("sk-100")
    assert (size(tiles), points(tiles), tiles.blanks) == (100, 267, 2)
    assert {letter: tiles.values[letter] for letter in "AÁÄKÍĹĽŔÓÔX"} == {
        "A": 1,
        "Á": 4,
        "Ä": 10,
        "K": 2,
        "Í": 5,
        "Ĺ": 10,
        "Ľ": 7,
        "Ŕ": 10,
        "Ó": 10,
        "Ô": 8,
        "X": 10,
    }
    assert {letter: tiles.counts[letter] for letter in "AEIORSTVM"} == {
        "A": 9,
        "E": 8,
        "I": 5,
        "O": 9,
        "R": 4,
        "S": 4,
        "T": 4,
        "V": 4,
        "M": 4,
    }
    assert not {"Q", "W", "Ř", "Ě"} & tiles.counts.keys()


@pytest.mark.rule("SK.X-1", "SK.X-2")
@pytest.mark.parametrize("tiles", ids())
def test_the_values_of_two_letters_are_to_be_confirmed_by_the_association(tiles: str) -> None:
    """They are told with the rulesets that are played with these tiles."""
    assert load(tiles).to_be_confirmed == {"Ó", "Ô"}
    told = [ruleset.decisions for name in catalogue.ids() if (ruleset := catalogue.load(name)).contest.tiles == tiles]
    assert all("to be confirmed" in decisions["SK.D6"] for decisions in told)


@pytest.mark.rule("SK.X-2")
def test_the_set_of_112_tiles_and_the_same_without_q_and_w() -> None:
    full, m = load("sk-112"), load("sk-110-m")
    assert (size(full), points(full)) == (112, 255)
    assert (size(m), points(m)) == (110, 235)
    assert m.values == {letter: value for letter, value in full.values.items() if letter not in {"Q", "W"}}
    assert m.counts == {letter: count for letter, count in full.counts.items() if letter not in {"Q", "W"}}
    assert {letter: full.values[letter] for letter in "ÉÍĹŔÓÔŇQW"} == {
        "É": 3,
        "Í": 3,
        "Ĺ": 9,
        "Ŕ": 9,
        "Ó": 8,
        "Ô": 7,
        "Ň": 7,
        "Q": 10,
        "W": 10,
    }


@pytest.mark.rule("SK.X-1", "SK.X-2")
def test_every_letter_of_the_alphabet_has_a_tile_of_one_value() -> None:
    for name in ids():
        tiles = load(name)
        assert tiles.values.keys() == tiles.counts.keys()
        assert tiles.counts.keys() - {"Q", "W"} == set("AÁÄBCČDĎEÉFGHIÍJKLĹĽMNŇOÓÔPRŔSŠTŤUÚVXYÝZŽ"), name
        assert tiles.title


def test_a_letter_is_the_same_however_its_marks_were_typed() -> None:
    assert spelled("už") == "UŽ"
    assert tiles_of("dža") == ("D", "Ž", "A")
    assert spelled("Straße") == "STRAßE"


def test_the_tiles_of_a_ruleset_are_there() -> None:
    for name in catalogue.ids():
        tiles = catalogue.load(name).contest.tiles
        assert tiles is None or load(tiles).id == tiles
