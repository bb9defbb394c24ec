"""The kinds of streams that results writes, each with its handler."""

from services.results.domain import facts, orders, penalties, rounds, states
from shared.handle import Handler

type GameHandler = Handler[states.State, orders.Command, facts.Event]
type RoundHandler = Handler[rounds.State, rounds.Command, rounds.Event]
type PenaltyHandler = Handler[penalties.Penalties, penalties.Command, penalties.Event]
