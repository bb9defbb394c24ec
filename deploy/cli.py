"""The command `roundlog`."""

import sys

import click

from deploy.commands import backups, bundles, calculators, operations, platform, proofs


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="roundlog", message="%(prog)s %(version)s")
def main() -> None:
    """Run tournaments of mind sports."""
    if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
        reconfigure(errors="replace")  # a terminal may have no letter for what people are called


for command in (
    platform.up,
    platform.status,
    platform.doctor,
    platform.down,
    platform.copy,
    platform.reset,
    platform.token,
    operations.show_parked,
    operations.retry,
    operations.skip,
    operations.accept,
    operations.republish,
    operations.scrub,
    operations.rebuild,
    backups.backup,
    backups.restore,
    proofs.show_keys,
    proofs.rotate_key,
    proofs.restored,
    proofs.witness,
    calculators.rank,
    calculators.pair,
    calculators.adjudicate,
    calculators.season,
    calculators.rulesets,
    calculators.example,
    bundles.export,
    bundles.verify,
    bundles.story,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="roundlog")
