"""The stream of tournaments with its handler, for whoever reads or writes them."""

from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.facts import Event
from services.registration.domain.tournament.states import AnnouncedTournament, State, known
from shared.commands.handler import Handler

type TournamentHandler = Handler[State, Command, Event]


async def announced(tournaments: TournamentHandler, tournament_id: str) -> AnnouncedTournament:
    """The tournament as it is now; there has to be one."""
    state, _ = await tournaments.load(tournament_id)
    return known(state)
