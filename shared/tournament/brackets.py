"""The matches of a play-off: who played whom, who went on, and which places are still open to everybody in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from string import digits

from msgspec.structs import replace

from shared.numbers import Exact
from shared.rulesets.play import Contest
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Bracket, BracketMatch, GroupPlaces, Players, Windows
from shared.tournament.facts import Facts, Game, Result
from shared.tournament.stages import ALONE, field_of, gone_before, gone_by_the_end, groups_of, settings_of, size_of
from shared.values import Value

NOTHING = Fraction(0)


class Match(Value):
    """What was played of a match so far."""

    id: str
    round: int  # of its last game
    entrants: tuple[str, ...]
    winner: str | None  # none while it is not decided

    @property
    def loser(self) -> str | None:
        return next((one for one in self.entrants if self.winner not in {None, one}), None)


class MatchGames(Value):
    """The games of a match that stand, and the results that there are."""

    games: tuple[Game, ...]
    results: tuple[Result, ...]

    def total(self, entrant: str, *, of_scores: bool) -> Exact:
        """Whoever plays a game of it in place of somebody else, by hand, adds nothing to what that one has."""
        found = zip(self.games, self.results, strict=False)
        return sum(
            (
                (result.scores if of_scores else result.points)[game.seats.index(entrant)]
                for game, result in found
                if entrant in game.seats
            ),
            NOTHING,
        )


def bracket_of(facts: Facts, stage: str) -> Bracket | None:
    """The bracket for the size of the field; none where the rules know none."""
    found = stage_of(facts.ruleset, stage)
    comes_from = found.field.stage if isinstance(found.field, Players) else stage
    source = comes_from if comes_from in facts.fields else stage  # where so few are there, the one before is left out
    sizes = {
        "tournament": size_of(facts, facts.ruleset.stages[0].id),
        "stage": len(field_of(facts, source)),
    }
    for bracket in found.brackets:
        if bracket.fits(sizes[bracket.of]):
            return bracket
    return None


def planned(facts: Facts, stage: str) -> Mapping[str, BracketMatch]:
    """The matches that a stage has by its bracket. Whoever would meet nobody in one goes on without it."""
    return with_those_there(facts, stage)[0]


def with_those_there(facts: Facts, stage: str) -> tuple[Mapping[str, BracketMatch], Mapping[str, str | None]]:
    """The matches for which both sides are there; and of each side of another who stands there instead, or nobody."""
    bracket, field = bracket_of(facts, stage), stage_of(facts.ruleset, stage).field
    if bracket is None:
        return {}, {}
    instead = dict(with_those_there(facts, field.stage)[1]) if isinstance(field, Players) else {}
    there, played = PlacesThere.of(facts, stage), {game.match for _, game in games_of(facts, stage)}
    found: dict[str, BracketMatch] = {}
    for match in sorted(bracket.matches, key=lambda one: one.round):
        sides = [instead.get(side, side if side in there else None) for side in match.sides]
        left = [side for side in sides if side is not None]
        if len(left) == len(sides):
            found[match.id] = match if tuple(left) == match.sides else match.model_copy(update={"sides": tuple(left)})
        elif match.id in played:
            found[match.id] = match
        else:
            instead |= {f"winner:{match.id}": next(iter(left), None), f"loser:{match.id}": None}
    return {match.id: found[match.id] for match in bracket.matches if match.id in found}, instead


@dataclass(frozen=True)
class PlacesThere:
    """Which of the places that a bracket names somebody can take, as far as the rules fill them from a table."""

    groups: Mapping[str, int] | None = None  # how many of each are there
    several: int | None = None

    @classmethod
    def of(cls, facts: Facts, stage: str) -> "PlacesThere":
        match stage_of(facts.ruleset, stage).field:
            case Players(stage=earlier):
                return cls.of(facts, earlier)
            case GroupPlaces(stage=earlier):
                letters, gone = groups_of(facts, earlier), gone_by_the_end(facts, earlier)
                opened = facts.fields.get(stage) or [name for name in field_of(facts, earlier) if name not in gone]
                return cls(groups=Counter(letters.get(name, ALONE) for name in opened))
            case Best(stage=earlier, among=among):
                gone = gone_before(facts, stage) | facts.direct
                there = [
                    name
                    for name, one in field_of(facts, earlier).items()
                    if name not in gone and (among is None or among in one.lists)
                ]
                return cls(several=len(facts.fields.get(stage) or there))
            case _:
                return cls()

    def __contains__(self, side: str) -> bool:
        """Whoever comes from another match is there, unless nobody plays that."""
        letter = side.rstrip(digits)
        number = side.removeprefix(letter)
        if ":" in side or not number:
            return True
        if self.groups is not None:
            return int(number) <= self.groups.get(letter or ALONE, 0)
        return self.several is None or bool(letter) or int(number) <= self.several


def matches_of(facts: Facts, stage: str, order: Sequence[str]) -> Mapping[str, Match]:
    """All matches of a stage. `order` says who is placed higher, where that decides."""
    contest, plan = settings_of(facts, stage).contest, planned(facts, stage)
    is_window = isinstance(stage_of(facts.ruleset, stage).field, Windows)
    games: dict[str, list[tuple[int, Game]]] = {}
    for number, game in games_of(facts, stage):
        several = games.setdefault(game.match or game.id, [])
        if is_window and several and set(several[0][1].seats) != set(game.seats):
            several.clear()  # what others played counts for nothing, once the list has made another pair
        several.append((number, game))
    found: dict[str, Match] = {}
    for name, several in games.items():
        results = [facts.results[game.id] for _, game in several if game.id in facts.results]
        is_whole = len(results) == len(several)
        playing = MatchGames(games=tuple(game for _, game in several), results=tuple(results))
        best_of = plan[name].games if name in plan else len(several)
        found[name] = Match(
            id=name,
            round=several[-1][0],
            entrants=several[0][1].seats,
            winner=winner_of(playing, contest, best_of, order) if is_whole else None,
        )
    return found


def games_of(facts: Facts, stage: str) -> Iterator[tuple[int, Game]]:
    """The games that count, in the order of rounds and of games inside a match."""
    for (of, number), one in sorted(facts.rounds.items(), key=lambda item: item[0]):
        if of == stage:
            games = sorted(one.games, key=lambda game: (game.match or "", game.number or 0, game.table))
            yield from ((number, game) for game in games if game.id not in facts.voided)


def winner_of(playing: MatchGames, contest: Contest, best_of: int, order: Sequence[str]) -> str | None:
    """Who has won: by what was said of a drawn match, by points, and then as the rules go on; none while it is open."""
    said = next((result.winner for result in playing.results if result.winner is not None), None)
    if said is not None:
        return said
    one, other = playing.games[0].seats[:2]
    lead = playing.total(one, of_scores=False) - playing.total(other, of_scores=False)
    left = best_of - len(playing.results)
    if abs(lead) > left * most_in_a_game(playing):
        return one if lead > 0 else other
    if left > 0:
        return None
    if best_of == 1 and contest.option:
        return playing.results[0].draw_wins
    return drawn(playing, contest, order)


def most_in_a_game(playing: MatchGames) -> Exact:
    """By how much a single game can change a lead."""
    return max(abs(result.points[0] - result.points[1]) for result in playing.results)


def drawn(playing: MatchGames, contest: Contest, order: Sequence[str]) -> str | None:
    """Who goes on from a match whose points are equal, by what the rules say of it; none while that is open."""
    one, other = playing.games[0].seats[:2]
    lead = playing.total(one, of_scores=True) - playing.total(other, of_scores=True)
    match contest.drawn.then:
        case "discs" if lead:
            return one if lead > 0 else other
        case "discs" | "higher-placed":
            return next((name for name in order if name in {one, other}), None)
        case "lot" | "stands":
            return None


type PlaceSpan = tuple[int, int]  # the best and the worst place that somebody can still reach
type Exit = tuple[int, int]  # the round of somebody's last match, and 0 for having won it

WON, LOST = 0, 1


@dataclass(frozen=True, eq=False)
class Course:
    """Matches that lead from one to another, possibly over several stages, as far as they are played."""

    plan: Mapping[str, BracketMatch]
    played: Mapping[str, Match]

    @classmethod
    def of(cls, facts: Facts, stages: Sequence[str], order: Sequence[str]) -> "Course":
        """Rounds are counted through all of the stages."""
        plan: dict[str, BracketMatch] = {}
        played: dict[str, Match] = {}
        before = 0
        for stage in stages:
            here = {
                name: one.model_copy(update={"round": one.round + before})
                for name, one in planned(facts, stage).items()
            }
            found = matches_of(facts, stage, order)
            plan |= here
            played |= {name: replace(one, round=before + one.round) for name, one in found.items()}
            before = max([before, *(one.round for one in here.values()), *(one.round for one in found.values())])
        return cls(plan, played)

    @cached_property
    def following(self) -> Mapping[tuple[str, int], str]:
        """The match into which the winner or the loser of another goes."""
        words = {"winner": WON, "loser": LOST}
        sides = [(side.partition(":"), name) for name, match in self.plan.items() for side in match.sides]
        return {(other, words[kind]): name for (kind, colon, other), name in sides if colon}

    @cached_property
    def last_matches(self) -> Mapping[str, Match]:
        """The last match of everybody."""
        return {entrant: one for one in sorted(self.played.values(), key=self._when) for entrant in one.entrants}

    @cached_property
    def exits(self) -> Mapping[Exit, PlaceSpan]:
        """The places of those who leave without a match for them, the later the better."""
        numbers: dict[Exit, int] = {}
        for name, match in self.plan.items():
            for outcome in (WON, LOST):
                if match.places is None and (name, outcome) not in self.following:
                    leave = (match.round, outcome)
                    numbers[leave] = numbers.get(leave, 0) + 1
        for entrant, match in self.last_matches.items():
            if self._places(match.id) is None and match.id not in self.plan and match.winner is not None:
                leave = (match.round, WON if match.winner == entrant else LOST)
                numbers[leave] = numbers.get(leave, 0) + 1
        played_for = [place for name in self.plan.keys() | self.played.keys() for place in self._places(name) or ()]
        first = 1 + max(played_for, default=0)
        found: dict[Exit, PlaceSpan] = {}
        for leave in sorted(numbers, key=lambda one: (-one[0], one[1])):
            found[leave] = (first, first + numbers[leave] - 1)
            first += numbers[leave]
        return found

    def span(self, entrant: str, *, most: int) -> PlaceSpan:
        """The places that somebody in a field of so many can still reach."""
        match = self.last_matches.get(entrant)
        if match is None:
            return self._waiting(most)
        if match.winner is None:
            known = match.id in self.plan or self._places(match.id) is not None
            return self._either(match.id) if known else (1, most)
        return self._after(match.id, WON if match.winner == entrant else LOST, match.round)

    def _waiting(self, most: int) -> PlaceSpan:
        """Of whoever has played nothing yet: what the matches still lead to into which places lead."""
        to_come = [
            self._either(name)
            for name, match in self.plan.items()
            if name not in self.played and any(":" not in side for side in match.sides)
        ]
        best, worst = zip(*to_come or [(1, most)], strict=True)
        return (min(best), max(worst))

    def _when(self, match: Match) -> tuple[int, str]:
        plan = self.plan.get(match.id)
        return (match.round if plan is None else plan.round, match.id)

    def _places(self, name: str) -> PlaceSpan | None:
        """The places of winner and loser: as the rules plan it, or as the name of the match says."""
        return self.plan[name].places if name in self.plan else places_by_name(name)

    def _either(self, name: str) -> PlaceSpan:
        number = self.plan[name].round if name in self.plan else 0
        won, lost = self._after(name, WON, number), self._after(name, LOST, number)
        return min(won[0], lost[0]), max(won[1], lost[1])

    def _after(self, name: str, outcome: int, number: int) -> PlaceSpan:
        places = self._places(name)
        if places is not None:
            return (places[outcome], places[outcome])
        if (name, outcome) in self.following:
            return self._either(self.following[name, outcome])
        return self.exits[self.plan[name].round if name in self.plan else number, outcome]


def places_by_name(match: str) -> PlaceSpan | None:
    """`final`, `third` and `place5` are played for places whatever else is known of them."""
    first = {"final": "1", "third": "3"}.get(match, match.removeprefix("place") if match.startswith("place") else "")
    return (int(first), int(first) + 1) if first.isdecimal() else None


def in_order(spans: Mapping[str, PlaceSpan]) -> Mapping[str, int]:
    """Who can only do worse stands behind; the same prospects are the same place."""
    keys = {entrant: (worst, best) for entrant, (best, worst) in spans.items()}
    return {entrant: 1 + sum(other < key for other in keys.values()) for entrant, key in keys.items()}


def places(facts: Facts, stage: str, order: Sequence[str]) -> Mapping[str, int]:
    """The places by the matches of a stage, as far as they are played."""
    course = Course.of(facts, (stage,), order)
    field = field_of(facts, stage)
    return in_order({entrant: course.span(entrant, most=len(field)) for entrant in field})
