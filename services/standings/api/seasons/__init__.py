"""Seasons as they are asked for: who leads, how ratings stand, and what the federation decides about them."""
