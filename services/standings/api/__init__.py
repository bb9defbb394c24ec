"""The HTTP edge of standings: tables and why they are so, and the acts that end a tie or a stage."""
