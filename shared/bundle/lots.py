"""The lots of a bundle: each drawn again from the secret that was fixed before, and from the value that nobody chose."""

import hmac
from hashlib import sha256

import msgspec

from shared.bundle.checks import LoggedEvent, SayProgress
from shared.bundle.report import Report, Verdict
from shared.proof.findings import Malformed
from shared.values import Value

CHOSEN_ELSEWHERE = "drand "


class CommittedSeed(Value):
    commitment: str
    source: str | None = None


class DrawnLot(Value):
    purpose: str
    order: tuple[str, ...]


class RevealedSeed(Value):
    seed: str


class OpenedLots(Value):
    source: str
    value: str
    commitments: dict[str, str]


class LotsCheck:
    def __init__(self, tournament: str, report: Report) -> None:
        self._tournament = tournament
        self._report = report
        self._committed: dict[str, CommittedSeed] = {}
        self._drawn: dict[str, list[tuple[int, DrawnLot]]] = {}
        self._revealed: dict[str, tuple[int, bytes]] = {}
        self._opened: tuple[int, OpenedLots] | None = None

    def take(self, read: LoggedEvent) -> None:
        shown = read.record or read.message
        if shown is None or shown.scope != self._tournament:
            return
        try:
            match shown.type:
                case "LotSeedCommitted":
                    self._commit(read, msgspec.json.decode(shown.data, type=CommittedSeed))
                case "LotDrawn":
                    lot = msgspec.json.decode(shown.data, type=DrawnLot)
                    if read.service not in self._committed:
                        self._refuse(read.service, read.position, "a lot was drawn before its secret was fixed")
                    self._drawn.setdefault(read.service, []).append((read.position, lot))
                case "LotSeedRevealed":
                    seed = bytes.fromhex(msgspec.json.decode(shown.data, type=RevealedSeed).seed)
                    self._revealed[read.service] = (read.position, seed)
                case "LotsOpened":
                    self._opened = (read.position, msgspec.json.decode(shown.data, type=OpenedLots))
                case _:
                    pass
        except (msgspec.DecodeError, ValueError) as error:
            raise Malformed(f"logs/{read.service} at position {read.position}: {error}") from None

    def _commit(self, read: LoggedEvent, new: CommittedSeed) -> None:
        """The source may move to a later one, as long as no lot was drawn."""
        before = self._committed.get(read.service)
        if before is not None and before != new and (self._drawn.get(read.service) or before.source == new.source):
            self._refuse(read.service, read.position, "another secret was fixed before")
        else:
            self._committed[read.service] = new

    def finish(self, say: SayProgress) -> None:
        say("lots")
        for service in sorted({*self._drawn, *self._revealed}):
            self._check(service, self._drawn.get(service, []))

    def _check(self, service: str, drawn: list[tuple[int, DrawnLot]]) -> None:
        name = f"logs/{service}/records"
        if service not in self._revealed:
            text = f"the secret of {len(drawn)} lots is not revealed"
            self._report.note(Verdict.MISSING, "lots", text, file=name, position=drawn[0][0])
            return
        at, secret = self._revealed[service]
        committed = self._committed.get(service)
        if committed is None or committed.commitment != self._commitment(service, committed.source, secret):
            self._refuse(service, at, "the secret is not the one that was fixed")
            return
        key = self._key(committed, secret, name) if drawn and committed.source else secret
        if key is None or not drawn:
            return
        for position, lot in drawn:
            if list(lot.order) != fallen(key, lot, is_mixed=bool(committed.source)):
                self._refuse(service, position, f"the lot for {lot.purpose!r} falls otherwise from the revealed secret")
        self._report.recomputed("lots", f"{len(drawn)} lots", file=name)
        if not committed.source:
            text = "nothing that nobody chose was mixed in: whoever made the secret could choose it"
            self._report.note(Verdict.UNCHECKABLE, "lots", text, file=name)

    def _commitment(self, service: str, source: str | None, secret: bytes) -> str:
        head = lines("roundlog/lots/commitment/v1", service, self._tournament, source) if source else b""
        return sha256(head + secret).hexdigest()

    def _key(self, committed: CommittedSeed, secret: bytes, name: str) -> bytes | None:
        if self._opened is None:
            text = f"the value of {committed.source!r} was not written down"
            self._report.note(Verdict.MISSING, "lots", text, file=name)
            return None
        at, opened = self._opened
        if opened.source != committed.source or committed.commitment not in opened.commitments.values():
            text = "the secret was not fixed when the value was written down, or the value is of another source"
            self._refuse("registration", at, text)
        if opened.source.startswith(CHOSEN_ELSEWHERE):
            text = f"whether {opened.source} gave this value is to be looked up there"
            self._report.note(Verdict.UNCHECKABLE, "lots", text, file="logs/registration/records", position=at)
        said = lines("roundlog/lots/key/v1", self._tournament, opened.source, opened.value)
        return hmac.digest(secret, said, "sha256")

    def _refuse(self, service: str, position: int, text: str) -> None:
        self._report.refuse("lots", text, file=f"logs/{service}/records", position=position)


def fallen(key: bytes, lot: DrawnLot, *, is_mixed: bool) -> list[str]:
    among = sorted(lot.order)
    head = lines(*(["roundlog/lots/ticket/v1"] if is_mixed else []), lot.purpose, *among)
    return sorted(among, key=lambda one: hmac.digest(key, head + one.encode(), "sha256"))


def lines(*parts: str) -> bytes:
    return "".join(f"{part}\n" for part in parts).encode()
