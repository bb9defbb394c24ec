"""Protests and public votes as they are shown."""

from collections.abc import Mapping

from msgspec.structs import asdict

from services.results.api.permissions import PROTEST_ACTIONS
from services.results.api.protests.bodies import Member, Protest, Protests, PublicVote
from services.results.domain import protests
from shared.access.asker import Asker
from shared.http.responses import action


def upheld(state: protests.ProtestsState, name: str) -> bool | None:
    if name in state.votes:
        return state.votes[name].carried
    decided = state.protests[name].decided
    return decided and decided.upheld


def notes(state: protests.ProtestsState) -> list[str]:
    filed = [one.filed.reason for one in state.protests.values()]
    decided = [one.decided.reason for one in state.protests.values() if one.decided]
    return [*filed, *decided, *(vote.question for vote in state.votes.values())]


def protests_shown(state: protests.ProtestsState, words: Mapping[str, str], asker: Asker) -> Protests:
    return Protests(
        protests=[
            Protest(
                id=name,
                entrant=one.filed.entrant,
                game=one.filed.game,
                words=words.get(one.filed.reason),
                council=None if one.decided is None else [Member(**asdict(vote)) for vote in one.decided.council],
                upheld=one.decided and one.decided.upheld,
                decision=words.get(one.decided.reason) if one.decided else None,
            )
            for name, one in state.protests.items()
        ],
        votes=[
            PublicVote.model_validate({**asdict(vote), "id": name, "question": words.get(vote.question)})
            for name, vote in state.votes.items()
        ],
        allowed_actions={name: action(asker.why_not(policy, asker.scope)) for name, policy in PROTEST_ACTIONS.items()},
    )
