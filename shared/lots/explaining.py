"""How anybody draws a lot again, in words: beside what was decided by it."""

from collections.abc import Iterator, Sequence

from shared.lots.known import LotsKnown

FORMULA = "docs/lots.md"


def how_to_draw_again(known: LotsKnown, service: str, purposes: Sequence[str]) -> Iterator[str]:
    if not purposes:
        return
    named = " and ".join(f"“{purpose}”" for purpose in dict.fromkeys(purposes))
    yield f"Lots were drawn for {named}; among whom, and their order, is in the log as LotDrawn."
    if known.source is None or known.value is None:
        yield (
            f"They follow from the secret of {service}, which is revealed in the end ({FORMULA}). No source was named for the "
            "lots of this tournament: the seed could be chosen."
        )
        return
    yield (
        f"They follow from {known.source}, which was {known.value}, and from the secret of {service}, to which it is bound by "
        f"{known.commitments.get(service, 'nothing')}. Once that is revealed, in the end, anybody draws them again ({FORMULA})."
    )
