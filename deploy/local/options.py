from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Options:
    folder: Path
    base_port: int | None = None  # asked for; otherwise the first that is free
    database_url: str | None = field(default=None, repr=False)  # a running PostgreSQL to use, as its administrator
    nats_url: str | None = field(default=None, repr=False)
    in_background: bool = False
    demo: str | None = None  # the ruleset by which a tournament is played; none where none is
    demo_pace: float = 20.0  # seconds that a round of it takes
