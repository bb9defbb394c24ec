"""What the engines make and check, in the words of a round."""

from collections.abc import Iterable, Sequence

from services.pairing import engines
from services.pairing.api.desk import Draw
from services.pairing.domain.sheet import Alternative, Breach, Drafted, Sheet, Table
from shared.lots.stream import Lot
from shared.numbers import exact, stored
from shared.tournament.facts import Facts


def pair(facts: Facts, stage: str, draw: Draw) -> tuple[Drafted, tuple[Lot, ...]]:
    """The next round of a stage, with the lots that were drawn for it; what it rests on is for whoever knows it."""
    drawn: list[Lot] = []

    def noted(purpose: str, identities: Iterable[str]) -> list[str]:
        order = draw(purpose, identities)
        drawn.append(Lot(purpose=purpose, order=tuple(order)))
        return order

    return in_words_of_a_round(engines.pair(facts, stage, lots=noted)), tuple(drawn)


def without_pairing(facts: Facts, stage: str) -> Drafted | None:
    """Where the rules leave no pairing: a sheet on which everybody waits for a table."""
    found = engines.without_pairing(facts, stage)
    return found and in_words_of_a_round(found)


def check(facts: Facts, stage: str, number: int, sheet: Sheet) -> tuple[Breach, ...]:
    return tuple(
        Breach(rule=one.requirement or one.kind, detail=by_its_rule(one), binds=one.severity == "hard")
        for one in engines.check(facts, stage, in_words_of_the_engines(number, sheet))
    )


def by_its_rule(found: engines.Breach) -> str:
    """With the id of the requirement before the full stop."""
    return f"{found.sentence[:-1]} ({found.requirement})." if found.requirement else found.sentence


def compare(facts: Facts, stage: str, entrants: Sequence[str], draw: Draw) -> Alternative:
    found = engines.alternative(facts, stage, *entrants, lots=draw)
    return Alternative(
        would_meet=found.would_meet,
        drafted=None if found.pairing is None else in_words_of_a_round(found.pairing),
        difference=found.difference,
        sentence=found.sentence,
    )


def in_words_of_a_round(made: engines.Pairing) -> Drafted:
    tables = tuple(
        Table(
            table=pair.table,
            seats=pair.seats,
            first=pair.first,
            option=pair.option,
            group=pair.group,
            match=pair.match,
            number=pair.game,
            why=pair.why,
        )
        for pair in made.pairs
    )
    sheet = Sheet(
        tables=tables,
        byes=made.byes,
        requested_byes={entrant: stored(points) for entrant, points in made.requested_byes.items()},
        missing=made.missing,
    )
    return Drafted(
        sheet=sheet,
        method=made.method,
        explanation=made.explanation,
        inputs="",
        cost=made.cost,
        components=made.components if made.cost is not None else (),
        proved=made.proved,
    )


def in_words_of_the_engines(number: int, sheet: Sheet) -> engines.Pairing:
    pairs = tuple(
        engines.Pair(
            table=table.table,
            seats=table.seats,
            first=table.first,
            option=table.option,
            group=table.group,
            match=table.match,
            game=table.number,
        )
        for table in sheet.tables
    )
    requested = {entrant: exact(points) for entrant, points in sheet.requested_byes.items()}
    return engines.Pairing(
        round=number,
        method="by hand",
        pairs=pairs,
        byes=sheet.byes,
        requested_byes=requested,
        missing=sheet.missing,
    )
