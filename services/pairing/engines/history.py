"""What the rounds of a stage so far mean for the next: who has met whom, in which roles, and who has floated."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from shared.rulesets.play import Ending
from shared.rulesets.settings import Settings
from shared.tournament.facts import Facts, Game
from shared.tournament.ledger import Ledger, RoundTurn
from shared.values import Value

type Direction = Literal[-1, 0, 1]

FIRST, SECOND = 1, -1  # the role of who is named first at a table, and of the other
UP, DOWN = 1, -1  # who meets somebody with more points floats up


class PairingHistory(Value):
    met: dict[str, dict[str, int]] = msgspec.field(default_factory=dict[str, dict[str, int]])
    firsts: Counter[str] = msgspec.field(default_factory=Counter[str])
    seconds: Counter[str] = msgspec.field(default_factory=Counter[str])
    byes: Counter[str] = msgspec.field(default_factory=Counter[str])
    defaults: Counter[str] = msgspec.field(default_factory=Counter[str])  # games won so, where the bye asks for it
    last_roles: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    last_floats: dict[str, int] = msgspec.field(default_factory=dict[str, int])

    @staticmethod
    def read(facts: Facts, stage: str, ledger: Ledger, number: int) -> "PairingHistory":
        history = PairingHistory()
        for earlier in range(1, number):
            played = facts.rounds.get((stage, earlier))
            for game in played.games if played else ():
                if game.id not in facts.voided:  # a void game is no meeting
                    history.remember(game.seats, first_in(facts, game, ledger.settings))
                    if not ledger.settings.pairing.bye_after_default:
                        history.defaults.update(winners_by_default(facts, game, ledger.settings.results.endings))
            history.byes.update(played.byes if played else ())
        history.remember_floats(ledger)
        return history

    def remember(self, seats: tuple[str, ...], first: str | None) -> None:
        for one in seats:
            for other in seats:
                if one != other:
                    met = self.met.setdefault(one, {})
                    met[other] = met.get(other, 0) + 1
            if first is not None:
                role = FIRST if one == first else SECOND
                self.last_roles[one] = role
                (self.firsts if role == FIRST else self.seconds)[one] += 1

    def remember_floats(self, ledger: Ledger) -> None:
        """Who met somebody with other points than one's own, penalties included; a bye is met with no points."""
        points = {one: ledger.units(entrant.carried) for one, entrant in ledger.entrants.items()}
        turns = {one: {turn.round: turn for turn in several} for one, several in ledger.turns.items()}
        for number in ledger.rounds:
            this_round = {one: of[number] for one, of in turns.items() if number in of}
            for one, turn in this_round.items():
                if not is_one_bracket(ledger.settings, number) and (direction := floated(points, one, turn)):
                    self.last_floats[one] = direction
            for one, turn in this_round.items():
                points[one] += turn.points
            for penalty in ledger.penalties:
                if penalty.round == number:
                    points[penalty.entrant] += ledger.units(penalty.points)


def first_in(facts: Facts, game: Game, settings: Settings) -> str | None:
    """Who was named first; or who really started, where that is what should be even."""
    result = facts.results.get(game.id) if settings.pairing.balance == "starting" else None
    return game.first if result is None or result.first is None else result.first


def starter_of(facts: Facts, game: Game, endings: Mapping[str, Ending]) -> str | None:
    """Who has started it, if it was started at all."""
    result = facts.results.get(game.id)
    if result is None:
        return None
    if result.first is not None:
        return result.first
    ending = endings.get(result.end)
    return None if ending is not None and ending.is_unplayed else game.first


def winners_by_default(facts: Facts, game: Game, endings: Mapping[str, Ending]) -> Sequence[str]:
    """Who came to a game that was not started since the other side did not: nobody where neither did."""
    result = facts.results.get(game.id)
    if result is None or len(result.by) != 1 or starter_of(facts, game, endings) is not None:
        return ()
    return [seat for number, seat in enumerate(game.seats) if number not in result.by]


def floated(points: Mapping[str, int], entrant: str, turn: RoundTurn) -> Direction:
    match turn.kind:
        case "game":
            difference = max(points[other] for other in turn.opponents) - points[entrant]
        case "bye":
            difference = -points[entrant]
        case "requested-bye" | "missing" | "away" | "void":
            difference = 0
    return UP if difference > 0 else DOWN if difference < 0 else 0


def is_one_bracket(settings: Settings, number: int) -> bool:
    """Points brought along give the order of the first round, and no more."""
    return number == 1 and settings.scoring.carry
