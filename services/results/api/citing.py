"""Which requirement of docs/rules a refusal comes from, as the ruleset says."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from services.results.api.refusals import OnlyTheDirector
from services.results.domain import protests
from services.results.domain.sheet import refusals
from services.results.tournaments import KnownTournament
from shared.refusals import Refusal
from shared.rulesets.play import AboutResults

ABOUT: Mapping[type[Refusal], AboutResults] = {
    refusals.NotAtThisTable: "sides",
    refusals.NotOfThisTable: "sides",
    refusals.OnlyForOwnSeat: "sides",
    refusals.OnlyTheSides: "sides",
    refusals.OwnReport: "sides",
    refusals.OneForBoth: "sides",
    refusals.LineUpsMissing: "sides",
    refusals.LineUpUnfit: "boards",
    refusals.StillDrawn: "drawn",
    refusals.NoSuchDuel: "drawn",
    refusals.NothingToDraw: "drawn",
    refusals.MatchIsDecided: "match",
    refusals.StartIsFixed: "start",
    refusals.OnlyTheHolder: "option",
    refusals.EntrantHasLeft: "left",
    refusals.TooLate: "complaint",
    refusals.GameIsVoid: "void",
    refusals.NoSuchClock: "clock",
    protests.NoCouncil: "council",
    protests.OwnDispute: "council",
    OnlyTheDirector: "penalties",
}


@contextmanager
def citing(known: KnownTournament, stage: str | None = None) -> Generator[None]:
    """What is refused here names its rule, by those of a stage or of the whole tournament."""
    try:
        yield
    except Refusal as refusal:
        about = ABOUT.get(type(refusal))
        if about is None or known.facts is None:
            raise
        results = known.rules().results if stage is None else known.settings(stage).results
        rule = results.rule_ids.get(about)
        if rule is None:
            raise
        raise type(refusal)(f"{str(refusal).rstrip('.')} ({rule}).") from None
