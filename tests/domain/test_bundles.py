"""Good and broken bundles go to both verifiers, which share nothing: they come to one verdict."""

import ast
import json
import random
import re
import struct
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deploy.bundles.recomputing import contradiction
from deploy.bundles.streams import KINDS
from deploy.bundles.verification import verified
from deploy.documents.records import kept
from deploy.story import story_in, who
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.facts import ResultAgreed
from services.results.domain.sheet.orders import ConfirmResult, DisputeResult, ReportResult, WithdrawReport
from services.results.domain.sheet.states import GameTerms, State
from shared.bundle.report import BundleFinding
from shared.log.envelope import Envelope
from shared.proof.findings import Malformed
from shared.proof.keys import Signer
from shared.proof.notes import Checkpoint, Note
from shared.proof.receipts import Receipt
from shared.proof.trust import TrustPolicy
from shared.refusals import Refusal
from shared.rulesets import catalogue
from shared.story import StoryFilter
from tests.domain.sheets import ADA, BEN, DRAWN, OPENED, SAM, SUE, WON, WON_MORE
from tests.provable import (
    SERVICES,
    SOURCES,
    WITNESSES,
    Logs,
    Parts,
    alone,
    bundled,
    formerly,
    played,
    policy,
    receipt,
    resigned,
    restored,
    second_key,
    signer_of,
    with_keys,
)

ROOT = Path(__file__).parents[2]
SMALL = ("gomoku-cfp", 6)
RULESETS = {
    "carcassonne-cz-final": 32,
    "carcassonne-cz-qualification": 7,
    "gomoku-cfp": 6,
    "othello-pl-2021": 9,
    "pisqworky-2025-individual": 9,
    "pisqworky-2025-ss-grf": 16,
    "pisqworky-2025-ss-kt": 11,
    "pisqworky-2025-ss-ot": 12,
    "pisqworky-2025-zs-grf": 20,
    "pisqworky-2025-zs-kt": 13,
    "pisqworky-2025-zs-ot": 12,
    "scrabble-sk-2022-ms": 15,
    "scrabble-sk-2022-online": 8,
    "scrabble-sk-2022-qt": 10,
}
HOLDS, UNREADABLE, REFUTED, INCOMPLETE = 0, 2, 3, 4
DICE, BEACON = SOURCES

type Place = tuple[str, str, int]  # clause, service and position


@cache
def tournament(ruleset: str = SMALL[0], size: int = SMALL[1], *, is_disturbed: bool = False) -> Logs:
    return played(ruleset, size, is_disturbed=is_disturbed)


@cache
def by_dice() -> Logs:
    """With a tie that a lot has settled."""
    return played(*SMALL, source=DICE)


@cache
def good() -> Parts:
    return bundled(tournament(), earlier=1)


def copied() -> Parts:
    return Parts(dict(good().files), good().tournament)


@dataclass
class Both:
    folder: Path
    capsys: pytest.CaptureFixture[str]
    policy: bytes = policy("club")
    receipts: Sequence[bytes] = ()
    findings: Sequence[BundleFinding] = ()
    said: str = ""  # where ours could not read it

    def judge(self, bundle: Path) -> tuple[int, int]:
        trust = self.folder / "policy"
        trust.write_bytes(self.policy)
        kept = [self.folder / f"receipt-{number}" for number in range(len(self.receipts))]
        for path, content in zip(kept, self.receipts, strict=True):
            path.write_bytes(content)
        try:
            report = verified(bundle, trust, lambda _: None, kept).report
            ours, self.findings = report.exit_status, report.findings
        except Malformed as malformed:
            ours, self.said = UNREADABLE, str(malformed)
        theirs: int = alone().main(
            [str(bundle), "--trust", str(trust), *chain.from_iterable(("--receipt", str(path)) for path in kept)]
        )
        return ours, theirs

    def of(self, parts: Parts) -> tuple[int, int]:
        return self.judge(parts.packed(self.folder / "bundle.zip"))

    def named(self, parts: Parts) -> tuple[set[Place], set[Place]]:
        """Which events each of them has refuted."""
        self.capsys.readouterr()
        assert self.of(parts) == (REFUTED, REFUTED)
        said = re.findall(
            r"^refuted: (\w+): logs/(\w+)/\w+ position (\d+): ", self.capsys.readouterr().out, re.MULTILINE
        )
        ours = {
            (one.clause, one.file.split("/")[1], one.position)
            for one in self.findings
            if one.verdict == "refuted" and one.file and one.position
        }
        return ours, {(clause, service, int(position)) for clause, service, position in said}

    def refuted(self, parts: Parts) -> list[BundleFinding]:
        """By the one that knows the rules of the games."""
        trust = self.folder / "policy"
        trust.write_bytes(self.policy)
        found = verified(parts.packed(self.folder / "bundle.zip"), trust, lambda _: None).report
        return [one for one in found.findings if one.verdict == "refuted"]


@pytest.fixture
def both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Both:
    return Both(tmp_path, capsys)


# What holds


@pytest.mark.parametrize("is_disturbed", [False, True], ids=["quiet", "disturbed"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_untouched_bundle_of_every_ruleset_holds(both: Both, ruleset: str, *, is_disturbed: bool) -> None:
    parts = bundled(tournament(ruleset, RULESETS[ruleset], is_disturbed=is_disturbed), earlier=1)
    assert both.of(parts) == (HOLDS, HOLDS)
    clauses = {one.clause for one in both.findings if one.verdict == "recomputed"}
    assert clauses >= {"inclusion", "consistency", "seals", "messages", "lives", "sheets", "tables", "quorum"}


def test_every_ruleset_of_the_catalogue_is_there() -> None:
    assert RULESETS.keys() == set(catalogue.ids())


def test_a_folder_is_read_as_its_zip_is(both: Both, tmp_path: Path) -> None:
    assert both.judge(copied().laid_out(tmp_path / "laid-out")) == (HOLDS, HOLDS)


def test_messages_alone_are_proved_without_their_records(both: Both) -> None:
    parts = copied()
    name = "logs/results/records"
    parts.put(name, (sha256(line).hexdigest().encode() for line in parts.lines(name)))
    messages = "logs/results/messages"
    assert any(parts.lines(messages))
    # The seal is a record: without it nothing says that all is there.
    assert both.of(parts) == (INCOMPLETE, INCOMPLETE)


def hide(parts: Parts, service: str, is_hidden: Callable[[bytes], bool], *, messages: bool = True) -> int:
    """Hashes stand for these records and their messages. Answers how many they are."""
    names = f"logs/{service}/records", f"logs/{service}/messages"
    records, told = map(parts.lines, names)
    which = [at for at, record in enumerate(records) if is_hidden(record)]
    for lines in (records, told) if messages else (records,):
        for at in which:
            lines[at] = sha256(lines[at]).hexdigest().encode() if lines[at] else b""
    parts.put(names[0], records)
    parts.put(names[1], told)
    return len(which)


def of_type(*types: str) -> Callable[[bytes], bool]:
    return lambda record: msgspec.json.decode(record, type=Envelope).type in types


# Of the federation, which are none of the tournament's, and what names a file.
SHOWN = ("OfficialAppointed", "PersonLinked", "EntryDetailed", "TableSealed", "ScopeSealed")


def test_what_is_hidden_is_counted_and_changes_no_verdict(both: Both) -> None:
    parts = copied()
    count = hide(parts, "results", of_type("SheetOpened"), messages=False)
    assert count
    assert both.of(parts) == (HOLDS, HOLDS)
    said = f"of {count} of {len(parts.lines('logs/results/records'))} events no record is shown, and of 0 "
    (ours,) = [one for one in both.findings if one.clause == "records"]
    assert (ours.verdict, ours.file, ours.text.startswith(said)) == ("not checkable", "logs/results", True)
    assert f"not checkable: records: logs/results: {said}" in both.capsys.readouterr().out


def test_what_rests_on_hidden_messages_is_not_checkable(both: Both) -> None:
    logs = by_dice()
    parts = bundled(logs, earlier=0)
    assert hide(parts, "results", of_type("RoundCompleted"))
    assert both.of(parts) == (HOLDS, HOLDS)
    assert {one.verdict for one in both.findings if "rests on messages that are not shown" in one.text} == {
        "not checkable"
    }
    assert "tables: logs/standings/records" in both.capsys.readouterr().out


def test_whoever_shows_nothing_but_the_seals_shows_too_little(both: Both) -> None:
    def is_hidden(record: bytes) -> bool:
        said = msgspec.json.decode(record, type=Envelope)
        return said.scope == good().tournament and said.type != "ScopeSealed"

    parts = copied()
    for service in SERVICES:
        assert hide(parts, service, is_hidden)
    without_tables(parts)
    assert both.of(parts) == (INCOMPLETE, INCOMPLETE)
    assert {("tournament", None), ("tables", "logs/standings/records")} <= missing(both)
    assert {one.file for one in both.findings if one.clause == "records"} == {f"logs/{one}" for one in SERVICES}


@pytest.mark.parametrize("service", SERVICES)
def test_whatever_is_hidden_nothing_is_refuted(both: Both, service: str) -> None:
    chance = random.Random(service)
    for messages in (True, True, True, False):
        parts = bundled(by_dice(), earlier=0)
        kinds = sorted({msgspec.json.decode(one, type=Envelope).type for one in parts.lines(f"logs/{service}/records")})
        is_hidden = of_type(*chance.sample([kind for kind in kinds if kind not in SHOWN], 2))
        hide(parts, service, lambda record, is_it=is_hidden: is_it(record) and chance.random() < 0.6, messages=messages)
        ours, theirs = both.of(parts)
        assert ours == theirs in (HOLDS, INCOMPLETE), [str(one) for one in both.findings if one.verdict == "refuted"]


@pytest.mark.parametrize("service", SERVICES)
def test_logs_that_the_policy_has_no_keys_for_are_not_read_and_refute_nothing_else(both: Both, service: str) -> None:
    lines = both.policy.decode().splitlines(keepends=True)
    both.policy = "".join(one for one in lines if not one.startswith("log ") or f"/{service}/" in one).encode()
    assert both.of(bundled(by_dice(), earlier=0)) == (REFUTED, REFUTED)
    said = both.capsys.readouterr().out.splitlines()
    assert {line.split(": ")[1] for line in said if line.startswith("refuted: ")} == {"notes"}
    assert {one.clause for one in both.findings if one.verdict == "refuted"} == {"notes"}


def test_tables_whose_seals_are_hidden_are_missing(both: Both) -> None:
    parts = copied()
    count = hide(parts, "standings", of_type("TableSealed"))
    without_tables(parts)
    assert both.of(parts) == (INCOMPLETE, INCOMPLETE)
    assert [one.clause for one in both.findings if one.verdict == "missing"] == ["tables"]
    assert f"nothing is shown of {count} events from this one on" in both.capsys.readouterr().out


# What is missing


def test_too_few_witnesses_leave_it_open(both: Both) -> None:
    both.policy = policy("two")
    assert both.of(copied()) == (INCOMPLETE, INCOMPLETE)
    assert both.of(bundled(tournament(), witnesses=["club", "university"])) == (HOLDS, HOLDS)


def test_who_asks_for_no_witness_needs_none(both: Both) -> None:
    both.policy = policy("none")
    assert both.of(bundled(tournament(), witnesses=[])) == (HOLDS, HOLDS)


@pytest.mark.parametrize("kind", ["ScopeSealed", "LotSeedRevealed"])
def test_without_seal_or_secret_it_stays_open(both: Both, kind: str) -> None:
    logs = resigned(tournament(), lambda _, record: None if record.type == kind else record, seals_anew=True)
    assert both.of(bundled(logs)) == (INCOMPLETE, INCOMPLETE)


def emptied(parts: Parts, service: str) -> None:
    """Of the log its root is left, which stands under the checkpoint and proves nothing else."""
    folder = f"logs/{service}"
    parts.files[f"{folder}/inclusion"] = Checkpoint.parse(Note.parse(parts.files[f"{folder}/checkpoint"]).text).root
    for part in ("positions", "numbers", "records", "messages", "leaves"):
        parts.files[f"{folder}/{part}"] = b""


def without_tables(parts: Parts) -> None:
    for name in [name for name in parts.files if name.startswith("tables/")]:
        del parts.files[name]


def missing(both: Both) -> set[tuple[str, str | None]]:
    return {(one.clause, one.file) for one in both.findings if one.verdict == "missing"}


def test_a_bundle_without_events_lacks_the_tournament_that_it_names(both: Both) -> None:
    parts = copied()
    for service in SERVICES:
        emptied(parts, service)
    without_tables(parts)
    assert both.of(parts) == (INCOMPLETE, INCOMPLETE)
    assert missing(both) == {("tournament", None), *(("tournament", f"logs/{one}/records") for one in SERVICES)}


def test_a_log_without_an_event_of_the_tournament_is_missing(both: Both) -> None:
    parts = copied()
    emptied(parts, "standings")
    without_tables(parts)
    assert both.of(parts) == (INCOMPLETE, INCOMPLETE)
    assert ("tournament", "logs/standings/records") in missing(both)


def test_a_bundle_does_not_pass_as_that_of_another_tournament(both: Both) -> None:
    parts = Parts(dict(good().files), "another-tournament")
    ours, theirs = both.of(parts)
    assert ours == theirs != HOLDS  # also refuted, where somebody held an office of the real one
    assert ("tournament", None) in missing(both)
    assert "missing: tournament: nothing here announces" in both.capsys.readouterr().out


def test_both_say_in_the_end_which_tournament_it_was(both: Both) -> None:
    trust = both.folder / "policy"
    trust.write_bytes(both.policy)
    path = copied().packed(both.folder / "bundle.zip")
    both.capsys.readouterr()
    assert alone().main([str(path), "--trust", str(trust), "--quiet"]) == HOLDS
    last = f"tournament {good().tournament}"
    assert both.capsys.readouterr().out.splitlines()[0] == last
    assert next(verified(path, trust, lambda _: None).last_lines()) == last


# What is refuted: by whoever has the files


def flipped(content: bytes, bit: int) -> bytes:
    at, shift = divmod(bit % (8 * len(content)), 8)
    return content[:at] + bytes([content[at] ^ 1 << shift]) + content[at + 1 :]


PROVED = ("records", "messages", "positions", "inclusion", "checkpoint")


@pytest.mark.parametrize("part", PROVED)
def test_any_changed_bit_is_refuted_or_unreadable(both: Both, part: str) -> None:
    chance = random.Random(part)
    for _ in range(7):
        parts = copied()
        name = f"logs/{chance.choice(SERVICES)}/{part}"
        content = parts.files[name]
        # Who has signed besides the log is a matter of the policy: a signature that nobody knows is passed over.
        reach = len(content) if part != "checkpoint" else content.index(b"club")
        parts.files[name] = flipped(content, chance.randrange(8 * reach))
        ours, theirs = both.of(parts)
        assert {ours, theirs} <= {UNREADABLE, REFUTED}, (name, ours, theirs)


def test_a_proof_of_consistency_is_held_against_the_roots(both: Both) -> None:
    parts = copied()
    name = max(name for name in parts.files if name.endswith(".proof"))
    parts.files[name] = flipped(parts.files[name], 77)
    assert both.of(parts) == (REFUTED, REFUTED)


def drop(parts: Parts, service: str, at: int) -> None:
    for part in ("positions", "numbers", "records", "messages"):
        name = f"logs/{service}/{part}"
        parts.put(name, (line for number, line in enumerate(parts.lines(name)) if number != at))


def swap(parts: Parts, service: str) -> None:
    for part in ("records", "messages"):
        lines = parts.lines(f"logs/{service}/{part}")
        lines[3], lines[4] = lines[4], lines[3]
        parts.put(f"logs/{service}/{part}", lines)


def foreign_note(parts: Parts) -> None:
    """A log of another service vouches for this one."""
    parts.files["logs/results/checkpoint"] = parts.files["logs/pairing/checkpoint"]


def unproved_note(parts: Parts) -> None:
    """An older note of the same log in place of the newest."""
    older = min(name for name in parts.files if name.startswith("logs/results/checkpoints/") and name[-1].isdigit())
    parts.files["logs/results/checkpoint"] = parts.files[older]


def other_number(parts: Parts) -> None:
    numbers = parts.lines("logs/results/numbers")
    numbers[-3:] = [b"9999" if line else line for line in numbers[-3:]]
    parts.put("logs/results/numbers", numbers)


@pytest.mark.parametrize(
    "tamper",
    [
        partial(drop, service="results", at=20),
        partial(drop, service="registration", at=2),
        partial(swap, service="pairing"),
        foreign_note,
        unproved_note,
        other_number,
    ],
    ids=["an event less", "an entrant less", "another order", "a foreign note", "an older note", "another number"],
)
def test_who_changes_the_files_is_found_out(both: Both, tamper: Callable[[Parts], None]) -> None:
    parts = copied()
    tamper(parts)
    assert both.of(parts) == (REFUTED, REFUTED)


def refutations(both: Both, parts: Parts) -> tuple[set[str], set[str]]:
    """Whatever each of them refutes: clause, file and position."""
    both.capsys.readouterr()
    assert both.of(parts) == (REFUTED, REFUTED)
    said = re.findall(r"^refuted: (\w+: [^ :]+(?: position \d+)?): ", both.capsys.readouterr().out, re.MULTILINE)
    ours = [str(one).removeprefix("refuted: ") for one in both.findings if one.verdict == "refuted"]
    return {": ".join(one.split(": ")[:2]) for one in ours}, set(said)


def other_leaf(parts: Parts) -> str:
    parts.files["logs/results/leaves"] = flipped(parts.files["logs/results/leaves"], 8 * 32 * 2)
    return f"inclusion: logs/results/leaves position {parts.lines('logs/results/positions')[2].decode()}"


def leaf_too_many(parts: Parts) -> str:
    parts.files["logs/results/leaves"] += bytes(32)
    return "inclusion: logs/results/leaves"


def other_record(parts: Parts) -> str:
    """Of an event that no message follows from."""
    records = parts.lines("logs/pairing/records")
    at = next(index for index, line in enumerate(records) if b'"type":"RoundDrafted"' in line)
    records[at] = re.sub(rb'"trace":(null|"[^"]*")', b'"trace":"another"', records[at])
    parts.put("logs/pairing/records", records)
    return f"inclusion: logs/pairing/records position {parts.lines('logs/pairing/positions')[at].decode()}"


def lower_number(parts: Parts) -> str:
    numbers = parts.lines("logs/results/numbers")
    at = [index for index, line in enumerate(numbers) if line][2]
    numbers[at] = b"1"
    parts.put("logs/results/numbers", numbers)
    return f"numbers: logs/results/numbers position {parts.lines('logs/results/positions')[at].decode()}"


def other_log(parts: Parts) -> str:
    foreign_note(parts)
    return "notes: logs/results/checkpoint"


def not_the_newest(parts: Parts) -> str:
    unproved_note(parts)
    return "consistency: logs/results/checkpoint"


def other_table(parts: Parts) -> str:
    name = min(name for name in parts.files if name.startswith("tables/"))
    parts.files[name] = parts.files[name].replace(b'"round":1', b'"round":2').replace(b'"place":1', b'"place":7')
    return f"contents: {name}"


@pytest.mark.parametrize(
    "tamper", [other_leaf, leaf_too_many, other_record, lower_number, other_log, not_the_newest, other_table]
)
def test_what_was_changed_is_named_and_nothing_else(both: Both, tamper: Callable[[Parts], str]) -> None:
    parts = copied()
    place = tamper(parts)
    assert refutations(both, parts) == ({place}, {place})


def test_lots_whose_value_could_not_be_read_are_not_said_to_have_none(both: Both) -> None:
    lines = both.policy.decode().splitlines(keepends=True)
    both.policy = "".join(one for one in lines if "/registration/" not in one).encode()
    both.of(bundled(by_dice(), earlier=0))
    said = [line for line in both.capsys.readouterr().out.splitlines() if ": lots: " in line]
    assert said == [str(one) for one in both.findings if one.clause == "lots"]
    assert {line.split(": ")[0] for line in said} == {"not checkable"}


# What is refuted: by whoever has the key of the log as well, and writes history anew


type Forge = Callable[[str, Envelope], Envelope | None]


def changed(record: Envelope, **fields: Any) -> Envelope:
    data = json.loads(bytes(record.data)) | fields
    return msgspec.structs.replace(record, data=msgspec.Raw(json.dumps(data).encode()))


def without_one_result(service: str, record: Envelope) -> Envelope | None:
    """An event that a seal counts is left out, and what is behind it moves up."""
    is_it = service == "results" and record.type == "SheetOpened" and record.version == 1
    return None if is_it else record


def with_turned_lot(_: str, record: Envelope) -> Envelope:
    if record.type != "LotDrawn":
        return record
    order = json.loads(bytes(record.data))["order"]
    return changed(record, order=order[::-1])


def with_other_secret(_: str, record: Envelope) -> Envelope:
    return changed(record, seed="00" * 32) if record.type == "LotSeedRevealed" else record


def with_somebody_twice(_: str, record: Envelope) -> Envelope:
    if record.type != "RoundPublished":
        return record
    sheet = json.loads(bytes(record.data))["sheet"]
    sheet["byes"] = [sheet["tables"][0]["seats"][0]]
    return changed(record, sheet=sheet)


def with_stranger(_: str, record: Envelope) -> Envelope:
    if record.type != "StageClosed":
        return record
    order = json.loads(bytes(record.data))["order"]
    return changed(record, order=[["somebody"], *order[1:]])


@pytest.mark.parametrize(
    "forge", [without_one_result, with_turned_lot, with_other_secret, with_somebody_twice, with_stranger]
)
def test_a_log_that_was_made_anew_with_its_key_contradicts_itself(both: Both, forge: Forge) -> None:
    assert both.of(bundled(resigned(tournament(), forge), earlier=0)) == (REFUTED, REFUTED)


def test_a_gap_in_a_stream_is_refuted_though_all_is_signed_and_sealed(both: Both) -> None:
    def forge(service: str, record: Envelope) -> Envelope | None:
        return None if service == "registration" and (record.type, record.version) == ("EntrantAdmitted", 7) else record

    assert both.of(bundled(resigned(tournament(), forge, seals_anew=True), earlier=0)) == (REFUTED, REFUTED)


# What only the rules of the games find


def turned_order(_: str, record: Envelope) -> Envelope:
    if record.type != "StageClosed":
        return record
    order = json.loads(bytes(record.data))["order"]
    return changed(record, order=order[::-1])


def swapped_opponents(_: str, record: Envelope) -> Envelope:
    """Two of the first tables change places in draft and publication."""
    if record.type not in ("RoundDrafted", "RoundPublished"):
        return record
    found = json.loads(bytes(record.data))
    sheet = found["drafted"]["sheet"] if "drafted" in found else found["sheet"]
    one, other = sheet["tables"][:2]
    one["seats"], other["seats"] = [one["seats"][0], other["seats"][0]], [one["seats"][1], other["seats"][1]]
    one["first"] = other["first"] = None
    return msgspec.structs.replace(record, data=msgspec.Raw(json.dumps(found).encode()))


@pytest.mark.parametrize(("forge", "clause"), [(turned_order, "tables"), (swapped_opponents, "sheets")])
def test_another_pairing_or_order_than_the_rules_give_is_named(both: Both, forge: Forge, clause: str) -> None:
    refuted = both.refuted(bundled(resigned(tournament(), forge, seals_anew=True), earlier=0))
    assert clause in {one.clause for one in refuted}
    assert all(one.position and one.file for one in refuted)


def with_a_game_less(_: str, record: Envelope) -> Envelope:
    """A table of the sheet has no game."""
    if record.type != "RoundPublished":
        return record
    return changed(record, games=json.loads(bytes(record.data))["games"][:-1])


def with_an_unknown_stage(_: str, record: Envelope) -> Envelope:
    return changed(record, stage="nowhere") if record.type in ("ResultAgreed", "TableSealed") else record


def with_rules_of_nothing(_: str, record: Envelope) -> Envelope:
    return changed(record, ruleset={}) if record.type in ("TournamentAnnounced", "TournamentStarted") else record


def with_scores_in_words(_: str, record: Envelope) -> Envelope:
    return changed(record, scores=["one", "two"]) if record.type == "ResultAgreed" else record


@pytest.mark.parametrize(
    ("forge", "tells_as_before"),
    [
        (with_a_game_less, True),  # of which nothing can be told anew
        (with_an_unknown_stage, True),
        (with_an_unknown_stage, False),
        (with_rules_of_nothing, False),
        (with_scores_in_words, False),
    ],
)
def test_whatever_cannot_be_computed_again_refutes_its_event(
    both: Both, forge: Forge, *, tells_as_before: bool
) -> None:
    forged = resigned(tournament(), forge, seals_anew=True, tells_as_before=tells_as_before)
    refuted = both.refuted(bundled(forged, earlier=0))
    places = {(one.file.split("/")[1], one.position) for one in refuted if one.file and one.position}
    assert places & forged.forged, [str(one) for one in refuted]


def test_another_result_than_was_reported_is_named(both: Both) -> None:
    def forge(_: str, record: Envelope) -> Envelope:
        if record.type != "ResultAgreed":
            return record
        scores = json.loads(bytes(record.data))["scores"]
        return changed(record, scores=[scores[0], 7, *scores[2:]])

    forged = resigned(by_dice(), forge, seals_anew=True)
    lives = {
        one.position for one in both.refuted(bundled(forged, earlier=0)) if "nobody had reported the result" in one.text
    }
    assert lives
    assert {("results", position) for position in lives} <= forged.forged


def test_whatever_is_agreed_upon_was_reported() -> None:
    chance = random.Random(7)
    voices = (SUE, SAM, ADA, BEN)
    terms = [GameTerms(confirmed_by=by) for by in ("both-sides", "each-side", "official")]
    count = 0
    for _ in range(400):
        state: State = GAME.fold([OPENED], GAME.initial)
        for _ in range(12):
            by, under = chance.choice(voices), chance.choice(terms)
            result = chance.choice((WON, WON, WON_MORE, DRAWN))
            number = chance.randint(1, 5)
            command = chance.choice(
                (
                    ReportResult(by=by, result=result, terms=under, signed_by=chance.choice(((), (0, 1)))),
                    ConfirmResult(by=by, number=number, terms=under),
                    WithdrawReport(by=by, terms=under),
                    DisputeResult(by=by, reason="words"),
                )
            )
            with suppress(Refusal):
                for event in GAME.decide(state, command):
                    count += isinstance(event, ResultAgreed)
                    assert contradiction(state, event) is None
                    state = GAME.evolve(state, event)
    assert count > 100


# Whatever is forged with all keys, the event is named


def about(kind: str, /, **fields: Any) -> Forge:
    """Every event of a kind says something else."""
    return lambda _, record: changed(record, **fields) if record.type == kind else record


def by(actor: str, role: str, /, kind: str = "ResultAgreed") -> Forge:
    """Somebody else has done it."""

    def forge(_: str, record: Envelope) -> Envelope:
        return msgspec.structs.replace(record, actor=actor, role=role) if record.type == kind else record

    return forge


def captain_of_another(service: str, record: Envelope) -> Envelope:
    return by(f"captain:{by_dice().captain}:1:1", "captain")(service, record) or record


def turned(kind: str) -> Forge:
    def forge(_: str, record: Envelope) -> Envelope:
        return changed(record, order=json.loads(bytes(record.data))["order"][::-1]) if record.type == kind else record

    return forge


def because_of_something_else(_: str, record: Envelope) -> Envelope:
    return msgspec.structs.replace(record, operation="EntrantLeft") if record.type == "SheetOpened" else record


def token_of_a_stranger(_: str, record: Envelope) -> Envelope:
    if record.type != "CaptainTokenIssued":
        return record
    issuer = json.loads(bytes(record.data))["issuer"]
    return changed(record, issuer=issuer | {"term": 1})


def commitments_of_somebody(_: str, record: Envelope) -> Envelope:
    if record.type != "LotsOpened":
        return record
    return changed(record, commitments=json.loads(bytes(record.data))["commitments"] | {"standings": "ab" * 32})


FORGED: Mapping[str, tuple[str, Forge]] = {
    "an arbiter whom nobody has appointed": ("offices", by("auth0|stranger", "arbiter")),
    "a role that there is not": ("offices", by("auth0|stranger", "owner")),
    "a captain without a token": ("offices", by("captain:somebody:1:1", "captain")),
    "a captain of somebody else": ("offices", captain_of_another),
    "a token of another term": ("offices", token_of_a_stranger),
    "an account of nobody": ("offices", by("auth0|stranger", "entrant", "EntrantPresent")),
    "another reason": ("offices", because_of_something_else),
    "another lot": ("lots", turned("LotDrawn")),
    "a tie without its lot": ("lots", turned("TieSettled")),
    "another secret": ("lots", about("LotSeedRevealed", seed="00" * 32)),
    "another commitment": ("lots", about("LotSeedCommitted", commitment="ab" * 32)),
    "another value of the dice": ("lots", about("LotsOpened", value="1" + " 1" * 19)),
    "no value of dice": ("lots", about("LotsOpened", value="7" + " 1" * 19)),
    "another source": ("lots", about("LotsOpened", source="dice 21", value="1" + " 1" * 20)),
    "commitments of somebody": ("lots", commitments_of_somebody),
    "somebody twice": ("sheets", with_somebody_twice),
    "a stranger in the order": ("tables", with_stranger),
    "a table that rests on what nobody has said": ("tables", about("TableSealed", inputs="reg9000.pai0.res0.sta0")),
}


@pytest.mark.parametrize("what", FORGED)
def test_the_event_that_was_forged_is_named_by_both(both: Both, what: str) -> None:
    clause, forge = FORGED[what]
    forged = resigned(by_dice(), forge, seals_anew=True)
    assert forged.forged
    for named in both.named(bundled(forged, earlier=0)):
        places = {(service, position) for of, service, position in named if of == clause}
        assert places & forged.forged, (what, named)


def table_with(change: Callable[[Any], None]) -> Logs:
    """The last table says something else, and the event names it by its new hash."""
    logs = by_dice()
    (name, content) = list(logs.tables.items())[-1]
    table = json.loads(content)
    change(table["standings"])
    put = json.dumps(table, separators=(",", ":"), sort_keys=True).encode()
    digest = sha256(put).hexdigest()

    def forge(_: str, record: Envelope) -> Envelope:
        is_it = record.type == "TableSealed" and json.loads(bytes(record.data))["table"] == name
        return changed(record, table=digest) if is_it else record

    forged = resigned(logs, forge, seals_anew=True)
    forged.tables = {**forged.tables, digest: put}
    del forged.tables[name]
    return forged


def more_points(standings: Any) -> None:
    standings[0]["values"]["points"] += 1


def exchanged(standings: Any) -> None:
    one, other = standings[0], standings[-1]
    one["entrant"], other["entrant"] = other["entrant"], one["entrant"]
    one["values"], other["values"] = other["values"], one["values"]


@pytest.mark.parametrize("change", [more_points, exchanged])
def test_a_table_that_does_not_follow_is_named_by_both(both: Both, change: Callable[[Any], None]) -> None:
    forged = table_with(change)
    for named in both.named(bundled(forged, earlier=0)):
        assert {(service, position) for of, service, position in named if of == "tables"} == forged.forged


@pytest.mark.parametrize("part", ["records", "messages"])
def test_an_event_that_was_changed_behind_the_signature_is_named_by_both(both: Both, part: str) -> None:
    """By whoever administers a database: the tree has its leaf as it was."""
    parts = copied()
    name = f"logs/results/{part}"
    lines = parts.lines(name)
    at = next(index for index, line in enumerate(lines) if b"ResultAgreed" in line or b"ResultFinal" in line)
    lines[at] = lines[at].replace(b'"at":"2026', b'"at":"2025')
    parts.put(name, lines)
    place = "inclusion", "results", int(parts.lines("logs/results/positions")[at])
    for named in both.named(parts):
        assert place in named


# What somebody has kept


RESULT = 11  # the position of an event of results, behind which another of the tournament stands
EARLIER_SIZE = 30  # events under the checkpoint that it was kept under


def kept_receipt(**changes: Any) -> Receipt:
    return msgspec.structs.replace(receipt(tournament().logs["results"], RESULT, EARLIER_SIZE), **changes)


def said_of_receipts(both: Both, parts: Parts, *receipts: Receipt | bytes) -> list[str]:
    """What both say of them, with the same verdict."""
    both.receipts = [bytes(one) for one in receipts]
    both.capsys.readouterr()
    ours, theirs = both.of(parts)
    assert ours == theirs
    said = [line for line in both.capsys.readouterr().out.splitlines() if ": receipts: " in line]
    assert said == [str(one) for one in both.findings if one.clause == "receipts"] or ours == REFUTED
    assert [one.split(": ")[:2] for one in said] == [
        [one.verdict, one.clause] for one in both.findings if one.clause == "receipts"
    ]
    return [line.replace(f"{both.folder}/", "") for line in said]


def test_receipts_of_events_that_are_here_hold(both: Both) -> None:
    last = int(copied().lines("logs/pairing/positions")[-1])
    said = said_of_receipts(both, copied(), kept_receipt(), receipt(tournament().logs["pairing"], last, last))
    assert said == ["recomputed: receipts: 2 receipts were given for what is here"]


def test_a_receipt_whose_event_was_changed_is_named(both: Both) -> None:
    """The history was written and signed anew, and holds by itself: whoever has kept a receipt knows."""

    def forge(service: str, record: Envelope) -> Envelope:
        return changed_at(record) if (service, record.type) == ("results", "SheetOpened") else record

    def changed_at(record: Envelope) -> Envelope:
        return msgspec.structs.replace(record, trace="another")

    forged = bundled(resigned(tournament(), forge, seals_anew=True), earlier=0)
    log = tournament().logs["results"]
    at = next(index for index, (record, _) in enumerate(log.events) if b'"type":"SheetOpened"' in record)
    (said,) = said_of_receipts(both, forged, receipt(log, at + 1, EARLIER_SIZE))
    assert said.startswith(
        f"refuted: receipts: receipt-0: it does not prove event {at + 1} of results as it stands here"
    )


def test_a_signed_history_of_the_same_size_with_another_root_is_two_histories(both: Both) -> None:
    log = deepcopy(tournament().logs["results"])
    size = len(log.events)
    log.events[-1] = (log.events[-1][0] + b" ", log.events[-1][1])
    said = said_of_receipts(both, copied(), receipt(log, RESULT, size))
    assert any("the log has signed another history" in one for one in said)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"index": RESULT}, f"it does not prove event {RESULT + 1} of results"),
        ({"proof": kept_receipt().proof[1:]}, f"it does not prove event {RESULT} of results"),
        (
            {"checkpoint": receipt(tournament().logs["results"], RESULT, EARLIER_SIZE + 1).checkpoint},
            "it does not prove",
        ),
        ({"checkpoint": kept_receipt().checkpoint.replace(b"\n30\n", b"\n31\n")}, "roundlog.example/results/"),
    ],
    ids=["another index", "a hash less", "another checkpoint", "a signature of something else"],
)
def test_a_receipt_that_was_changed_is_named(both: Both, changes: Any, says: str) -> None:
    (said,) = said_of_receipts(both, copied(), kept_receipt(**changes))
    assert said.startswith(f"refuted: receipts: receipt-0: {says}")


@pytest.mark.parametrize("cut", [10, 60, -3])
def test_a_receipt_that_cannot_be_read_stops_all_and_is_named(both: Both, cut: int) -> None:
    both.receipts = [bytes(kept_receipt())[:cut]]
    assert both.of(copied()) == (UNREADABLE, UNREADABLE)
    assert "receipt-0: " in both.said
    assert "receipt-0: " in both.capsys.readouterr().out


def test_a_receipt_of_another_deployment_is_named_as_such(both: Both) -> None:
    stranger = signer_of("results", "elsewhere.example")
    foreign = receipt(tournament().logs["results"], RESULT, EARLIER_SIZE, stranger)
    (said,) = said_of_receipts(both, copied(), foreign)
    assert said.startswith("refuted: receipts: receipt-0: ")
    assert "the policy" in said
    both.policy = policy("club", stranger)
    (said,) = said_of_receipts(both, copied(), foreign)
    assert said.startswith("refuted: receipts: receipt-0: it is of the log elsewhere.example/results/")


def test_a_receipt_of_an_event_of_others_is_not_checkable(both: Both) -> None:
    log = tournament().logs["results"]
    others = next(index for index, scope in enumerate(log.scopes) if scope not in {tournament().tournament, "results"})
    (said,) = said_of_receipts(both, copied(), receipt(log, others + 1, others + 1))
    assert said.startswith(f"not checkable: receipts: receipt-0: event {others + 1} of ")


@pytest.mark.parametrize("lost", [0, 2])
def test_receipts_from_before_a_restore_count_for_what_was_kept(both: Both, lost: int) -> None:
    both.policy = policy("club", formerly("results"))
    logs = restored(by_dice(), "results", lost=lost)
    kept = len(by_dice().logs["results"].events)
    old = receipt(by_dice().logs["results"], RESULT, EARLIER_SIZE, formerly("results"))
    gone = msgspec.structs.replace(old, index=kept)  # it was never written down anywhere else
    said = said_of_receipts(both, bundled(logs, earlier=0), old, gone)
    assert [line.split(": ")[0] for line in said] == ["not checkable", "recomputed"]
    assert "was lost when the log was restored" in said[0]


# What lies beside the log


def test_what_was_opened_is_what_the_events_are_bound_to_and_what_was_erased_is_only_not_checkable(both: Both) -> None:
    parts = bundled(by_dice(), is_opened=True, earlier=0)
    assert both.of(parts) == (HOLDS, HOLDS)
    assert {one.verdict for one in both.findings if one.clause == "contents"} == {"recomputed"}
    assert b"a table at the door" in b"".join(parts.files.values())
    for name in [name for name in parts.files if name.startswith("opened/")]:
        del parts.files[name]
    assert both.of(parts) == (HOLDS, HOLDS)
    assert {one.verdict for one in both.findings if one.clause == "contents"} == {"not checkable"}


def test_what_no_event_has_named_is_refuted(both: Both) -> None:
    parts = copied()
    for folder in ("tables", "contents"):
        put = folder.encode()
        parts.files[f"{folder}/{sha256(put).hexdigest()}"] = put
    opened = bytes(32) + b"true"
    parts.files[f"opened/{sha256(b'roundlog/personal/v1' + bytes([10]) + opened).hexdigest()}"] = opened
    assert both.of(parts) == (REFUTED, REFUTED)
    assert sum((one.verdict, one.clause) == ("refuted", "contents") for one in both.findings) == 3


def test_another_value_than_the_event_is_bound_to_is_refuted(both: Both) -> None:
    parts = bundled(by_dice(), is_opened=True, earlier=0)
    name = min(name for name in parts.files if name.startswith("opened/"))
    parts.files[name] = parts.files[name][:-2] + b'x"'
    assert both.of(parts) == (REFUTED, REFUTED)


# What a log says of itself


@pytest.mark.parametrize("source", SOURCES)
def test_lots_with_a_source_hold(both: Both, source: str) -> None:
    logs = by_dice() if source == DICE else played(*SMALL, source=source)
    assert both.of(bundled(logs, earlier=0)) == (HOLDS, HOLDS)


def test_a_restored_log_says_what_it_was_and_what_was_lost(both: Both) -> None:
    both.policy = policy("club", formerly("results"))
    kept = bundled(restored(by_dice(), "results"))
    assert both.of(kept) == (HOLDS, HOLDS)
    assert {one.verdict for one in both.findings if one.clause == "restores"} == {"recomputed"}
    assert both.of(bundled(restored(by_dice(), "results", lost=7))) == (HOLDS, HOLDS)
    (lost,) = [one for one in both.findings if one.clause == "restores"]
    assert (lost.verdict, "were lost" in lost.text) == ("not checkable", True)
    both.policy = policy("club")
    assert both.of(kept) == (HOLDS, HOLDS)
    assert "not checkable" in {one.verdict for one in both.findings if one.clause == "restores"}


def test_the_checkpoint_of_a_log_before_it_was_restored_is_named(both: Both) -> None:
    both.policy = policy("club", formerly("results"))
    parts = bundled(restored(by_dice(), "results"), earlier=0)
    former = min(name for name in parts.files if name.startswith("logs/results/checkpoints/") and name[-1].isdigit())
    parts.files["logs/results/checkpoint"] = parts.files.pop(former)
    parts.files.pop(f"{former}.proof")
    for refuted in refutations(both, parts):
        assert {one for one in refuted if one.startswith(("notes", "restores"))} == {
            "restores: logs/results/checkpoint"
        }


def test_a_log_is_not_restored_out_of_another_one(both: Both) -> None:
    both.policy = policy("club", formerly("results"), formerly("pairing"))
    logs = restored(by_dice(), "results")

    def forge(_: str, record: Envelope) -> Envelope:
        if record.type != "LogRestored":
            return record
        return changed(record, former=json.loads(bytes(record.data))["former"].replace("results", "pairing"))

    forged = resigned(logs, forge)
    for named in both.named(bundled(forged, earlier=0)):
        assert {(service, position) for of, service, position in named if of == "restores"} == forged.forged


def test_a_second_key_counts_from_when_the_log_has_named_it_and_a_retired_one_no_more(both: Both) -> None:
    first, second = signer_of("results"), second_key("results")
    both.policy = policy("club", second)
    logs = with_keys(by_dice(), "results", retired=first.key.vkey)
    named = len(logs.logs["results"].events) - 1

    def of(service: str, size: int) -> Sequence[Signer]:
        return [second] if service == "results" and size >= named else [signer_of(service)]

    assert both.of(bundled(logs, signers=of)) == (HOLDS, HOLDS)
    assert sum(one.clause == "keys" for one in both.findings) == 2
    too_early = bundled(logs, signers=lambda service, size: [second] if service == "results" else of(service, size))
    assert both.of(too_early) == (REFUTED, REFUTED)
    too_late = bundled(logs, signers=lambda service, _: [signer_of(service)])
    assert both.of(too_late) == (REFUTED, REFUTED)


# What cannot be read


def packed_with(path: Path, name: str, content: bytes = b"x") -> Path:
    copied().packed(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/passwd", "logs/../x", "logs/results/other", "tables/short", "a\\b"]
)
def test_no_path_leaves_the_folder(both: Both, tmp_path: Path, name: str) -> None:
    assert both.judge(packed_with(tmp_path / "b.zip", name)) == (UNREADABLE, UNREADABLE)


@pytest.mark.parametrize("added", [".DS_Store", "__MACOSX/._bundle.json", "logs/"])
def test_an_archive_that_a_file_manager_has_packed_is_told_how_it_can_be_read(
    both: Both, tmp_path: Path, added: str
) -> None:
    hint = "unpack it, take out what was added, and name the folder in which bundle.json is"
    assert both.judge(packed_with(tmp_path / "b.zip", added)) == (UNREADABLE, UNREADABLE)
    assert both.said.endswith(hint)
    assert both.capsys.readouterr().out.endswith(f"{hint}\n")
    with zipfile.ZipFile(tmp_path / "in-a-folder.zip", "w") as archive:
        archive.writestr("cup/bundle.json", "{}")
    assert both.judge(tmp_path / "in-a-folder.zip") == (UNREADABLE, UNREADABLE)
    assert both.said.endswith(hint)
    assert both.capsys.readouterr().out.endswith(f"{hint}\n")


@pytest.mark.parametrize("missing", ["bundle.json", "logs/results/checkpoint", "logs/pairing/inclusion"])
def test_a_file_that_is_missing_or_damaged_makes_it_unreadable(both: Both, tmp_path: Path, missing: str) -> None:
    folder = copied().laid_out(tmp_path / "laid-out")
    content = (folder / missing).read_bytes()
    (folder / missing).unlink()
    assert both.judge(folder) == (UNREADABLE, UNREADABLE)
    (folder / missing).write_bytes(content + b"\n")
    if missing != "bundle.json":
        assert both.judge(folder) == (UNREADABLE, UNREADABLE)


@pytest.mark.parametrize("part", ["checkpoint", "checkpoints", "positions", "numbers", "records", "messages"])
def test_what_cannot_be_read_says_where_it_stands(both: Both, part: str) -> None:
    parts = copied()
    name = min(name for name in parts.files if f"results/{part}" in name and not name.endswith(".proof"))
    content = parts.files[name]
    parts.files[name] = content[:-2] + b"\xff\n"
    assert both.of(parts) == (UNREADABLE, UNREADABLE)
    where = name if part.startswith("checkpoint") else "logs/results"
    assert where in both.said
    assert where in both.capsys.readouterr().out


def test_the_story_of_a_bundle_says_no_office_where_there_is_none(both: Both) -> None:
    told = story_in(copied().packed(both.folder / "bundle.zip"), StoryFilter())
    by = {line.happened.what: who(line) for line in told}
    assert by["ScopeSealed"] == "log"
    assert by["TournamentAnnounced"].startswith("director ")


def test_links_are_not_followed(both: Both, tmp_path: Path) -> None:
    folder = copied().laid_out(tmp_path / "laid-out")
    (folder / "logs/results/checkpoint").rename(tmp_path / "elsewhere")
    (folder / "logs/results/checkpoint").symlink_to(tmp_path / "elsewhere")
    assert both.judge(folder) == (UNREADABLE, UNREADABLE)


def test_a_file_that_unpacks_to_more_than_is_allowed_is_not_unpacked(both: Both) -> None:
    parts = copied()
    parts.files["logs/results/checkpoint"] = bytes(2_000_000)
    assert both.of(parts) == (UNREADABLE, UNREADABLE)


@pytest.mark.parametrize("cut", [0, 1, 10, 3000])
def test_an_archive_that_is_cut_off_is_unreadable(both: Both, tmp_path: Path, cut: int) -> None:
    path = copied().packed(tmp_path / "b.zip")
    path.write_bytes(path.read_bytes()[:cut])
    assert both.judge(path) == (UNREADABLE, UNREADABLE)
    assert "cut off" in both.said
    assert "cut off" in both.capsys.readouterr().out


def with_large_end(path: Path, *, more: int = 0, elsewhere: int = 0, mark: bytes = b"PK\x06\x06") -> Path:
    """As an archive of more than 2 GiB has it: whoever opens that believes nothing else of how much it lists."""
    content = path.read_bytes()
    end = content.rindex(b"PK\x05\x06")
    count, size, start = struct.unpack("<HII", content[end + 10 : end + 20])
    large = struct.pack("<4sQ2H2I4Q", mark, 44, 45, 45, 0, 0, count + more, count + more, size, start)
    where = struct.pack("<4sIQI", b"PK\x06\x07", 0, end + elsewhere, 1)
    path.write_bytes(content[:end] + large + where + content[end:])
    return path


def test_a_large_archive_lists_what_its_own_end_says(both: Both, tmp_path: Path) -> None:
    parts = copied()
    assert both.judge(with_large_end(parts.packed(tmp_path / "large.zip"))) == (HOLDS, HOLDS)
    for lying in (
        partial(with_large_end, more=200_000),
        partial(with_large_end, elsewhere=1),
        partial(with_large_end, mark=b"none"),
    ):
        both.capsys.readouterr()
        assert both.judge(lying(parts.packed(tmp_path / "lies.zip"))) == (UNREADABLE, UNREADABLE)
        assert "unpack it, and name the folder" in both.capsys.readouterr().out


def written_otherwise(kind: str, pattern: bytes, into: bytes) -> Logs:
    """Whoever has the key signs records of a kind that no program of ours would write."""
    logs = deepcopy(tournament())
    for log in logs.logs.values():
        for at, (record, message) in enumerate(log.events):
            if b'"type":"%s"' % kind.encode() in record:
                log.events[at] = re.sub(pattern, into, record), message
    assert logs.logs != tournament().logs
    return logs


@pytest.mark.parametrize(
    ("kind", "pattern", "into"),
    [
        ("ResultAgreed", rb'"trace":null', rb'"trace":"\\ud800"'),
        ("ResultAgreed", rb'"data":{', rb'"data":{"more":["\\udFFF"],'),
        ("ResultAgreed", rb'"data":{', rb'"data":{"\\ud83d":1,'),
        ("ResultAgreed", rb'"causation":null', rb'"causation":0'),
        ("ResultAgreed", rb'"causation":null,', rb""),
        ("ResultAgreed", rb'"causation":null,', rb'"causation":0,"causation":null,'),
        ("ResultAgreed", rb'"data":{', rb'"data":{"more":[{"a":1,"a":1}],'),
        ("ResultAgreed", rb'"data":{', rb'"data":{"more":%s,' % (b"1" * 5000)),
        ("ResultAgreed", rb'"role":"arbiter"', rb'"role":1'),
        ("SheetOpened", rb'"operation":"[A-Za-z]+"', rb'"operation":[]'),
        ("ResultAgreed", rb'"data":{.*},"public"', rb'"data":[],"public"'),
        ("ResultAgreed", rb'"at":"(.*?)Z"', rb'"at":"\1"'),
        ("ResultAgreed", rb'"at":"(.*?)T', rb'"at":"\1 '),
        ("ResultAgreed", rb'"at":"(.*?)Z"', rb'"at":"\1.1234567Z"'),
        ("ResultAgreed", rb'"at":"(.*?)Z"', rb'"at":"\1+0000"'),
        ("ResultAgreed", rb'"id":"(\w+)-(\w+)-(\w+)-', rb'"id":"\1\2\3'),
        ("ScopeSealed", rb'"count":[0-9]+', rb'"count":true'),
    ],
)
def test_what_is_written_in_another_form_is_unreadable(both: Both, kind: str, pattern: bytes, into: bytes) -> None:
    assert both.of(bundled(written_otherwise(kind, pattern, into), earlier=0)) == (UNREADABLE, UNREADABLE)


def test_both_halves_of_a_pair_can_be_read(both: Both) -> None:
    logs = written_otherwise("ResultAgreed", rb'"data":{', rb'"data":{"more":"\\ud83d\\ude00 \\\\ud800",')
    assert both.of(bundled(logs, earlier=0)) == (REFUTED, REFUTED)  # by the seals, which know another event


@pytest.mark.parametrize("zone", [b"+00:00", b".5+00:00"])
def test_a_time_is_written_with_its_zone(both: Both, zone: bytes) -> None:
    logs = written_otherwise("ResultAgreed", rb'"at":"(.*?)Z"', rb'"at":"\1%s"' % zone)
    assert both.of(bundled(logs, earlier=0)) == (REFUTED, REFUTED)


def table_without(_: str, record: Envelope) -> Envelope:
    if record.type != "TableSealed":
        return record
    said = json.loads(bytes(record.data))
    return msgspec.structs.replace(record, data=msgspec.Raw(json.dumps({"stage": said["stage"]}).encode()))


@pytest.mark.parametrize(
    "forge",
    [
        about("TableSealed", inputs="é"),
        about("TableSealed", inputs="reg١.pai1.res1.sta1"),
        about("TableSealed", inputs=5),
        table_without,
        about("LotDrawn", order=5),
        about("LotSeedRevealed", seed="secret"),
        about("CaptainTokenIssued", issuer="somebody"),
        about("EntryDetailed", beside=["x"]),
    ],
    ids=["inputs", "digits", "number", "no inputs", "order", "secret", "issuer", "beside"],
)
def test_an_event_that_does_not_say_what_its_type_says_is_refuted_by_both(both: Both, forge: Forge) -> None:
    forged = resigned(by_dice(), forge, seals_anew=True, tells_as_before=True)
    assert forged.forged
    for named in both.named(bundled(forged, earlier=0)):
        assert {(service, position) for _, service, position in named} & forged.forged


LOG = signer_of("pairing").key.vkey
WITNESS = WITNESSES["club"].key.vkey


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum none",
        f"log {LOG}",
        f"log {LOG}\nlog {LOG}\nquorum none",
        f"log {WITNESS}\nquorum none",
        f"log {LOG}\nwitness a {WITNESS}\nwitness b {WITNESS}\nquorum a",
        f"log {LOG}\nwitness a {WITNESS}\ngroup g 2 a\nquorum g",
        f"log {LOG}\nwitness a {WITNESS}\ngroup g any a a\nquorum g",
        f"log {LOG}\ngroup g any a\nwitness a {WITNESS}\nquorum g",
        f"log {LOG}\nquorum nobody",
        f"log {LOG}\nquorum none\nquorum none",
        f"log {LOG} a b\nquorum none",
        f"logs {LOG}\nquorum none",
        f"log {LOG[:-1]}\nquorum none",
    ],
)
def test_a_policy_that_means_nothing_is_refused(both: Both, text: str) -> None:
    both.policy = text.encode()
    assert both.of(copied()) == (UNREADABLE, UNREADABLE)


def test_a_quorum_is_met_by_groups_of_groups() -> None:
    lines = policy("two").decode().splitlines()[:-1]
    trust = TrustPolicy.parse("\n".join([*lines, "group g all two club", "quorum g"]).encode())
    keys = {name: signer.key.public for name, signer in WITNESSES.items()}
    assert trust.is_met_by({keys["club"], keys["university"]})
    assert not trust.is_met_by({keys["federation"], keys["university"]})
    assert trust.since({keys["federation"]: 1, keys["university"]: 2, keys["club"]: 3}) == 3


def test_a_stranger_to_the_policy_is_refuted(both: Both) -> None:
    both.policy = f"log {LOG}\nquorum none\n".encode()
    assert both.of(copied()) == (REFUTED, REFUTED)
    told = [one.text for one in both.findings if one.clause == "notes"]
    assert told
    assert all(text.endswith("or the policy, or other keys that are believed, has none of its log") for text in told)
    assert both.capsys.readouterr().out.count("or the policy is not that of this log") == len(told)


def test_the_one_file_imports_nothing_but_the_standard_library() -> None:
    source = (ROOT / "clients" / "verify" / "verify_roundlog.py").read_text(encoding="utf-8")
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


def test_every_kind_of_stream_is_known_to_the_verifier() -> None:
    """Otherwise its events would be passed over as those of a newer program."""
    for one in kept():
        for service in [one.service] if one.service else SERVICES:
            known = KINDS[service].get(one.decider.kind)
            assert known is not None, f"{one.decider.kind} of {service}"
            assert set(known.decider.decoders) == {event.__name__ for event in one.decider.events}
