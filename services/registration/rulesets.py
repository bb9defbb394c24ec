"""The catalogue of rulesets as a list: for `roundlog rulesets` and for its operation."""

from pydantic import BaseModel, Field

from shared.rulesets import catalogue
from shared.rulesets.schema import Game, Ruleset


class RulesetListed(BaseModel):
    id: str = Field(examples=["scrabble-sk-2022-qt"])
    version: str = Field(examples=["1"])
    title: str = Field(examples=["Slovak Scrabble: live qualifying tournament"])
    game: Game = Field(examples=["scrabble"])
    issuer: str = Field(description="Whose rules they are.", examples=["Slovenský spolok SCRABBLE"])
    valid_from: str | None = Field(
        default=None, description="Null where the text does not say.", examples=["2022-10-17"]
    )
    federation: str | None = Field(
        default=None,
        description="Which one has posted it; null: it comes with Roundlog.",
        examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"],
    )
    versions: list[str] = Field(
        description="All that tournaments can be announced by, the newest last.", examples=[["1"]]
    )


class RulesetPage(BaseModel):
    items: list[RulesetListed] = Field(description="In the order of their ids.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=["scrabble-sk-2022-qt"]
    )


def listed(*, after: str = "", limit: int | None = None) -> RulesetPage:
    """List so many of them from one on; all by default."""
    ids = [one for one in catalogue.ids() if one > after]
    following = ids[limit - 1] if limit is not None and len(ids) > limit else None
    return RulesetPage(items=[in_list(catalogue.load(one)) for one in ids[:limit]], next=following)


def in_list(ruleset: Ruleset) -> RulesetListed:
    return RulesetListed(
        id=ruleset.id,
        version=ruleset.version,
        title=ruleset.title,
        game=ruleset.game,
        issuer=ruleset.source.issuer,
        valid_from=ruleset.source.valid_from,
        versions=[ruleset.version],
    )
