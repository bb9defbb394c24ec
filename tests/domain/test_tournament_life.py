"""The life of a tournament: announced, open for entries, checking in, running, reviewed, completed; or cancelled."""

import itertools
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from services.registration.domain.naming import UnusableName
from services.registration.domain.tournament import (
    Command,
    Event,
    entry_orders,
    facts,
    known,
    level_orders,
    orders,
    phases,
    refusals,
)
from services.registration.domain.tournament.plan_orders import ChangePlan, Reason
from services.registration.domain.tournament.planning import planned
from services.registration.domain.tournament.states import Unknown
from shared.refusals import Refusal
from shared.rulesets.entry import Size
from tests.rosters import (
    CHECK_IN,
    FEDERATION,
    IN_TIME,
    OPENED,
    TOURNAMENT,
    announce,
    announced,
    checking_in,
    close,
    entered,
    entry,
    rules,
    running,
    state,
    there,
    when,
)

REVIEW = facts.ReviewBegun(tournament=TOURNAMENT)
COMPLETED = facts.TournamentCompleted(tournament=TOURNAMENT)
CANCELLED = facts.TournamentCancelled(tournament=TOURNAMENT)

LIVES: dict[str, list[Event]] = {
    "draft": [announced()],
    "registration": [announced(), OPENED, entered("A"), entered("B")],
    "check-in": checking_in("A", "B"),
    "running": running("A", "B"),
    "under-review": [*running("A", "B"), REVIEW],
    "completed": [*running("A", "B"), REVIEW, COMPLETED],
    "cancelled": [announced(), CANCELLED],
}

PLAN = planned(known(state([announced()])).plan)

EVERY_ORDER: list[Command] = [
    ChangePlan(seen=PLAN, planned=replace(PLAN, name="Nitra Cup"), reason=Reason(code="other")),
    orders.OpenRegistration(),
    orders.OpenCheckIn(),
    orders.DecideShownNames(shown_names="number"),
    orders.AnnounceAdvance(advance=2),
    orders.PostponeFirstRound(minutes=30),
    orders.StartTournament(),
    orders.BeginReview(),
    orders.ResumePlay(),
    orders.CompleteTournament(),
    orders.CancelTournament(),
    orders.Enter(entries=(entry("Z"),), at=IN_TIME, decision=orders.Decision.EXCUSED),
    orders.CorrectEntry(entrant="A", rating=1, key=None, lists=()),
    orders.WithdrawEntry(entrant="A"),
    orders.StrikeOff(entrant="B"),
    orders.CheckIn(entrants=None),
    orders.UndoCheckIn(entrant="A"),
    orders.DeclareClosePersons(persons=("p-A", "p-B")),
    orders.RevokeClosePersons(persons=("p-A", "p-B")),
    orders.AdmitLate(entry=entry("Z"), from_round=1, decision=orders.Decision.EXCUSED),
    orders.Leave(entrant="A", after_round=1, why=orders.Leaving.WITHDREW),
    orders.Return(entrant="A", why=orders.Returning.MISTAKE),
    orders.BeAbsent(entrant="A", round=1),
    orders.BePresent(entrant="A", round=1),
    entry_orders.DetailEntry(entrant="A", also=entry_orders.Also(school="s-1")),
    entry_orders.JudgeEligibility(entrant="A", verdicts=()),
    entry_orders.BringIn(entrant="A", substitute="p-Z", instead_of="p-A"),
    entry_orders.ChooseTeam(entrant="A", person="p-A"),
    entry_orders.NameCaptain(entrant="A", person="p-A"),
    entry_orders.CallReserve(),
    entry_orders.ConfirmPlace(entrant="A"),
    entry_orders.ReleaseUnconfirmed(),
    level_orders.NameNextLevel(next_level="kt"),
    level_orders.TakeIn(origin="ot", comers=(), by_right=1, by_hand=True),
    entry_orders.RecordPayment(entrant="A", amount=13, currency="EUR", on="2026-11-01", reference="1"),
    entry_orders.RecordRefund(entrant="A", amount=13, currency="EUR", on="2026-11-01", reference="1"),
    entry_orders.RequestWaiver(entrant="A", ground="hotel-guest"),
    entry_orders.GrantWaiver(entrant="A", ground="hotel-guest"),
    entry_orders.RefuseWaiver(entrant="A", ground="hotel-guest"),
    entry_orders.ArriveLate(entrant="A", effect=entry_orders.Lateness.FIRST_GAME),
    entry_orders.ApproveSpectator(spectator="s-1", note="n-1"),
]
OF_RESULTS: list[Command] = [
    orders.ExpelByRule(entrant="A", stage="swiss", after_round=1, clause="SK.RES-6"),
    orders.LiftExpulsion(entrant="A"),
]


def refuses(refusal: type[Refusal], given: Sequence[Event], command: Command, *, saying: str = ".") -> None:
    with pytest.raises(refusal, match=saying):
        when(given, command)


def test_a_tournament_is_announced_with_its_whole_ruleset() -> None:
    assert when([], announce()) == [announced()]


def test_a_tournament_is_announced_once() -> None:
    refuses(refusals.AlreadyAnnounced, [announced()], announce())


def test_a_name_that_nobody_can_read_is_refused() -> None:
    for name in ("", "  ", "\n", "x" * 201, "a\x07b"):
        with pytest.raises(UnusableName):
            when([], replace(announce(), name=name))


def test_it_goes_from_one_part_of_its_life_to_the_next() -> None:
    assert when(LIVES["draft"], orders.OpenRegistration()) == [OPENED]
    assert when(LIVES["registration"], orders.OpenCheckIn()) == [CHECK_IN]
    assert when(LIVES["running"], orders.BeginReview()) == [REVIEW]
    assert when(LIVES["under-review"], orders.ResumePlay()) == [facts.PlayResumed(tournament=TOURNAMENT)]
    assert when(LIVES["under-review"], orders.CompleteTournament()) == [COMPLETED]


@pytest.mark.parametrize("life", ["draft", "registration", "check-in", "running", "under-review"])
def test_it_can_be_cancelled_until_it_is_completed(life: str) -> None:
    assert when(LIVES[life], orders.CancelTournament()) == [CANCELLED]


@pytest.mark.parametrize(
    ("life", "order"),
    [
        ("registration", orders.OpenRegistration()),
        ("check-in", orders.OpenCheckIn()),
        ("running", orders.StartTournament()),
        ("running", orders.ResumePlay()),
        ("under-review", orders.BeginReview()),
        ("completed", orders.CompleteTournament()),
        ("cancelled", orders.CancelTournament()),
    ],
)
def test_asking_for_what_is_so_already_changes_nothing(life: str, order: Command) -> None:
    assert when(LIVES[life], order) == []


@pytest.mark.parametrize(("life", "order"), list(itertools.product(LIVES, EVERY_ORDER)), ids=str)
def test_every_order_belongs_to_certain_parts_of_its_life(life: str, order: Command) -> None:
    """What `allowed_actions` says and what is decided are the same."""
    now = state(LIVES[life])
    assert not isinstance(now, Unknown)
    assert phases.status(now) == life
    try:
        when(LIVES[life], order)
    except refusals.NotNow:
        assert phases.not_now(now, type(order)) is not None
    except Refusal:
        assert phases.not_now(now, type(order)) is None


def test_of_every_order_it_is_known_where_it_belongs() -> None:
    assert {type(order) for order in (*EVERY_ORDER, *OF_RESULTS)} == phases.PHASES.keys()


@pytest.mark.parametrize("order", EVERY_ORDER, ids=str)
def test_nothing_happens_to_what_was_never_announced(order: Command) -> None:
    refuses(refusals.TournamentUnknown, [], order)


def test_who_comes_too_early_hears_what_to_do_first_and_who_comes_too_late_does_not() -> None:
    refuses(refusals.NotNow, LIVES["draft"], orders.CheckIn(entrants=None), saying="open registration first")
    refuses(refusals.NotNow, LIVES["registration"], orders.StartTournament(), saying="open check-in first")
    refuses(refusals.NotNow, LIVES["running"], orders.OpenRegistration(), saying=r"belongs to draft\.$")


@pytest.mark.rule("SK.REG-4")
def test_the_first_round_may_be_put_back_by_an_hour_and_not_by_more() -> None:
    postponed = facts.FirstRoundPostponed(tournament=TOURNAMENT, minutes=60)
    assert when(LIVES["check-in"], orders.PostponeFirstRound(minutes=60)) == [postponed]
    assert when([*LIVES["check-in"], postponed], orders.PostponeFirstRound(minutes=60)) == []
    for minutes in (61, -1):
        refuses(refusals.TooMuchDelay, LIVES["check-in"], orders.PostponeFirstRound(minutes=minutes), saying="09:00")


def test_where_the_rules_set_no_limit_the_first_round_waits_up_to_a_day() -> None:
    given = [announced(rules(check_in=None))]
    assert when(given, orders.PostponeFirstRound(minutes=120)) != []
    refuses(refusals.TooMuchDelay, given, orders.PostponeFirstRound(minutes=1441))


@pytest.mark.rule("PQ.PAI-4")
def test_where_it_is_left_open_how_many_go_on_that_is_announced_before_the_start() -> None:
    ruleset = rules()
    ruleset = ruleset.model_copy(update={"final": ruleset.final.model_copy(update={"advance": "announced"})})
    given = checking_in("A", "B", ruleset=ruleset)
    refuses(refusals.NotReady, given, orders.StartTournament(), saying="How many go on is not announced")
    told = facts.AdvanceAnnounced(tournament=TOURNAMENT, advance=1)
    assert when(given, orders.AnnounceAdvance(advance=1)) == [told]
    assert when([*given, told], orders.AnnounceAdvance(advance=1)) == []
    first, _, _ = started([*given, told])
    assert first.advance == 1
    refuses(refusals.NobodyAdvances, LIVES["draft"], orders.AnnounceAdvance(advance=1))


# The start


def started(given: Sequence[Event]) -> tuple[facts.TournamentStarted, list[tuple[str, int, int | None]], list[Event]]:
    """What the start says: the tournament, then everybody with their number and rating, then who must not meet."""
    first, *others = when(given, orders.StartTournament())
    assert isinstance(first, facts.TournamentStarted)
    admitted = [event for event in others if isinstance(event, facts.EntrantAdmitted)]
    assert all((event.from_round, event.decision) == (1, None) for event in admitted)
    return first, [(event.entrant, event.number, event.rating) for event in admitted], others[len(admitted) :]


def test_the_start_pins_the_whole_ruleset_for_ever() -> None:
    first, _, _ = started(LIVES["check-in"])
    assert first == facts.TournamentStarted(
        tournament=TOURNAMENT,
        federation=FEDERATION,
        ruleset=announced().ruleset,
        time_zone="Europe/Bratislava",
    )


def field(*who: facts.EntrantEntered) -> list[Event]:
    return [announced(), OPENED, *who, CHECK_IN, *(there(one.entrant) for one in who)]


@pytest.mark.rule("SK.REG-7")
def test_the_field_is_numbered_by_rating_then_key_then_order_of_entry() -> None:
    given = field(
        entered("last", 1500),
        entered("second", 1700, key=9),
        entered("first", 1700, key=4),
        entered("third", 1700),
        entered("fourth", 1700),
    )
    _, numbers, _ = started(given)
    assert [(who, number) for who, number, _ in numbers] == [
        ("first", 1),
        ("second", 2),
        ("third", 3),
        ("fourth", 4),
        ("last", 5),
    ]


@pytest.mark.rule("SK.REG-7")
def test_a_new_player_has_1600() -> None:
    _, numbers, _ = started(field(entered("below", 1599), entered("new"), entered("above", 1601)))
    assert numbers == [("above", 1, 1601), ("new", 2, 1600), ("below", 3, 1599)]


def test_where_the_rules_give_new_players_no_rating_they_come_last() -> None:
    plain = rules(seeding=rules().entry.seeding.model_copy(update={"unrated": None}))
    given = [announced(plain), OPENED, entered("new"), entered("rated", 1), CHECK_IN, there("new"), there("rated")]
    assert started(given)[1] == [("rated", 1, 1), ("new", 2, None)]


def test_where_the_rules_say_so_the_order_of_entry_decides_alone() -> None:
    plain = rules(seeding=rules().entry.seeding.model_copy(update={"by": "order"}))
    given = [
        announced(plain),
        OPENED,
        entered("weak", 1),
        entered("strong", 9),
        CHECK_IN,
        there("weak"),
        there("strong"),
    ]
    assert [who for who, _, _ in started(given)[1]] == ["weak", "strong"]


@pytest.mark.rule("SK.REG-3")
def test_it_does_not_start_over_somebody_who_has_not_checked_in() -> None:
    given = [announced(), OPENED, *map(entered, "ABCDE"), CHECK_IN, there("A"), there("B")]
    refuses(refusals.NotReady, given, orders.StartTournament(), saying="^3 entrants have not checked in")
    refuses(
        refusals.NotReady,
        [*given, there("C"), there("D")],
        orders.StartTournament(),
        saying="^1 entrant has not checked in",
    )


@pytest.mark.parametrize(("entrants", "saying"), [("", "^Nobody has"), ("A", "^Only 1 entrant has")])
def test_it_takes_two_to_start(entrants: str, saying: str) -> None:
    refuses(refusals.NotReady, checking_in(*entrants), orders.StartTournament(), saying=saying)


def test_the_rules_limit_how_many_start() -> None:
    size = rules(size=Size(least=3, most=4))
    refuses(refusals.NotReady, checking_in(*"AB", ruleset=size), orders.StartTournament(), saying="Only 2 .* takes 3")
    refuses(refusals.NotReady, checking_in(*"ABCDE", ruleset=size), orders.StartTournament(), saying="5 .* 4 at most")
    assert when(checking_in(*"ABC", ruleset=size), orders.StartTournament()) != []


def test_it_does_not_start_where_it_cannot_be_seeded() -> None:
    by_tiers = rules(seeding=rules().entry.seeding.model_copy(update={"by": "tiers"}))
    refuses(refusals.NotReady, checking_in(*"AB", ruleset=by_tiers), orders.StartTournament(), saying="seed by tiers")


@pytest.mark.rule("SK.REG-6")
def test_close_persons_who_both_play_must_not_meet_in_the_last_round() -> None:
    given = checking_in(*"ABC")
    given[5:5] = [close("p-A", "p-C")]
    assert started(given)[2] == [facts.MeetingForbidden(tournament=TOURNAMENT, entrants=("A", "C"), last_rounds=1)]


def test_close_persons_of_whom_one_has_gone_forbid_nothing() -> None:
    given = [*checking_in(*"ABC"), close("p-A", "p-C"), facts.EntryWithdrawn(entrant="C", tournament=TOURNAMENT)]
    assert started(given)[2] == []


def test_what_is_forbidden_stays_declared_and_changes_nobody() -> None:
    forbidden = facts.MeetingForbidden(tournament=TOURNAMENT, entrants=("A", "B"), last_rounds=1)
    assert state([*LIVES["running"], forbidden]) == state(LIVES["running"])


@pytest.mark.parametrize(
    "log",
    [
        [OPENED],
        [*LIVES["check-in"], facts.EntrantReturned(entrant="A", tournament=TOURNAMENT, why="mistake")],
    ],
)
def test_a_log_that_cannot_be_is_not_made_sense_of(log: list[Event]) -> None:
    with pytest.raises(TypeError):
        state(log)
