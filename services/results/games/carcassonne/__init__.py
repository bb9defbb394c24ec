"""A table of Carcassonne: places and what they are worth, the success rate, and a game of two with a fallen flag."""
