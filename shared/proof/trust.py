"""Whom a verifier believes, told beforehand: keys of logs, keys of witnesses, and how many of these it takes (C2SP tlog-policy).

log     <key of a log> [<address>]
witness <name> <key of a witness> [<address>]
group   <name> <number, any or all> <name> …
quorum  <name, or none>
"""

import re
from collections.abc import Collection, Iterator, Mapping

from shared.proof.findings import Malformed
from shared.proof.keys import KeyKind, VerifierKey
from shared.values import Value

LONGEST, MOST_LINES = 1_000_000, 10_000
COUNT = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
NOBODY = "none"


class WitnessGroup(Value):
    """So many of these have to have signed: witnesses, or groups named before."""

    needed: int
    members: tuple[str, ...]


class TrustPolicy(Value):
    logs: tuple[VerifierKey, ...]
    witnesses: Mapping[str, VerifierKey]
    groups: Mapping[str, WitnessGroup]
    quorum: str | None  # none: no witness is asked for

    @property
    def keys(self) -> tuple[VerifierKey, ...]:
        return (*self.logs, *self.witnesses.values())

    def is_met_by(self, signed: Collection[bytes]) -> bool:
        """Whether these public keys are a quorum."""
        return self.quorum is None or self._stands(self.quorum, signed)

    def since(self, times: Mapping[bytes, int]) -> int | None:
        """From which second on enough witnesses knew it, by their public keys and when each first signed."""
        if self.quorum is None:
            return None
        moments = sorted(set(times.values()))
        met = (at for at in moments if self.is_met_by({key for key, when in times.items() if when <= at}))
        return next(met, None)

    def _stands(self, name: str, signed: Collection[bytes]) -> bool:
        if witness := self.witnesses.get(name):
            return witness.public in signed
        group = self.groups[name]
        return sum(self._stands(member, signed) for member in group.members) >= group.needed

    @classmethod
    def parse(cls, content: bytes) -> "TrustPolicy":
        logs, witnesses, groups = list[VerifierKey](), dict[str, VerifierKey](), dict[str, WitnessGroup]()
        quorums = list[str]()
        for number, words in enumerate(lines_of(content), start=1):
            match words:
                case []:
                    pass
                case ["log", vkey] | ["log", vkey, _]:
                    logs.append(of_kind(VerifierKey.parse(vkey), KeyKind.LOG))
                case ["witness", name, vkey] | ["witness", name, vkey, _]:
                    require_new(name, {*witnesses, *groups})
                    witnesses[name] = of_kind(VerifierKey.parse(vkey), KeyKind.WITNESS)
                case ["group", name, needed, *members] if members:
                    require_new(name, {*witnesses, *groups})
                    groups[name] = group(needed, members, {*witnesses, *groups})
                case ["quorum", name]:
                    quorums.append(name)
                case _:
                    raise Malformed(f"line {number} of the policy is none of log, witness, group, quorum")
        if not logs or len({key.vkey for key in logs}) < len(logs):
            raise Malformed("the policy names the keys of the logs, each once")
        if len({key.public for key in witnesses.values()}) < len(witnesses):
            raise Malformed("two witnesses of the policy have one key: they are one witness")
        if len(quorums) != 1 or quorums[0] not in {NOBODY, *witnesses, *groups}:
            raise Malformed("the policy says once which group, or witness, is the quorum, or none")
        quorum = None if quorums[0] == NOBODY else quorums[0]
        return cls(logs=tuple(logs), witnesses=witnesses, groups=groups, quorum=quorum)


def lines_of(content: bytes) -> Iterator[list[str]]:
    """The words of each line; none of one that is empty or a remark."""
    if len(content) > LONGEST or content.count(b"\n") > MOST_LINES:
        raise Malformed("the policy is too long")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Malformed("a policy is written in UTF-8") from None
    for line in text.split("\n"):
        words = line.split()
        yield [] if line.lstrip().startswith("#") else words


def group(needed: str, members: list[str], known: Collection[str]) -> WitnessGroup:
    if len(set(members)) < len(members) or not set(known) >= set(members):
        raise Malformed("a group consists of witnesses and groups named before, each once")
    match needed:
        case "all":
            count = len(members)
        case "any":
            count = 1
        case _:
            count = int(needed) if COUNT.fullmatch(needed) else 0
    if not 1 <= count <= len(members):
        raise Malformed("of a group any, all or a number of its members has to sign")
    return WitnessGroup(needed=count, members=tuple(members))


def require_new(name: str, known: Collection[str]) -> None:
    if name in known or name == NOBODY:
        raise Malformed(f"{name!r} is named twice in the policy")


def of_kind(key: VerifierKey, kind: KeyKind) -> VerifierKey:
    if key.kind is not kind:
        raise Malformed(f"the key of {key.name} is not that of a {kind.name.lower()}")
    return key
