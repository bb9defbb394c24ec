"""Seasons: a cup of the best results, who qualifies, and ratings. Pure functions of the season's rules and results."""
