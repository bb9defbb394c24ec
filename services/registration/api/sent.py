"""What somebody sends."""

from pydantic import BaseModel


class Sent(BaseModel, extra="forbid"):
    """A member that a form does not have is a mistake, and is named."""
