"""Tournaments: announced and changed, their life, and how they are shown."""
