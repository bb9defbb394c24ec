"""A round of a stage: drafted, perhaps changed by hand, confirmed, published, and in need recalled or repaired. One stream each.

A recall, or a repair of some tables, is asked here and answered by results, which alone knows whether a game has begun:
until the answer the round counts as published as it was.
"""
