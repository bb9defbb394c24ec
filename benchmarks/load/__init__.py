"""An evening of a national league: many halls play at once, many look on, and what was acknowledged is checked afterwards."""
