"""One id that follows what a person does through all services, their events and their logs.

It is the trace id of a W3C `traceparent` where the caller sends one, else the caller's own `X-Request-Id`, else ours.
"""

import re
from contextvars import ContextVar
from hashlib import sha256

from shared.ids import random_hex
from shared.values import Value

TRACEPARENT = re.compile(rb"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})")
REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
W3C = re.compile(r"(?!0{32})[0-9a-f]{32}")


class Correlation(Value):
    trace: str
    headers: list[tuple[bytes, bytes]]  # what the caller gets back


CURRENT: ContextVar[str | None] = ContextVar("trace", default=None)


def trace_id(trace: str) -> str:
    """A trace as W3C writes it: of what a caller has called a request it is half of the hash."""
    return trace if W3C.fullmatch(trace) else sha256(trace.encode()).hexdigest()[:32]


def correlate(traceparent: bytes, request_id: bytes) -> Correlation:
    trace, flags = random_hex(16), "01"
    if found := traceparent and TRACEPARENT.fullmatch(traceparent):
        trace, flags = found[1].decode(), found[2].decode()
    if not (request_id and REQUEST_ID.fullmatch(request_id)):
        request_id = trace.encode()
    elif not found:
        trace = request_id.decode()
    ours = f"00-{trace_id(trace)}-{random_hex(8)}-{flags}".encode()
    return Correlation(trace=trace, headers=[(b"x-request-id", request_id), (b"traceparent", ours)])
