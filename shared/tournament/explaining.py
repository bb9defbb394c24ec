"""Why a value is what it is, and why somebody is above somebody else: the addends, and a sentence."""

from dataclasses import dataclass
from fractions import Fraction

from shared.exact import shown
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.kinds import Addend, AmongTied, ByMatches, BySettlement, Measured
from shared.tournament.ledger import Ledger
from shared.tournament.matches import Match, matches_of
from shared.tournament.ordering import Row

WITHOUT_GAME = {
    "bye": "the bye",
    "requested-bye": "a requested bye",
    "missing": "a round missed",
    "away": "a round not played",
    "void": "a game that does not count",
    "carried": "brought along",
    "penalty": "a penalty",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    entrant: str
    criterion: str
    value: Fraction | None  # none where nothing had to be decided by it
    addends: tuple[Addend, ...]
    sentence: str


def explained(ledger: Ledger, row: Row, name: str) -> Explanation:
    criterion = CRITERIA[name]
    value = row.values.get(name)
    match criterion:
        case Measured():
            addends = criterion.addends(ledger, row.entrant)
            sentence = f"{criterion.title} {number(row.values[name])}: {sum_of(addends)}."
        case AmongTied() | BySettlement():
            addends = ()
            sentence = settled_sentence(criterion, value)
        case ByMatches():
            addends = ()
            sentence = matches_sentence(ledger, row)
    return Explanation(entrant=row.entrant, criterion=name, value=value, addends=addends, sentence=sentence)


def sum_of(addends: tuple[Addend, ...]) -> str:
    """`3 (round 1, against B) + 2½ …`, and then what is left out."""
    counted = [addend for addend in addends if addend.counted]
    cut = [addend for addend in addends if not addend.counted]
    total = " + ".join(f"{number(addend.value)} ({source(addend)})" for addend in counted) or "nothing counts"
    left_out = ", ".join(f"{number(addend.value)} ({source(addend)}): {addend.why}" for addend in cut)
    return f"{total}; without {left_out}" if cut else total


def source(addend: Addend) -> str:
    """Where an addend comes from."""
    where = "" if addend.round is None else f"round {addend.round}, "
    if addend.opponent is not None:
        return f"{where}against {addend.opponent}"
    return f"{where}{WITHOUT_GAME.get(addend.what, addend.what)}"


def settled_sentence(criterion: AmongTied | BySettlement, value: Fraction | None) -> str:
    if value is None:
        return f"{criterion.title}: nothing had to be decided by it, or nothing is decided yet."
    match criterion:
        case AmongTied():
            return f"{criterion.title}: {number(value)}."
        case BySettlement():
            return f"{criterion.title}: position {number(value)} in what was decided."


def matches_sentence(ledger: Ledger, row: Row) -> str:
    """What somebody has won and lost on the way."""
    played = matches_of(ledger.facts, ledger.stage, ())
    of_own = sorted((one for one in played.values() if row.entrant in one.entrants), key=lambda one: one.round)
    told = ", ".join(told_match(one, row.entrant) for one in of_own) or "none is played yet"
    return f"place {row.place} by the matches: {told}."


def told_match(match: Match, entrant: str) -> str:
    others = " and ".join(one for one in match.entrants if one != entrant)
    if match.winner is None:
        return f"played {match.id} against {others}"
    return f"won {match.id} against {others}" if match.winner == entrant else f"lost {match.id} against {others}"


def separation(above: Row, below: Row) -> str:
    """Why one row stands above the next."""
    if above.stage != below.stage:
        return f"{above.entrant} is above {below.entrant} since it stands in the table of {above.stage}."
    name = above.separated_by
    if name is None:
        return f"{above.entrant} and {below.entrant} are equal by all that is decided."
    if name not in above.values or name not in below.values:
        return f"{above.entrant} is above {below.entrant} by {CRITERIA[name].title}."
    one, other = number(above.values[name]), number(below.values[name])
    return f"{above.entrant} is above {below.entrant} by {CRITERIA[name].title}: {one} and {other}."


def number(value: Fraction) -> str:
    return str(shown(value))
