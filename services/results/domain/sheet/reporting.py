"""How those at the table come to a result: two voices have to agree, and nobody overwrites anybody.

The first report waits. One that is equal, by another voice, makes the result final; one that is not makes a dispute,
in which all is kept. Each voice may replace or withdraw its own report as long as nothing is final. What only the director
decides waits for his word, however many others say it.
"""

from collections.abc import Sequence
from itertools import product

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.disputes import DISPUTED, agree, is_disputed
from services.results.domain.sheet.outcomes import (
    agreed,
    awaits_lot,
    require_at_table,
    require_decisive,
    require_fitting,
    require_needed,
    require_present,
    require_signatures,
    require_start,
)
from services.results.domain.sheet.preparation import require_line_ups
from services.results.domain.sheet.refusals import (
    NothingReported,
    OneForBoth,
    OnlyTheSides,
    OwnReport,
    ReportReplaced,
    ReportsContradict,
    final,
    refused,
)
from services.results.domain.sheet.states import (
    Disputed,
    Final,
    GameTerms,
    GivenReport,
    Open,
    Pending,
    Postponed,
    Recalled,
    Reported,
    Sheet,
    SheetObjection,
    Speaker,
    Started,
    State,
    UnknownSheet,
    Voided,
    merged,
    objections_of,
    reports_of,
    status,
)

ENOUGH = 2  # voices
CONTRADICTING = "The reports contradict each other: replace your own, or let an arbiter or the director decide."
OWN_TO_CONFIRM = "This is your own report: the other side, or another official, has to confirm it."
OWN_TO_DISPUTE = "This is your own report: withdraw it, or report anew."
NONE_TO_WITHDRAW = "None of the reports is yours: object to it, or report the game yourself."


def report(state: State, command: orders.ReportResult) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            require_fitting(state.sheet, command.result)
            if agree(state.result, command.result):
                return []
            raise final(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            require_fitting(state.sheet, command.result)
            require_needed(command.terms)
            require_signatures(state.sheet, command)
            require_present(state.sheet, command.result, command.gone)
            require_start(state.sheet, command.result.first, command.terms)
            require_decisive(state.sheet, command.result, command.terms)
            require_line_ups(state.sheet, first=command.terms.line_ups_first and not command.result.by)
            return speak(state, command)


def speak(state: Open, command: orders.ReportResult) -> list[facts.Event]:
    own = GivenReport(
        number=state.said + 1,
        by=command.by,
        result=command.result,
        signed_by=command.signed_by,
        details=command.details,
        unplayed=command.unplayed,
    )
    reports = reports_of(state)
    if any(says_the_same(stands, own) for stands in reports):
        return []
    standing = (*others(reports, own.by), own)
    disputed = is_disputed(standing, objections_after(state, own.by))
    said = facts.ResultReported(game=state.sheet.game, report=own, then=DISPUTED if disputed else "reported")
    if disputed:
        return [said]
    if not (how := settled_by(state.sheet, standing, command.terms)):
        require_several(state.sheet, standing, command.terms)
        return [said]
    return [said, agreed(state, merged(standing), how=how)]


def settled_by(sheet: Sheet, standing: Sequence[GivenReport], terms: GameTerms) -> str | None:
    """How reports that agree have made a result final, if they have."""
    if not standing or awaits_lot(merged(standing), terms):
        return None
    if is_for_director(standing, terms):
        return "reports" if any(said.by.directs for said in standing) else None
    if is_signed(sheet, standing):
        return "signed"
    match terms.confirmed_by:
        case "both-sides":
            enough = len(standing) >= ENOUGH
        case "each-side":
            enough = rest_on_several(words_needed(sheet, standing, terms))
        case "official":
            enough = len(of_officials(standing)) >= ENOUGH or rest_on_several(words_needed(sheet, standing, terms))
    return "reports" if enough else None


def is_for_director(standing: Sequence[GivenReport], terms: GameTerms) -> bool:
    return standing[0].result.end in terms.for_director


def is_signed(sheet: Sheet, standing: Sequence[GivenReport]) -> bool:
    """Whether an official has entered a slip that all sides have signed."""
    seats = set(range(len(sheet.seats)))
    return seats in [set(said.signed_by) for said in of_officials(standing)]


def of_officials(standing: Sequence[GivenReport]) -> list[GivenReport]:
    return [said for said in standing if said.by.entrant is None]


def words_needed(sheet: Sheet, standing: Sequence[GivenReport], terms: GameTerms) -> list[list[str | None]]:
    """Who answers for each word that the rules need: that of each side, and where they say so that of an official.

    For a captain that is whoever gave them their token and could not decide the result themselves; otherwise nobody
    but the captain.
    """
    officials = of_officials(standing)
    sides: list[list[str | None]] = [
        [said.by.vouched_by for said in standing if said.by.entrant == entrant]
        + [said.by.person for said in officials if seat in said.signed_by]
        for seat, entrant in enumerate(sheet.seats)
    ]
    return [*sides, [said.by.person for said in officials]] if terms.confirmed_by == "official" else sides


def rest_on_several(words: Sequence[Sequence[str | None]]) -> bool:
    """Whether there is a word of everybody, and not all of them are one person's."""
    return any(None in chosen or len(set(chosen)) > 1 for chosen in product(*words))


def require_several(sheet: Sheet, standing: Sequence[GivenReport], terms: GameTerms) -> None:
    """Where each side has to stand for itself, one scorer with two tokens is not two sides."""
    if terms.confirmed_by == "both-sides" or is_for_director(standing, terms):
        return
    words = words_needed(sheet, standing, terms)
    if is_signed(sheet, standing) or not all(words) or rest_on_several(words):
        return
    raise OneForBoth(
        "Both sides would rest on one official, who cannot decide the result: let another official issue one of the "
        "tokens, enter the slip that both have signed, or let an arbiter or the director decide."
    )


def withdraw(state: State, command: orders.WithdrawReport) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
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
            left, objections = others(state.reports, command.by), objections_after(state, command.by)
            disputed = is_disputed(left, objections)
            withdrawn = facts.ReportWithdrawn(
                game=state.sheet.game,
                number=own.number,
                by=command.by,
                then=DISPUTED if disputed else "reported" if left else status(state.put_off or state.before),
            )
            if not disputed and (how := settled_by(state.sheet, left, command.terms)):
                return [withdrawn, agreed(state, merged(left), how=how)]
            return [withdrawn]


def confirm(state: State, command: orders.ConfirmResult) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            return []
        case Pending() | Started() | Postponed():
            raise NothingReported("Nobody has reported this game yet: report it yourself.")
        case Reported() | Disputed():
            require_at_table(state.sheet, command.by)
            require_needed(command.terms)
            if command.terms.confirmed_by == "each-side" and command.by.entrant is None:
                raise OnlyTheSides(
                    "Each side confirms for itself: enter the sheet with both signatures, or let an arbiter or the director "
                    "decide."
                )
            if is_disputed(state.reports, objections_of_others(state, command.by)):
                raise ReportsContradict(CONTRADICTING)
            return stand_by(state, command)


def stand_by(state: Reported | Disputed, command: orders.ConfirmResult) -> list[facts.Event]:
    """To confirm is to report the same. Where that is not enough to make it final it is kept as such a report."""
    theirs = others(state.reports, command.by)
    if not theirs:
        raise OwnReport(OWN_TO_CONFIRM)
    seen = next((said for said in theirs if said.number == command.number), None)
    if seen is None:
        stands = ", ".join(str(said.number) for said in theirs)
        raise ReportReplaced(f"What stands now is report {stands}: look at it before you confirm it.")
    own = GivenReport(number=state.said + 1, by=command.by, result=seen.result)
    standing = (*theirs, own)
    if settled_by(state.sheet, standing, command.terms):
        return [agreed(state, merged(standing), how="confirmed", confirmed_by=command.by)]
    require_several(state.sheet, standing, command.terms)
    if len(theirs) < len(state.reports):
        return []
    return [facts.ResultReported(game=state.sheet.game, report=own, then="reported")]


def dispute(state: State, command: orders.DisputeResult) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            raise final(state)
        case Pending() | Started() | Postponed():
            raise NothingReported("Nobody has reported this game yet: there is nothing to object to.")
        case Reported() | Disputed():
            require_at_table(state.sheet, command.by)
            if all(is_same(said.by, command.by) for said in state.reports):
                raise OwnReport(OWN_TO_DISPUTE)
            spoken = {said.by.voice for said in state.reports} | {said.voice for said in objections_of(state)}
            if command.by.voice in spoken:
                return []
            return [facts.ResultDisputed(game=state.sheet.game, by=command.by, reason=command.reason)]


def out_of_place(state: Reported | Disputed, speaker: Speaker) -> dict[str, str]:
    """Which of the acts on what was said are not for whoever speaks, and why."""
    theirs = others(state.reports, speaker)
    found: dict[str, str] = {}
    if not theirs:
        found |= {"confirmResult": OWN_TO_CONFIRM, "disputeResult": OWN_TO_DISPUTE}
    elif is_disputed(state.reports, objections_of_others(state, speaker)):
        found["confirmResult"] = CONTRADICTING
    if len(theirs) == len(state.reports):
        found["withdrawReport"] = NONE_TO_WITHDRAW
    return found


def is_same(one: Speaker, other: Speaker) -> bool:
    """Whoever acts in two roles is still one, and so are all who speak for one entrant."""
    return one.person == other.person or one.voice == other.voice


def others(reports: Sequence[GivenReport], speaker: Speaker) -> tuple[GivenReport, ...]:
    return tuple([said for said in reports if not is_same(said.by, speaker)]) if reports else ()


def says_the_same(stands: GivenReport, own: GivenReport) -> bool:
    same = (stands.result, stands.signed_by, stands.details) == (own.result, own.signed_by, own.details)
    return same and is_same(stands.by, own.by)


def objections_of_others(state: Open, speaker: Speaker) -> tuple[SheetObjection, ...]:
    return tuple(no for no in objections_of(state) if speaker.person != no.person and speaker.voice != no.voice)


def objections_after(state: Open, speaker: Speaker) -> tuple[SheetObjection, ...]:
    """Those left when somebody reports or takes a report back: his own is answered, and so is one of which no report stands any
    more that it was against."""
    left = {said.number for said in others(reports_of(state), speaker)}
    return tuple(no for no in objections_of_others(state, speaker) if not left.isdisjoint(no.against))
