"""How anybody draws a lot again, in words: beside what was decided by it."""

from collections.abc import Iterator, Sequence

from shared.lots.formula import LotKey
from shared.lots.known import LotsKnown

FORMULA = "docs/lots.md"


def how_to_draw_again(
    known: LotsKnown, service: str, purposes: Sequence[str], key: LotKey | None = None
) -> Iterator[str]:
    """With the key, once it is open to all: then a lot is one hash for each of those among whom it was drawn."""
    if not purposes:
        return
    named = " and ".join(f"“{purpose}”" for purpose in dict.fromkeys(purposes))
    yield f"Lots were drawn for {named}; among whom, and their order, is in the log as LotDrawn."
    if known.source is None or known.value is None:
        yield (
            f"They follow from the secret of {service}, which is revealed in the end ({FORMULA}). No source was named for the "
            "lots of this tournament: the seed could be chosen."
        )
    else:
        yield (
            f"They follow from {known.source}, which was {known.value}, and from the secret of {service}, to which it is bound by "
            f"{known.commitments.get(service, 'nothing')}. Once that is revealed, in the end, anybody draws them again ({FORMULA})."
        )
    if key is not None:
        yield revealed(key)


def once_revealed(explanation: Sequence[str], key: LotKey | None) -> Iterator[str]:
    """The key, behind what was written down when lots were drawn, if any were."""
    if key is not None and any(FORMULA in line for line in explanation):
        yield revealed(key)


def revealed(key: LotKey) -> str:
    return f"The secret is revealed, and the key of these lots is {key.key.hex()}."
