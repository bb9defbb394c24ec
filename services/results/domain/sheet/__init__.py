"""The score sheet of a game: orders, facts, states and refusals, and by topic what is decided. `decider.py` joins them."""
