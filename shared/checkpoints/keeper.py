"""Signs what the log has grown to: each minute, and at once behind what others rest on. Nobody who writes waits for it.

What it signs it has read itself, and held against the tiles; that this continues what was signed last, the file beside its
key says, which no database brings back. Whatever was read before is read again within a day. Where something is not what it
was, nothing is signed any more, and `/readyz` names the first event that is concerned, until an operator has decided.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import batched, takewhile
from typing import NoReturn

from shared.background import Work
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.checkpoints.folder import SigningFolder, UnusableSigningFolder
from shared.checkpoints.stream import (
    SIGNED_LOG,
    Command,
    Event,
    IntroduceLogKey,
    LogKeyIntroduced,
    RecordRestoration,
    RetireLogKey,
    State,
)
from shared.clock import Now
from shared.commands.handler import Handler, Origin
from shared.log.envelope import is_as_recorded
from shared.log.store import PAGE, EventStore, Recorded
from shared.log.trees import Edges, HashDiffers, Seen, TreeDiffers, TreeFollower, Trees, recheck
from shared.personal.notes import Notes
from shared.proof.continuity import signed_next
from shared.proof.findings import ProofFailure
from shared.proof.keys import Signer
from shared.proof.moments import LastSigned, decides, next_moment
from shared.proof.notes import Checkpoint, Note, SignedCheckpoint, open_checkpoint
from shared.proof.tiles import WIDTH
from shared.proof.tree import HASH, between
from shared.refusals import Unavailable

PAUSE = 1.0  # seconds before it goes on after its database failed
GLANCE = 1.0  # seconds between two looks, where nothing is heard of the trees
AGAIN = 60.0  # seconds until it looks once more whether the log is what it was
LAP = 20 * 3600.0  # seconds in which everything is read again
SLOWEST = 50.0  # events a second that are read again at least: a small log is through sooner

logger = logging.getLogger(__name__)


class AnotherLog(Exception):
    """What was signed last was signed under another name."""


class CheckpointKeeper:
    """One process signs for all copies of a service: the one that holds the folder."""

    def __init__(
        self,
        *,
        service: str,
        deployment: str,
        folder: SigningFolder,
        store: EventStore,
        trees: Trees,
        follower: TreeFollower,
        checkpoints: Checkpoints,
        history: Handler[State, Command, Event],
        notes: Notes,
        now: Now,
    ) -> None:
        self._service = service
        self._prefix = f"{deployment}/{service}/"
        self._folder = folder
        self._store = store
        self._trees = trees
        self._follower = follower
        self._checkpoints = checkpoints
        self._history = history
        self._notes = notes
        self._now = now
        self._work = Work("keeper of checkpoints", self._keep)
        self.running = self._work.running
        self._wrong: str | None = None
        self._is_begun = False
        self._origin = ""
        self._last: SignedCheckpoint | None = None
        self._edges = Edges()  # as far as the log was read to be signed
        self._lap = Edges()  # as far as it was read again
        self._lap_began = 0.0
        self._is_decisive = False
        self._signed_at = -1e9  # by the clock that never goes back: when this process has signed last
        self._signed = asyncio.Event()

    async def check(self) -> None:
        """Raise when nothing is signed any more, and say why."""
        await self._work.check()
        if self._wrong is not None:
            raise Unavailable(f"{self._wrong}: nothing is signed until an operator has decided")

    @property
    def is_signing(self) -> bool:
        """Whether it is this process that signs, and nothing is wrong."""
        return self._is_begun and self._wrong is None

    def next_signing(self) -> asyncio.Event:
        """Taken before looking, so that whatever this process signs from then on has set it."""
        return self._signed

    async def _keep(self) -> NoReturn:
        while True:
            try:
                async with self._folder.held():
                    await self._begin()
                    await self._go_on()
            except Unavailable as error:
                logger.warning("keeper of checkpoints: %s", error)
                await asyncio.sleep(PAUSE)
            except (TreeDiffers, AnotherLog, UnusableSigningFolder, ProofFailure) as found:
                self._stop(found)
                await self._decided()
            except OSError as refused:  # of the folder: what goes wrong with the database is said otherwise
                self._stop(UnusableSigningFolder(f"{self._folder.path} cannot be used: {refused.strerror}"))
                await self._decided()

    def _stop(self, found: Exception) -> None:
        if self._wrong != str(found):
            logger.critical("nothing is signed any more: %s", found)
        self._wrong = str(found)

    async def _decided(self) -> None:
        """Until an operator has said something, or for so long that it may have been mended."""
        until, said = time.monotonic() + AGAIN, self._folder.restored()
        while True:
            if time.monotonic() >= until or self._folder.restored() != said:
                return
            await asyncio.sleep(GLANCE)

    async def _begin(self) -> None:
        """Before anything is signed: the whole log, held against the tiles and against what was signed last."""
        self._origin = await self._origin_now()
        self._last = self._signed_last()
        for vkey in self._vkeys():
            logger.info("checkpoints of this log are signed by %s", vkey)
        if self._last is not None and self._last.checkpoint.origin != self._origin:
            await self._begin_anew(self._last)
        size = self._last.checkpoint.size if self._last else 0
        self._folder.cut_leaves(size)
        # Of a log that was restored what is signed first says so: `LogRestored` is in it.
        await self._followed(size if self._last else (await self._store.head()).position)
        edges = await self._examined()
        if self._last is not None:
            await self._require_signed(self._last.checkpoint)
            number = await self._checkpoints.keep(
                self._last.checkpoint, self._last.note
            )  # it may have been signed only
            await self._require_kept(number, self._last)
        await self._complete_leaves(edges.log.size)
        self._folder.forget_restoration()
        self._edges, self._lap, self._lap_began = edges, Edges(), time.monotonic()
        self._is_decisive = True  # what happened meanwhile may be
        if self._wrong is not None:
            logger.warning("the log is what it was: checkpoints are signed again")
        self._wrong, self._is_begun = None, True

    async def _origin_now(self) -> str:
        return f"{self._prefix}{await self._store.incarnation()}"

    def _signed_last(self) -> SignedCheckpoint | None:
        note = self._folder.last()
        if note is None:
            return None
        origin = Checkpoint.parse(Note.parse(note).text).origin
        return open_checkpoint(note, [key.signer(origin).key for key in self._folder.signing_keys()])

    def _vkeys(self) -> list[str]:
        return [key.signer(self._origin).key.vkey for key in self._folder.signing_keys()]

    async def _followed(self, size: int) -> None:
        """The trees may be behind the log, but the log may not be behind what was signed."""
        while (await self._trees.head()).position < size:
            if self._last and (head := await self._store.head()).position < size:
                same = await self._still_there(self._last.checkpoint)
                ends = f"the log ends with event {head.position}, and {size} were signed"
                first = f"event {same + 1} is not what it was when it was signed, and "
                raise TreeDiffers(ends if same == head.position else first + ends)
            await self._follower.check()
            await asyncio.sleep(GLANCE / 10)

    # What is not what it was

    async def _examined(self) -> Edges:
        """A damaged file of leaves accuses nobody: it counts as far as its root was signed."""
        try:
            return await self._read(seen=self._compare)
        except TreeDiffers:
            if await self._are_leaves_signed():
                raise
            logger.warning("the file of leaves is not what was signed: it is made anew")
            self._folder.cut_leaves(0)
            return await recheck(self._store, self._trees)

    async def _read(self, *, behind: Edges | None = None, until: int | None = None, seen: Seen) -> Edges:
        """Whatever is read was held against the leaves before it is held against the tiles: where those were signed, and it is
        the tiles that differ, no event is accused."""
        try:
            return await recheck(self._store, self._trees, behind=behind, until=until, seen=seen)
        except HashDiffers as found:
            if self._last and found.upto <= self._last.checkpoint.size and await self._are_leaves_signed():
                raise TreeDiffers(found.of_tree) from found
            raise

    async def _are_leaves_signed(self) -> bool:
        if self._last is None:
            return False
        last = self._last.checkpoint
        return await asyncio.to_thread(self._folder.root_of_leaves, last.size) == last.root

    def _compare(self, page: Sequence[Recorded], leaves: bytes) -> None:
        first = page[0].position - 1
        known = self._folder.leaves(first, len(page))
        if not leaves.startswith(known):
            raise TreeDiffers(f"event {first + alike(leaves, known) + 1} is not what it was when it was signed")

    async def _require_signed(self, last: Checkpoint) -> None:
        """Of a log whose leaves are not kept it is known between which checkpoints it was changed."""
        if await self._trees.root("log", last.size) == last.root:
            return
        same = 0
        async for kept in self._kept(last.origin):
            if await self._trees.root("log", kept.size) != kept.root:
                break
            same = kept.size
        raise TreeDiffers(f"one of the events from {same + 1} on is not what it was when {last.size} were signed")

    async def _require_kept(self, number: int, last: SignedCheckpoint) -> None:
        """Whoever asks for the newest checkpoint gets what was signed."""
        kept = next(
            (one.note for one in await self._checkpoints.following(number - 1, 1) if one.number == number), None
        )
        if kept is None or kept.text != last.note.text or not set(last.note.signatures) <= set(kept.signatures):
            raise TreeDiffers(f"the checkpoint of {last.checkpoint.size} events is not kept as it was signed")

    async def _kept(self, origin: str) -> AsyncGenerator[Checkpoint]:
        """The checkpoints in the database that our own keys have signed: nobody else can have put them there."""
        keys = [key.signer(origin).key for key in self._folder.signing_keys()]
        number = 0
        while page := await self._checkpoints.following(number):
            for kept in page:
                with suppress(ProofFailure):
                    yield open_checkpoint(bytes(kept.note), keys).checkpoint
            number = page[-1].number

    async def _complete_leaves(self, size: int) -> None:
        """Also after the file was lost: from the tiles, which agree with the log, and with what was signed."""
        while (have := self._folder.count_leaves()) < size:
            number, within = divmod(have, WIDTH)
            tile = (await self._trees.tiles("log", [(0, number)])).get((0, number), b"")
            self._folder.add_leaves(have, tile[within * HASH : (size - number * WIDTH) * HASH])

    # A log that was restored

    async def _begin_anew(self, former: SignedCheckpoint) -> None:
        reason = self._folder.restored()
        if reason is None:
            raise AnotherLog(await self._other_name(former.checkpoint))
        kept = await self._still_there(former.checkpoint)
        words = bytes(former.note).decode()
        note = await self._notes.keep(self._service, reason, sha256(former.note.text.encode()).digest())
        await self._say(RecordRestoration(former=words, kept=kept, reason=note), "operator")
        self._folder.begin_anew(kept)
        self._last = None
        logger.warning("%s goes on as %s, with %d events of it", former.checkpoint.origin, self._origin, kept)

    async def _other_name(self, former: Checkpoint) -> str:
        """Looked for once: whoever has to decide asks first what was lost."""
        said = f"the log is {self._origin}, and {former.origin} was signed last: if it was restored, say so with `roundlog restored`"
        if self._wrong is not None and self._wrong.startswith(said):
            return self._wrong
        kept = await self._still_there(former)
        if kept == former.size:
            return f"{said}; all {kept} events that were signed are in it"
        return f"{said}; event {kept + 1} is not what it was when {former.size} were signed"

    async def _still_there(self, former: Checkpoint) -> int:
        """How many events both logs begin with."""
        if await asyncio.to_thread(self._folder.root_of_leaves, former.size) != former.root:
            self._folder.cut_leaves(0)
            await self._followed(0)
            edges = await recheck(self._store, self._trees)
            same = 0
            async for kept in self._kept(former.origin):
                if kept.size <= edges.log.size and await self._trees.root("log", kept.size) == kept.root:
                    same = max(same, kept.size)
            return same
        edges = Edges()
        while edges.log.size < former.size and (page := await self._store.read(after=edges.log.size)):
            leaves = edges.leaves(page)
            known = self._folder.leaves(edges.log.size, min(len(page), former.size - edges.log.size))
            same = alike(b"".join([leaf for leaf, _ in leaves]), known)
            same = next((nr for nr, one in enumerate(page[:same]) if not is_as_recorded(one.event)), same)
            if same < len(page):
                return edges.log.size + same
            edges, _ = edges.grown_by(leaves)
        return edges.log.size

    # Signing

    async def _go_on(self) -> None:
        """Until the log is another one. While the database is away, what was read stays read."""
        while True:
            moved = self._follower.next_move()
            try:
                if (wait := await self._look()) is None:
                    return
            except Unavailable as error:
                logger.warning("keeper of checkpoints: %s", error)
                wait = PAUSE
            if wait > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await moved.wait()

    async def _look(self) -> float | None:
        """Read what is new, sign if it is time to; answers how long nothing will have to be done, and nothing where the log
        was restored meanwhile, with which it has to begin anew."""
        await self._read_on()
        await self._read_again()
        await self._look_after_keys()
        now, size = time.monotonic(), self._edges.log.size
        last = LastSigned(size=self._last.checkpoint.size, at=self._signed_at) if self._last else None
        moment = next_moment(last, size=size, is_decisive=self._is_decisive, now=now)
        if moment is not None and moment <= now:
            if await self._origin_now() != self._origin:
                return None
            await self._sign()
            return 0.0
        return min(GLANCE, moment - now) if moment is not None else GLANCE

    async def _read_on(self) -> None:
        self._edges = await self._read(behind=self._edges, seen=self._take)

    def _take(self, page: Sequence[Recorded], leaves: bytes) -> None:
        self._compare(page, leaves)  # after a failure some may have been read before
        first, have = page[0].position - 1, self._folder.count_leaves()
        self._folder.add_leaves(max(first, have), leaves[max(0, have - first) * HASH :])
        self._is_decisive |= decides(recorded.event.type for recorded in page)

    async def _sign(self) -> None:
        log = self._edges.log
        new = Checkpoint(origin=self._origin, size=log.size, root=log.root)
        last = self._last.checkpoint if self._last else None
        proof = await self._trees.proof("log", between(last.size, log.size)) if last else []
        signers = await self._signers()
        note = signed_next(last, new, proof=proof, signers=signers)
        await asyncio.to_thread(self._folder.sign, bytes(note))
        self._last = SignedCheckpoint(checkpoint=new, note=note, signers=dict.fromkeys(one.key for one in signers))
        self._signed_at, self._is_decisive = time.monotonic(), False
        await self._publish()

    async def _publish(self) -> None:
        if self._last is not None:
            while True:
                try:
                    await self._checkpoints.keep(self._last.checkpoint, self._last.note)
                    break
                except Unavailable as error:
                    logger.warning("a checkpoint is signed and cannot be kept yet: %s", error)
                    await asyncio.sleep(PAUSE)
            self._signed.set()
            self._signed = asyncio.Event()

    async def _read_again(self) -> None:
        """A page of the day's round, when it is due."""
        size = self._edges.head.position
        if not size:
            return
        pace = max(SLOWEST, size / LAP)
        due = (time.monotonic() - self._lap_began) * pace
        to_read = min(PAGE, size - self._lap.head.position)
        if due < self._lap.head.position + to_read:
            return
        until = self._lap.head.position + to_read
        self._lap = await self._read(behind=self._lap, until=until, seen=self._compare)
        if self._lap.head.position == self._edges.head.position:
            if self._lap != self._edges:
                raise TreeDiffers("the log read again gives another tree than when it was read first")
            self._lap, self._lap_began = Edges(), time.monotonic()

    # Keys

    async def _signers(self) -> list[Signer]:
        """Of several keys those behind the first sign from when the log has named them, where it is signed with that."""
        first, *others = [key for key in self._folder.signing_keys() if key.is_good(self._now())]
        named = await self._named_keys() if others else frozenset[str]()
        signers = [key.signer(self._origin) for key in others]
        return [first.signer(self._origin), *(one for one in signers if one.key.vkey in named)]

    async def _named_keys(self) -> frozenset[str]:
        """As far as the log was read to be signed: what was said a moment ago stands behind that."""
        said = await self._store.read_stream(SIGNED_LOG.stream(self._service))
        events = [SIGNED_LOG.read(one) for one in said if one.position <= self._edges.log.size]
        return frozenset(event.vkey for event in events if isinstance(event, LogKeyIntroduced))

    async def _look_after_keys(self) -> None:
        keys = self._folder.signing_keys()
        if len(keys) == 1:
            return
        for key in keys[1:]:
            await self._say(IntroduceLogKey(vkey=key.signer(self._origin).key.vkey), "operator")
        good = [key for key in keys if key.is_good(self._now())]
        if not good:
            raise UnusableSigningFolder("no key signs any more: add one with `roundlog rotate-key`")
        for key in keys:
            if key not in good:
                await self._say(RetireLogKey(vkey=key.signer(self._origin).key.vkey), self._service)
        if retired := [key for key in keys if key not in good]:
            # Read anew: an operator may have put another one beside them meanwhile.
            self._folder.keep_keys([key for key in self._folder.signing_keys() if key not in retired])

    async def _say(self, command: Command, actor: str) -> None:
        origin = Origin(actor=actor)
        await self._history.handle(
            self._service, command, scope=self._service, origin=origin, respond=lambda _, __: b""
        )


def alike(one: bytes, other: bytes) -> int:
    """How many hashes both begin with."""
    pairs = zip(batched(one, HASH), batched(other, HASH), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
