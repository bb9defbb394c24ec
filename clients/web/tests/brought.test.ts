/** What becomes of a file that is loaded later and does not come. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { brought } from '../src/parts/brought.ts';

const html = (start: string) => `<script type="module" src="/assets/${start}.js"></script><div id="app">`;

/** A page that was opened when its start was `old`; what its address answers now, and how often it was loaded anew. */
function opened(t: TestContext, answer: () => Promise<Response>): { reloads: () => number } {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reloads = 0;
  const location = { pathname: '/desk', reload: () => reloads++ };
  const document = { querySelector: () => ({ getAttribute: () => '/assets/old.js' }) };
  for (const [name, value] of Object.entries({ location, document })) Object.defineProperty(globalThis, name, { value, configurable: true });
  globalThis.fetch = answer;
  return { reloads: () => reloads };
}

const settled = () => new Promise((done) => setImmediate(done));

test('where the product was updated meanwhile, the page is loaded anew', async (t) => {
  const { reloads } = opened(t, async () => new Response(html('new')));
  void brought(() => Promise.reject(new TypeError('404')));
  await settled();
  assert.equal(reloads(), 1);
});

const still: [string, () => Promise<Response>][] = [
  ['the network is away', () => Promise.reject(new TypeError('offline'))],
  ['the page is of the same version', async () => new Response(html('old'))],
  ['a network answers with a page of its own', async () => new Response('<h1>Welcome</h1>')],
  ['the proxy could not', async () => new Response(html('new'), { status: 502 })],
];
for (const [where, answer] of still) {
  test(`where ${where}, the file is asked for again until it comes`, async (t) => {
    const { reloads } = opened(t, answer);
    let asked = 0;
    const file = brought(() => (++asked < 3 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('it')));
    for (const _ of [1, 2]) {
      await settled();
      t.mock.timers.tick(3_000);
    }
    assert.deepEqual([await file, asked, reloads()], ['it', 3, 0]);
  });
}
