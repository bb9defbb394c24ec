"""What cannot be in the rounds of a file: who sits where, who meets whom, and with which scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from shared.faults import Fault, at
from shared.rulesets.settings import Settings
from shared.tournament.file.game_faults import game_faults
from shared.tournament.file.shape import BanForm, GameForm, RoundForm
from shared.tournament.table_sizes import FOUR, THREE, are_right, sizes
from shared.values import Value

type Pair = frozenset[str]

NOBODY = frozenset[str]()
NO_BANS = frozenset[int]()
UNLESS = ", unless override says why"


class Span(Value):
    """The rounds in which an entrant is there: from one to another, or to the end."""

    first: int = 1
    last: int | None = None

    def includes(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rounds:
    """Goes through the rounds of a stage, remembering who has met whom and who has sat out."""

    settings: Settings
    spans: Mapping[str, Span]
    met: Counter[Pair] = field(default_factory=Counter[Pair])
    sat_out: Counter[str] = field(default_factory=Counter[str])
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    bans: Sequence[BanForm] = ()
    seen: dict[str, str] = field(default_factory=dict[str, str])  # the group of those who have played

    def faults(self, rounds: tuple[RoundForm, ...]) -> Iterator[Fault]:
        by = self.settings.pairing.by
        for index, one in enumerate(rounds):
            number = index + 1
            if one.number != number:
                yield Fault(at(index, "number"), f"should be {number}: rounds are numbered 1, 2, 3 …")
            if self.settings.rounds is not None and number > self.settings.rounds:
                yield Fault(at(index), f"is one too many: this stage has {self.settings.rounds} rounds{by('rounds')}")
            yield from (fault.below(at(index)) for fault in self._of_round(one, number))

    def _of_round(self, one: RoundForm, number: int) -> Iterator[Fault]:
        yield from self._seated(one, number)
        yield from self._named(one)
        yield from self._sized(one)
        yield from self._bye_faults(one, number)
        matches: set[tuple[Pair, str]] = set()
        for index, game in enumerate(one.games):
            yield from (fault.below(at("games", index)) for fault in game_faults(game, self.settings))
            yield from (fault.below(at("games", index)) for fault in self._meetings(game, number, matches))
            yield from (fault.below(at("games", index)) for fault in self._grouped(game))

    def _seated(self, one: RoundForm, number: int) -> Iterator[Fault]:
        """Everybody is somewhere once: in a game, with a bye, or known to be away."""
        places: dict[str, str | None] = {}  # the match, where it may be played in several games
        for pointer, name, game in seats_of(one):
            if name not in self.spans:
                yield Fault(pointer, f"there is no entrant {name}")
                continue
            if name in places and (game is None or game.match is None or places[name] != game.match):
                yield Fault(pointer, f"{name} is in this round twice")
            places[name] = game.match if game is not None else None
            if not self.spans[name].includes(number) and not is_excused(pointer, name, game):
                yield Fault(pointer, f"{name} is not there in round {number}")
        if self.settings.is_swiss:
            idle = self.spans.keys() - places.keys() - void_seats(one)
            for name, span in self.spans.items():
                if name in idle and span.includes(number):
                    yield Fault("", f"{name} has no game, bye or requested bye, and is not among the missing")

    def _named(self, one: RoundForm) -> Iterator[Fault]:
        """What stands in a round without anybody playing: void games, and what was granted."""
        for index, game in enumerate(one.games):
            for seat, name in enumerate(game.seats):
                if game.end == "void" and name not in self.spans:
                    yield Fault(at("games", index, "seats", seat), f"there is no entrant {name}")
        for index, bye in enumerate(one.requested_byes):
            if not 0 <= bye.points <= self.settings.scoring.win:
                yield Fault(at("requested_byes", index, "points"), "should be between 0 and the points of a win")

    def _sized(self, one: RoundForm) -> Iterator[Fault]:
        """Of tables of four and three: no more threes than so many players need."""
        seats = [len(game.seats) for game in one.games]
        wanted = sizes(sum(seats)) if self.settings.pairing.system == "tables" else None
        is_overridden = one.override or any(game.override for game in one.games)
        if wanted is not None and set(seats) <= {THREE, FOUR} and not are_right(seats) and not is_overridden:
            needed, by = wanted.count(THREE) or "no", self.settings.pairing.by("seats")
            tables = f"{needed} table{'' if needed == 1 else 's'} of three, and there are {seats.count(THREE)}"
            yield Fault(at("games"), f"{sum(seats)} players need {tables}{by}{UNLESS}")

    def _bye_faults(self, one: RoundForm, number: int) -> Iterator[Fault]:
        """One of an odd field sits out, and nobody twice before the others."""
        if one.byes and not one.override and (sentence := self._nobody_sits_out(one, number)):
            yield from (Fault(at("byes", index), sentence) for index in range(len(one.byes)))
            return
        away = {*one.missing, *(bye.entrant for bye in one.requested_byes), *self._resting_apart(one, number)}
        present = {name for name, span in self.spans.items() if span.includes(number)} - away
        may_meet_again = self.settings.pairing.meetings != 1
        rests_freely = not self.settings.is_swiss and len(present) < len(self.spans)
        by = self.settings.pairing.by("byes")
        others_wait = any(not self.sat_out[name] for name in present.difference(one.byes))
        if not (may_meet_again or rests_freely or one.override):
            for index, name in enumerate(one.byes):
                if len(present) % 2 == 0:
                    yield Fault(at("byes", index), f"nobody sits out of {len(present)} entrants{by}{UNLESS}")
                elif index > 0:
                    yield Fault(at("byes", index), f"only one entrant sits out of an odd field{by}{UNLESS}")
                if self.sat_out[name] and others_wait:
                    yield Fault(at("byes", index), f"{name} has sat out before, and others have not{by}{UNLESS}")
        if not rests_freely:
            self.sat_out.update(one.byes)

    def _resting_apart(self, one: RoundForm, number: int) -> Iterator[str]:
        """By the plan of a round robin those would meet now who must not (SK.D43)."""
        byes = {*one.byes} if self.settings.is_round_robin else NOBODY
        for ban in self.bans if byes else ():
            resting = byes.intersection(ban.entrants)
            if len(resting) > 1 and (ban.last_rounds is None or self._is_late(ban, number)):
                yield from resting

    def _nobody_sits_out(self, one: RoundForm, number: int) -> str | None:
        """Where a rest is worth nothing, whoever rests is named nowhere; else an opponent was to be there."""
        match self.settings.pairing.system:
            case "tables" | "groups" | "knockout":
                return "nobody sits out here: who does not play a round is named nowhere"
            case "round-robin" | "double-round-robin" if self.settings.scoring.rest != "bye":
                away = {*one.missing, *(bye.entrant for bye in one.requested_byes)}
                is_whole = not away and all(span.includes(number) for span in self.spans.values())
                return (
                    "sits out though everybody is there: who rests is named nowhere and gets nothing"
                    if is_whole
                    else None
                )
            case _:
                return None

    def _grouped(self, game: GameForm) -> Iterator[Fault]:
        """In groups those meet who are in the same one, always the same."""
        if self.settings.pairing.system != "groups":
            return
        groups = {name: self.groups.get(name) or self.seen.get(name) for name in game.seats}
        known = {one for one in groups.values() if one is not None} | ({game.group} if game.group else set[str]())
        if len(known) > 1:
            yield Fault("/seats", f"{' and '.join(sorted(game.seats))} are not in the same group")
        elif known:
            self.seen.update(dict.fromkeys(game.seats, *known))

    @cached_property
    def _bans_of(self) -> Mapping[str, frozenset[int]]:
        """Those that hold in some last rounds only: any other may be newer than the games in the file."""
        found: dict[str, set[int]] = {}
        for index, ban in enumerate(self.bans):
            for name in ban.entrants if ban.last_rounds is not None else ():
                found.setdefault(name, set()).add(index)
        return {name: frozenset(several) for name, several in found.items()}

    def _kept_apart(self, pair: Pair, number: int) -> bool:
        one, other = min(pair), max(pair)
        of_both = self._bans_of.get(one, NO_BANS) & self._bans_of.get(other, NO_BANS)
        return any(self._is_late(self.bans[index], number) for index in of_both)

    def _is_late(self, ban: BanForm, number: int) -> bool:
        rounds = self.settings.rounds
        return ban.last_rounds is not None and rounds is not None and number > rounds - ban.last_rounds

    def _meetings(self, game: GameForm, number: int, matches: set[tuple[Pair, str]]) -> Iterator[Fault]:
        """Games of one match are one meeting; a void game is none."""
        allowed, rules = most_meetings(self.settings), self.settings.pairing
        by = rules.by("round-robin" if self.settings.is_round_robin else "meetings")
        if game.end == "void":
            return
        for pair in map(frozenset, combinations(game.seats, 2)):
            if game.match is not None:
                if (pair, game.match) in matches:
                    continue
                matches.add((pair, game.match))
            self.met[pair] += 1
            if allowed is not None and self.met[pair] > allowed and not game.override:
                often = "have met before" if allowed == 1 else f"have met {allowed} times before"
                yield Fault("/seats", f"{' and '.join(sorted(pair))} {often}: no more is allowed{by}{UNLESS}")
            elif not game.override and self._kept_apart(pair, number):
                who = " and ".join(sorted(pair))
                yield Fault(
                    "/seats", f"{who} must not meet in the last rounds{rules.by('bans')}, of which this is one{UNLESS}"
                )


def most_meetings(settings: Settings) -> int | None:
    match settings.pairing.system:
        case "knockout":
            return None
        case "double-round-robin":
            return 2
        case _:
            return settings.pairing.meetings


def seats_of(one: RoundForm) -> Iterator[tuple[str, str, GameForm | None]]:
    """Whoever is named in a round, with the place; a void game does not keep anybody from another."""
    for index, game in enumerate(one.games):
        for seat, name in enumerate(game.seats):
            if game.end != "void":
                yield at("games", index, "seats", seat), name, game
    yield from ((at("byes", index), name, None) for index, name in enumerate(one.byes))
    yield from (
        (at("requested_byes", index, "entrant"), bye.entrant, None) for index, bye in enumerate(one.requested_byes)
    )
    yield from ((at("missing", index), name, None) for index, name in enumerate(one.missing))


def void_seats(one: RoundForm) -> frozenset[str]:
    return frozenset(name for game in one.games if game.end == "void" for name in game.seats)


def is_excused(pointer: str, name: str, game: GameForm | None) -> bool:
    """Whoever is not there may be called missing, and may have lost a game by that."""
    if game is None:
        return pointer.startswith("/missing")
    return game.end == "forfeit" and game.seats.index(name) in game.at_fault
