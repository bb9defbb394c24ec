/** How orders are sent: once more by the same key as long as it is not known what came of them, and also where a browser gives no locks. */

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import type { Outcome } from '../src/api/answer_cache.ts';
import type { To } from '../src/api/orders.ts';
import type { MyEntry } from '../src/api/own.ts';
import type { MyselfShown } from 'roundlog/registration/types.gen.ts';

import './as_page.ts';

const { askAhead } = await import('../src/api/answer_cache.ts');
const { foreseen, ordered } = await import('../src/api/orders.ts');
const { enterMyself, sayOfEntry } = await import('../src/api/own.ts');
const { enter } = await import('../src/api/sending.ts');
const { signIn } = await import('../src/api/session.ts');

const problem = { type: '/problems/unexpected', title: '', status: 500, detail: '' };

/** With which keys an order is sent when somebody presses again after each of these answers. */
async function keysOf(...answers: { status?: number; data?: object }[]): Promise<string[]> {
  const keys: string[] = [];
  const what = answers.map(({ status }) => status).join();
  for (const answer of answers) await ordered(what, noting(keys, answer));
  return keys;
}

function noting(keys: string[], { status, data }: { status?: number; data?: object }): (to: To) => Promise<Outcome<object>> {
  return async ({ headers }) => {
    keys.push(headers['Idempotency-Key']);
    if (status === undefined) return {};
    return { response: new Response(null, { status }), ...(data ? { data } : { error: { ...problem, status } }) };
  };
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

test('what says how something shall be is meant anew when it is said again, since its opposite may have been said between', async () => {
  const keys: string[] = [];
  for (const answer of [{}, { status: 200, data: {} }]) await ordered('check-in', noting(keys, answer), true);
  const [first, second] = keys;
  assert.notEqual(first, second);
});

test('as long as it is waited for it has one key', async () => {
  const keys: string[] = [];
  const answers = [{ status: 503 }, { status: 200, data: {} }].map((answer) => noting(keys, answer));
  await ordered('undo', (to) => answers[keys.length]?.(to) ?? Promise.resolve({}), true);
  const [first, second, ...others] = keys;
  assert.equal(first, second);
  assert.deepEqual(others, []);
});

test('until the page shows that it is done, whoever presses again sends the same once more, and it happens once', async () => {
  const keys: string[] = [];
  const press = () => ordered('call a reserve', noting(keys, { status: 200, data: {} }));
  let answer = (_: Outcome<object>) => undefined as void;
  const asked = askAhead('own/registration/tournament', () => new Promise((come) => (answer = come)));
  await press();
  await press();
  answer({ data: {} });
  await asked;
  await new Promise((passed) => setTimeout(passed));
  await press();
  const [first, second, third] = keys;
  assert.equal(first, second);
  assert.notEqual(second, third);
});

/** With which key each is sent of what somebody says of their own entry, none of which is answered. */
async function sentUnanswered(...said: (() => Promise<unknown>)[]): Promise<{ path: string; key: string | null }[]> {
  const sent: { path: string; key: string | null }[] = [];
  globalThis.fetch = async (input) => {
    const { url, headers } = input as Request;
    sent.push({ path: new URL(url).pathname.split('/').slice(4).join('/'), key: headers.get('Idempotency-Key') });
    throw new TypeError('Failed to fetch');
  };
  for (const say of said) await say();
  return sent;
}

test('who enters, withdraws and enters again is not answered by the first entry', async () => {
  const entry = { tournament: 't', entry: { entrant: { id: 'e' } } } as MyEntry;
  const go = () => enterMyself({ tournament: 't', federation: 'f' }, { person: 'p' } as MyselfShown, { name: '', particulars: {}, consents: [] });
  const sent = await sentUnanswered(
    go,
    () => sayOfEntry('withdrawEntrant', entry),
    go,
    () => sayOfEntry('withdrawEntrant', entry),
    () => sayOfEntry('confirmPlace', entry),
    () => sayOfEntry('confirmPlace', entry),
  );
  assert.deepEqual(sent.map(({ path }) => path.split('/').at(-1)), ['entrants', 'withdraw', 'entrants', 'withdraw', 'confirm', 'confirm']);
  assert.equal(new Set(sent.map(({ key }) => key)).size, sent.length);
});

test('where a browser that keeps nothing gives no locks either, what is entered is sent all the same', async () => {
  const sent: string[] = [];
  const locks = { request: () => Promise.reject(new DOMException('Access is denied.', 'SecurityError')) };
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true, locks } });
  const answer = new Promise<void>((done) => {
    globalThis.fetch = async (input) => {
      sent.push(new URL((input as Request).url).pathname);
      done();
      return Response.json({ id: 'g1' });
    };
  });
  await signIn(`a.${btoa(JSON.stringify({ sub: 'scorer-1' }))}.c`);
  const told = { tournament: 't', stage: 'swiss', round: 1, table: '1', seats: [], said: '' };
  await enter('g1', { act: 'report', told, body: { scores: [421, 377] } });
  await answer;
  assert.deepEqual(sent, ['/results/v1/games/g1/reports']);
});

test('what would come of something is waited for no longer than the order: a button that hung could be pressed no more', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const looked = foreseen(() => new Promise<Outcome<object>>(() => undefined));
  mock.timers.tick(20_000);
  mock.timers.reset();
  assert.equal((await looked).problem?.type, '/problems/offline');
});
