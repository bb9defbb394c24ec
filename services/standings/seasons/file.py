"""What happened in a season, as a file or the services say it; and everything that is wrong with a file at once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError

from shared.faults import Faulty, InputFault, at, of_shape, unpacked
from shared.refusals import NotFound
from shared.rulesets import seasons
from shared.rulesets.parts import Exact, Part, Slug
from shared.rulesets.season import Season

HALF_POINTS = (0, 0.5, 1)
MOST = 4000  # as high as no rating has ever been


def in_reach(rating: Exact) -> Exact:
    if not 0 <= rating <= MOST:
        raise ValueError(f"should be between 0 and {MOST}")
    return rating


def of_a_game(points: Exact) -> Exact:
    if points not in HALF_POINTS:
        raise ValueError("should be 0, 0.5 or 1")
    return points


def between_two(points: tuple[Exact, Exact]) -> tuple[Exact, Exact]:
    if sum(points) > 1:
        raise ValueError("should be at most 1 together")
    return points


type Id = Annotated[str, Field(min_length=1, max_length=64)]
type RatingNumber = Annotated[Exact, AfterValidator(in_reach)]
type Points = Annotated[Exact, AfterValidator(of_a_game)]


class Player(Part):
    """Somebody who plays in the season, as at its beginning."""

    id: Id = Field(examples=["N"])
    rating: RatingNumber | None = Field(
        default=None, description="On the live list; a new player starts as the season says.", examples=[1720]
    )
    online_rating: RatingNumber | None = Field(default=None, description="On the online list.", examples=[1600])
    games: int = Field(default=0, ge=0, le=1_000_000, description="Ever played for the live list.", examples=[49])
    online_games: int = Field(default=0, ge=0, le=1_000_000, description="For the online list.", examples=[0])
    champion: bool = Field(default=False, description="Whether this is the reigning champion.", examples=[False])
    played_this_season: bool = Field(
        default=False, description="Also in a tournament that is not listed here.", examples=[True]
    )


class Placed(Part):
    """The place that somebody reached."""

    player: Id = Field(examples=["N"])
    place: int = Field(ge=1, le=100_000, description="The two of a pair have one place.", examples=[3])
    expelled: bool = Field(
        default=False, description="Also who left without serious reason: nobody gets the points.", examples=[False]
    )


class Game(Part):
    """A game that counts for ratings."""

    players: tuple[Id, Id] = Field(examples=[["N", "M"]])
    points: Annotated[tuple[Points, Points], AfterValidator(between_two)] = Field(examples=[[1, 0]])


class Tournament(Part):
    """A tournament, a contest or a championship of the season."""

    id: Id = Field(examples=["T1"])
    kind: Slug = Field(description="One of the season's kinds.", examples=["live"])
    list: Slug | None = Field(
        default=None,
        description="The rating list that it moves, where its kind can move either: otherwise the first one.",
        examples=["live"],
    )
    places: tuple[Placed, ...] = ()
    games: tuple[Game, ...] = ()
    organisers: tuple[Id, ...] = Field(default=(), description="Who may get a bonus for it.", examples=[["N"]])


class Settled(Part):
    """Who were equal at the cut, in the order that a lot or the federation gave them."""

    kind: Literal["lot", "decision"] = Field(default="lot", examples=["lot"])
    order: tuple[Id, ...] = Field(min_length=2, examples=[["D", "C"]])


class SeasonFile(Part, defer_build=False):
    """Everything that a season is computed from; tournaments in order of time."""

    season: str | dict[str, Any] = Field(
        description="An id, or the whole rules of a season.", examples=["scrabble-sk-2022"]
    )
    players: tuple[Player, ...]
    tournaments: tuple[Tournament, ...]
    field: int | None = Field(
        default=None, ge=1, le=100_000, description="How many qualify; otherwise as the season says.", examples=[32]
    )
    decisions: tuple[Settled, ...] = Field(
        default=(), description="Answers to what was unresolved. Each counts as long as just these are equal."
    )


SENTENCE = "The season cannot be computed: mend what errors name."


def read(content: object) -> tuple[Season, SeasonFile]:
    """The rules and the file, from its bytes or from the object in it."""
    found = unpacked(content, SENTENCE)
    try:
        file = SeasonFile.model_validate(found)
    except ValidationError as error:
        raise Faulty(SENTENCE, of_shape(error, found)) from None
    season = rules_of(file)
    if faults := tuple(faults_of(season, file)):
        raise Faulty(SENTENCE, faults)
    return season, file


def rules_of(file: SeasonFile) -> Season:
    try:
        return seasons.load(file.season) if isinstance(file.season, str) else seasons.read(file.season)
    except NotFound as unknown:
        raise Faulty(SENTENCE, [InputFault("/season", str(unknown))]) from None
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below("/season") for fault in faulty.faults]) from None


def faults_of(season: Season, file: SeasonFile) -> Iterator[InputFault]:
    players = [player.id for player in file.players]
    yield from twice(players, "players", "id")
    yield from twice([one.id for one in file.tournaments], "tournaments", "id")
    champions = [index for index, player in enumerate(file.players) if player.champion]
    for index in champions[1:]:
        yield InputFault(at("players", index, "champion"), f"{players[champions[0]]} is the champion already")
    known = frozenset(players)
    for index, decision in enumerate(file.decisions):
        yield from (fault.below(at("decisions", index)) for fault in twice(decision.order, "order"))
        for place, player in enumerate(decision.order):
            if player not in known:
                yield InputFault(at("decisions", index, "order", place), f"there is no player {player}")
    for index, tournament in enumerate(file.tournaments):
        for fault in tournament_faults(season, tournament, known):
            yield fault.below(at("tournaments", index))


def twice(ids: Sequence[str], *steps: str) -> Iterator[InputFault]:
    seen: set[str] = set()
    for index, one in enumerate(ids):
        if one in seen:
            yield InputFault(at(steps[0], index, *steps[1:]), f"{one} stands here twice")
        seen.add(one)


def crowded(places: Sequence[int], most: int) -> Iterator[int]:
    """Which of them, by number, give a place that as many have before as can have it."""
    given: Counter[int] = Counter()
    for index, place in enumerate(places):
        given[place] += 1
        if given[place] > most:
            yield index


def crowded_place(season: Season, kind: str, place: int) -> str:
    if season.most_at_a_place(kind) > 1:
        return f"place {place} is given to more than the two of a pair: pairs that are equal are told apart by a lot"
    return f"place {place} is given twice: who is equal is told apart by a lot, and only in {in_pairs(season)} two have one"


def in_pairs(season: Season) -> str:
    return f"a tournament of the kind {season.implied['pair']}" if "pair" in season.implied else "tournaments of pairs"


def tournament_faults(season: Season, tournament: Tournament, known: frozenset[str]) -> Iterator[InputFault]:
    if tournament.kind not in season.kinds:
        yield InputFault("/kind", f"there is no kind {tournament.kind}, but {', '.join(season.kinds)}")
    movable = [rating.id for rating in season.ratings if tournament.kind in rating.kinds]
    if tournament.list is not None and tournament.list not in movable:
        yield InputFault("/list", f"{tournament.kind} moves {' or '.join(movable) or 'no list'}")
    yield from twice([one.player for one in tournament.places], "places", "player")
    for index in crowded([one.place for one in tournament.places], season.most_at_a_place(tournament.kind)):
        yield InputFault(
            at("places", index, "place"), crowded_place(season, tournament.kind, tournament.places[index].place)
        )
    yield from twice(tournament.organisers, "organisers")
    for pointer, player in named(tournament):
        if player not in known:
            yield InputFault(pointer, f"there is no player {player}")
    for index, game in enumerate(tournament.games):
        if game.players[0] == game.players[1]:
            yield InputFault(at("games", index, "players"), f"{game.players[0]} cannot play alone")


def named(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Everybody whom it names, with the place in the file."""
    for index, placed in enumerate(tournament.places):
        yield at("places", index, "player"), placed.player
    for index, organiser in enumerate(tournament.organisers):
        yield at("organisers", index), organiser
    for index, game in enumerate(tournament.games):
        for seat, player in enumerate(game.players):
            yield at("games", index, "players", seat), player
