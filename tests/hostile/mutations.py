"""Contents changed by chance: bytes, lines, numbers, encodings, sizes, nesting. The same chance changes them the same way."""

import json
import random
import re
from collections.abc import Callable

NUMBER = re.compile(rb"-?\d+")
NUMBERS = (b"0", b"-1", b"1e999", b"9" * 400, b"0x10", b"1/0", b"NaN", b"1.0000000000000001", b"2147483648", b"")
PIECES = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\r",
    b"\n\n",
    b'"',
    b"}",
    b"[[",
    b";",
    b",",
    b"\\u0000",
    b"\\ud800",
    b"../",
    b"=1+1",
)
ENCODINGS = ("utf-16", "utf-32", "utf-8-sig", "cp1250", "utf-7")
DEEP = 5_000
MANY = 2_000


def pieces(chance: random.Random, content: bytes) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(PIECES) + content[at:]


def changed_bytes(chance: random.Random, content: bytes) -> bytes:
    if not content:
        return chance.randbytes(8)
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(chance: random.Random, content: bytes) -> bytes:
    begin, end = sorted((chance.randint(0, len(content)), chance.randint(0, len(content))))
    return content[:begin] + content[end:] if chance.random() < 0.5 else content[:end]


def lines(chance: random.Random, content: bytes) -> bytes:
    several = content.split(b"\n")
    match chance.choice(("shuffled", "doubled", "gone", "joined", "many")):
        case "shuffled":
            chance.shuffle(several)
        case "doubled":
            several.insert(chance.randrange(len(several) + 1), chance.choice(several))
        case "gone":
            del several[chance.randrange(len(several))]
        case "joined":
            return content.replace(b"\n", chance.choice((b"", b"\r", b"\x0b", b"\t")))
        case _:
            several += [chance.choice(several)] * MANY
    return b"\n".join(several)


def numbers(chance: random.Random, content: bytes) -> bytes:
    found = list(NUMBER.finditer(content))
    if not found:
        return pieces(chance, content)
    one = chance.choice(found)
    return content[: one.start()] + chance.choice(NUMBERS) + content[one.end() :]


def encoding(chance: random.Random, content: bytes) -> bytes:
    return content.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def size(chance: random.Random, content: bytes) -> bytes:
    return chance.choice((b"", content * 3, content + b" " * 70_000, content[:1], b"x" * 70_000))


def nesting(chance: random.Random, content: bytes) -> bytes:
    opened, closed = chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
    deep = chance.choice((1, 30, DEEP))
    return opened * deep + content + closed * (deep if chance.random() < 0.8 else 0)


def members(chance: random.Random, content: bytes) -> bytes:
    """Of JSON: one value becomes another one of its values."""
    try:
        whole = json.loads(content)
    except ValueError:
        return changed_bytes(chance, content)
    text = json.dumps(whole)
    values = re.findall(r'"[^"]*"|\d+|true|false|null', text)
    if not values:
        return b"null"
    return text.replace(chance.choice(values), chance.choice((*values, "[]", "{}", "null")), 1).encode()


MUTATIONS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    pieces,
    changed_bytes,
    cut,
    lines,
    numbers,
    encoding,
    size,
    nesting,
    members,
)


def mutated(chance: random.Random, content: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        content = chance.choice(MUTATIONS)(chance, content)
    return content
