"""What is told at once to those who run a tournament: also how far a round is before it is published.

A draft is for those who may see it. What came of a recall or a repair concerns all who officiate.
"""

from typing import Literal

from msgspec.structs import replace

from services.pairing.api.permissions import SEE_DRAFTS
from services.pairing.domain import round as rounds
from services.pairing.domain.round import ROUND
from shared.http.live_api import LiveEvent, Tell, in_public, told_here
from shared.log.store import Recorded
from shared.values import Value


class RoundNews(Value):
    tournament: str
    stage: str
    round: int
    status: Literal["draft", "confirmed", "published"]
    game: str | None = None  # that had begun, where a recall or a repair failed


def telling() -> Tell:
    in_messages = in_public("pairing")
    of_rounds = f"{ROUND.kind}-"

    async def tell(recorded: Recorded) -> LiveEvent | None:
        if recorded.event.message is not None:
            return await in_messages(recorded)
        return of_round(recorded) if recorded.event.stream.startswith(of_rounds) else None

    return tell


def of_round(recorded: Recorded) -> LiveEvent | None:
    tournament, stage, number = recorded.event.stream.removeprefix(f"{ROUND.kind}-").rsplit(".", 2)
    news = RoundNews(tournament=tournament, stage=stage, round=int(number), status="draft")
    match event := ROUND.read(recorded):
        case rounds.RoundDrafted() | rounds.PairingOverridden():
            return told_here(recorded, news, to=SEE_DRAFTS)
        case rounds.RoundConfirmed():
            return told_here(recorded, replace(news, status="confirmed"), to=SEE_DRAFTS)
        case rounds.RecallFailed() | rounds.RepairFailed():
            return told_here(recorded, replace(news, status="published", game=event.game))
        case (
            rounds.RoundPublished()
            | rounds.RecallAsked()
            | rounds.RoundRecalled()
            | rounds.RepairAsked()
            | rounds.TablesRepaired()
        ):
            return None
