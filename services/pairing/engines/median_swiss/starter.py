"""Who starts: criteria a to g of clause 6.7. The first that separates the two decides.

A match counts whatever round it was in: what is skipped is a bye, and a match that was forfeited before its first duel.
"""

from collections.abc import Mapping
from typing import Literal

from services.pairing.engines.explaining import times
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.history import starter_of
from shared.values import Value

type StarterCriterion = Literal["a", "b", "c", "d", "e", "f", "g", "lot"]


class StarterSide(Value):
    """One of a pair. `started` are its matches, oldest first."""

    id: str
    number: int  # 1 is the best start number
    started: tuple[bool, ...] = ()

    @property
    def starts(self) -> int:
        return self.started.count(True)

    @property
    def others(self) -> int:
        """How often it was the non-starter."""
        return self.started.count(False)


class Starter(Value):
    first: str
    criterion: StarterCriterion
    why: str


class StarterReading(Value):
    """How the text is read where it can be read in two ways."""

    history: Literal["literal", "alternate"] = "literal"
    higher: Literal["better", "worse"] = "better"


def reading_of(field: Field) -> StarterReading:
    pairing = field.settings.pairing
    return StarterReading(history=pairing.starter_history, higher=pairing.start_number_higher)


def who_starts(
    one: StarterSide, other: StarterSide, *, number: int, is_below_middle: bool, reading: StarterReading
) -> Starter | None:
    """Who starts in the round of this number. None where neither has ever played, so that a lot decides."""
    return by_history(one, other, reading) or by_start_number(
        one, other, number=number, is_below_middle=is_below_middle, reading=reading
    )


def by_history(one: StarterSide, other: StarterSide, reading: StarterReading) -> Starter | None:
    return fewer_starts(one, other) or more_often_the_other(one, other) or started_last(one, other, reading)


def fewer_starts(one: StarterSide, other: StarterSide) -> Starter | None:
    """Criterion a."""
    if one.starts == other.starts:
        return None
    first, second = sorted((one, other), key=lambda side: side.starts)
    why = f"{first.id} starts: {first.id} has started {times(first.starts)}, {second.id} {times(second.starts)} (a)."
    return Starter(first=first.id, criterion="a", why=why)


def more_often_the_other(one: StarterSide, other: StarterSide) -> Starter | None:
    """Criterion b."""
    if one.others == other.others:
        return None
    second, first = sorted((one, other), key=lambda side: side.others)
    why = (
        f"{first.id} starts: both have started {times(one.starts)}, and {first.id} has been the other side "
        f"{times(first.others)}, {second.id} {times(second.others)} (b)."
    )
    return Starter(first=first.id, criterion="b", why=why)


def started_last(one: StarterSide, other: StarterSide, reading: StarterReading) -> Starter | None:
    """Criteria c to f: back from the last match to the first. Both have played equally many here."""
    played = len(one.started)
    for back, (mine, theirs) in enumerate(zip(reversed(one.started), reversed(other.started), strict=True), start=1):
        if mine != theirs:
            starter, answerer = (one, other) if mine else (other, one)
            first = starter if reading.history == "literal" else answerer
            criterion: StarterCriterion = "c" if back == 1 else "d" if back == 2 else "f" if back == played else "e"  # noqa: PLR2004 - the match before the last
            when = "the last match" if back == 1 else f"match {played + 1 - back} of {played}"
            why = f"{first.id} starts: both have started {times(one.starts)}, and {starter.id} started {when} and {answerer.id} did not ({criterion})."
            return Starter(first=first.id, criterion=criterion, why=why)
    return None


def by_start_number(
    one: StarterSide, other: StarterSide, *, number: int, is_below_middle: bool, reading: StarterReading
) -> Starter | None:
    """Criterion g: in the middle and above the higher start number gets its wish, below the lower one."""
    if not one.started:
        return None
    better, worse = sorted((one, other), key=lambda side: side.number)
    higher, lower = (better, worse) if reading.higher == "better" else (worse, better)
    wishing, other_one = (lower, higher) if is_below_middle else (higher, lower)
    is_even = number % 2 == 0 and wishing.starts != wishing.others
    wants_to_start = wishing.starts < wishing.others if is_even else not wishing.started[-1]
    first = wishing if wants_to_start else other_one
    wish = "has both roles equally often then" if is_even else "alternates"
    better_or_worse = "better" if wishing is better else "worse"
    why = f"{first.id} starts: both have the same history, and {wishing.id}, whose start number is the {better_or_worse}, {wish} (g)."
    return Starter(first=first.id, criterion="g", why=why)


def sides_of(field: Field) -> Mapping[str, StarterSide]:
    """All who are there, with what they have played in the stage."""
    facts = field.facts
    started: dict[str, list[bool]] = {player.id: [] for player in field.players}
    for _, stands in sorted(facts.rounds.items()):
        for game in stands.games if stands.stage == field.stage else ():
            first = starter_of(facts, game, field.settings.results.endings)
            for seat in game.seats if first is not None else ():
                if seat in started:
                    started[seat].append(seat == first)
    return {
        one: StarterSide(id=one, number=facts.entrants[one].number, started=tuple(of)) for one, of in started.items()
    }


def by_lot(field: Field, one: FieldPlayer, other: FieldPlayer) -> Starter:
    """Where neither has played. In round 1 the lot is drawn once, for the best of all, and start numbers alternate."""
    better, worse = sorted((one, other), key=lambda player: player.place)
    if field.round > 1:
        first, _ = sorted((one, other), key=lambda player: player.lot)
        return Starter(first=first.id, criterion="lot", why=f"{first.id} starts by lot: neither has played before.")
    entrants = field.facts.entrants
    best, second = field.players[:2]
    is_alike = (entrants[better.id].number - entrants[best.id].number) % 2 == 0
    better_starts = is_alike == (best.lot < second.lot)
    first = better if better_starts else worse
    role = "starts" if better_starts else "does not start"
    why = f"{first.id} starts: a lot gave {best.id} its role, and by turns {better.id}, number {entrants[better.id].number}, {role}."
    return Starter(first=first.id, criterion="lot", why=why)
