"""What holds of rounds, results and closed stages in any game, whoever made them: checked beside what is computed again."""

from collections import Counter
from collections.abc import Collection, Iterable

import msgspec

from deploy.counting import counted
from shared.bundle.checks import LoggedEvent, SayProgress
from shared.bundle.form import BundleList
from shared.bundle.report import BundleReport, Verdict
from shared.contracts import pairing, registration, results, standings
from shared.values import UNREADABLE

SEALING = "standings"  # the service that seals tables, of which it tells nobody


class RoundRules:
    def __init__(self, listed: BundleList, report: BundleReport) -> None:
        self._list = listed
        self._report = report
        self._entrants = set[str]()
        self._rounds: dict[tuple[str, int], pairing.RoundPublished] = {}
        self._sheets: list[tuple[int, pairing.RoundPublished]] = []
        self._seats: dict[str, list[frozenset[str]]] = {}
        self._ended: dict[str, list[tuple[int, results.ResultFinal | results.ResultCorrected | None]]] = {}
        self._completed: dict[tuple[str, int], int] = {}
        self._closed: list[tuple[int, standings.StageClosed]] = []
        self._tables: list[tuple[str, int, SealedTable]] = []
        self._unseen: list[int] = []  # positions in the log of standings of which nothing is shown or was said
        self._untold = set[str]()  # services that have said more of the tournament than could be read

    def take(self, read: LoggedEvent, contract: msgspec.Struct | None) -> None:
        if read.service == SEALING and (read.record, read.message, read.number) == (None, None, None):
            self._unseen.append(read.position)
        if read.number is not None and read.message is None and read.scope in (self._list.tournament, None):
            self._untold.add(read.service)
        if read.scope != self._list.tournament:
            return
        if read.record is not None and read.record.type == "TableSealed":
            try:
                sealed = msgspec.json.decode(read.record.data, type=SealedTable)
            except UNREADABLE as error:
                text = f"this is no TableSealed: {error}"
                self._report.refuse("tables", text, file=read.records, position=read.position)
            else:
                self._tables.append((read.service, read.position, sealed))
        if contract is not None:
            self._hear(read.position, contract)

    def _hear(self, at: int, told: msgspec.Struct) -> None:
        match told:
            case registration.EntrantAdmitted() | registration.EntrantChanged():
                self._entrants.add(told.entrant)
            case pairing.RoundPublished():
                self._stand(at, told)
            case pairing.RoundRecalled():
                self._rounds.pop((told.stage, told.round), None)
            case pairing.TablesRepaired():
                self._repair(at, told)
            case results.ResultFinal() | results.ResultCorrected():
                self._ended.setdefault(told.game, []).append((at, told))
            case results.GameVoided():
                self._ended.setdefault(told.game, []).append((at, None))
            case results.RoundCompleted():
                self._completed[told.stage, told.round] = at
            case standings.StageClosed():
                self._closed.append((at, told))
            case _:
                pass

    def _stand(self, at: int, sheet: pairing.RoundPublished) -> None:
        self._rounds[sheet.stage, sheet.round] = sheet
        self._sheets.append((at, sheet))
        for game in sheet.games:
            self._seats.setdefault(game.game, []).append(frozenset(game.seats))

    def _repair(self, at: int, told: pairing.TablesRepaired) -> None:
        before = self._rounds.get((told.stage, told.round))
        if before is None:
            text = "tables of a round that does not stand"
            self._refuse("sheets", "pairing", at, text, unless={"pairing"})
            return
        changed = {game.game: game for game in told.games}
        games = tuple(changed.get(game.game, game) for game in before.games)
        missing = before.missing if told.missing is None else told.missing
        self._stand(at, msgspec.structs.replace(before, games=games, byes=told.byes, missing=missing))

    def do_without(self, unread: Collection[str]) -> None:
        """The logs of these services could not be read."""
        self._untold.update(unread)

    def finish(self, say: SayProgress) -> None:
        say("sheets")
        for at, sheet in self._sheets:
            self._sheet(at, sheet)
        for several in self._ended.values():
            for at, result in several:
                if result is not None:
                    self._result(at, result)
        for (stage, number), at in self._completed.items():
            stands = self._rounds.get((stage, number))
            waiting = [game.game for game in stands.games if game.game not in self._ended] if stands else []
            if waiting:
                text = f"round {number} of {stage} is complete without a result of {waiting[0]}"
                self._refuse("results", "results", at, text, unless={"pairing", "results"})
        self._tables_and_orders()

    def _tables_and_orders(self) -> None:
        for at, closed in self._closed:
            self._order(at, closed)
        for service, at, sealed in self._tables:
            if f"tables/{sealed.table}" not in self._list.files:
                text = f"the table of {sealed.stage} after round {sealed.round} is not in the bundle"
                self._report.note(Verdict.MISSING, "tables", text, file=f"logs/{service}/records", position=at)
        if self._unseen:
            text = f"nothing is shown of {counted(len(self._unseen), 'event')} from this one on, which may have sealed tables"
            name = f"logs/{SEALING}/records"
            self._report.note(Verdict.MISSING, "tables", text, file=name, position=self._unseen[0])

    def _order(self, at: int, closed: standings.StageClosed) -> None:
        order = [one for equal in closed.order for one in equal]
        if len(set(order)) < len(order):
            self._refuse("tables", "standings", at, f"the order of {closed.stage} has an entrant twice")
        if not self._entrants.issuperset(order):
            text = f"the order of {closed.stage} has an entrant whom nobody admitted"
            self._refuse("tables", "standings", at, text, unless={"registration"})

    def _sheet(self, at: int, sheet: pairing.RoundPublished) -> None:
        there = [*seated(sheet), *sheet.byes, *sheet.requested_byes, *sheet.missing]
        where = f"round {sheet.round} of {sheet.stage}"
        for one, times in sorted(Counter(there).items()):
            if times > 1:
                self._refuse("sheets", "pairing", at, f"{one} stands twice in {where}")
            if one not in self._entrants:
                text = f"{one} was never admitted, and is in {where}"
                self._refuse("sheets", "pairing", at, text, unless={"registration"})
        if any(len(game.seats) < 2 for game in sheet.games):  # noqa: PLR2004 - somebody to play against
            self._refuse("sheets", "pairing", at, "somebody sits at a table alone")

    def _result(self, at: int, result: results.ResultFinal | results.ResultCorrected) -> None:
        paired = self._seats.get(result.game)
        if paired is None and "pairing" in self._list.services:
            text = f"no published round has the game {result.game}"
            self._refuse("results", "results", at, text, unless={"pairing"})
        elif paired is not None and frozenset(result.seats) not in paired:
            text = f"others were paired in the game {result.game}"
            self._refuse("results", "results", at, text, unless={"pairing"})
        if {len(result.scores), len(result.points)} != {len(result.seats)}:
            self._refuse("results", "results", at, "not as many numbers as seats")

    def _refuse(
        self, clause: str, service: str, position: int, text: str, *, unless: Collection[str] = frozenset()
    ) -> None:
        """Unless one of these services has said more than could be read, which may be the answer."""
        verdict = Verdict.REFUTED if self._untold.isdisjoint(unless) else Verdict.UNCHECKABLE
        self._report.note(verdict, clause, text, file=f"logs/{service}/messages", position=position)


class SealedTable(msgspec.Struct, frozen=True):
    stage: str
    round: int
    table: str


def seated(sheet: pairing.RoundPublished) -> Iterable[str]:
    return (one for game in sheet.games for one in game.seats)
