"""Schemas as people want to read them, and as generators of clients make good types of them."""

type Json = dict[str, Json] | list[Json] | str | float | bool | None

NO_SCHEMAS = frozenset({"example", "examples", "default", "const", "enum", "required"})
NUMBER: Json = {"type": "number"}
WHOLE: Json = {"type": "integer"}


def tidy(part: Json) -> None:
    """Drops, in place, the titles that only repeat a name, and choices between a whole number and any number."""
    match part:
        case dict():
            if isinstance(part.get("title"), str):
                del part["title"]
            if part.get("anyOf") in ([WHOLE, NUMBER], [NUMBER, WHOLE]):
                del part["anyOf"]
                part["type"] = "number"
            for name, inner in part.items():
                if name == "properties" and isinstance(inner, dict):  # by names of fields, which may be any word
                    tidy(list(inner.values()))
                elif name not in NO_SCHEMAS:
                    tidy(inner)
        case list():
            for one in part:
                tidy(one)
        case _:
            pass
