"""What is sent of a plan: to announce a tournament, and to change what was announced."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from services.registration.api.forms import FEDERATION_ID, ID, OnePerson, in_reach
from services.registration.api.level_forms import NextLevel
from services.registration.api.reasons import Reason
from services.registration.api.sent import Sent
from services.registration.domain.names import LONGEST_NAME
from shared.access.references import id_of
from shared.rulesets.entry import Deadline, Fee, ShownNames
from shared.rulesets.parts import Slug, Time

COMPETITION = Field(default=None, description="What it is in the calendar of the rules.", examples=["live"])
VARIANT = Field(default=None, description="One of those that the calendar knows.", examples=["classic"])


class HowEntered(Sent):
    """What this tournament changes in the rules about entries."""

    kind: Literal["individual", "pair", "team"] | None = Field(
        default=None, description="One of the kinds that the ruleset leaves open.", examples=["pair"]
    )
    category: Slug | None = Field(
        default=None, description="One of the ruleset's, where it has any: they are held apart.", examples=[None]
    )
    most: int | None = Field(
        default=None,
        ge=2,
        le=10_000,
        description="How many places there are, at most as many as by the rules.",
        examples=[32],
    )
    fees: tuple[Fee, ...] | None = Field(
        default=None, description="Instead of those of the ruleset.", examples=[[{"amount": 12, "currency": "EUR"}]]
    )
    channels: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] | None = Field(
        default=None,
        max_length=20,
        description="The official ones of a tournament online.",
        examples=[["https://chat.example.org/cup"]],
    )
    deadlines: tuple[Deadline, ...] | None = Field(
        default=None,
        description="Instead of those of the ruleset.",
        examples=[[{"of": "refund", "days_before": 3}]],
    )


class TournamentToAnnounce(Sent):
    federation: str = FEDERATION_ID
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Košice Cup"])
    ruleset: Annotated[str, Field(max_length=64)] | dict[str, Any] = Field(
        description="The id of one that `listRulesets` shows, or a whole ruleset.", examples=["scrabble-sk-2022-qt"]
    )
    ruleset_version: str | None = Field(
        default=None, max_length=32, description="One of its versions; otherwise the newest.", examples=[None]
    )
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the ruleset that this tournament changes, by path.",
        examples=[{"pairing.rounds": 6}],
    )
    time_zone: str = Field(max_length=64, description="A name of the IANA database.", examples=["Europe/Bratislava"])
    starts_on: Annotated[date, AfterValidator(in_reach)] = Field(
        description="The day of the first round, there.", examples=["2026-11-21"]
    )
    first_round: Time | None = Field(
        default=None, description="Its time, there; otherwise the ruleset's.", examples=["09:00"]
    )
    entries_close: Annotated[datetime, AfterValidator(in_reach)] | None = Field(
        default=None,
        description="From then on an entry takes a decision of the organiser; otherwise as the ruleset says.",
        examples=["2026-11-20T00:00:00+01:00"],
    )
    series: str | None = Field(
        default=None,
        pattern=r"^[0-9a-z-]{1,40}$",
        description="Tournaments of the federation in which a person is in one team only, and in one category, such as those "
        "of a season.",
        examples=["pisqworky-2025"],
    )
    region: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="Where it is held: one of the federation's.",
        examples=[None],
    )
    host: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="The school or club that is the host.",
        examples=[None],
    )
    hall: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="One of the federation's: there are no more places than it has room for.",
        examples=[None],
    )
    entry: HowEntered | None = Field(default=None, description="What it changes about entries.", examples=[None])
    next_level: NextLevel | None = Field(
        default=None, description="Where its best go on to; it may be named later.", examples=[None]
    )
    override: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why it is held on a day that the rules do not name: a code.",
        examples=[None],
    )
    competition: Slug | None = COMPETITION
    variant: Slug | None = VARIANT
    season: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("season"),
        description="In which it counts: one that the federation has opened.",
        examples=[None],
    )
    season_kind: Slug | None = Field(
        default=None,
        description="As what it counts there, where that is not what its entrants, its variant, its kind of competition "
        "or its ruleset says: `live-replaced`, for instance.",
        examples=[None],
    )
    rating_list: Slug | None = Field(
        default=None,
        description="Which rating list of the season it moves, where it can move several; otherwise the one by which its "
        "ruleset seeds.",
        examples=[None],
    )
    shown_names: ShownNames | None = Field(
        default=None,
        description="What those who hold no office here see of persons; otherwise as the ruleset says. It can be decided "
        "anew at any time.",
        examples=[None],
    )
    organisers: tuple[OnePerson, ...] = Field(
        default=(), max_length=20, description="Persons: a season may give points for organising.", examples=[[]]
    )


class PlanToChange(Sent):
    """Only what is named changes."""

    name: str | None = Field(default=None, min_length=1, max_length=LONGEST_NAME, examples=["Košice Cup"])
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the ruleset, by path, besides those that the tournament has changed before.",
        examples=[{"pairing.rounds": 6}],
    )
    starts_on: Annotated[date, AfterValidator(in_reach)] | None = Field(default=None, examples=["2026-11-28"])
    first_round: Time | None = Field(default=None, examples=["10:00"])
    entries_close: Annotated[datetime, AfterValidator(in_reach)] | None = Field(
        default=None,
        description="Null, or another day of the tournament: as the ruleset says.",
        examples=["2026-11-27T00:00:00+01:00"],
    )
    entry: HowEntered | None = Field(default=None, examples=[{"most": 40}])
    hall: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="Null: in none that is known. Where the hall has set how many places there are, there are as many as "
        "the new one has room for.",
        examples=[None],
    )
    competition: Slug | None = COMPETITION
    variant: Slug | None = VARIANT
    override: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why on a day that the rules do not name.",
        examples=[None],
    )
    reason: Reason
