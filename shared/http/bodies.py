"""What bodies of requests have in common."""

from pydantic import BaseModel


class RequestBody(BaseModel, extra="forbid"):
    """What a caller sends has no other fields than these: one that does not belong there is a mistake, and is named."""
