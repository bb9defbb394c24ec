"""Gomoku by its transcript: openings, stones, offers and claims, checked move by move.

`judge` of `play.py` reads the moves of a game by one of the two profiles in `profiles.py`, and says who has won and why.
`cfp.py` and `pisqworky.py` adjudicate what is told of a game, or a match, by the rules that have these names.
"""
