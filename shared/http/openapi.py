"""How a service describes itself: its OpenAPI document, in which every operation says who may, and `/docs`.

A document says each thing once: what operations have in common stands in its `components`. Whole examples of bodies and
answers are put together by whoever shows them, from the examples of their fields. An operation without a policy, or a
field without an example, is a fault of ours that is found when the document is made.
"""

import json
import re
from collections import ChainMap, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from http import HTTPStatus
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from typing import Any, get_args

from fastapi import APIRouter, FastAPI, params
from fastapi.dependencies.models import Dependant
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.routing import APIRoute
from pydantic import BaseModel, create_model
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from shared.access.policy import Policy
from shared.access.roles import OFFICES
from shared.http import responses
from shared.http.authorization import ActGuard, Door, ReadGuard
from shared.http.parameters import Absent
from shared.http.problems import CONTENT, MEDIA_TYPE, REFUSED, Problem
from shared.http.proxies import BELOW
from shared.values import Value

type Schema = Mapping[str, Any]

SCHEMAS = "#/components/schemas/"

NULL = {"type": "null"}
OF_A_KIND = {
    "boolean": True,
    "date-time": "2026-03-14T09:30:00Z",
    "date": "2026-03-14",
    "time": "09:30:00Z",
    "uuid": "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11",
}


class NoExample(Exception):
    """A field has no example, so nobody can be shown a whole one."""


class Examples(Value):
    schemas: Mapping[str, Schema]  # those that have a name

    def of(self, schema: Schema, place: str, within: tuple[str, ...] = ()) -> Any:
        """The example of a schema; `place` is what to call it, `within` the references that have led to it."""
        match schema:
            case (
                {"examples": [shown, *_]}
                | {"default": str() | bool() | int() | float() | [*_] as shown}
                | {"const": shown}
                | {"enum": [shown, *_]}
            ):
                return shown
            case {"$ref": str(reference)}:
                name = reference.rpartition("/")[2]
                return self.of(self.schemas[name], name, (*within, reference))
            case {"anyOf": [*several]} | {"oneOf": [*several]}:
                finite = [one for one in several if one != NULL and one.get("$ref") not in within]
                return self.of(finite[0], place, within) if finite else None
            case {"type": [str(kind), *_]}:
                return self.of({**schema, "type": kind}, place, within)
            case {"allOf": [*parts]}:
                own = [{"properties": schema["properties"]}] if "properties" in schema else []
                return dict(ChainMap(*(self.of(part, place, within) for part in [*parts, *own])))
            case _:
                return self._put_together(schema, place, within)

    def _put_together(self, schema: Schema, place: str, within: tuple[str, ...]) -> Any:
        match schema:
            case {"properties": fields}:
                return {name: self.of(field, f"{place}.{name}", within) for name, field in fields.items()}
            case {"prefixItems": [*items]}:
                return [self.of(item, place, within) for item in items]
            case {"type": "array", "items": item}:
                return [] if item.get("$ref") in within else [self.of(item, place, within)]
            case {"format": kind} | {"type": kind} if kind in OF_A_KIND:
                return OF_A_KIND[kind]
            case _:
                raise NoExample(f"{place} has no example: give its field `examples=[…]`, or its content an `example`.")


type JsonSchema = dict[str, JsonSchema] | list[JsonSchema] | str | float | bool | None

NO_SCHEMAS = frozenset({"example", "examples", "default", "const", "enum", "required"})
NUMBER: JsonSchema = {"type": "number"}
WHOLE: JsonSchema = {"type": "integer"}
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def tidy(part: JsonSchema) -> None:
    """Says, in place, the same in fewer words: without titles that only repeat a name, without choices between a whole
    number and any number, and with `null` as one of the types of what has a type."""
    match part:
        case dict():
            if isinstance(part.get("title"), str):
                del part["title"]
            for bound in BOUNDS:
                if isinstance(limit := part.get(bound), float) and limit.is_integer():
                    part[bound] = int(limit)
            for name, inner in part.items():
                if name == "properties" and isinstance(inner, dict):  # by names of fields, which may be any word
                    tidy(list(inner.values()))
                elif name not in NO_SCHEMAS:
                    tidy(inner)
            simplify_choice(part)
            split_mixed(part)
            say_as_list(part)
        case list():
            for one in part:
                tidy(one)
        case _:
            pass


def simplify_choice(part: dict[str, JsonSchema]) -> None:
    match part.get("anyOf"):
        case [dict() as one]:
            del part["anyOf"]
            part |= one
        case [*several] if WHOLE in several and NUMBER in several:
            part["anyOf"] = [one for one in several if one != WHOLE]
            simplify_choice(part)
        case [{"type": str(kind), **more}, {"type": "null"}] if not more.keys() & {*part, "enum", "const"}:
            del part["anyOf"]
            part |= {"type": [kind, "null"], **more}
        case _:
            pass


KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}


def say_as_list(part: dict[str, JsonSchema]) -> None:
    """A single word among other types is a list of one: where a constant stands, some generators look for nothing else."""
    choices = part.get("anyOf")
    for one in choices if isinstance(choices, list) else ():
        if isinstance(one, dict) and one.get("type") == "string" and "const" in one:
            one["enum"] = [one.pop("const")]


def split_mixed(part: dict[str, JsonSchema]) -> None:
    """A choice among values of several types, as of a seat or `draw`, becomes one among types: few generators know more."""
    values = part.get("enum")
    if not isinstance(values, list) or len(kinds := {type(value): None for value in values}) == 1:
        return
    del part["enum"]
    part.pop("type", None)
    part["anyOf"] = [
        {"type": KINDS[kind], "enum": [value for value in values if type(value) is kind]}
        if kind in KINDS
        else {"type": "null"}
        for kind in kinds
    ]


MAY = "x-roundlog-may"
LEAST_INHERITED = 4  # fields: a form that shares fewer with another one is another thing
INLINE = re.compile(r"<script>(.+?)</script>", re.DOTALL)
TOKEN = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An EdDSA token of the issuer."}


OF_ALL = """

What holds for all operations is said here; what single ones do besides, in `docs/reference.md`.

- `ETag` of an answer is its version: send it as `If-Match` to change only this one; with a GET as `If-None-Match`, which is answered
  304 as long as there is no other.
- `Roundlog-Position` of an act is how far the log goes: send it as `Roundlog-Min-Position` to read what rests on it, anywhere.
- `Link` of a page leads to the next one as `<…>; rel="next"`, and so does `next` in its body.
- `X-Request-Id` is what to tell the operators.
- `?dry_run=true` answers what would change and be lost (`Foreseen`), without a version or a position.
- With `inputs` or `at` it is shown as it was, and nothing can be done.
- `x-roundlog-may` says who may: whoever is appointed as one of `roles`, or with `officials` as any, where the parameter or
member `scope` leads, or else the first parameter of the path; `captains` of the entrants that this one leads to; the account
of the entrant `own`; `operators`; whoever is `signed_in`. Where it is left out, anybody may.
"""
NOT_MODIFIED = {"description": "There is no other answer than the one that you have."}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "The `ETag` of what you have: 304 when there is no other.",
}
UNSAID = "Successful Response"
SIGNED_IN = [{"token": list[str]()}]
FORMAT = "x-roundlog-format"  # of a field: the name of the format of its own that it holds
FORMAT_PATH = "/formats/{name}.json"


class OwnFormat(Value):
    """What is written by hand or by a program and is a language of its own, such as a ruleset: it has its own schema."""

    model: type[BaseModel]
    example: Callable[[], Any] | None = None  # made for the document only; otherwise the one of its schema

    @property
    def name(self) -> str:
        return self.model.__name__

    @property
    def path(self) -> str:
        return FORMAT_PATH.format(name=self.name)


class Undeclared(Exception):
    """An operation does not say who may do it."""


def policies(routers: Sequence[APIRouter]) -> Mapping[str, Policy]:
    """Who may do each operation; a service that leaves one open does not start."""
    return {route.operation_id or route.path: policy(route) for router in routers for route in operations(router)}


def bodies_of_anybody(routers: Sequence[APIRouter]) -> list[re.Pattern[str]]:
    """The paths where somebody who has not signed in may send a body."""
    routes = (route for router in routers for route in operations(router) if route.methods != {"GET"})
    return [route.path_regex for route in routes if policy(route).anybody and route.body_field is not None]


def operations(router: APIRouter) -> Iterator[APIRoute]:
    for route in router.routes:
        if not isinstance(route, APIRoute) or not route.operation_id:
            raise Undeclared(f"{route} has no operation_id")
        yield route


def policy(route: APIRoute) -> Policy:
    found = list(guards(route))
    if len(found) != 1:
        raise Undeclared(
            f"{route.operation_id} depends {len(found)} times on one of door.acts and door.reads, not once"
        )
    (door, declared) = (found[0].door, found[0].policy)
    require_whose(route, door, declared.captains)
    if declared.own and f"{{{declared.own}}}" not in route.path:
        raise Undeclared(f"the path of {route.operation_id} does not name {declared.own}, whose account may")
    if declared.in_body:
        return declared
    if declared.scope and f"{{{declared.scope}}}" not in route.path:
        raise Undeclared(f"the path of {route.operation_id} does not name its scope {declared.scope}")
    if declared.scope and not door.is_scope(declared.scope):
        raise Undeclared(f"the door does not know what {declared.scope} of {route.operation_id} is about")
    return declared


def require_whose(route: APIRoute, door: Door, captains: str) -> None:
    """Where captains may, it has to be found out whose captain."""
    if not captains:
        return
    if f"{{{captains}}}" not in route.path and captains not in fields_sent(route):
        raise Undeclared(f"neither the path nor the body of {route.operation_id} names {captains}, whose captains may")
    if not door.finds_entrants(captains):
        raise Undeclared(f"the door does not know whom {captains} of {route.operation_id} is about")


def fields_sent(route: APIRoute) -> Iterator[str]:
    for body in route.dependant.body_params:
        form = body.field_info.annotation
        yield from form.model_fields if isinstance(form, type) and issubclass(form, BaseModel) else ()


def guards(route: APIRoute) -> Iterator[ActGuard | ReadGuard]:
    """Those that its function asks for, or that stand beside it; read off, so that the route is not put together for it."""
    forms: Mapping[str, object] = route.endpoint.__annotations__
    asked_for = [part for form in forms.values() for part in getattr(form, "__metadata__", ())]
    for part in (*route.dependencies, *asked_for):
        if isinstance(part, params.Depends) and isinstance(part.dependency, ActGuard | ReadGuard):
            yield part.dependency


def describe(app: FastAPI, declared: Mapping[str, Policy], formats: Sequence[OwnFormat] = ()) -> None:
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            app.openapi_schema = None  # until it is whole
            components = document.setdefault("components", {})
            components["securitySchemes"] = {"token": TOKEN}
            components["schemas"] = schemas = {**components.get("schemas", {}), **of_problems()}
            document["security"] = SIGNED_IN
            document["info"]["description"] += OF_ALL
            say_limits(document["paths"], app.routes)
            for part in (*schemas.values(), *document["paths"].values()):
                tidy(part)
            set_apart(document, formats)
            examples = Examples(schemas=components["schemas"])
            for path, methods in document["paths"].items():
                for method, operation in methods.items():
                    if method == "get":
                        allow_condition(operation)
                    complete(operation, path, declared[operation["operationId"]], examples)
            show_what_tells(document, examples)
            say_once(document)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi


ONE_OR_ABSENT = 2  # kinds: what a parameter is, and that it may be left out
LIMITS = (*BOUNDS, "minLength", "maxLength", "pattern")
UNSAID_LIMITS = ("ge", "gt", "le", "lt")  # what a union makes of bounds: no words of JSON schema


def say_limits(paths: Mapping[str, Any], routes: Sequence[object]) -> None:
    """Says, in place, the limits of parameters that may be left out: they are of a union, which says them in other words or not."""
    for route in routes:
        if not isinstance(route, APIRoute) or not route.include_in_schema:
            continue
        limited = dict(limits(route.dependant))
        for method in route.methods or ():
            for parameter in paths[route.path_format][method.lower()].get("parameters", ()):
                schema = parameter["schema"]
                for unsaid in UNSAID_LIMITS:
                    schema.pop(unsaid, None)
                schema |= limited.get((parameter["in"], parameter["name"]), {})


def limits(dependant: Dependant) -> Iterator[tuple[tuple[str, str], Schema]]:
    """Of one parameter after the other that may be left out, by where it stands and what it is called."""
    for field in (*dependant.query_params, *dependant.header_params):
        said = field.field_info
        kinds = get_args(said.annotation)
        if isinstance(said, params.Param) and said.metadata and Absent in kinds and len(kinds) == ONE_OR_ABSENT:
            (kind,) = (one for one in kinds if one is not Absent)
            form = create_model("Limited", limited=(kind, said)).model_json_schema(by_alias=False)
            (whole,) = form["properties"].values()
            yield (said.in_.value, field.alias), {name: whole[name] for name in LIMITS if name in whole}
    for part in dependant.dependencies:
        yield from limits(part)


def set_apart(document: dict[str, Any], formats: Sequence[OwnFormat]) -> None:
    """Formats are not told again in the document, which would be the longer half of it; it says where they are told."""
    schemas = document["components"]["schemas"]
    shown = {
        one.name: one.example() if one.example else Examples(schemas=schemas).of(schemas[one.name], one.name)
        for one in formats
    }
    for one in formats:
        schemas[one.name] = {
            "type": "object",
            "description": f"{one.model.__doc__} Its JSON schema is at `{one.path}`.",
            "externalDocs": {"url": one.path.removeprefix("/")},  # beside the document, wherever a proxy puts that
            "examples": [shown[one.name]],
        }
    for fields in [schema.get("properties", {}) for schema in schemas.values()]:
        for name, field in fields.items():
            if FORMAT in field:
                fields[name] = {"$ref": f"{SCHEMAS}{field[FORMAT]}", "description": field["description"]}
    needed = spoken_of({**document["paths"], "": CONTENT}, schemas)
    document["components"]["schemas"] = {name: schemas[name] for name in sorted(needed)}


def spoken_of(part: object, schemas: Mapping[str, Schema]) -> set[str]:
    """The schemas that a part of the document names, and those that these name in turn."""
    found, named = set[str](), named_in(part)
    while named - found:
        found |= named
        named = {inner for name in named for inner in named_in(schemas[name])}
    return found


def named_in(part: object) -> set[str]:
    """The schemas that a part of the document names."""
    return set(re.findall(rf'"{SCHEMAS}(\w+)"', json.dumps(part)))


def of_problems() -> dict[str, Any]:
    """Said once: a model with every answer of every operation would be half the work of a start."""
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    return {**schema.pop("$defs"), "Problem": schema}


def complete(operation: dict[str, Any], path: str, may: Policy, examples: Examples) -> None:
    """What is the same for all operations of its kind is said here, once."""
    restrict(operation, path, may)
    refuse_alike(operation)
    parameters = operation.get("parameters", ())
    for parameter in parameters:
        shorten(parameter)
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["schema"].pop("contentMediaType", None)  # it stands above it
    for status, answer in operation["responses"].items():
        if answer["description"] == UNSAID:
            answer["description"] = HTTPStatus(int(status)).phrase
        if status.startswith("2"):
            answer.pop("headers", None)  # `OF_ALL` says which ones there are
    require_examples(operation, examples)


def allow_condition(operation: dict[str, Any]) -> None:
    """Where an answer has a tag, whoever has that answer is sent it no second time."""
    if "ETag" in operation["responses"].get("200", {}).get("headers", ()):
        operation["responses"] |= {"304": dict(NOT_MODIFIED)}
        operation["parameters"] = [*operation.get("parameters", ()), deepcopy(IF_NONE_MATCH)]


def restrict(operation: dict[str, Any], path: str, may: Policy) -> None:
    """Who may, and how everybody else is refused."""
    may_be = {
        "signed_in": may.signed_in,
        "operators": may.operators,
        "captains": may.captains,
        **({"officials": True} if may.roles == frozenset(OFFICES) else {"roles": sorted(may.roles)}),
        "scope": "" if path.partition("{")[2].startswith(f"{may.scope}}}") else may.scope,
        "own": may.own,
        "themselves": may.themselves,
    }
    if may.anybody:
        operation["security"] = [{}, *SIGNED_IN]
    else:
        operation[MAY] = {name: said for name, said in may_be.items() if said}


def refuse_alike(operation: dict[str, Any]) -> None:
    """Every operation is refused by a problem; which statuses there are, and what they mean, is said once."""
    answers = operation["responses"]
    others = {status: answer for status, answer in answers.items() if MEDIA_TYPE not in answer.get("content", {})}
    operation["responses"] = {**dict(sorted(others.items())), "default": REFUSED}


def shorten(parameter: dict[str, Any]) -> None:
    """Its schema repeats what it says itself, and that it need not be sent is so where nothing else is said."""
    if "description" in parameter:
        parameter["schema"].pop("description", None)
    if not parameter["required"]:
        del parameter["required"]
        schema = parameter["schema"]
        schema.pop("examples", None)  # a page would fill it in, where nobody needs it
        match schema.get("type"):
            case [str(kind), "null"]:  # there is no null in an address or a header: it is left out
                schema["type"] = kind
            case _:
                pass


def require_examples(operation: dict[str, Any], examples: Examples) -> None:
    """Of what is sent, and of what comes back when it went well: from fields that lack them nobody makes a whole one."""
    for part in (operation.get("requestBody", {}), *good_answers(operation)):
        for content in part.get("content", {}).values():
            if "example" not in content:
                examples.of(content.get("schema", {}), operation["operationId"])


def show_what_tells(document: dict[str, Any], examples: Examples) -> None:
    """Drops, in place, examples that tell nothing more: of what is sent, those that hold anyway; of answers, also numbers,
    codes and names, and sentences where a description says what they are."""
    schemas = document["components"]["schemas"]
    sent = [
        operation.get(part)
        for methods in document["paths"].values()
        for operation in methods.values()
        for part in ("requestBody", "parameters")
    ]
    answered = schemas.keys() - spoken_of(sent, schemas)
    for name, schema in schemas.items():
        if name in answered and "externalDocs" in schema:
            del schema["examples"]
        for field in (schema, *schema.get("properties", {}).values()):
            if "examples" in field and (holds_anyway(field, examples) or (name in answered and tells_nothing(field))):
                del field["examples"]


def holds_anyway(field: Schema, examples: Examples) -> bool:
    without = {name: said for name, said in field.items() if name != "examples"}
    try:
        return field["examples"] == [examples.of(without, "")]
    except NoExample:
        return False


def tells_nothing(field: Schema) -> bool:
    return all(is_plain(one, are_sentences_plain="description" in field) for one in field["examples"])


def is_plain(example: JsonSchema, *, are_sentences_plain: bool) -> bool:
    match example:
        case str():
            return are_sentences_plain or not example.endswith(".")
        case [*several]:
            return all(is_plain(one, are_sentences_plain=are_sentences_plain) for one in several)
        case _:
            return not example or isinstance(example, bool | int | float)


def good_answers(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [answer for status, answer in operation["responses"].items() if status.startswith("2")]


class Place(Value):
    """Where something stands in a document: `within[at]`."""

    within: Any
    at: str | int
    called: str  # the name that it would have among the components
    otherwise: str = ""  # where another has that name

    @property
    def part(self) -> dict[str, Any]:
        return self.within[self.at]

    def free_name(self, known: Collection[str]) -> str:
        wanted = [self.called, *([self.otherwise] if self.otherwise else ())]
        return next(
            name for name in chain(wanted, (f"{self.called}{number}" for number in count(2))) if name not in known
        )


def say_once(document: dict[str, Any]) -> None:
    """Moves, in place, what stands at several places to the components, and refers to it."""
    components = document["components"]
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    share(
        components,
        "parameters",
        [
            Place(within=operation["parameters"], at=at, called=briefly(parameter["name"]))
            for operation in operations
            for at, parameter in enumerate(operation.get("parameters", ()))
        ],
    )
    share(
        components,
        "responses",
        [
            Place(within=operation["responses"], at=status, called=name_of_answer(status, answer))
            for operation in operations
            for status, answer in operation["responses"].items()
        ],
    )
    schemas = components["schemas"]
    share(
        components,
        "schemas",
        [
            Place(within=fields, at=name, called=in_one_word(name), otherwise=f"{form}{in_one_word(name)}")
            for form, schema in [*schemas.items()]
            for fields in [schema.get("properties", {})]
            for name, field in fields.items()
            # A constant tells the forms of a choice apart. One that refers to another form, or may also be null, stays where it is:
            # to most generators a name for it is a class of its own, or none.
            if "type" in field and "const" not in field
        ],
    )
    go_on_from_others(schemas)
    for kind, several in components.items():
        components[kind] = dict(sorted(several.items()))


def share(components: dict[str, Any], kind: str, places: Sequence[Place]) -> None:
    known: dict[str, Any] = components.setdefault(kind, {})
    alike = defaultdict[str, list[Place]](list)
    for place in places:
        alike[json.dumps(place.part, sort_keys=True)].append(place)
    for text, same in sorted(alike.items(), key=lambda one: -len(one[1])):  # the commonest has the plain name
        name = same[0].free_name(known)
        reference = {"$ref": f"#/components/{kind}/{name}"}
        if len(text) * (len(same) - 1) > len(json.dumps(reference)) * len(same) + len(name):
            known[name] = same[0].part
            for place in same:
                place.within[place.at] = reference


FORM = frozenset({"type", "description", "properties", "required"})


def go_on_from_others(schemas: dict[str, Any]) -> None:
    """Makes, in place, a form that has all fields of another one, and more, go on from it. What is sent is closed, and stays
    whole."""
    open_ones = {name: form for name, form in schemas.items() if "properties" in form and form.keys() <= FORM}
    for name, form in open_ones.items():
        before = [(one, other) for one, other in open_ones.items() if goes_on(form, other)]
        if before:
            base, other = max(before, key=lambda one: len(json.dumps(one[1]["properties"])))
            rest = {field: said for field, said in form["properties"].items() if field not in other["properties"]}
            required = [field for field in form.get("required", ()) if field in rest]
            schemas[name] = {
                "allOf": [
                    {"$ref": f"{SCHEMAS}{base}"},
                    {"type": "object", "properties": rest, **({"required": required} if required else {})},
                ],
                **({"description": form["description"]} if "description" in form else {}),
            }


def goes_on(form: Schema, other: Schema) -> bool:
    """Whether it has, among others, all fields of another one, and needs the same of them."""
    fields, those = form["properties"], other["properties"]
    needed = {field for field in form.get("required", ()) if field in those}
    is_longer = LEAST_INHERITED <= len(those) < len(fields)
    return is_longer and fields.items() >= those.items() and needed == {*other.get("required", ())}


BRIEF = {"Roundlog-Min-Position": "Since", "Idempotency-Key": "Once"}  # almost every operation has them


def briefly(parameter: str) -> str:
    return BRIEF.get(parameter) or in_one_word(parameter)


def in_one_word(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[-_]", name))


def name_of_answer(status: str, answer: Mapping[str, Any]) -> str:
    """After what it answers: a refusal, or some form."""
    if status == "default":
        return "Refused"
    contents = answer.get("content", {})
    forms = re.findall(rf'"{SCHEMAS}(\w+)"', json.dumps(contents))
    kind = next(iter(contents), "nothing").rpartition("/")[2]
    return "Or".join(forms) or in_one_word(kind)


def show_formats(app: FastAPI, formats: Sequence[OwnFormat]) -> None:
    models = {one.name: one.model for one in formats}

    @app.get(FORMAT_PATH, include_in_schema=False)
    async def own_format(name: str) -> Response:  # pyright: ignore[reportUnusedFunction] - the app calls it
        if name not in models:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return JSONResponse(json_schema(models[name]), media_type="application/schema+json")


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}


def show_pages(app: FastAPI) -> None:
    """`/openapi.json` and `/docs`, with its scripts from here: it has to work where there is no internet, and below
    whatever a proxy puts in front of its path."""

    @app.get("/openapi.json", include_in_schema=False)
    async def document(request: Request) -> JSONResponse:  # pyright: ignore[reportUnusedFunction] - the app calls it
        below = request.scope.get(BELOW)
        return JSONResponse({**app.openapi(), "servers": [{"url": below}]} if below else app.openapi())

    found = find_spec("fastapi_offline")
    if found is None or found.origin is None:
        raise RuntimeError("the package fastapi-offline, which brings the scripts of /docs, is not installed")
    app.mount("/docs/assets", StaticFiles(directory=Path(found.origin).parent / "static"))

    page = get_swagger_ui_html(
        openapi_url="openapi.json",
        title=app.title,
        swagger_js_url="docs/assets/swagger-ui-bundle.js",
        swagger_css_url="docs/assets/swagger-ui.css",
        swagger_favicon_url="docs/assets/favicon.png",
        swagger_ui_parameters={"showExtensions": True},  # who may
    )
    (script,) = INLINE.findall(bytes(page.body).decode())
    needed = responses.page_policy(
        script=f"'self' {responses.hash_of(script)}", style="'self'", img="'self' data:", connect="'self'"
    )

    @app.get("/docs", include_in_schema=False)
    async def docs(_: Request) -> HTMLResponse:  # pyright: ignore[reportUnusedFunction] - the app calls it
        return HTMLResponse(page.body, headers=needed)
