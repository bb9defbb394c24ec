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
    assert tidied({"items": {"anyOf": [whole, number]}}) == {"items": number}
    assert tidied({"items": {"anyOf": [number, whole]}}) == {"items": number}


def test_null_is_one_of_the_types_of_what_has_one() -> None:
    nothing: JsonSchema = {"type": "null"}
    table: JsonSchema = {"type": "integer", "maximum": 200.0}
    assert tidied({"anyOf": [table, nothing], "description": "Of the room."}) == {
        "type": ["integer", "null"],
        "maximum": 200,
        "description": "Of the room.",
    }
    words: JsonSchema = {"type": "string", "enum": ["a", "b"]}
    named: JsonSchema = {"$ref": "#/components/schemas/Table"}
    for kept in (words, named):
        assert tidied({"anyOf": [kept, nothing]}) == {"anyOf": [kept, nothing]}
    assert tidied({"anyOf": [table, nothing], "maximum": 7}) == {"anyOf": [table, nothing], "maximum": 7}


def test_a_choice_among_values_of_several_types_is_one_among_types() -> None:
    won: JsonSchema = {"enum": [0, 1, "draw", None], "description": "Who has won."}
    assert tidied(won) == {
        "anyOf": [{"type": "integer", "enum": [0, 1]}, {"type": "string", "enum": ["draw"]}, {"type": "null"}],
        "description": "Who has won.",
    }
