"""What callers see of a score sheet, each what they may."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from services.results.domain import report as domain
from services.results.domain.refusals import refused
from services.results.domain.states import (
    Closed,
    Disputed,
    Final,
    Known,
    Pending,
    Postponed,
    Reported,
    Started,
    State,
    Unknown,
    Voided,
    reports_of,
    status,
)
from shared.act import Asker
from shared.answers import action
from shared.exact import Number, exact, shown
from shared.policy import Policy, roles
from shared.roles import Role

OFFICIALS = (Role.ARBITER, Role.DIRECTOR)
TELL = roles(Role.SCORER, *OFFICIALS, scope="game_id", captains=True)
RULE = roles(*OFFICIALS, scope="game_id")

OPEN = frozenset({"pending", "started", "postponed", "reported", "disputed"})
UNREPORTED = frozenset({"pending", "started", "postponed"})
SPOKEN = frozenset({"reported", "disputed"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Doable:
    policy: Policy
    when: frozenset[str]  # of these status words
    otherwise: str


ACTIONS: Mapping[str, Doable] = {
    "startGame": Doable(
        policy=TELL, when=frozenset({"pending", "started"}), otherwise="It is not waiting to be started."
    ),
    "reportResult": Doable(
        policy=TELL, when=OPEN, otherwise="It takes no reports: an official corrects it or orders a replay."
    ),
    "withdrawReport": Doable(policy=TELL, when=SPOKEN, otherwise="There is no report that could be withdrawn."),
    "confirmResult": Doable(policy=TELL, when=SPOKEN, otherwise="There is no report that waits for a confirmation."),
    "disputeResult": Doable(policy=TELL, when=SPOKEN, otherwise="There is no report to object to."),
    "decideResult": Doable(policy=RULE, when=OPEN, otherwise="It is decided: correct it, or order a replay."),
    "correctResult": Doable(policy=RULE, when=frozenset({"final"}), otherwise="It has no final result: decide it."),
    "postponeGame": Doable(policy=RULE, when=UNREPORTED, otherwise="It was reported already, or is over."),
    "resumeGame": Doable(policy=RULE, when=frozenset({"postponed"}), otherwise="It is not postponed."),
    "voidGame": Doable(
        policy=RULE, when=OPEN | {"final", "voided"}, otherwise="Its round was recalled: there is nothing to void."
    ),
}


def require_known(state: State) -> Known:
    if isinstance(state, Unknown):
        raise refused(state)
    return state


def sheet(state: State, asker: Asker) -> bytes:
    """A `forms.Game` as JSON. It is what results answers most, so it is put together without a model in between."""
    known = require_known(state)
    game = known.sheet
    foreign = captain_elsewhere(known, asker)
    why_not_tell = foreign or asker.why_not(TELL, game.tournament)
    why_not_rule = foreign or asker.why_not(RULE, game.tournament)
    sees = why_not_tell is None
    return msgspec.json.encode(
        {
            "id": game.game,
            "tournament": game.tournament,
            "stage": game.stage,
            "round": game.round,
            "table": game.table,
            "seats": game.seats,
            "first": game.first,
            "status": status(known),
            "postponed_until": known.until if isinstance(known, Postponed) else None,
            "result": result(known.result) if isinstance(known, Final) else None,
            "reports": [report(said) for said in reports_of(known)] if sees else None,
            "objections": objections(known) if sees else None,
            "allowed_actions": actions(status(known), why_not_tell, why_not_rule),
        }
    )


@lru_cache(maxsize=256)
def actions(word: str, why_not_tell: str | None, why_not_rule: str | None) -> msgspec.Raw:
    """There are not many ways in which they can look."""
    why_not = {TELL: why_not_tell, RULE: why_not_rule}
    return msgspec.Raw(
        msgspec.json.encode(
            [
                action(name, why_not[one.policy] or (None if word in one.when else one.otherwise)).model_dump()
                for name, one in ACTIONS.items()
            ]
        )
    )


def captain_elsewhere(state: Known, asker: Asker) -> str | None:
    captain = asker.caller and asker.caller.captain
    if captain is None or captain.entrant in state.sheet.seats:
        return None
    return "Your entrant does not play at this table: look for your own game in the list."


def objections(state: Known) -> int:
    match state:
        case Disputed():
            return len(state.objections)
        case Pending() | Started() | Postponed() | Reported() | Final() | Voided() | Closed():
            return 0


def result(of: domain.Result) -> dict[str, object]:
    """A `forms.Result`."""
    return {
        "scores": [number(score) for score in of.scores],
        "points": [number(point) for point in of.points],
        "end": of.end,
        "by": of.by,
        "first": of.first,
    }


def report(of: domain.Report) -> dict[str, object]:
    """A `forms.Report`."""
    details = of.details
    return {
        "number": of.number,
        "by": of.by.person,
        "entrant": of.by.entrant,
        "result": result(of.result),
        "signed_by": of.signed_by,
        "flags": details.flags,
        "highest_turn": details.highest_turn,
        "bingos": details.bingos,
    }


def number(stored: Number) -> int | float:
    return stored if isinstance(stored, int) else shown(exact(stored))
