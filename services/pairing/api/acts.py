"""What officials do with a round: draft, change, confirm, publish, recall."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.pairing.api import doubts, foresight
from services.pairing.api.bodies import (
    Confirmation,
    Foreseen,
    NewSheet,
    Number,
    Publication,
    Recall,
    Round,
    StageId,
    TournamentId,
)
from services.pairing.api.desk import PAIR, Desk
from services.pairing.api.looking import PREFIX
from services.pairing.api.shown import round_of
from services.pairing.api.situation import Situation
from services.pairing.domain.next_round import require_next
from services.pairing.domain.round.decisions import already_published, identity
from services.pairing.domain.round.orders import AskRecall, Command, ConfirmRound, DraftRound, OverridePairing
from services.pairing.domain.round.orders import PublishRound as Publish
from services.pairing.domain.round.states import Confirmed, Draft, Published, Recalling, State
from services.pairing.domain.sheet import Breach, Doubt, Reason, Sheet, Table, require_whole
from services.pairing.domain.stage import OpenStage
from services.pairing.domain.stage import identity as stage_identity
from shared.act import Act, Door
from shared.answers import JSON, DryRun, answer, changed, written
from shared.decider import Decider
from shared.handle import Beside
