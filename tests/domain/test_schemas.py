"""What is left of a schema when everything is dropped that nobody wants to read."""

from shared.http.openapi import JsonSchema, tidy


def tidied(schema: JsonSchema) -> JsonSchema:
    tidy(schema)
    return schema


def test_titles_that_repeat_a_name_are_dropped() -> None:
    game: JsonSchema = {
        "type": "object",
        "title": "Game",
        "properties": {"table": {"type": "integer", "title": "Table"}},
    }
    assert tidied(game) == {"type": "object", "properties": {"table": {"type": "integer"}}}


def test_a_field_that_is_called_title_stays() -> None:
    title: JsonSchema = {"type": "string", "title": "Title"}
    assert tidied({"properties": {"title": title}}) == {"properties": {"title": {"type": "string"}}}


def test_examples_and_defaults_stay_as_they_are() -> None:
    kept: JsonSchema = {"examples": [{"title": "Not found"}], "default": {"title": "x"}, "const": {"title": "y"}}
    assert tidied({**kept, "title": "Problem"}) == kept


def test_a_whole_number_or_any_number_is_a_number() -> None:
    whole: JsonSchema = {"type": "integer"}
    number: JsonSchema = {"type": "number"}
    nothing: JsonSchema = {"type": "null"}
    assert tidied({"items": {"anyOf": [whole, number]}}) == {"items": number}
    assert tidied({"items": {"anyOf": [number, whole]}}) == {"items": number}
    assert tidied({"anyOf": [whole, nothing]}) == {"anyOf": [whole, nothing]}
