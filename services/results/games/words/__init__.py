"""Which words are valid: the lists and their import, the live check, and what a referee reads in dictionaries."""
