"""What a service is told by its environment."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, HttpUrl, UrlConstraints, field_validator
from pydantic.networks import PostgresDsn
from pydantic_core import Url
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

type NatsUrl = Annotated[Url, UrlConstraints(allowed_schemes=["nats", "tls", "ws", "wss"])]


class Settings(BaseSettings):
    """Read once, when an app is made. Lists are words with commas between them."""

    model_config = SettingsConfigDict(env_prefix="ROUNDLOG_", frozen=True)

    database_url: PostgresDsn = Field(description="The service's own database, as its own role.")
    nats_url: NatsUrl = Field(description="The broker, with user and password.")

    jwks_url: HttpUrl | None = Field(default=None, description="Where the issuer of tokens shows its public keys.")
    keys: Path | None = Field(default=None, description="A file with such keys instead, as a local run has it.")
    issuer: str = Field(default="roundlog", description="Who has to have made a token.")
    audience: str = Field(default="roundlog", description="For whom a token has to be made.")
    operators: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(), description="Subjects who may found federations and appoint their first director."
    )

    largest_body: int = Field(default=2**20, gt=0, description="Bytes of a request.")
    rate: float = Field(default=500, ge=0, description="Requests a second of one caller that are fine; 0 for any.")
    origins: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(), description="Web pages of other origins that may call, as `https://example.org`."
    )
    log_level: str = Field(default="INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")

    @field_validator("operators", "origins", mode="before")
    @classmethod
    def words(cls, value: object) -> object:
        return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value

    @classmethod
    def from_environment(cls) -> "Settings":
        return cls()  # pyright: ignore[reportCallIssue] - the fields come from the environment

    @property
    def database(self) -> str:
        return str(self.database_url)

    @property
    def nats(self) -> str:
        return str(self.nats_url)
