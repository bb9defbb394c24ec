"""What every service has: a log, a way to its neighbours, who may do what, and words and secrets beside the log."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import msgspec

from shared.access.grants import Grants
from shared.checkpoints.beside import BesideCheck
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.checkpoints.folder import SigningFolder
from shared.checkpoints.keeper import CheckpointKeeper
from shared.checkpoints.stream import SIGNED_LOG
from shared.checkpoints.witnesses import Witnesses, WitnessesUnreadable, read_addresses
from shared.clock import now
from shared.commands.decider import Decider, untold
from shared.commands.handler import Handler
from shared.commands.personal_facts import PrivateFact
from shared.http.live_streams import LogNotifier, OpenStreams
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.log.trees import TreeFollower, Trees
from shared.lots.drawing import Lots
from shared.lots.heard import LotsHeard
from shared.lots.secrets import Seeds
from shared.lots.stream import LOTS, told
from shared.messaging.broker import Broker
from shared.messaging.decisions import INBOX
from shared.messaging.inbox import Neighbours
from shared.messaging.reactions import Effect, ReceiveAtOnce
from shared.messaging.relay import Relay
from shared.messaging.subjects import SOURCES
from shared.observability.health import Check
from shared.observability.metrics import MetricReading
from shared.observability.spans import Spans
from shared.observability.traced import TracedBroker, TracedStore, traced_batch, traced_effect
from shared.observability.waiting import Waiting, room
from shared.personal.export import PersonalFacts
from shared.personal.names import Names
from shared.personal.notes import Notes
from shared.personal.openings import Openings
from shared.seals.sealer import Sealer
from shared.seals.stream import SEALS
from shared.seals.stream import told as sealed
from shared.settings import ServiceSettings, WrongSettings
from shared.workers import Workers

type Lifespan = Callable[[], AbstractAsyncContextManager[None]]


class Kernel:
    """Made without touching any of it; it works while the app runs that `create_service` makes."""

    def __init__(self, service: str, settings: ServiceSettings) -> None:
        self.service = service
        self.settings = settings
        self.database = database = settings.database
        self.deciders: list[Decider[Any, Any, Any]] = [
            INBOX
        ]  # of all streams of this log; decisions about an inbox come by no handler
        self.spans = (
            Spans(service=service, deployment=settings.deployment, share=settings.traces_share)
            if settings.spans_to
            else None
        )
        self.store = TracedStore(database, self.spans, service=service) if self.spans else PostgresStore(database)
        self.trees = Trees(database)
        self.tree_follower = TreeFollower(trees=self.trees, store=self.store, database=database)
        self.hub = LogNotifier(self.store)
        self.streams = OpenStreams(
            most=settings.streams, most_of_one=settings.streams_of_one, heartbeat=settings.heartbeat, now=now
        )
        self.workers = Workers(most=settings.workers, seconds=settings.worker_seconds, memory=settings.worker_memory)
        self.broker = self._broker(self.spans)
        self.relay = Relay(service=service, store=self.store, broker=self.broker, trees=self.trees, database=database)
        self.grants = Grants(database)
        self.names = Names(database)
        self.notes = Notes(database)
        self.openings = Openings(database)
        self.facts = PersonalFacts(database, self.openings)
        self.seeds = Seeds(database)
        self.sealer = Sealer(
            seals=self.handler(SEALS, sealed), committed=self.store.committed, store=self.store, database=database
        )
        self.lots_heard = LotsHeard(database, service=service)
        self.lots = Lots(handler=self.handler(LOTS, told), seeds=self.seeds, heard=self.lots_heard, service=service)
        self.beside = BesideCheck(database, service=service)
        self.checkpoints = Checkpoints(database)
        self.waiting = Waiting(database)
        self.checkpoint_keeper = self._keeper(settings.signing) if settings.signing else None
        self.witnesses = self._witnesses(settings.witnesses) if settings.witnesses else None

    def _broker(self, spans: Spans | None) -> Broker:
        url, copies = self.settings.nats, self.settings.stream_copies
        if spans:
            return TracedBroker(url, spans, name=self.service, copies=copies)
        return Broker(url, name=self.service, copies=copies)

    def _keeper(self, folder: Path) -> CheckpointKeeper:
        return CheckpointKeeper(
            service=self.service,
            deployment=self.settings.deployment,
            folder=SigningFolder(folder),
            store=self.store,
            trees=self.trees,
            follower=self.tree_follower,
            checkpoints=self.checkpoints,
            history=self.handler(SIGNED_LOG, untold),
            notes=self.notes,
            now=now,
        )

    def _witnesses(self, file: Path) -> Witnesses | None:
        if self.checkpoint_keeper is None:
            return None
        try:
            addresses = read_addresses(file)
        except WitnessesUnreadable as unreadable:
            raise WrongSettings(f"ROUNDLOG_WITNESSES: {unreadable}") from None
        return Witnesses(addresses, keeper=self.checkpoint_keeper, checkpoints=self.checkpoints, trees=self.trees)

    def neighbours(self, effect: Effect, at_once: ReceiveAtOnce | None = None) -> Neighbours:
        """All whom this service hears, and what follows from what they say."""
        if self.spans:
            effect = traced_effect(effect, self.spans, service=self.service)
            at_once = at_once and traced_batch(at_once, self.spans, service=self.service)
        return Neighbours(
            service=self.service,
            sources=SOURCES[self.service],
            database=self.database,
            broker=self.broker,
            effect=effect,
            at_once=at_once,
            appended=self.store.committed,
        )

    def handler[State, Command, Event](
        self,
        decider: Decider[State, Command, Event],
        publish: Callable[[Event], msgspec.Struct | None],
        *,
        remembered: int = 0,
    ) -> Handler[State, Command, Event]:
        """Carries commands to streams of this service's log. `remembered` are bytes of their records."""
        self.deciders.append(decider)
        handler = Handler(
            decider=decider,
            publish=publish,
            store=self.store,
            now=now,
            new_id=new_id,
            service=self.service,
            remembered=remembered,
            openings=self.openings,
        )
        if any(issubclass(event, PrivateFact) for event in decider.events):
            self.openings.remembered_by(handler.forget)
        return handler

    @property
    def parts(self) -> Sequence[Lifespan]:
        return [
            *([self.spans.running] if self.spans else []),
            self.store.running,
            self.trees.running,
            self.tree_follower.running,
            self.hub.running,
            self.broker.running,
            self.relay.running,
            self.grants.running,
            self.names.running,
            self.notes.running,
            self.openings.running,
            self.facts.running,
            self.seeds.running,
            self.checkpoints.running,
            self.waiting.running,
            *([self.checkpoint_keeper.running] if self.checkpoint_keeper else []),
            self.lots_heard.running,
            self.sealer.running,
            self.beside.running,
            *([self.witnesses.running] if self.witnesses else []),
        ]

    @property
    def checks(self) -> Mapping[str, Check]:
        return {
            "database": self.store.head,
            "live": self.hub.check,
            "broker": self.broker.check,
            "relay": self.relay.check,
            "trees": self.tree_follower.check,
            **({"checkpoints": self.checkpoint_keeper.check} if self.checkpoint_keeper else {}),
            "seals": self.sealer.check,
            "beside": self.beside.check,
        }

    def alarms(self) -> Mapping[str, str]:
        """What somebody has to look at, though the service is ready."""
        return self.witnesses.alarms if self.witnesses else {}

    async def readings(self) -> Sequence[MetricReading]:
        """What `/metrics` says besides requests."""
        head, lag, newest = (
            await self.trees.head(),
            await self.trees.lag(self.store, now),
            await self.checkpoints.newest(),
        )
        found = [
            MetricReading(
                name="roundlog_tree_position", says="The last position of the log in its tree.", value=head.position
            ),
            MetricReading(
                name="roundlog_tree_lag_seconds", says="How long the first event waits for the tree.", value=lag
            ),
        ]
        if newest is not None:
            found += [
                MetricReading(
                    name="roundlog_checkpoint_position",
                    says="The last position of the log that is signed.",
                    value=newest.checkpoint.size,
                ),
                MetricReading(
                    name="roundlog_checkpoint_timestamp_seconds",
                    says="When it was signed.",
                    value=newest.at.timestamp(),
                ),
            ]
        found += await self.waiting.readings()
        if self.settings.signing:
            found += room(self.settings.signing)
        for name, size, refusals in self.witnesses.numbers if self.witnesses else ():
            labels = {"witness": name}
            found += [
                MetricReading(
                    name="roundlog_witness_position",
                    says="The last position of the log that a witness has signed since the start.",
                    value=size,
                    labels=labels,
                ),
                MetricReading(
                    name="roundlog_witness_refusals",
                    says="How often a witness has refused to sign since the start.",
                    value=refusals,
                    labels=labels,
                ),
            ]
        return found
