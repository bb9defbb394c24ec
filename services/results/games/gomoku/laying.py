"""Stones and the choice of colours: what of the play stands on the board."""

from msgspec.structs import replace

from services.results.games.gomoku.board import ALL, SIZE, Point
from services.results.games.gomoku.game import (
    OPENING_STONES,
    Choosing,
    Full,
    Game,
    Laying,
    Opened,
    Placed,
    Playing,
    Seat,
    State,
    across,
    to_act,
)
from services.results.games.gomoku.moves import Stone, Take
from services.results.games.transcript import IllegalMove


def lay(game: Game, state: Opened, index: int, stone: Stone) -> Game:
    require_free(game, index, stone.point)
    match state:
        case Laying():
            colour = colour_in_opening(game, index, stone)
            following = go_on_laying(game, state)
        case Choosing():
            if not state.may_add:
                raise IllegalMove(index, f"is a stone, but seat {state.seat} has to take a colour", game.opening.rule)
            colour = colour_in_opening(game, index, stone)
            following = Laying(seat=state.seat, left=1)
        case Playing():
            require_distance(game, index, stone.point)
            colour = state.colours[state.to_move]
            require_colour(index, stone, colour, game.profile.rules.turn)
            following = replace(state, to_move=across(state.to_move))
    stones = {**game.stones, stone.point: Placed(colour=colour, at=index)}
    if len(stones) == SIZE * SIZE and isinstance(following, Playing):
        return replace(game, stones=stones, state=Full(colours=following.colours, at=index))
    return acted(replace(game, stones=stones, state=following), to_act(state), index)


def go_on_laying(game: Game, state: Laying) -> State:
    if state.left > 1:
        return replace(state, left=state.left - 1)
    may_add = game.opening.adding and len(game.stones) < OPENING_STONES
    return Choosing(seat=across(state.seat), may_add=may_add)


def take(game: Game, state: Opened, index: int, choice: Take) -> Game:
    rule = game.opening.rule
    match state:
        case Laying():
            raise IllegalMove(index, f"takes a colour, but seat {state.seat} has {state.left} more to lay", rule)
        case Playing():
            raise IllegalMove(index, "takes a colour, but the colours are settled", rule)
        case Choosing(seat=seat):
            if choice.by not in {None, seat}:
                raise IllegalMove(
                    index, f"takes a colour for seat {choice.by}, but the choice is with seat {seat}", rule
                )
    other = game.other(choice.colour)
    colours = (choice.colour, other) if seat == 0 else (other, choice.colour)
    following = Playing(colours=colours, to_move=0 if colours[0] == fewer(game) else 1)
    return acted(replace(game, state=following), seat, index)


def fewer(game: Game) -> str:
    """Of which colour fewer stones are on the board: who has it moves next."""
    return min(game.profile.colours, key=lambda colour: len(game.of(colour)))


def acted(game: Game, seat: Seat, index: int) -> Game:
    """An offer lapses when the other side goes on instead of answering."""
    offered = game.offered
    if offered is None or offered.answered is not None or offered.by == seat:
        return game
    return replace(game, offered=replace(offered, answered=index))


def require_free(game: Game, index: int, point: Point) -> None:
    rule = game.profile.rules.board
    if point not in ALL:
        raise IllegalMove(index, f"is on {point}, outside the board, whose rows and columns are 0 to {SIZE - 1}", rule)
    before = game.stones.get(point)
    if before is not None:
        raise IllegalMove(index, f"is on {point}, which is occupied since move {before.at}", rule)


def require_distance(game: Game, index: int, point: Point) -> None:
    number = len(game.stones)
    if number < len(game.opening.distances):
        least, most = game.opening.distances[number]
        if not least <= point.from_centre <= most:
            wanted = f"{least}" if least == most else f"{least} or more"
            detail = f"is on {point}, {point.from_centre} from the centre, where stone {number + 1} has to be {wanted}"
            raise IllegalMove(index, detail, game.opening.rule)


def require_colour(index: int, stone: Stone, colour: str, rule: str) -> None:
    if stone.colour not in {None, colour}:
        raise IllegalMove(index, f"is {stone.colour}, but it is {colour} that moves", rule)


def colour_in_opening(game: Game, index: int, stone: Stone) -> str:
    rule = game.opening.rule
    number = len(game.stones)
    first, second = game.profile.colours
    if not game.opening.free:
        colour = first if number % 2 == 0 else second
        require_colour(index, stone, colour, rule)
        return colour
    if stone.colour is None:
        raise IllegalMove(index, f"does not say whether it is {first} or {second}, which is open in the opening", rule)
    before = [placed.colour for placed in game.stones.values()]
    if number == OPENING_STONES - 1 and before.count(stone.colour) == number:
        raise IllegalMove(
            index, f"is the third {stone.colour}: of the three two are of one kind and one of the other", rule
        )
    if number == OPENING_STONES + 1 and before[-1] == stone.colour:
        raise IllegalMove(index, f"is the second {stone.colour}: exactly one of each kind is added", rule)
    return stone.colour
