"""Tournaments: announced and changed, their life, and how they are shown."""

from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.facts import Event
from services.registration.domain.tournament.states import State
from shared.commands.handler import Handler

type TournamentHandler = Handler[State, Command, Event]
