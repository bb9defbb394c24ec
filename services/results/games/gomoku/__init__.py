"""Gomoku by its transcript: openings, stones, offers and claims, checked move by move.

`judge` reads the moves of a game by one of the two profiles in `profiles.py`, and says who has won and why.
"""
