"""The HTTP edge of registration: a request becomes a command, the answer shows what came of it."""
