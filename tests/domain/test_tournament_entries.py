"""Entries: who comes in, until when, who is there, and who is close to whom."""

import pytest
from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import (
    AlreadyEntered,
    EntriesClosed,
    UnknownList,
    WrongNumberOfPersons,
)
from services.registration.domain.tournament.check_in import CheckIn, UndoCheckIn
from services.registration.domain.tournament.close_persons import (
    DeclareClosePersons,
    NotDeclared,
    NotOneAnother,
    RevokeClosePersons,
)
from services.registration.domain.tournament.entrants import EntrySaid, ProposedEntry
from services.registration.domain.tournament.entries import CorrectEntry, Decision, Enter, StrikeOff, WithdrawEntry
from services.registration.domain.tournament.roster import EntrantUnknown, NotEntered
from shared.faults import Faulty
from shared.rulesets.entry import Deadline
from shared.rulesets.stages import ListOf
from tests.rosters import (
    CHECK_IN,
    IN_TIME,
    OPENED,
    TOO_LATE,
    TOURNAMENT,
    announced,
    checking_in,
    close,
    entered,
    entry,
    refuses,
    rules,
    running,
    there,
    when,
)

OPEN: list[facts.Event] = [announced(), OPENED]
WITHDREW = facts.EntryWithdrawn(entrant="A", tournament=TOURNAMENT)
STRUCK_OFF = facts.EntrantStruckOff(entrant="A", tournament=TOURNAMENT, cited="SK.REG-4")


def enter(*entries: ProposedEntry, at: str = IN_TIME, decision: Decision | None = None) -> Enter:
    return Enter(entries=entries, at=at, decision=decision)


def test_somebody_enters() -> None:
    assert when(OPEN, enter(entry("A", 1700, key=3))) == [entered("A", 1700, key=3)]


def test_several_enter_together() -> None:
    assert when(OPEN, enter(entry("A"), entry("B"))) == [entered("A"), entered("B")]


def test_entering_once_more_is_nothing_new() -> None:
    assert when([*OPEN, entered("A", 1700)], enter(entry("B", 1700, person="p-A"))) == []
    assert when(OPEN, enter(entry("A"), entry("B", person="p-A"))) == [entered("A")]


def test_entering_once_more_is_nothing_new_even_when_entries_have_closed() -> None:
    assert when([*OPEN, entered("A")], enter(entry("A"), at=TOO_LATE)) == []


def test_nobody_enters_twice_with_something_else() -> None:
    refuses(AlreadyEntered, [*OPEN, entered("A", 1700)], enter(entry("B", 1800, person="p-A")), saying="^A has")


def test_who_has_gone_may_enter_again() -> None:
    for gone in (WITHDREW, STRUCK_OFF):
        again = entry("A2", person="p-A")
        assert when([*OPEN, entered("A"), gone], enter(again)) == [entered("A2", person="p-A")]


def test_all_come_in_together_or_nobody_does_and_all_faults_are_named() -> None:
    pair = ProposedEntry(entrant="C", said=EntrySaid(persons=("p-C", "p-D")))
    in_no_list = ProposedEntry(entrant="E", said=EntrySaid(persons=("p-E",), lists=("juniors",)))
    with pytest.raises(Faulty) as refused:
        when([*OPEN, entered("A", 1700)], enter(entry("B"), entry("X", person="p-A"), pair, in_no_list))
    assert [fault.pointer for fault in refused.value.faults] == ["/entrants/1", "/entrants/2", "/entrants/3"]


@pytest.mark.parametrize(("kind", "persons"), [("individual", ()), ("individual", ("p", "q")), ("pair", ("p",))])
def test_an_entrant_is_as_many_as_the_rules_say(kind: str, persons: tuple[str, ...]) -> None:
    given = [announced(rules(kind=kind)), OPENED]
    refuses(WrongNumberOfPersons, given, enter(ProposedEntry(entrant="A", said=EntrySaid(persons=persons))))


def test_nobody_is_a_pair_with_themselves() -> None:
    given = [announced(rules(kind="pair")), OPENED]
    refuses(WrongNumberOfPersons, given, enter(ProposedEntry(entrant="A", said=EntrySaid(persons=("p", "p")))))


def test_an_entrant_is_in_lists_that_the_rules_have() -> None:
    with_women = rules().model_copy(update={"lists": (ListOf(id="women", title="Women"),)})
    on = ProposedEntry(entrant="A", said=EntrySaid(persons=("p-A",), lists=("women",)))
    assert when([announced(with_women), OPENED], enter(on)) != []
    refuses(UnknownList, OPEN, enter(on), saying="these rules have none")


@pytest.mark.rule("SK.REG-2")
def test_after_the_deadline_it_takes_a_decision_of_the_organiser() -> None:
    refuses(EntriesClosed, OPEN, enter(entry("A"), at=TOO_LATE), saying="since 2026-11-19T23:00:00Z")
    late = enter(entry("A"), at=TOO_LATE, decision=Decision.EXCUSED)
    assert when(OPEN, late) == [replace(entered("A", decision="excused"), cited="SK.REG-2")]


def test_once_check_in_is_open_it_takes_a_decision_of_the_organiser() -> None:
    refuses(EntriesClosed, checking_in(), enter(entry("A")), saying="since check-in was opened")
    late = enter(entry("A"), decision=Decision.EVEN_NUMBER)
    assert when(checking_in(), late) == [entered("A", decision="even-number")]


def test_where_the_rules_refuse_late_entries_no_decision_helps() -> None:
    strict = rules(deadlines=(Deadline(of="entry", weekday="thursday", late="refused"),))
    late = enter(entry("A"), at=TOO_LATE, decision=Decision.EXCUSED)
    refuses(EntriesClosed, [announced(strict), OPENED], late, saying="rules let nobody in")


def test_an_entry_is_corrected() -> None:
    correct = CorrectEntry(entrant="A", rating=1800, key=2, lists=())
    corrected = facts.EntryCorrected(entrant="A", tournament=TOURNAMENT, rating=1800, key=2, lists=())
    given = [*OPEN, entered("A", 1700)]
    assert when(given, correct) == [corrected]
    assert when([*given, corrected], correct) == []
    refuses(EntrantUnknown, OPEN, correct)
    refuses(NotEntered, [*given, WITHDREW], correct)
    refuses(UnknownList, given, CorrectEntry(entrant="A", rating=1, key=None, lists=("women",)))


def test_an_entry_is_withdrawn() -> None:
    withdraw, given = WithdrawEntry(entrant="A"), [*OPEN, entered("A")]
    assert when(given, withdraw) == [WITHDREW]
    assert when([*given, WITHDREW], withdraw) == []
    refuses(EntrantUnknown, OPEN, withdraw)
    refuses(NotEntered, [*given, STRUCK_OFF], withdraw, saying="struck off")


# Who is there


@pytest.mark.rule("SK.REG-3")
def test_only_who_has_entered_checks_in() -> None:
    refuses(EntrantUnknown, checking_in(), CheckIn(entrants=("A",)))
    for gone in (WITHDREW, STRUCK_OFF):
        given = [*OPEN, entered("A"), CHECK_IN, gone]
        refuses(NotEntered, given, CheckIn(entrants=("A",)), saying="enter them again")


def test_who_comes_checks_in_one_by_one_or_together() -> None:
    given = [*OPEN, *map(entered, "ABC"), CHECK_IN]
    assert when(given, CheckIn(entrants=("B",))) == [there("B")]
    assert when(given, CheckIn(entrants=("A", "C", "A"))) == [there("A"), there("C")]
    assert when(given, CheckIn(entrants=None)) == [there("A"), there("B"), there("C")]


def test_checking_in_twice_is_once() -> None:
    assert when(checking_in("A"), CheckIn(entrants=("A",))) == []


def test_a_check_in_is_undone() -> None:
    undone = facts.CheckInUndone(entrant="A", tournament=TOURNAMENT)
    assert when(checking_in("A"), UndoCheckIn(entrant="A")) == [undone]
    assert when([*checking_in("A"), undone], UndoCheckIn(entrant="A")) == []
    refuses(NotEntered, [*checking_in("A"), WITHDREW], UndoCheckIn(entrant="A"))


@pytest.mark.rule("SK.REG-4")
def test_who_is_absent_without_excuse_may_be_struck_off() -> None:
    given = [*OPEN, entered("A"), CHECK_IN]
    strike_off = StrikeOff(entrant="A")
    assert when(given, strike_off) == [STRUCK_OFF]
    assert when([*given, STRUCK_OFF], strike_off) == []
    refuses(NotEntered, checking_in("A"), strike_off, saying="is not absent")
    refuses(NotEntered, [*given, WITHDREW], strike_off, saying="has withdrawn")


# Families and close persons


@pytest.mark.rule("SK.REG-6")
def test_close_persons_are_an_unordered_pair() -> None:
    given = [*OPEN, entered("A"), entered("B")]
    for persons in (("p-A", "p-B"), ("p-B", "p-A")):
        assert when(given, DeclareClosePersons(persons=persons)) == [close("p-A", "p-B")]
        assert when([*given, close("p-A", "p-B")], DeclareClosePersons(persons=persons)) == []


def test_what_was_declared_is_revoked() -> None:
    given = [*OPEN, entered("A"), entered("B"), close("p-A", "p-B")]
    revoked = facts.ClosePersonsRevoked(tournament=TOURNAMENT, persons=("p-A", "p-B"))
    assert when(given, RevokeClosePersons(persons=("p-B", "p-A"))) == [revoked]
    assert when([*given, revoked], RevokeClosePersons(persons=("p-A", "p-B"))) == []


def test_only_two_who_both_take_part_can_be_close() -> None:
    refuses(NotEntered, [*OPEN, entered("A")], DeclareClosePersons(persons=("p-A", "p-B")))
    refuses(NotOneAnother, [*OPEN, entered("A")], DeclareClosePersons(persons=("p-A", "p-A")))


def test_where_the_rules_know_no_close_persons_nobody_is_asked() -> None:
    given = [announced(rules(close_persons=False)), OPENED, entered("A"), entered("B")]
    refuses(NotDeclared, given, DeclareClosePersons(persons=("p-A", "p-B")))


def test_what_is_declared_while_it_runs_forbids_at_once() -> None:
    forbidden = facts.MeetingForbidden(tournament=TOURNAMENT, entrants=("A", "B"), last_rounds=1)
    declare = DeclareClosePersons(persons=("p-A", "p-B"))
    assert when(running("A", "B"), declare) == [close("p-A", "p-B"), forbidden]
