"""What is sent of money that was paid or given back, and of a waiver."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from services.registration.api.forms import in_reach
from services.registration.api.sent import Sent
from shared.rulesets.parts import Currency, Exact, Slug


class Payment(Sent):
    amount: Exact = Field(
        description="Exactly; money that is no whole number as a decimal or a fraction.", examples=[10]
    )
    currency: Currency
    on: Annotated[date, AfterValidator(in_reach)] = Field(
        description="The day on which it was paid, or credited.", examples=["2026-11-10"]
    )
    reference: str = Field(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+$",
        description="Of the bank, or the number of the receipt; never a name. What was recorded under it is not recorded "
        "twice.",
        examples=["VS-2026-17"],
    )
    decision: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        pattern=r"^[a-z0-9-]+$",
        description="Why all the same: a code.",
        examples=[None],
    )


class Ground(Sent):
    ground: Slug = Field(description="One of those for which a fee of the rules is waived.", examples=["host-school"])
