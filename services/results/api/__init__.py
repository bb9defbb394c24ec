"""The HTTP edge of results: a request becomes an order, the answer shows what came of it."""
