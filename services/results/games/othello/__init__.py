"""Othello by its transcript, and the discs that are written down: with empty squares, and after a time default."""
