"""`roundlog verify`: a bundle held against its proofs, and against everything that this program can compute again."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from deploy.bundles.recomputing import Recomputing
from deploy.bundles.sheets import SheetRules
from shared.bundle.checks import LoggedEvent, LogSummary, SayProgress, check_logs, check_single_files
from shared.bundle.container import opened
from shared.bundle.lots import LotsCheck
from shared.bundle.report import Report, Verdict
from shared.proof.findings import Malformed
from shared.proof.trust import LONGEST, TrustPolicy
from shared.values import Value


class VerifiedBundle(Value):
    report: Report
    summaries: tuple[LogSummary, ...]

    def last_lines(self) -> Iterator[str]:
        for one in self.summaries:
            since = (
                "dated by nobody"
                if one.since is None
                else f"since {datetime.fromtimestamp(one.since, UTC).isoformat()}"
            )
            yield f"{one.origin}: {one.events} of {one.size} events, {one.witnesses} witnesses, {since}"
        totals: Mapping[Verdict, int] = {
            verdict: sum(count for (of, _), count in self.report.counts.items() if of == verdict) for verdict in Verdict
        }
        yield ", ".join(f"{count} {verdict}" for verdict, count in totals.items() if count)


def verified(bundle: Path, policy: Path, say: SayProgress) -> VerifiedBundle:
    """Raises `Malformed` where bundle or policy cannot be read."""
    try:
        with policy.open("rb") as file:
            trust = TrustPolicy.parse(file.read(LONGEST + 1))
    except OSError as error:
        raise Malformed(f"the policy cannot be read: {error}") from None
    report = Report()
    with opened(bundle) as found:
        say("reading")
        found.require_undamaged()
        check_single_files(found, report)
        takers = [
            Recomputing(found.list.tournament, report),
            SheetRules(found.list, report),
            LotsCheck(found.list.tournament, report),
        ]

        def take(event: LoggedEvent) -> None:
            for taker in takers:
                taker.take(event)

        summaries = check_logs(found, trust, report, take, say)
        for taker in takers:
            taker.finish(say)
    return VerifiedBundle(report=report, summaries=tuple(summaries))
