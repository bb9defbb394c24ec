"""Every kind of stream with its decider, and what neighbours are told of its events: what `app.py` of each service wires."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

import services.pairing.publish as of_pairing
import services.registration.publish as of_registration
import services.results.publish as of_results
import services.standings.publish as of_standings
from services.pairing.domain.rooms import ROOMS
from services.pairing.domain.round import ROUND
from services.pairing.domain.stage import STAGE
from services.registration.domain.accounts import ACCOUNT
from services.registration.domain.captains import CAPTAIN, KEYS
from services.registration.domain.federation import FEDERATION
from services.registration.domain.homes import HOMES
from services.registration.domain.notices import NOTICES
from services.registration.domain.officials import OFFICIALS
from services.registration.domain.person import PERSON, REGISTER
from services.registration.domain.ratings import RATINGS
from services.registration.domain.roll import ROLL
from services.registration.domain.rulesets import RULESETS
from services.registration.domain.scorer_links import SCORER_LINKS
from services.registration.domain.seasons import SEASONS
from services.registration.domain.series import CLAIMS
from services.registration.domain.tournament.decider import TOURNAMENT
from services.results.domain.bound_word_lists import BINDINGS
from services.results.domain.editions import EDITIONS
from services.results.domain.incidents import INCIDENTS
from services.results.domain.objections import OBJECTIONS
from services.results.domain.penalties import PENALTIES
from services.results.domain.protests import PROTESTS
from services.results.domain.records import RECORDS
from services.results.domain.rounds import ROUND as SHEETS_OF_ROUND
from services.results.domain.sheet.decider import GAME
from services.standings.domain.differences import CHANGES
from services.standings.domain.qualifying import QUALIFYING
from services.standings.domain.ranking import RANKING
from services.standings.domain.sealed_tables import SEALED_TABLES
from services.standings.domain.season import SEASON
from services.standings.sealing import told as untold_table
from shared.checkpoints.stream import SIGNED_LOG
from shared.commands.decider import Decider, untold
from shared.lots import stream as lots
from shared.messaging import decisions
from shared.seals.stream import SEALS
from shared.seals.stream import told as unsaid
from shared.values import Value
from shared.webhooks.stream import WEBHOOKS

type Tells = Callable[[Any], msgspec.Struct | None]


class StreamKind(Value):
    decider: Decider[Any, Any, Any]
    tells: Tells


def kind(decider: Decider[Any, Any, Any], tells: Tells) -> StreamKind:
    return StreamKind(decider=decider, tells=tells)


def by_name(*own: StreamKind) -> Mapping[str, StreamKind]:
    return {one.decider.kind: one for one in (*own, *OF_ALL)}


OF_ALL = (
    kind(lots.LOTS, lots.told),
    kind(decisions.INBOX, decisions.told),
    kind(SIGNED_LOG, untold),
    kind(SEALS, unsaid),
    kind(WEBHOOKS, untold),
)

KINDS: Mapping[str, Mapping[str, StreamKind]] = {
    "registration": by_name(
        kind(FEDERATION, of_registration.of_federation),
        kind(OFFICIALS, of_registration.of_officials),
        kind(TOURNAMENT, of_registration.of_tournament),
        kind(PERSON, of_registration.of_person),
        kind(ACCOUNT, of_registration.of_accounts),
        kind(CAPTAIN, of_registration.of_captains),
        kind(KEYS, of_registration.of_captain_keys),
        kind(SCORER_LINKS, of_registration.of_scorer_links),
        kind(HOMES, of_registration.of_homes),
        kind(CLAIMS, of_registration.of_claims),
        kind(RULESETS, of_registration.of_rulesets),
        kind(SEASONS, of_registration.of_seasons),
        kind(RATINGS, of_registration.of_ratings),
        kind(REGISTER, of_registration.of_register),
        kind(ROLL, of_registration.of_roll),
        kind(NOTICES, of_registration.of_notices),
    ),
    "pairing": by_name(
        kind(ROUND, of_pairing.of_round),
        kind(STAGE, of_pairing.of_stage),
        kind(ROOMS, of_pairing.of_rooms),
    ),
    "results": by_name(
        kind(GAME, of_results.of_game),
        kind(SHEETS_OF_ROUND, of_results.of_round),
        kind(PENALTIES, of_results.of_penalties),
        kind(PROTESTS, untold),
        kind(EDITIONS, untold),
        kind(BINDINGS, untold),
        kind(RECORDS, untold),
        kind(INCIDENTS, untold),
        kind(OBJECTIONS, untold),
    ),
    "standings": by_name(
        kind(RANKING, of_standings.of_ranking),
        kind(QUALIFYING, of_standings.of_qualifying),
        kind(CHANGES, of_standings.of_changes),
        kind(SEASON, of_standings.of_season),
        kind(SEALED_TABLES, untold_table),
    ),
}


def of_stream(service: str, stream: str) -> StreamKind | None:
    """By the name of a stream, which is its kind and an id; some kinds have a hyphen."""
    kinds = KINDS.get(service, {})
    first, second, *_ = [*stream.split("-", 2), "", ""]
    return kinds.get(f"{first}-{second}") or kinds.get(first)
