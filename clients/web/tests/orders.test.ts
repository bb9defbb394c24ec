/** How an order is sent once more: by its key as long as it is not known what came of it. */

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

const CLIENTS = new URL('../../typescript/', import.meta.url);

registerHooks({
  resolve: (name, context, next) => {
    const [, from, path] = /^(roundlog|roundlog-calling)\/(.*)$/.exec(name) ?? [];
    return from ? next(new URL(`${from === 'roundlog' ? 'generated' : 'src'}/${path}`, CLIENTS).href, context) : next(name, context);
  },
});
const page = { addEventListener: () => undefined, document: new EventTarget(), location: new URL('http://roundlog.test/desk') };
for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true });

Reflect.deleteProperty(globalThis, 'BroadcastChannel'); // which would wait for other tabs for ever

const { ordered } = await import('../src/api/orders.ts');

const problem = { type: '/problems/unexpected', title: '', status: 500, detail: '' };

/** With which keys an order is sent when somebody presses again after each of these answers. */
async function keysOf(...answers: { status?: number; data?: object }[]): Promise<string[]> {
  const keys: string[] = [];
  const what = answers.map(({ status }) => status).join();
  for (const { status, data } of answers) {
    await ordered(what, async ({ headers }) => {
      keys.push(headers['Idempotency-Key']);
      if (status === undefined) return {};
      return { response: new Response(null, { status }), ...(data ? { data } : { error: { ...problem, status } }) };
    });
  }
  return keys;
}

test('what a service may have done before it failed is sent again by the same key', async () => {
  const [first, second, third] = await keysOf({ status: 500 }, { status: 200, data: {} }, { status: 200, data: {} });
  assert.equal(first, second);
  assert.notEqual(second, third);
});

test('so is what was not answered, and what was refused is another order', async () => {
  const [first, second, third] = await keysOf({}, { status: 409 }, { status: 200, data: {} });
  assert.equal(first, second);
  assert.notEqual(second, third);
});
