"""Tournaments: announced and changed, their life, and how they are shown."""

from services.registration.domain import tournament
from shared.commands.handler import Handler

type TournamentHandler = Handler[tournament.State, tournament.Command, tournament.Event]
