"""Why a value is what it is, and why somebody is above somebody else: the addends, and a sentence."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.numbers import Exact, in_words
from shared.refusals import NotFound
from shared.tournament.brackets import Match, matches_of
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.criterion import Addend, AmongTied, ByMatches, BySettlement, Measured
from shared.tournament.criteria.tied import meeting_addends
from shared.tournament.facts import Facts
from shared.tournament.ledger import Ledger, ledger_of
from shared.tournament.ordering import FinalPlaces, OpenTie, Row, Table, separating
from shared.tournament.ranking import order_of_stage, rank
from shared.tournament.stages import begun, settings_of
from shared.values import Value

WITHOUT_GAME = {
    "bye": "the bye",
    "requested-bye": "a requested bye",
    "missing": "a round missed",
    "away": "a round not played",
    "void": "a game that does not count",
    "carried": "brought along",
    "penalty": "a penalty",
}
AWAITED = {"lot": "has still to be drawn", "duel": "has still to be played"}


class ValueExplanation(Value):
    entrant: str
    criterion: str
    value: Exact | None  # none where nothing had to be decided by it
    addends: tuple[Addend, ...]
    sentence: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Explaining:
    """Takes the values of a table apart. `order` says who is placed higher, where that decides a match."""

    facts: Facts
    table: Table
    rows: Sequence[Row]  # of all tables that it is put together from
    order: Sequence[str]
    through: int | None = None

    def of(self, row: Row, name: str) -> ValueExplanation:
        criterion = CRITERIA[name]
        values = {**row.beside, **row.values}
        value = values.get(name)
        addends: tuple[Addend, ...] = ()
        match criterion:
            case Measured():
                addends = criterion.addends(self.ledgers[row.stage], row.entrant)
                sentence = f"{criterion.title} {in_words(values[name])}: {sum_of(addends)}."
            case AmongTied() if value is not None:
                addends = meeting_addends(self.ledgers[row.stage], row.entrant, self._equal(row, name), value)
                sentence = f"{criterion.title} {in_words(value)}: {sum_of(addends)}."
            case AmongTied():
                sentence = (
                    f"{criterion.title}: decides only between two who are equal until then and have played each other."
                )
            case BySettlement():
                sentence = f"{criterion.title}: {self._settled(row, criterion)}."
            case ByMatches():
                sentence = f"place {in_words(row.values[name])} by the matches: {self._matches(row)}."
        return ValueExplanation(entrant=row.entrant, criterion=name, value=value, addends=addends, sentence=sentence)

    def criteria(self, row: Row) -> Iterable[str]:
        """Those of the stage in whose table it stands, what the ranking of the event has added, what is shown beside."""
        criteria = self.ledgers[row.stage].settings.standings.criteria
        return dict.fromkeys((*criteria, *row.values, *row.beside))

    @cached_property
    def ledgers(self) -> Mapping[str, Ledger]:
        return {
            stage: ledger_of(self.facts, stage, through=self.through)
            for stage in {row.stage for row in self.table.rows}
        }

    def _equal(self, row: Row, name: str) -> Sequence[str]:
        """Who was equal with somebody by everything before a criterion that then decided."""
        criteria = [*self.criteria(row)]
        before = criteria[: criteria.index(name)]
        return [
            other.entrant
            for other in self.rows
            if name in other.values
            and (other.stage, other.group) == (row.stage, row.group)
            and all(other.values.get(one) == row.values.get(one) for one in before)
        ]

    def _settled(self, row: Row, criterion: BySettlement) -> str:
        value = row.values.get(criterion.name)
        if value is None:
            awaited = {entrant: one.needs for one in self.table.unresolved for entrant in one.entrants}
            is_awaited = awaited.get(row.entrant) == criterion.name
            return AWAITED[criterion.name] if is_awaited else "nothing had to be decided by it"
        among = self._equal(row, criterion.name)
        return f"position {in_words(value)}{f' among {", ".join(among)}' if len(among) > 1 else ''}"

    def _matches(self, row: Row) -> str:
        """What somebody has won and lost on the way."""
        told = [
            told_match(one, row.entrant)
            for stage in self._stages_of_matches(row)
            for one in sorted(matches_of(self.facts, stage, self.order).values(), key=lambda one: one.round)
            if row.entrant in one.entrants
        ]
        return ", ".join(told) or "none is played yet"

    def _stages_of_matches(self, row: Row) -> Sequence[str]:
        """The stage itself, or all that follow one in which everybody plays."""
        if settings_of(self.facts, row.stage).pairing.system == "knockout":
            return [row.stage]
        later = [one.id for one in self.facts.ruleset.stages if one.id != row.stage and begun(self.facts, one.id)]
        return [stage for stage in later if settings_of(self.facts, stage).pairing.system == "knockout"]


def sum_of(addends: Sequence[Addend]) -> str:
    """`3 (round 1, against B) + 2.5 …`, and then what is left out."""
    total = " ".join(terms(addend for addend in addends if addend.counted)) or "nothing counts"
    cut = [addend for addend in addends if not addend.counted]
    left_out = ", ".join(f"{in_words(addend.value)} ({source(addend)}): {addend.why}" for addend in cut)
    return f"{total}; without {left_out}" if cut else total


def terms(addends: Iterable[Addend]) -> Iterator[str]:
    """With their signs between them."""
    for number, addend in enumerate(addends):
        sign = ("− " if addend.value < 0 else "+ ") if number else ""
        value = abs(addend.value) if number else addend.value
        why = "" if addend.why is None else f": {addend.why}"
        yield f"{sign}{in_words(value)} ({source(addend)}{why})"


def source(addend: Addend) -> str:
    """Where an addend comes from."""
    where = "" if addend.round is None else f"round {addend.round}, "
    if addend.opponent is not None:
        return f"{where}against {addend.opponent}"
    return f"{where}{WITHOUT_GAME.get(addend.what, addend.what)}"


def told_match(match: Match, entrant: str) -> str:
    others = " and ".join(one for one in match.entrants if one != entrant)
    if match.winner is None:
        return f"played {match.id} against {others}"
    return f"won {match.id} against {others}" if match.winner == entrant else f"lost {match.id} against {others}"


def separation(
    above: Row,
    below: Row,
    *,
    left: Collection[str] = (),
    ties: Iterable[OpenTie] = (),
    places: FinalPlaces | None = None,
) -> str:
    """Why one row stands above the next. `left`: who is there no more; `ties`: those that are still to be ended; `places`: of
    a final list."""
    if above.place == below.place:
        return shared_place(above, below, ties, places)
    words = f"{above.entrant} is above {below.entrant}"
    if above.stage != below.stage:
        return f"{words}, who is not in the table of {above.stage}."
    if above.group != below.group:
        return f"{words} by their places in groups {above.group} and {below.group}."
    name = above.separated_by
    if name is None:
        has_gone = below.entrant in left and above.entrant not in left
        return f"{words}, who has left." if has_gone else f"{words}."
    if name not in above.values or name not in below.values:
        return f"{words} by {CRITERIA[name].title}."
    one, other = in_words(above.values[name]), in_words(below.values[name])
    return f"{words} by {CRITERIA[name].title}: {one} and {other}."


def shared_place(above: Row, below: Row, ties: Iterable[OpenTie], places: FinalPlaces | None) -> str:
    """Until when or, in a final list, also by what, and who of them comes first where only one can."""
    words = f"{above.entrant} and {below.entrant} share place {above.place}"
    awaited = next((one.needs for one in ties if {above.entrant, below.entrant} <= set(one.entrants)), None)
    name = separating(above.values, below.values)
    if awaited is not None:
        return f"{words} until a {awaited} decides{': all that counts before it is equal' if name is None else ''}."
    if places is None or name is None:
        return f"{words}."
    if above.entrant in places.playing:
        return f"{words}, which is theirs until matches decide it."
    if not places.lost.isdisjoint((above.entrant, below.entrant)) or name == "points":
        why = "as all do who lost a play-off, have as many points as they, or have left with more"
    else:
        why = "since they have equal points, and behind those who play on nothing else counts"
    numbers = f"{in_words(above.values[name])} and {in_words(below.values[name])}"
    first = f"{above.entrant} does by {CRITERIA[name].title}: {numbers}"
    return f"{words}, {why}. Where only one can have something, such as a prize, {first}."


class NotInTable(NotFound):
    """The table has no such entrant, or the ranking no such criterion."""


def explain_table(facts: Facts, table: Table) -> Mapping[tuple[str, str], ValueExplanation]:
    """Every value of a table, by entrant and criterion."""
    found = explaining(facts, table)
    return {(row.entrant, name): found.of(row, name) for row in table.rows for name in found.criteria(row)}


def explaining(facts: Facts, table: Table, *, through: int | None = None) -> Explaining:
    """The ranking of a whole event is explained by the tables that it is put together from."""
    stages = {row.stage for row in table.rows}
    rows = table.rows if len(stages) < 2 else [row for stage in stages for row in rank(facts, stage).rows]  # noqa: PLR2004 - several
    order = order_of_stage(facts, facts.ruleset.stages[0].id)
    return Explaining(facts=facts, table=table, rows=rows, order=order, through=through)
