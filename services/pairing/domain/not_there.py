"""What becomes of published games whose players are not there: told to everybody, since results decides it by the rules."""

from collections.abc import Iterable, Iterator, Sequence

from shared.tournament.facts import Facts
from shared.tournament.stages import away_from, settings_of

type Seated = tuple[int, Sequence[str]]  # the number of a table, and who sits there


def said_of(facts: Facts, stage: str, number: int, tables: Iterable[Seated]) -> Iterator[str]:
    not_there = away_from(facts, stage, number)
    rules = settings_of(facts, stage).results
    for table, seats in tables:
        match [seat for seat in seats if seat in not_there]:
            case []:
                pass
            case [one]:
                then = "is lost" if rules.when_away else "waits for an official"
                yield f"{one} is not there: the game at table {table} {then}, unless it had begun."
            case several:
                then = "counts for nobody" if rules.when_both_away else "waits for an official"
                yield f"{' and '.join(several)} are not there: the game at table {table} {then}, unless it had begun."
