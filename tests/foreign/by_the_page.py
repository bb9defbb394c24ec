"""A verifier written by docs/proof-format.md and nothing else: the standard library, and not a line of the product.

What it says of the vectors shows whether the page is enough. It has the words of the page, and raises `No` for everything
that does not hold or cannot be read.
"""

import re
from base64 import b64decode, b64encode
from functools import cache
from hashlib import sha256, sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1)
BASE_Y = 4 * pow(5, -1, P) % P


class No(Exception):
    pass


def need(holds: object) -> None:
    if not holds:
        raise No


def h(content: bytes) -> bytes:
    return sha256(content).digest()


# Leaf and tree


def leaf(record: bytes, message: bytes | None) -> bytes:
    return h(b"\0" + h(record) + h(message or b""))


def node(left: bytes, right: bytes) -> bytes:
    return h(b"\1" + left + right)


def half(size: int) -> int:
    k = 1
    while 2 * k < size:
        k *= 2
    return k


def root(leaves: list[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else h(b"")
    k = half(len(leaves))
    return node(root(leaves[:k]), root(leaves[k:]))


def included(one: bytes, index: int, size: int, proof: list[bytes], over: bytes) -> None:
    need(all(len(node) == 32 for node in [one, over, *proof]) and 0 <= index < size)
    way, last, found = index, size - 1, one
    for hash_ in proof:
        need(last)
        if way % 2 or way == last:
            found = node(hash_, found)
            while way and way % 2 == 0:
                way, last = way // 2, last // 2
        else:
            found = node(found, hash_)
        way, last = way // 2, last // 2
    need(last == 0 and found == over)


def continued(old: int, old_root: bytes, size: int, over: bytes, proof: list[bytes]) -> None:
    need(all(len(node) == 32 for node in [old_root, over, *proof]) and 0 <= old <= size)
    if old in (0, size):
        need(not proof and (old_root == h(b"") if old == 0 else old_root == over))
        return
    hashes = [old_root, *proof] if old == half(2 * old) else proof
    need(hashes)
    way, last = old - 1, size - 1
    while way % 2:
        way, last = way // 2, last // 2
    before = after = hashes[0]
    for hash_ in hashes[1:]:
        need(last)
        if way % 2 or way == last:
            before, after = node(hash_, before), node(hash_, after)
            while way and way % 2 == 0:
                way, last = way // 2, last // 2
        else:
            after = node(after, hash_)
        way, last = way // 2, last // 2
    need(last == 0 and before == old_root and after == over)


def all_included(leaves: dict[int, bytes], size: int, proof: list[bytes], over: bytes) -> None:
    rest = list(proof)

    def down(start: int, end: int) -> bytes:
        if not any(start <= index < end for index in leaves):
            need(rest)
            return rest.pop(0)
        if end - start == 1:
            return leaves[start]
        middle = start + half(end - start)
        return node(down(start, middle), down(middle, end))

    need(down(0, size) == over and not rest)


# Keys and signatures


def unbase64(text: str) -> bytes:
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        raise No from None
    need(b64encode(found).decode() == text)
    return found


def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2
    x, y = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P), (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P


def times(number: int, point: tuple[int, int]) -> tuple[int, int]:
    found = NEUTRAL
    while number:
        found = add(found, point) if number % 2 else found
        point, number = add(point, point), number // 2
    return found


def point_of(written: bytes) -> tuple[int, int]:
    number = int.from_bytes(written, "little")
    sign, y = number >> 255, number % 2**255
    need(len(written) == 32 and y < P)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    need(x * x % P == square and (x or not sign))
    return (x if x % 2 == sign else P - x), y


def written(point: tuple[int, int]) -> bytes:
    return (point[1] + (point[0] % 2 << 255)).to_bytes(32, "little")


@cache
def signed(public: bytes, message: bytes, signature: bytes) -> None:
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    need(len(signature) == 64 and s < ORDER)
    k = int.from_bytes(sha512(r + public + message).digest(), "little")
    x, y = times(k % ORDER, point_of(public))
    need(written(add(times(s, point_of(BASE_Y.to_bytes(32, "little"))), ((-x) % P, y))) == r)


@cache
def key(vkey: str) -> tuple[str, bytes, int, bytes]:
    """Name, id, kind and public key."""
    found = re.fullmatch(r"([^\s+\x00-\x1f]+)\+([0-9a-f]{8})\+(.+)", vkey)
    need(found)
    name, id_, coded = found.groups() if found else ("", "", "")
    content = unbase64(coded)
    need(content and content[0] in (1, 4) and h(name.encode() + b"\n" + content)[:4].hex() == id_)
    point = point_of(content[1:])
    need(point != NEUTRAL and times(ORDER, point) == NEUTRAL)
    return name, bytes.fromhex(id_), content[0], content[1:]


def note(content: bytes, vkeys: list[str]) -> tuple[str, dict[str, int]]:
    """The text, and who has signed it when; 0 for a log."""
    try:
        whole = content.decode()
    except UnicodeDecodeError:
        raise No from None
    need(len(content) <= 1_000_000 and not re.search(r"[\x00-\x09\x0b-\x1f]", whole))
    need(whole.endswith("\n") and "\n\n" in whole)
    text, below = whole[: whole.rindex("\n\n") + 1], whole[whole.rindex("\n\n") + 2 : -1].split("\n")
    need(len(below) <= 100)
    known = {key(vkey)[:2]: (vkey, *key(vkey)[2:]) for vkey in vkeys}
    signers: dict[str, int] = {}
    for line in below:
        found = re.fullmatch(r"— ([^\s+\x00-\x1f]+) (\S+)", line)
        need(found)
        name, coded = found.groups() if found else ("", "")
        value = unbase64(coded)
        need(len(value) > 4)
        if (name, value[:4]) in known:
            vkey, kind, public = known[name, value[:4]]
            time, message, signature = 0, text, value[4:]
            if kind == 4:
                time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                message = f"cosignature/v1\ntime {time}\n{text}"
            need(time < 2**63)
            signed(public, message.encode(), signature)
            signers[vkey] = min(time, signers.get(vkey, time))
    need(signers)
    return text, signers


def checkpoint(text: str) -> tuple[str, int, bytes]:
    need(text.endswith("\n"))
    lines = text[:-1].split("\n")
    need(len(lines) >= 3 and all(lines) and re.fullmatch(r"0|[1-9][0-9]{0,17}", lines[1], re.ASCII))
    over = unbase64(lines[2])
    need(len(over) == 32)
    return lines[0], int(lines[1]), over


def receipt(content: bytes, one: bytes, vkeys: list[str]) -> None:
    above, blank, below = content.partition(b"\n\n")
    need(blank and above.isascii())
    lines = above.decode().split("\n")
    need(lines.pop(0) == "c2sp.org/tlog-proof@v1" and lines)
    if lines[0].startswith("extra "):
        lines.pop(0)
    need(lines)
    index = re.fullmatch(r"index (0|[1-9][0-9]{0,17})", lines.pop(0))
    need(index and len(lines) <= 63)
    text, signers = note(below, vkeys)
    origin, size, over = checkpoint(text)
    need(any(key(vkey)[0] == origin and key(vkey)[2] == 1 for vkey in signers))
    included(one, int(index[1]) if index else -1, size, [unbase64(line) for line in lines], over)
