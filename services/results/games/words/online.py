"""Online the platform decides, and where it offers a rejection the opponent does (SK.X-6)."""

from typing import Literal

from services.results.games.verdict import unfit

type Server = Literal["accepts", "refuses", "offers-rejection"]


def check(server: Server, *, rejected: bool | None = None) -> Literal["valid", "invalid"]:
    """`rejected` is what the opponent says where he is asked."""
    match server:
        case "accepts":
            return "valid"
        case "refuses":
            return "invalid"
        case "offers-rejection":
            if rejected is None:
                raise unfit("/rejected", "is missing: the server leaves it to the opponent (SK.X-6)")
            return "invalid" if rejected else "valid"
