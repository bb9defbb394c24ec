"""The criteria of a table by the codes of FIDE's list of tie-breaks, with which other programs work a table out again.

A code stands for a criterion that gives the same values. FIDE leaves a prefix to all others: what they are is said in
words.
"""

from collections.abc import Mapping, Sequence

from shared.rulesets.pairing_and_standings import Criterion
from shared.tournament.criteria.columns import SAID
from shared.tournament.criteria.unplayed import regime_of, was_away
from shared.tournament.ledger import Ledger, RoundTurn
from shared.values import Value

OTHER = "OTHER_"
OF_PERSONS: Mapping[Criterion, str] = {
    "points": "PTS",
    "wins": "WIN",
    "buchholz": "BH",
    "buchholz_cut1": "BH/C1",
    "median_buchholz": "BH/M1",
    "sonneborn_berger": "SB",
    "start_number": "TPN",
}
OF_TEAMS: Mapping[Criterion, str] = {
    "points": "PTS",
    "score": "MPvGP",
    "wins": "WIN:MP",
    "buchholz": "BH:MP",
    "buchholz_cut1": "BH:MP/C1",
    "median_buchholz": "BH:MP/M1",
    "sonneborn_berger": "EMMSB",
    "start_number": "TPN",
}
OF_COUNTED_OPPONENTS: frozenset[Criterion] = frozenset({"buchholz", "buchholz_cut1", "median_buchholz"})
OF_OPPONENTS = OF_COUNTED_OPPONENTS | {"sonneborn_berger"}


class TieBreakCode(Value):
    code: str
    says: str | None  # in words, what no code of FIDE's means


def tie_break_codes(ledger: Ledger, *, of_teams: bool) -> Sequence[TieBreakCode]:
    """In the order in which they decide."""
    codes = OF_TEAMS if of_teams else OF_PERSONS
    return [
        TieBreakCode(code=codes[criterion], says=None)
        if criterion in codes and counts_as_at_fide(ledger, criterion)
        else TieBreakCode(code=f"{OTHER}{criterion.upper()}", says=in_words(ledger, criterion))
        for criterion in ledger.settings.standings.criteria
    ]


def counts_as_at_fide(ledger: Ledger, criterion: Criterion) -> bool:
    standings = ledger.settings.standings
    if criterion == "score":
        return standings.criteria[0] == "points"
    if criterion in OF_COUNTED_OPPONENTS and standings.buchholz_opponents != "all":
        return False
    return criterion not in OF_OPPONENTS or all_were_played(ledger) or counts_unplayed_as_at_fide(ledger, criterion)


def all_were_played(ledger: Ledger) -> bool:
    """So that it does not matter what a round without a game is to those who look at opponents."""
    return all(turn.kind == "game" and not turn.was_forfeit for turns in ledger.turns.values() for turn in turns)


def counts_unplayed_as_at_fide(ledger: Ledger, criterion: Criterion) -> bool:
    """By the rules of 2026 for a Swiss. FIDE's median leaves out skipped rounds first, and ours does not."""
    return (
        ledger.settings.standings.unplayed == "fide-2026"
        and ledger.settings.is_swiss
        and criterion != "median_buchholz"
        and all(is_known_to_fide(ledger, one, turn) for one, turns in ledger.turns.items() for turn in turns)
    )


def is_known_to_fide(ledger: Ledger, entrant: str, turn: RoundTurn) -> bool:
    if turn.kind != "game":
        return turn.kind == "bye" or was_away(ledger, entrant, turn)
    (other,) = turn.opponents
    return (
        not turn.was_forfeit
        or turn.at_fault
        or any(theirs.at_fault for theirs in ledger.turns[other] if theirs.round == turn.round)
    )


def in_words(ledger: Ledger, criterion: Criterion) -> str:
    _, said = SAID[criterion]
    if criterion in OF_COUNTED_OPPONENTS and ledger.settings.standings.buchholz_opponents != "all":
        said += " Only those who were beaten count."
    if criterion in OF_OPPONENTS:
        sentence = regime_of(ledger).sentence
        said += f" {sentence[0].upper()}{sentence[1:]}."
    return said
