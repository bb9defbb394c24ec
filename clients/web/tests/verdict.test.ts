/** What a player is told of a result that somebody else has decided. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { verdictOf } from '../src/pages/desk/verdict.ts';

const result = (one: number, other: number) => ({
  scores: [one, other],
  points: one > other ? [1, 0] : [0, 1],
  winner: one > other ? 0 : 1,
  end: 'played',
  by: [] as number[],
});
const report = (entrant: string | null, one: number, other: number) => ({ entrant, result: result(one, other) });

const said = (final: object, ...reports: object[]) =>
  verdictOf(final as never, reports as never, ({ entrant }) => entrant === 'own');

test('what both sides have said is theirs', () => {
  assert.deepEqual(said(result(401, 350), report('own', 401, 350)), { otherwise: false, byOfficial: false });
  assert.deepEqual(said(result(401, 350), report('other', 401, 350)), { otherwise: false, byOfficial: false });
});

test('what nobody of them has said, an official has decided', () => {
  assert.deepEqual(said(result(350, 410), report('own', 401, 350), report('other', 400, 350)), { otherwise: true, byOfficial: true });
  assert.deepEqual(said(result(350, 410), report(null, 350, 410)), { otherwise: false, byOfficial: true });
});

test('the last report of a side counts, and what it said before does not', () => {
  assert.deepEqual(said(result(350, 410), report('own', 401, 350), report('own', 350, 410)), { otherwise: false, byOfficial: false });
  assert.deepEqual(said(result(350, 410), report('own', 401, 350), report('other', 350, 410)), { otherwise: true, byOfficial: false });
});
