"""What cannot be in the rounds of a file: who sits where, who meets whom, and with which scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from shared.faults import Fault, at
from shared.rulesets.settings import Settings
from shared.tournament.file.shape import BanForm, GameForm, RoundForm
from shared.tournament.scoring import score_faults

type Pair = frozenset[str]

UNLESS = ", unless override says why"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
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

    def _bye_faults(self, one: RoundForm, number: int) -> Iterator[Fault]:
        """One of an odd field sits out, and nobody twice before the others."""
        if one.byes and not one.override and (sentence := self._nobody_sits_out(one, number)):
            yield from (Fault(at("byes", index), sentence) for index in range(len(one.byes)))
            return
        away = {*one.missing, *(bye.entrant for bye in one.requested_byes)}
        present = {name for name, span in self.spans.items() if span.includes(number)} - away
        may_meet_again = self.settings.pairing.meetings != 1
        rests_freely = not self.settings.is_swiss and len(present) < len(self.spans)
        by = self.settings.pairing.by("byes")
        if not (may_meet_again or rests_freely or one.override):
            for index, name in enumerate(one.byes):
                others = present - {name, *one.byes}
                if len(present) % 2 == 0:
                    yield Fault(at("byes", index), f"nobody sits out of {len(present)} entrants{by}{UNLESS}")
                elif index > 0:
                    yield Fault(at("byes", index), f"only one entrant sits out of an odd field{by}{UNLESS}")
                if self.sat_out[name] and any(not self.sat_out[other] for other in others):
                    yield Fault(at("byes", index), f"{name} has sat out before, and others have not{by}{UNLESS}")
        self.sat_out.update(one.byes)

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

    def _kept_apart(self, number: int) -> Iterator[frozenset[str]]:
        """A ban without a number of rounds may be newer than the games in the file."""
        rounds = self.settings.rounds
        for ban in self.bans:
            if ban.last_rounds is not None and rounds is not None and number > rounds - ban.last_rounds:
                yield frozenset(ban.entrants)

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
            elif not game.override and any(pair <= family for family in self._kept_apart(number)):
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


def game_faults(game: GameForm, settings: Settings) -> Iterator[Fault]:
    """What a game cannot be by itself."""
    least, most = settings.contest.seats
    if not least <= len(game.seats) <= most:
        number = f"{least}" if least == most else f"{least} to {most}"
        yield Fault("/seats", f"should be {number} entrants{settings.pairing.by('seats')}")
    for name_of, name in (("first", game.first), ("winner", game.winner), ("draw_wins", game.draw_wins)):
        if name is not None and name not in game.seats:
            yield Fault(at(name_of), f"{name} does not sit at this table")
    if game.decided_by is not None and game.winner is None:
        yield Fault("/winner", "is missing: decided_by says how somebody went on")
    if (game.end == "forfeit") != bool(game.at_fault):
        yield Fault("/by", "goes with a forfeit, and only with one: the seats at fault")
    for seat in game.at_fault:
        if seat >= len(game.seats):
            yield Fault("/by", f"there is no seat {seat}: the first is 0")
    if game.end != "void":
        yield from number_faults(game, settings)


def number_faults(game: GameForm, settings: Settings) -> Iterator[Fault]:
    if game.scores is None:
        yield Fault("/scores", "is missing: only a void game has no scores")
    elif len(game.scores) != len(game.seats):
        yield Fault("/scores", "should be one number for each seat")
    else:
        for seat, sentence in score_faults(settings.scoring, game.scores, is_forfeit=game.end == "forfeit"):
            yield Fault("/scores" if seat is None else at("scores", seat), sentence)
    if game.points is not None:
        yield from point_faults(game.points, len(game.seats), settings)


def point_faults(points: Sequence[Fraction], seats: int, settings: Settings) -> Iterator[Fault]:
    """An official may set other points than the scores give, but none that no game gives."""
    scoring = settings.scoring
    if len(points) != seats:
        yield Fault("/points", "should be one number for each seat")
    best = max(scoring.placement) if scoring.placement else scoring.win
    for seat, number in enumerate(points):
        if not 0 <= number <= best:
            yield Fault(at("points", seat), f"should be between 0 and {best}")
