#!/usr/bin/env python3
"""Checks what Roundlog has exported of a tournament, without Roundlog: one file, the standard library, no network.

    python verify_roundlog.py BUNDLE --trust POLICY

It is written by docs/proof-format.md and docs/bundle-format.md and shares nothing with the program that wrote the bundle, so
that a mistake in one of them does not hide behind the same mistake in the other. What the rules of a game are it does not
know: of pairings and tables it says only whether they can be.

Exit status: 0 all that the policy asks holds; 3 something is refuted; 4 nothing is, but something asked for is missing;
2 bundle or policy cannot be read; 1 this program failed. Needs Python 3.9 or later.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import os
import re
import stat
import sys
import zipfile
import zlib
from bisect import bisect_left
from contextlib import contextmanager
from datetime import datetime, timezone
from fractions import Fraction

RECOMPUTED, RULES, UNCHECKABLE, MISSING, REFUTED = (
    "recomputed",
    "rules checked only",
    "not checkable",
    "missing",
    "refuted",
)
NOTHING = hashlib.sha256(b"").digest()
MEGABYTE = 1 << 20
LIMITS = {  # bytes, by the last part of a name
    "bundle.json": 64 * MEGABYTE,
    "checkpoint": 1_000_000,
    "positions": 400_000_000,
    "numbers": 400_000_000,
    "leaves": 640_000_000,
    "inclusion": 40_960_000_000,
    "records": 64 << 30,
    "messages": 64 << 30,
}
LINE_LIMIT = 16 * MEGABYTE
FILE_COUNT = 200_000
PACKED_ANEW = "if it was packed anew, unpack it, take out what was added, and name the folder in which bundle.json is"
ALLOWED = re.compile(
    r"(?:logs/[a-z][a-z0-9-]{0,31}/(?:checkpoint|positions|numbers|records|messages|inclusion|leaves"
    r"|checkpoints/[1-9][0-9]{0,17}(?:[.]proof)?)|(?:tables|contents|opened)/[0-9a-f]{64})\Z"
)
PARTS = ("checkpoint", "positions", "numbers", "records", "messages", "inclusion")
TIME = re.compile(
    "([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:[.]([0-9]{1,6}))?"
    "(Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])\\Z"
)
HALF_A_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")


class Unreadable(Exception):
    """Exit status 2."""


class Wrong(Exception):
    """A proof that does not hold."""


class Findings:
    def __init__(self) -> None:
        self.lines: list = []
        self.count: dict = {}

    def say(self, verdict, clause, text, where="", position=None):
        seen = self.count[verdict, clause] = self.count.get((verdict, clause), 0) + 1
        if seen <= 200:
            place = " ".join([where] * bool(where) + [f"position {position}"] * (position is not None))
            self.lines.append(f"{verdict}: {clause}: {place + ': ' if place else ''}{text}")

    def unless_refuted(self, verdict, clause, text, where=""):
        if (REFUTED, clause) not in self.count:
            self.say(verdict, clause, text, where)

    def status(self):
        verdicts = {verdict for verdict, _ in self.count}
        return 3 if REFUTED in verdicts else 4 if MISSING in verdicts else 0


# Ed25519 (RFC 8032). Points are kept as X, Y, Z, T with x = X/Z, y = Y/Z, x*y = T/Z.

PRIME = (1 << 255) - 19
GROUP = (1 << 252) + 0x14DEF9DEA2F79CD65812631A5CF5D3ED
EDWARDS = 37095705934669439343138083508754565189542113879843219016388785533085940283555
NEUTRAL = (0, 1, 1, 0)


def point_sum(p, q):
    left, right = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    cross, depth = 2 * p[3] * q[3] * EDWARDS % PRIME, 2 * p[2] * q[2] % PRIME
    e, f, g, h = right - left, depth - cross, depth + cross, right + left
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def point_read(written):
    """None where it is no point, or not written in its one way."""
    value = int.from_bytes(written, "little")
    sign, y = value >> 255, value & (1 << 255) - 1
    if len(written) != 32 or y >= PRIME:
        return None
    square = (y * y - 1) * pow(EDWARDS * y * y + 1, PRIME - 2, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if x * x % PRIME != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def point_write(p):
    inverse = pow(p[2], PRIME - 2, PRIME)
    x, y = p[0] * inverse % PRIME, p[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


def both_multiples(a, p, b, q):
    """a*p + b*q, two bits of both at a time from the highest."""
    steps = [NEUTRAL]
    for _ in range(3):
        steps.append(point_sum(steps[-1], p))
    table, row = [], steps
    for _ in range(4):
        table += row
        row = [point_sum(one, q) for one in row]
    found = NEUTRAL
    for bit in range((max(a.bit_length(), b.bit_length()) + 1) // 2 * 2 - 2, -1, -2):
        found = point_twice(point_twice(found))
        which = a >> bit & 3 | (b >> bit & 3) << 2
        if which:
            found = point_sum(found, table[which])
    return found


def point_twice(p):
    """RFC 8032, 5.1.4: cheaper than a sum with itself."""
    x, y, z, _ = p
    a, b = x * x, y * y
    h = a + b
    e = h - (x + y) * (x + y)
    g = a - b
    f = 2 * z * z + g
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


GENERATOR = point_read(bytes([0x58]) + bytes([0x66] * 31))


def key_point(public):
    """A key is a multiple of the generator, other than none of it: under anything else others might sign."""
    point = point_read(public)
    if point is None or point_write(point) == point_write(NEUTRAL):
        return None
    return point if point_write(both_multiples(GROUP, point, 0, NEUTRAL)) == point_write(NEUTRAL) else None


def signature_holds(point, public, message, signature):
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= GROUP:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % GROUP
    opposite = (PRIME - point[0], point[1], point[2], PRIME - point[3])
    return point_write(both_multiples(s, GENERATOR, k, opposite)) == signature[:32]


# Keys, notes, policies


def from_base64(text):
    try:
        content = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, UnicodeEncodeError):
        raise Unreadable(f"{text[:40]!r} is no base64") from None
    if not content or base64.b64encode(content).decode("ascii") != text:
        raise Unreadable(f"{text[:40]!r} is not the one way to write it in base64")
    return content


class Key:
    def __init__(self, vkey):
        name, _, rest = vkey.partition("+")
        short, _, encoded = rest.partition("+")
        content = from_base64(encoded)
        self.vkey, self.name, self.kind, self.public = vkey, name, content[0], content[1:]
        self.id = hashlib.sha256(name.encode() + b"\n" + content).digest()[:4]
        self.point = key_point(self.public) if self.kind in (1, 4) else None
        if not re.fullmatch(r"[^\s+\x00-\x1f]+", name) or self.point is None or self.id.hex() != short:
            raise Unreadable(f"{vkey!r} is no key of a log or of a witness")

    def signed_at(self, text, value):
        """The second at which a witness signed; 0 for a log."""
        moment = int.from_bytes(value[:8], "big") if self.kind == 4 else 0
        message = f"cosignature/v1\ntime {moment}\n{text}" if self.kind == 4 else text
        signature = value[8:] if self.kind == 4 else value
        if len(signature) != 64 or moment >= 1 << 63:
            raise Unreadable(f"{self.name} signs in another form")
        if not signature_holds(self.point, self.public, message.encode(), signature):
            raise Wrong(f"{self.name} did not sign this")
        return moment


class Trust:
    def __init__(self, content):
        self.logs, self.members, self.quorum = [], {}, []
        if len(content) > 1_000_000 or content.count(b"\n") > 10_000:
            raise Unreadable("the policy is too long")
        try:
            lines = content.decode().split("\n")
        except UnicodeDecodeError:
            raise Unreadable("the policy is not written in UTF-8") from None
        for line in lines:
            words = line.split()
            if words and not words[0].startswith("#"):
                self.read(words)
        shared = [member.public for member in self.members.values() if isinstance(member, Key)]
        vkeys = [(key.name, key.public) for key in self.logs]
        if not vkeys or len(set(vkeys)) < len(vkeys) or len(set(shared)) < len(shared):
            raise Unreadable("the policy names no log, or a key twice")
        if len(self.quorum) != 1 or self.quorum[0] not in {"none", *self.members}:
            raise Unreadable("the policy names one quorum, or none")

    def read(self, words):
        what, *rest = words
        if what == "log" and len(rest) in (1, 2):
            self.logs.append(self.key(rest[0], 1))
        elif what == "witness" and len(rest) in (2, 3):
            self.new(rest[0])
            self.members[rest[0]] = self.key(rest[1], 4)
        elif what == "group" and len(rest) > 2:
            name, needed, *of = rest
            self.new(name)
            if needed in ("any", "all"):
                needed = "1" if needed == "any" else str(len(of))
            if not re.fullmatch("[1-9][0-9]{0,4}", needed) or int(needed) > len(of):
                raise Unreadable(f"the group {name} never signs")
            if len(set(of)) < len(of) or not set(of) <= set(self.members):
                raise Unreadable(f"the group {name} has members that are not named before, or one twice")
            self.members[name] = (int(needed), of)
        elif what == "quorum" and len(rest) == 1:
            self.quorum.append(rest[0])
        else:
            raise Unreadable(f"the policy has a line that cannot be read: {' '.join(words)[:80]}")

    def new(self, name):
        if name in self.members or name == "none":
            raise Unreadable(f"the policy names {name} twice")

    @staticmethod
    def key(vkey, kind):
        key = Key(vkey)
        if key.kind != kind:
            raise Unreadable(f"the key of {key.name} is of another kind")
        return key

    def every_key(self):
        return self.logs + [member for member in self.members.values() if isinstance(member, Key)]

    def suffices(self, publics, name=None):
        name = name or self.quorum[0]
        if name == "none":
            return True
        member = self.members[name]
        if isinstance(member, Key):
            return member.public in publics
        return sum(self.suffices(publics, one) for one in member[1]) >= member[0]

    def since(self, moments):
        """When enough witnesses knew of it; None where none are asked for, or too few did."""
        if self.quorum[0] != "none":
            for moment in sorted(moments.values()):
                if self.suffices({key for key, at in moments.items() if at <= moment}):
                    return moment
        return None


@contextmanager
def in_file(name):
    """What cannot be read says where it stands."""
    try:
        yield
    except Unreadable as error:
        raise Unreadable(f"{name}: {error}") from None


class Unsigned:
    """What a note of a log says, whoever has signed it."""

    def __init__(self, content):
        if len(content) > 1_000_000:
            raise Unreadable("a note is too long")
        try:
            note = content.decode()
        except UnicodeDecodeError:
            raise Unreadable("a note is not written in UTF-8") from None
        cut = note.rfind("\n\n")
        if cut < 0 or not note.endswith("\n") or note.endswith("\n\n"):
            raise Unreadable("a note is a text, an empty line and signatures")
        if any(ord(letter) < 32 and letter != "\n" for letter in note):
            raise Unreadable("a note has a control character")
        self.text, signatures = note[: cut + 1], note[cut + 2 : -1].split("\n")
        if len(signatures) > 100:
            raise Unreadable("a note has more than 100 signatures")
        self.parsed = [self.signature(line) for line in signatures]
        lines = self.text[:-1].split("\n")
        if len(lines) < 3 or not all(lines) or not re.fullmatch("0|[1-9][0-9]{0,17}", lines[1], re.ASCII):
            raise Unreadable("a checkpoint is origin, size and root")
        self.origin, self.size, self.root = lines[0], int(lines[1]), from_base64(lines[2])
        if len(self.root) != 32:
            raise Unreadable("a root has 32 bytes")

    @staticmethod
    def signature(line):
        found = re.fullmatch(r"\u2014 ([^\s+\x00-\x1f]+) ([A-Za-z0-9+/]+={0,2})", line)
        value = from_base64(found.group(2)) if found else b""
        if len(value) < 5:
            raise Unreadable("a line below a note is no signature")
        return found.group(1), value[:4], value[4:]

    @property
    def said(self):
        return (self.origin, self.size, self.root)


class Checkpoint(Unsigned):
    """A note of a log, signed by itself; and by which witnesses."""

    def __init__(self, content, trust):
        super().__init__(content)
        known = {(key.name, key.id): key for key in trust.every_key()}
        own, self.moments, self.signers = False, {}, []
        for name, short, value in self.parsed:
            key = known.get((name, short))
            if key is None:
                continue
            moment = key.signed_at(self.text, value)
            if key.kind == 4:
                self.moments[key.public] = min(moment, self.moments.get(key.public, moment))
            if key.kind == 1:
                self.signers.append(key.vkey)
            own = own or (key.kind == 1 and key.name == self.origin)
        if not own:
            raise Wrong(
                f"{self.origin} itself has not signed this by a key of the policy: "
                "somebody else wrote it, or the policy is not that of this log"
            )


# The tree (RFC 9162, 2.1)


def above(one, other):
    return hashlib.sha256(b"\x01" + one + other).digest()


def continues(old, old_root, size, root, proof):
    """RFC 9162, 2.1.4.2, in its own steps; then the two cases that it leaves open."""
    if not 0 <= old <= size:
        raise Wrong("the older checkpoint is the larger one")
    if old in (0, size):
        if proof or (old == size and root != old_root) or (old == 0 and old_root != NOTHING):
            raise Wrong("trees of the same size have other roots")
        return
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        raise Wrong("the proof is empty")
    fn, sn = old - 1, size - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            raise Wrong("the proof is too long")
        if fn & 1 or fn == sn:
            fr, sr = above(c, fr), above(c, sr)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            sr = above(sr, c)
        fn >>= 1
        sn >>= 1
    if fr != old_root or sr != root or sn:
        raise Wrong("it does not continue the older checkpoint: something older was changed")


def contains(index, leaf, size, root, proof):
    """RFC 9162, 2.1.3.2."""
    if index >= size:
        raise Wrong(f"there are {size} leaves, and none with the index {index}")
    fn, sn, found = index, size - 1, leaf
    for p in proof:
        if sn == 0:
            raise Wrong("the proof is too long")
        if fn & 1 or fn == sn:
            found = above(p, found)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            found = above(found, p)
        fn >>= 1
        sn >>= 1
    if sn or found != root:
        raise Wrong("the leaf is not under this root")


def root_of(size, indexes, leaves, proof):
    """Down from the whole tree, and up again with what was found. Spans wait in a list, so that depth costs nothing."""
    if not size:
        return NOTHING
    given, used, done = list(proof), 0, []
    waiting = [(0, size, 0, len(indexes))]
    while waiting:
        span = waiting.pop()
        if span is None:
            right = done.pop()
            done.append(above(done.pop(), right))
            continue
        begin, end, first, behind = span
        if first == behind:
            if used == len(given):
                raise Wrong("the proof is too short")
            done.append(given[used])
            used += 1
        elif end - begin == 1:
            done.append(leaves[first])
        else:
            half = 1
            while half * 2 < end - begin:
                half *= 2
            middle = begin + half
            cut = first
            low, high = first, behind
            while low < high:
                cut = (low + high) // 2
                if indexes[cut] < middle:
                    low = cut + 1
                else:
                    high = cut
            waiting += [None, (middle, end, low, behind), (begin, middle, first, low)]
    if used != len(given):
        raise Wrong("the proof is too long")
    return done[0]


class Growing:
    """The root over leaves that come one by one: of each height at most one whole subtree waits for its neighbour."""

    def __init__(self):
        self.size, self.whole = 0, []

    def add(self, leaf):
        height, self.size = self.size, self.size + 1
        while height & 1:
            leaf = above(self.whole.pop(), leaf)
            height >>= 1
        self.whole.append(leaf)

    def root(self):
        found = None
        for subtree in reversed(self.whole):
            found = subtree if found is None else above(subtree, found)
        return found or NOTHING


# The bundle


class Bundle:
    def __init__(self, path):
        self.path, self.archive = path, None
        if os.path.isdir(path):
            self.size = dict(self.in_folder("", 0))
        else:
            self.small_directory()
            self.archive = zipfile.ZipFile(path)
            self.size = {}
            for entry in self.archive.infolist():
                if entry.filename in self.size or entry.flag_bits & 1 or entry.compress_type not in (0, 8):
                    raise Unreadable(f"{entry.filename!r} is there twice, or packed in a way of its own")
                self.size[entry.filename] = entry.file_size
        if len(self.size) > FILE_COUNT or sum(self.size.values()) > 64 << 30:
            raise Unreadable("the bundle is too large")
        for name, size in self.size.items():
            if name != "bundle.json" and not ALLOWED.match(name):
                raise Unreadable(f"{name!r} is no file of a bundle; {PACKED_ANEW}")
            if size > self.limit(name):
                raise Unreadable(f"{name} is too large")
        self.listed()

    def small_directory(self):
        with open(self.path, "rb") as file:
            length = file.seek(0, 2)
            begin = max(0, length - 65_633)
            file.seek(begin)
            tail = file.read()
        at = tail.rfind(b"PK\x05\x06")
        if length >= 4 << 30:
            raise Unreadable("the archive has 4 GiB or more: unpack it, and name the folder")
        if at < 0 or len(tail) < at + 22:
            raise Unreadable(
                "this is neither a folder nor a whole zip: it may have been cut off, so fetch it once more"
            )
        count, listed = tail[at + 10 : at + 12], tail[at + 12 : at + 16]
        if tail[max(0, at - 20) : at].startswith(
            b"PK\x06\x07"
        ):  # a large archive: what its own end in front says is used
            own = at - 76
            where = int.from_bytes(tail[at - 12 : at - 4], "little")
            if own < 0 or where != begin + own or not tail.startswith(b"PK\x06\x06", own):
                raise Unreadable("the archive does not say where its end is: unpack it, and name the folder")
            count, listed = tail[own + 32 : own + 40], tail[own + 40 : own + 48]
        if int.from_bytes(count, "little") > FILE_COUNT or int.from_bytes(listed, "little") > 64 * MEGABYTE:
            raise Unreadable("the archive lists too many files: unpack it, and name the folder")

    def in_folder(self, prefix, depth):
        with os.scandir(os.path.join(self.path, prefix)) as scanned:
            entries = [entry for entry, _ in zip(scanned, range(FILE_COUNT + 1))]
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode) and depth < 4:
                yield from self.in_folder(f"{prefix}{entry.name}/", depth + 1)
            elif stat.S_ISREG(status.st_mode):
                yield prefix + entry.name, status.st_size
            else:
                raise Unreadable(f"{prefix}{entry.name} is no file of a bundle; {PACKED_ANEW}")

    @staticmethod
    def limit(name):
        last = name.rpartition("/")[2]
        if last.endswith(".proof"):
            return 2048
        if last.isdigit() and name.startswith("logs/"):
            return 1_000_000
        return LIMITS.get(last, 64 * MEGABYTE)

    def listed(self):
        if "bundle.json" not in self.size:
            raise Unreadable(f"there is no bundle.json at its top: this is no bundle; {PACKED_ANEW}")
        listing = read_json(self.content("bundle.json"), "bundle.json")
        files = listing.get("files")
        whole = isinstance(files, dict) and all(isinstance(one, str) for one in files.values())
        if listing.get("format") != "roundlog.bundle/1" or not whole:
            raise Unreadable("bundle.json is not that of a roundlog.bundle/1")
        self.tournament, self.program, self.files = listing.get("tournament"), listing.get("program"), files
        if not isinstance(self.tournament, str) or not re.fullmatch("[0-9A-Za-z-]{1,64}", self.tournament):
            raise Unreadable("bundle.json names no tournament")
        if not isinstance(self.program, str) or len(self.program) > 200:
            raise Unreadable("bundle.json names no program")
        for name, digest in files.items():
            if not ALLOWED.match(name) or not re.fullmatch("[0-9a-f]{64}", digest):
                raise Unreadable(f"{name!r} is no file of a bundle")
        if set(files) != set(self.size) - {"bundle.json"}:
            odd = min(set(files) ^ (set(self.size) - {"bundle.json"}))
            raise Unreadable(f"{odd} is missing, or not in bundle.json")
        self.services = sorted({name.split("/")[1] for name in files if name.startswith("logs/")})
        wanted = [f"logs/{service}/{part}" for service in self.services for part in PARTS]
        notes = [name for name in files if "/checkpoints/" in name]
        wanted += [name[:-6] if name.endswith(".proof") else f"{name}.proof" for name in notes]
        for name in wanted:
            if name not in files:
                raise Unreadable(f"{name} is missing")
        if not self.services:
            raise Unreadable("there is no log in the bundle")

    def undamaged(self):
        for name, digest in self.files.items():
            found = hashlib.sha256()
            for piece in self.pieces(name):
                found.update(piece)
            if found.hexdigest() != digest:
                raise Unreadable(f"{name} is not what bundle.json says")

    def pieces(self, name):
        left = self.size[name]
        if self.archive:
            file = self.archive.open(name)
        else:
            file = open(os.open(os.path.join(self.path, name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb")
        with file:
            piece = file.read(1 << 18)
            while piece:
                left -= len(piece)
                if left < 0:
                    raise Unreadable(f"{name} is longer than it says")
                yield piece
                piece = file.read(1 << 18)

    def content(self, name):
        return b"".join(self.pieces(name))

    def lines(self, name):
        kept = b""
        for piece in self.pieces(name):
            parts = (kept + piece).split(b"\n")
            kept = parts.pop()
            yield from parts
            if len(kept) > LINE_LIMIT:
                raise Unreadable(f"a line of {name} is too long")
        if kept:
            raise Unreadable(f"the last line of {name} does not end")

    def hashes(self, name):
        content = self.content(name)
        if len(content) % 32:
            raise Unreadable(f"{name} is no list of hashes")
        return [content[at : at + 32] for at in range(0, len(content), 32)]

    def rows(self, service):
        streams = [self.lines(f"logs/{service}/{part}") for part in ("positions", "numbers", "records", "messages")]
        while True:
            row = [next(stream, None) for stream in streams]
            if row == [None] * 4:
                return
            if None in row:
                raise Unreadable(f"the lists of {service} have not as many lines")
            yield row


def no_constant(word):
    raise ValueError(f"{word} is no JSON")


def whole(digits):
    if len(digits.lstrip("-")) > 4300:  # which newer versions of Python refuse by themselves
        raise ValueError("a number has too many digits")
    return int(digits)


def no_name_twice(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def read_json(content, where):
    try:
        found = json.loads(
            content.decode(), parse_int=whole, parse_constant=no_constant, object_pairs_hook=no_name_twice
        )
        if HALF_A_PAIR.search(content):
            json.dumps(found, ensure_ascii=False).encode()  # of what is written in two halves each has the other
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{where} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise Unreadable(f"{where} is no object")
    return found


def moment(text):
    """Older versions of Python read three or six digits behind the second, and no Z."""
    found = TIME.match(text)
    try:
        day, fraction, zone = found.groups() if found else ("", "", "")
        return datetime.fromisoformat(f"{day}.{fraction or '':0<6}{'+00:00' if zone == 'Z' else zone}")
    except ValueError:
        raise Unreadable(f"{text[:50]!r} is no time") from None


def seconds(text):
    return moment(text).timestamp()


RECORD_FIELDS = {"id": str, "stream": str, "version": int, "type": str, "scope": str, "at": str, "actor": str}
MESSAGE_FIELDS = {"id": str, "type": str, "scope": str, "at": str}


def envelope(content, fields, where):
    """None where the content is not shown."""
    if content[:1] != b"{":
        return None
    found = read_json(content, where)
    for name, kind in fields.items():
        if not isinstance(found.get(name), kind) or isinstance(found.get(name), bool):
            raise Unreadable(f"{where} says no {name}")
    of_records = "stream" in fields
    for name in ("trace", "public", "causation") if of_records else ("trace",):
        if name not in found:
            raise Unreadable(f"{where} says no {name}")
    for name in ("trace", "public", "causation", "role", "operation") if of_records else ("trace",):
        if not isinstance(found.get(name), (str, type(None))):
            raise Unreadable(f"{where}: {name} is no text")
    if not UUID.match(found["id"]) or not isinstance(found.get("data"), dict):
        raise Unreadable(f"{where} has no id, or no data")
    seconds(found["at"])
    return found


def announces(shown):
    return shown is not None and shown["type"] == "TournamentAnnounced"


class Log:
    """One log of the bundle: its notes, its leaves, its events one by one, its seals."""

    def __init__(self, bundle, service, trust, findings, take, wanted):
        self.wanted = wanted  # positions whose leaves are asked for later
        self.bundle, self.service, self.trust, self.findings, self.take = bundle, service, trust, findings, take
        self.folder = f"logs/{service}"
        self.newest, self.found = None, {}  # the note, and the leaf at each position
        self.times, self.count, self.own, self.announced, self.sealed = [], 0, 0, False, False
        self.notes, self.proved, self.foreign, self.history = [], {}, [], []

    def checkpoint(self, name):
        try:
            with in_file(name):
                found = Checkpoint(self.bundle.content(name), self.trust)
        except Wrong as wrong:
            self.findings.say(REFUTED, "notes", str(wrong), name)
            return None
        if found.origin.split("/")[1:2] != [self.service]:
            self.findings.say(REFUTED, "notes", f"this is the log {found.origin}", name)
            return None
        self.notes.append((name, found))
        return found

    def check(self):
        newest = self.checkpoint(f"{self.folder}/checkpoint")
        if newest is None or not self.is_newest(newest):
            return None
        if self.trust.quorum == ["none"]:
            text = "no witness is asked for: it holds against checkpoints that you got elsewhere and earlier"
            self.findings.say(UNCHECKABLE, "quorum", text, self.folder)
        elif self.trust.suffices(set(newest.moments)):
            self.findings.say(RECOMPUTED, "quorum", f"{len(newest.moments)} witnesses have signed it", self.folder)
        else:
            text = f"{len(newest.moments)} witnesses have signed it, and the policy asks for more"
            self.findings.say(MISSING, "quorum", text, self.folder)
        self.newest = newest
        self.earlier(newest)
        self.events(newest)
        self.keys_in_time()
        self.restorations(newest)
        return newest

    def older(self):
        """The files of the earlier checkpoints, by their size."""
        prefix = f"{self.folder}/checkpoints/"
        names = [name for name in self.bundle.files if name.startswith(prefix) and not name.endswith(".proof")]
        return sorted(names, key=lambda one: int(one[len(prefix) :]))

    def is_newest(self, newest):
        """With an older one in its place, everything else would seem to be at fault."""
        for name in self.older():
            try:
                with in_file(name):
                    other = Checkpoint(self.bundle.content(name), self.trust)
            except Wrong:
                continue  # as is said below
            if other.origin == newest.origin and other.size >= newest.size:
                text = f"this is of {newest.size} events and not the newest: {name} is of {other.size}"
                self.findings.say(REFUTED, "consistency", text, f"{self.folder}/checkpoint")
                return False
        return True

    def earlier(self, newest):
        names = self.older()
        for name in names:
            with in_file(name):
                old = Unsigned(self.bundle.content(name))
            is_own = old.origin == newest.origin
            if is_own:
                old = self.checkpoint(name)
                if old is None:
                    continue
            if str(old.size) != name.rpartition("/")[2]:
                self.findings.say(REFUTED, "consistency", "this is a checkpoint of another size", name)
                continue
            try:
                continues(old.size, old.root, newest.size, newest.root, self.bundle.hashes(f"{name}.proof"))
            except Wrong as wrong:
                if is_own:
                    self.findings.say(REFUTED, "consistency", str(wrong), f"{name}.proof")
                else:
                    self.not_continued(name, old)
                continue
            self.proved[old.size] = old
            if not is_own:
                self.foreign.append((name, old))
                continue
            self.times += [(old.size, min(old.moments.values()))] if old.moments else []
        self.times += [(newest.size, min(newest.moments.values()))] if newest.moments else []
        text = f"{len(names)} earlier checkpoints are continued"
        self.findings.unless_refuted(RECOMPUTED, "consistency", text, self.folder)

    def events(self, newest):
        indexes, leaves, own, seals, versions, ids = [], [], [], [], {}, set()
        position, number, most, hidden, untold = 0, 0, 0, 0, 0
        for row in self.bundle.rows(self.service):
            at, said = self.digits(row[0]), self.digits(row[1]) if row[1] else None
            if at is None or at <= position or (row[1] and said is None):
                raise Unreadable(f"{self.folder}: {row[0][:40]!r} is no position behind {position}")
            first, second = self.digest(row[2], at), self.digest(row[3], at) if row[3] else NOTHING
            if row[3] and second == NOTHING:
                raise Unreadable(f"{self.folder} at position {at}: the hash of nothing stands for a message")
            if (said is None) != (second == NOTHING):
                text = "a message goes with a public number, and none without"
                self.findings.say(REFUTED, "numbers", text, f"{self.folder}/numbers", at)
            most += at - position if said is not None else at - position - 1
            if said is not None and number < said <= most:
                number = most = said
            elif said is not None:  # the next one is held against the last that had room
                text = f"the public number {said} has no room behind {number}"
                self.findings.say(REFUTED, "numbers", text, f"{self.folder}/numbers", at)
            position = at
            leaf = hashlib.sha256(b"\x00" + first + second).digest()
            indexes.append(at - 1)
            leaves.append(leaf)
            if at in self.wanted:
                self.found[at] = leaf
            record = envelope(row[2], RECORD_FIELDS, f"{self.folder}/records at {at}")
            message = envelope(row[3], MESSAGE_FIELDS, f"{self.folder}/messages at {at}")
            hidden += record is None
            untold += bool(row[3]) and message is None
            shown = record or message
            if shown is None or shown["scope"] == self.bundle.tournament:
                own.append((at, leaf))
                self.announced = self.announced or (self.service == "registration" and announces(shown))
            if record:
                self.one_record(at, record, second, versions, ids, hidden)
                if record["type"] == "ScopeSealed":
                    self.one_seal(at, record["data"], seals)
                if record["type"] in ("LogKeyIntroduced", "LogKeyRetired", "LogRestored"):
                    self.history.append((at, record["type"], self.of_itself(at, record["type"], record["data"])))
            if record and message:
                one, other = [
                    (said["id"].lower(), said["scope"], moment(said["at"]), said["trace"]) for said in (record, message)
                ]
                if one != other:
                    text = "id, scope, time or trace of the message are not those of the record"
                    self.findings.say(REFUTED, "records", text, f"{self.folder}/messages", at)
            if shown:
                self.time(at, seconds(shown["at"]))
            self.take(self.service, at, said, record, message)
        if hidden or untold:
            text = (
                f"of {hidden} of {len(leaves)} events no record is shown, and of {untold} not the message that there is"
            )
            self.findings.say(UNCHECKABLE, "records", f"{text}: what they say is not checkable", self.folder)
        self.count, self.own = len(leaves), len(own)
        name = f"{self.folder}/inclusion"
        if position > newest.size:
            text = f"the log was signed with {newest.size} events"
            self.findings.say(REFUTED, "inclusion", text, f"{self.folder}/positions", position)
        else:
            try:
                if root_of(newest.size, indexes, leaves, self.bundle.hashes(name)) != newest.root:
                    raise Wrong("the events are not those of the signed log")
                self.kept_leaves(indexes, leaves)
                text = f"{self.count} events stood in the log when it was signed"
                self.findings.unless_refuted(RECOMPUTED, "inclusion", text, self.folder)
            except Wrong as wrong:
                signed = self.named(newest, indexes, leaves)
                if signed is None:
                    self.findings.say(REFUTED, "inclusion", str(wrong), name)
                else:  # what the seals are of, so that they are not at fault
                    own = [(at, signed[at]) for at, _ in own]
        self.sealed = bool(seals)
        self.complete(own, seals)

    def named(self, newest, indexes, leaves):
        """With the leaves that the tree is said to have, the root may come out: then these events were changed.

        Which leaf was signed at each position, or None.
        """
        name = f"{self.folder}/leaves"
        kept = self.bundle.hashes(name) if name in self.bundle.files else []
        try:
            proof = self.bundle.hashes(f"{self.folder}/inclusion")
            if len(kept) != len(leaves) or root_of(newest.size, indexes, kept, proof) != newest.root:
                return None
        except Wrong:
            return None
        text = "record or message is not what stood here when the log was signed"
        for index, leaf, signed in zip(indexes, leaves, kept):
            if leaf != signed:
                self.findings.say(REFUTED, "inclusion", text, f"{self.folder}/records", index + 1)
        return {index + 1: signed for index, signed in zip(indexes, kept)}

    def kept_leaves(self, indexes, leaves):
        """They are what the events give, though nothing rests on them then."""
        name = f"{self.folder}/leaves"
        kept = self.bundle.hashes(name) if name in self.bundle.files else leaves
        if len(kept) != len(leaves):
            self.findings.say(REFUTED, "inclusion", f"there are {len(kept)} leaves of {len(leaves)} events", name)
            return
        text = "this is not the leaf of the event, which is what stood here when the log was signed"
        for index, leaf, other in zip(indexes, leaves, kept):
            if leaf != other:
                self.findings.say(REFUTED, "inclusion", text, name, index + 1)

    @staticmethod
    def digits(line):
        return int(line) if re.fullmatch(rb"[1-9][0-9]{0,17}", line) else None

    def digest(self, line, at):
        if line[:1] == b"{":
            return hashlib.sha256(line).digest()
        if not re.fullmatch(rb"[0-9a-f]{64}", line):
            raise Unreadable(f"{self.folder} at position {at}: neither JSON nor its hash")
        return bytes.fromhex(line.decode())

    def one_record(self, at, record, said, versions, ids, hidden):
        where = f"{self.folder}/records"
        if record["public"] != (None if said == NOTHING else said.hex()):
            text = "the record says another message than the one that is here"
            self.findings.say(REFUTED, "records", text, f"{self.folder}/messages", at)
        if record["id"].lower() in ids:
            self.findings.say(REFUTED, "records", "another event of this log has the same id", where, at)
        ids.add(record["id"].lower())
        stream, version = record["stream"], record["version"]
        before = versions.get(stream, 0)
        own = record["scope"] == self.bundle.tournament
        versions[stream] = version
        if version <= before or (own and version != before + 1 and not hidden):
            text = f"version {version} of {stream} follows version {before}"
            self.findings.say(REFUTED, "versions", text, where, at)
        elif own and version != before + 1:
            self.findings.say(UNCHECKABLE, "versions", f"{stream} lacks versions, perhaps hidden ones", where, at)

    def of_itself(self, at, kind, data):
        """What the log says of itself: its keys, or that it was restored."""
        kinds = {"former": str, "kept": int} if kind == "LogRestored" else {"vkey": str}
        has_reason = kind != "LogRestored" or isinstance(data.get("reason", 0), (str, type(None)))
        if not has_reason or not all(type(data.get(name)) is one for name, one in kinds.items()):
            raise Unreadable(f"{self.folder} at position {at}: this {kind} says nothing")
        return data

    def keys_in_time(self):
        """A key signs from when the log has named it, the first one from the beginning, and no more once it is retired."""
        named = {data["vkey"]: at for at, kind, data in self.history if kind == "LogKeyIntroduced"}
        retired = {data["vkey"]: at for at, kind, data in self.history if kind == "LogKeyRetired"}
        for name, note in self.notes:
            good = [one for one in note.signers if named.get(one, 0) <= note.size]
            if not [one for one in good if note.size < retired.get(one, note.size + 1)]:
                text = f"the log had not named the key yet that signed its {note.size} events, or had retired it"
                self.findings.say(REFUTED, "keys", text, name)
        for at, kind, data in self.history:
            if kind != "LogRestored":
                what = "named" if kind == "LogKeyIntroduced" else "retired"
                text = f"the key {data['vkey'].rpartition('+')[0]} was {what} here"
                self.findings.say(RECOMPUTED, "keys", text, f"{self.folder}/records", at)

    def restorations(self, newest):
        allowed = set()
        for at, kind, data in self.history:
            if kind == "LogRestored":
                former = Unsigned(data["former"].encode())
                allowed.add(former.said)
                if former.origin == newest.origin:
                    text = f"this is of the log before it was restored at position {at}: it has another name since"
                    self.findings.say(REFUTED, "restores", text, f"{self.folder}/checkpoint")
                    continue
                for verdict, text in self.restoration(at, data, former, newest):
                    self.findings.say(verdict, "restores", text, f"{self.folder}/records", at)
        for name, old in self.foreign:
            if old.said not in allowed:
                self.not_continued(name, old)

    def not_continued(self, name, old):
        text = f"this is a checkpoint of {old.origin}, which this log does not continue"
        self.findings.say(REFUTED, "consistency", text, name)

    def restoration(self, at, data, former, newest):
        """What is to be said of a log that was another one before."""
        kept, origin = data["kept"], former.origin
        if origin.split("/")[:2] != newest.origin.split("/")[:2]:
            yield REFUTED, f"{origin} is no former name of this log"
            return
        if kept > former.size or kept >= at:
            yield REFUTED, f"{kept} of {former.size} events cannot have been kept in front of it"
            return
        if not any(key.name == origin for key in self.trust.logs):
            yield UNCHECKABLE, f"no key of {origin}, which the log was before, is in the policy"
        else:
            try:
                Checkpoint(data["former"].encode(), self.trust)
            except Wrong as wrong:
                yield REFUTED, f"what the log was before was not signed: {wrong}"
        proved = self.proved.get(former.size)
        if kept < former.size:
            yield UNCHECKABLE, f"the log was restored: events {kept + 1} to {former.size} of {origin} were lost"
        elif proved is None:
            yield UNCHECKABLE, f"the log was restored: nothing proves that all {kept} events of {origin} were kept"
        elif proved.root != former.root:
            yield REFUTED, f"the log does not continue {origin}, all of which is said to be kept"
        else:
            yield RECOMPUTED, f"the log was restored, and all {kept} events of {origin} were kept"

    def one_seal(self, at, data, seals):
        kinds = {"scope": str, "upto": int, "count": int, "root": str}
        if not all(type(data.get(name)) is kind for name, kind in kinds.items()):
            raise Unreadable(f"{self.folder} at position {at}: this seal says nothing")
        if data["scope"] == self.bundle.tournament:
            seals.append((data["upto"], at, data))

    def time(self, at, said):
        """Witnessed checkpoints come in the order of their sizes; the nearest on both sides say the most."""
        behind = bisect_left(self.times, (at, 0))
        early = behind and said < self.times[behind - 1][1] - 300
        if early or (behind < len(self.times) and said > self.times[behind][1] + 300):
            text = "its time lies outside those of the witnessed checkpoints around it"
            self.findings.say(UNCHECKABLE, "times", text, f"{self.folder}/records", at)

    def complete(self, own, seals):
        tree, taken, covered = Growing(), 0, 0
        for upto, at, data in sorted(seals, key=lambda seal: seal[0]):
            while taken < len(own) and own[taken][0] <= upto:
                tree.add(own[taken][1])
                taken += 1
            covered = max(covered, upto)
            if upto >= at or data["count"] != tree.size or data["root"] != tree.root().hex():
                text = f"the seal covers {data['count']} events up to position {upto}; here are {tree.size}, or others"
                self.findings.say(REFUTED, "seals", text, f"{self.folder}/records", at)
        sealing = {at for _, at, _ in seals}
        open_ones = [at for at, _ in own if at > covered and at not in sealing]
        if open_ones:
            text = f"no seal covers what stands from this event on ({len(open_ones)} in all): others may be left out"
            self.findings.say(MISSING, "seals", text, f"{self.folder}/records", open_ones[0])
        elif seals:
            text = f"none of the {len(own)} events of the tournament is left out"
            self.findings.unless_refuted(RECOMPUTED, "seals", text, self.folder)


# What the events say


def letters(*parts):
    return "".join(f"{part}\n" for part in parts).encode()


class Lots:
    """The lots of one service."""

    def __init__(self, service, tournament, findings):
        self.service, self.tournament, self.findings = service, tournament, findings
        self.source_is_read = True  # whether the log of registration could be read
        self.commitments, self.draws, self.decided, self.seed, self.hidden = [], [], [], None, False
        self.where = f"logs/{service}/records"

    def say(self, verdict, text, at=None):
        self.findings.say(verdict, "lots", text, self.where, at)

    @property
    def doubt(self):
        """What speaks against it, unless what answers it may be hidden."""
        return UNCHECKABLE if self.hidden else REFUTED

    def take(self, at, kind, data):
        if kind == "LotSeedCommitted":
            source = data.get("source")
            if self.commitments and (self.draws or self.seed or self.commitments[-1][2] == source):
                self.say(REFUTED, "another secret was fixed before", at)
            self.commitments.append((at, data["commitment"], source))
        elif kind == "LotDrawn":
            if not self.commitments:
                self.say(self.doubt, "a lot was drawn before its secret was fixed", at)
            if self.seed:
                self.say(REFUTED, "a lot was drawn after the secret was open to all", at)
            self.draws.append((at, data["purpose"], list(data["order"])))
        elif kind == "LotSeedRevealed":
            self.seed = self.seed or (at, bytes.fromhex(data["seed"]))
        elif kind == "TieSettled" and data["kind"] == "lot":
            self.decided.append((at, f"order of {data['stage']}", [one for equal in data["order"] for one in equal]))
        elif kind == "SeatsDrawn":
            self.decided.append((at, f"seats of game {data['game']}", list(data["order"])))
        elif kind == "BoardsDrawn":
            for entrant, persons in data["line_ups"].items():
                sitting = [one for one in persons if one is not None]
                self.decided.append((at, f"boards of {entrant} in game {data['game']}", sitting))

    def check(self, opened):
        drawn = [(purpose, order) for _, purpose, order in self.draws]
        for at, purpose, order in self.decided:
            if (purpose, order) not in drawn:
                self.say(self.doubt, f"it rests on a lot for {purpose!r} that nobody has drawn so", at)
        if not self.draws and not self.seed:
            return
        if self.seed is None:
            self.say(MISSING, f"the secret of {len(self.draws)} lots is not revealed", self.draws[0][0])
            return
        at, secret = self.seed
        others = [at for at, said, source in self.commitments if said != self.commitment(secret, source)]
        for other in others:
            self.say(REFUTED, "the secret that was revealed in the end is not the one that was fixed here", other)
        if len(others) == len(self.commitments):
            self.say(self.doubt, "the secret is not the one that was fixed", at)
        elif self.draws:
            self.draw_again(secret, self.commitments[-1], opened)

    def commitment(self, secret, source):
        head = letters("roundlog/lots/commitment/v1", self.service, self.tournament, source) if source else b""
        return hashlib.sha256(head + secret).hexdigest()

    def draw_again(self, secret, last, opened):
        _, commitment, source = last
        key, kind = secret, []
        if source:
            if opened is None and not self.source_is_read:
                text = f"the value of {source} stands in the log of registration, which could not be read"
                self.say(UNCHECKABLE, text, self.draws[0][0])
                return
            if opened is None:
                self.say(MISSING, f"the value of {source} was not written down", self.draws[0][0])
                return
            at, data = opened
            named = data["commitments"].get(self.service)
            if (data["source"], named) != (source, commitment):
                text = f"what {self.service} had fixed is not what was heard of it when the value was written down"
                self.findings.say(self.doubt, "lots", text, "logs/registration/records", at)
            message = letters("roundlog/lots/key/v1", self.tournament, data["source"], data["value"])
            key, kind = hmac.new(secret, message, hashlib.sha256).digest(), ["roundlog/lots/ticket/v1"]
        wrong = 0
        for at, purpose, order in self.draws:
            among = sorted(set(order))
            head = letters(*kind, purpose, *among)
            tickets = {one: hmac.new(key, head + one.encode(), hashlib.sha256).digest() for one in among}
            if sorted(among, key=tickets.get) != order:
                wrong += 1
                self.say(REFUTED, f"the lot for {purpose!r} falls otherwise from the revealed secret", at)
        if source and wrong == len(self.draws):
            text = f"no lot of {self.service} follows from this value"
            self.findings.say(REFUTED, "lots", text, "logs/registration/records", opened[0])
        self.findings.unless_refuted(RECOMPUTED, "lots", f"{len(self.draws)} lots", self.where)
        if not source:
            self.say(UNCHECKABLE, "nothing that nobody chose was mixed in: whoever made the secret could choose it")


BEACONS = (  # chains of the League of Entropy
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
)


class Source:
    """What the lots of the tournament are mixed with, as registration has said it."""

    def __init__(self, findings):
        self.findings, self.announced, self.opened, self.hidden = findings, None, None, False

    def say(self, verdict, text, at):
        self.findings.say(verdict, "lots", text, "logs/registration/records", at)

    def take(self, at, kind, data):
        if kind == "TournamentAnnounced":
            self.announced = data.get("lot_source")
        elif kind == "LotSourceMoved":
            self.announced = data["source"]
        elif kind == "LotsOpened" and self.opened:
            self.say(REFUTED, "the value was written down before, and the first one stands", at)
        elif kind == "LotsOpened":
            if not isinstance(data["commitments"], dict):
                raise Unreadable(f"logs/registration at position {at}: commitments are by service")
            self.opened = (at, data)
            self.value(at, data["source"], data["value"])

    def value(self, at, source, value):
        if source != self.announced:
            verdict = UNCHECKABLE if self.hidden else REFUTED
            self.say(verdict, f"the value is of {source}, and {self.announced or 'no source'} was announced", at)
        dice = re.fullmatch("dice ([1-9][0-9]{0,2})", source, re.ASCII)
        beacon = re.fullmatch("drand ([0-9a-f]{64}) [1-9][0-9]{0,14}", source, re.ASCII)
        faces = re.fullmatch("[1-6](?: [1-6])*", value, re.ASCII)
        if dice and 10 <= int(dice.group(1)) <= 100 and faces and len(value) == 2 * int(dice.group(1)) - 1:
            self.say(UNCHECKABLE, f"whether {source} fell so, those know who were there", at)
        elif beacon and beacon.group(1) in BEACONS and re.fullmatch("[0-9a-f]{64}", value, re.ASCII):
            self.say(UNCHECKABLE, f"whether {source} gave this value is to be looked up there", at)
        else:
            self.say(REFUTED, f"{source} has no such value", at)


def compact(identity):
    return bytes.fromhex(identity.replace("-", ""))


class Offices:
    """By what right somebody acted."""

    NAMED = ("director", "arbiter", "scorer", "council", "coordinator", "auditor")
    UNSEEN = ("LogKeyIntroduced", "LogKeyRetired", "LogRestored", "ScopeSealed")  # nobody acts in these
    WORDS = (
        ("office", RECOMPUTED, "acts by who had been appointed to that office"),
        ("captain", RECOMPUTED, "acts of captains, by tokens of who could issue them"),
        ("entrant", RECOMPUTED, "acts of entrants, by their own accounts"),
        ("message", RECOMPUTED, "events that follow from what a neighbour had said"),
        ("operator", UNCHECKABLE, "acts of operators: who they are stands in no log"),
        ("account", UNCHECKABLE, "acts of accounts for themselves"),
        ("linked", UNCHECKABLE, "acts of accounts that are linked to nobody who is named in the entry"),
        ("itself", UNCHECKABLE, "events that follow from what is not in the bundle, or from the service itself"),
        ("nobody", UNCHECKABLE, "events say in no role who acted: an older program wrote them"),
    )

    def __init__(self, tournament, findings):
        self.findings, self.scopes = findings, {tournament}
        self.terms, self.tokens, self.dismissed, self.accounts = {}, {}, {}, {}
        self.own, self.seats, self.messages, self.acts, self.count = {}, {}, {}, [], {}
        self.partial = False  # whether registration has said more of offices than could be read

    def take(self, service, at, record, message):
        if message:
            of = sys.intern(message["type"])
            self.messages[compact(message["id"])] = (service, of, seconds(message["at"]))
        if not record:
            self.partial = self.partial or service == "registration"
            return
        kind, data, when = record["type"], record["data"], seconds(record["at"])
        if service == "registration":
            self.registered(at, when, kind, data, record["actor"])
        elif kind == "SheetOpened":
            self.seats.setdefault(data["game"], set()).update(data["seats"])
        if kind not in self.UNSEEN:
            role, actor = record.get("role"), sys.intern(record["actor"])
            more = (data.get("entrant"), data.get("game")) if role in ("captain", "entrant") else None
            if role == "service":
                cause = record.get("causation")
                is_id = isinstance(cause, str) and UUID.match(cause)
                more = (sys.intern(str(record.get("operation"))), compact(cause) if is_id else b"")
            role = role if role is None else sys.intern(str(role))
            self.acts.append((service, at, when, actor, role, more))

    def registered(self, at, when, kind, data, actor):
        if kind == "TournamentAnnounced":
            self.scopes.add(data["federation"])
        elif kind in ("OfficialAppointed", "OfficialDismissed"):
            office = (data["subject"], data["role"], data["scope"])
            self.terms.setdefault(office, []).append((at, when, kind == "OfficialAppointed"))
        elif kind == "CaptainTokenIssued":
            issuer = data["issuer"]
            words, numbers = [issuer[name] for name in ("subject", "role", "scope")], [issuer["term"], data["issued"]]
            if any(type(one) is not str for one in words) or any(type(one) is not int for one in numbers):
                raise Unreadable("an issuer has subject, role, scope and term, and the token its second")
            token = f"captain:{data['entrant']}:{data['generation']}:{data['serial']}"
            self.tokens[token] = (at, actor, data)
        elif kind == "CaptainDismissed":
            self.dismissed.setdefault(data["entrant"], []).append((when, data["generation"]))
        elif kind in ("PersonLinked", "PersonUnlinked", "HomeLinked", "HomeUnlinked"):
            whose = self.accounts.setdefault(data["subject"], {})
            whose.setdefault(data.get("person") or data.get("home"), []).append(
                (at, when, not kind.endswith("Unlinked"))
            )
        elif kind in ("EntrantEntered", "EntrantAdmitted", "EntrantChanged", "EntryDetailed"):
            named = list(data.get("persons") or ()) + list(data.get("substitutes") or ())
            named += [data.get(name) for name in ("captain", "school", "club")]
            self.own.setdefault(data["entrant"], set()).update(one for one in named if one)

    def check(self):
        for service, at, when, actor, role, more in self.acts:
            found, fault = self.judge(when, actor, role, more)
            if fault:
                answered = self.partial and role in (*self.NAMED, "captain", "entrant")
                self.findings.say(UNCHECKABLE if answered else REFUTED, "offices", fault, f"logs/{service}/records", at)
            else:
                self.count[found] = self.count.get(found, 0) + 1
        for at, actor, token in self.tokens.values():
            if not self.could_issue(at, actor, token["issuer"]):
                text = f"a token was issued by somebody who was no {token['issuer']['role']}"
                verdict = UNCHECKABLE if self.partial else REFUTED
                self.findings.say(verdict, "offices", text, "logs/registration/records", at)
        for name, verdict, words in self.WORDS:
            if name in self.count:
                self.findings.say(verdict, "offices", f"{self.count[name]} {words}")

    def judge(self, when, actor, role, more):
        """Which kind of act it is, and what speaks against it."""
        if role is None:
            return "nobody", None
        if role in self.NAMED:
            held = any(in_office(self.terms.get((actor, role, scope), ()), when) for scope in self.scopes)
            return "office", None if held else f"nobody had appointed who acted as {role}"
        if role == "captain":
            return role, self.captain(when, actor, *more)
        if role == "entrant":
            return self.entrant(when, actor, more[0])
        if role == "service":
            operation, cause = more
            told = self.messages.get(cause)
            if told is None:
                return "itself", None
            follows = told[:2] == (actor, operation) and told[2] <= when + 300
            text = f"it is said to follow from {operation} of {actor}, and that is another message, or later"
            return "message", None if follows else text
        return role, None if role in ("operator", "account") else f"nobody acts as {role}"

    def captain(self, when, actor, entrant, game):
        if actor not in self.tokens:
            return "nobody had issued a token to this captain"
        at, by, token = self.tokens[actor]
        issuer, own = token["issuer"], token["entrant"]
        if not token["issued"] - 300 <= when <= token["issued"] + 12 * 3600 + 300:
            return "the captain's token was not good then"
        if any(day < when - 300 and first > token["generation"] for day, first in self.dismissed.get(own, ())):
            return "the captain had been dismissed"
        if not self.could_issue(at, by, issuer):
            return f"the captain's token was issued by somebody who was no {issuer['role']}"
        terms = self.terms.get((issuer["subject"], issuer["role"], issuer["scope"]), ())
        if any(not is_new and position > at and day < when - 300 for position, day, is_new in terms):
            return f"the captain's token had ended with the term of the {issuer['role']} who issued it"
        if entrant not in (None, own) or own not in self.seats.get(game, {own}):
            return "the captain speaks for another entrant"
        return None

    def could_issue(self, at, actor, issuer):
        """In that office, and in so-and-so many terms of theirs there had ended."""
        office = (issuer["subject"], issuer["role"], issuer["scope"])
        before = [is_new for position, _, is_new in self.terms.get(office, ()) if position < at]
        held = before[-1:] == [True] and before.count(False) == issuer["term"]
        return held and actor == issuer["subject"] and issuer["scope"] in self.scopes

    def entrant(self, when, actor, entrant):
        held = {what for what, terms in self.accounts.get(actor, {}).items() if in_office(terms, when)}
        if not held:
            return "entrant", "nobody had linked this account to a person, a club or a school"
        return "entrant" if held & self.own.get(entrant, set()) else "linked", None


def in_office(terms, when):
    """Whether somebody was named then, or within five minutes."""
    last = False
    for _, day, is_new in terms:
        if day > when + 300:
            break
        last = is_new or (last and day > when - 300)
    return last


def number(value):
    """Numbers are written as such, or as fractions like 1/2. Nobody has to compute with one that fills pages."""
    written = str(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    if not re.fullmatch("-?[0-9]{1,40}(?:/[1-9][0-9]{0,39})?", written, re.ASCII):
        raise Unreadable(f"{written[:50]!r} is no number")
    return Fraction(written)


LOWEST_FIRST = ("start_number", "lot", "duel", "bracket")  # of these the lowest value is best
SHORT = {"reg": "registration", "pai": "pairing", "res": "results", "sta": "standings"}


class Known:
    """What was known at some inputs, as far as the points of whoever has simply played follow from it."""

    def __init__(self):
        self.latest, self.sealed, self.recomputed, self.hidden = {}, set(), 0, {}
        self.paired, self.ended, self.apart, self.is_plain = [], {}, set(), True

    @staticmethod
    def inputs(written):
        """`reg120.pai31.res88.sta7`: up to which public number each service was heard."""
        found = [re.fullmatch("(reg|pai|res|sta)([0-9]{1,18})", part, re.ASCII) for part in str(written).split(".")]
        if None in found or len({one.group(1) for one in found}) < len(found):
            return None
        return {SHORT[one.group(1)]: int(one.group(2)) for one in found}

    def hear(self, service, said, kind, data):
        if said is None:
            return  # which is refuted elsewhere
        self.latest[service] = said
        if service == "pairing" and kind in ("RoundPublished", "RoundRecalled", "TablesRepaired"):
            self.paired.append((said, kind, data))
        elif service == "results" and kind in ("ResultFinal", "ResultCorrected", "GameVoided"):
            self.ended.setdefault(data["game"], []).append((said, None if kind == "GameVoided" else data))
        elif kind == "PenaltyImposed" or (kind in ("EntrantAdmitted", "EntrantChanged") and data.get("carried")):
            self.apart.add(data["entrant"])
        elif kind in ("EntrantLeft", "EntrantReturned", "EventSkipped", "SourceAccepted"):
            self.is_plain = False

    def rests_on_hidden(self, inputs):
        return any(said <= inputs.get(service, 0) for service, said in self.hidden.items())

    def points(self, stage, last, inputs):
        """By entrant, of those who have sat in a game of each round; only in the stage that came first."""
        first = next((data["stage"] for _, kind, data in self.paired if kind == "RoundPublished"), None)
        if not self.is_plain or stage != first:
            return {}
        rounds, sums, played = {}, {}, {}
        for said, kind, data in self.paired:
            if said > inputs.get("pairing", 0) or data["stage"] != stage:
                continue
            games = {game["game"]: game for game in data["games"]} if kind != "RoundRecalled" else {}
            before = rounds.get(data["round"], {}) if kind == "TablesRepaired" else {}
            rounds[data["round"]] = dict(before, **games)
        for games in [rounds.get(one, {}) for one in range(1, last + 1)]:
            for game in games:
                heard = [data for said, data in self.ended.get(game, ()) if said <= inputs.get("results", 0)]
                if heard and heard[-1] is not None and frozenset(heard[-1]["seats"]) == frozenset(games[game]["seats"]):
                    for entrant, points in zip(heard[-1]["seats"], heard[-1]["points"]):
                        sums[entrant] = sums.get(entrant, 0) + number(points)
                        played[entrant] = played.get(entrant, 0) + 1
        return {one: found for one, found in sums.items() if played[one] == last and one not in self.apart}


# What an event stumbles over that does not say what one of its type says.
SAYS_NOTHING = (Unreadable, KeyError, IndexError, TypeError, AttributeError, ValueError, ArithmeticError)


class Story:
    """What can be said of rounds, results and closed stages by rules that all games have."""

    def __init__(self, bundle, findings):
        self.bundle, self.findings = bundle, findings
        self.lots = {service: Lots(service, bundle.tournament, findings) for service in bundle.services}
        self.source, self.offices = Source(findings), Offices(bundle.tournament, findings)
        self.known, self.named = Known(), set()
        self.kept, self.unread = {}, set()
        self.entrants, self.rounds, self.seats, self.ended = set(), {}, {}, {}
        self.completed, self.closed, self.sheets, self.tables, self.unseen = {}, [], [], [], []

    def take(self, service, at, said, record, message):
        where = f"logs/{service}/{'records' if record else 'messages'}"
        try:
            shown = record or message
            self.offices.take(service, at, record, message)
            if record:
                self.name(record["type"], record["data"])
            if shown and shown["scope"] != self.bundle.tournament:
                return
            if said is not None and not message:
                self.known.hidden.setdefault(service, said)
            if not shown:
                self.lots[service].hidden = True
                self.source.hidden = self.source.hidden or service == "registration"
                if said is None and service == "standings":  # where tables are sealed, of which nobody is told
                    self.unseen.append(at)
                return
            if service == "registration":
                self.source.take(at, shown["type"], shown["data"])
            if record and record["type"] == "TableSealed":
                self.tables.append((service, at, record["data"]))
            if record or message["type"].startswith("Lot"):
                self.lots[service].take(at, shown["type"], shown["data"])
            if message:
                data = message["data"]
                if message["type"] in ("ResultFinal", "ResultCorrected"):  # of which there are many
                    data = self.only(data)
                self.hear(service, at, message["type"], data)
                self.known.hear(service, said, message["type"], data)
            if record and record["type"] == "ScopeSealed":
                self.known.sealed.add(service)
        except SAYS_NOTHING as error:
            self.says_nothing(where, at, error)

    def do_without(self, unread):
        """The logs of these services could not be read."""
        self.unread = unread
        self.offices.partial = self.offices.partial or "registration" in unread
        for lots in self.lots.values():
            lots.source_is_read = "registration" not in unread

    def says_nothing(self, where, at, error):
        self.findings.say(REFUTED, "records", f"it does not say what such an event says: {error!r}"[:200], where, at)

    def judged(self, where, at, check, *said):
        try:
            check(*said)
        except SAYS_NOTHING as error:
            self.says_nothing(where, at, error)

    def unless(self, *services):
        """The verdict on what cannot be, unless one of these has said more than could be read."""
        return UNCHECKABLE if any(one in self.known.hidden or one in self.unread for one in services) else REFUTED

    def only(self, data):
        """What is needed of a result; the same one twice is kept once."""
        kept = tuple(tuple(data[name]) for name in ("seats", "scores", "points"))
        seats, scores, points = self.kept.setdefault(kept, kept)
        return {"game": sys.intern(data["game"]), "seats": seats, "scores": scores, "points": points}

    def name(self, kind, data):
        """What events name by its hash."""
        if kind == "TableSealed":
            self.named.add(f"tables/{data['table']}")
        elif kind in ("RecordAttached", "EditionTaken"):
            self.named.add(f"contents/{data['content']}")
        beside = data.get("beside", {})
        if not all(isinstance(one, str) for one in beside.values()):
            raise Unreadable("what lies beside an event is named by its hash")
        self.named.update(f"opened/{one}" for one in beside.values())

    def contents(self):
        """Whatever lies there is named; what was personal and erased is not there any more."""
        here = {name for name in self.bundle.files if not name.startswith("logs/")}
        for name in sorted(here - self.named):
            self.findings.say(
                UNCHECKABLE if self.unread else REFUTED, "contents", "no event of the bundle names it", name
            )
        opened = {name for name in self.named if name.startswith("opened/")}
        if opened & here:
            text = f"{len(opened & here)} personal fields are what the events are bound to"
            self.findings.unless_refuted(RECOMPUTED, "contents", text)
        if opened - here:
            text = f"{len(opened - here)} personal fields are not in the bundle, or were erased: of them there are commitments"
            self.findings.say(UNCHECKABLE, "contents", text)
        gone = {name for name in self.named if name.startswith("contents/")} - here
        if gone:
            text = f"{len(gone)} contents, such as lists of words, are named and not in the bundle"
            self.findings.say(UNCHECKABLE, "contents", text)

    def hear(self, service, at, kind, data):
        if service == "registration" and kind in ("EntrantAdmitted", "EntrantChanged"):
            self.entrants.add(data["entrant"])
        elif service == "pairing" and kind == "RoundPublished":
            self.rounds[data["stage"], data["round"]] = (at, data)
            self.sit(data["games"])
            self.sheets.append((at, data))
        elif service == "pairing" and kind == "RoundRecalled":
            self.rounds.pop((data["stage"], data["round"]), None)
        elif service == "pairing" and kind == "TablesRepaired":
            self.repair(at, data)
        elif service == "results" and kind in ("ResultFinal", "ResultCorrected"):
            self.ended.setdefault(data["game"], []).append((at, data))
        elif service == "results" and kind == "GameVoided":
            self.ended.setdefault(data["game"], []).append((at, None))
        elif service == "results" and kind == "RoundCompleted":
            self.completed[data["stage"], data["round"]] = at
        elif service == "standings" and kind == "StageClosed":
            self.closed.append((at, data))

    def sit(self, games):
        for game in games:
            self.seats.setdefault(game["game"], []).append(frozenset(game["seats"]))

    def repair(self, at, data):
        self.sit(data["games"])
        before = self.rounds.get((data["stage"], data["round"]))
        if before is None:
            text = "tables of a round that does not stand"
            self.findings.say(self.unless("pairing"), "sheets", text, "logs/pairing/messages", at)
            return
        changed = {game["game"]: game for game in data["games"]}
        games = [changed.get(game["game"], game) for game in before[1]["games"]]
        missing = data.get("missing")
        now = dict(before[1], games=games, byes=data.get("byes") or [])
        if missing is not None:
            now["missing"] = missing
        self.rounds[data["stage"], data["round"]] = (at, now)
        self.sheets.append((at, now))

    def check(self):
        self.contents()
        self.judged("logs", None, self.offices.check)
        for lots in self.lots.values():
            self.judged(lots.where, None, lots.check, self.source.opened)
        for at, sheet in self.sheets:
            self.judged("logs/pairing/messages", at, self.one_sheet, at, sheet)
        for results in self.ended.values():
            for at, result in results:
                if result is not None:
                    self.judged("logs/results/messages", at, self.one_result, at, result)
        for place, at in self.completed.items():
            self.judged("logs/results/messages", at, self.one_round, place, at)
        for at, closed in self.closed:
            self.judged("logs/standings/messages", at, self.one_order, at, closed)
        for service, at, data in self.tables:
            self.judged(f"logs/{service}/records", at, self.one_table, service, at, data)
        if self.unseen:
            text = f"nothing is shown of {len(self.unseen)} events from this one on, which may have sealed tables"
            self.findings.say(MISSING, "tables", text, "logs/standings/records", self.unseen[0])
        if self.sheets:
            text = f"{len(self.sheets)} pairings: nobody twice, everybody admitted"
            self.findings.unless_refuted(RULES, "sheets", text)
        if self.ended:
            text = f"{len(self.ended)} games: seats as paired, as many scores and points as seats"
            self.findings.unless_refuted(RULES, "results", text)
        if self.closed or self.tables:
            text = (
                f"{len(self.closed)} closed stages, {len(self.tables)} sealed tables: everybody once, by their values"
            )
            self.findings.unless_refuted(RULES, "tables", text)
        if self.known.recomputed:
            text = f"{self.known.recomputed} values of points are the sum of the games"
            self.findings.unless_refuted(RECOMPUTED, "tables", text)

    def one_round(self, place, at):
        games = self.rounds[place][1]["games"] if place in self.rounds else []
        waiting = [game["game"] for game in games if game["game"] not in self.ended]
        if waiting:
            text = f"round {place[1]} of {place[0]} is complete without a result of {waiting[0]}"
            verdict = self.unless("pairing", "results")
            self.findings.say(verdict, "results", text, "logs/results/messages", at)

    def one_order(self, at, closed):
        where = "logs/standings/messages"
        order = [one for equal in closed["order"] for one in equal]
        if len(set(order)) < len(order):
            self.findings.say(REFUTED, "tables", f"the order of {closed['stage']} has an entrant twice", where, at)
        if not set(order) <= self.entrants:
            text = f"the order of {closed['stage']} has an entrant whom nobody admitted"
            self.findings.say(self.unless("registration"), "tables", text, where, at)

    def one_sheet(self, at, sheet):
        there = [one for game in sheet["games"] for one in game["seats"]]
        there += (
            list(sheet.get("byes") or []) + list(sheet.get("requested_byes") or {}) + list(sheet.get("missing") or [])
        )
        once, twice = set(), set()
        for one in there:
            (twice if one in once else once).add(one)
        for one in sorted(twice):
            text = f"{one} stands twice in round {sheet['round']} of {sheet['stage']}"
            self.findings.say(REFUTED, "sheets", text, "logs/pairing/messages", at)
        for one in sorted(set(there) - self.entrants):
            text = f"{one} was never admitted, and is in round {sheet['round']} of {sheet['stage']}"
            self.findings.say(self.unless("registration"), "sheets", text, "logs/pairing/messages", at)
        if any(len(game["seats"]) < 2 for game in sheet["games"]):
            self.findings.say(REFUTED, "sheets", "somebody sits at a table alone", "logs/pairing/messages", at)

    def one_result(self, at, result):
        seats = frozenset(result["seats"])
        where = "logs/results/messages"
        if result["game"] not in self.seats and "pairing" in self.bundle.services:
            text = f"no published round has the game {result['game']}"
            self.findings.say(self.unless("pairing"), "results", text, where, at)
        elif result["game"] in self.seats and seats not in self.seats[result["game"]]:
            text = f"others were paired in the game {result['game']}"
            self.findings.say(self.unless("pairing"), "results", text, where, at)
        for values in (result["scores"], result["points"]):
            if len(values) != len(result["seats"]):
                self.findings.say(REFUTED, "results", "not as many numbers as seats", where, at)
            for value in values:
                number(value)

    def one_table(self, service, at, data):
        """Everybody once, in the order of the values; points where they are sums of games. Other values are taken as they are."""
        where = f"logs/{service}/records"
        name = f"tables/{data.get('table')}"
        if name not in self.bundle.files:
            text = f"the table of {data.get('stage')} after round {data.get('round')} is not in the bundle"
            self.findings.say(MISSING, "tables", text, where, at)
            return
        if self.bundle.files[name] != data["table"]:
            return  # it was changed, which is said of the file: the event may have named a right one
        table = read_json(self.bundle.content(name), name)
        try:
            said = [(one["entrant"], one["group"] or "", one["place"]) for one in table["standings"]]
            whose = table["tournament"], table["stage"], table["round"]
        except (KeyError, TypeError) as error:
            raise Unreadable(f"{name} lacks {error}") from None
        if whose != (self.bundle.tournament, data["stage"], data["round"]):
            self.findings.say(REFUTED, "tables", "this is the table of something else", where, at)
        if len({entrant for entrant, _, _ in said}) < len(said):
            self.findings.say(REFUTED, "tables", "somebody stands twice in it", where, at)
        if not {one for one, _, _ in said} <= self.entrants:
            self.findings.say(self.unless("registration"), "tables", "somebody in it was never admitted", where, at)
        places = {}
        for _, group, place in said:
            if place < places.get(group, 1):
                text = f"place {place} stands below place {places[group]}"
                self.findings.say(REFUTED, "tables", text, where, at)
            places[group] = place
        for text in self.in_order(table):
            self.findings.say(REFUTED, "tables", text, where, at)
        self.rests_on(table, data, where, at)

    @staticmethod
    def in_order(table):
        """Whether each stands above the next one of the group by the first criterion in which they differ."""
        criteria, rows = table.get("criteria"), table["standings"]
        if not isinstance(criteria, list) or not all(isinstance(one.get("values"), dict) for one in rows):
            raise Unreadable("a table has criteria, and values by criterion")
        for place in range(1, len(rows)):
            above_it, below_it = rows[place - 1], rows[place]
            if above_it["group"] != below_it["group"]:
                continue
            pairs = [(name, above_it["values"].get(name), below_it["values"].get(name)) for name in criteria]
            known = [(name, one, other) for name, one, other in pairs if one is not None and other is not None]
            apart = [(name, number(one) - number(other)) for name, one, other in known if number(one) != number(other)]
            equal = above_it["place"] == below_it["place"]
            names = f"{above_it['entrant']} and {below_it['entrant']}"
            if apart and (apart[0][1] > 0) == (apart[0][0] in LOWEST_FIRST):
                yield f"{names} stand the wrong way round by {apart[0][0]}"
            elif bool(apart) == equal or (equal and not (above_it["shared"] and below_it["shared"])):
                yield f"{names} share a place and differ, or are equal and share none"

    def rests_on(self, table, data, where, at):
        """The points of whoever has played every round, from the results that it says it rests on."""
        inputs = self.known.inputs(data["inputs"])
        if inputs is None:
            raise Unreadable(f"{where} at position {at}: {data['inputs']!r} are no inputs")
        if self.known.rests_on_hidden(inputs):
            self.findings.say(UNCHECKABLE, "tables", "it rests on messages that are not shown", where, at)
            return
        late = [service for service, upto in inputs.items() if upto > self.known.latest.get(service, 0)]
        if late:
            verdict = REFUTED if self.known.sealed.issuperset(late) else UNCHECKABLE
            text = f"it rests on {data['inputs']}, and less than that is here"
            self.findings.say(verdict, "tables", text, where, at)
            return
        said = {row["entrant"]: row["values"].get("points") for row in table["standings"]}
        for entrant, points in self.known.points(data["stage"], data["round"], inputs).items():
            if said.get(entrant) is not None:
                self.known.recomputed += 1
                if number(said[entrant]) != points:
                    text = f"the points of {entrant} are {said[entrant]}, and the games give {points}"
                    self.findings.say(REFUTED, "tables", text, where, at)


def single_files(bundle, findings):
    for name, digest in bundle.files.items():
        folder, _, claimed = name.partition("/")
        if folder in ("tables", "contents") and claimed != digest:
            findings.say(REFUTED, "contents", "its hash is not its name", name)
        if folder == "opened":
            content = bundle.content(name)
            found = hashlib.sha256(b"roundlog/personal/v1\n" + content).hexdigest()
            if len(content) < 33 or found != claimed:
                findings.say(REFUTED, "contents", "salt and value give another hash", name)


class Receipts:
    """What somebody has kept of single events, held against those that are here."""

    def __init__(self, names, trust, findings):
        self.findings, self.kept = findings, []
        for name in names:
            with in_file(name):
                with open(name, "rb") as file:
                    index, proof, content = self.parts(file.read(1_100_001))
                Unsigned(content)
                try:
                    self.kept.append((name, index, proof, Checkpoint(content, trust)))
                except Wrong as wrong:
                    findings.say(REFUTED, "receipts", str(wrong), name)
        self.wanted = {index + 1 for _, index, _, _ in self.kept}

    @staticmethod
    def parts(content):
        top, _, checkpoint = content.partition(b"\n\n")
        try:
            lines = top.decode("ascii").split("\n")
        except UnicodeDecodeError:
            raise Unreadable("lines of a proof are base64") from None
        if len(lines) > 2 and re.fullmatch(r"extra \S+", lines[1]):
            del lines[1]
        said = re.fullmatch("index (0|[1-9][0-9]{0,17})", lines[1], re.ASCII) if len(lines) > 1 else None
        if lines[0] != "c2sp.org/tlog-proof@v1" or not said or len(lines) > 65 or len(content) > 1_100_000:
            raise Unreadable("a receipt begins with c2sp.org/tlog-proof@v1, an index, and at most 63 hashes")
        proof = [from_base64(line) for line in lines[2:]]
        if any(len(one) != 32 for one in proof):
            raise Unreadable("a hash has 32 bytes")
        return int(said.group(1)), proof, checkpoint

    def check(self, logs):
        by_service, proved = {log.service: log for log in logs}, 0
        for name, index, proof, note in self.kept:
            log = by_service.get(note.origin.partition("/")[2].partition("/")[0])
            verdict, text = self.one(log, index + 1, note) if log else (UNCHECKABLE, self.nowhere(note))
            if text:
                self.findings.say(verdict, "receipts", text, name)
                continue
            try:
                contains(index, log.found[index + 1], note.size, note.root, proof)
                proved += 1
            except Wrong as wrong:
                text = f"it does not prove event {index + 1} of {log.service} as it stands here ({wrong})"
                self.findings.say(REFUTED, "receipts", f"{text}: one of both was changed", name)
            for where in (f"{log.folder}/checkpoint", *log.older()):
                other = Unsigned(log.bundle.content(where))
                if (other.origin, other.size) == (note.origin, note.size) and other.root != note.root:
                    text = f"the log has signed another history of {note.size} events in {where}"
                    self.findings.say(REFUTED, "receipts", f"{text}: keep both, they are the proof", name)
        if proved:
            self.findings.unless_refuted(RECOMPUTED, "receipts", f"{proved} receipts were given for what is here")

    @staticmethod
    def nowhere(note):
        return f"the log of {note.origin} is not here, or could not be read"

    @staticmethod
    def one(log, at, note):
        """Why it cannot be held against its event, or nothing."""
        former, fewest = {}, None
        for _, kind, data in reversed(log.history):
            if kind == "LogRestored":
                fewest = data["kept"] if fewest is None else min(fewest, data["kept"])
                former[Unsigned(data["former"].encode()).origin] = fewest
        if note.origin != log.newest.origin and note.origin not in former:
            return REFUTED, f"it is of the log {note.origin}, and here is {log.newest.origin}"
        if at > former.get(note.origin, at):
            return UNCHECKABLE, f"event {at} of {note.origin} was lost when the log was restored"
        if at not in log.found:
            return UNCHECKABLE, f"event {at} of {note.origin} is not in the bundle"
        return None, None


def verify(bundle, trust, findings, progress, kept=()):
    receipts = Receipts(kept, trust, findings)
    bundle.undamaged()
    single_files(bundle, findings)
    story, last, deployments, logs = Story(bundle, findings), [f"tournament {bundle.tournament}"], {}, []
    for service in bundle.services:
        progress(f"{service} …")
        log = Log(bundle, service, trust, findings, story.take, receipts.wanted)
        newest = log.check()
        if newest is not None:
            logs.append(log)
            deployments.setdefault(newest.origin.split("/")[0], []).append(newest.origin)
            since = trust.since(newest.moments)
            dated = "dated by nobody"
            if since:
                is_date = since < 253_370_764_800  # a witness may sign with any second
                when = datetime.fromtimestamp(since, timezone.utc).isoformat() if is_date else f"second {since}"
                dated = f"since {when}"
            witnesses = f"{len(newest.moments)} witnesses"
            last.append(f"{newest.origin}: {log.count} of {newest.size} events, {witnesses}, {dated}")
    if len(deployments) > 1:
        origins = ", ".join(sorted(one for origins in deployments.values() for one in origins))
        findings.say(REFUTED, "notes", f"the logs are of several deployments: {origins}")
    for service in sorted({key.name.split("/")[1] for key in trust.logs if "/" in key.name} - set(bundle.services)):
        findings.say(MISSING, "seals", f"nothing is here of the log of {service}, which the policy names")
    if not any(log.announced for log in logs):
        text = f"nothing here announces the tournament {bundle.tournament}: it may be that of another one"
        findings.say(MISSING, "tournament", text)
    for log in logs:
        if not log.own:
            text = "no event of the tournament is here, and nothing says that none stood in this log"
            findings.say(MISSING, "tournament", text, f"{log.folder}/records")
        if not log.sealed and any(other.sealed for other in logs):
            text = "no seal says how much of the tournament stood in this log, as others do"
            findings.say(MISSING, "seals", text, f"{log.folder}/records")
    story.do_without(set(SHORT.values()) - {log.service for log in logs})
    story.check()
    receipts.check(logs)
    return last


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks what Roundlog has exported of a tournament, without Roundlog.")
    parser.add_argument("bundle", help="a zip or a folder")
    parser.add_argument("--trust", required=True, metavar="POLICY", help="the keys that you trust, from elsewhere")
    parser.add_argument(
        "--receipt", action="append", default=[], metavar="RECEIPT", help="one that you have kept; may be repeated"
    )
    parser.add_argument("--quiet", action="store_true", help="only the last lines")
    options = parser.parse_args(arguments)
    findings = Findings()

    def progress(text):
        if sys.stderr.isatty() and not options.quiet:
            print(text, file=sys.stderr)

    try:
        with open(options.trust, "rb") as file:
            trust = Trust(file.read(1_000_001))
        last = verify(Bundle(options.bundle), trust, findings, progress, options.receipt)
    except (Unreadable, OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        print(f"unreadable: {error}")
        return 2
    if not options.quiet:
        print("\n".join(findings.lines))
    totals = {}
    for (verdict, _), count in findings.count.items():
        totals[verdict] = totals.get(verdict, 0) + count
    print("\n".join(last))
    print(", ".join(f"{count} {verdict}" for verdict, count in totals.items()))
    return findings.status()


if __name__ == "__main__":
    sys.exit(main())
