/** What opens the pages where the network is slow, or goes away in the middle of one. */

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

type Fetching = { request: Partial<Request>; respondWith: (answer: Promise<Response>) => void };

const listeners = new Map<string, (event: Fetching) => void>();
const address = new URL('http://roundlog.test/desk');
const worker = {
  self: { addEventListener: (on: string, listen: (event: Fetching) => void) => listeners.set(on, listen) },
  location: address,
  caches: { match: async () => new Response('<p>kept</p>') },
  FILES: [],
  VERSION: '1',
};
for (const [name, value] of Object.entries(worker)) Object.defineProperty(globalThis, name, { value, configurable: true });
await import('../src/worker.ts');

mock.timers.enable({ apis: ['setTimeout'] });

/** Its headers come at once, and of its body a piece; then the rest, or nothing until whoever asked gives it up. */
function network(kind: string, rest?: string): void {
  globalThis.fetch = async (_, init) => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        const say = (words: string) => stream.enqueue(new TextEncoder().encode(words));
        say('<p>newest');
        if (rest === undefined) return init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason));
        say(rest);
        stream.close();
      },
    });
    return new Response(body, { headers: { 'Content-Type': kind } });
  };
}

function opened(): Promise<Response> {
  return new Promise((open) =>
    listeners.get('fetch')?.({ request: { method: 'GET', mode: 'navigate', url: address.href }, respondWith: (answer) => open(answer) }),
  );
}

const turn = () => new Promise((done) => setImmediate(done));

test('a page is the newest that there is', async () => {
  network('text/html; charset=utf-8', '</p>');
  assert.equal(await (await opened()).text(), '<p>newest</p>');
});

test('where a page begins to come and comes no further, the one that was kept is opened', async () => {
  network('text/html; charset=utf-8');
  const answer = opened();
  await turn();
  mock.timers.tick(4_000);
  assert.equal(await (await answer).text(), '<p>kept</p>');
});

test('what is no page is not given up once it has begun to come', async () => {
  network('text/csv');
  const answer = await opened();
  mock.timers.tick(600_000);
  const first = await answer.body?.getReader().read();
  assert.equal(new TextDecoder().decode(first?.value), '<p>newest');
});
