"""Why a value is what it is, and why somebody is above somebody else: the addends, and a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shared.decider import NotFound
from shared.exact import shown
from shared.tournament.availability import require_available
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.kinds import Addend, AmongTied, BySettlement, Measured
from shared.tournament.facts import Facts
from shared.tournament.ledger import Ledger, ledger_of
from shared.tournament.ranking import Row, Table, rank
from shared.tournament.stages import require_stage

WITHOUT_GAME = {
    "bye": "the bye",
    "requested-bye": "a requested bye",
    "missing": "a round missed",
    "away": "a round not played",
    "void": "a game that does not count",
    "carried": "brought along",
    "penalty": "a penalty",
}


class NotInTable(NotFound):
    """The table has no such entrant, or the ranking no such criterion."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    entrant: str
    criterion: str
    value: Fraction | None  # none where nothing had to be decided by it
    addends: tuple[Addend, ...]
    sentence: str


def explain(
    facts: Facts, stage: str, entrant: str, criterion: str, *, through: int | None = None, among: str | None = None
) -> Explanation:
    """One value of one entrant."""
    explained = explain_table(facts, stage, rank(facts, stage, through=through, among=among), through=through)
    if (entrant, criterion) not in explained:
        raise NotInTable(f"The table of stage {stage!r} has no entrant {entrant!r} with a criterion {criterion!r}.")
    return explained[entrant, criterion]


def explain_table(
    facts: Facts, stage: str, table: Table, *, through: int | None = None
) -> Mapping[tuple[str, str], Explanation]:
    """Every value of a table, by entrant and criterion."""
    require_stage(facts, stage)
    require_available(facts, stage)
    ledger = ledger_of(facts, stage, through=through)
    return {(row.entrant, name): explained(ledger, row, name) for row in table.rows for name in table.criteria}


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


def separation(above: Row, below: Row) -> str:
    """Why one row stands above the next."""
    name = above.separated_by
    if name is None:
        return f"{above.entrant} and {below.entrant} are equal by all that is decided."
    one, other = number(above.values[name]), number(below.values[name])
    return f"{above.entrant} is above {below.entrant} by {CRITERIA[name].title}: {one} and {other}."


def number(value: Fraction) -> str:
    return str(shown(value))
