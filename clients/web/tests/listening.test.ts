import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { listening, type Connection } from '../../typescript/src/listening.ts';

const CUT_OFF = 12;

/** How long somebody waits each time before they connect again, where `heard` says in which tries something is heard. */
async function pauses(heard: number[], how?: ResponseInit): Promise<number[]> {
  const leaving = new AbortController();
  const waited: number[] = [];
  let tries = 0;
  const timers = mock.method(globalThis, 'setTimeout', ((later: () => void, after: number) => {
    if (after < 30_000) waited.push(after); // and not how long silence is borne
    queueMicrotask(after < 30_000 ? later : () => undefined);
    return 0;
  }) as unknown as typeof setTimeout);
  const told = mock.method(globalThis, 'fetch', async () => new Response(new Blob([':\n\n']).stream(), how));
  const open = async ({ fetch }: Connection) => {
    if (heard.includes(tries)) await fetch('http://127.0.0.1/live').then((answer) => answer.text(), () => undefined);
    if (++tries === CUT_OFF) leaving.abort();
    return { stream: (async function* () {})() };
  };
  try {
    for await (const _ of listening(open, { signal: leaving.signal })) assert.fail('nothing is told');
  } finally {
    timers.mock.restore();
    told.mock.restore();
  }
  return waited;
}

test('who is refused or cut off comes again ever more seldom, and not all of them together', async () => {
  const waited = await pauses([]);
  const longest = waited.map((_, tries) => Math.min(250 * 2 ** tries, 8_000));
  assert.equal(waited.length, CUT_OFF);
  assert.ok(waited.every((after, tries) => after >= longest[tries]! / 2 && after <= longest[tries]!), String(waited));
  assert.notDeepEqual(await pauses([]), waited);
});

test('once something was heard, the first time is soon', async () => {
  const waited = await pauses([7]);
  assert.ok(waited[6]! >= 4_000);
  assert.ok(waited[7]! <= 250);
});

test('the page that a network gives instead of a stream is nothing that was heard', async () => {
  const waited = await pauses([7], { headers: { 'Content-Type': 'text/html' } });
  assert.ok(waited[7]! >= 4_000);
});

test('what cannot be gone on from is not asked for again', async () => {
  const leaving = new AbortController();
  const asked: (string | undefined)[] = [];
  const told = mock.method(globalThis, 'fetch', async () => new Response('{}', { status: asked.length === 1 ? 503 : 422 }));
  const open = async ({ headers, fetch }: Connection) => {
    asked.push(headers['Last-Event-ID']);
    await fetch('http://127.0.0.1/live');
    if (asked.length === 3) leaving.abort();
    return { stream: (async function* () {})() };
  };
  try {
    for await (const _ of listening(open, { seen: '7', signal: leaving.signal })) assert.fail('nothing is told');
  } finally {
    told.mock.restore();
  }
  assert.deepEqual(asked, ['7', '7', undefined]);
});
