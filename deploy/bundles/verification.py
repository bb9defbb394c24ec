"""`roundlog verify`: a bundle held against its proofs, and against everything that this program can compute again."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from deploy.bundles.offices import OfficesCheck
from deploy.bundles.recomputing import Recomputing, told_by
from deploy.bundles.rounds import RoundRules
from deploy.counting import counted
from shared.bundle.checks import LoggedEvent, LogSummary, NamedFiles, SayProgress, check_logs, check_single_files
from shared.bundle.container import opened
from shared.bundle.lots import LotsCheck
from shared.bundle.receipts import ReceiptsCheck
from shared.bundle.report import BundleReport, Verdict
from shared.messaging.history import SOURCES
from shared.proof.findings import Malformed
from shared.proof.receipts import LONGEST as LONGEST_RECEIPT
from shared.proof.trust import LONGEST, TrustPolicy
from shared.values import Value

YEAR_9999 = 253_370_764_800  # in seconds: a witness may sign with any


class VerifiedBundle(Value):
    tournament: str
    report: BundleReport
    summaries: tuple[LogSummary, ...]

    def last_lines(self) -> Iterator[str]:
        yield f"tournament {self.tournament}"
        for one in self.summaries:
            yield f"{one.origin}: {one.events} of {counted(one.size, 'event')}, {counted(one.witnesses, 'witness', 'witnesses')}, {dated(one.since)}"
        totals: Mapping[Verdict, int] = {
            verdict: sum(count for (of, _), count in self.report.counts.items() if of == verdict) for verdict in Verdict
        }
        yield ", ".join(f"{count} {verdict}" for verdict, count in totals.items() if count)


def content_of(file: Path, what: str, longest: int) -> bytes:
    """A little more than the longest one, by which whoever parses it sees that it is too long."""
    try:
        with file.open("rb") as opened_file:
            return opened_file.read(longest + 1)
    except OSError as error:
        raise Malformed(f"{what} cannot be read: {error}") from None


def dated(since: int | None) -> str:
    if since is None:
        return "dated by nobody"
    return f"since {datetime.fromtimestamp(since, UTC).isoformat()}" if since < YEAR_9999 else f"since second {since}"


def verified(bundle: Path, policy: Path, say: SayProgress, receipts: Sequence[Path] = ()) -> VerifiedBundle:
    """Raises `Malformed` where bundle, policy or a receipt cannot be read."""
    try:
        return judged(bundle, policy, say, receipts)
    except RecursionError:
        raise Malformed("something in it is nested more deeply than anybody reads") from None


def judged(bundle: Path, policy: Path, say: SayProgress, receipts: Sequence[Path]) -> VerifiedBundle:
    trust = TrustPolicy.parse(content_of(policy, "the policy", LONGEST))
    kept = {str(path): content_of(path, "a receipt", LONGEST_RECEIPT) for path in receipts}
    report = BundleReport()
    with opened(bundle) as found:
        say("reading")
        found.require_undamaged()
        check_single_files(found, report)
        rules, offices = RoundRules(found.list, report), OfficesCheck(found.list.tournament, report)
        files = NamedFiles(found, report)
        of_contracts = [Recomputing(found.list.tournament, report), rules]
        lots = LotsCheck(found.list.tournament, report)
        held = ReceiptsCheck(kept, found, trust, report)
        takers = [lots, offices, files]

        def take(event: LoggedEvent) -> None:
            contract = told_by(event)
            for taker in of_contracts:
                taker.take(event, contract)
            for taker in (*takers, held):
                taker.take(event)

        summaries = check_logs(found, trust, report, take, say)
        unread = {*SOURCES} - {one.service for one in summaries}
        for one in (rules, lots, offices, files):
            one.do_without(unread)
        for taker in (*of_contracts, *takers):
            taker.finish(say)
        held.finish(summaries, say)
    return VerifiedBundle(tournament=found.list.tournament, report=report, summaries=tuple(summaries))
