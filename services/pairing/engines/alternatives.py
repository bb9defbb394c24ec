"""What if two certain entrants met, or did not, or one met somebody else, and which pairing is the next best at all.

A cost Swiss looks for it among all pairings. A median Swiss goes through its steps once more as if the two, or each of
them and all others, must not meet; tables look for some at which the two sit apart, or together. Where a plan or a lot
says who meets whom there is nothing to compare.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from msgspec.structs import replace

from services.pairing.engines import median_swiss, no_pairing, swiss, tables
from services.pairing.engines.explaining import LATER_ROUNDS
from services.pairing.engines.field import Engine, Field, field_of_next_round, opened_with_groups
from services.pairing.engines.paired_round import DrawLots, EntrantUnknown, NoPairing, NotAvailable, PairedRound, named
from services.pairing.engines.swiss import laid_out
from services.pairing.engines.swiss.cost_swiss import CostSwiss, PairCondition
from services.pairing.engines.swiss.explaining import COMPONENTS
from services.pairing.engines.swiss.first_round import is_drawn
from shared.rulesets.pairing_and_standings import System
from shared.tournament.facts import Ban, Facts
from shared.tournament.stages import settings_of
from shared.values import Value

COUNTED = COMPONENTS | {
    "threes": "further times at a table of three",
    "spread": "differences of points at the tables, doubled and squared",
}
COMPARED: Mapping[System, Engine] = {
    "cost-swiss": swiss.pair,
    "median-swiss": median_swiss.pair,
    "tables": tables.pair,
}
MOST_FOR_A_ROUND: Mapping[System, int] = {"cost-swiss": 100, "tables": 12}  # entrants: each pair is solved without


class Alternative(Value):
    """The best pairing of the kind that was asked for; none if the rules allow none."""

    would_meet: bool
    pairing: PairedRound | None
    best: PairedRound
    sentence: str

    @property
    def difference(self) -> tuple[int, ...] | None:
        """What it costs more than the best pairing, component by component."""
        if self.pairing is None or self.pairing.cost is None or self.best.cost is None:
            return None
        return tuple(there - here for there, here in zip(self.pairing.cost, self.best.cost, strict=True))


def alternative(facts: Facts, stage: str, *entrants: str, lots: DrawLots) -> Alternative:
    """Another pairing than the best one.

    For two entrants it has their pair if the best has not, and lacks it if the best has it. For one entrant it lacks the
    pair that the best has for it. For nobody it is whichever other pairing costs least.
    """
    known = opened_with_groups(facts, stage, lots=lots)
    pair = COMPARED.get(system := settings_of(known, stage).pairing.system)
    if pair is None:
        raise NotAvailable(f"Stage {stage} is paired by {system}: its plan says who meets whom, and there is no other.")
    field = field_of_next_round(known, stage, lots=lots)
    if is_drawn(field) or (field.round == 1 and system == "tables"):
        raise NotAvailable("The first round is drawn by lot: no pairing costs more or less than another.")
    if unknown := [entrant for entrant in entrants if entrant not in field.by_id]:
        raise EntrantUnknown(f"{unknown[0]} is not among those who are to be paired in round {field.round}.")
    if not entrants:
        require_few(field, system)
    others = OtherPairings(field=field, system=system, pair=pair, best=pair(field))
    match entrants:
        case (one, other):
            return others.of_two(one, other)
        case (one,):
            return others.of_one(one)
        case _:
            return others.of_all()


def require_few(field: Field, system: System) -> None:
    """The next best of all is refused in a large field before anything is paired, which is the longest part."""
    most = MOST_FOR_A_ROUND.get(system)
    if most is None:
        raise NotAvailable("These steps have no cost by which a pairing would be the next best: name an entrant.")
    if len(field.players) > most:
        raise NotAvailable(f"The next best pairing of all is looked for up to {most} entrants: name one of them.")


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherPairings:
    field: Field
    system: System
    pair: Engine
    best: PairedRound

    def of_two(self, one: str, other: str) -> Alternative:
        two = frozenset((one, other))
        if any(two.issubset(seated.seats) for seated in self.best.pairs):
            if (pairing := self._without(two)) is not None:
                return self._found(pairing, "If they did not meet")
            return self._none(f"in which {one} and {other} do not meet: nobody else is left for them")
        may_meet = self.field.may_meet(self.field.by_id[one], self.field.by_id[other])
        if may_meet and (pairing := self._with(two)) is not None:
            return replace(self._found(pairing, "If they met"), would_meet=True)
        why = no_pairing.why_not(self.field, one, other)
        return replace(self._none(f"in which {one} and {other} meet: {why}"), would_meet=True)

    def of_one(self, entrant: str) -> Alternative:
        """The best pairing in which somebody meets anybody else."""
        pairing = self._cheapest_without_one_of(self._pairs_of(entrant))
        if pairing is None:
            return self._none(f"in which {entrant} meets somebody else")
        found = self._found(pairing, f"If {entrant} met somebody else")
        return replace(found, sentence=f"{found.sentence} {whom_else(pairing, entrant)}")

    def of_all(self) -> Alternative:
        """The next best pairing: whatever differs from the best one lacks one of its pairs."""
        pairing = self._cheapest_without_one_of(self._pairs())
        return self._none("but this one") if pairing is None else self._found(pairing, "In the next best pairing")

    def _pairs_of(self, entrant: str) -> Iterable[frozenset[str]]:
        """The pairs that somebody has in the best pairing: with each at its table, or with BYE where that is an opponent."""
        if entrant not in self.best.byes:
            return [two for two in self._pairs() if entrant in two]
        if self.field.settings.pairing.bye != "matched":
            raise NotAvailable(f"{entrant} has the bye, which is given before the others are paired.")
        return [frozenset((entrant, self.field.dummy.id))]

    def _pairs(self) -> Iterator[frozenset[str]]:
        return (frozenset(two) for seated in self.best.pairs for two in combinations(seated.seats, 2))

    def _cheapest_without_one_of(self, pairs: Iterable[frozenset[str]]) -> PairedRound | None:
        """The cheapest of all that lack one of these pairs; one with the same bye, if a bye is given first."""
        found = [pairing for two in pairs if (pairing := self._without(two)) is not None]
        return min(found, key=lambda pairing: (self._has_other_bye(pairing), pairing.cost or ()), default=None)

    def _has_other_bye(self, pairing: PairedRound) -> bool:
        return self.field.settings.pairing.bye != "matched" and pairing.byes != self.best.byes

    def _with(self, two: frozenset[str]) -> PairedRound | None:
        match self.system:
            case "cost-swiss":
                return self._of_cost_swiss(PairCondition(together=two))
            case "tables":
                return at_one_table(self.field, two)
            case _:
                return self._by_bans(apart_from_others(self.field, two))

    def _without(self, two: frozenset[str]) -> PairedRound | None:
        return (
            self._of_cost_swiss(PairCondition(apart=two))
            if self.system == "cost-swiss"
            else self._by_bans([Ban(entrants=two)])
        )

    def _of_cost_swiss(self, condition: PairCondition) -> PairedRound | None:
        found = self._cost_swiss.find(condition)
        return found and laid_out(self.field, found)

    @cached_property
    def _cost_swiss(self) -> CostSwiss:
        return CostSwiss(self.field)

    def _by_bans(self, bans: Iterable[Ban]) -> PairedRound | None:
        """A pairing as if there were more bans. What it says of them is left out, since nobody has pronounced them: the grounds table by table, and what is left for later."""
        banned = replace(self.field.facts, bans=(*self.field.facts.bans, *bans))
        try:
            found = self.pair(dataclasses.replace(self.field, facts=banned))
        except NoPairing:
            return None
        said = tuple(one for one in found.explanation if not one.startswith(LATER_ROUNDS))
        return replace(found, pairs=tuple(replace(one, why=()) for one in found.pairs), explanation=said)

    def _found(self, pairing: PairedRound, how: str) -> Alternative:
        if self._has_other_bye(pairing):
            sentence = f"{how}, {pairing.byes[0]} would have the bye instead of {self.best.byes[0]}."
        else:
            sentence = compared(pairing, self.best, how)
        said = (one for one in pairing.explanation if one.startswith(LATER_ROUNDS))
        worse = [one for one in said if one not in self.best.explanation]
        return Alternative(would_meet=False, pairing=pairing, best=self.best, sentence=" ".join([sentence, *worse]))

    def _none(self, which: str) -> Alternative:
        sentence = f"No pairing is left {which}."
        return Alternative(would_meet=False, pairing=None, best=self.best, sentence=sentence)


def at_one_table(field: Field, two: frozenset[str]) -> PairedRound | None:
    try:
        return tables.pair(field, two)
    except NoPairing:
        return None


def apart_from_others(field: Field, two: frozenset[str]) -> Iterable[Ban]:
    return (
        Ban(entrants=frozenset((one, player.id))) for one in two for player in field.players if player.id not in two
    )


def whom_else(pairing: PairedRound, entrant: str) -> str:
    met = [seat for one in pairing.pairs if entrant in one.seats for seat in one.seats if seat != entrant]
    return f"{entrant} would then meet {named(met)}." if met else f"{entrant} would then have the bye."


def compared(pairing: PairedRound, best: PairedRound, how: str) -> str:
    if pairing.cost is None:
        others = {frozenset(one.seats) for one in pairing.pairs} - {frozenset(one.seats) for one in best.pairs}
        return (
            f"{how}, {len(others)} of the {len(best.pairs)} pairs would be others: these steps have no cost to compare."
        )
    costs = zip(best.components, pairing.cost, best.cost or (), strict=True)
    for name, there, here in costs:
        if there != here and name != "lot":
            return f"{how}, the {COUNTED[name]} would be {there} instead of {here}."
    return f"{how}, it would cost the same{': the lot has decided' if 'lot' in best.components else ''}."
