"""The file of a season as it is known here, composed of what its tournaments contribute, what the federation has decided,
and who turned out to be one person.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from services.standings.domain.season import Book, ContestElsewhere, FirstRating, GameElsewhere
from services.standings.seasons.contribution import ReachedPlace, SeasonContribution
from services.standings.seasons.file import Game, Placed, Player, SeasonFile, Settled, Tournament
from shared.numbers import Number, exact
from shared.rulesets.season import Season

type SeasonContributions = Mapping[str, SeasonContribution]  # the tournaments of the platform, by their ids
type Merged = Mapping[str, str]  # ids of persons that lead to another one


def season_file(rules: Season, book: Book, contributions: SeasonContributions, merged: Merged) -> SeasonFile:
    """Its tournaments are in order of time. All was checked when it was told, so that nothing is looked at once more."""
    dated = [
        *((one.announced.on, name, tournament(rules, book, name, one, merged)) for name, one in contributions.items()),
        *(
            (one.on, one.contest, contest(one, book.games.get(one.contest, ()), merged))
            for one in book.contests.values()
        ),
    ]
    tournaments = [one for *_, one in sorted(dated, key=lambda several: several[:2])]
    ratings = first_ratings(book, merged)
    champion = None if book.champion is None else merged.get(book.champion, book.champion)
    everybody: set[str] = {*ratings, *([champion] if champion else [])}
    everybody.update(person for one in tournaments for person in named(one))
    players = [player(one, ratings.get(one), is_champion=one == champion) for one in sorted(everybody)]
    return SeasonFile.model_construct(
        season=rules.id,
        players=tuple(players),
        tournaments=tuple(tournaments),
        field=book.places,
        decisions=tuple(
            Settled.model_construct(kind=one.by, order=tuple(merged.get(person, person) for person in one.order))
            for one in book.cut.values()
        ),
    )


def persons_in(book: Book, contributions: SeasonContributions) -> set[str]:
    """Everybody who stands anywhere in it, by the ids of that time."""
    return {
        *book.ratings,
        *([book.champion] if book.champion else []),
        *(person for _, person in book.serious),
        *(person for persons in book.cut for person in persons),
        *(row.person for row in book.told_to_qualify),
        *(placed.person for one in book.contests.values() for placed in one.places),
        *(person for one in book.contests.values() for person in one.organisers),
        *(person for games in book.games.values() for game in games for person in game.persons),
        *(person for one in contributions.values() for person in one.announced.organisers),
        *(person for one in contributions.values() for reached in one.places for person in reached.persons),
    }


def named(one: Tournament) -> Iterator[str]:
    yield from (placed.player for placed in one.places)
    yield from one.organisers
    yield from (person for game in one.games for person in game.players)


def tournament(rules: Season, book: Book, name: str, one: SeasonContribution, merged: Merged) -> Tournament:
    serious = {merged.get(person, person) for held, person in book.serious if held == name}
    placed = [
        (person, reached.place, is_without_points(rules, reached, is_serious=person in serious))
        for reached in one.places
        for person in (merged.get(each, each) for each in reached.persons)
    ]
    announced = one.announced
    return Tournament.model_construct(
        id=name,
        kind=announced.kind,
        list=announced.rating_list,
        places=places(placed),
        games=games(
            (
                (game.persons, (exact(game.points[0]), exact(game.points[1])))
                for game in one.games
                if game.end not in rules.unrated_endings
            ),
            merged,
        ),
        organisers=tuple(merged.get(person, person) for person in announced.organisers),
    )


def is_without_points(rules: Season, reached: ReachedPlace, *, is_serious: bool) -> bool:
    if reached.left is None or reached.left not in rules.without_points:
        return False
    return reached.left == "expelled" or not is_serious


def contest(one: ContestElsewhere, played: Sequence[GameElsewhere], merged: Merged) -> Tournament:
    return Tournament.model_construct(
        id=one.contest,
        kind=one.kind,
        list=one.rating_list,
        places=places([(merged.get(row.person, row.person), row.place, row.expelled) for row in one.places]),
        games=games(((game.persons, (exact(game.points), 1 - exact(game.points))) for game in played), merged),
        organisers=tuple(merged.get(person, person) for person in one.organisers),
    )


def games(played: Iterable[tuple[tuple[str, str], tuple[Fraction, Fraction]]], merged: Merged) -> tuple[Game, ...]:
    """Two ids that turned out to be one person have not played each other."""
    found = ((merged.get(one, one), merged.get(other, other), points) for (one, other), points in played)
    return tuple(
        Game.model_construct(players=(one, other), points=points) for one, other, points in found if one != other
    )


def places(rows: list[tuple[str, int, bool]]) -> tuple[Placed, ...]:
    """Who stands there under two ids that turned out to be one person has the better place."""
    best: dict[str, tuple[str, int, bool]] = {}
    for row in sorted(rows, key=lambda row: row[1]):
        best.setdefault(row[0], row)
    return tuple(
        Placed.model_construct(player=person, place=place, expelled=expelled)
        for person, place, expelled in best.values()
    )


def first_ratings(book: Book, merged: Merged) -> Mapping[str, FirstRating]:
    """What was said of the id that is left goes before what was said of a duplicate."""
    duplicates = {merged[person]: one for person, one in book.ratings.items() if person in merged}
    return duplicates | {person: one for person, one in book.ratings.items() if person not in merged}


def player(person: str, first: FirstRating | None, *, is_champion: bool) -> Player:
    known = first or FirstRating(person=person)
    return Player.model_construct(
        id=person,
        rating=number(known.rating),
        online_rating=number(known.online_rating),
        games=known.games,
        online_games=known.online_games,
        champion=is_champion,
        played_this_season=False,
    )


def number(value: Number | None) -> Fraction | None:
    return None if value is None else exact(value)
