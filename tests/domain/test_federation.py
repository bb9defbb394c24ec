"""What may happen to a federation: it is founded once, and may change its name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.registration.domain.federation import (
    FEDERATION,
    AlreadyFounded,
    Command,
    Event,
    FederationFounded,
    FederationRenamed,
    FederationUnknown,
    Founded,
    FoundFederation,
    RenameFederation,
    State,
    Unfounded,
)
from services.registration.domain.names import LONGEST_NAME, UnusableName, readable
from shared.refusals import Refusal
from shared.spelling import JOINERS, folded

FOUNDED = FederationFounded(federation="f1", name="Slovak Scrabble Association")
RENAMED = FederationRenamed(federation="f1", name="Slovak Scrabble Union")

NAMES = st.sampled_from(["Go", " Go ", "Bridge", "Bridge  Union", "", "\x00"])
COMMANDS: st.SearchStrategy[Command] = st.builds(FoundFederation, federation=st.just("f1"), name=NAMES) | st.builds(
    RenameFederation, name=NAMES
)


def after(*events: Event) -> State:
    return FEDERATION.fold(events, FEDERATION.initial)


def found(name: str) -> FoundFederation:
    return FoundFederation(federation="f1", name=name)


def named(state: State, command: Command) -> list[str]:
    return [event.name for event in FEDERATION.decide(state, command)]


def test_a_federation_is_founded_under_its_name() -> None:
    assert FEDERATION.decide(after(), found("Slovak Scrabble Association")) == [FOUNDED]
    assert after(FOUNDED) == Founded(federation="f1", name="Slovak Scrabble Association")


def test_founding_it_again_changes_nothing() -> None:
    assert FEDERATION.decide(after(FOUNDED), found("Slovak Scrabble Association")) == []
    assert FEDERATION.decide(after(FOUNDED), found(" Slovak  Scrabble Association ")) == []


def test_an_id_is_not_given_to_a_second_federation() -> None:
    with pytest.raises(AlreadyFounded, match="choose another id"):
        FEDERATION.decide(after(FOUNDED), found("Slovak Go Association"))
    with pytest.raises(AlreadyFounded):
        FEDERATION.decide(after(FOUNDED, RENAMED), found(FOUNDED.name))


def test_a_federation_changes_its_name() -> None:
    assert FEDERATION.decide(after(FOUNDED), RenameFederation(name="Slovak Scrabble Union")) == [RENAMED]
    assert after(FOUNDED, RENAMED) == Founded(federation="f1", name="Slovak Scrabble Union")


def test_a_federation_may_take_its_old_name_back() -> None:
    renamed = FEDERATION.decide(after(FOUNDED, RENAMED), RenameFederation(name=FOUNDED.name))
    assert renamed == [FederationRenamed(federation="f1", name=FOUNDED.name)]


def test_taking_the_name_it_has_changes_nothing() -> None:
    assert FEDERATION.decide(after(FOUNDED), RenameFederation(name=FOUNDED.name)) == []
    assert FEDERATION.decide(after(FOUNDED, RENAMED), RenameFederation(name="Slovak  Scrabble\tUnion")) == []


def test_what_was_never_founded_is_not_renamed() -> None:
    with pytest.raises(FederationUnknown, match="found it first"):
        FEDERATION.decide(after(), RenameFederation(name="Slovak Scrabble Union"))


@pytest.mark.parametrize(
    "written",
    [
        "Go  Union",
        "  Go Union",
        "Go Union\n",
        "Go\tUnion",
        "Go\r\nUnion",
        "Go\u00a0Union",
        "Go\u3000 Union",
        "\x1fGo Union",
    ],
)
def test_odd_spaces_in_a_name_become_single_ones(written: str) -> None:
    assert named(after(), found(written)) == ["Go Union"]
    assert named(after(FOUNDED), RenameFederation(name=written)) == ["Go Union"]


@pytest.mark.parametrize("name", ["Ž", "Šachový zväz", "日本棋院", "الاتحاد", "Κ'ο-1 (2026) №2 🎲", "x" * LONGEST_NAME])
def test_a_name_may_be_of_any_language(name: str) -> None:
    assert named(after(), found(name)) == [name]


def test_spaces_do_not_count_against_the_longest_name() -> None:
    longest = "x" * LONGEST_NAME
    assert named(after(), found(f"   {longest}   ")) == [longest]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t\n",
        "\u3000",
        "x" * (LONGEST_NAME + 1),
        "Go\x00",
        "\x07Go",
        "Go\u200b",
        "\u202eoG",
        "\ufeff",
        "\u3164",
        "\u2800",
        "–",
        "Go\ud800",
    ],
)
def test_a_name_that_nobody_can_read_or_say_is_refused(name: str) -> None:
    for state in (after(), after(FOUNDED)):
        for command in (found(name), RenameFederation(name=name)):
            with pytest.raises(UnusableName, match=f"1 to {LONGEST_NAME} printable"):
                FEDERATION.decide(state, command)


@pytest.mark.parametrize("name", ["علی\u200cرضا", "චන්\u200dද්\u200dරිකා"])
def test_a_name_keeps_what_says_how_its_letters_are_joined(name: str) -> None:
    assert named(after(), found(name)) == [name]
    assert folded(name) == folded("".join(one for one in name if one not in JOINERS)), "it is found without"
    for pasted in (f"\u200f{name}\u200e", f" \u00ad {name}\u200e ", f"\u2068{name}\u2069", f"\ufeff\u202b{name}\u202c"):
        assert readable(pasted) == name


@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("\u200cAnna", "U+200C"),
        ("Anna\u200d", "U+200D"),
        ("An\u200c\u200cna", "U+200C"),
        ("An \u200dna", "U+200D"),
        ("7\u200c7", "U+200C"),
        ("An\u200ena", "U+200E"),
        ("Go\u200b", "U+200B"),
        ("\u202eoG\u202c", "U+202E"),
    ],
)
def test_what_nobody_sees_in_a_name_is_named(name: str, unseen: str) -> None:
    with pytest.raises(UnusableName, match=f"without {re.escape(unseen)}"):
        readable(name)


@given(commands=st.lists(COMMANDS))
def test_repeating_any_command_changes_nothing(commands: list[Command]) -> None:
    state = FEDERATION.initial
    for command in commands:
        try:
            state = FEDERATION.fold(FEDERATION.decide(state, command), state)
        except Refusal as refusal:
            with pytest.raises(type(refusal)):
                FEDERATION.decide(state, command)
        else:
            assert FEDERATION.decide(state, command) == []


@given(name=st.text())
def test_a_name_once_taken_is_readable_and_taken_as_it_is(name: str) -> None:
    try:
        (taken,) = named(after(), found(name))
    except UnusableName:
        return
    assert taken.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()
    assert not set(JOINERS) & {taken[0], taken[-1]}
    assert taken == taken.strip()
    assert 1 <= len(taken) <= LONGEST_NAME
    assert named(after(), found(taken)) == [taken]


def test_every_stream_begins_unknown() -> None:
    assert after() == Unfounded()
    assert FEDERATION.stream("f1") == "federation-f1"
