"""What is paid for an entry, given back, and waived."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Response

from services.registration.api import money_forms
from services.registration.api.entry_forms import EntrySheet
from services.registration.api.forms import EntrantId, TournamentId
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    RequestWaiver,
)
from services.registration.domain.tournament.states import AnnouncedTournament, Plan
from services.registration.eligibility.deadlines import is_late_payment
from shared.http.door import Act
from shared.http.orders import CHANGED
from shared.numbers import stored

type ToEntry = Callable[[str, str, Command, Act], Awaitable[Response]]
type Waiving = RequestWaiver | GrantWaiver | RefuseWaiver


def payment(entrant: str, body: money_forms.Payment, plan: Plan) -> RecordPayment:
    return RecordPayment(
        entrant=entrant,
        amount=stored(body.amount),
        currency=body.currency,
        on=body.on.isoformat(),
        reference=body.reference,
        is_late=is_late_payment(plan.ruleset, date.fromisoformat(plan.starts_on), body.on),
        decision=body.decision,
    )


def operations(
    router: APIRouter, to_entry: ToEntry, state_of: Callable[[str], Awaitable[AnnouncedTournament]], organised: object
) -> None:
    @router.post(
        "/entrants/{entrant_id}/payments",
        summary="Record a payment",
        description="All that is due by the fee of that day, in one of its currencies. Less is refused.",
        operation_id="recordPayment",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def pay(
        tournament_id: TournamentId, entrant_id: EntrantId, body: money_forms.Payment, act: Annotated[Act, organised]
    ) -> Response:
        order = payment(entrant_id, body, (await state_of(tournament_id)).plan)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/refunds",
        summary="Record that money was given back",
        description="To who has withdrawn in time; to others by a decision.",
        operation_id="recordRefund",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def give_back(
        tournament_id: TournamentId, entrant_id: EntrantId, body: money_forms.Payment, act: Annotated[Act, organised]
    ) -> Response:
        order = RecordRefund(
            entrant=entrant_id,
            amount=stored(body.amount),
            currency=body.currency,
            on=body.on.isoformat(),
            reference=body.reference,
            decision=body.decision,
        )
        return await to_entry(tournament_id, entrant_id, order, act)

    def about_waiver(path: str, operation: str, order: type[Waiving], summary: str, description: str) -> None:
        @router.post(
            f"/entrants/{{entrant_id}}/waivers/{path}",
            summary=summary,
            description=description,
            operation_id=operation,
            response_model=EntrySheet,
            responses=CHANGED,
        )
        async def waive(
            tournament_id: TournamentId,
            entrant_id: EntrantId,
            body: money_forms.Ground,
            act: Annotated[Act, organised],
        ) -> Response:
            return await to_entry(tournament_id, entrant_id, order(entrant=entrant_id, ground=body.ground), act)

    about_waiver(
        *("request", "requestWaiver", RequestWaiver, "Ask for a waiver of the fee"),
        "On one of the grounds that the rules name.",
    )
    about_waiver(
        *("grant", "grantWaiver", GrantWaiver, "Grant a waiver"),
        "Where it was asked for. The log keeps who granted it, and when.",
    )
    about_waiver(
        *("refuse", "refuseWaiver", RefuseWaiver, "Refuse a waiver"),
        "Also one that was granted by mistake: the fee is due again.",
    )
