"""The kinds of streams that results writes, each with its handler."""

from services.results.domain import bindings, editions, incidents, objections, penalties, protests, records, rounds
from services.results.domain import penalties as imposing
from services.results.domain.sheet import facts, orders, states
from shared.commands.handler import Handler

type GameHandler = Handler[states.State, orders.Command, facts.Event]
type RoundHandler = Handler[rounds.State, rounds.Command, rounds.Event]
type PenaltyHandler = Handler[penalties.PenaltiesState, imposing.Command, imposing.Event]
type EditionHandler = Handler[editions.EditionsState, editions.Command, editions.Event]
type BindingHandler = Handler[bindings.State, bindings.Command, bindings.Event]
type ProtestHandler = Handler[protests.ProtestsState, protests.Command, protests.Event]
type RecordHandler = Handler[records.State, records.Command, records.Event]
type IncidentHandler = Handler[incidents.IncidentsState, incidents.NoteIncident, incidents.Event]
type ObjectionHandler = Handler[objections.ObjectionsState, objections.RuleObjection, objections.Event]
