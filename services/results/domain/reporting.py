"""How those at the table come to a result: two voices have to agree, and nobody overwrites anybody.

The first report waits. One that is equal, by another voice, makes the result final; one that is not makes a dispute,
in which all is kept. Each voice may replace or withdraw its own report as long as nothing is final.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.results.domain.facts import Event, ReportWithdrawn, ResultAgreed, ResultDisputed, ResultReported
from services.results.domain.orders import ConfirmResult, DisputeResult, ReportResult, WithdrawReport
from services.results.domain.refusals import (
    EntrantHasLeft,
    NotAtThisTable,
    NothingReported,
    NotOfThisTable,
    OnlyForOwnSeat,
    OwnReport,
    ReportReplaced,
    ReportsContradict,
    final,
    refused,
)
from services.results.domain.report import Report, Result, Speaker, all_agree, merged
from services.results.domain.states import (
    Closed,
    Disputed,
    Final,
    Objection,
    Open,
    Pending,
    Postponed,
    Reported,
    Sheet,
    Started,
    State,
    Unknown,
    Voided,
    before_reports,
    reports_of,
    status,
)

ENOUGH = 2  # voices
AWARDED = "awarded"


def report(state: State, command: ReportResult) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Final():
            require_fitting(state.sheet, command.result)
            if state.result.agrees_with(command.result):
                return []
            raise final(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            require_fitting(state.sheet, command.result)
            require_signatures(state.sheet, command)
            require_present(state.sheet, command.result, command.gone)
            return speak(state, command)


def speak(state: Open, command: ReportResult) -> list[Event]:
    own = Report(
        number=state.said + 1,
        by=command.by,
        result=command.result,
        signed_by=command.signed_by,
        details=command.details,
    )
    if any(says_the_same(stands, own) for stands in reports_of(state)):
        return []
    standing = (*others(reports_of(state), own.by), own)
    disputed = bool(objections_after(state, own.by)) or not all_agree(standing)
    said = ResultReported(game=state.sheet.game, report=own, then="disputed" if disputed else "reported")
    if disputed:
        return [said]
    if len(standing) >= ENOUGH:
        return [said, agreed(state, merged(standing), how="reports")]
    if own.by.entrant is None and len(own.signed_by) == len(state.sheet.seats):
        return [said, agreed(state, own.result, how="signed")]
    return [said]


def withdraw(state: State, command: WithdrawReport) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Final():
            raise final(state)
        case Pending() | Started() | Postponed():
            return []
        case Reported() | Disputed():
            require_at_table(state.sheet, command.by)
            own = next((said for said in state.reports if is_same(said.by, command.by)), None)
            if own is None:
                return []
            left = others(state.reports, command.by)
            withdrawn = ReportWithdrawn(
                game=state.sheet.game, number=own.number, by=command.by, then=status(without(state, left))
            )
            if len(left) >= ENOUGH and all_agree(left):
                return [withdrawn, agreed(state, merged(left), how="reports")]
            return [withdrawn]


def confirm(state: State, command: ConfirmResult) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Final():
            return []
        case Pending() | Started() | Postponed():
            raise NothingReported("Nobody has reported this game yet: report it yourself.")
        case Reported() | Disputed():
            require_at_table(state.sheet, command.by)
            if len(state.reports) > 1 or objections_of_others(state, command.by):
                raise ReportsContradict(
                    "The reports contradict each other: replace your own, or let an arbiter or the director decide."
                )
            only = next(iter(state.reports))
            if is_same(only.by, command.by):
                raise OwnReport("This is your own report: the other side, or another official, has to confirm it.")
            if only.number != command.number:
                raise ReportReplaced(f"What stands now is report {only.number}: look at it before you confirm it.")
            return [agreed(state, only.result, how="confirmed", confirmed_by=command.by)]


def dispute(state: State, command: DisputeResult) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Final():
            raise final(state)
        case Pending() | Started() | Postponed():
            raise NothingReported("Nobody has reported this game yet: there is nothing to object to.")
        case Reported() | Disputed():
            require_at_table(state.sheet, command.by)
            if all(is_same(said.by, command.by) for said in state.reports):
                raise OwnReport("This is your own report: withdraw it, or report anew.")
            spoken = {said.by.voice for said in state.reports} | {said.voice for said in objections_in(state)}
            if command.by.voice in spoken:
                return []
            return [ResultDisputed(game=state.sheet.game, by=command.by, reason=command.reason)]


def without(state: Reported | Disputed, left: tuple[Report, ...]) -> Pending | Started | Reported | Disputed:
    """What the sheet is when only these reports are left; objections were against what is gone."""
    if not left:
        return replace(state.before, said=state.said)
    if all_agree(left):
        return Reported(sheet=state.sheet, reports=left, before=state.before, said=state.said)
    return Disputed(sheet=state.sheet, reports=left, objections=(), before=state.before, said=state.said)


def agreed(state: Open, result: Result, *, how: str, confirmed_by: Speaker | None = None) -> ResultAgreed:
    sheet = state.sheet
    return ResultAgreed(
        game=sheet.game,
        tournament=sheet.tournament,
        stage=sheet.stage,
        round=sheet.round,
        seats=sheet.seats,
        scores=result.scores,
        points=result.points,
        end=result.end,
        by=result.by,
        first=starter(state, result),
        how=how,
        confirmed_by=confirmed_by,
    )


def starter(state: Open, result: Result) -> str | None:
    """Who really started: by the result, or as it was said when the game began."""
    before = before_reports(state)
    return result.first or (before.first if isinstance(before, Started) else None)


def is_same(one: Speaker, other: Speaker) -> bool:
    """Whoever acts in two roles is still one, and so are all who speak for one entrant."""
    return one.person == other.person or one.voice == other.voice


def others(reports: Sequence[Report], speaker: Speaker) -> tuple[Report, ...]:
    return tuple(said for said in reports if not is_same(said.by, speaker))


def says_the_same(stands: Report, own: Report) -> bool:
    same = (stands.result, stands.signed_by, stands.details) == (own.result, own.signed_by, own.details)
    return same and is_same(stands.by, own.by)


def objections_in(state: Open) -> tuple[Objection, ...]:
    return state.objections if isinstance(state, Disputed) else ()


def objections_of_others(state: Open, speaker: Speaker) -> tuple[Objection, ...]:
    return tuple(no for no in objections_in(state) if speaker.person != no.person and speaker.voice != no.voice)


def objections_after(state: Open, speaker: Speaker) -> tuple[Objection, ...]:
    """Those left when somebody reports: his own is answered, and so are all when he replaces what they were against."""
    replaces = len(others(reports_of(state), speaker)) < len(reports_of(state))
    return () if replaces else objections_of_others(state, speaker)


def require_at_table(sheet: Sheet, speaker: Speaker) -> None:
    if speaker.entrant is not None and speaker.entrant not in sheet.seats:
        raise NotAtThisTable("Your entrant does not play at this table: look for your own game in the list.")


def require_fitting(sheet: Sheet, result: Result) -> None:
    """Whatever the ruleset says of it, it has to be about this table."""
    if len(result.scores) != len(sheet.seats) or len(result.points) != len(sheet.seats):
        raise NotOfThisTable(f"This table has {len(sheet.seats)} seats: send a score for each.")
    if any(seat not in range(len(sheet.seats)) for seat in result.by):
        raise NotOfThisTable(f"Seats are counted from 0 to {len(sheet.seats) - 1}: `by` names another one.")
    if result.first is not None and result.first not in sheet.seats:
        raise NotOfThisTable("Who started has to be one of the entrants at this table.")


def require_present(sheet: Sheet, result: Result, gone: Sequence[str]) -> None:
    """Who has left can only lose by default; what an official awards is for him to answer for."""
    left = next((seat for seat, entrant in enumerate(sheet.seats) if entrant in gone and seat not in result.by), None)
    if left is not None and result.end != AWARDED:
        raise EntrantHasLeft(
            f"The entrant at seat {left} had left before this round: report the default against that seat, or let an "
            "arbiter or the director void the game."
        )


def require_signatures(sheet: Sheet, command: ReportResult) -> None:
    details = command.details
    turns = [*details.bingos, *([details.highest_turn] if details.highest_turn else [])]
    seats = {*command.signed_by, *details.flags, *(turn.seat for turn in turns)}
    if not seats <= set(range(len(sheet.seats))):
        raise NotOfThisTable(f"Seats are counted from 0 to {len(sheet.seats) - 1}: the sheet names another one.")
    require_at_table(sheet, command.by)
    if command.by.entrant is not None and any(sheet.seats[seat] != command.by.entrant for seat in command.signed_by):
        raise OnlyForOwnSeat("You sign for your own seat only: the other side reports or confirms for itself.")
