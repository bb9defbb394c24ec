"""What standings tells its neighbours."""

import msgspec

from shared.changed import Cause, Moved


class TieSettled(msgspec.Struct, frozen=True, kw_only=True):
    """Entrants that all criteria leave equal have an order, by a lot or a duel; inside an inner list they stay equal."""

    tournament: str
    stage: str
    kind: str  # lot or duel
    order: tuple[tuple[str, ...], ...]


class StageClosed(msgspec.Struct, frozen=True, kw_only=True):
    """The order of a stage is decided."""

    tournament: str
    stage: str
    order: tuple[tuple[str, ...], ...]  # place by place, and group by group where there are groups
    rests_on: str  # the inputs
    groups: tuple[str, ...] = ()  # of each of these places, whose it is


class StageShortened(msgspec.Struct, frozen=True, kw_only=True):
    """A stage has only so many rounds, whatever the rules planned."""

    tournament: str
    stage: str
    rounds: int


class TableChanged(msgspec.Struct, frozen=True, kw_only=True):
    """A correction has changed the table that a stage had after its last complete round, and that people had read."""

    tournament: str
    stage: str
    round: int
    was_closed: bool
    before: str  # the inputs of the one table
    after: str  # and of the other
    causes: tuple[Cause, ...]
    moved: tuple[Moved, ...]


class LotSeedCommitted(msgspec.Struct, frozen=True, kw_only=True):
    """The secret from which all lots of a tournament follow exists; this is its SHA-256."""

    tournament: str
    commitment: str


class LotDrawn(msgspec.Struct, frozen=True, kw_only=True):
    """A lot put these in this order; it is recomputed from the purpose, them and the seed."""

    tournament: str
    purpose: str
    order: tuple[str, ...]


class LotSeedRevealed(msgspec.Struct, frozen=True, kw_only=True):
    """The secret, so that everybody can check every lot."""

    tournament: str
    seed: str  # hexadecimal
