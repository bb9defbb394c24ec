"""The kinds of streams that results writes, each with its handler."""

from services.results.domain import bindings, editions, facts, imposing, orders, penalties, protests, rounds, states
from shared.handle import Handler

type GameHandler = Handler[states.State, orders.Command, facts.Event]
type RoundHandler = Handler[rounds.State, rounds.Command, rounds.Event]
type PenaltyHandler = Handler[penalties.Penalties, imposing.Command, imposing.Event]
type EditionHandler = Handler[editions.Editions, editions.Command, editions.Event]
type BindingHandler = Handler[bindings.State, bindings.Command, bindings.Event]
type ProtestHandler = Handler[protests.Protests, protests.Command, protests.Event]
