"""The file of a tournament that runs on this machine, as its operator is told it."""

import re
from http import HTTPStatus

import httpx
import msgspec

from deploy.calculate import REFUSED
from deploy.local import ports
from deploy.local.errors import CannotRun, NoSuchTournament
from deploy.local.folder import Folder
from deploy.running import running
from deploy.tokens import OPERATOR, signed
from shared.values import UNREADABLE, Value

PATIENCE = 60.0  # seconds
HOURS = 0.1
IDS = re.compile(r"[0-9A-Za-z-]{1,64}")


class AnsweredProblem(Value):
    detail: str


class Export(Value):
    content: bytes
    status: int  # of HTTP

    @property
    def exit_status(self) -> int:
        return 0 if self.status == HTTPStatus.OK else REFUSED


def require_id(tournament: str) -> None:
    if not IDS.fullmatch(tournament):
        raise NoSuchTournament(
            f"{tournament} is no id of a tournament: it is what registration answered when it was announced."
        )


def refusal(service: str, answer: httpx.Response) -> CannotRun:
    """What an operator reads of an answer that is none."""
    if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return CannotRun(f"{service} cannot answer now. Run this again once `roundlog status` shows that all is ready.")
    try:
        said = msgspec.json.decode(answer.content, type=AnsweredProblem).detail
    except UNREADABLE:
        said = answer.text
    return CannotRun(f"{service} refuses: {said}")


def tournament_file(folder: Folder, tournament: str, stage: str | None) -> Export:
    """As the service answers: the file, or the problem that it names."""
    require_id(tournament)
    _, base = running(folder)
    url = f"http://127.0.0.1:{ports.of('pairing', base)}/v1/tournaments/{tournament}/file"
    token = signed(folder.path / "keys", OPERATOR, hours=HOURS)
    try:
        query = {} if stage is None else {"stage": stage}
        answer = httpx.get(url, params=query, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)
    except httpx.TransportError as error:
        raise CannotRun(f"Pairing does not answer: {error}. Look at it with `roundlog status`.") from None
    if answer.is_server_error:
        raise refusal("pairing", answer)
    content = msgspec.json.format(answer.content, indent=2)
    return Export(content=content, status=answer.status_code)
