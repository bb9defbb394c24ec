"""Variables of Roundlog in the environment. One that nothing reads is mistyped, and would be passed over in silence."""

from collections.abc import Iterable
from difflib import get_close_matches

PREFIX = "ROUNDLOG_"
# What commands, the proxy and the cells read, besides the settings of services.
OF_THE_PLATFORM = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "BASE_PORT",
        "CELLS",
        "CELLS_LISTEN",
        "CELLS_PORT",
        "DATA",
        "FRONTS",
        "LARGEST_BODY",
        "PAGES",
        "PAIRING",
        "PROXY_FROM",
        "PROXY_LISTEN",
        "REGISTRATION",
        "RESULTS",
        "SECRETS",
        "STANDINGS",
    )
)

# What `roundlog up` sets itself for those that it starts, whatever was set before.
OF_THE_LAUNCHER = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "DATABASE_PASSWORD_FILE",
        "NATS_PASSWORD_FILE",
        "PAGES",
        "PROXY_FROM",
        "PROXY_LISTEN",
        "SECRETS",
    )
)


def passed_over(names: Iterable[str]) -> list[str]:
    """A sentence for each of these names of variables that mean nothing to a local run."""
    return [
        f"{name} is set, and `roundlog up` goes by what it sets itself (docs/operations.md, Settings)."
        for name in sorted(OF_THE_LAUNCHER.intersection(names))
    ]


def read_by_nothing(names: Iterable[str]) -> list[str]:
    """A sentence for each of these names of variables that nothing reads."""
    others = sorted(name for name in names if name.startswith(PREFIX) and name not in OF_THE_PLATFORM)
    if not others:
        return []
    from shared.settings import variables  # noqa: PLC0415 - most have set none, and wait for nothing

    known = {*OF_THE_PLATFORM, *variables()}
    return [sentence(name, known) for name in others if name not in known]


def sentence(name: str, known: Iterable[str]) -> str:
    alike = get_close_matches(name, sorted(known), n=1, cutoff=0.8)
    meant = f"; {alike[0]} is meant, perhaps" if alike else ""
    return f"{name} is set, and nothing reads it{meant} (docs/operations.md, Settings and Limits)."
