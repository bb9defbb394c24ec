"""A person is registered once; of a name the log knows only that there is another one."""

import pytest

from services.registration.domain.person import (
    PERSON,
    AlreadyRegistered,
    ChangeParticulars,
    Command,
    DuplicateTakenOver,
    ErasePerson,
    Event,
    IntroducePerson,
    MergePerson,
    MergeReason,
    NotTheSame,
    PersonErased,
    PersonGone,
    PersonMerged,
    PersonRegistered,
    PersonRenamed,
    PersonUnknown,
    Registered,
    RegisterPerson,
    RenamePerson,
    TakeOver,
    known,
)

ADA = PersonRegistered(person="ada", federation="sss")
TAKEN = DuplicateTakenOver(person="ada", duplicate="eve", reason="registered-twice")
RENAMED = PersonRenamed(person="ada")


def when(given: list[Event], command: Command) -> list[Event]:
    return list(PERSON.decide(PERSON.fold(given, PERSON.initial), command))


def test_a_person_is_registered_once() -> None:
    assert when([], RegisterPerson(person="ada", federation="sss")) == [ADA]
    assert when([ADA], RegisterPerson(person="ada", federation="sss")) == []
    with pytest.raises(AlreadyRegistered):
        when([ADA], RegisterPerson(person="ada", federation="another"))


def test_a_registration_is_said_once_more_and_changes_nothing() -> None:
    assert when([ADA], IntroducePerson()) == [ADA]
    merged = PersonMerged(person="ada", into="eve")
    with pytest.raises(PersonGone):
        when([ADA, merged], IntroducePerson())
    for given in ([ADA, TAKEN], [ADA, merged], [ADA, PersonErased(person="ada", also=(), tournaments=())]):
        assert PERSON.fold([*given, ADA], PERSON.initial) == PERSON.fold(given, PERSON.initial)


def test_another_name_is_a_fact_and_the_same_name_is_none() -> None:
    assert when([ADA], RenamePerson(differs=True)) == [RENAMED]
    assert when([ADA, RENAMED], RenamePerson(differs=True)) == [RENAMED]
    assert when([ADA], RenamePerson(differs=False)) == []
    assert known(PERSON.fold([ADA, RENAMED], PERSON.initial)).federation == "sss"


def test_nobody_is_renamed_who_was_never_registered() -> None:
    with pytest.raises(PersonUnknown):
        when([], RenamePerson(differs=True))
    with pytest.raises(PersonUnknown):
        known(PERSON.initial)


# Two turn out to be one

TAKE_OVER = TakeOver(duplicate="bob", reason=MergeReason.REGISTERED_TWICE)
TAKEN_OVER = DuplicateTakenOver(person="ada", duplicate="bob", reason="registered-twice")
MERGED = PersonMerged(person="ada", into="cyd")


def test_a_person_takes_a_duplicate_over_once() -> None:
    assert when([ADA], TAKE_OVER) == [TAKEN_OVER]
    assert when([ADA, TAKEN_OVER], TAKE_OVER) == []
    assert PERSON.fold([ADA, TAKEN_OVER], PERSON.initial) == Registered(
        person="ada", federation="sss", duplicates=("bob",)
    )


def test_nobody_is_their_own_duplicate_or_that_of_another_federation() -> None:
    with pytest.raises(NotTheSame):
        when([ADA], TakeOver(duplicate="ada", reason=MergeReason.OTHER))
    with pytest.raises(NotTheSame):
        when([ADA], MergePerson(into="cyd", federation="another"))


def test_who_was_merged_leads_elsewhere_and_does_nothing_more() -> None:
    merge = MergePerson(into="cyd", federation="sss")
    assert when([ADA], merge) == [MERGED]
    assert when([ADA, MERGED], merge) == []
    for command in (RenamePerson(differs=True), TAKE_OVER, MergePerson(into="eve", federation="sss"), ErasePerson()):
        with pytest.raises(PersonGone, match="cyd"):
            when([ADA, MERGED], command)


# Erased

ERASED = PersonErased(person="ada", also=("bob",), tournaments=("cup",))


def test_who_is_erased_does_nothing_more_and_is_erased_once() -> None:
    erase = ErasePerson(also=("bob",), tournaments=("cup",))
    assert when([ADA, TAKEN_OVER], erase) == [ERASED]
    assert when([ADA, ERASED], erase) == []
    for command in (
        RegisterPerson(person="ada", federation="sss"),
        RenamePerson(differs=True),
        ChangeParticulars(differ=True),
        TAKE_OVER,
        MergePerson(into="cyd", federation="sss"),
    ):
        with pytest.raises(PersonGone):
            when([ADA, ERASED], command)
