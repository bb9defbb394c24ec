"""The connection to the broker when it pauses, and when it breaks at the moment of saying goodbye."""

# nats-py annotates its functions in parts only, and what goes wrong is inside of the driver.
import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import nats.errors
import psutil
import pytest
import uvloop

from deploy.local import nats as server
from shared.messaging import subjects
from shared.messaging.broker import Broker, Driver, Post, login
from shared.refusals import Unavailable
from tests.integration.launching import until
from tests.patience import PATIENCE


def pause(broker: server.NatsServer) -> None:
    os.kill(broker.pid, signal.SIGSTOP)
    until(lambda: psutil.Process(broker.pid).status() == psutil.STATUS_STOPPED)


async def test_the_answer_to_a_ping_that_was_given_up_does_not_end_the_hearing(broker: server.NatsServer) -> None:
    """The broker pauses for longer than somebody waits for it, and answers when it goes on."""
    client = Driver()
    await client.connect(**login(broker.urls["registration"]))
    try:
        await client.flush(timeout=PATIENCE)  # pyrefly: ignore[bad-argument-type]
        pause(broker)
        for _ in range(3):
            with pytest.raises(nats.errors.TimeoutError):
                await client.flush(timeout=0.05)  # pyrefly: ignore[bad-argument-type]
        os.kill(broker.pid, signal.SIGCONT)
        for _ in range(3):  # the first answers are to those that nobody waits for any more
            await client.flush(timeout=PATIENCE)  # pyrefly: ignore[bad-argument-type]
        assert (await client.jetstream(timeout=PATIENCE).account_info()).limits
    finally:
        with suppress(nats.errors.Error):
            await client.close()


def test_a_connection_that_is_closed_already_ends_quietly(tmp_path: Path) -> None:
    """As the services run: the transports of uvloop refuse whatever is written to them when they are closed."""

    async def end_over_a_closed_transport() -> None:
        async with server.running(tmp_path) as running:
            broker = Broker(running.urls["registration"], name="test")
            async with broker.running():
                async with asyncio.timeout(PATIENCE):
                    while not broker._client.is_connected:
                        await asyncio.sleep(0.01)
                client = cast("Any", broker._client)
                client._pending, client._pending_data_size = [b"PING\r\n"], 6  # what it still has to say
                client._transport._io_writer.transport.abort()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(end_over_a_closed_transport())


async def test_what_is_lost_between_two_acknowledgements_is_put_into_the_stream_again(
    broker: server.NatsServer,
) -> None:
    """Also where another one writes into the same stream meanwhile, nothing is missing."""
    stream, readers = subjects.stream("results"), [subjects.reader("standings")]

    def posts(*numbers: int) -> list[Post]:
        subject = subjects.subject("results", "cup", "ResultFinal")
        return [Post(subject=subject, body=b"%d" % number, headers={}) for number in numbers]

    async def read(several: int) -> list[int]:
        found: list[int] = []
        async for batch in hearing.take(stream, reader=readers[0], at_most=several):
            found += [int(message.data) for message in batch]
            if len(found) >= several:
                break
        return found

    speaking = Broker(broker.urls["results"], name="results")
    hearing = Broker(broker.urls["standings"], name="standings")
    async with speaking.running(), hearing.running():
        await speaking.make_stream(stream, subjects=[subjects.events("results")], readers=readers)
        await speaking.post(posts(*range(8)))
        assert await speaking.count(stream) == 8, "once each where nothing is lost"
        client = cast("Any", speaking._client)
        publish, lost = client.publish, [b"10"]

        async def publish_some(subject: str, payload: bytes, **more: Any) -> None:
            if payload in lost:
                lost.remove(payload)
            else:
                await publish(subject, payload, **more)

        client.publish = publish_some
        await speaking.post(posts(*range(8, 16)))
        async with asyncio.timeout(PATIENCE):
            assert await read(23) == [*range(8), 8, 9, *range(11, 16), *range(8, 16)]
        await asyncio.gather(*(speaking.post(posts(*range(start, 48, 2))) for start in (16, 17)))
        async with asyncio.timeout(PATIENCE):
            assert set(range(16, 48)) <= set(await read(await speaking.count(stream) - 23))


async def test_what_is_posted_leaves_nothing_behind(broker: server.NatsServer) -> None:
    """A service posts a hundred times a second for months: also what is refused, or never acknowledged, takes no room."""
    stream = subjects.stream("results")
    post = Post(subject=subjects.subject("results", "cup", "ResultFinal"), body=b"1", headers={})
    speaking = Broker(broker.urls["results"], name="results")
    async with speaking.running():
        await speaking.connected()
        with pytest.raises(Unavailable, match="acknowledges nothing"):  # nobody keeps such a stream yet
            await speaking.post([post])
        await speaking.make_stream(stream, subjects=[subjects.events("results")], readers=[])
        await speaking.post([post, post])
        client = cast("Any", speaking._client)
        listens = len(client._subs)  # each with a task of its own
        for _ in range(20):
            await speaking.post([post, post, post])
        assert await speaking.count(stream) == 62
        pause(broker)
        try:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await speaking.post([post, post])
        finally:
            os.kill(broker.pid, signal.SIGCONT)
        await speaking.post([post])
        assert len(client._subs) == listens
        assert speaking._acks._awaited == {}


async def test_whoever_could_not_begin_to_listen_takes_nothing_from_those_who_share_a_queue(
    broker: server.NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker pauses just then. It would give the first listening its share of the questions, which nobody answers."""
    subject = subjects.replay("results")
    answering = Broker(broker.urls["results"], name="results")
    asking = Broker(broker.urls["standings"], name="standings")
    async with answering.running(), asking.running(), asyncio.timeout(PATIENCE):

        async def answer() -> None:
            async for question in answering.listen(subject, queue="replay"):
                await answering.tell(question.reply, question.data)

        await answering.connected()
        pause(broker)
        with monkeypatch.context() as hasty:
            hasty.setattr("shared.messaging.broker.PATIENCE", 0.1)
            with pytest.raises(Unavailable):
                await answer()
        os.kill(broker.pid, signal.SIGCONT)
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(answer())
            await answering._settle()
            for number in range(20):
                assert await asking.ask(subject, b"%d" % number) == b"%d" % number
            listening.cancel()


async def test_what_is_there_comes_while_what_came_before_is_worked_on(broker: server.NatsServer) -> None:
    """And a reader who ends with all that is there leaves no question open, whose answer would be lost."""
    stream, reader = subjects.stream("results"), subjects.reader("standings")
    subject = subjects.subject("results", "cup", "ResultFinal")
    speaking = Broker(broker.urls["results"], name="results")
    hearing = Broker(broker.urls["standings"], name="standings")
    async with speaking.running(), hearing.running(), asyncio.timeout(PATIENCE):
        await speaking.make_stream(stream, subjects=[subjects.events("results")], readers=[reader])
        await speaking.post([Post(subject=subject, body=b"%d" % number, headers={}) for number in range(25)])

        async def place() -> Any:
            return await hearing._client.jetstream(prefix=subjects.api(stream)).consumer_info(stream, reader)

        read: list[list[int]] = []
        async for batch in hearing.take(stream, reader=reader, at_most=10):
            read.append([int(message.data) for message in batch])
            while (await place()).num_ack_pending < min(10 * len(read) + 10, 25):
                await asyncio.sleep(0.01)
            if read[-1][-1] == 24:
                break
        assert read == [[*range(10)], [*range(10, 20)], [*range(20, 25)]]
        assert (await place()).num_waiting == 0


async def test_a_connection_that_comes_to_nothing_is_closed_before_the_next_one_is_tried() -> None:
    """As when a broker begins or ends: it takes the connection, and says nothing that the driver can go on from."""
    accepted = list[asyncio.StreamWriter]()
    ended = asyncio.Queue[None]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)
        if len(accepted) == 1:
            writer.write(b'INFO {"max_payload": 1000}\r\n')
            while await reader.readline() != b"PING\r\n":
                pass
            writer.write(b"PONG\r\n")
            writer.write_eof()
            return
        writer.write(b"BYE\r\n")
        await reader.read()
        ended.put_nowait(None)

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        broker = Broker(f"nats://127.0.0.1:{port}", name="results")
        async with broker.running(), asyncio.timeout(PATIENCE):
            for _ in range(2):
                await ended.get()
        for writer in accepted:
            writer.close()
