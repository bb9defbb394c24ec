"""What has happened to a plan once it was announced."""

import msgspec

from shared.commands.decider import Fact


class PlanChanged(Fact):
    """This is what is planned from now on."""

    tournament: str
    name: str
    ruleset: msgspec.Raw
    starts_on: str
    first_round: str
    entries_close: str | None
    competition: str | None
    variant: str | None
    override: str | None
    reason: str
    note: str | None  # names the words, which stand beside the log
    clause: str | None


class HallChanged(Fact):
    """It is held in another hall from now on, or in none that is known."""

    tournament: str
    hall: str | None
    room: int | None  # entrants for whom it has room
    reason: str
    note: str | None
    clause: str | None
