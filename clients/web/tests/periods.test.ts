import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PERIODS, periodsIn } from '../src/pages/desk/periods.ts';

test('clocks by moves are read as they are typed', () => {
  assert.deepEqual(periodsIn(' 40/90  30 '), [{ moves: 40, minutes: 90 }, { minutes: 30 }]);
  assert.deepEqual(periodsIn('30/45'), [{ moves: 30, minutes: 45 }]);
  assert.deepEqual(periodsIn(''), []);
});

test('what cannot be read is not sent', () => {
  const fits = new RegExp(`^(?:${PERIODS})$`, 'v');
  for (const typed of ['40/90 30', '30/45', ' 15 ']) assert.ok(fits.test(typed), typed);
  for (const typed of ['40/', '/90', '40-90', 'ninety']) assert.ok(!fits.test(typed), typed);
});
