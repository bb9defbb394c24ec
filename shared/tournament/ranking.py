"""The table of a stage, of a list or of the whole event."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import groupby

from msgspec.structs import replace

from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Players, Podium
from shared.tournament.brackets import bracket_of, matches_of, places, planned
from shared.tournament.criteria.tied import settled
from shared.tournament.facts import Facts
from shared.tournament.ledger import ledger_of
from shared.tournament.ordering import FinalPlaces, OpenTie, Ordering, RankingCache, Row, Table, separating
from shared.tournament.podium import below as below_points
from shared.tournament.podium import finalists, numbered, placed, play_offs
from shared.tournament.stages import (
    advancing,
    begun,
    gone_by_the_end,
    groups_of,
    named_stages,
    require_list,
    require_stage,
)
from shared.tournament.stakes import asked_about


def rank(
    facts: Facts,
    stage: str,
    *,
    through: int | None = None,
    among: str | None = None,
    cache: RankingCache | None = None,
) -> Table:
    """The table of a stage; after the rounds up to a number, or only of a list, where that is asked for."""
    require_stage(facts, stage)
    of_stage, of_rows = (cache or RankingCache()).of(stage)
    ledger = ledger_of(facts, stage, through=through, cache=of_stage)
    if among is not None:
        require_list(facts, among)
    entrants = [one for one in ledger.entrants.values() if among is None or among in one.lists]
    in_start_order = [one.id for one in sorted(entrants, key=lambda one: (one.number, one.id))]
    if "bracket" in ledger.settings.standings.criteria:
        by_matches = places(facts, stage, order_before(facts, stage))
        return Ordering(ledger, places=by_matches, cache=of_rows).of(in_start_order)
    asks = asked_about(facts, stage, ledger.settings.standings)
    gone = gone_by_the_end(facts, stage) if ledger.settings.standings.ties == "decisive" else frozenset[str]()
    ordering = Ordering(ledger, asks=asks, gone=gone, cache=of_rows)
    if ledger.settings.pairing.system != "groups":
        return ordering.of(in_start_order)
    letters = groups_of(facts, stage)
    known = sorted({letters.get(one, "") for one in in_start_order})
    fields = [[one for one in in_start_order if letters.get(one, "") == letter] for letter in known]
    return ordering.of(*fields, groups=letters)


def order_before(facts: Facts, stage: str) -> Sequence[str]:
    """Who was placed higher when everybody played: it decides matches that nothing else decides."""
    first = facts.ruleset.stages[0].id
    return order_of_stage(facts, first) if first != stage else []


def order_of_stage(facts: Facts, stage: str) -> list[str]:
    return [row.entrant for row in rank(facts, stage).rows]


def final(facts: Facts, *, among: str | None = None) -> Table:
    """The ranking of the whole event, as far as it is played."""
    if among is not None:
        require_list(facts, among)
    if facts.ruleset.final.podium is not None:
        return final_list(facts, facts.ruleset.final.podium, among)
    table = stage_by_stage(facts, among)
    return table if any(is_to_come(facts, stage) for stage in named_stages(facts)) else with_cut(facts, table)


def is_to_come(facts: Facts, stage: str) -> bool:
    """Whether a stage will say more: it has not begun, as far as the rules have one for a field of this size, or goes on."""
    if not begun(facts, stage):
        return not stage_of(facts.ruleset, stage).brackets or bracket_of(facts, stage) is not None
    played = matches_of(facts, stage, order_before(facts, stage))
    return any(name not in played or played[name].winner is None for name in planned(facts, stage))


def stage_by_stage(facts: Facts, among: str | None) -> Table:
    """Each stage with those who are not placed yet."""
    rows: list[Row] = []
    unresolved: list[OpenTie] = []
    criteria: dict[str, None] = {}
    named = named_stages(facts)
    for stage in [stage for stage in named if begun(facts, stage)] or named[-1:]:
        table = rank(facts, stage, among=among)
        placed = {row.entrant for row in rows}
        rest = [row for row in table.rows if row.entrant not in placed]
        rows += below(rows, sorted(rest, key=lambda row: row.place))
        for one in table.unresolved:
            left = tuple(entrant for entrant in one.entrants if entrant not in placed)
            unresolved += [replace(one, entrants=left)] if len(left) > 1 else []
        criteria |= dict.fromkeys(table.criteria)
    return Table(rows=tuple(rows), unresolved=tuple(unresolved), criteria=tuple(criteria))


def with_cut(facts: Facts, table: Table) -> Table:
    """Where only some of those with the same place go on, a lot decides which."""
    count = advancing(facts)
    going = [row for row in table.rows if row.entrant not in facts.left]
    tied = () if count is None else tied_at(going, count)
    waiting = {one for unresolved in table.unresolved for one in unresolved.entrants}
    if not tied or waiting & set(tied):
        return table
    positions = drawn_among(facts, tied)
    if not positions:
        awaited = OpenTie(entrants=tied, needs="lot")
        return replace(table, unresolved=(*table.unresolved, awaited))
    first = next(row.place for row in table.rows if row.entrant in tied)
    drawn = {one: first + sum(other < position for other in positions.values()) for one, position in positions.items()}
    places = {row.entrant: first + len(drawn) for row in table.rows if row.place == first} | drawn
    rows = [replace(row, place=places.get(row.entrant, row.place)) for row in table.rows]
    return with_cut(facts, replace(table, rows=tuple(by_lot(sorted(rows, key=lambda row: row.place), drawn))))


def tied_at(going: Sequence[Row], count: int) -> tuple[str, ...]:
    """Those with the same place of whom only some are among the best so many."""
    if not 0 < count < len(going) or going[count - 1].place != going[count].place:
        return ()
    return tuple(row.entrant for row in going if row.place == going[count].place)


def drawn_among(facts: Facts, tied: Sequence[str]) -> Mapping[str, Fraction]:
    """Their positions in a lot, whether the ruleset has one among its criteria or not; none while it is not drawn."""
    return settled([one for one in facts.settled if one.kind == "lot"], tied)


def by_lot(rows: Sequence[Row], drawn: Mapping[str, int]) -> Iterator[Row]:
    """With the lot as the reason between those whom it has separated."""
    numbers = Counter(row.place for row in rows)
    for row, following in zip(rows, [*rows[1:], None], strict=False):
        own, next_one = drawn.get(row.entrant), None if following is None else drawn.get(following.entrant)
        yield replace(
            row,
            shared=numbers[row.place] > 1,
            values=row.values if own is None else {**row.values, "lot": Fraction(own)},
            separated_by="lot" if own is not None and next_one not in {None, own} else row.separated_by,
        )


def final_list(facts: Facts, podium: Podium, among: str | None) -> Table:
    """The best by play-offs and matches, then everybody by points."""
    everybody = rank(facts, podium.stage)
    table = everybody if among is None else rank(facts, podium.stage, among=among)
    if among is not None and not own_stages(facts, among):
        return table
    best, are_played = best_of(facts, podium, among, everybody.rows, table.rows)
    lost = lost_play_offs(facts, podium, everybody.rows) if among is None else frozenset[str]()
    return listed(table, best, are_played=are_played, lost=lost)


def best_of(
    facts: Facts, podium: Podium, among: str | None, everybody: Sequence[Row], rows: Sequence[Row]
) -> tuple[list[list[str]], bool]:
    """Who plays on, place by place, and whether matches say so already; of a list, which has these rows, also those in the
    semifinals of all."""
    order = [row.entrant for row in everybody]
    if among is None:
        return placed(facts, (podium.semifinals, podium.final), finalists(facts, podium, everybody), order)
    if there := in_overall_semifinals(facts, podium, among, everybody):
        in_both = [row for row in final_list(facts, podium, None).rows if row.entrant in there]
        return [[row.entrant for row in equal] for _, equal in groupby(in_both, lambda row: row.place)], True
    own = own_stages(facts, among)
    return placed(facts, own, finalists(facts, podium, rows, of_list=own), order)


def lost_play_offs(facts: Facts, podium: Podium, everybody: Sequence[Row]) -> frozenset[str]:
    played = play_offs(facts, podium, everybody)
    return frozenset({name for one in played for name in one.entrants if one.winner not in {None, name}})


def in_overall_semifinals(facts: Facts, podium: Podium, among: str, rows: Sequence[Row]) -> AbstractSet[str]:
    """Those of a list who play there. Where there are any the list has no semifinals; `rows` are those of all, best first."""
    there = facts.fields.get(podium.semifinals, finalists(facts, podium, rows).sure)
    return {row.entrant for row in rows if row.entrant in there and among in facts.entrants[row.entrant].lists}


def listed(table: Table, best: Sequence[Sequence[str]], *, are_played: bool, lost: frozenset[str]) -> Table:
    top = frozenset(one for equal in best for one in equal)
    rows = numbered(table.rows, [*best, *below_points(table.rows, top, lost)], by_matches=top if are_played else ())
    return replace(
        table,
        rows=tuple(rows),
        criteria=(*table.criteria, *(["bracket"] if are_played else [])),
        final=FinalPlaces(playing=top, lost=lost),
    )


def own_stages(facts: Facts, among: str) -> tuple[str, ...]:
    """The semifinals and the final of a list, where it has them."""
    listing = next(one for one in facts.ruleset.lists if one.id == among)
    if listing.stage is None:
        return ()
    field = stage_of(facts.ruleset, listing.stage).field
    return (field.stage, listing.stage) if isinstance(field, Players) else (listing.stage,)


def below(above: Sequence[Row], rows: Sequence[Row]) -> Iterator[Row]:
    """The places of those who come after others. Who shared a place still does, with whoever is left of them."""
    place = len(above) + 1
    for _, several in groupby(rows, lambda row: row.place):
        equal = list(several)
        for row in equal:
            number = rows.index(row)
            following = rows[number + 1] if number + 1 < len(rows) else row
            is_compared = following.place != row.place and following.group == row.group
            yield replace(
                row,
                place=place,
                shared=len(equal) > 1,
                separated_by=separating(row.values, following.values) if is_compared else None,
            )
        place += len(equal)
