"""A person is registered once; of a name the log knows only that there is another one."""

import pytest

from services.registration.domain.person import (
    PERSON,
    AlreadyRegistered,
    Command,
    Event,
    PersonRegistered,
    PersonRenamed,
    PersonUnknown,
    RegisterPerson,
    RenamePerson,
    known,
)

ADA = PersonRegistered(person="ada", federation="sss")
RENAMED = PersonRenamed(person="ada")


def when(given: list[Event], command: Command) -> list[Event]:
    return list(PERSON.decide(PERSON.fold(given, PERSON.initial), command))


def test_a_person_is_registered_once() -> None:
    assert when([], RegisterPerson(person="ada", federation="sss")) == [ADA]
    assert when([ADA], RegisterPerson(person="ada", federation="sss")) == []
    with pytest.raises(AlreadyRegistered):
        when([ADA], RegisterPerson(person="ada", federation="another"))


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
