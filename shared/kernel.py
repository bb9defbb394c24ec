"""What every service has: a log, a way to its neighbours, who may do what, and words and secrets beside the log."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

import msgspec

from shared.access.grants import Grants
from shared.clock import now
from shared.commands.decider import Decider
from shared.commands.handler import Handler
from shared.http.live_streams import LogNotifier, OpenStreams
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.lots.drawing import Lots
from shared.lots.heard import LotsHeard
from shared.lots.secrets import Seeds
from shared.lots.stream import LOTS, told
from shared.messaging.broker import Broker
from shared.messaging.relay import Relay
from shared.observability.health import Check
from shared.personal.export import PersonalFacts
from shared.personal.names import Names
from shared.personal.notes import Notes
from shared.seals.sealer import Sealer
from shared.seals.stream import SEALS
from shared.seals.stream import told as sealed
from shared.settings import ServiceSettings
from shared.workers import Workers

type Lifespan = Callable[[], AbstractAsyncContextManager[None]]


class Kernel:
    """Made without touching any of it; it works while the app runs that `create_service` makes."""

    def __init__(self, service: str, settings: ServiceSettings) -> None:
        self.service = service
        self.settings = settings
        self.database = database = settings.database
        self.store = PostgresStore(database)
        self.hub = LogNotifier(self.store)
        self.streams = OpenStreams(
            most=settings.streams, most_of_one=settings.streams_of_one, heartbeat=settings.heartbeat, now=now
        )
        self.workers = Workers(most=settings.workers, seconds=settings.worker_seconds, memory=settings.worker_memory)
        self.broker = Broker(settings.nats, name=service)
        self.relay = Relay(service=service, store=self.store, broker=self.broker, database=database)
        self.grants = Grants(database)
        self.names = Names(database)
        self.notes = Notes(database)
        self.facts = PersonalFacts(database)
        self.seeds = Seeds(database)
        self.sealer = Sealer(
            seals=self.handler(SEALS, sealed), committed=self.store.committed, store=self.store, database=database
        )
        self.lots_heard = LotsHeard(database, service=service)
        self.lots = Lots(handler=self.handler(LOTS, told), seeds=self.seeds, heard=self.lots_heard, service=service)

    def handler[State, Command, Event](
        self,
        decider: Decider[State, Command, Event],
        publish: Callable[[Event], msgspec.Struct | None],
        *,
        remembered: int = 0,
    ) -> Handler[State, Command, Event]:
        """Carries commands to streams of this service's log. `remembered` are bytes of their records."""
        return Handler(
            decider=decider,
            publish=publish,
            store=self.store,
            now=now,
            new_id=new_id,
            service=self.service,
            remembered=remembered,
        )

    @property
    def parts(self) -> Sequence[Lifespan]:
        return [
            self.store.running,
            self.hub.running,
            self.broker.running,
            self.relay.running,
            self.grants.running,
            self.names.running,
            self.notes.running,
            self.facts.running,
            self.seeds.running,
            self.lots_heard.running,
            self.sealer.running,
        ]

    @property
    def checks(self) -> Mapping[str, Check]:
        return {
            "database": self.store.head,
            "live": self.hub.check,
            "broker": self.broker.check,
            "relay": self.relay.check,
            "seals": self.sealer.check,
        }
