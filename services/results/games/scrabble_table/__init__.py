"""What happens at a table of live Scrabble and changes scores or clocks: objections, the end of a game, the time."""
