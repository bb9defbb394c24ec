"""How Roundlog runs: the local launcher, the databases, the generated documents."""

SERVICES = ("registration", "pairing", "results", "standings")
