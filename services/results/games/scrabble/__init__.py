"""Scrabble: its scores, the objections at a table, its tiles, and which words are valid."""
