"""What a page of ours may load and run: nothing but what it was made with, each named by its hash."""

from base64 import b64encode
from hashlib import sha256

from shared.watching import ALONE


def may(**sources: str) -> dict[str, str]:
    """The header of a page that needs these, as `style="'self'"`."""
    name, nothing = ALONE
    needed = (f"{kind}-src {source}" for kind, source in sources.items())
    return {name.decode(): "; ".join((nothing.decode(), *needed))}


def of(inline: str) -> str:
    """A style or script that stands in the page itself, as it stands between its tags."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
