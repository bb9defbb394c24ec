"""What is left of a schema when everything is dropped that nobody wants to read."""

from typing import Any

from shared.http.openapi import Examples, JsonSchema, go_on_from_others, show_what_tells, tidy


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
    kept: dict[str, JsonSchema] = {
        "examples": [{"title": "Not found"}],
        "default": {"title": "x"},
        "const": {"title": "y"},
    }
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


FIELDS = {
    "table": {"type": "integer"},
    "room": {"type": "string"},
    "seats": {"type": "array"},
    "round": {"type": "integer"},
}
GAME: dict[str, Any] = {"type": "object", "properties": FIELDS, "required": ["table", "round"]}


def test_a_form_with_all_fields_of_another_one_goes_on_from_it() -> None:
    own = {
        "type": "object",
        "properties": {**FIELDS, "name": {"type": "string"}},
        "required": ["table", "round", "name"],
    }
    schemas = {"Game": GAME, "OwnGame": {**own, "description": "One's own."}}
    go_on_from_others(schemas)
    rest = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    assert schemas == {
        "Game": GAME,
        "OwnGame": {"allOf": [{"$ref": "#/components/schemas/Game"}, rest], "description": "One's own."},
    }


def test_a_form_stays_whole_that_is_closed_or_differs_anywhere() -> None:
    longer: dict[str, Any] = {**GAME, "properties": {**FIELDS, "name": {"type": "string"}}}
    closed = {**longer, "additionalProperties": False}
    other = {**longer, "properties": {**longer["properties"], "table": {"type": "string"}}}
    freer = {**longer, "required": ["table"]}
    schemas = {"Game": GAME, "Closed": closed, "Other": other, "Freer": freer}
    go_on_from_others(schemas)
    assert schemas == {"Game": GAME, "Closed": closed, "Other": other, "Freer": freer}


def test_examples_stay_that_tell_more_than_the_form() -> None:
    sentence = {"type": "string", "examples": ["Bracket of 2 points."]}
    told = {**sentence, "description": "Why."}
    table, flag = {"type": "integer", "examples": [7]}, {"type": "boolean", "default": False, "examples": [False]}
    fields = {"sentence": sentence, "told": told, "table": table, "flag": flag}
    schemas: dict[str, Any] = {one: {"properties": {n: {**f} for n, f in fields.items()}} for one in ("Sent", "Answer")}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sent"}}}}
    document = {"paths": {"/v1/games": {"post": {"requestBody": body}}}, "components": {"schemas": schemas}}
    show_what_tells(document, Examples(schemas=schemas))
    assert {one: [n for n, f in form["properties"].items() if "examples" in f] for one, form in schemas.items()} == {
        "Sent": ["sentence", "told", "table"],
        "Answer": ["sentence"],
    }
