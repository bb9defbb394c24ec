"""What cannot be in a tournament file, although its form is right.

Rounds: who sits where, who meets whom, and with which scores. Games by themselves: their seats, their end, their scores
and points. Matches of a play-off: who plays them, how many games they have, how they end. Names outside of the rounds:
everybody is there, and nobody twice in one place. Play-offs and finals that do not follow from the table before them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from msgspec.structs import replace

from shared.faults import InputFault, at
from shared.rulesets.play import Scoring
from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Best, Players, Windows
from shared.tournament.facts import Facts
from shared.tournament.file.form import BanForm, GameForm, RequestedByeForm, RoundForm, StageForm, TournamentFile
from shared.tournament.fixtures import seeds_of, sides
from shared.tournament.podium import points
from shared.tournament.progression import opening, pairs_of
from shared.tournament.ranking import rank
from shared.tournament.scoring import point_faults, points_of, score_faults, unearned
from shared.tournament.stages import settings_of
from shared.tournament.table_sizes import FOUR, THREE, are_right, sizes
from shared.values import Value


def game_faults(game: GameForm, settings: Settings, *, apart: bool) -> Iterator[InputFault]:
    """What a game cannot be by itself. `apart`: an official may give each side its points by itself, as in Scrabble."""
    least, most = settings.contest.seats
    if not least <= len(game.seats) <= most:
        number = f"{least}" if least == most else f"{least} to {most}"
        yield InputFault("/seats", f"should be {number} entrants{settings.pairing.by('seats')}")
    for name_of, name in (("first", game.first), ("winner", game.winner), ("draw_wins", game.draw_wins)):
        if name is not None and name not in game.seats:
            yield InputFault(at(name_of), f"{name} does not sit at this table")
    if game.decided_by is not None and game.winner is None:
        yield InputFault("/winner", "is missing: decided_by says how somebody went on")
    if (game.end == "forfeit") != bool(game.at_fault):
        yield InputFault("/by", "goes with a forfeit, and only with one: the seats at fault")
    for seat in game.at_fault:
        if seat >= len(game.seats):
            yield InputFault("/by", f"there is no seat {seat}: the first is 0")
    if game.end != "void":
        yield from number_faults(game, settings, apart=apart)


def number_faults(game: GameForm, settings: Settings, *, apart: bool) -> Iterator[InputFault]:
    found = [*alone(game, settings.scoring)]
    yield from found or together(game, settings.scoring, apart=apart)


def alone(game: GameForm, scoring: Scoring) -> Iterator[InputFault]:
    if game.scores is None:
        yield InputFault("/scores", "is missing: only a void game has no scores")
    elif len(game.scores) != len(game.seats):
        yield InputFault("/scores", "should be one number for each seat")
    else:
        for seat, sentence in score_faults(scoring, game.scores, both_at_fault=len(set(game.at_fault)) > 1):
            yield InputFault("/scores" if seat is None else at("scores", seat), sentence)
    if game.points is not None and len(game.points) != len(game.seats):
        yield InputFault("/points", "should be one number for each seat")
    for seat, sentence in point_faults(scoring, game.points or ()):
        yield InputFault(at("points", seat), sentence)


def together(game: GameForm, scoring: Scoring, *, apart: bool) -> Iterator[InputFault]:
    """Points that were set are those of one game. Where the scores, or the places at a table, say what it brings, nobody wins with
    less of it."""
    if game.scores is None:
        return
    by_scores = scoring.placement is not None or scoring.score in ("fixed-sum", "win-loss")
    if game.points is not None:
        if (by_scores or not apart) and (sentence := unearned(scoring, game.scores, game.points)):
            yield InputFault("/points", sentence)
    elif by_scores and unearned(scoring, game.scores, points_of(scoring, game.scores, by=game.at_fault)):
        yield InputFault("/scores", "should say too that the seat at fault has lost")


type Pair = frozenset[str]

NOBODY = frozenset[str]()
NO_BANS = frozenset[int]()
UNLESS = ", unless override says why"


class Stay(Value):
    """The rounds in which an entrant is there: from one to another, or to the end."""

    first: int = 1
    last: int | None = None

    def includes(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundChecks:
    """Goes through the rounds of a stage, remembering who has met whom and who has sat out."""

    settings: Settings
    spans: Mapping[str, Stay]
    apart: bool
    met: Counter[Pair] = field(default_factory=Counter[Pair])
    sat_out: Counter[str] = field(default_factory=Counter[str])
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    bans: Sequence[BanForm] = ()
    seen: dict[str, str] = field(default_factory=dict[str, str])  # the group of those who have played

    def faults(self, rounds: tuple[RoundForm, ...]) -> Iterator[InputFault]:
        by = self.settings.pairing.by
        for index, one in enumerate(rounds):
            number = index + 1
            if one.number != number:
                yield InputFault(at(index, "number"), f"should be {number}: rounds are numbered 1, 2, 3 …")
            if self.settings.rounds is not None and number > self.settings.rounds:
                yield InputFault(
                    at(index), f"is one too many: this stage has {self.settings.rounds} rounds{by('rounds')}"
                )
            yield from (fault.below(at(index)) for fault in self._of_round(one, number))

    def _of_round(self, one: RoundForm, number: int) -> Iterator[InputFault]:
        yield from self._seated(one, number)
        yield from self._named(one)
        yield from self._sized(one)
        yield from self._bye_faults(one, number)
        matches: set[tuple[Pair, str]] = set()
        for index, game in enumerate(one.games):
            yield from (fault.below(at("games", index)) for fault in game_faults(game, self.settings, apart=self.apart))
            yield from (fault.below(at("games", index)) for fault in self._meetings(game, number, matches))
            yield from (fault.below(at("games", index)) for fault in self._grouped(game))

    def _seated(self, one: RoundForm, number: int) -> Iterator[InputFault]:
        """Everybody is somewhere once: in a game, with a bye, or known to be away."""
        places: dict[str, str | None] = {}  # the match, where it may be played in several games
        for pointer, name, game in seats_of(one):
            if name not in self.spans:
                yield InputFault(pointer, f"there is no entrant {name}")
                continue
            if name in places and (game is None or game.match is None or places[name] != game.match):
                yield InputFault(pointer, f"{name} is in this round twice")
            places[name] = game.match if game is not None else None
            is_overridden = one.override or (game is not None and game.override)
            if not (self.spans[name].includes(number) or is_excused(pointer, name, game) or is_overridden):
                yield InputFault(pointer, f"{name} is not there in round {number}{UNLESS}")
        if self.settings.is_swiss and not one.override:
            idle = self.spans.keys() - places.keys() - void_seats(one)
            for name, span in self.spans.items():
                if name in idle and span.includes(number):
                    yield InputFault(
                        "", f"{name} has no game, bye or requested bye, and is not among the missing{UNLESS}"
                    )

    def _named(self, one: RoundForm) -> Iterator[InputFault]:
        """What stands in a round without anybody playing: void games, and what was granted."""
        for index, game in enumerate(one.games):
            for seat, name in enumerate(game.seats):
                if game.end == "void" and name not in self.spans:
                    yield InputFault(at("games", index, "seats", seat), f"there is no entrant {name}")
        for index, bye in enumerate(one.requested_byes):
            if not 0 <= bye.points <= self.settings.scoring.win:
                yield InputFault(at("requested_byes", index, "points"), "should be between 0 and the points of a win")

    def _sized(self, one: RoundForm) -> Iterator[InputFault]:
        """Of tables of four and three there are no more threes than so many players need."""
        seats = [len(game.seats) for game in one.games]
        wanted = sizes(sum(seats)) if self.settings.pairing.system == "tables" else None
        is_overridden = one.override or any(game.override for game in one.games)
        if wanted is not None and set(seats) <= {THREE, FOUR} and not are_right(seats) and not is_overridden:
            needed, by = wanted.count(THREE) or "no", self.settings.pairing.by("seats")
            tables = f"{needed} table{'' if needed == 1 else 's'} of three, and there are {seats.count(THREE)}"
            yield InputFault(at("games"), f"{sum(seats)} players need {tables}{by}{UNLESS}")

    def _bye_faults(self, one: RoundForm, number: int) -> Iterator[InputFault]:
        """One of an odd field sits out, and nobody twice before the others."""
        if one.byes and not one.override and (sentence := self._nobody_sits_out(one, number)):
            yield from (InputFault(at("byes", index), sentence) for index in range(len(one.byes)))
            return
        away = {*one.missing, *(bye.entrant for bye in one.requested_byes), *self._resting_apart(one, number)}
        present = {name for name, span in self.spans.items() if span.includes(number)} - away
        rests_freely = not self.settings.is_swiss and len(present) < len(self.spans)
        by = self.settings.pairing.by("byes")
        if not (rests_freely or one.override):
            for index, name in enumerate(one.byes):
                if len(present) % 2 == 0:
                    yield InputFault(at("byes", index), f"nobody sits out of {len(present)} entrants{by}{UNLESS}")
                elif index > 0:
                    yield InputFault(at("byes", index), f"only one entrant sits out of an odd field{by}{UNLESS}")
                if sentence := self._sits_out_again(name, present.difference(one.byes)):
                    yield InputFault(at("byes", index), f"{sentence}{by}{UNLESS}")
        if not rests_freely:
            self.sat_out.update(one.byes)

    def _sits_out_again(self, name: str, others: AbstractSet[str]) -> str | None:
        """The dummy is met as often as any opponent; otherwise nobody sits out twice before the others."""
        pairing, before = self.settings.pairing, self.sat_out[name]
        if pairing.bye == "matched" and self.settings.is_swiss and pairing.meetings is not None:
            often = "has sat out before" if before == 1 else f"has sat out {before} times before"
            return f"{name} {often}, as often as two may meet" if before >= pairing.meetings else None
        others_wait = pairing.meetings == 1 and any(not self.sat_out[other] for other in others)
        return f"{name} has sat out before, and others have not" if before and others_wait else None

    def _resting_apart(self, one: RoundForm, number: int) -> Iterator[str]:
        """Those rest together who would meet now by the plan of a round robin, and must not (SK.D43)."""
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
                    f"sits out though everybody is there: who rests is named nowhere and gets nothing{self.settings.pairing.by('byes')}"
                    if is_whole
                    else None
                )
            case _:
                return None

    def _grouped(self, game: GameForm) -> Iterator[InputFault]:
        """In groups those meet who are in the same one, always the same."""
        if self.settings.pairing.system != "groups":
            return
        groups = {name: self.groups.get(name) or self.seen.get(name) for name in game.seats}
        known = {one for one in groups.values() if one is not None} | ({game.group} if game.group else set[str]())
        if len(known) > 1:
            yield InputFault("/seats", f"{' and '.join(sorted(game.seats))} are not in the same group")
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

    def _meetings(self, game: GameForm, number: int, matches: set[tuple[Pair, str]]) -> Iterator[InputFault]:
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
                yield InputFault("/seats", f"{' and '.join(sorted(pair))} {often}: no more is allowed{by}{UNLESS}")
            elif not game.override and self._kept_apart(pair, number):
                who = " and ".join(sorted(pair))
                yield InputFault(
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


type PlacedGame = tuple[str, GameForm]  # with where it stands

NOTHING = Fraction(0)


def match_faults(rounds: Sequence[RoundForm], settings: Settings, best_of: Mapping[str, int]) -> Iterator[InputFault]:
    """Faults of a stage in which matches decide."""
    if settings.pairing.system != "knockout":
        return
    for name, games in matches_in(rounds).items():
        most = best_of.get(name, len(games))
        yield from match_entrant_faults(name, games)
        yield from length_faults(name, games, settings, most)
        yield from colour_faults(games, most)
        yield from end_faults(games, settings, most)


def matches_in(rounds: Sequence[RoundForm]) -> Mapping[str, list[PlacedGame]]:
    """A game without a match is one of its own."""
    found: dict[str, list[PlacedGame]] = {}
    for index, one in enumerate(rounds):
        for number, game in enumerate(one.games):
            if game.end != "void":
                pointer = at(index, "games", number)
                found.setdefault(game.match or pointer, []).append((pointer, game))
    return found


def match_entrant_faults(name: str, games: Sequence[PlacedGame]) -> Iterator[InputFault]:
    entrants = set(games[0][1].seats)
    for pointer, game in games[1:]:
        if set(game.seats) != entrants:
            yield InputFault(f"{pointer}/seats", f"{name} is played by {' and '.join(sorted(entrants))}")


def length_faults(name: str, games: Sequence[PlacedGame], settings: Settings, most: int) -> Iterator[InputFault]:
    """No game is played once a match is decided."""
    lead, one = NOTHING, games[0][1].seats[0]
    for number, (pointer, game) in enumerate(games):
        left = most - number
        if left <= 0 or abs(lead) > left * (settings.scoring.win - settings.scoring.loss):
            yield InputFault(pointer, f"is one game too many: {name} was decided before")
        lead += lead_of(game, one, settings)


def colour_faults(games: Sequence[PlacedGame], most: int) -> Iterator[InputFault]:
    """In the second of several games the other one begins."""
    if most > 1 and len(games) > 1:
        (_, one), (pointer, other) = games[:2]
        is_same = set(one.seats) == set(other.seats) and one.first == other.first
        if is_same and one.first is not None and not other.override:
            yield InputFault(f"{pointer}/first", f"{one.first} began game 1 as well: in game 2 it is the other one")


def end_faults(games: Sequence[PlacedGame], settings: Settings, most: int) -> Iterator[InputFault]:
    """Somebody goes on: by the games, or by what is said of a drawn match."""
    pointer, last = games[-1]
    one = games[0][1].seats[0]
    lead = sum((lead_of(game, one, settings) for _, game in games), NOTHING)
    if lead and last.winner is not None and (last.winner == one) != (lead > 0):
        yield InputFault(
            f"{pointer}/winner", "has lost this match by its games: only a drawn one goes on in another way"
        )
    said = last.winner or last.draw_wins
    if lead == 0 and said is None and len(games) == most == 1 and goes_on(settings):
        yield InputFault(f"{pointer}/winner", "is missing: somebody goes on from a drawn match")


def goes_on(settings: Settings) -> bool:
    """Whether the rules say how a drawn match goes on by something that is not in its games."""
    return settings.contest.option or settings.contest.drawn.then == "lot"


def lead_of(game: GameForm, one: str, settings: Settings) -> Fraction:
    """Nothing where the game itself is faulty, which is said elsewhere."""
    scores = game.scores or ()
    if len(game.seats) != len(scores) or len(scores) != len((0, 1)) or len(game.points or scores) != len(scores):
        return NOTHING
    first, second = game.points or points_of(settings.scoring, scores, by=game.at_fault)
    return first - second if game.seats[0] == one else second - first


def decision_faults(form: TournamentFile, stages: set[str]) -> Iterator[InputFault]:
    for index, decision in enumerate(form.decisions):
        if decision.stage is not None and decision.stage not in stages:
            yield InputFault(at("decisions", index, "stage"), f"the file has no stage {decision.stage}")
        names = [name for one in decision.order for name in ([one] if isinstance(one, str) else one)]
        if len(names) != len(set(names)):
            yield InputFault(at("decisions", index, "order"), "names somebody twice")
    for index, adjustment in enumerate(form.adjustments):
        if adjustment.stage is not None and adjustment.stage not in stages:
            yield InputFault(at("adjustments", index, "stage"), f"the file has no stage {adjustment.stage}")


def next_faults(form: TournamentFile, win: Fraction) -> Iterator[InputFault]:
    """Nobody is away from the next round for two reasons, or gets more than a win for it."""
    for index, bye in enumerate(form.next.requested_byes):
        if not 0 <= bye.points <= win:
            yield InputFault(
                at("next", "requested_byes", index, "points"), "should be between 0 and the points of a win"
            )
    seen: set[str] = set()
    absent = [
        *requested(form.next.requested_byes),
        *((at("next", "missing", index), name) for index, name in enumerate(form.next.missing)),
    ]
    for pointer, name in absent:
        if name in seen:
            yield InputFault(pointer, f"{name} is named here twice")
        seen.add(name)


def unknown(ids: set[str], names: Iterable[tuple[str, str]]) -> Iterator[InputFault]:
    yield from (InputFault(pointer, f"there is no entrant {name}") for pointer, name in names if name not in ids)


def names_of(form: TournamentFile) -> Iterator[tuple[str, str]]:
    """Whoever is named outside of the rounds, with the place."""
    for index, ban in enumerate(form.forbidden):
        yield from ((at("forbidden", index, "entrants", which), name) for which, name in enumerate(ban.entrants))
    for index, adjustment in enumerate(form.adjustments):
        yield at("adjustments", index, "entrant"), adjustment.entrant
    yield from ((at("direct", index), name) for index, name in enumerate(form.direct))
    yield from ((at("choices", index, "entrant"), one.entrant) for index, one in enumerate(form.choices))
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


type PlayOffPairs = Mapping[str, tuple[str, str]]  # by the places that they play for


def play_off_faults(facts: Facts, stages: Sequence[StageForm], *, is_named: bool) -> Iterator[InputFault]:
    """Faults of stages that go on from one that is in the file too; `is_named`: the file has them under `stages`."""
    there = {stage.id for stage in stages}
    for index, stage in enumerate(stages):
        prefix = at("stages", index, "rounds") if is_named else at("rounds")
        field = stage_of(facts.ruleset, stage.id).field
        if isinstance(field, Windows) and field.stage in there:
            yield from (fault.below(prefix) for fault in window_faults(facts, field, stage))
        elif stage.rounds and not stage.rounds[0].override and (sentence := not_held(facts, stage.id, there)):
            yield InputFault(f"{prefix}/0", f"cannot be there: {sentence.removesuffix('.')}{UNLESS}")
        elif stage.rounds and (source := source_of(facts, stage.id, there)) is not None:
            yield from (fault.below(prefix) for fault in side_faults(facts, stage, source))


def not_held(facts: Facts, stage: str, there: set[str]) -> str | None:
    """Semifinals of a list that plays none, and the final after them."""
    match stage_of(facts.ruleset, stage).field:
        case Best(unless_in=str()) as field if field.stage in there:
            return opening(facts, stage).not_held
        case Players() as field if field.stage not in there:
            return not_held(facts, field.stage, there)
        case _:
            return None


def source_of(facts: Facts, stage: str, there: set[str]) -> Best | None:
    """From which list those come who are in the matches of a stage, where that is in the file too."""
    match stage_of(facts.ruleset, stage).field:
        case Best() as field if field.stage in there:
            return field
        case Players() as field if field.stage in there:
            return source_of(facts, field.stage, there)
        case _:
            return None


def side_faults(facts: Facts, stage: StageForm, source: Best) -> Iterator[InputFault]:
    """Others than the bracket says; nothing is said where a lot or a match that is still to come may change who they are."""
    first = first_of(facts, stage.id)
    later = {one.id for one in facts.ruleset.stages if first_of(facts, one.id) == first}
    before = replace(
        facts,
        fields={name: one for name, one in facts.fields.items() if name not in later},
        rounds={of: one for of, one in facts.rounds.items() if of[0] not in later},
    )
    opened = opening(before, first)
    is_open = rank(before, source.stage).unresolved or rank(before, source.stage, among=source.among).unresolved
    if settings_of(facts, stage.id).pairing.system != "knockout" or opened.awaits or opened.not_held or is_open:
        return
    seeds = seeds_of(replace(before, fields={**before.fields, first: opened.entrants}), first)
    plan, by = sides(facts, stage.id, seeds), settings_of(facts, stage.id).pairing.by("plan")
    for number, one in enumerate(stage.rounds):
        for which, game in enumerate(one.games):
            wanted = plan.get(game.match or "")
            if wanted is None or game.override or game.end in ("forfeit", "void") or set(game.seats) == set(wanted):
                continue
            detail = f"{game.match} is between {' and '.join(wanted)}{by}, not {' and '.join(game.seats)}{UNLESS}"
            yield InputFault(at(number, "games", which, "seats"), detail)


def first_of(facts: Facts, stage: str) -> str:
    """The stage that was opened with those who are in this one."""
    field = stage_of(facts.ruleset, stage).field
    return first_of(facts, field.stage) if isinstance(field, Players) else stage


def window_faults(facts: Facts, field: Windows, stage: StageForm) -> Iterator[InputFault]:
    table = rank(facts, field.stage)
    has = {row.entrant: points(row) for row in table.rows}
    names = [f"{better}-{worse}" for better, worse in field.places]
    is_sure = facts.ruleset.final.podium is not None and not table.unresolved  # a lot may still move these places
    pairs = pairs_of(facts) if is_sure else None
    for number, one in enumerate(stage.rounds):
        for which, game in enumerate(one.games):
            below = at(number, "games", which)
            if game.end == "void":
                continue
            if game.match is not None and game.match not in names:
                yield InputFault(f"{below}/match", f"should be one of {', '.join(names)}")
            elif len({has.get(seat) for seat in game.seats}) > 1:
                yield InputFault(f"{below}/seats", f"{' and '.join(game.seats)} do not have equal points")
            elif pairs is not None and is_somebody_elses(game, pairs):
                none = f"{game.match} is not" if game.match else "no play-off is"
                yield InputFault(f"{below}/seats", f"{none} between {' and '.join(game.seats)}{UNLESS}")


def is_somebody_elses(game: GameForm, pairs: PlayOffPairs) -> bool:
    """Whether others should play this game; an official may have let these play it, or somebody has left since."""
    if game.override or game.end == "forfeit":
        return False
    return set(game.seats) not in [set(pair) for name, pair in pairs.items() if game.match in {None, name}]
