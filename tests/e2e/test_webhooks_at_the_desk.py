"""Webhooks as a director has them at the desk: in a real browser, with a receiver that takes, fails and is gone."""

from http import HTTPStatus

from standardwebhooks.webhooks import Webhook

from deploy.demo.preparation import director
from tests.e2e.test_desk import Hall, Phone, hall, phones
from tests.e2e.test_pages import NOT_FOUND
from tests.integration.launching import Platform
from tests.receiver import OK, Received, Receiver, receiving

ROUNDS = "Rounds that are published, recalled or repaired"


async def test_a_director_sees_what_became_of_each_delivery(platform: Platform) -> None:
    async with (
        hall(platform) as played,
        phones(platform, "director", "pocket") as (boss, pocket),
        receiving() as receiver,
    ):
        link = platform.run("token", "operator", "--link").stdout.strip()
        link = link.replace("/desk#", f"/desk/webhooks?tournament={played.cup.id}#")
        await boss.do("arrive", wide=True)
        await boss.open(link)
        await boss.sees("No webhook has been registered yet.")
        secret = await register(boss, receiver)
        await finish_a_game(played, receiver, secret)
        await fail(boss, receiver)
        await pocket.do("arrive", language="sk", theme="dark")
        await pocket.open(link)
        await pocket.sees("zastavený")
        await pocket.do("unfold", words="Správy")
        await pocket.sees("odpoveď 410")
        await pocket.look("director-webhooks-phone")
        await come_back(boss, receiver)
        await remove(boss)
        gone = [f"{NOT_FOUND} {boss.origin}/{by}{played.cup.path}/webhooks/" for by in ("pairing", "results")]
        await boss.said_nothing_wrong(link, *gone)  # its deliveries may be asked for in the moment in which it goes


async def register(boss: Phone, receiver: Receiver) -> str:
    """At two services with one press, each of which has a secret of its own. Nobody calls what is inside."""
    await boss.do("tick", label=ROUNDS)
    await boss.do("fill", label="Address, which begins with https://", **{"with": "http://10.0.0.1/hook"})
    await boss.do("press", button="Register a webhook")
    await boss.sees("A webhook does not lead there")
    await boss.look("director-webhook-refused")
    await boss.do("fill", label="Address, which begins with https://", **{"with": receiver.url})
    await boss.do("press", button="Register a webhook")
    await boss.sees("Secret of Pairing")
    await boss.sees("Secret of Results")
    await boss.look("director-webhook-secrets")
    await boss.do("press", button="Copy: Secret of Results")
    await boss.sees("Copied")
    for _ in range(2):
        await boss.do("press", button="Close")
    await boss.do("await", words="Keep it now", gone=True)
    return str(await boss.do("copied"))


async def finish_a_game(played: Hall, receiver: Receiver, secret: str) -> None:
    body = {"scores": [421, 377], "signed_by": [0, 1]}
    await director(played.network).act("results", f"/v1/games/{played.games[0]['game']}/reports", body)
    (final,) = await receiver.until(1)
    assert said(final, secret)["type"] == "ResultFinal"


async def fail(boss: Phone, receiver: Receiver) -> None:
    """The webhook of pairing stands first: what it is answered stops it."""
    await boss.do("press", button="Send a test")
    await boss.sees("taken")
    await boss.sees("answered 204")
    receiver.answers = lambda _: HTTPStatus.INTERNAL_SERVER_ERROR
    await boss.do("press", button="Send again")
    await boss.sees("answered 500")
    await boss.sees("next attempt")
    await boss.look("director-webhook-failing")
    receiver.answers = lambda _: HTTPStatus.GONE
    await boss.do("press", button="Send a test")
    await boss.sees("stopped")
    await boss.sees("answered 410")
    await boss.look("director-webhook-stopped")


async def come_back(boss: Phone, receiver: Receiver) -> None:
    """What waited is sent, and what follows is signed with another secret too."""
    receiver.answers = lambda _: OK
    await boss.do("press", button="Call it again")
    await boss.do("await", words="stopped", gone=True)
    await boss.do("await", words="answered 410", gone=True)
    await boss.do("press", button="Pause it")
    await boss.sees("paused")
    await boss.look("director-webhook-paused")
    await boss.do("press", button="Call it again")
    await boss.do("await", words="paused", gone=True)
    await boss.do("unfold", words="Make another secret")
    await boss.do("press", button="Make another secret")
    await boss.do("press", button="Copy: Secret of Pairing")
    count = len(receiver.received)
    await boss.do("press", button="Send a test")
    assert said((await receiver.until(count + 1))[-1], str(await boss.do("copied")))["type"] == "webhook.test"


async def remove(boss: Phone) -> None:
    for _ in range(2):
        await boss.do("unfold", words="Remove the webhook")
        await boss.do("press", button="Remove the webhook")
        await boss.do("await", words="Secret of Pairing", gone=True)  # stood at the first
    await boss.sees("No webhook has been registered yet.")


def said(one: Received, secret: str) -> dict[str, object]:
    """As a library reads it that is not ours."""
    verified = Webhook(secret).verify(one.body, dict(one.headers))
    assert verified == one.said
    return one.said
