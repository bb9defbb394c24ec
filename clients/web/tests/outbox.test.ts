/** What the outbox promises, without a browser: nothing is lost, nothing is sent twice under another key, tables keep their order. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asSent, isHeld, lastWords, meaning, Outbox, type Entry, type Sent } from '../src/api/outbox.ts';

type Order = { act: string; said?: string };
type Answer = Sent | ((entry: Entry<Order>) => Sent | Promise<Sent>);

const REFUSED: Sent = { kind: 'refused', problem: { type: '/problems/result-is-final', title: '', status: 409, detail: '' } };
const AWAY: Sent = { kind: 'later', reached: false };
const BUSY: Sent = { kind: 'later', reached: true, after: 5_000 };
const DONE: Sent = { kind: 'done' };
const DAY = 24 * 3_600_000;

/** A drawer that several tabs have, and what the service has heard. */
function hall(...answers: Answer[]) {
  let kept: Entry<Order>[] = [];
  let turn: Promise<void> = Promise.resolve();
  const heard: { key: string; about: string; said: string | undefined }[] = [];
  const world = { now: 0, step: 0, keys: 0, online: true, isClosed: false, who: 'scorer-1' as string | undefined, woken: [] as (number | undefined)[] };
  const tab = () =>
    new Outbox<Order>({
      drawer: {
        all: async () => kept,
        change: async (change) => {
          if (world.isClosed) throw new Error('The drawer was closed.');
          return (kept = change(kept));
        },
      },
      send: async (entry) => {
        heard.push({ key: entry.key, about: entry.about, said: entry.order.said });
        const answer = answers.shift() ?? DONE;
        return typeof answer === 'function' ? answer(entry) : answer;
      },
      alone: (task) => (turn = turn.then(task, task)),
      now: () => (world.now += world.step) - world.step,
      online: () => world.online,
      wake: (after) => world.woken.push(after),
      newKey: () => `n${(world.keys += 1)}`,
      who: () => world.who,
    });
  const entry = (key: string, about: string, order: Order = { act: 'report' }, who = 'scorer-1') => ({ key, about, order, who });
  return { tab, entry, heard, world, kept: () => kept };
}

const entered = async (outbox: Outbox<Order>, ...kept: Parameters<Outbox<Order>['keep']>) => {
  await outbox.keep(...kept);
  await outbox.flush();
};

const states = (entries: Entry<Order>[]) => entries.map(({ key, state }) => `${key} ${state}`);

test('what was not answered is sent again, with the same key, also after a restart', async () => {
  const { tab, entry, heard, world, kept } = hall(AWAY);
  await entered(tab(), entry('k1', 'table 7'));
  assert.deepEqual(states(kept()), ['k1 waiting']);
  assert.equal(world.woken.length, 1);
  await tab().flush(); // another page, which knows nothing but the drawer
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'k1']);
  assert.deepEqual(states(kept()), ['k1 done']);
});

test('nothing is tried while there is certainly no network, and pauses grow while there seems to be one', async () => {
  const { tab, entry, heard, world } = hall(AWAY, AWAY, AWAY);
  const outbox = tab();
  world.online = false;
  await entered(outbox, entry('k1', 'table 7'));
  assert.equal(heard.length, 0);
  world.online = true;
  for (let again = 0; again < 3; again += 1) await outbox.flush();
  assert.deepEqual(world.woken, [1_000, 2_000, 4_000]);
});

test('two tabs send each entry once', async () => {
  const { tab, entry, heard, world } = hall();
  world.online = false;
  const [one, other] = [tab(), tab()];
  for (const key of ['k1', 'k2', 'k3']) await entered(one, entry(key, key));
  world.online = true;
  await Promise.all([one.flush(), other.flush(), one.resume(), other.resume()]);
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'k2', 'k3']);
});

test('what nobody can have heard of yet is replaced, and what may have arrived is not', async () => {
  const { tab, entry, heard, world, kept } = hall(AWAY);
  const outbox = tab();
  world.online = false;
  await entered(outbox, entry('k1', 'table 7', { act: 'report', said: '421:377' }));
  await entered(outbox, entry('k2', 'table 7', { act: 'report', said: '412:377' }));
  assert.deepEqual(states(kept()), ['k2 waiting']);
  world.online = true;
  await outbox.flush();
  await entered(outbox, entry('k3', 'table 7', { act: 'report', said: '414:377' }));
  assert.deepEqual(heard.map(({ said }) => said), ['412:377', '412:377', '414:377']);
});

test('a table that has to wait holds back its own entries, and no others', async () => {
  const { tab, entry, heard, world, kept } = hall(BUSY);
  const outbox = tab();
  world.online = false;
  await entered(outbox, entry('k1', 'table 7'));
  await entered(outbox, entry('k2', 'table 7', { act: 'confirm' }));
  await entered(outbox, entry('k3', 'table 8'));
  world.online = true;
  await outbox.flush();
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'k3']);
  assert.deepEqual(world.woken, [5_000]);
  await outbox.flush();
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'k3', 'k1', 'k2']);
  assert.deepEqual(states(kept()), ['k1 done', 'k2 done', 'k3 done']);
});

test('a refusal stays with its entry until it is sent again, discarded, or entered anew', async () => {
  const { tab, entry, heard, kept } = hall(REFUSED, DONE, REFUSED, DONE);
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  assert.equal(kept()[0]?.problem?.type, '/problems/result-is-final');
  await outbox.again('k1');
  assert.deepEqual([states(kept()), kept()[0]?.problem], [['n1 done'], undefined]);
  await entered(outbox, entry('k2', 'table 8'));
  await entered(outbox, entry('k3', 'table 8'));
  assert.deepEqual(states(kept()), ['n1 done', 'k3 done']);
  assert.equal(heard.length, 4);
});

test('what is held is sent when its time is over, and can be taken back until then', async () => {
  const { tab, entry, heard, world, kept } = hall();
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'), 5_000);
  await entered(outbox, entry('k2', 'table 8'), 5_000);
  await entered(outbox, entry('k3', 'table 9'));
  assert.deepEqual(heard.map(({ key }) => key), ['k3']);
  assert.equal(await outbox.drop('k2'), true);
  world.now = 5_000;
  const [first] = world.woken;
  assert.equal(first, 5_000);
  await tab().flush(); // the page was opened again meanwhile
  assert.deepEqual(heard.map(({ key }) => key), ['k3', 'k1']);
  assert.deepEqual(states(kept()), ['k1 done', 'k3 done']);
});

test('a page that was opened again waits for what is held', async () => {
  const { tab, entry, heard, world } = hall();
  await entered(tab(), entry('k1', 'table 7'), 5_000);
  world.now = 2_000;
  await tab().resume();
  assert.deepEqual([heard.length, world.woken], [0, [5_000, 3_000]]);
});

test('what is entered anew takes the place of what is held, and what comes after it keeps its order', async () => {
  const { tab, entry, heard, world } = hall();
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7', { act: 'report', said: '421:377' }), 5_000);
  await entered(outbox, entry('k2', 'table 7', { act: 'report', said: '412:377' }), 5_000);
  await entered(outbox, entry('k3', 'table 7', { act: 'confirm' }));
  assert.equal(heard.length, 0);
  world.now = 5_000;
  await outbox.flush();
  assert.deepEqual(heard.map(({ key }) => key), ['k2', 'k3']);
});

test('nothing is held where nobody looks any more, or where the clock was set back', async () => {
  const { tab, entry, heard, world } = hall();
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'), 5_000);
  await outbox.release();
  assert.equal(heard.length, 1);
  await entered(outbox, entry('k2', 'table 8'), 5_000);
  world.now = -3_600_000;
  await outbox.flush();
  assert.equal(heard.length, 2);
});

test('what was refused and is sent again is not held once more, also where the clock was set back', async () => {
  const { tab, entry, heard, world, kept } = hall(REFUSED);
  const outbox = tab();
  world.now = 60_000;
  await entered(outbox, entry('k1', 'table 7'), 5_000);
  world.now = 65_000;
  await outbox.flush();
  world.now = 62_000;
  await outbox.again('k1');
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'n1']);
  assert.deepEqual(states(kept()), ['n1 done']);
});

test('what is held is sent in its time though something else waits for the network', async () => {
  const { tab, entry, heard, world } = hall(AWAY, AWAY, AWAY, AWAY, AWAY);
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  for (let again = 0; again < 3; again += 1) await outbox.flush();
  await entered(outbox, entry('k2', 'table 8'), 5_000);
  assert.deepEqual(world.woken, [1_000, 2_000, 4_000, 8_000, 5_000]);
  assert.ok(!heard.some(({ key }) => key === 'k2'));
});

test('what was held for a millisecond still is not forgotten when that has gone by', async () => {
  const { tab, entry, heard, world } = hall();
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'), 5_000);
  [world.now, world.step] = [4_999, 1];
  await outbox.flush();
  assert.deepEqual([heard.length, world.woken], [0, [5_000, 1]]);
  await outbox.flush();
  assert.equal(heard.length, 1);
});

test('what may have arrived cannot be discarded', async () => {
  const { tab, entry, world, kept } = hall(AWAY);
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  world.online = false;
  await entered(outbox, entry('k2', 'table 8'));
  await outbox.drop('k1');
  await outbox.drop('k2');
  assert.deepEqual(states(kept()), ['k1 waiting']);
});

test('when a token has ended, entries wait for another one of the same person', async () => {
  const { tab, entry, heard, world, kept } = hall({ kind: 'signed-out' });
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  assert.equal(outbox.signedOut, true);
  await outbox.flush();
  assert.equal(heard.length, 1);
  world.who = 'scorer-2';
  await outbox.resume();
  assert.deepEqual([heard.length, states(kept())], [1, ['k1 waiting']]);
  world.who = 'scorer-1';
  await outbox.resume();
  assert.deepEqual(states(kept()), ['k1 done']);
});

test('what is older than services remember its key is not sent by itself', async () => {
  const { tab, entry, heard, world, kept } = hall(AWAY);
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  world.now = 7 * DAY;
  await entered(outbox, entry('k2', 'table 8'));
  assert.deepEqual(states(kept()), ['k1 refused', 'k2 done']);
  assert.equal(kept()[0]?.problem?.type, '/problems/too-old');
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'k2']);
});

test('what waits in a drawer that gives nothing is looked for again', async () => {
  const { tab, entry, heard, world } = hall();
  const outbox = tab();
  await outbox.keep(entry('k1', 'table 7'));
  world.isClosed = true;
  await assert.rejects(outbox.flush());
  assert.deepEqual([heard.length, world.woken], [0, [30_000]]);
  world.isClosed = false;
  await outbox.flush();
  assert.deepEqual(heard.map(({ key }) => key), ['k1']);
});

test('what is sent again although it is too old is a request of its own', async () => {
  const { tab, entry, heard, world, kept } = hall(AWAY, AWAY);
  const outbox = tab();
  await entered(outbox, entry('k1', 'table 7'));
  world.now = 6.6 * DAY; // the service knows the first one still, and would only say again what it answered to it
  await outbox.flush();
  await outbox.again('k1');
  assert.deepEqual(heard.map(({ key }) => key), ['k1', 'n1']);
  await outbox.flush();
  assert.deepEqual([heard.at(-1)?.key, states(kept())], ['n1', ['n1 done']]);
});

test('only what speaks like the service is an answer', () => {
  const isAnswer = (data: unknown) => typeof data === 'object' && data !== null && 'id' in data;
  const problem = { type: '/problems/result-is-final', title: '', status: 409, detail: '' };
  const of = (status: number, said: { data?: unknown; error?: unknown }, headers = {}) =>
    meaning({ ...said, response: new Response(null, { status, headers }) }, isAnswer).kind;
  assert.equal(of(200, { data: { id: 'g' } }), 'done');
  assert.equal(of(200, { data: '<html>Welcome to our hotel</html>' }), 'later');
  assert.equal(of(409, { error: problem }), 'refused');
  assert.equal(of(403, { error: '<html>Pay for the network</html>' }), 'later');
  assert.equal(of(401, { error: problem }), 'signed-out');
  for (const status of [408, 425, 429, 500, 502, 503]) assert.equal(of(status, { error: problem }), 'later');
  const busy = new Response(null, { status: 503, headers: { 'Retry-After': '2' } });
  assert.deepEqual(meaning({ error: problem, response: busy }, isAnswer), { kind: 'later', reached: true, after: 2_000 });
  assert.deepEqual(meaning({}, isAnswer), { kind: 'later', reached: false });
});

test('a page that is left sends what it holds, unless something of the same game goes first', async () => {
  const { tab, entry, kept, world } = hall();
  world.online = false;
  const outbox = tab();
  await outbox.keep(entry('k1', 'table 1'));
  await outbox.keep(entry('k2', 'table 1', { act: 'dispute' }), 5_000);
  await outbox.keep(entry('k3', 'table 2'), 5_000);
  await outbox.keep(entry('k4', 'table 3', { act: 'report' }, 'scorer-2'), 5_000);
  const keys = (who: string | undefined, now: number) => lastWords(kept(), who, now).map(({ key }) => key);
  assert.deepEqual(keys('scorer-1', 4_999), ['k3']);
  assert.deepEqual(keys('scorer-1', 5_000), []);
  assert.deepEqual(keys(undefined, 0), []);
});

test('what a page sent as it was left can be taken back no more, and is settled by its key', async () => {
  const { tab, entry, kept, heard } = hall();
  const outbox = tab();
  await outbox.keep(entry('k1', 'table 1'), 5_000);
  kept().splice(0, 1, ...asSent(kept(), ['k1']));
  assert.equal(kept().some((one) => isHeld(one, 0)), false);
  assert.equal(await outbox.drop('k1'), false);
  await outbox.flush();
  assert.deepEqual(heard.map(({ key }) => key), ['k1']);
  assert.deepEqual(states(kept()), ['k1 done']);
});
