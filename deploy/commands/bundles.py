"""Commands for whoever distrusts an operator: checking what was exported, without a server."""

import sys
from pathlib import Path

import click

UNREADABLE = 2

existing = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("bundle", type=existing)
@click.option(
    "--trust",
    "policy",
    type=existing,
    required=True,
    metavar="POLICY",
    help="The keys that you believe, from elsewhere.",
)
@click.option("--quiet", is_flag=True, help="Only the last lines.")
def verify(bundle: Path, policy: Path, *, quiet: bool) -> None:
    """Check BUNDLE, a zip or a folder that `roundlog export` has written, offline.

    Everything that can be computed is computed again: signatures, proofs, that nothing is left out, messages, lots, pairings,
    tables. Each finding says its verdict, a clause of docs/bundle-format.md, and where it stands.

    The exit code is 0 when all that POLICY asks holds, 3 when something is refuted, 4 when nothing is, but a signature, seal or
    secret is missing, 2 when BUNDLE or POLICY cannot be read.
    """
    from deploy.bundles.verification import verified
    from shared.proof.findings import Malformed

    def say(what: str) -> None:
        if sys.stderr.isatty() and not quiet:
            click.echo(what, err=True)

    try:
        found = verified(bundle, policy, say)
    except Malformed as malformed:
        click.echo(f"unreadable: {malformed}")
        raise SystemExit(UNREADABLE) from None
    for finding in () if quiet else found.report.findings:
        click.echo(str(finding))
    for line in found.last_lines():
        click.echo(line)
    raise SystemExit(found.report.exit_status)
