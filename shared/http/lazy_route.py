"""Routes that are put together when they are first needed.

A service has up to a hundred operations. FastAPI reads the signature of each, and makes a reader of every parameter, body
and answer, which would take longer than all else that a service does to start. Of most of them nothing is asked for hours.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, override

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.routing import compile_path

from shared.http.answer_cache import AnswerCache, only_if_modified
from shared.http.parameters import query_parameters, whole_numbers


class LazyRoute(APIRoute):
    """At first it only knows which requests are for it. All else is made when anything of it is looked at."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **described: Any) -> None:
        self.path = path
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.endpoint = endpoint
        self.methods = {method.upper() for method in described["methods"]}
        self.operation_id = described["operation_id"]
        self.dependencies = described["dependencies"]
        self._described: dict[str, Any] | None = described

    def __getattr__(self, name: str) -> Any:
        """What is not there yet; Python looks here for nothing else."""
        described = self.__dict__.get("_described")
        if described is None or name.startswith("__"):
            raise AttributeError(f"a route has no {name}", name=name, obj=self)
        self._described = None
        super().__init__(self.path, self.endpoint, **described)
        return getattr(self, name)

    @cached_property
    def query_parameters(self) -> Mapping[str, bool]:
        """Those it takes, and whether each may be given several times."""
        return dict(query_parameters(self.dependant))

    @cached_property
    def whole_numbers(self) -> Sequence[tuple[str, str]]:
        """Where it takes some, and by what names: the same for each request."""
        return tuple(whole_numbers(self.dependant))

    @override
    def get_route_handler(self) -> Callable[[Request], Any]:
        made = super().get_route_handler()
        kept = [part.call for part in self.dependant.dependencies if isinstance(part.call, AnswerCache)]
        if kept:
            return kept[0].answering(made)
        return only_if_modified(made) if "GET" in self.methods else made


class Router(APIRouter):
    """A router whose routes are such ones."""

    @override
    def __init__(self, *, route_class: type[LazyRoute] = LazyRoute, **described: Any) -> None:
        super().__init__(route_class=route_class, **described)
