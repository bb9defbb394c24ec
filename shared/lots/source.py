"""What the lots of a tournament are mixed with besides the secrets of the services: named beforehand, known later.

dice 20                     so many dice, thrown in the hall and read aloud
drand <chain> <round>       a round of a public beacon, which has a time that everybody can compute
"""

import re
from calendar import timegm

from shared.refusals import Invalid
from shared.values import Value

FEWEST_DICE, MOST_DICE = 10, 100  # of fewer dice, somebody could try all throws beforehand and choose a secret for them

DICE = re.compile(r"dice ([1-9][0-9]{0,2})", re.ASCII)
BEACON = re.compile(r"drand ([a-z]{1,20}|[0-9a-f]{64}) ([1-9][0-9]{0,14})", re.ASCII)
PARTS = re.compile(r"[0-9]+", re.ASCII)
RANDOMNESS = re.compile(r"[0-9a-f]{64}", re.ASCII)
PATTERN = r"^(dice [1-9][0-9]{0,2}|drand ([a-z]{1,20}|[0-9a-f]{64}) [1-9][0-9]{0,14})$"


class Chain(Value):
    """A beacon of the League of Entropy."""

    name: str
    begins: int  # when its first round is known, in seconds since 1970
    period: int  # seconds between two rounds


CHAINS = {
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971": Chain(
        name="quicknet", begins=1_692_803_367, period=3
    ),
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce": Chain(
        name="default", begins=1_595_431_050, period=30
    ),
}
HASHES = {chain.name: found for found, chain in CHAINS.items()}


class SourceUnclear(Invalid):
    """It is no source that lots can follow from."""


class ValueUnfit(Invalid):
    """Such a source has no such value."""


class Dice(Value):
    count: int

    @property
    def known_from(self) -> None:
        """Nobody knows when they are thrown."""

    @property
    def text(self) -> str:
        return f"dice {self.count}"

    def value(self, said: str) -> str:
        """As it is written down: each face, in the order in which they were read aloud."""
        if not said.strip():
            raise ValueUnfit(f"Nothing was thrown yet: throw {self.count} dice in the hall, and send what they show.")
        faces = re.split(r"[\s,]+", said.strip())
        if wrong := [face for face in faces if face not in {"1", "2", "3", "4", "5", "6"}]:
            raise ValueUnfit(
                f"{wrong[0]} is no face of a die: write each as a number from 1 to 6, apart from each other."
            )
        if len(faces) != self.count:
            raise ValueUnfit(
                f"{self.count} dice were announced, and {len(faces)} were sent: send what each of them shows."
            )
        return " ".join(faces)


class Beacon(Value):
    chain: str  # its hash
    round: int

    @property
    def known_from(self) -> int:
        """In seconds since 1970."""
        chain = CHAINS[self.chain]
        return chain.begins + (self.round - 1) * chain.period

    @property
    def text(self) -> str:
        return f"drand {self.chain} {self.round}"

    def value(self, said: str) -> str:
        found = said.strip().lower()
        if not RANDOMNESS.fullmatch(found):
            raise ValueUnfit(
                f"Round {self.round} has a randomness of 64 hexadecimal digits: send that, and nothing else."
            )
        return found


type LotSource = Dice | Beacon


def parse(text: str) -> LotSource:
    """A chain may be called by its name; it is written down by its hash."""
    if (found := DICE.fullmatch(text)) and FEWEST_DICE <= int(found[1]) <= MOST_DICE:
        return Dice(count=int(found[1]))
    if (found := BEACON.fullmatch(text)) and (chain := HASHES.get(found[1], found[1])) in CHAINS:
        return Beacon(chain=chain, round=int(found[2]))
    raise SourceUnclear(
        f"{text} is no source of lots: say dice and how many, {FEWEST_DICE} to {MOST_DICE}, such as dice 20; or drand, "
        f"{' or '.join(HASHES)}, and a round, such as drand quicknet 55000000."
    )


def is_known_before(source: LotSource, moment: str | None) -> bool:
    """A moment as it is stored (2026-11-19T23:00:00Z), such as the end of entries: until then a field could be chosen for it."""
    if moment is None or source.known_from is None:
        return False
    return source.known_from < timegm(tuple(int(part) for part in PARTS.findall(moment)))
