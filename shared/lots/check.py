"""Whether the lots of a tournament are what they have to be: from what was said, once the secrets are revealed.

It takes what everybody can read (the messages of registration, and `LotSeedCommitted`, `LotDrawn` and `LotSeedRevealed` of the
service that drew), in their order, and nothing from beside a log.
"""

from collections.abc import Iterator, Sequence

from shared.contracts.lots import LotDrawn, LotSeedCommitted, LotSeedRevealed
from shared.lots.formula import LotKey, commitment
from shared.lots.known import LotsKnown, key_of

type SaidOfLots = LotSeedCommitted | LotDrawn | LotSeedRevealed


def faults(tournament: str, service: str, known: LotsKnown, said: Sequence[SaidOfLots]) -> list[str]:
    """Everything that does not hold; nothing is found where no secret is revealed yet (`unproved` says so)."""
    return [*of_order(known, said), *of_secret(tournament, service, known, said)]


def unproved(known: LotsKnown, said: Sequence[SaidOfLots]) -> str | None:
    """Why lots may not be what they seem although nothing is wrong with them."""
    if not any(isinstance(one, LotDrawn) for one in said):
        return None
    if not any(isinstance(one, LotSeedRevealed) for one in said):
        return "The secret is not revealed yet, so no lot can be drawn again."
    return "The seed could be chosen: no source was named for the lots." if known.source is None else None


def of_order(known: LotsKnown, said: Sequence[SaidOfLots]) -> Iterator[str]:
    committed = False
    revealed = False
    for one in said:
        match one:
            case LotSeedCommitted():
                committed = True
            case LotDrawn() if not committed:
                yield f"“{one.purpose}” was drawn before a secret was fixed."
            case LotDrawn() if revealed:
                yield f"“{one.purpose}” was drawn after the secret was open to all."
            case LotSeedRevealed():
                revealed = True
            case LotDrawn():
                pass
    drawn = [one.purpose for one in said if isinstance(one, LotDrawn)]
    if drawn and known.source is not None and known.value is None:
        yield f"“{drawn[0]}” was drawn, and the value of {known.source} was never written down."


def of_secret(tournament: str, service: str, known: LotsKnown, said: Sequence[SaidOfLots]) -> Iterator[str]:
    published = [one for one in said if isinstance(one, LotSeedCommitted)]
    for secret in [bytes.fromhex(one.seed) for one in said if isinstance(one, LotSeedRevealed)]:
        for one in published:
            if one.commitment != commitment(secret, service=service, tournament=tournament, source=one.source):
                yield f"The secret that {service} has revealed is not the one that it has fixed for {one.source or 'no source'}."
        yield from of_opening(tournament, service, known, secret)
        key = key_of(tournament, secret, known)
        yield from (
            drawn_otherwise(key, one) for one in said if isinstance(one, LotDrawn) and not is_as_drawn(key, one)
        )


def of_opening(tournament: str, service: str, known: LotsKnown, secret: bytes) -> Iterator[str]:
    if known.source is None or known.value is None:
        return
    if known.commitments.get(service) != commitment(
        secret, service=service, tournament=tournament, source=known.source
    ):
        yield f"The secret that {service} has revealed is not the one that was heard of before the lots were opened."


def is_as_drawn(key: LotKey, one: LotDrawn) -> bool:
    return key.draw(one.purpose, one.order) == list(one.order)


def drawn_otherwise(key: LotKey, one: LotDrawn) -> str:
    return f"“{one.purpose}” gives {', '.join(key.draw(one.purpose, one.order))}, and {', '.join(one.order)} was written down."
