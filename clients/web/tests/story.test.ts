/** How the story of a tournament comes together, where not all services answer. */

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import './as_page.ts';

mock.timers.enable({ apis: ['setTimeout'] }); // nothing is waited for until it is given up

const { momentIn, more, NOTHING } = await import('../src/api/story.ts');

const REFUSED = { type: '/problems/not-permitted', title: '', status: 403, detail: '' };

/** Services that tell one thing each, and say what they were asked; some of them cannot. */
function services(failing: Record<string, number>): string[] {
  const asked: string[] = [];
  globalThis.fetch = async (input) => {
    const { pathname, searchParams } = new URL((input as Request).url);
    const service = pathname.split('/')[1] ?? '';
    const after = searchParams.get('after');
    asked.push(after ? `${service} ${after}` : service);
    const status = failing[service];
    if (status === 0) throw new TypeError('Failed to fetch');
    if (status) return Response.json({ ...REFUSED, status }, { status, headers: { 'Content-Type': 'application/problem+json' } });
    const at = after ? '2030-05-04T08:00:00Z' : '2030-05-04T09:00:00Z';
    return Response.json({ items: [{ position: 8, at, what: 'x' }], next: after ? null : 7, names: {} });
  };
  return asked;
}

const told = (known: typeof NOTHING) => Object.values(known.parts).flatMap(({ items }) => items.map(({ service }) => service));

for (const status of [0, 500, 503]) {
  test(`a service that has not answered (${status}) is missing, and asked again, and nobody else with it`, async () => {
    services({ results: status });
    const first = await more('cup', {}, NOTHING, true);
    assert.deepEqual([told(first), Object.keys(first.missing)], [['registration', 'pairing', 'standings'], ['results']]);
    assert.equal(first.missing['results']?.passing, true);
    const asked = services({ results: status });
    const second = await more('cup', {}, first, false);
    assert.deepEqual([asked, Object.keys(second.missing)], [['results'], ['results']]);
    const again = services({});
    const third = await more('cup', {}, second, false);
    assert.deepEqual([again, told(third).sort(), third.missing], [['results'], ['pairing', 'registration', 'results', 'standings'], {}]);
  });
}

test('what is older is asked of all, also of whoever has not answered', async () => {
  services({ results: 0 });
  const first = await more('cup', {}, NOTHING, true);
  const asked = services({});
  const second = await more('cup', {}, first, true);
  assert.deepEqual(asked, ['registration 7', 'pairing 7', 'results', 'standings 7']);
  assert.deepEqual(second.missing, {});
});

test('a service that could not tell what is older is asked for that again', async () => {
  services({});
  const first = await more('cup', {}, NOTHING, true);
  services({ pairing: 0 });
  const second = await more('cup', {}, first, true);
  assert.deepEqual(Object.keys(second.missing), ['pairing']);
  const asked = services({});
  const third = await more('cup', {}, second, false);
  assert.deepEqual([asked, third.missing, third.parts['pairing']?.items.length], [['pairing 7'], {}, 2]);
});

test('a service that refuses is not asked by itself again', async () => {
  services({ results: 403 });
  const { missing } = await more('cup', {}, NOTHING, true);
  assert.deepEqual(missing, { results: { problem: REFUSED, passing: false } });
});

test('what an address says that is no moment is not said', () => {
  for (const said of [undefined, '', 'abc', '2030-05-', '2030-13-40T09:00:00Z', '1', 'May 4']) assert.equal(momentIn(said), undefined);
  for (const said of ['2030-05-04T09:00:00Z', '2030-05-04T09:00:00.000Z', '2030-05-04T09:00:00+02:00']) assert.equal(momentIn(said), said);
});
