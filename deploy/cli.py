"""The command `roundlog`."""

import click

from deploy.commands import calculating, operating, running


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run tournaments of mind sports."""


for command in (
    running.up,
    running.status,
    running.down,
    running.reset,
    running.token,
    operating.show_parked,
    operating.retry,
    operating.skip,
    operating.accept,
    operating.republish,
    operating.scrub,
    operating.rebuild,
    calculating.rank,
    calculating.pair,
    calculating.adjudicate,
    calculating.season,
    calculating.rulesets,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="roundlog")
