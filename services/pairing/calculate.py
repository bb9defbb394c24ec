"""Pairs the next round of the tournament in a file: for `roundlog pair` and for its operation."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from services.pairing import engines
from shared.lots.formula import LotKey
from shared.numbers import shown
from shared.tournament.file import read

type Number = int | float

LOT = "lot"


class PairShown(BaseModel):
    table: int = Field(examples=[1])
    seats: list[str] = Field(examples=[["8", "1"]])
    first: str | None = Field(
        default=None, description="Who starts, or is named first; missing where somebody has a choice.", examples=["8"]
    )
    option: str | None = Field(default=None, description="Who holds that choice.", examples=["1"])
    group: str | None = Field(default=None, description="In which group.", examples=["A"])
    match: str | None = Field(default=None, description="Of a play-off.", examples=["SF1"])
    game: int | None = Field(default=None, description="Its number, in a match of several.", examples=[2])
    why: list[str] = Field(
        description="Why these two, and why in these roles.",
        examples=[["Both have 2 points: the 1st and 3rd of 4 with so many."]],
    )


class RequestedBye(BaseModel):
    entrant: str = Field(examples=["E"])
    points: Number = Field(examples=[0.5])


class AlternativeShown(BaseModel):
    would_meet: bool = Field(description="What was tried: that two meet, or that they do not.", examples=[False])
    sentence: str = Field(examples=["In the next best pairing, the floats would be 2 instead of 1."])
    pairs: list[PairShown] | None = Field(
        default=None, description="The best pairing of that kind; missing when there is none."
    )
    byes: list[str] | None = Field(default=None, description="Who would sit it out.", examples=[["4"]])
    cost: list[int] | None = Field(default=None, description="What it would cost.", examples=[[0, 8, 2, 1, 1, 6]])
    difference: list[int] | None = Field(
        default=None, description="What that is more than the best pairing costs.", examples=[[0, 4, 0, 1, 0, 0]]
    )


class PairingShown(BaseModel):
    round: int = Field(examples=[3])
    method: str = Field(description="The pairing system.", examples=["cost-swiss"])
    pairs: list[PairShown] = Field(description="Table by table.")
    byes: list[str] = Field(description="Who sits the round out by the pairing.", examples=[["4"]])
    requested_byes: list[RequestedBye] = Field(description="Who takes the round off, as was asked for.")
    missing: list[str] = Field(description="Who will not be there.", examples=[["7"]])
    groups: dict[str, list[str]] | None = Field(
        default=None, description="Who plays in which group.", examples=[{"A": ["1", "4"], "B": ["2", "3"]}]
    )
    explanation: list[str] = Field(examples=[["Bracket of 2 points: 5 entrants, 1 floats down."]])
    cost: list[int] | None = Field(
        default=None,
        description="Of a cost Swiss: what was minimised, most important first. Of those that cost the same, a lot "
        "has chosen.",
        examples=[[0, 4, 2, 0, 1, 6]],
    )
    components: list[str] | None = Field(
        default=None,
        description="What the numbers of the cost are called.",
        examples=[["role-excess", "squared-difference", "roles", "floats", "alternation", "halves"]],
    )
    proved: bool | None = Field(
        default=None, description="Whether it is proved that no pairing costs less.", examples=[True]
    )
    alternative: AlternativeShown | None = Field(default=None, description="Another pairing, where that was asked for.")


def paired(content: object, alternative_for: Sequence[str] | None = None) -> PairingShown:
    """The next round of the tournament in a file, from its bytes or from the object in it.

    On request with the best pairing in which two meet or do not, in which one meets somebody else, or for nobody with the
    next best of all.
    """
    reading = read(content)
    facts = reading.accepted()
    by_lot = LotKey(key=reading.lots, is_mixed=reading.is_mixed).draw
    if alternative_for is None:
        return in_public(engines.pair(facts, reading.stage, lots=by_lot))
    other = engines.alternative(facts, reading.stage, *alternative_for, lots=by_lot)
    made = in_public(engines.pair(facts, reading.stage, lots=by_lot))
    made.alternative = other_pairing(other)
    return made


def paired_in_json(content: object, alternative_for: Sequence[str] | None = None) -> bytes:
    return paired(content, alternative_for).model_dump_json(exclude_none=True).encode()


def other_pairing(found: engines.Alternative) -> AlternativeShown:
    pairing = found.pairing and in_public(found.pairing)
    return AlternativeShown(
        would_meet=found.would_meet,
        sentence=found.sentence,
        pairs=pairing and pairing.pairs,
        byes=pairing and pairing.byes,
        cost=pairing and pairing.cost,
        difference=found.pairing and without_lot(found.pairing, found.difference),
    )


def in_public(pairing: engines.PairedRound) -> PairingShown:
    return PairingShown(
        round=pairing.round,
        method=pairing.method,
        pairs=[
            PairShown(
                table=pair.table,
                seats=list(pair.seats),
                first=pair.first,
                option=pair.option,
                group=pair.group,
                match=pair.match,
                game=pair.number,
                why=list(pair.why),
            )
            for pair in pairing.pairs
        ],
        byes=list(pairing.byes),
        requested_byes=[
            RequestedBye(entrant=entrant, points=shown(points)) for entrant, points in pairing.requested_byes.items()
        ],
        missing=list(pairing.missing),
        groups={letter: list(members) for letter, members in pairing.groups.items()} or None,
        explanation=list(pairing.explanation),
        cost=without_lot(pairing, pairing.cost),
        components=None if pairing.cost is None else [name for name in pairing.components if name != LOT],
        proved=pairing.proved,
    )


def without_lot(pairing: engines.PairedRound, costs: Sequence[int] | None) -> list[int] | None:
    """The number that a lot has given to a pairing says nothing to anybody."""
    if costs is None:
        return None
    return [cost for name, cost in zip(pairing.components, costs, strict=True) if name != LOT]
