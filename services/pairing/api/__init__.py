"""The HTTP edge of pairing: a request becomes a command, the answer shows what came of it."""
