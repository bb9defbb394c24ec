"""Who has the bye, where one of an odd field is left over.

In a Swiss it is the lowest-placed who is due, or whoever it costs least to pair with a dummy that joins the field (`matched`).
In a first round by history groups or by lot the draw leaves somebody over (`swiss/first_round.py`). In a round robin
whoever has nobody to play rests (`round_robin.py`). At tables nobody has a bye.
"""

from collections.abc import Sequence

from services.pairing.engines.explaining import few, points_of, times
from services.pairing.engines.field import Field, FieldPlayer


def due(field: Field) -> list[FieldPlayer]:
    """Those who may have the bye, the lowest-placed first; behind them who has won by default, where that counts."""
    there = [player for player in reversed(field.players) if is_due(field, player)]
    return sorted(there, key=lambda player: player.defaults)


def is_due(field: Field, player: FieldPlayer) -> bool:
    """Whether somebody may have the bye: nobody has a second one while others have none; or as often as two may meet."""
    pairing = field.settings.pairing
    if pairing.bye == "matched":
        return pairing.meetings is None or player.byes < pairing.meetings
    return player.byes == field.fewest_byes or player.byes < pairing.byes_of_one


def bye_explained(field: Field, bye: FieldPlayer, passed_over: Sequence[FieldPlayer]) -> str:
    if field.settings.pairing.bye == "matched":
        floats = ", and floats down by that" if bye.points else ""
        before = f" after {times(bye.byes)} before" if bye.byes else ""
        return (
            f"{bye.id}, with {points_of(field, bye)}, has the bye{before}{floats}: the dummy of an odd field is an opponent "
            "without points and colour, and with anybody else the pairing would cost more."
        )
    had = [player.id for player in field.players[bye.place + 1 :] if player not in passed_over]
    or_default = "" if field.settings.pairing.bye_after_default or bye.defaults else " or win by default"
    those = f"had no bye{or_default}" if bye.byes == 0 else "had fewest byes"
    reason = f"{bye.id} has the bye, as the lowest-placed of those who have {those}"
    below = f"; lower-placed but with a bye{or_default} already: {few(had)}" if had else ""
    spared = [player.id for player in passed_over]
    kept = f"; without {few(spared)} the others, now or in a later round, could not all be paired" if spared else ""
    return f"{reason}{below}{kept}."
