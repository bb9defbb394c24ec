"""How long tests wait where nothing is proved by haste: a machine may be slow, and what is waited for has to come.

A test that does prove haste compares with something that it has measured in the same run.
"""

PATIENCE = 240.0  # seconds until something has come true, or has been answered
