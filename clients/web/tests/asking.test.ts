/** How long a page waits for what it asks. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { now } from '../src/api/clock.ts';
import { asking } from '../src/api/crowded.ts';

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
