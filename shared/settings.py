"""What a service is told by its environment."""

import re
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import AliasChoices, Field, FilePath, HttpUrl, UrlConstraints, ValidationError, field_validator
from pydantic.networks import PostgresDsn
from pydantic_core import Url
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from shared.access import captain_tokens

ORIGIN = re.compile(r"\*|https?://[^/?#@A-Z]+")

type NatsUrl = Annotated[Url, UrlConstraints(allowed_schemes=["nats", "tls", "ws", "wss"])]


class WrongSettings(SystemExit):
    """What the environment says cannot be used: the service ends with a sentence, which never shows what was said, since
    that may be a password."""


class ServiceSettings(BaseSettings):
    """Read once, when an app is made. Lists are words with commas between them."""

    model_config = SettingsConfigDict(env_prefix="ROUNDLOG_", frozen=True)

    database_url: PostgresDsn = Field(description="The service's own database, as its own role.")
    database_password_file: FilePath | None = Field(
        default=None, description="A file with the password of that role, where the URL has none."
    )
    nats_url: NatsUrl = Field(description="The broker, as the user of the service's own account.")
    nats_password_file: FilePath | None = Field(
        default=None, description="A file with the password of that user, where the URL has none."
    )
    stream_copies: int = Field(
        default=1, ge=1, le=5, description="Servers of the broker's cluster that have each stream of the service."
    )

    jwks_url: HttpUrl | None = Field(default=None, description="Where the issuer of tokens shows its public keys.")
    keys: Path | None = Field(default=None, description="A file with such keys instead, as a local run has it.")
    issuer: str = Field(default="roundlog", description="Who has to have made a token.")
    audience: str = Field(default="roundlog", description="For whom a token has to be made.")
    captain_key: Path | None = Field(
        default=None,
        description="Of registration: the file with its private key, an Ed25519 one in PEM, for the tokens of "
        "captains; made there if there is none. Without it nobody gets such a token.",
    )
    captain_page: HttpUrl | None = Field(
        default=None,
        description="Of registration: the page of a frontend that takes a captain's token from behind the `#` of its address; "
        "links and QR codes of a field lead there.",
    )
    signing: Path | None = Field(
        default=None,
        description="The folder, outside of the database and its backups, with the key that signs checkpoints of the log and "
        "what it has signed last; made there if there is none. Without it nothing is signed.",
    )
    deployment: str = Field(
        default="roundlog",
        pattern=r"^[0-9A-Za-z.-]{1,100}$",
        description="How checkpoints call this deployment, as a name that is nobody else's: `<deployment>/<service>/<log>`.",
    )
    witnesses: FilePath | None = Field(
        default=None,
        description="A file that names witnesses of the log, a line each: `witness <name> <key> <address>` (C2SP tlog-policy). "
        "They are sent what is signed.",
    )
    operators: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(), description="Subjects who may found federations and appoint their first director."
    )

    proxies: Annotated[frozenset[IPv4Network | IPv6Network], NoDecode] = Field(
        default=frozenset(), description="Addresses or networks of proxies whose `X-Forwarded-For` counts."
    )
    largest_body: int = Field(default=2**20, gt=0, description="Bytes of a request.")
    bodies: int = Field(default=2**26, gt=0, description="Bytes of all bodies in memory; for more there is 503.")
    bodies_of_one: int = Field(
        default=2**23, gt=0, description="The same, of one caller, or four times as many of one address; then 429."
    )
    rate: float = Field(default=500, ge=0, description="Requests a second of one caller that are fine; 0 for any.")
    webhook_networks: Annotated[frozenset[IPv4Network | IPv6Network], NoDecode] = Field(
        default=frozenset(),
        description="Networks of the inside that webhooks may call, also without TLS, such as 127.0.0.0/8: for whoever "
        "develops a receiver, and nowhere else.",
    )
    webhook_wait: float = Field(
        default=5,
        gt=0,
        description="Seconds until a webhook that failed is called again; each wait is five times the last.",
    )
    webhook_days: float = Field(default=3, gt=0, description="Days of failures after which a webhook is stopped.")
    streams: int = Field(default=1000, ge=0, description="Live streams that may be open at once.")
    streams_of_one: int = Field(default=20, ge=0, description="The same, of one caller.")
    workers: int = Field(
        default=2,
        gt=0,
        description="Processes that compute what callers send; in pairing, as many more that pair rounds.",
    )
    worker_seconds: float = Field(default=5, gt=0, description="That one computation may take.")
    worker_memory: int = Field(default=2**29, ge=2**28, description="Bytes that one may have.")
    pairing_seconds: float = Field(default=60, gt=0, description="That the pairing of a round may take.")
    heartbeat: float = Field(default=15, gt=0, description="Seconds between two signs of life in a live stream.")
    connections: int = Field(default=2000, gt=0, description="Connections at once; those beyond get 503.")
    connections_of_one: int = Field(
        default=500, gt=0, description="The same, of one address that is no proxy, and its requests at once; then 429."
    )
    patience_to_hear: float = Field(default=10, gt=0, description="Seconds in which the head of a request must come.")
    patience_to_tell: float = Field(default=30, gt=0, description="Seconds in which some of an answer must be taken.")
    kept_open: float = Field(
        default=75,
        gt=0,
        description="Seconds that a connection stays open for a next request; a fifteenth, when half of them are taken.",
    )
    origins: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(), description="Web pages of other origins that may call, as `https://example.org`."
    )
    spans_to: str | None = Field(
        default=None,
        validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
        description="The collector of OpenTelemetry to which spans are sent, by OTLP over HTTP. Without it there are none.",
    )
    traces_share: float = Field(
        default=1, ge=0, le=1, description="Of all traces, those that are sent: by their id, alike in all services."
    )
    log_level: str = Field(default="INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")

    @field_validator("operators", "origins", "proxies", "webhook_networks", mode="before")
    @classmethod
    def words(cls, value: object) -> object:
        return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("origins")
    @classmethod
    def as_browsers_say_them(cls, value: frozenset[str]) -> frozenset[str]:
        if not all(ORIGIN.fullmatch(one) for one in value):
            raise ValueError("origins are such as https://example.org, in small letters and without a path or a last /")
        return value

    @field_validator("issuer")
    @classmethod
    def other_than_registration(cls, value: str) -> str:
        if value == captain_tokens.ISSUER:
            raise ValueError(f"{value} is how registration signs the tokens of captains: it needs another name")
        return value

    @classmethod
    def from_environment(cls) -> "ServiceSettings":
        try:
            return cls()  # pyright: ignore[reportCallIssue] - the fields come from the environment
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
            said = [f"{variable(fault['loc'][0])}: {fault['msg']}" for fault in faults]
        raise WrongSettings(
            "\n".join(["The settings cannot be used (docs/operations.md, Settings and Limits).", *said])
        )

    @property
    def database(self) -> str:
        return with_password(str(self.database_url), self.database_password_file)

    @property
    def nats(self) -> str:
        return with_password(str(self.nats_url), self.nats_password_file)


def variables() -> set[str]:
    """Which variables of the environment are settings."""
    return {variable(name) for name, said in ServiceSettings.model_fields.items() if said.validation_alias is None}


def variable(field: int | str) -> str:
    """As whoever sets it calls it; what has a name of its own is called by that already."""
    return f"ROUNDLOG_{field}".upper() if field in ServiceSettings.model_fields else str(field)


def with_password(url: str, file: Path | None) -> str:
    """A URL whose password stands in a file, so that it is not in the environment."""
    if file is None:
        return url
    try:
        password = quote(file.read_text(encoding="utf-8").strip(), safe="")
    except (OSError, UnicodeDecodeError):
        raise WrongSettings(f"{file} has no password that can be read.") from None
    parts = urlsplit(url)
    user, _, place = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}:{password}@{place}"))
