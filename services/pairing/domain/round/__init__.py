"""A round of a stage: drafted, perhaps changed by hand, confirmed, published, and in need recalled. One stream each.

A recall is asked here and answered by results, which alone knows whether a game has begun: until the answer the round
counts as published.
"""
