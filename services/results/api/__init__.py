"""The HTTP edge of results: a request becomes a command, the answer shows what came of it."""
