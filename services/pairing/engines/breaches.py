"""Which rules a pairing breaks that somebody made or changed by hand.

In a Swiss and a round robin opponents, roles, floats and byes are looked at (`PairingCheck`); in groups and a play-off the plan
says who meets whom; at tables of three and four repeated meetings are shown, and allowed. Which requirement of docs/rules
speaks of a rule, the ruleset says.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import knockout
from services.pairing.engines.byes import due, is_due
from services.pairing.engines.explaining import few
from services.pairing.engines.field import Field, FieldPlayer, field_of_next_round, opened_with_groups
from services.pairing.engines.history import DOWN, FIRST, SECOND, UP
from services.pairing.engines.median_swiss.starter import StarterSide, by_history, reading_of, sides_of
from services.pairing.engines.paired_round import PairedRound, named
from services.pairing.engines.swiss.costs import MOST_ONE_SIDED
from services.pairing.engines.swiss.first_round import is_drawn
from services.pairing.engines.tables.costs import times_at_three
from shared.rulesets.pairing_and_standings import AboutPairing
from shared.tournament.facts import Facts
from shared.tournament.fixtures import Fixture, fixtures
from shared.tournament.stages import field_of, groups_of
from shared.tournament.table_sizes import FOUR, THREE, are_right, sizes
from shared.values import Value

type Severity = Literal["hard", "soft"]


class Breach(Value):
    """A rule that a pairing breaks. Hard ones are broken only for a written reason; soft ones are worth a look."""

    kind: str
    severity: Severity
    requirement: str | None  # its id in docs/rules
    sentence: str
    entrants: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()

    @property
    def rule(self) -> str:
        """What is named to people as broken: the requirement, where the ruleset has one."""
        return self.requirement or self.kind

    @property
    def detail(self) -> str:
        """The sentence, with the id of the requirement before its full stop."""
        return f"{self.sentence[:-1]} ({self.requirement})." if self.requirement else self.sentence

    @property
    def binds(self) -> bool:
        """Whether it takes a reason."""
        return self.severity == "hard"


ABOUT: Mapping[str, AboutPairing] = {
    "met-before": "meetings",
    "banned": "bans",
    "bye-not-needed": "byes",
    "second-bye": "byes",
    "bye-not-lowest": "bye",
    "not-in-field": "left",
    "roles": "roles",
    "starter": "roles",
    "first-round-groups": "first-round",
    "first-round-roles": "first-round",
    "not-two": "seats",
    "not-three-or-four": "seats",
    "wrong-sizes": "seats",
    "three-again": "threes",
    "other-group": "plan",
    "not-in-bracket": "plan",
    "not-to-choose": "choice",
    "colours": "colours",
}


def check(facts: Facts, stage: str, pairing: PairedRound, *, is_published: bool = False) -> tuple[Breach, ...]:
    """All breaches, hard ones first. Lots decide only between equals, so whatever order will do here."""
    known = opened_with_groups(facts, stage, lots=in_any_order)
    field = field_of_next_round(known, stage, lots=in_any_order, published=pairing.round if is_published else None)
    match field.settings.pairing.system:
        case "groups":
            found = in_groups(field, pairing)
        case "knockout":
            found = in_bracket(field, pairing)
        case _:
            found = PairingCheck(field, pairing).breaches()
    return tuple(sorted(found, key=lambda one: one.severity))


def in_any_order(_: str, several: Iterable[str]) -> list[str]:
    return sorted(several)


@dataclass(frozen=True, eq=False)
class PairingCheck:
    field: Field
    pairing: PairedRound

    def breaches(self) -> Iterator[Breach]:
        yield from self._wrong_round()
        yield from self._tables()
        yield from self._everybody_once()
        if self._has_tables:
            yield from breaches_of_tables(self.field, self.pairing)
            return
        for pair in self.pairing.pairs:
            if self._is_a_pair(pair):
                one, other = (self.field.by_id[seat] for seat in pair.seats)
                yield from self._meeting(pair, one, other)
                if self.field.settings.pairing.system == "median-swiss":
                    yield from self._starter(pair)
                else:
                    yield from self._roles(pair, one, other)
                    yield from self._float(pair, *sorted((one, other), key=lambda player: player.place))
        yield from self._byes()
        if is_drawn(self.field):
            yield from self._groups_of_the_draw()

    @property
    def _has_tables(self) -> bool:
        return self.field.settings.pairing.system == "tables"

    def _is_a_pair(self, pair: SeatedTable) -> bool:
        return len(set(pair.seats)) == len(pair.seats) == 2 and all(seat in self.field.by_id for seat in pair.seats)  # noqa: PLR2004 - two sit at a table

    def _wrong_round(self) -> Iterator[Breach]:
        if self.pairing.round != self.field.round:
            yield self._hard("wrong-round", f"Round {self.field.round} is next, not round {self.pairing.round}.")

    def _tables(self) -> Iterator[Breach]:
        used = Counter(pair.table for pair in self.pairing.pairs)
        for table in sorted(table for table, times in used.items() if times > 1):
            yield self._hard("table-twice", f"Table {table} is given to {used[table]} pairs.", tables=[table])
        for pair in self.pairing.pairs:
            if pair.table < 1:
                yield self._hard("no-such-table", "Tables are numbered from 1.", pair.seats, [pair.table])
            if len(pair.seats) != 2 and not self._has_tables:  # noqa: PLR2004 - two sit at a table
                yield self._hard(
                    "not-two", f"At table {pair.table} sit {len(pair.seats)}, not two.", pair.seats, [pair.table]
                )
            if pair.first is None and pair.option is None and not self._has_tables:
                yield self._soft(
                    "nobody-first", f"At table {pair.table} nobody is named first.", pair.seats, [pair.table]
                )
            for chosen in (pair.first, pair.option):
                if chosen is not None and chosen not in pair.seats:
                    sentence = f"{chosen} is named first at table {pair.table}, but does not sit there."
                    yield self._hard("not-at-table", sentence, [chosen], [pair.table])

    def _everybody_once(self) -> Iterator[Breach]:
        placed = Counter(seat for pair in self.pairing.pairs for seat in pair.seats)
        placed.update([*self.pairing.byes, *self.pairing.requested_byes, *self.pairing.missing])
        away = {*self.pairing.requested_byes, *self.pairing.missing}
        for entrant in sorted(placed):
            if placed[entrant] > 1:
                sentence = f"{entrant} stands in this round {placed[entrant]} times."
                yield self._hard("twice", sentence, [entrant])
            if entrant not in self.field.facts.entrants:
                yield self._hard("unknown", f"There is no entrant {entrant}.", [entrant])
            elif entrant not in self.field.by_id and entrant not in away:
                yield self._hard("not-in-field", f"{entrant} {self._why_away(entrant)}.", [entrant])
        for player in self.field.players:
            if player.id not in placed and not self._may_rest:
                sentence = f"{player.id} is there, but has neither a game nor a bye."
                yield self._hard("forgotten", sentence, [player.id])

    @property
    def _may_rest(self) -> bool:
        """Whether somebody may be named nowhere, as in a round robin in which a rest is worth nothing."""
        settings = self.field.settings
        return settings.is_round_robin and settings.scoring.rest != "bye"

    def _why_away(self, entrant: str) -> str:
        if entrant in self.field.attendance.missing:
            return "will not be there in this round"
        if entrant in self.field.attendance.requested_byes:
            return "has asked to rest in this round"
        if entrant in self.field.facts.left:
            return "has left the tournament"
        return f"does not play in round {self.field.round}"

    def _meeting(self, pair: SeatedTable, one: FieldPlayer, other: FieldPlayer) -> Iterator[Breach]:
        most = self._most_meetings
        if most is not None and one.met.get(other.id, 0) >= most:
            often = "" if most == 1 else " twice"
            sentence = f"{one.id} and {other.id} have met already{often}."
            yield self._hard("met-before", sentence, pair.seats, [pair.table])
        if self.field.is_banned(one.id, other.id, self.field.round):
            sentence = f"{one.id} and {other.id} must not meet in round {self.field.round}."
            yield self._hard("banned", sentence, pair.seats, [pair.table])

    @cached_property
    def _most_meetings(self) -> int | None:
        return 2 if self.field.settings.pairing.system == "double-round-robin" else self.field.settings.pairing.meetings

    def _roles(self, pair: SeatedTable, one: FieldPlayer, other: FieldPlayer) -> Iterator[Breach]:
        if pair.first not in pair.seats:
            return
        if self.field.settings.pairing.first_round.first == "lower-rated-on-odd-tables" and self.field.round == 1:
            lower = max(one, other, key=lambda player: player.place)
            if (pair.first == lower.id) != (pair.table % 2 == 1):
                which = "odd tables the lower" if pair.table % 2 else "even tables the higher"
                sentence = f"At table {pair.table} {pair.first} is named first, but on {which}-rated is."
                yield self._soft("first-round-roles", sentence, pair.seats, [pair.table])
        for player in (one, other):
            after = player.balance + (FIRST if player.id == pair.first else SECOND)
            if abs(after) > max(MOST_ONE_SIDED, abs(player.balance)):
                sentence = f"{player.id} would have been named first {abs(after)} times {'more' if after > 0 else 'less'} than second."
                yield self._soft("roles", sentence, [player.id], [pair.table])

    def _groups_of_the_draw(self) -> Iterator[Breach]:
        """Pairs of both groups as long as there are any, and those of group A black and white in turn."""
        of_a = {player.id for player in self.field.players if self.field.facts.entrants[player.id].history}
        mixed = [pair for pair in self.pairing.pairs if len(of_a.intersection(pair.seats)) == 1]
        wanted = min(len(of_a), len(self.field.players) - len(of_a))
        if len(mixed) < wanted:
            sentence = f"{len(mixed)} of group A meet somebody of group B, and {wanted} could."
            yield self._hard("first-round-groups", sentence)
        black = sum(pair.first in of_a for pair in mixed)
        if abs(2 * black - len(mixed)) > 1:
            sentence = (
                f"Of {len(mixed)} in group A who meet group B {black} have black: they have it in every other pair."
            )
            yield self._hard("first-round-roles", sentence)

    def _starter(self, pair: SeatedTable) -> Iterator[Breach]:
        """Who starts, as far as the history of the two decides: beyond that one would have to know their bracket."""
        one, other = (self._sides[seat] for seat in pair.seats)
        start = by_history(one, other, reading_of(self.field))
        if start is not None and pair.first in pair.seats and pair.first != start.first:
            sentence = f"At table {pair.table} {pair.first} is to start, but it is the other one's turn: {start.why}"
            yield self._soft("starter", sentence, pair.seats, [pair.table])

    @cached_property
    def _sides(self) -> Mapping[str, StarterSide]:
        return sides_of(self.field)

    def _float(self, pair: SeatedTable, upper: FieldPlayer, lower: FieldPlayer) -> Iterator[Breach]:
        if upper.points == lower.points or not self.field.settings.is_swiss:
            return
        for player, direction, way in ((upper, DOWN, "down"), (lower, UP, "up")):
            if player.last_float == direction:
                sentence = f"{player.id} floats {way} again."
                yield self._soft("float-again", sentence, [player.id], [pair.table])

    def _byes(self) -> Iterator[Breach]:
        players = [self.field.by_id[one] for one in self.pairing.byes if one in self.field.by_id]
        if not self.field.settings.is_swiss:
            placed = {seat for pair in self.pairing.pairs for seat in pair.seats} | {player.id for player in players}
            idle = [player for player in self.field.players if player.id not in placed] if self._may_rest else []
            yield from self._rests([*players, *idle])
            yield from self._byes_for_nothing(players)
            return
        is_odd = len(self.field.players) % 2 == 1
        for player in players[1 if is_odd else 0 :]:
            sentence = f"{player.id} has a bye, but nobody has to sit out: " + (
                f"{players[0].id} has the bye of the odd field." if is_odd else "the field is even."
            )
            yield self._hard("bye-not-needed", sentence, [player.id])
        for player in players:
            if not is_due(self.field, player):
                had_enough = (
                    "as many byes as two may meet"
                    if self.field.settings.pairing.bye == "matched"
                    else "a bye, and others have had none"
                )
                sentence = f"{player.id} has had {had_enough}."
                yield self._hard("second-bye", sentence, [player.id])
                continue
            in_turn = due(self.field)
            earlier = in_turn[: in_turn.index(player)]
            before = [other.id for other in self.field.players if other in earlier]
            if before and self.field.settings.pairing.bye == "lowest":
                had_none = "had neither a bye nor a win by default" if player.defaults else "placed lower, had none"
                sentence = f"{player.id} has the bye, but {named(before)}{'' if player.defaults else ','} {had_none}."
                yield self._soft("bye-not-lowest", sentence, [player.id])

    def _byes_for_nothing(self, players: Sequence[FieldPlayer]) -> Iterator[Breach]:
        """Byes where a rest is none: whoever the opponent was to be, or because that one is there."""
        if not self.field.settings.is_round_robin or self.field.settings.scoring.rest == "bye":
            return
        if self.field.settings.scoring.rest == "nothing":
            for player in players:
                sentence = f"{player.id} has a bye, but who rests here gets nothing and is named nowhere."
                yield self._hard("bye-not-needed", sentence, [player.id])
            return
        away = [one for one in field_of(self.field.facts, self.field.stage) if one not in self.field.by_id]
        for number, player in enumerate(players):
            missing = [one for one in away if player.met.get(one, 0) < (self._most_meetings or 1)]
            if number >= len(away) or not missing:
                sentence = f"{player.id} has a bye, but nobody is missing whom {player.id} would meet: who merely rests gets nothing."
                yield self._hard("bye-not-needed", sentence, [player.id])

    def _rests(self, players: Sequence[FieldPlayer]) -> Iterator[Breach]:
        """Rests that need not be: in a round robin several may rest only if they could not play each other."""
        for one, other in combinations(players, 2):
            is_open = one.met.get(other.id, 0) < (self._most_meetings or 1)
            if is_open and not self.field.is_banned(one.id, other.id, self.field.round):
                sentence = f"{one.id} and {other.id} both rest, but could play each other."
                yield self._soft("could-play", sentence, [one.id, other.id])

    def _hard(self, kind: str, sentence: str, entrants: Sequence[str] = (), tables: Sequence[int] = ()) -> Breach:
        return breach(self.field, "hard", kind, sentence, entrants, tables)

    def _soft(self, kind: str, sentence: str, entrants: Sequence[str] = (), tables: Sequence[int] = ()) -> Breach:
        return breach(self.field, "soft", kind, sentence, entrants, tables)


# Groups and play-offs


def in_groups(field: Field, pairing: PairedRound) -> Iterator[Breach]:
    letters = groups_of(field.facts, field.stage)
    for pair in pairing.pairs:
        one, *others = pair.seats
        if any(field.met.get(one, {}).get(other) for other in others):
            yield of_pair(field, "met-before", pair, f"{named(pair.seats)} have met already.")
        if len({letters.get(seat) for seat in pair.seats} | {pair.group or letters.get(one)}) > 1:
            there = named(f"{seat} plays in group {letters.get(seat)}" for seat in pair.seats)
            yield of_pair(field, "other-group", pair, f"At table {pair.table} {there}.")
    seated = {seat for pair in pairing.pairs for seat in pair.seats}
    resting = [player.id for player in field.players if player.id not in seated]
    for one, other in combinations(resting, 2):
        if letters.get(one) == letters.get(other) and not field.met.get(one, {}).get(other):
            sentence = f"{one} and {other} both rest, but could play each other."
            yield breach(field, "soft", "could-play", sentence, (one, other))


def in_bracket(field: Field, pairing: PairedRound) -> Iterator[Breach]:
    planned = {one.match: one for one in fixtures(field.facts, field.stage)}
    for pair in pairing.pairs:
        fixture = planned.get(pair.match or "")
        seats = None if fixture is None else fixture.seats
        if fixture is not None and set(fixture.seats) == set(pair.seats):
            yield from rights(field, pair, fixture)
        else:
            wanted = f"the bracket has {named(seats)} in {pair.match}" if seats else "the bracket has no such match now"
            yield of_pair(field, "not-in-bracket", pair, f"{named(pair.seats)} at table {pair.table}: {wanted}.")
    for fixture in planned.values():
        if set(fixture.seats) <= set(pairing.byes):
            sentence = f"{named(fixture.seats)} do not play {fixture.match}, which is theirs now."
            yield breach(field, "hard", "match-left-out", sentence, fixture.seats)


def rights(field: Field, pair: SeatedTable, fixture: Fixture) -> Iterator[Breach]:
    """Whether those choose, and have black where nobody does, whom places and earlier games of the match name."""
    if not knockout.goes_by_places(field.facts, field.stage):
        return
    choice = knockout.choice_in(field.facts, field.stage, fixture)
    if pair.option not in (None, choice.option):
        yield of_pair(
            field, "not-to-choose", pair, f"It is not for {pair.option} to choose in {fixture.match}: {choice.why}"
        )
    if choice.first is not None and pair.first not in (None, choice.first):
        yield of_pair(field, "colours", pair, f"{pair.first} is not to have black in {fixture.match}: {choice.why}")


def of_pair(field: Field, kind: str, pair: SeatedTable, sentence: str) -> Breach:
    return breach(field, "hard", kind, sentence, pair.seats, [pair.table])


# Tables of three and four


def breaches_of_tables(field: Field, pairing: PairedRound) -> Iterator[Breach]:
    yield from of_sizes(field, pairing)
    for pair in pairing.pairs:
        yield from of_meetings(field, pair)
    yield from of_threes(field, pairing)
    for one in pairing.byes:
        yield breach(field, "hard", "bye-not-needed", f"{one} has a bye, but at tables everybody plays.", (one,))


def of_sizes(field: Field, pairing: PairedRound) -> Iterator[Breach]:
    seats = [len(pair.seats) for pair in pairing.pairs]
    for pair in pairing.pairs:
        if len(pair.seats) not in (THREE, FOUR):
            sentence = f"At table {pair.table} sit {len(pair.seats)}, not three or four."
            yield breach(field, "hard", "not-three-or-four", sentence, pair.seats, [pair.table])
    wanted = sizes(sum(seats))
    if wanted is not None and not are_right(seats):
        sentence = (
            f"{sum(seats)} players sit at {wanted.count(FOUR)} tables of four and {wanted.count(THREE)} of three, not at "
            f"{seats.count(FOUR)} and {seats.count(THREE)}."
        )
        yield breach(field, "hard", "wrong-sizes", sentence)


def of_meetings(field: Field, pair: SeatedTable) -> Iterator[Breach]:
    for one, other in combinations(pair.seats, 2):
        if field.met.get(one, {}).get(other):
            sentence = f"{one} and {other} have met already."
            yield breach(field, "soft", "met-before", sentence, (one, other), [pair.table])
        if field.is_banned(one, other, field.round):
            sentence = f"{one} and {other} must not meet in round {field.round}."
            yield breach(field, "hard", "banned", sentence, (one, other), [pair.table])


def of_threes(field: Field, pairing: PairedRound) -> Iterator[Breach]:
    """Somebody sits at a table of three again, and somebody who has been there less often does not."""
    before = times_at_three(field)
    now = {seat: pair.table for pair in pairing.pairs if len(pair.seats) == THREE for seat in pair.seats}
    others = [player.id for player in field.players if player.id not in now]
    for one, table in now.items():
        if due := [other for other in others if before[other] < before[one]]:
            sentence = f"{one} sits at a table of three again, and has been there more often than {few(due)}."
            yield breach(field, "soft", "three-again", sentence, (one,), [table])


def breach(
    field: Field,
    severity: Severity,
    kind: str,
    sentence: str,
    entrants: Sequence[str] = (),
    tables: Sequence[int] = (),
) -> Breach:
    about = ABOUT.get(kind)
    if about == "meetings" and field.settings.is_round_robin:
        about = "round-robin"
    return Breach(
        kind=kind,
        severity=severity,
        requirement=field.settings.pairing.rule_ids.get(about) if about else None,
        sentence=sentence,
        entrants=tuple(entrants),
        tables=tuple(tables),
    )
