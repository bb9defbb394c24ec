"""What `/v1/log` answers, line by line: the head, and behind it record and message of each event."""

from typing import Any

import msgspec


def head_of(log: bytes) -> dict[str, Any]:
    return msgspec.json.decode(log.splitlines()[0])["head"]


def lines_of(log: bytes) -> list[dict[str, Any]]:
    """All behind the head."""
    return [msgspec.json.decode(line) for line in log.splitlines()[1:]]


def records_of(log: bytes) -> list[dict[str, Any]]:
    return [line["record"] for line in lines_of(log)]


def happened(log: bytes, what: str) -> int:
    """How often, by the type of the record: what neighbours are told may be called the same."""
    return sum(record["type"] == what for record in records_of(log))
