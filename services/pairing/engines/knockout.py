"""A play-off: each match of which both sides are known and that is not decided has its next game.

Where the place in an earlier stage gives rights (`pair_by_places`):

1. A stage that has not begun is opened with those who have qualified. Where the list that they come from leaves some
   equal, a lot decides.
2. In a single game with the option the higher-placed chooses the colour, and then a draw is the opponent's win; or the
   draw as an own win, and then the opponent chooses the colour.
3. In a match of several games the higher-placed chooses the colour of the first, in the second colours are reversed, and
   in each later one whoever has made more discs so far chooses, the higher-placed where these are equal.
4. Who is placed higher stays so through the whole play-off.

A play-off that goes on from groups (`pair`) has single matches, and a lot says who starts.
"""

from collections.abc import Iterator
from string import ascii_uppercase, digits

from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines.attendance import opened
from services.pairing.engines.explaining import ordinal
from services.pairing.engines.field import Field, number_of_next_round, start_by_lot
from services.pairing.engines.paired_round import (
    DrawLots,
    MatchNotDecided,
    NoPairing,
    NotAvailable,
    PairedRound,
    StageOver,
    named,
)
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, BracketMatch, Everybody, Players
from shared.tournament.brackets import MatchGames, bracket_of, games_of, matches_of, planned
from shared.tournament.facts import Facts, Game, Settlement
from shared.tournament.fixtures import Fixture, fixtures
from shared.tournament.ranking import order_before, rank
from shared.tournament.stages import settings_of
from shared.values import Value

REVERSED = 2  # the game in which nobody chooses
SIDES = {"winner": "the winner", "loser": "the loser"}


def goes_by_places(facts: Facts, stage: str) -> bool:
    """Whether the place in an earlier stage gives rights in the matches of this one."""
    is_knockout = settings_of(facts, stage).pairing.system == "knockout"
    return is_knockout and stage_of(facts.ruleset, stage).seats_by is not None


# Matches in which places give rights


class ColourChoice(Value):
    """Who has black, or who chooses; and why. In a match whose first colours are not known neither can be said."""

    first: str | None = None
    option: str | None = None
    why: str


def pair_by_places(facts: Facts, stage: str, *, lots: DrawLots) -> PairedRound:
    facts, drawn = with_lots(facts, stage, lots)
    facts = opened(facts, stage)
    number = number_of_next_round(facts, stage, settings_of(facts, stage))
    found = fixtures(facts, stage)
    if not found:
        raise nothing_left(facts, stage)
    return PairedRound(
        round=number,
        method="knockout",
        pairs=tuple(seated_by_place(facts, stage, table, fixture) for table, fixture in enumerate(found, start=1)),
        explanation=(*drawn, *explanation(facts, stage, found)),
    )


def with_lots(facts: Facts, stage: str, lots: DrawLots) -> tuple[Facts, list[str]]:
    """The facts as if those who are still equal in the list had drawn, and what the lots say."""
    source, best_among = list_before(facts, stage)
    sentences: list[str] = []
    for among in (None, best_among):
        for equal in rank(facts, source, among=among).unresolved:
            order = lots(f"equal places of {source}", equal.entrants)
            lot = Settlement(stage=source, kind="lot", order=tuple((one,) for one in order))
            facts = replace(facts, settled=(*facts.settled, lot))
            sentences.append(
                f"{named(sorted(order))} are equal in the list of {source}: by lot their order is {', '.join(order)}. "
                "Write it down as a decision, so that the tables know of it."
            )
    return facts, sentences


def list_before(facts: Facts, stage: str) -> tuple[str, str | None]:
    """The stage whose list says who is in a play-off, and the part of that list which those are best of."""
    field = stage_of(facts.ruleset, stage).field
    match field:
        case Everybody():
            return stage, None
        case Players():
            return list_before(facts, field.stage)
        case Best():
            return field.stage, field.among
        case _:
            return field.stage, None


def nothing_left(facts: Facts, stage: str) -> NoPairing | StageOver:
    """Everything is decided, or waits for matches of the stage before."""
    field, matches = stage_of(facts.ruleset, stage).field, planned(facts, stage)
    played = matches_of(facts, stage, order_before(facts, stage))
    if isinstance(field, Players) and not (matches and matches.keys() <= played.keys()):
        open_yet = [f"{one.match} ({' and '.join(one.seats)})" for one in fixtures(facts, field.stage)]
        which = f"{named(open_yet)} {'is' if len(open_yet) == 1 else 'are'}" if open_yet else "its matches are"
        return NoPairing(f"Stage {stage} waits for {field.stage}: {which} not decided.")
    if not matches:
        return NoPairing(f"Stage {stage} has no matches: those who are in it go on without one.")
    return StageOver(f"All matches of stage {stage} are decided.")


def seated_by_place(facts: Facts, stage: str, table: int, fixture: Fixture) -> SeatedTable:
    choice = choice_in(facts, stage, fixture)
    begins = choice.first or choice.option or fixture.higher
    other = next(seat for seat in fixture.seats if seat != begins)
    return SeatedTable(
        table=table,
        seats=(begins, other),
        first=choice.first,
        option=choice.option,
        match=fixture.match,
        number=fixture.game if fixture.games > 1 else None,
        why=tuple(why_in_match(facts, stage, fixture, choice)),
    )


def choice_in(facts: Facts, stage: str, fixture: Fixture) -> ColourChoice:
    higher = fixture.higher
    lower = next(seat for seat in fixture.seats if seat != higher)
    if fixture.games == 1:
        if not settings_of(facts, stage).contest.option:
            return ColourChoice(first=higher, why=f"{higher} is placed higher and has black.")
        return ColourChoice(
            option=higher,
            why=f"{higher} is placed higher and chooses: either the colour, and then a draw is a win for {lower}; or the draw "
            f"as an own win, and then {lower} chooses the colour.",
        )
    if fixture.game == 1:
        return ColourChoice(option=higher, why=f"{higher} is placed higher and chooses the colour of game 1.")
    playing = playing_of(facts, stage, fixture.match)
    if fixture.game == REVERSED:
        had_black = first_in(facts, playing.games[0])
        if had_black is None:
            return ColourChoice(why="Colours are the reverse of game 1, of which they are not known.")
        now = lower if had_black == higher else higher
        return ColourChoice(
            first=now, why=f"Colours are reversed: {had_black} had black in game 1, so {now} has it now."
        )
    made, by_lower = (playing.total(one, of_scores=True) for one in (higher, lower))
    if made == by_lower:
        return ColourChoice(
            option=higher, why=f"Both have made {made} discs, so {higher}, placed higher, chooses the colour."
        )
    chooses = higher if made > by_lower else lower
    return ColourChoice(
        option=chooses,
        why=f"{chooses} has made more discs so far, {max(made, by_lower)} to {min(made, by_lower)}, and chooses the colour.",
    )


def playing_of(facts: Facts, stage: str, match: str) -> MatchGames:
    games = tuple(game for _, game in games_of(facts, stage) if game.match == match)
    return MatchGames(games=games, results=tuple(facts.results[game.id] for game in games))


def first_in(facts: Facts, game: Game) -> str | None:
    return facts.results[game.id].first or game.first


def why_in_match(facts: Facts, stage: str, fixture: Fixture, choice: ColourChoice) -> Iterator[str]:
    match = planned(facts, stage)[fixture.match]
    sides = [f"{seat} ({side_said(side)})" for seat, side in zip(fixture.seats, match.sides, strict=True)]
    of = f", game {fixture.game} of at most {fixture.games}" if fixture.games > 1 else ""
    yield f"{match.id}: {' and '.join(sides)}{of}."
    yield choice.why
    if (at_once := starts_with(facts, stage, match)) is not None:
        yield at_once
    for seat in fixture.seats:
        if seat in facts.left:
            yield f"{seat} is no longer there: the game is entered as lost."


def side_said(side: str) -> str:
    kind, colon, name = side.partition(":")
    if colon:
        return f"{kind} of {name}"
    return ordinal(int(side)) if side.isdecimal() else side


def starts_with(facts: Facts, stage: str, match: BracketMatch) -> str | None:
    if match.with_game is None:
        return None
    of = stage_of(facts.ruleset, stage).parallel_to or stage
    return f"It starts together with game {match.with_game} of the stage {of}."


def explanation(facts: Facts, stage: str, found: tuple[Fixture, ...]) -> Iterator[str]:
    title = stage_of(facts.ruleset, stage).title
    yield f"{title}: {len(found)} match{'es' if len(found) != 1 else ''} to be played."
    plan = planned(facts, stage)
    for fixture in found:
        if (at_once := starts_with(facts, stage, plan[fixture.match])) is not None:
            yield f"{fixture.match}: {at_once}"


# Matches in which a lot says who starts


def pair(field: Field) -> PairedRound:
    if bracket_of(field.facts, field.stage) is None:
        raise NotAvailable(f"The rules plan no matches for the stage {field.stage}: choose another pairing.system.")
    plan, found = planned(field.facts, field.stage), fixtures(field.facts, field.stage)
    if undecided := [one.match for one in found if one.game > one.games]:
        raise MatchNotDecided(
            f"{named(undecided)} ended in a draw and nobody has gone on yet: write down the deciding duels, or the lot "
            "after two drawn ones."
        )
    if not found:
        raise StageOver("All matches of the play-off are paired.")
    return PairedRound(
        round=field.round,
        method="knockout",
        pairs=tuple(seated_by_lot(field, table, one, plan[one.match]) for table, one in enumerate(found, start=1)),
        explanation=(f"Round {field.round} of the play-off: {named(one.match for one in found)}.",),
    )


def seated_by_lot(field: Field, table: int, fixture: Fixture, match: BracketMatch) -> SeatedTable:
    start = start_by_lot(field, fixture.seats)
    sides = [f"{name} as {described(side)}" for name, side in zip(fixture.seats, match.sides, strict=True)]
    return SeatedTable(
        table=table,
        seats=start.seats,
        first=start.seats[0],
        match=fixture.match,
        why=(f"{fixture.match}{played_for(match)}: {named(sides)}.", start.why),
    )


def described(side: str) -> str:
    """`A1` is a place in a group, `1` in the list before, `winner:QF1` where somebody comes from."""
    outcome, colon, match = side.partition(":")
    if colon:
        return f"{SIDES[outcome]} of {match}"
    place = f"the {ordinal(int(side.lstrip(ascii_uppercase)))}"
    return place if side.isdecimal() else f"{place} of group {side.rstrip(digits)}"


def played_for(match: BracketMatch) -> str:
    return "" if match.places is None else f", for place {match.places[0]}"
