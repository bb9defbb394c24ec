"""What a service is told by its environment."""

from typing import Annotated

from pydantic import Field, UrlConstraints
from pydantic.networks import PostgresDsn
from pydantic_core import Url
from pydantic_settings import BaseSettings, SettingsConfigDict

type NatsUrl = Annotated[Url, UrlConstraints(allowed_schemes=["nats", "tls", "ws", "wss"])]


class Settings(BaseSettings):
    """Read once, when an app is made."""

    model_config = SettingsConfigDict(env_prefix="ROUNDLOG_", frozen=True)

    database_url: PostgresDsn = Field(description="The service's own database, as its own role.")
    nats_url: NatsUrl = Field(description="The broker, with user and password.")

    @classmethod
    def from_environment(cls) -> "Settings":
        return cls()  # pyright: ignore[reportCallIssue] - the fields come from the environment

    @property
    def database(self) -> str:
        return str(self.database_url)

    @property
    def nats(self) -> str:
        return str(self.nats_url)
