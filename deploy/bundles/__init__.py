"""Bundles: put together from what the services know, and checked with all that this program can compute."""
