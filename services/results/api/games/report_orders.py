"""What somebody says of a game becomes an order: judged by the rules of the tournament, with what the sheet needs."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from services.results.api.context import Context, RequestedGame
from services.results.api.games.bodies import ToReport, ToSay
from services.results.api.permissions import NoResult, directs, require_entitled, speaker
from services.results.domain.sheet import orders, states
from services.results.games.adjudication import AnyAccount, require_own
from services.results.games.verdict import Outcome, UndecidedGame, unfit
from shared.faults import Faulty
from shared.http.authorization import Act
from shared.numbers import stored
from shared.rulesets.play import AsBye
from shared.rulesets.schema import Game
from shared.values import Value

END_REASON = "/end_reason"  # where a report says what an account calls `reason`
HIDDEN = AnyAccount.model_fields.keys() - {"end", "scores", "points", "by", "draw_wins"}


class Judged(Value):
    """What follows by the rules from what was said."""

    result: states.Result
    gone: tuple[str, ...]
    terms: states.GameTerms
    said: Mapping[str, Any]

    def ordered[Order: (orders.DecideResult, orders.CorrectResult)](
        self, kind: type[Order], act: Act, note: str | None = None
    ) -> Order:
        """The order of an official."""
        return kind(
            by=act.origin.actor,
            result=self.result,
            reason=note or "",
            gone=self.gone,
            said=self.said,
            directs=directs(act.asker, act.asker.scope),
            terms=self.terms,
        )


async def judged(context: Context, game: RequestedGame, said: ToSay, act: Act) -> Judged:
    require_entitled(game.known, game.place.stage, said.end, act)
    require_of_game(game.known.rules().game, said)
    require_opponent(game, said)
    account = said.as_account()
    outcome = adjudicated(game, account)
    if isinstance(outcome, UndecidedGame):
        raise NoResult(outcome.detail)
    draw_wins = None
    if said.draw_wins is not None:
        draw_wins = (await context.sheet(game.id)).sheet.seats[said.draw_wins]
    result = states.Result(
        scores=tuple(map(stored, outcome.scores)),
        points=tuple(map(stored, outcome.points)),
        end=outcome.end,
        by=outcome.by,
        first=said.first,
        deciding=said.deciding,
        draw_wins=draw_wins,
        unmoved=said.unmoved,
        end_reason=outcome.reason,
    )
    return Judged(
        result=result,
        gone=game.known.gone(game.place.stage, game.place.round),
        terms=await context.terms(game),
        said=hidden(account, outcome.scores),
    )


def require_of_game(game: Game, said: ToSay) -> None:
    if said.family not in {None, game}:
        raise unfit(
            "/family", f"is {said.family}, but here {game} is played: say it of that game, or leave `family` out"
        )
    require_own(game, said)


def require_opponent(game: RequestedGame, said: ToSay) -> None:
    """A bye has no table at which it could be reported."""
    results = game.known.settings(game.place.stage).results
    found = results.endings.get(said.end)
    if found is None or not isinstance(found.scores, AsBye):
        return
    away = f": of who did not come say `{results.when_away}`" if results.when_away in results.endings else ""
    rule = "" if found.rule_id is None else f" ({found.rule_id})"
    raise unfit("/end", f"is for whom the pairing leaves without an opponent, and at no table{rule}{away}")


def adjudicated(game: RequestedGame, account: AnyAccount) -> Outcome:
    """Faults point to the names that a report has."""
    try:
        return game.known.adjudicate(game.place.stage, account)
    except Faulty as faulty:
        faulty.faults = tuple(
            replace(fault, pointer=END_REASON) if fault.pointer == "/reason" else fault for fault in faulty.faults
        )
        raise


async def reported(context: Context, game: RequestedGame, said: ToReport, act: Act) -> orders.ReportResult:
    """The report of somebody, with all that follows from it."""
    found = await judged(context, game, said, act)
    return orders.ReportResult(
        by=speaker(act),
        result=found.result,
        signed_by=said.signed_by,
        details=details(said, found),
        gone=found.gone,
        terms=found.terms,
    )


def details(said: ToReport, found: Judged) -> states.Details:
    """What else stands on the sheet."""
    if not (said.flags or said.highest_turn or said.bingos or found.said):
        return states.NO_DETAILS
    best = said.highest_turn
    return states.Details(
        flags=said.flags or (said.finish.clock_over if said.finish else ()),
        highest_turn=states.ScoredTurn(seat=best.seat, points=best.points) if best else None,
        bingos=tuple(states.ScoredTurn(seat=one.seat, points=one.points) for one in said.bingos),
        said=found.said,
    )


def hidden(account: AnyAccount, scores: tuple[Fraction, ...]) -> dict[str, Any]:
    """What was said and cannot be seen in the result, such as boards, or what stood there before it was counted."""
    kept = account.model_fields_set & HIDDEN
    if account.scores is not None and account.scores != scores:
        kept = kept | {"scores"}
    return account.model_dump(mode="json", include=kept, exclude_none=True) if kept else {}
