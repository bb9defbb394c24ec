"""The rulesets that federations have posted, in lists."""

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain.rulesets import RULESETS, RulesetPosted, RulesetWithdrawn
from services.registration.projection.tables import RulesetRow
from services.registration.rulesets import RulesetListed, in_list
from shared.log.read_model import ReadModel
from shared.log.store import Recorded
from shared.rulesets import stored

EVENTS = frozenset(kind.__name__ for kind in RULESETS.events)


async def keep_rulesets(session: AsyncSession, page: Sequence[Recorded]) -> None:
    connection = await session.connection()
    for recorded in page:
        if recorded.event.type not in EVENTS:
            continue
        match RULESETS.read(recorded):
            case RulesetPosted() as event:
                listed = in_list(stored.read(bytes(event.text)))
                row = listed.model_dump(exclude={"versions"}) | {
                    "federation": event.federation,
                    "position": recorded.position,
                }
                await connection.execute(insert(RulesetRow).values(row).on_conflict_do_nothing())
            case RulesetWithdrawn() as event:
                gone = col(RulesetRow.id) == event.ruleset, col(RulesetRow.version).in_(event.versions)
                await connection.execute(delete(RulesetRow).where(*gone))


class Rulesets:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(self, *, after: str, limit: int) -> Sequence[RulesetListed]:
        """Each ruleset is listed by its newest version, with the other versions that there are."""
        number = col(RulesetRow.id)
        ids = select(number).where(number > after).distinct().order_by(number).limit(limit)
        query = select(RulesetRow).where(number.in_(ids)).order_by(number, col(RulesetRow.position))
        async with self._views.session() as session:
            rows = (await session.exec(query)).all()
        return [listed(list(versions)) for _, versions in groupby(rows, key=lambda row: row.id)]


def listed(versions: Sequence[RulesetRow]) -> RulesetListed:
    newest = versions[-1].model_dump(exclude={"position"})
    return RulesetListed.model_validate(newest | {"versions": [row.version for row in versions]})
