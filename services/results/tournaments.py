"""What results has to know of a tournament: its ruleset, who takes part, and who has left. Heard from registration.

The inbox has it. What was read stays in memory, and once a second what came since is read behind it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec

from services.results.calculate import verdict
from services.results.games.happening import Happening, Verdict
from shared.contracts import decode
from shared.contracts.registration import EntrantAdmitted, EntrantLeft, EntrantReturned, TournamentStarted
from shared.database import Database
from shared.event_store import Unavailable
from shared.remembered import Remembered
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, settings, stage_of

SECONDS = 1.0
REMEMBERED = 300  # tournaments

SOURCE = "registration"
SAID = """
  select number, type, message from inbox.events
  where scope = $1 and source = $2 and number > $3 and lost is null order by number
"""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What registration has said of a tournament, up to a number."""

    number: int = 0
    ruleset: Ruleset | None = None
    entrants: frozenset[str] = frozenset()
    left: Mapping[str, EntrantLeft] = field(default_factory=dict[str, EntrantLeft])

    @cached_property
    def _settings(self) -> dict[str, Settings]:
        return {}

    def taken(self, number: int, event: msgspec.Struct | None) -> "Known":
        match event:
            case TournamentStarted():
                return replace(self, number=number, ruleset=Ruleset.model_validate_json(bytes(event.ruleset)))
            case EntrantAdmitted():
                return replace(self, number=number, entrants=self.entrants | {event.entrant})
            case EntrantLeft():
                return replace(self, number=number, left={**self.left, event.entrant: event})
            case EntrantReturned():
                stayed = {entrant: left for entrant, left in self.left.items() if entrant != event.entrant}
                return replace(self, number=number, left=stayed)
            case _:
                return replace(self, number=number)

    def rules(self) -> Ruleset:
        if self.ruleset is None:
            raise Unavailable("registration has not said yet that this tournament has started")
        return self.ruleset

    def has_stage(self, stage: str) -> bool:
        return stage in {known.id for known in self.rules().stages}

    def settings(self, stage: str) -> Settings:
        if stage not in self._settings:
            self._settings[stage] = settings(self.rules(), stage, size=len(self.entrants))
        return self._settings[stage]

    def adjudicate(self, stage: str, happening: Happening) -> Verdict:
        holds = self.settings(stage)
        return verdict(self.rules(), holds.scoring, holds.results, happening)

    def is_for_officials(self, stage: str, end: str) -> bool:
        """Whether only an official can say that a game ended so."""
        found = self.settings(stage).results.endings.get(end)
        return found is None or found.fault == "official-says"

    def gone(self, stage: str, number: int) -> tuple[str, ...]:
        """Entrants who had left before this round."""
        if not self.left:
            return ()
        order = [known.id for known in self.rules().stages]
        place = order.index(stage_of(self.rules(), stage).id), number
        return tuple(
            entrant
            for entrant, left in self.left.items()
            if (order.index(left.stage) if left.stage in order else 0, left.after_round + 1) <= place
        )


NOTHING = Known()


class Tournaments:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._known: dict[str, Known] = {}
        self._recent = Remembered(self._load, seconds=lambda _: SECONDS)

    async def of(self, tournament: str) -> Known:
        known = await self._recent.of(tournament)
        return known if known.ruleset is not None else await self._recent.now(tournament)

    async def _load(self, tournament: str) -> Known:
        known = self._known.get(tournament, NOTHING)
        rows = await self._database.fetch(SAID, tournament, SOURCE, known.number)
        for number, name, message in rows:
            known = known.taken(number, decode(SOURCE, name, message))
        if known.ruleset is not None:
            self._known.pop(tournament, None)
            self._known[tournament] = known
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]  # the one that nobody has asked for the longest
        return known
