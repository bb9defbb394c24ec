"""What the ruleset says of a game and its match, as far as what may happen to its sheet depends on it."""

from typing import Literal

from shared.values import Value


class Terms(Value):
    confirmed_by: Literal["both-sides", "each-side", "official"] = "both-sides"
    boards: int = 0  # of a match of teams; none in other games
    line_ups_first: bool = False  # whether the match sheet has to stand before anything is played
    option: bool = False  # whether who has the choice may take the draw instead of the colour
    deciding: int = 0  # deciding duels after a drawn match at most
    by_lot: bool = False  # whether a lot decides when they are drawn too
    surplus: bool = False  # whether its match was decided before it
    first_is_fixed: bool = False  # whether only the pairing, or a choice on the sheet, says who starts


USUAL = Terms()
