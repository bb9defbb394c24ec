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
    "inclusion": 40_960_000_000,
    "records": 64 << 30,
    "messages": 64 << 30,
}
LINE_LIMIT = 16 * MEGABYTE
FILE_COUNT = 200_000
ALLOWED = re.compile(
    r"(?:logs/[a-z][a-z0-9-]{0,31}/(?:checkpoint|positions|numbers|records|messages|inclusion"
    r"|checkpoints/[1-9][0-9]{0,17}(?:[.]proof)?)|(?:tables|contents|opened)/[0-9a-f]{64})\Z"
)
PARTS = ("checkpoint", "positions", "numbers", "records", "messages", "inclusion")
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
        self.name, self.kind, self.public = name, content[0], content[1:]
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


class Checkpoint:
    """A note of a log, signed by itself; and by which witnesses."""

    def __init__(self, content, trust):
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
        parsed = [self.signature(line) for line in signatures]
        self.head()
        known = {(key.name, key.id): key for key in trust.every_key()}
        own, self.moments = False, {}
        for name, short, value in parsed:
            key = known.get((name, short))
            if key is None:
                continue
            moment = key.signed_at(self.text, value)
            if key.kind == 4:
                self.moments[key.public] = min(moment, self.moments.get(key.public, moment))
            own = own or (key.kind == 1 and key.name == self.origin)
        if not own:
            raise Wrong(f"{self.origin} itself has not signed this by a key of the policy")

    @staticmethod
    def signature(line):
        found = re.fullmatch(r"\u2014 ([^\s+\x00-\x1f]+) ([A-Za-z0-9+/]+={0,2})", line)
        value = from_base64(found.group(2)) if found else b""
        if len(value) < 5:
            raise Unreadable("a line below a note is no signature")
        return found.group(1), value[:4], value[4:]

    def head(self):
        lines = self.text[:-1].split("\n")
        if len(lines) < 3 or not all(lines) or not re.fullmatch("0|[1-9][0-9]{0,17}", lines[1], re.ASCII):
            raise Unreadable("a checkpoint is origin, size and root")
        self.origin, self.size, self.root = lines[0], int(lines[1]), from_base64(lines[2])
        if len(self.root) != 32:
            raise Unreadable("a root has 32 bytes")


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
                raise Unreadable(f"{name!r} is no file of a bundle")
            if size > self.limit(name):
                raise Unreadable(f"{name} is too large")
        self.listed()

    def small_directory(self):
        with open(self.path, "rb") as file:
            length = file.seek(0, 2)
            file.seek(max(0, length - 65_557))
            tail = file.read()
        at = tail.rfind(b"PK\x05\x06")
        if length >= 4 << 30 or at < 0 or len(tail) < at + 22:
            raise Unreadable("this is neither a folder nor a zip below 4 GiB")
        if tail[at + 10 : at + 12] == b"\xff\xff" or int.from_bytes(tail[at + 12 : at + 16], "little") > 64 * MEGABYTE:
            raise Unreadable("the archive has too many files")

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
                raise Unreadable(f"{prefix}{entry.name} is no file of a bundle")

    @staticmethod
    def limit(name):
        last = name.rpartition("/")[2]
        if last.endswith(".proof"):
            return 2048
        if last.isdigit() and name.startswith("logs/"):
            return 1_000_000
        return LIMITS.get(last, 64 * MEGABYTE)

    def listed(self):
        listing = read_json(self.content("bundle.json") if "bundle.json" in self.size else b"", "bundle.json")
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


def read_json(content, where):
    try:
        found = json.loads(content.decode(), parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{where} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise Unreadable(f"{where} is no object")
    return found


def seconds(text):
    try:
        found = datetime.fromisoformat(re.sub(r"[Zz]\Z", "+00:00", text))
        found = found if found.tzinfo else None
    except ValueError:
        found = None
    if found is None:
        raise Unreadable(f"{text!r} is no time")
    return found.timestamp()


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
    for name in ("trace", "public") if "stream" in fields else ("trace",):
        if name not in found or not isinstance(found[name], (str, type(None))):
            raise Unreadable(f"{where} says no {name}")
    if not UUID.match(found["id"]) or "data" not in found:
        raise Unreadable(f"{where} has no id, or no data")
    seconds(found["at"])
    return found


class Log:
    """One log of the bundle: its notes, its leaves, its events one by one, its seals."""

    def __init__(self, bundle, service, trust, findings, take):
        self.bundle, self.service, self.trust, self.findings, self.take = bundle, service, trust, findings, take
        self.folder = f"logs/{service}"
        self.times, self.count = [], 0

    def checkpoint(self, name):
        try:
            found = Checkpoint(self.bundle.content(name), self.trust)
        except Wrong as wrong:
            self.findings.say(REFUTED, "notes", str(wrong), name)
            return None
        if found.origin.split("/")[1:2] != [self.service]:
            self.findings.say(REFUTED, "notes", f"this is the log {found.origin}", name)
        return found

    def check(self):
        newest = self.checkpoint(f"{self.folder}/checkpoint")
        if newest is None:
            return None
        if self.trust.quorum == ["none"]:
            text = "no witness is asked for: it holds against checkpoints that you got elsewhere and earlier"
            self.findings.say(UNCHECKABLE, "quorum", text, self.folder)
        elif self.trust.suffices(set(newest.moments)):
            self.findings.say(RECOMPUTED, "quorum", f"{len(newest.moments)} witnesses have signed it", self.folder)
        else:
            text = f"{len(newest.moments)} witnesses have signed it, and the policy asks for more"
            self.findings.say(MISSING, "quorum", text, self.folder)
        self.earlier(newest)
        self.events(newest)
        return newest

    def earlier(self, newest):
        prefix = f"{self.folder}/checkpoints/"
        names = [name for name in self.bundle.files if name.startswith(prefix) and not name.endswith(".proof")]
        for name in sorted(names, key=lambda one: int(one[len(prefix) :])):
            old = self.checkpoint(name)
            if old is None:
                continue
            if old.origin != newest.origin or str(old.size) != name[len(prefix) :]:
                self.findings.say(REFUTED, "consistency", "this is another checkpoint", name)
                continue
            try:
                continues(old.size, old.root, newest.size, newest.root, self.bundle.hashes(f"{name}.proof"))
            except Wrong as wrong:
                self.findings.say(REFUTED, "consistency", str(wrong), f"{name}.proof")
                continue
            self.times += [(old.size, min(old.moments.values()))] if old.moments else []
        self.times += [(newest.size, min(newest.moments.values()))] if newest.moments else []
        text = f"{len(names)} earlier checkpoints are continued"
        self.findings.unless_refuted(RECOMPUTED, "consistency", text, self.folder)

    def events(self, newest):
        indexes, leaves, own, seals, versions, ids = [], [], [], [], {}, set()
        position, number, most, hidden = 0, 0, 0, False
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
            if said is not None and not number < said <= most:
                text = f"the public number {said} has no room behind {number}"
                self.findings.say(REFUTED, "numbers", text, f"{self.folder}/numbers", at)
            position = at
            if said is not None:
                number = most = said
            leaf = hashlib.sha256(b"\x00" + first + second).digest()
            indexes.append(at - 1)
            leaves.append(leaf)
            record = envelope(row[2], RECORD_FIELDS, f"{self.folder}/records at {at}")
            message = envelope(row[3], MESSAGE_FIELDS, f"{self.folder}/messages at {at}")
            hidden = hidden or record is None
            shown = record or message
            if shown is None or shown["scope"] == self.bundle.tournament:
                own.append((at, leaf))
            if record:
                self.one_record(at, record, second, versions, ids, hidden)
                if record["type"] == "ScopeSealed":
                    self.one_seal(at, record["data"], seals)
            if record and message:
                pairs = [(record[name], message[name]) for name in ("id", "scope", "at", "trace")]
                if any(one != other for one, other in pairs):
                    text = "id, scope, time or trace of the message are not those of the record"
                    self.findings.say(REFUTED, "records", text, f"{self.folder}/messages", at)
            if shown:
                self.time(at, seconds(shown["at"]))
                self.take(self.service, at, record, message)
        self.count = len(leaves)
        name = f"{self.folder}/inclusion"
        if position > newest.size:
            text = f"the log was signed with {newest.size} events"
            self.findings.say(REFUTED, "inclusion", text, f"{self.folder}/positions", position)
        else:
            try:
                if root_of(newest.size, indexes, leaves, self.bundle.hashes(name)) != newest.root:
                    raise Wrong("the events are not those of the signed log")
                text = f"{self.count} events stood in the log when it was signed"
                self.findings.say(RECOMPUTED, "inclusion", text, self.folder)
            except Wrong as wrong:
                self.findings.say(REFUTED, "inclusion", str(wrong), name)
        self.complete(own, seals)

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

    def one_seal(self, at, data, seals):
        kinds = {"scope": str, "upto": int, "count": int, "root": str}
        if not isinstance(data, dict) or not all(isinstance(data.get(name), kind) for name, kind in kinds.items()):
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
            text = f"no seal covers the {len(open_ones)} events from this one on: others may be left out"
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
        self.committed, self.draws, self.seed = None, [], None
        self.where = f"logs/{service}/records"

    def take(self, at, kind, data):
        if kind == "LotSeedCommitted":
            new, old = (data["commitment"], data.get("source")), self.committed
            if old and (old["commitment"], old.get("source")) != new and (self.draws or old.get("source") == new[1]):
                self.findings.say(REFUTED, "lots", "another secret was fixed before", self.where, at)
            else:
                self.committed = data
        elif kind == "LotDrawn":
            if self.committed is None:
                self.findings.say(REFUTED, "lots", "a lot was drawn before its secret was fixed", self.where, at)
            self.draws.append((at, data))
        elif kind == "LotSeedRevealed":
            self.seed = (at, data["seed"])

    def check(self, opened):
        if not self.draws and not self.seed:
            return
        if self.seed is None:
            text = f"the secret of {len(self.draws)} lots is not revealed"
            self.findings.say(MISSING, "lots", text, self.where, self.draws[0][0])
            return
        at, written = self.seed
        try:
            secret = bytes.fromhex(written)
        except ValueError:
            raise Unreadable(f"{self.where} at position {at}: a secret is hexadecimal") from None
        source = (self.committed or {}).get("source") or ""
        if source:
            head = letters("roundlog/lots/commitment/v1", self.service, self.tournament, source)
            found = hashlib.sha256(head + secret).hexdigest()
        else:
            found = hashlib.sha256(secret).hexdigest()
        if self.committed is None or found != self.committed["commitment"]:
            self.findings.say(REFUTED, "lots", "the secret is not the one that was fixed", self.where, at)
            return
        key = self.key(secret, source, opened) if self.draws else None
        if key is None:
            return
        for at, lot in self.draws:
            among = sorted(set(lot["order"]))
            head = letters(*(["roundlog/lots/ticket/v1"] if source else []), lot["purpose"], *among)
            tickets = {one: hmac.new(key, head + one.encode(), hashlib.sha256).digest() for one in among}
            if sorted(among, key=tickets.get) != lot["order"]:
                text = f"the lot for {lot['purpose']!r} falls otherwise from the revealed secret"
                self.findings.say(REFUTED, "lots", text, self.where, at)
        self.findings.unless_refuted(RECOMPUTED, "lots", f"{len(self.draws)} lots", self.where)
        if not source:
            text = "nothing that nobody chose was mixed in: whoever made the secret could choose it"
            self.findings.say(UNCHECKABLE, "lots", text, self.where)

    def key(self, secret, source, opened):
        if not source:
            return secret
        if opened is None:
            self.findings.say(MISSING, "lots", f"the value of {source!r} was not written down", self.where)
            return None
        at, data = opened
        named = data.get("commitments")
        named = named.values() if isinstance(named, dict) else named or []
        if self.committed["commitment"] not in list(named) or data.get("source") != source:
            text = "the secret was not fixed when the value was written down, or the value is of another source"
            self.findings.say(REFUTED, "lots", text, "logs/registration/records", at)
        if source.startswith("drand "):
            text = f"whether {source} gave this value is to be looked up there"
            self.findings.say(UNCHECKABLE, "lots", text, "logs/registration/records", at)
        message = letters("roundlog/lots/key/v1", self.tournament, source, data.get("value"))
        return hmac.new(secret, message, hashlib.sha256).digest()


def number(value):
    """Numbers are written as such, or as fractions like 1/2."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{value!r} is no number") from None


class Story:
    """What can be said of rounds, results and closed stages by rules that all games have."""

    def __init__(self, bundle, findings):
        self.bundle, self.findings = bundle, findings
        self.lots = {service: Lots(service, bundle.tournament, findings) for service in bundle.services}
        self.opened = None
        self.entrants, self.rounds, self.seats, self.ended = set(), {}, {}, {}
        self.completed, self.closed, self.sheets, self.tables = {}, [], [], []

    def take(self, service, at, record, message):
        if (record or message)["scope"] != self.bundle.tournament:
            return
        where = f"logs/{service}/{'records' if record else 'messages'}"
        try:
            if record and record["type"] == "LotsOpened":
                self.opened = (at, record["data"])
            if record and record["type"] == "TableSealed":
                self.tables.append((service, at, record["data"]))
            if record or message["type"].startswith("Lot"):
                shown = record or message
                self.lots[service].take(at, shown["type"], shown["data"])
            if message:
                self.hear(service, at, message["type"], message["data"])
        except (KeyError, TypeError, AttributeError) as error:
            raise Unreadable(f"{where} at position {at} lacks {error}") from None

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
            self.findings.say(REFUTED, "sheets", "tables of a round that does not stand", "logs/pairing/messages", at)
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
        for lots in self.lots.values():
            lots.check(self.opened)
        for at, sheet in self.sheets:
            self.one_sheet(at, sheet)
        for results in self.ended.values():
            for at, result in results:
                if result is not None:
                    self.one_result(at, result)
        for place, at in self.completed.items():
            if place in self.rounds:
                waiting = [game["game"] for game in self.rounds[place][1]["games"] if game["game"] not in self.ended]
                if waiting:
                    text = f"round {place[1]} of {place[0]} is complete without a result of {waiting[0]}"
                    self.findings.say(REFUTED, "results", text, "logs/results/messages", at)
        for at, closed in self.closed:
            order = [one for equal in closed["order"] for one in equal]
            if len(set(order)) < len(order) or not set(order) <= self.entrants:
                text = f"the order of {closed['stage']} has an entrant twice, or one whom nobody admitted"
                self.findings.say(REFUTED, "tables", text, "logs/standings/messages", at)
        for service, at, data in self.tables:
            self.one_table(service, at, data)
        if self.sheets:
            text = f"{len(self.sheets)} pairings: nobody twice, everybody admitted"
            self.findings.unless_refuted(RULES, "sheets", text)
        if self.ended:
            text = f"{len(self.ended)} games: seats as paired, as many scores and points as seats"
            self.findings.unless_refuted(RULES, "results", text)
        if self.closed or self.tables:
            text = f"{len(self.closed)} closed stages, {len(self.tables)} sealed tables: everybody once, best first"
            self.findings.unless_refuted(RULES, "tables", text)

    def one_sheet(self, at, sheet):
        there = [one for game in sheet["games"] for one in game["seats"]]
        there += (
            list(sheet.get("byes") or []) + list(sheet.get("requested_byes") or {}) + list(sheet.get("missing") or [])
        )
        twice = {one for one in there if there.count(one) > 1} if len(set(there)) < len(there) else set()
        for one in sorted(twice):
            text = f"{one} stands twice in round {sheet['round']} of {sheet['stage']}"
            self.findings.say(REFUTED, "sheets", text, "logs/pairing/messages", at)
        for one in sorted(set(there) - self.entrants):
            text = f"{one} was never admitted, and is in round {sheet['round']} of {sheet['stage']}"
            self.findings.say(REFUTED, "sheets", text, "logs/pairing/messages", at)
        if any(len(game["seats"]) < 2 for game in sheet["games"]):
            self.findings.say(REFUTED, "sheets", "somebody sits at a table alone", "logs/pairing/messages", at)

    def one_result(self, at, result):
        seats = frozenset(result["seats"])
        where = "logs/results/messages"
        if result["game"] not in self.seats and "pairing" in self.bundle.services:
            self.findings.say(REFUTED, "results", f"no published round has the game {result['game']}", where, at)
        elif result["game"] in self.seats and seats not in self.seats[result["game"]]:
            self.findings.say(REFUTED, "results", f"others were paired in the game {result['game']}", where, at)
        for values in (result["scores"], result["points"]):
            if len(values) != len(result["seats"]):
                self.findings.say(REFUTED, "results", "not as many numbers as seats", where, at)
            for value in values:
                number(value)

    def one_table(self, service, at, data):
        """Of what is in a table only what holds in any game: everybody once, and places that go up."""
        name = f"tables/{data.get('table')}"
        if name not in self.bundle.files:
            text = f"the table of {data.get('stage')} after round {data.get('round')} is not in the bundle"
            self.findings.say(MISSING, "tables", text, f"logs/{service}/records", at)
            return
        table = read_json(self.bundle.content(name), name)
        try:
            said = [(one["entrant"], one["group"] or "", one["place"]) for one in table["standings"]]
            whose = table["tournament"], table["stage"], table["round"]
        except (KeyError, TypeError) as error:
            raise Unreadable(f"{name} lacks {error}") from None
        if whose != (self.bundle.tournament, data["stage"], data["round"]):
            self.findings.say(REFUTED, "tables", "this is the table of something else", name)
        if len({entrant for entrant, _, _ in said}) < len(said) or not {one for one, _, _ in said} <= self.entrants:
            self.findings.say(REFUTED, "tables", "somebody stands twice in it, or was never admitted", name)
        places = {}
        for _, group, place in said:
            if place < places.get(group, 1):
                self.findings.say(REFUTED, "tables", f"place {place} stands below place {places[group]}", name)
            places[group] = place


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


def verify(bundle, trust, findings, progress):
    bundle.undamaged()
    single_files(bundle, findings)
    story, last, deployments = Story(bundle, findings), [], set()
    for service in bundle.services:
        progress(f"{service} …")
        log = Log(bundle, service, trust, findings, story.take)
        newest = log.check()
        if newest is not None:
            deployments.add(newest.origin.split("/")[0])
            since = trust.since(newest.moments)
            dated = f"since {datetime.fromtimestamp(since, timezone.utc).isoformat()}" if since else "dated by nobody"
            witnesses = f"{len(newest.moments)} witnesses"
            last.append(f"{newest.origin}: {log.count} of {newest.size} events, {witnesses}, {dated}")
    if len(deployments) > 1:
        findings.say(REFUTED, "notes", f"the logs are of several deployments: {', '.join(sorted(deployments))}")
    story.check()
    return last


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks what Roundlog has exported of a tournament, without Roundlog.")
    parser.add_argument("bundle", help="a zip or a folder")
    parser.add_argument("--trust", required=True, metavar="POLICY", help="the keys that you trust, from elsewhere")
    parser.add_argument("--quiet", action="store_true", help="only the last lines")
    options = parser.parse_args(arguments)
    findings = Findings()

    def progress(text):
        if sys.stderr.isatty() and not options.quiet:
            print(text, file=sys.stderr)

    try:
        with open(options.trust, "rb") as file:
            trust = Trust(file.read(1_000_001))
        last = verify(Bundle(options.bundle), trust, findings, progress)
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
