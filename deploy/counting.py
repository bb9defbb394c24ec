def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun, as in `1 table` and `2 tables`; of another plural, that too."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"
