"""Teams: who is in them, who may come in, and that nobody plays for two."""

import pytest

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import AlreadyEntered
from services.registration.domain.tournament.check_in import CheckIn, TooFewPresent
from services.registration.domain.tournament.entrants import Also, ProposedEntry
from services.registration.domain.tournament.entries import DetailEntry
from services.registration.domain.tournament.line_ups import (
    AlreadyInLineUp,
    BringIn,
    ChooseTeam,
    LineUpFrozen,
    NameCaptain,
    WrongLineUp,
)
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.domain.tournament.states import NotNow
from shared.rulesets.schema import Ruleset
from tests.rosters import CHECK_IN, TOURNAMENT, announced, refuses, rules, running, there, when
from tests.schools import SS, admitted, at_the_desk, enter, opened, schools, team

ZS_OPEN = opened(schools())


@pytest.mark.rule("SK.REG-1")
def test_a_pair_counts_as_one_player_and_stays_the_same() -> None:
    given = opened(rules(kind="pair"), team("A", "ann", "bob", captain=None), team("B", "cyd", "dee", captain=None))
    given += [CHECK_IN, there("A"), there("B")]
    assert [(one.entrant, one.persons) for one in admitted(given)] == [("A", ("ann", "bob")), ("B", ("cyd", "dee"))]
    with pytest.raises(AlreadyEntered):
        when(given[:-3], enter(team("C", "ann", "eva", captain=None)))


@pytest.mark.rule("PQ.REG-5", "PQ.REG-10")
def test_a_team_enters_with_players_substitutes_and_a_captain() -> None:
    entered, detailed = when(ZS_OPEN, enter(team("A", substitutes=("A4",))))
    assert isinstance(entered, facts.EntrantEntered)
    assert entered.persons == ("A1", "A2", "A3")
    assert isinstance(detailed, facts.EntryDetailed)
    assert (detailed.substitutes, detailed.captain) == (("A4",), "A1")


@pytest.mark.rule("PQ.REG-5")
@pytest.mark.parametrize(
    ("line_up", "kind", "saying"),
    [
        (team("A", "1", "2", "3", "4"), "zs", "3 players.*not 4 .PQ.REG-5"),
        (team("A", "1"), "zs", "at least 2, not 1"),
        (team("A", "1", "2", "3", "4", "5", "6"), "ss", "5 players.*not 6"),
        (team("A", substitutes=("x", "y")), "zs", "1 substitutes at most, not 2 .PQ.REG-5"),
        (team("A", "1", "2", "3", substitutes=("x", "y", "z")), "ss", "2 substitutes at most, not 3"),
        (team("A", "1", "2", "3", substitutes=("1",)), "ss", "twice"),
    ],
)
def test_a_line_up_has_the_size_that_the_rules_say(line_up: ProposedEntry, kind: str, saying: str) -> None:
    given = opened(schools() if kind == "zs" else schools(SS))
    refuses(WrongLineUp, list(given), enter(line_up), saying)


@pytest.mark.rule("PQ.D44")
@pytest.mark.parametrize(("ruleset", "least"), [(schools(), 2), (schools(SS), 3)])
def test_a_team_enters_with_as_few_as_have_to_be_there(ruleset: Ruleset, least: int) -> None:
    players = tuple(f"A{n}" for n in range(1, least + 1))
    entered, *_ = when(opened(ruleset), enter(team("A", *players)))
    assert isinstance(entered, facts.EntrantEntered)
    assert entered.persons == players
    refuses(WrongLineUp, opened(ruleset), enter(team("A", *players[1:])), f"at least {least}")


@pytest.mark.rule("PQ.REG-10")
def test_a_captain_is_one_of_the_members() -> None:
    refuses(WrongLineUp, list(ZS_OPEN), enter(team("A", captain=None)), "names one of its members")
    refuses(WrongLineUp, list(ZS_OPEN), enter(team("A", captain="zoe")), "cannot be its captain")
    _, detailed = when(ZS_OPEN, enter(team("A", substitutes=("A4",), captain="A4")))
    assert isinstance(detailed, facts.EntryDetailed)
    assert detailed.captain == "A4"


@pytest.mark.rule("PQ.REG-10")
def test_a_team_whose_captain_is_not_there_names_an_acting_one() -> None:
    """A substitute who has not come in is not there, and a player may be late."""
    given = [*opened(schools(), team("A", substitutes=("A4",), captain="A4"), team("B")), CHECK_IN]
    given += [*when(given, CheckIn(entrants=("A",))), there("B")]
    refuses(NotReady, list(given), StartTournament(), r"A .PQ.REG-10.: Their captain is not there")
    refuses(WrongLineUp, list(given), NameCaptain(entrant="A", person="B1"), "cannot be its captain")
    for acting in ("A1", "A4"):
        named = [*given, *when(given, NameCaptain(entrant="A", person="A1"))]
        if acting == "A4":  # they have come along after all
            named = [*given, facts.MembersPresent(entrant="A", tournament=TOURNAMENT, persons=("A1", "A2", "A4"))]
        assert len(admitted(named)) == 2
    late = [*given, facts.MembersPresent(entrant="B", tournament=TOURNAMENT, persons=("B2", "B3"))]
    late += when(late, NameCaptain(entrant="A", person="A1"))
    refuses(NotReady, list(late), StartTournament(), r"B .PQ.REG-10.: Their captain is not there")


@pytest.mark.rule("PQ.REG-7")
def test_nobody_is_in_the_base_of_two_teams() -> None:
    given = opened(schools(), team("A"))
    refuses(AlreadyInLineUp, list(given), enter(team("B", "A1", "B2", "B3")), "A1 already in the base of A .PQ")


def test_entering_the_same_team_twice_is_once() -> None:
    assert when(opened(schools(), team("A")), enter(team("B", "A1", "A2", "A3"))) == []


@pytest.mark.rule("PQ.REG-9")
def test_a_substitute_plays_the_whole_tournament_for_a_base_player_who_misses_it() -> None:
    given = opened(schools(), team("A", substitutes=("A4",)), team("B"))
    bring_in = BringIn(entrant="A", substitute="A4", instead_of="A1")
    (changed,) = when(given, bring_in)
    assert changed == facts.LineUpChanged(
        entrant="A",
        tournament=TOURNAMENT,
        persons=("A4", "A2", "A3"),
        substitutes=(),
        captain=None,
        why="substitute",
    )
    after = [*given, changed]
    assert when(after, bring_in) == []
    nobody = BringIn(entrant="A", substitute="A2", instead_of="zoe")
    refuses(LineUpFrozen, list(given), nobody, "A2 is no registered substitute")
    refuses(LineUpFrozen, list(after), nobody, "A2 is no registered substitute")
    for stranger in ("zoe", "B1"):
        refuses(
            LineUpFrozen,
            list(given),
            BringIn(entrant="A", substitute=stranger, instead_of="A1"),
            "no registered substitute",
        )
    named = when(after, NameCaptain(entrant="A", person="A2"))
    desk = [*after, *named, CHECK_IN, there("A"), there("B")]
    assert admitted(desk)[0].persons == ("A4", "A2", "A3")


@pytest.mark.rule("PQ.REG-9", "PQ.REG-8")
def test_after_the_start_no_line_up_changes() -> None:
    desk = at_the_desk(schools(), team("A", substitutes=("A4",)), team("B"))
    given = [*desk, *when(desk, StartTournament())]
    for order in (
        BringIn(entrant="A", substitute="A4", instead_of="A1"),
        ChooseTeam(entrant="A", person="A4"),
        NameCaptain(entrant="A", person="A2"),
    ):
        refuses(LineUpFrozen, list(given), order, "PQ.REG-8.*PQ.REG-9")
    also = Also(substitutes=(), captain="A1")
    refuses(LineUpFrozen, list(given), DetailEntry(entrant="A", also=also), "stays as it was")


def test_a_captain_who_is_absent_is_replaced() -> None:
    given = opened(schools(), team("A", substitutes=("A4",)))
    given += when(given, BringIn(entrant="A", substitute="A4", instead_of="A1"))
    refuses(
        NotReady,
        [*given, CHECK_IN, there("A")],
        StartTournament(),
        "They have no captain",
    )
    (named,) = when(given, NameCaptain(entrant="A", person="A4"))
    assert isinstance(named, facts.LineUpChanged)
    assert (named.captain, named.why) == ("A4", "acting-captain")


@pytest.mark.rule("PQ.REG-8")
def test_who_is_in_two_teams_of_a_tournament_chooses_one_before_it_starts() -> None:
    given = at_the_desk(schools(), team("A"), team("B", substitutes=("A1",)))
    refuses(NotReady, list(given), StartTournament(), "A1 is in the line-ups of A and B")
    for chosen, other in (("A", "B"), ("B", "A")):
        (changed,) = when(given, ChooseTeam(entrant=chosen, person="A1"))
        assert isinstance(changed, facts.LineUpChanged)
        assert changed.entrant == other
        assert "A1" not in (*changed.persons, *changed.substitutes)
    chosen_a = [*given, *when(given, ChooseTeam(entrant="A", person="A1"))]
    assert len(admitted(chosen_a)) == 2
    refuses(WrongLineUp, list(given), ChooseTeam(entrant="A", person="zoe"), "not in this team")


@pytest.mark.rule("PQ.REG-6")
def test_whoever_has_chosen_another_team_is_not_there_for_the_one_that_they_left() -> None:
    given = [*opened(schools(), team("A", substitutes=("S",)), team("B", "B1", "B2", "S")), CHECK_IN, there("A")]
    given += when(given, CheckIn(entrants=("B",), present=("B1", "S")))
    given += when(given, ChooseTeam(entrant="A", person="S"))
    refuses(NotReady, list(given), StartTournament(), "B .PQ.REG-6.: 1 of them are there, and a team is let in with 2")
    given += when(given, CheckIn(entrants=("B",), present=("B1", "B2")))
    assert len(admitted(given)) == 2


@pytest.mark.rule("PQ.REG-6")
@pytest.mark.parametrize(("ruleset", "least", "base"), [(schools(), 2, 3), (schools(SS), 3, 5)])
def test_a_team_is_let_in_with_so_many_players_there(ruleset: Ruleset, least: int, base: int) -> None:
    players = tuple(f"A{n}" for n in range(1, base + 1))
    given = [*opened(ruleset, team("A", *players, substitutes=("S",))), CHECK_IN]
    enough = CheckIn(entrants=("A",), present=players[:least])
    assert [type(event) for event in when(given, enough)] == [facts.MembersPresent, facts.EntrantCheckedIn]
    too_few = CheckIn(entrants=("A",), present=(*players[: least - 1], "S"))
    refuses(TooFewPresent, list(given), too_few, f"with {least} of its players, and {least - 1} are there")
    stranger = CheckIn(entrants=("A",), present=(*players[:least], "zoe"))
    refuses(LineUpFrozen, list(given), stranger, "zoe not in the line-up")


@pytest.mark.rule("PQ.REG-6")
def test_a_team_that_shrank_below_the_minimum_cannot_start() -> None:
    given = at_the_desk(schools(), team("A", "A1", "A2"), team("B", substitutes=("A2",)))
    given += when(given, ChooseTeam(entrant="B", person="A2"))
    refuses(NotReady, list(given), StartTournament(), "PQ.REG-6.*1 of them are there")


def test_only_teams_have_line_ups() -> None:
    with_captain = team("A", "ann", captain="ann")
    refuses(WrongLineUp, [*opened(rules())], enter(with_captain), "Only a team")
    assert announced() is not None
    with pytest.raises(NotNow):
        when(running("A", "B"), NameCaptain(entrant="A", person="p-A"))
