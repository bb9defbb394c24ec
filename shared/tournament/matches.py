"""The matches of a play-off: who played whom, and who went on."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from shared.rulesets.play import Contest
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Bracket, BracketMatch, Players
from shared.tournament.facts import Facts, Game, Result
from shared.tournament.stages import field_of, settings_of, size_of
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


class Playing(Value):
    """The games of a match that stand, and the results that there are."""

    games: tuple[Game, ...]
    results: tuple[Result, ...]

    def total(self, entrant: str, *, of_scores: bool) -> Fraction:
        found = zip(self.games, self.results, strict=False)
        return sum(
            ((result.scores if of_scores else result.points)[game.seats.index(entrant)] for game, result in found),
            NOTHING,
        )


def bracket_of(facts: Facts, stage: str) -> Bracket | None:
    """The one for the size of the field; none where the rules know none."""
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
    """The matches that a stage has by its bracket."""
    bracket = bracket_of(facts, stage)
    return {} if bracket is None else {match.id: match for match in bracket.matches}


def matches_of(facts: Facts, stage: str, order: Sequence[str]) -> Mapping[str, Match]:
    """All of a stage. `order` says who is placed higher, where that decides."""
    contest, plan = settings_of(facts, stage).contest, planned(facts, stage)
    games: dict[str, list[tuple[int, Game]]] = {}
    for number, game in games_of(facts, stage):
        games.setdefault(game.match or game.id, []).append((number, game))
    found: dict[str, Match] = {}
    for name, several in games.items():
        results = [facts.results[game.id] for _, game in several if game.id in facts.results]
        is_whole = len(results) == len(several)
        playing = Playing(games=tuple(game for _, game in several), results=tuple(results))
        best_of = plan[name].games if name in plan else len(several)
        found[name] = Match(
            id=name,
            round=several[-1][0],
            entrants=several[0][1].seats,
            winner=winner_of(playing, contest, best_of, order) if is_whole else None,
        )
    return found


def games_of(facts: Facts, stage: str) -> Iterator[tuple[int, Game]]:
    """Those that count, in the order of rounds and of games inside a match."""
    for (of, number), one in sorted(facts.rounds.items(), key=lambda item: item[0]):
        if of == stage:
            games = sorted(one.games, key=lambda game: (game.match or "", game.number or 0, game.table))
            yield from ((number, game) for game in games if game.id not in facts.voided)


def winner_of(playing: Playing, contest: Contest, best_of: int, order: Sequence[str]) -> str | None:
    """By what was said of a drawn match, by points, and then as the rules go on; none while it is open."""
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


def most_in_a_game(playing: Playing) -> Fraction:
    """By how much a single game can change a lead."""
    return max(abs(result.points[0] - result.points[1]) for result in playing.results)


def drawn(playing: Playing, contest: Contest, order: Sequence[str]) -> str | None:
    """Who goes on although the points are equal."""
    one, other = playing.games[0].seats[:2]
    lead = playing.total(one, of_scores=True) - playing.total(other, of_scores=True)
    match contest.drawn.then:
        case "discs" if lead:
            return one if lead > 0 else other
        case "discs" | "higher-placed":
            return next((name for name in order if name in {one, other}), None)
        case "lot" | "stands":
            return None
