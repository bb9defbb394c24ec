/** How long a page waits for what it asks. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { now } from '../src/api/clock.ts';
import { asking } from '../src/api/crowded.ts';
import './resolving.ts';

const early: { [address: string]: Promise<Response> | null } = {};
Object.defineProperty(globalThis, 'early', { value: early });

const { registration } = await import('../src/api/clients.ts');

const HERE = 'http://roundlog.test/standings';

/** A network that takes what is sent and never answers. */
function silence(): { sent: Request[] } {
  const sent: Request[] = [];
  globalThis.fetch = (input, init) =>
    new Promise((_, refuse) => {
      const request = new Request(input, init);
      sent.push(request);
      request.signal.addEventListener('abort', () => refuse(request.signal.reason as Error));
    });
  return { sent };
}

test('a question that is not answered is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  silence();
  const answer = asking(HERE);
  t.mock.timers.tick(59_000);
  assert.equal(await Promise.race([answer, 'waits']), 'waits');
  t.mock.timers.tick(1_000);
  await assert.rejects(answer, { name: 'AbortError' });
});

test('who asked may give it up before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  silence();
  const leaving = new AbortController();
  const answer = asking(HERE, { signal: leaving.signal });
  leaving.abort();
  await assert.rejects(answer, { name: 'AbortError' });
});

test('who has given it up already asks nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent } = silence();
  void asking(HERE, { signal: AbortSignal.abort() }).catch(() => undefined);
  assert.deepEqual(sent.map((request) => request.signal.aborted), [true]);
});

test('an act goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent } = silence();
  void asking(HERE, { method: 'POST', body: '{}' });
  t.mock.timers.tick(600_000);
  assert.deepEqual(sent.map((request) => request.signal.aborted), [false]);
});

test('what time it is the services say, where the clock of the device is wrong', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2030, 4, 4, 11, 0) });
  globalThis.fetch = async () => Response.json({}, { headers: { Date: 'Sat, 04 May 2030 09:00:00 GMT' } });
  await asking(HERE);
  assert.equal(now(), Date.UTC(2030, 4, 4, 9, 0));
  t.mock.timers.setTime(Date.UTC(2030, 4, 4, 9, 0, 5)); // it was put right
  await asking(HERE);
  assert.equal(now(), Date.now());
});

test('a page that a network gives instead of the service is no answer, whatever was asked', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = { headers: { 'Content-Type': 'text/html; charset=utf-8' } };
  globalThis.fetch = async () => new Response('<h1>Welcome to the hall</h1>', page);
  await assert.rejects(asking(HERE), TypeError);
  await assert.rejects(asking(HERE, { method: 'POST', body: '{}' }), TypeError);
  globalThis.fetch = async () => Response.json({ id: '7' });
  assert.deepEqual(await (await asking(HERE)).json(), { id: '7' });
});

/** What the page is answered that asks for what the HTML has asked, which was answered so; and how often it has asked itself. */
function taken(t: TestContext, answer: Promise<Response>): { answer: Promise<unknown>; asked: string[] } {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => 1_000);
  const asked: string[] = [];
  globalThis.fetch = async (input) => {
    asked.push((input as Request).url);
    return Response.json({ from: 'page' });
  };
  early[HERE] = answer;
  const { origin, pathname } = new URL(HERE);
  return { answer: registration.get({ baseUrl: origin, url: pathname }).then(({ data }) => data), asked };
}

const turn = () => new Promise((done) => setImmediate(done));

test('what the HTML has asked is not asked again', async (t) => {
  const { answer, asked } = taken(t, Promise.resolve(Response.json({ from: 'html' })));
  assert.deepEqual([await answer, asked], [{ from: 'html' }, []]);
});

const unheard: [string, () => Promise<Response>][] = [
  ['is never answered', () => new Promise(() => undefined)],
  ['is never answered to its end', async () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([123])) }))],
];
for (const [how, silent] of unheard) {
  test(`what the HTML has asked and ${how} is asked again`, async (t) => {
    const { answer, asked } = taken(t, silent());
    await turn();
    t.mock.timers.tick(59_000);
    await turn();
    assert.deepEqual(asked, []);
    t.mock.timers.tick(1_000);
    assert.deepEqual([await answer, asked], [{ from: 'page' }, [HERE]]);
  });
}

test('so is at once what breaks off', async (t) => {
  const { answer, asked } = taken(t, Promise.resolve(new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }))));
  assert.deepEqual([await answer, asked], [{ from: 'page' }, [HERE]]);
});
