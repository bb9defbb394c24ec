"""How a game ends: draw offers, claims of five and of time, and giving up."""

from msgspec.structs import replace

from services.results.games.gomoku.board import has_five
from services.results.games.gomoku.game import (
    DRAW,
    Choosing,
    Flagged,
    Full,
    Game,
    Laying,
    Offered,
    Opened,
    Over,
    Playing,
    Seat,
    across,
    to_act,
)
from services.results.games.gomoku.moves import Accept, ClaimFive, ClaimTime, Decline, Offer, Resign
from services.results.games.transcript import IllegalMove


def offer(game: Game, state: Opened, index: int, move: Offer) -> Game:
    """Only by who is to move. The clock of the other side is started after the move, so the offer outlives it (CFP.D10)."""
    rule = game.profile.rules.draw
    seat = to_act(state)
    if move.by not in {None, seat}:
        raise IllegalMove(index, f"offers a draw for seat {move.by}, but only seat {seat}, who is to move, may", rule)
    if game.offered is not None and game.offered.answered is None:
        raise IllegalMove(index, f"offers a draw, but the offer of move {game.offered.at} is still open", rule)
    return replace(game, offered=Offered(by=seat, at=index))


def accept(game: Game, index: int, move: Accept) -> Game:
    answering, offered = require_offer(game, index, move)
    why = f"Seat {answering} has accepted the draw that seat {offered.by} offered with move {offered.at}."
    return replace(game, state=Over(winner=DRAW, reason="draw_agreed", at=index, why=why))


def decline(game: Game, index: int, move: Decline) -> Game:
    """In words, as one may. Going on declines as well."""
    _, offered = require_offer(game, index, move)
    return replace(game, offered=replace(offered, answered=index))


def require_offer(game: Game, index: int, move: Accept | Decline) -> tuple[Seat, Offered]:
    rule = game.profile.rules.draw
    offered = game.offered
    if offered is None:
        raise IllegalMove(index, "answers a draw that nobody has offered", rule)
    if offered.answered is not None:
        raise IllegalMove(
            index, f"answers the draw of move {offered.at}, which has lapsed with move {offered.answered}", rule
        )
    answering = across(offered.by)
    if move.by not in {None, answering}:
        raise IllegalMove(index, f"answers for seat {move.by} a draw that was offered to seat {answering}", rule)
    return answering, offered


def claim_five(game: Game, index: int, move: ClaimFive) -> Game:
    """Whoever has a five on the board may claim it as long as the game goes on; unclaimed it ends nothing."""
    seat = require_player(game, index, move.by)
    match game.state:
        case Playing(colours=colours) | Full(colours=colours):
            colour = colours[seat]
        case Laying() | Choosing() | Flagged() | Over():
            raise IllegalMove(index, "claims a five before the colours are settled", game.profile.rules.five)
    if not has_five(game.of(colour), longer=game.profile.longer):
        wanted = "five or more" if game.profile.longer else "exactly five"
        raise IllegalMove(index, f"claims a five, but {colour} has no line of {wanted}", game.profile.rules.five)
    why = f"Seat {seat} has claimed a five of {colour}."
    return replace(game, state=Over(winner=seat, reason="five_claimed", at=index, why=why))


def claim_time(game: Game, index: int, move: ClaimTime) -> Game:
    return replace(game, state=Flagged(by=require_player(game, index, move.by), at=index))


def claim_time_too(game: Game, flagged: Flagged, index: int, move: ClaimTime) -> Game:
    """Both have overstepped it, whoever was first."""
    if require_player(game, index, move.by) == flagged.by:
        raise IllegalMove(index, f"repeats the claim of move {flagged.at}", game.profile.rules.end)
    why = "The time of both is over, whichever was first: drawn."
    return replace(game, state=Over(winner=DRAW, reason="draw_both_time", at=index, why=why))


def resign(game: Game, index: int, move: Resign) -> Game:
    seat = require_player(game, index, move.by)
    why = f"Seat {seat} has resigned."
    return replace(game, state=Over(winner=across(seat), reason="resignation", at=index, why=why))


def require_player(game: Game, index: int, seat: int) -> Seat:
    """Nobody else may point anything out."""
    if seat not in {0, 1}:
        raise IllegalMove(index, f"speaks for seat {seat}, who is no player of this game", game.profile.rules.claimant)
    return 0 if seat == 0 else 1
