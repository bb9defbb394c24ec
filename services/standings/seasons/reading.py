"""A season in a file: its rules, what happened, and everything that is wrong with them at once."""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from services.standings.seasons.year import SeasonFile, Tournament
from shared.faults import Fault, Faulty, at, of_shape, unpacked
from shared.refusals import NotFound
from shared.rulesets import seasons
from shared.rulesets.season import Season

SENTENCE = "The season cannot be computed: mend what errors name."


def read(content: object) -> tuple[Season, SeasonFile]:
    """From the bytes of a file, or from the object in it."""
    found = unpacked(content, SENTENCE)
    try:
        year = SeasonFile.model_validate(found)
    except ValidationError as error:
        raise Faulty(SENTENCE, of_shape(error, found)) from None
    season = rules_of(year)
    if faults := tuple(faults_of(season, year)):
        raise Faulty(SENTENCE, faults)
    return season, year


def rules_of(year: SeasonFile) -> Season:
    try:
        return seasons.load(year.season) if isinstance(year.season, str) else seasons.read(year.season)
    except NotFound as unknown:
        raise Faulty(SENTENCE, [Fault("/season", str(unknown))]) from None
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below("/season") for fault in faulty.faults]) from None


def faults_of(season: Season, year: SeasonFile) -> Iterator[Fault]:
    players = [player.id for player in year.players]
    yield from twice(players, "players", "id")
    yield from twice([one.id for one in year.tournaments], "tournaments", "id")
    champions = [index for index, player in enumerate(year.players) if player.champion]
    for index in champions[1:]:
        yield Fault(at("players", index, "champion"), f"{players[champions[0]]} is the champion already")
    known = frozenset(players)
    for index, decision in enumerate(year.decisions):
        yield from (fault.below(at("decisions", index)) for fault in twice(decision.order, "order"))
        for place, player in enumerate(decision.order):
            if player not in known:
                yield Fault(at("decisions", index, "order", place), f"there is no player {player}")
    for index, tournament in enumerate(year.tournaments):
        for fault in tournament_faults(season, tournament, known):
            yield fault.below(at("tournaments", index))


def twice(ids: Sequence[str], *steps: str) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, one in enumerate(ids):
        if one in seen:
            yield Fault(at(steps[0], index, *steps[1:]), f"{one} stands here twice")
        seen.add(one)


def tournament_faults(season: Season, tournament: Tournament, known: frozenset[str]) -> Iterator[Fault]:
    if tournament.kind not in season.kinds:
        yield Fault("/kind", f"there is no kind {tournament.kind}, but {', '.join(season.kinds)}")
    movable = [rating.id for rating in season.ratings if tournament.kind in rating.kinds]
    if tournament.list is not None and tournament.list not in movable:
        yield Fault("/list", f"{tournament.kind} moves {' or '.join(movable) or 'no list'}")
    yield from twice([one.player for one in tournament.places], "places", "player")
    yield from twice(tournament.organisers, "organisers")
    for pointer, player in named(tournament):
        if player not in known:
            yield Fault(pointer, f"there is no player {player}")
    for index, game in enumerate(tournament.games):
        if game.players[0] == game.players[1]:
            yield Fault(at("games", index, "players"), f"{game.players[0]} cannot play alone")


def named(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Whoever it names, with the place."""
    for index, placed in enumerate(tournament.places):
        yield at("places", index, "player"), placed.player
    for index, organiser in enumerate(tournament.organisers):
        yield at("organisers", index), organiser
    for index, game in enumerate(tournament.games):
        for seat, player in enumerate(game.players):
            yield at("games", index, "players", seat), player
