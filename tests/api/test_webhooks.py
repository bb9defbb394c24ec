"""Webhooks: who may register one, what it is sent, and that nothing is lost however its receiver behaves."""

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from deploy.databases import connection
from shared.background import first_of
from shared.webhooks import sender
from shared.webhooks.book import WebhookBook
from tests.api.asking import problem, service
from tests.api.tables import TOURNAMENT, Hall, hall
from tests.logged import records_of
from tests.patience import PATIENCE
from tests.receiver import OK, SLOW, Receiver, receiving, so

PATH = f"/v1/tournaments/{TOURNAMENT}/webhooks"
OPEN: dict[str, Any] = {"webhook_networks": "127.0.0.0/8", "webhook_wait": "0.02"}


@pytest.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with receiving() as found:
        yield found


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database, **OPEN) as found:
        yield found


async def ask(cup: Hall, path: str = "", body: object = None, *, by: str = "dora", key: str | None = None) -> Any:
    headers = cup.signed(by) | ({"Idempotency-Key": key} if key else {})
    return await cup.client.post(f"{PATH}{path}", json=body, headers=headers)


async def registered(cup: Hall, receiver: Receiver, *kinds: str, key: str | None = None) -> dict[str, Any]:
    answer = await ask(cup, body={"url": receiver.url, "kinds": kinds or ["results"]}, key=key)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()


async def listed(cup: Hall) -> list[dict[str, Any]]:
    return (await cup.client.get(PATH, headers=cup.signed("dora"))).json()["items"]


async def deliveries(cup: Hall, webhook: str, **query: int) -> dict[str, Any]:
    return (await cup.client.get(f"{PATH}/{webhook}/deliveries", headers=cup.signed("dora"), params=query)).json()


async def finish(cup: Hall, *games: str) -> None:
    for game in games:
        assert (await cup.report(game, 380, 350, by="sue", signed_by=[0, 1])).json()["status"] == "final"


async def test_what_happens_is_sent_once_signed_and_with_its_position(cup: Hall, receiver: Receiver) -> None:
    await finish(cup, "g1")
    webhook = await registered(cup, receiver, "results", "disputes")
    await finish(cup, "g2")
    await cup.report("g3", 400, 300, by="sue")
    disputed = await cup.act("g3", "dispute", {"reason": "It was 390."}, by="sam")
    assert disputed.status_code == HTTPStatus.OK, disputed.text
    final, dispute = await receiver.until(2)
    assert (final.said["type"], final.said["service"], final.said["tournament"]) == (
        "ResultFinal",
        "results",
        TOURNAMENT,
    )
    assert (final.said["data"]["game"], final.said["data"]["scores"]) == ("g2", [380, 350])
    assert (dispute.said["type"], dispute.said["data"]["status"]) == ("ResultDisputed", "disputed")
    assert final.said["position"] < dispute.said["position"], "what was there before it was registered is not sent"
    assert final.headers["content-type"] == "application/json"

    # A library that is not ours reads the signature, and refuses what somebody else has signed or changed.
    foreign = Webhook(webhook["secret"])
    assert foreign.verify(final.body, dict(final.headers)) == final.said
    for wrong in (Webhook("whsec_" + "A" * 44), foreign):
        with pytest.raises(WebhookVerificationError):
            wrong.verify(final.body.replace(b"380", b"390"), dict(final.headers))

    records = records_of((await cup.client.get(f"/v1/log/{TOURNAMENT}", headers=cup.signed("aud"))).content)
    ids = {record["id"]: record["type"] for record in records}
    assert (ids[final.id], ids[dispute.id]) == ("ResultAgreed", "ResultDisputed")
    (told,) = [record["data"] for record in records if record["type"] == "WebhookRegistered"]
    assert told == {"webhook": webhook["id"], "tournament": TOURNAMENT, "kinds": ["results", "disputes"]}
    assert webhook["secret"] not in str(records)
    assert "127.0.0.1" not in str(records)
    await so(lambda: all_taken(cup, webhook["id"]))
    shown = (await deliveries(cup, webhook["id"]))["items"]
    assert [(one["type"], one["state"], one["code"], one["attempts"]) for one in shown] == [
        ("ResultDisputed", "delivered", OK, 1),
        ("ResultAgreed", "delivered", OK, 1),
    ]
    assert len(receiver.received) == 2


async def test_one_that_cannot_be_served_keeps_no_other_from_it(cup: Hall, receiver: Receiver) -> None:
    broken, _ = [await registered(cup, receiver) for _ in range(2)]
    async with connection(cup.database) as known:
        await known.execute("update webhooks.webhooks set secrets = '{unreadable}' where id = $1", broken["id"])
    for number, game in enumerate(("g1", "g2"), start=1):
        await finish(cup, game)
        await receiver.until(number)


async def all_taken(cup: Hall, webhook: str) -> bool:
    return all(one["state"] == "delivered" for one in (await deliveries(cup, webhook))["items"])


async def test_whoever_repeats_a_registration_is_shown_the_same_secret_and_nobody_else_any(
    cup: Hall, receiver: Receiver
) -> None:
    first, again = [await registered(cup, receiver, key="again") for _ in range(2)]
    assert first == again
    assert (await listed(cup)) == [{name: value for name, value in first.items() if name != "secret"}]
    for other in ("sue", "art", "aud"):
        refused = await ask(cup, body={"url": receiver.url, "kinds": ["results"]}, by=other)
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
        problem(await cup.client.get(PATH, headers=cup.signed(other)), HTTPStatus.FORBIDDEN, "not-permitted")
    tables = await ask(cup, body={"url": receiver.url, "kinds": ["tables"]})
    problem(tables, HTTPStatus.UNPROCESSABLE_ENTITY, "kind-not-told-here")
    for _ in range(4):
        await registered(cup, receiver)
    problem(await ask(cup, body={"url": receiver.url, "kinds": ["results"]}), HTTPStatus.CONFLICT, "too-many-webhooks")
    assert len(await listed(cup)) == 5
    gone = await ask(cup, f"/{first['id']}/remove")
    assert gone.json() == {"id": first["id"]}
    problem(await ask(cup, f"/{first['id']}/test"), HTTPStatus.NOT_FOUND, "webhook-unknown")
    assert len(await listed(cup)) == 4


async def test_whoever_repeats_a_registration_is_answered_while_its_name_leads_nowhere(
    cup: Hall, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await registered(cup, receiver, key="once")

    def nowhere(*_: object) -> asyncio.Future[object]:
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        answer.set_exception(OSError("no such name"))
        return answer

    monkeypatch.setattr("shared.webhooks.addresses.looked_up", nowhere)
    assert await registered(cup, receiver, key="once") == first
    another = await ask(cup, body={"url": receiver.url, "kinds": ["results"]}, key="another")
    problem(another, HTTPStatus.UNPROCESSABLE_ENTITY, "address-not-for-webhooks")


@pytest.mark.parametrize("turns", range(12))
async def test_whoever_waits_can_be_stopped_whenever_something_comes(turns: int) -> None:
    """A service that is told to stop just when a webhook is woken would otherwise never do so."""
    woken = asyncio.Event()

    async def wait_again_and_again() -> None:
        while True:
            woken.clear()
            await first_of([woken.wait(), asyncio.Event().wait()], PATIENCE)

    waiting = asyncio.create_task(wait_again_and_again())
    await asyncio.sleep(0)
    woken.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting], timeout=PATIENCE / 10)
    assert waiting.cancelled()


async def test_addresses_of_the_inside_are_refused_in_words_that_say_nothing_of_it(database: str) -> None:
    async with hall(database) as cup:
        said: set[str | None] = set()
        for url in (
            "https://127.0.0.1/",
            "https://localhost:8443/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://10.1.2.3/",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[2002:7f00:1::]/",
            "https://224.0.0.1/",
            "https://no-such-name.invalid/",
            "http://93.184.216.34/",
        ):
            refused = await ask(cup, body={"url": url, "kinds": ["results"]})
            said.add(problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "address-not-for-webhooks").detail)
        assert len(said) == 1
        for url in (
            "ftp://example.org/",
            "https://a:b@example.org/",
            "https://example.org:25/",
            "https://x/\r\nA: b",
            "x",
        ):
            refused = await ask(cup, body={"url": url, "kinds": ["results"]})
            problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "address-not-for-webhooks")
        assert await listed(cup) == []


async def test_a_receiver_that_fails_redirects_or_is_away_gets_everything_in_the_end_with_the_same_ids(
    cup: Hall, receiver: Receiver
) -> None:
    answers = iter([500, 302, 429])
    receiver.location = receiver.url
    receiver.answers = lambda _: next(answers, OK)
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    tries = list(await receiver.until(4))
    assert len({one.id for one in tries}) == 1
    assert len({one.body for one in tries}) == 1, "the body follows from the log"
    await so(lambda: all_taken(cup, webhook["id"]))

    await receiver.close()
    await finish(cup, "g2", "g3")

    async def is_failing() -> bool:
        return (await listed(cup))[0]["failures"] > 1

    await so(is_failing)
    (waiting,) = await listed(cup)
    assert (waiting["state"], waiting["waiting"], bool(waiting["failing_since"])) == ("active", 2, True)
    shown = (await deliveries(cup, webhook["id"], limit=1))["items"][0]
    assert (shown["state"], shown["code"], bool(shown["next_at"])) == ("waiting", None, True)
    assert shown["problem"] is None or "reached" in shown["problem"]
    await receiver.open()
    await so(lambda: all_taken(cup, webhook["id"]))
    assert sorted(one.said["data"]["game"] for one in receiver.received[4:]) == ["g2", "g3"]
    assert (await listed(cup))[0]["failing_since"] is None


async def test_a_slow_receiver_keeps_nobody_else_waiting(cup: Hall, receiver: Receiver) -> None:
    async with receiving() as slow:
        slow.answers = lambda _: SLOW
        await registered(cup, slow)
        await registered(cup, receiver)
        await finish(cup, "g1", "g2", "g3")
        await receiver.until(3)
        assert len(await slow.until(1)) == 1, "one delivery at a time"


async def test_one_that_takes_long_to_answer_lets_others_have_their_turn(
    database: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "AT_ONCE", 1)
    monkeypatch.setattr(sender, "TURN", 0.1)
    receiver.delay = 0.3
    async with receiving() as other, hall(database, **OPEN) as cup:
        for one in (receiver, other):
            await registered(cup, one)
        await finish(cup, "g1", "g2", "g3")
        await other.until(2)
        assert len(receiver.received) <= 2, "it was told everything before anybody else"
        await receiver.until(3)
        await other.until(3)


async def test_a_webhook_that_is_restarted_while_it_is_called_is_called_once_at_a_time(
    cup: Hall, receiver: Receiver
) -> None:
    answers = iter([HTTPStatus.SERVICE_UNAVAILABLE])
    receiver.answers = lambda _: next(answers, SLOW)
    webhook = await registered(cup, receiver)
    await finish(cup, "g1", "g2")
    await receiver.until(2)  # and the second call is not answered yet
    await ask(cup, f"/{webhook['id']}/test")
    await ask(cup, f"/{webhook['id']}/restart")
    await asyncio.sleep(1)
    assert len(receiver.received) == 2, "one delivery at a time"


async def test_whoever_restarts_a_webhook_during_a_call_that_fails_does_not_wait_as_long_as_that_one_would(
    database: str, receiver: Receiver
) -> None:
    answers = iter([HTTPStatus.SERVICE_UNAVAILABLE, SLOW])
    receiver.answers = lambda _: next(answers, OK)
    patient: dict[str, Any] = {**OPEN, "webhook_wait": "5"}
    async with hall(database, **patient) as cup:
        webhook = await registered(cup, receiver)
        await finish(cup, "g1")
        await receiver.until(1)
        await so(lambda: is_failing(cup))
        async with connection(database) as admin:  # the next attempt is the last one
            await admin.execute("update webhooks.deliveries set attempts = 11")
        await receiver.until(2)
        assert (await ask(cup, f"/{webhook['id']}/restart")).json()["state"] == "active"
        await receiver.until(3)
        await so(lambda: all_taken(cup, webhook["id"]))


async def is_failing(cup: Hall) -> bool:
    return (await listed(cup))[0]["failures"] > 0


async def is_stopped(cup: Hall) -> bool:
    return (await listed(cup))[0]["state"] == "stopped"


async def test_a_stopped_webhook_is_restarted_where_it_was(cup: Hall, receiver: Receiver, database: str) -> None:
    receiver.answers = lambda _: HTTPStatus.GONE
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    await so(lambda: is_stopped(cup))
    await finish(cup, "g2")
    problem(await ask(cup, f"/{webhook['id']}/test"), HTTPStatus.CONFLICT, "webhook-stopped")
    receiver.answers = lambda _: OK
    assert (await ask(cup, f"/{webhook['id']}/restart")).json()["state"] == "active"
    await receiver.until(3)
    assert [one.said["data"]["game"] for one in receiver.received] == ["g1", "g1", "g2"]

    receiver.answers = lambda _: HTTPStatus.SERVICE_UNAVAILABLE
    await finish(cup, "g3")
    await receiver.until(4)
    async with connection(database) as admin:
        await admin.execute("update webhooks.webhooks set failing_since = now() - interval '4 days', next_at = now()")
    await so(lambda: is_stopped(cup))


async def test_whoever_restarts_a_webhook_too_early_loses_nothing(cup: Hall, receiver: Receiver, database: str) -> None:
    receiver.answers = lambda _: HTTPStatus.GONE
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    await so(lambda: is_stopped(cup))
    async with connection(database) as admin:  # as after three days
        await admin.execute("update webhooks.deliveries set attempts = 20")
    await ask(cup, f"/{webhook['id']}/restart")
    await receiver.until(2)
    await so(lambda: is_stopped(cup))
    assert (await listed(cup))[0]["waiting"] == 1
    receiver.answers = lambda _: OK
    await ask(cup, f"/{webhook['id']}/restart")
    await so(lambda: all_taken(cup, webhook["id"]))
    assert [one.said["data"]["game"] for one in receiver.received] == ["g1"] * 3


async def test_a_paused_webhook_hears_nothing_and_then_everything(database: str, receiver: Receiver) -> None:
    async with hall(database, **OPEN) as cup:
        webhook = await registered(cup, receiver)
        for _ in range(2):
            assert (await ask(cup, f"/{webhook['id']}/pause", key="wait")).json()["state"] == "paused"
        await finish(cup, "g1")
        for act in ("test", "deliveries/1/send-again"):
            assert (await ask(cup, f"/{webhook['id']}/{act}")).status_code >= HTTPStatus.BAD_REQUEST
        async with connection(database) as admin:  # as if it had been killed before this was said beside the log
            await admin.execute("update webhooks.webhooks set state = 'active', position = position + 1000")
    async with service(database, name="results", signed_in=False, rate="0", **OPEN) as client:
        again = Hall(client=client, database=database)

        async def is_paused() -> bool:
            return (await listed(again))[0]["state"] == "paused"

        await so(is_paused)
        async with connection(database) as admin:
            await admin.execute("update webhooks.webhooks set position = position - 1000")
        await finish(again, "g2")
        assert receiver.received == []
        for _ in range(2):
            assert (await ask(again, f"/{webhook['id']}/restart", key="go on")).json()["state"] == "active"
        assert [one.said["data"]["game"] for one in await receiver.until(2)] == ["g1", "g2"]
        await ask(again, f"/{webhook['id']}/pause", key="wait once more")
        for key, act in (("wait", "pause"), ("go on", "restart")):
            repeated = await ask(again, f"/{webhook['id']}/{act}", key=key)
            assert repeated.json()["state"] == "paused", "what was asked long ago changes nothing any more"


async def test_whoever_repeats_a_request_for_a_delivery_gets_one(cup: Hall, receiver: Receiver) -> None:
    webhook = await registered(cup, receiver)
    test = f"/{webhook['id']}/test"
    first, same = [(await ask(cup, test, key="try")).json() for _ in range(2)]
    assert first["id"] == same["id"]
    await receiver.until(1)
    await so(lambda: all_taken(cup, webhook["id"]))
    again = f"/{webhook['id']}/deliveries/{first['number']}/send-again"
    for _ in range(2):
        await ask(cup, again, key="once more")
    await receiver.until(2)
    await so(lambda: all_taken(cup, webhook["id"]))
    await ask(cup, again, key="once more")
    await ask(cup, test, key="another")
    received = await receiver.until(3)
    assert [one.id == first["id"] for one in received] == [True, True, False]
    records = records_of((await cup.client.get(f"/v1/log/{TOURNAMENT}", headers=cup.signed("aud"))).content)
    asked = [record["type"] for record in records if record["type"] in {"WebhookTested", "DeliveryAskedFor"}]
    assert asked == ["WebhookTested", "DeliveryAskedFor", "WebhookTested"]


async def test_tests_and_repeats_are_sent_with_the_secrets_that_hold(cup: Hall, receiver: Receiver) -> None:
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    await receiver.until(1)
    assert (await ask(cup, f"/{webhook['id']}/test")).json()["type"] == "webhook.test"
    (first, test) = await receiver.until(2)
    assert (test.said["type"], test.said["data"], test.said["position"]) == ("webhook.test", None, None)
    rotated = (await ask(cup, f"/{webhook['id']}/rotate-secret", key="anew")).json()
    assert (await ask(cup, f"/{webhook['id']}/rotate-secret", key="anew")).json() == rotated
    assert rotated["secret"] != webhook["secret"]
    await so(lambda: all_taken(cup, webhook["id"]))
    path, as_dora = f"{PATH}/{webhook['id']}/deliveries", cup.signed("dora")
    newest = await cup.client.get(path, headers=as_dora, params={"limit": 1})
    (oldest,) = (await cup.client.get(newest.links["next"]["url"], headers=as_dora)).json()["items"]
    number = oldest["number"]
    assert (newest.json()["items"][0]["type"], oldest["type"]) == ("webhook.test", "ResultAgreed")
    await ask(cup, f"/{webhook['id']}/deliveries/{number}/send-again")
    again = (await receiver.until(3))[-1]
    assert (again.id, again.body) == (first.id, first.body)
    for secret in (webhook["secret"], rotated["secret"]):
        Webhook(secret).verify(again.body, dict(again.headers))
    problem(await ask(cup, f"/{webhook['id']}/deliveries/999999/send-again"), HTTPStatus.NOT_FOUND, "delivery-unknown")


async def test_of_what_waits_nothing_more_is_sent_once_a_webhook_is_paused(
    database: str, cup: Hall, receiver: Receiver
) -> None:
    receiver.answers = lambda _: HTTPStatus.SERVICE_UNAVAILABLE
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    await receiver.until(1)
    book = WebhookBook(database)
    async with book.running(), connection(database) as admin:
        await ask(cup, f"/{webhook['id']}/pause")  # while some copy of the service is in the middle of what waits
        await admin.execute("update webhooks.deliveries set next_at = now()")
        assert await book.next(webhook["id"]) is None


async def test_a_rotation_that_is_refused_or_comes_again_late_leaves_the_secret_as_it_is(
    cup: Hall, receiver: Receiver
) -> None:
    webhook = await registered(cup, receiver)
    path = f"/{webhook['id']}/rotate-secret"
    stale = cup.signed("dora") | {"If-Match": '"999"'}
    problem(await cup.client.post(f"{PATH}{path}", headers=stale), HTTPStatus.PRECONDITION_FAILED, "changed-since")
    await ask(cup, f"/{webhook['id']}/test")
    (first,) = await receiver.until(1)
    Webhook(webhook["secret"]).verify(first.body, dict(first.headers))
    assert len(first.headers["webhook-signature"].split()) == 1, "no other secret signs beside it"
    await ask(cup, path, key="once")
    newest = (await ask(cup, path, key="twice")).json()["secret"]
    assert (await ask(cup, path, key="once")).json()["secret"] == newest


async def test_two_copies_of_a_service_send_once(database: str, receiver: Receiver) -> None:
    async with hall(database, **OPEN) as cup, service(database, name="results", signed_in=False, rate="0", **OPEN):
        webhook = await registered(cup, receiver)
        await finish(cup, "g1", "g2", "g3")
        await receiver.until(3)
        await so(lambda: all_taken(cup, webhook["id"]))
        assert [one.said["data"]["game"] for one in receiver.received] == ["g1", "g2", "g3"]


async def test_a_service_that_is_gone_in_the_middle_of_a_call_leaves_nothing_unsent(
    database: str, receiver: Receiver
) -> None:
    receiver.answers = lambda _: SLOW
    async with hall(database, **OPEN) as cup:
        await registered(cup, receiver)
        await finish(cup, "g1", "g2")
        (unanswered,) = await receiver.until(1)
    async with connection(database) as admin:
        assert await admin.fetchval("select called_until from webhooks.webhooks") is None, "nobody calls it any more"
    receiver.answers = lambda _: OK
    async with service(database, name="results", signed_in=False, rate="0", **OPEN):
        received = await receiver.until(3)
        assert received[1].id == unanswered.id
        assert received[1].body == unanswered.body
        assert received[2].said["data"]["game"] == "g2"


async def test_what_was_registered_and_not_yet_known_as_such_becomes_active(database: str, receiver: Receiver) -> None:
    """Whoever is killed between the log and what stands beside it has left the log behind, which is right."""
    async with hall(database, **OPEN) as cup:
        await registered(cup, receiver)
        removed = await registered(cup, receiver)
        await ask(cup, f"/{removed['id']}/remove")
        async with connection(database) as admin:
            await admin.execute("update webhooks.webhooks set state = 'asked'")
            await admin.execute(
                "insert into webhooks.webhooks (id, tournament, url, kinds, secrets, state, position) "
                "select $1, tournament, url, kinds, secrets, 'active', position from webhooks.webhooks",
                removed["id"],
            )
    async with service(database, name="results", signed_in=False, rate="0", **OPEN) as client:
        again = Hall(client=client, database=database)

        async def is_as_the_log_says() -> bool:
            return [one["id"] != removed["id"] for one in await listed(again)] == [True]

        await so(is_as_the_log_says)
        await finish(again, "g3")
        await receiver.until(1)


async def test_of_what_is_too_large_it_is_only_told_that_it_is_there(
    cup: Hall, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "LARGEST", 10)
    await registered(cup, receiver)
    await finish(cup, "g1")
    (one,) = await receiver.until(1)
    assert (one.said["type"], one.said["data"], one.said["omitted"]) == ("ResultFinal", None, True)


async def test_what_happens_is_written_no_slower_where_nobody_answers(cup: Hall, receiver: Receiver) -> None:
    """A result is final while its webhook is still being called."""
    receiver.answers = lambda _: SLOW
    webhook = await registered(cup, receiver)
    await finish(cup, "g1")
    await receiver.until(1)
    await finish(cup, "g2", "g3")
    assert (await deliveries(cup, webhook["id"]))["items"][-1]["state"] == "waiting"
