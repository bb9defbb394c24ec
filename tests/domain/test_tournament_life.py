"""The life of a tournament: announced, open for entries, checking in, running, reviewed, completed; or cancelled."""

import itertools
import json
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from services.registration.domain.names import UnusableName
from services.registration.domain.tournament import decider, facts, states
from services.registration.domain.tournament.check_in import ArriveLate, CheckIn, UndoCheckIn
from services.registration.domain.tournament.close_persons import DeclareClosePersons, RevokeClosePersons
from services.registration.domain.tournament.decider import PHASES, Command
from services.registration.domain.tournament.entrants import Also, Lateness, Leaving
from services.registration.domain.tournament.entries import (
    ApproveSpectator,
    CorrectEntry,
    Decision,
    DetailEntry,
    Enter,
    JudgeEligibility,
    NoteMembership,
    StrikeOff,
    WithdrawEntry,
)
from services.registration.domain.tournament.levels import NameNextLevel, TakeIn
from services.registration.domain.tournament.lifecycle import (
    AlreadyAnnounced,
    AnnounceAdvance,
    BeginReview,
    CancelTournament,
    CompleteTournament,
    DecideShownNames,
    NobodyAdvances,
    OpenCheckIn,
    OpenRegistration,
    PostponeFirstRound,
    ResumePlay,
    TooMuchDelay,
)
from services.registration.domain.tournament.line_ups import BringIn, ChooseTeam, NameCaptain
from services.registration.domain.tournament.lots import MoveLotSource, OpenLots
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    RequestWaiver,
)
from services.registration.domain.tournament.places_and_reserves import CallReserve, ConfirmPlace, ReleaseUnconfirmed
from services.registration.domain.tournament.plan import ChangePlan, planned
from services.registration.domain.tournament.presence import (
    AdmitLate,
    BeAbsent,
    BePresent,
    ExpelByRule,
    Leave,
    LiftExpulsion,
    Return,
    Returning,
)
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.domain.tournament.states import NotNow, TournamentUnknown, Unannounced, known
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
    refuses,
    rules,
    running,
    state,
    there,
    when,
)

REVIEW = facts.ReviewBegun(tournament=TOURNAMENT)
COMPLETED = facts.TournamentCompleted(tournament=TOURNAMENT)
CANCELLED = facts.TournamentCancelled(tournament=TOURNAMENT)

LIVES: dict[str, list[facts.Event]] = {
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
    ChangePlan(seen=PLAN, planned=replace(PLAN, name="Nitra Cup"), reason=NotedReason(code="other")),
    OpenRegistration(),
    OpenCheckIn(),
    DecideShownNames(shown_names="number"),
    AnnounceAdvance(advance=2),
    PostponeFirstRound(minutes=30),
    StartTournament(),
    BeginReview(),
    ResumePlay(),
    CompleteTournament(),
    CancelTournament(),
    Enter(entries=(entry("Z"),), at=IN_TIME, decision=Decision.EXCUSED),
    CorrectEntry(entrant="A", rating=1, key=None, lists=()),
    WithdrawEntry(entrant="A"),
    StrikeOff(entrant="B"),
    CheckIn(entrants=None),
    UndoCheckIn(entrant="A"),
    DeclareClosePersons(persons=("p-A", "p-B")),
    RevokeClosePersons(persons=("p-A", "p-B")),
    AdmitLate(entry=entry("Z"), from_round=1, decision=Decision.EXCUSED),
    Leave(entrant="A", after_round=1, why=Leaving.WITHDREW),
    Return(entrant="A", why=Returning.MISTAKE),
    BeAbsent(entrant="A", round=1),
    BePresent(entrant="A", round=1),
    DetailEntry(entrant="A", also=Also(school="s-1")),
    JudgeEligibility(entrant="A", verdicts=()),
    BringIn(entrant="A", substitute="p-Z", instead_of="p-A"),
    ChooseTeam(entrant="A", person="p-A"),
    NameCaptain(entrant="A", person="p-A"),
    CallReserve(),
    ConfirmPlace(entrant="A"),
    ReleaseUnconfirmed(),
    NameNextLevel(next_level="kt"),
    TakeIn(origin="ot", comers=(), by_right=1, by_hand=True),
    RecordPayment(entrant="A", amount=13, currency="EUR", on="2026-11-01", reference="1"),
    RecordRefund(entrant="A", amount=13, currency="EUR", on="2026-11-01", reference="1"),
    RequestWaiver(entrant="A", ground="hotel-guest"),
    GrantWaiver(entrant="A", ground="hotel-guest"),
    RefuseWaiver(entrant="A", ground="hotel-guest"),
    ArriveLate(entrant="A", effect=Lateness.FIRST_GAME),
    ApproveSpectator(spectator="s-1", note="n-1"),
    NoteMembership(entrant="A", member=True),
]
OF_RESULTS: list[Command] = [
    ExpelByRule(entrant="A", stage="swiss", after_round=1, clause="SK.RES-6"),
    LiftExpulsion(entrant="A"),
]


def test_a_tournament_is_announced_with_its_whole_ruleset() -> None:
    assert when([], announce()) == [announced()]


def test_a_tournament_is_announced_once() -> None:
    refuses(AlreadyAnnounced, [announced()], announce())


def test_a_name_that_nobody_can_read_is_refused() -> None:
    for name in ("", "  ", "\n", "x" * 201, "a\x07b"):
        with pytest.raises(UnusableName):
            when([], replace(announce(), name=name))


def test_it_goes_from_one_part_of_its_life_to_the_next() -> None:
    assert when(LIVES["draft"], OpenRegistration()) == [OPENED]
    assert when(LIVES["registration"], OpenCheckIn()) == [CHECK_IN]
    assert when(LIVES["check-in"], OpenRegistration()) == [OPENED]
    assert when(LIVES["running"], BeginReview()) == [REVIEW]
    assert when(LIVES["under-review"], ResumePlay()) == [facts.PlayResumed(tournament=TOURNAMENT)]
    assert when(LIVES["under-review"], CompleteTournament()) == [COMPLETED]


@pytest.mark.parametrize("life", ["draft", "registration", "check-in", "running", "under-review"])
def test_it_can_be_cancelled_until_it_is_completed(life: str) -> None:
    assert when(LIVES[life], CancelTournament()) == [CANCELLED]


@pytest.mark.parametrize(
    ("life", "order"),
    [
        ("registration", OpenRegistration()),
        ("check-in", OpenCheckIn()),
        ("running", StartTournament()),
        ("running", ResumePlay()),
        ("under-review", BeginReview()),
        ("completed", CompleteTournament()),
        ("cancelled", CancelTournament()),
    ],
)
def test_asking_for_what_is_so_already_changes_nothing(life: str, order: Command) -> None:
    assert when(LIVES[life], order) == []


@pytest.mark.parametrize(("life", "order"), list(itertools.product(LIVES, EVERY_ORDER)), ids=str)
def test_every_order_belongs_to_certain_parts_of_its_life(life: str, order: Command) -> None:
    """What `allowed_actions` says and what is decided are the same."""
    now = state(LIVES[life])
    assert not isinstance(now, Unannounced)
    assert states.status(now) == life
    try:
        when(LIVES[life], order)
    except NotNow:
        assert decider.not_now(now, type(order)) is not None
    except Refusal:
        assert decider.not_now(now, type(order)) is None


def test_what_is_credited_only_after_the_end_is_recorded() -> None:
    """Whoever owes a fee by then owes it still, and what was paid can be given back as well."""
    paid = RecordPayment(entrant="A", amount=13, currency="EUR", on="2026-11-01", reference="1")
    assert [type(event) for event in when(LIVES["completed"], paid)] == [facts.PaymentRecorded]


def test_of_every_order_it_is_known_where_it_belongs() -> None:
    of_lots = {MoveLotSource, OpenLots}  # which need a source first
    assert {type(order) for order in (*EVERY_ORDER, *OF_RESULTS)} | of_lots == PHASES.keys()


@pytest.mark.parametrize("order", EVERY_ORDER, ids=str)
def test_nothing_happens_to_what_was_never_announced(order: Command) -> None:
    refuses(TournamentUnknown, [], order)


def test_who_comes_too_early_hears_what_to_do_first_and_who_comes_too_late_does_not() -> None:
    refuses(NotNow, LIVES["draft"], CheckIn(entrants=None), saying="open registration first")
    refuses(NotNow, LIVES["registration"], StartTournament(), saying="open check-in first")
    refuses(NotNow, LIVES["running"], OpenRegistration(), saying=r"belongs to draft or check-in\.$")


@pytest.mark.rule("SK.REG-4")
def test_the_first_round_may_be_put_back_by_an_hour_and_not_by_more() -> None:
    postponed = facts.FirstRoundPostponed(tournament=TOURNAMENT, minutes=60)
    assert when(LIVES["check-in"], PostponeFirstRound(minutes=60)) == [postponed]
    assert when([*LIVES["check-in"], postponed], PostponeFirstRound(minutes=60)) == []
    for minutes in (61, -1):
        refuses(TooMuchDelay, LIVES["check-in"], PostponeFirstRound(minutes=minutes), saying="09:00")


def test_where_the_rules_set_no_limit_the_first_round_waits_up_to_a_day() -> None:
    given = [announced(rules(check_in=None))]
    assert when(given, PostponeFirstRound(minutes=120)) != []
    refuses(TooMuchDelay, given, PostponeFirstRound(minutes=1441))


@pytest.mark.rule("PQ.PAI-4")
def test_where_it_is_left_open_how_many_go_on_that_is_announced_before_the_start() -> None:
    ruleset = rules()
    ruleset = ruleset.model_copy(update={"final": ruleset.final.model_copy(update={"advance": "announced"})})
    given = checking_in("A", "B", ruleset=ruleset)
    refuses(NotReady, given, StartTournament(), saying="How many go on is not announced")
    told = facts.AdvanceAnnounced(tournament=TOURNAMENT, advance=1)
    assert when(given, AnnounceAdvance(advance=1)) == [told]
    assert when([*given, told], AnnounceAdvance(advance=1)) == []
    first, _, _ = started([*given, told])
    assert first.advance == 1
    refuses(NobodyAdvances, LIVES["draft"], AnnounceAdvance(advance=1))


# The start


def started(
    given: Sequence[facts.Event],
) -> tuple[facts.TournamentStarted, list[tuple[str, int, int | None]], list[facts.Event]]:
    """What the start says: the tournament, then everybody with their number and rating, then who must not meet."""
    first, *others = when(given, StartTournament())
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


@pytest.mark.rule("SK.X-9")
def test_the_start_tells_by_the_rules_in_which_variant_it_is_played() -> None:
    """Also of a tournament whose rules did not say it when it was announced."""
    placed = facts.TournamentPlaced(
        tournament=TOURNAMENT,
        series=None,
        region=None,
        host=None,
        hall=None,
        room=None,
        override=None,
        competition="live",
        variant="m",
    )
    (first, *given) = LIVES["check-in"]
    told, _, _ = started([first, placed, *given])
    assert json.loads(bytes(told.ruleset))["options"] == {"contest.variant": "m"}


def field(*who: facts.EntrantEntered) -> list[facts.Event]:
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
    refuses(NotReady, given, StartTournament(), saying="^3 entrants have not checked in")
    refuses(
        NotReady,
        [*given, there("C"), there("D")],
        StartTournament(),
        saying="^1 entrant has not checked in",
    )


@pytest.mark.parametrize(("entrants", "saying"), [("", "^Nobody has"), ("A", "^Only 1 entrant has")])
def test_it_takes_two_to_start(entrants: str, saying: str) -> None:
    refuses(NotReady, checking_in(*entrants), StartTournament(), saying=saying)


def test_the_rules_limit_how_many_start() -> None:
    size = rules(size=Size(least=3, most=4))
    refuses(NotReady, checking_in(*"AB", ruleset=size), StartTournament(), saying="Only 2 .* takes 3")
    refuses(NotReady, checking_in(*"ABCDE", ruleset=size), StartTournament(), saying="5 .* 4 at most")
    assert when(checking_in(*"ABC", ruleset=size), StartTournament()) != []


def test_it_does_not_start_where_it_cannot_be_seeded() -> None:
    by_tiers = rules(seeding=rules().entry.seeding.model_copy(update={"by": "tiers"}))
    refuses(NotReady, checking_in(*"AB", ruleset=by_tiers), StartTournament(), saying="seed by tiers")


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
def test_a_log_that_cannot_be_is_not_made_sense_of(log: list[facts.Event]) -> None:
    with pytest.raises(TypeError):
        state(log)
