"""The document about why requests are refused, made from the classes of the refusals: `docs/problems.md`.

A refusal without words stops the making of all documents.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc

import services
import shared
from deploy.documents.records import NoWords
from shared.http.calculators import CallerGone
from shared.http.problems import STATUS, slug
from shared.refusals import Refusal
from shared.values import Value

INTRODUCTION = """\
# Why a request is refused

Generated from the classes of the refusals. `type` of a problem document is one of these behind `/problems/`, for programs; nothing is to be
fetched there. A type keeps its meaning, others are added: whoever does not know one goes by `status`, and shows `detail`, which says in
the single case what to do. Where `errors` has something, each has a JSON `pointer` to the place, in `in`: the body, unless it says
`query`, `header` or `path`.

| status | what a program does |
|---|---|
| 401 | signs in anew |
| 403, 404, 413 | shows `detail` |
| 408, 429, 503 | waits, as long as `Retry-After` says where it is there, and sends the same again, with the same `Idempotency-Key` |
| 409 | shows `detail` and reads anew what it rests on; with `needs-reason` it asks for a reason and sends that |
| 412 | reads anew, and lets somebody decide again |
| 422 | shows `errors` at their fields |
| 500 | as 503, and tells the operators of `X-Request-Id` when it stays |

| `/problems/…` | status | of | means |
|---|---|---|---|
"""

ALL = "all"
OF_HTTP = (  # what no class says: most of them are refused before anybody knows which operation it is
    ("bad-request", "400, 431", "The head of the request cannot be read, or not be passed on."),
    ("internal-server-error", "500", "The fault is ours. Nothing is known to have happened."),
    ("malformed", "422", "The request does not have the form of the operation: each place is named."),
    ("method-not-allowed", "405", "The path has no such method; `Allow` names those that it has."),
    ("not-found", "404", "There is nothing at this path."),
    ("one-at-a-time", "429", "A calculator computes for the same caller already."),
    ("too-large", "413", "The body is larger than one may be."),
    ("too-many-bodies", "429, 503", "As much is being sent at once as one caller, or all of them, may."),
    ("too-many-connections", "429, 503", "As many are connected, from one address or in all, as may be."),
    ("too-many-requests", "429", "One caller asks too often."),
    ("too-many-streams", "429, 503", "One caller, or all of them, listen to as many live streams as may be."),
    ("too-slow", "408", "The body did not come in time."),
    ("unauthenticated", "401", "There is no token, or not a good one: `WWW-Authenticate` says what is wrong with it."),
    ("unavailable", "503", "Something that the answer needs cannot be reached, or has not been heard of yet."),
)


class ProblemKind(Value):
    """What a class says of a type; a service may have several of one type."""

    slug: str
    status: str
    service: str
    means: str


def written() -> str:
    means: dict[tuple[str, str, str], list[str]] = {}
    for one in kinds():
        means.setdefault((one.slug, one.service, one.status), []).append(one.means)
    rows = [
        f"| `{name}` | {status} | {service} | {' Or: '.join(several)} |\n"
        for (name, service, status), several in sorted(means.items())
    ]
    return INTRODUCTION + "".join(rows)


def kinds() -> Iterator[ProblemKind]:
    for name, status, means in OF_HTTP:
        yield ProblemKind(slug=name, status=status, service=ALL, means=means)
    for kind in refusals():
        if not kind.__dict__.get("__doc__"):
            raise NoWords(f"No words about {kind.__name__}: say in the docstring when somebody is refused so.")
        (status,) = (status for of, status in STATUS.items() if issubclass(kind, of))
        yield ProblemKind(
            slug=slug(kind.__name__),
            status=str(status.value),
            service=service_of(kind),
            means=" ".join(cleandoc(kind.__doc__ or "").split()).replace("|", "\\|"),
        )


def refusals() -> list[type[Refusal]]:
    """Those that a caller can meet: not the kinds that they are of, which nobody is refused by."""
    for package in (shared, services):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    return [one for one in below(Refusal) if one not in STATUS and one is not CallerGone and is_ours(one)]


def below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for one in dict.fromkeys(kind.__subclasses__()):
        yield one
        yield from below(one)


def is_ours(kind: type[Refusal]) -> bool:
    return kind.__module__.startswith(("shared.", "services."))


def service_of(kind: type[Refusal]) -> str:
    package, service, *_ = kind.__module__.split(".")
    return service if package == "services" else ALL
