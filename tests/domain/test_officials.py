"""Officials: directors appoint, operators only begin, and somebody always directs."""

import pytest

from services.registration.domain.officials import (
    OFFICIALS,
    AppointOfficial,
    Command,
    DismissOfficial,
    Event,
    LastDirector,
    NotAnOfficial,
    Office,
    OfficialAppointed,
    OfficialDismissed,
    OnlyTheFirstDirector,
    term,
)
from shared.access.roles import Role
from shared.refusals import Refusal

DORA_DIRECTS = OfficialAppointed(scope="go", subject="dora", role=Role.DIRECTOR)
OTTO_DIRECTS = OfficialAppointed(scope="go", subject="otto", role=Role.DIRECTOR)
ANN_JUDGES = OfficialAppointed(scope="go", subject="ann", role=Role.ARBITER)


def appoint(subject: str, role: Role, *, by: str) -> AppointOfficial:
    return AppointOfficial(scope="go", subject=subject, role=role, by=by)


def when(given: list[Event], command: Command) -> list[Event]:
    return list(OFFICIALS.decide(OFFICIALS.fold(given, OFFICIALS.initial), command))


def refuses(refusal: type[Refusal], given: list[Event], command: Command) -> None:
    with pytest.raises(refusal):
        when(given, command)


def test_an_operator_appoints_the_first_director() -> None:
    assert when([], appoint("dora", Role.DIRECTOR, by="operator")) == [DORA_DIRECTS]


def test_an_operator_begins_with_nobody_else() -> None:
    refuses(OnlyTheFirstDirector, [], appoint("ann", Role.ARBITER, by="operator"))


def test_an_operator_appoints_nobody_where_somebody_directs() -> None:
    for role in Role:
        refuses(OnlyTheFirstDirector, [DORA_DIRECTS], appoint("ann", role, by="operator"))


def test_a_director_appoints_whom_they_like() -> None:
    for role in Role:
        appointed = OfficialAppointed(scope="go", subject="ann", role=role)
        assert when([DORA_DIRECTS], appoint("ann", role, by="dora")) == [appointed]


def test_who_directs_no_more_appoints_nobody() -> None:
    gone = OfficialDismissed(scope="go", subject="dora", role=Role.DIRECTOR)
    refuses(OnlyTheFirstDirector, [DORA_DIRECTS, OTTO_DIRECTS, gone], appoint("ann", Role.SCORER, by="dora"))


def test_appointing_once_more_is_nothing_new() -> None:
    assert when([DORA_DIRECTS, ANN_JUDGES], appoint("ann", Role.ARBITER, by="dora")) == []


def test_who_is_dismissed_acts_no_more_and_can_be_appointed_again() -> None:
    gone = OfficialDismissed(scope="go", subject="ann", role=Role.ARBITER, terms=1)
    assert when([DORA_DIRECTS, ANN_JUDGES], DismissOfficial(subject="ann", role=Role.ARBITER)) == [gone]
    assert when([DORA_DIRECTS, ANN_JUDGES, gone], appoint("ann", Role.ARBITER, by="dora")) == [ANN_JUDGES]


def test_terms_of_an_office_are_counted_also_those_that_ended_before_anybody_counted() -> None:
    uncounted = OfficialDismissed(scope="go", subject="ann", role=Role.ARBITER)
    given = [DORA_DIRECTS, ANN_JUDGES, uncounted, ANN_JUDGES]
    ann = Office(subject="ann", role=Role.ARBITER)
    assert term(OFFICIALS.fold(given, OFFICIALS.initial), ann) == 1
    (gone,) = when(given, DismissOfficial(subject="ann", role=Role.ARBITER))
    assert gone == OfficialDismissed(scope="go", subject="ann", role=Role.ARBITER, terms=2)
    assert term(OFFICIALS.fold([*given, gone], OFFICIALS.initial), ann) is None
    assert term(OFFICIALS.fold([*given, gone, ANN_JUDGES], OFFICIALS.initial), ann) == 2


def test_who_is_none_cannot_be_dismissed() -> None:
    refuses(NotAnOfficial, [], DismissOfficial(subject="ann", role=Role.ARBITER))
    refuses(NotAnOfficial, [DORA_DIRECTS, ANN_JUDGES], DismissOfficial(subject="ann", role=Role.SCORER))


def test_the_last_director_stays_and_one_of_two_may_go() -> None:
    dismiss = DismissOfficial(subject="dora", role=Role.DIRECTOR)
    refuses(LastDirector, [DORA_DIRECTS, ANN_JUDGES], dismiss)
    assert when([DORA_DIRECTS, OTTO_DIRECTS], dismiss) == [
        OfficialDismissed(scope="go", subject="dora", role=Role.DIRECTOR, terms=1)
    ]


def test_where_directors_stand_above_nobody_has_to_be_first_or_last() -> None:
    overseen = AppointOfficial(scope="cup", subject="sue", role=Role.SCORER, by="dora", overseen=True)
    appointed = [OfficialAppointed(scope="cup", subject="sue", role=Role.SCORER)]
    assert list(OFFICIALS.decide(OFFICIALS.initial, overseen)) == appointed
    staffed = OFFICIALS.fold([OfficialAppointed(scope="cup", subject="dan", role=Role.DIRECTOR)], OFFICIALS.initial)
    assert list(OFFICIALS.decide(staffed, overseen)) == appointed
    dismiss = DismissOfficial(subject="dan", role=Role.DIRECTOR, overseen=True)
    assert list(OFFICIALS.decide(staffed, dismiss)) == [
        OfficialDismissed(scope="cup", subject="dan", role=Role.DIRECTOR, terms=1)
    ]
