"""Penalties and warnings as they are shown."""

from collections.abc import Mapping

from msgspec.structs import asdict

from services.results.api.penalties.bodies import Penalties, Penalty, Removal, Warned
from services.results.api.permissions import PENALTY_ACTIONS, why_no_penalty
from services.results.domain import penalties
from shared.access.asker import Asker
from shared.http.responses import action
from shared.numbers import exact, shown
from shared.rulesets.play import Results


def warned(state: penalties.PenaltiesState, entrants: set[str]) -> list[str]:
    """Earlier warnings, which a harder decision may rest on."""
    return [
        f"Round {one.round} of {one.stage}: a warning{f' by {one.clause}' if one.clause else ''} to {one.entrant}."
        for one in state.warnings
        if one.entrant in entrants
    ]


def penalties_shown(
    state: penalties.PenaltiesState,
    asker: Asker,
    tournament: str,
    rules: Results | None,
    words: Mapping[str, str] | None = None,
) -> Penalties:
    return Penalties(
        warnings=[Warned(id=one.warning, **asdict(one)) for one in state.warnings],
        penalties=[
            Penalty(
                id=name,
                entrant=one.entrant,
                stage=one.stage,
                round=one.round,
                points=shown(exact(one.points)),
                lifted=name in state.lifted,
            )
            for name, one in state.imposed.items()
        ],
        persons_expelled=sorted(state.persons),
        expelled=sorted(state.by_defaults | state.disqualified),
        removals=[
            Removal(
                id=name,
                over=name in state.let_in,
                words=words.get(one.reason) if words else None,
                **asdict(one),
            )
            for name, one in state.removals.items()
        ],
        allowed_actions={
            name: action(why_no_penalty(rules, penalty, asker, tournament)) for name, penalty in PENALTY_ACTIONS.items()
        },
    )
