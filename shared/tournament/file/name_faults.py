"""Who is named in a file outside of its rounds: everybody is there, and nobody twice in one place."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from shared.faults import Fault, at
from shared.tournament.file.shape import RequestedByeForm, TournamentFile


def decision_faults(form: TournamentFile, stages: set[str]) -> Iterator[Fault]:
    for index, decision in enumerate(form.decisions):
        if decision.stage is not None and decision.stage not in stages:
            yield Fault(at("decisions", index, "stage"), f"the file has no stage {decision.stage}")
        names = [name for one in decision.order for name in ([one] if isinstance(one, str) else one)]
        if len(names) != len(set(names)):
            yield Fault(at("decisions", index, "order"), "names somebody twice")
    for index, adjustment in enumerate(form.adjustments):
        if adjustment.stage is not None and adjustment.stage not in stages:
            yield Fault(at("adjustments", index, "stage"), f"the file has no stage {adjustment.stage}")


def next_faults(form: TournamentFile, win: Fraction) -> Iterator[Fault]:
    """Nobody is away from the next round for two reasons, or gets more than a win for it."""
    for index, bye in enumerate(form.next.requested_byes):
        if not 0 <= bye.points <= win:
            yield Fault(at("next", "requested_byes", index, "points"), "should be between 0 and the points of a win")
    seen: set[str] = set()
    absent = [
        *requested(form.next.requested_byes),
        *((at("next", "missing", index), name) for index, name in enumerate(form.next.missing)),
    ]
    for pointer, name in absent:
        if name in seen:
            yield Fault(pointer, f"{name} is named here twice")
        seen.add(name)


def unknown(ids: set[str], names: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    yield from (Fault(pointer, f"there is no entrant {name}") for pointer, name in names if name not in ids)


def names_of(form: TournamentFile) -> Iterator[tuple[str, str]]:
    """Whoever is named outside of the rounds, with the place."""
    for index, ban in enumerate(form.forbidden):
        yield from ((at("forbidden", index, "entrants", which), name) for which, name in enumerate(ban.entrants))
    for index, adjustment in enumerate(form.adjustments):
        yield at("adjustments", index, "entrant"), adjustment.entrant
    yield from ((at("direct", index), name) for index, name in enumerate(form.direct))
    yield from requested(form.next.requested_byes)
    yield from ((at("next", "missing", index), name) for index, name in enumerate(form.next.missing))
    for index, decision in enumerate(form.decisions):
        for which, one in enumerate(decision.order):
            if isinstance(one, str):
                yield at("decisions", index, "order", which), one
            else:
                yield from ((at("decisions", index, "order", which, place), name) for place, name in enumerate(one))


def requested(byes: Sequence[RequestedByeForm]) -> Iterator[tuple[str, str]]:
    yield from ((at("next", "requested_byes", index, "entrant"), bye.entrant) for index, bye in enumerate(byes))
