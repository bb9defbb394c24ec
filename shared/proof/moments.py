"""When a log signs a checkpoint: once a minute while it grows, and at once behind what others rest on from then on.

Every checkpoint is kept, and each costs a signature, a file written to disk and a request to every witness: so a busy log
does not sign after each act, and a quiet one does not sign what it has signed before.
"""

from collections.abc import Iterable

from shared.values import Value

EVERY = 60.0  # seconds between two checkpoints of a log that grows
SOONEST = 1.0  # seconds between two of them, whatever happens

# Whoever has seen one of these acts on it: enters, sits down to play, goes home with a prize, counts on a lot.
DECISIVE = frozenset(
    {
        "TournamentAnnounced",
        "TournamentStarted",
        "LotSeedCommitted",
        "LotsOpened",
        "RoundPublished",
        "RoundRecalled",  # and what was published before counts no more
        "TablesRepaired",
        "RoundCompleted",
        "RoundReopened",
        "StageClosed",
        "QualificationPublished",
        "RatingListPublished",
        "SeasonTablePublished",
        "TournamentCompleted",
        "TournamentCancelled",
        "LotSeedRevealed",
        "ScopeSealed",  # with it a log is proved to be whole
        "OfficialAppointed",  # and what they do next rests on it
        "OfficialDismissed",
        "CaptainTokenIssued",
        "PersonLinked",
        "HomeLinked",
    }
)


class LastSigned(Value):
    size: int
    at: float  # seconds, of a clock that never goes back


def next_moment(last: LastSigned | None, *, size: int, is_decisive: bool, now: float) -> float | None:
    """When to sign a log of this size, with or without something decisive behind the last checkpoint; never for nothing new."""
    if last is None:
        return now
    if size == last.size:
        return None
    return max(now, last.at + (SOONEST if is_decisive else EVERY))


def decides(types: Iterable[str]) -> bool:
    """Whether one of the events, by their types, is to be signed at once."""
    return not DECISIVE.isdisjoint(types)
