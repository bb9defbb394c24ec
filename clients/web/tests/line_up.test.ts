import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seatedAt } from '../src/pages/desk/line_up.ts';

test('two of a team change places', () => {
  assert.deepEqual(seatedAt(0, 'B', ['A', 'B', 'C']), ['B', 'A', 'C']);
  assert.deepEqual(seatedAt(0, 'D', ['A', 'B', 'C']), ['D', 'B', 'C']);
});

test('where fewer have come, nobody sits at several boards', () => {
  assert.deepEqual(seatedAt(2, '', ['A', '', 'C']), ['A', '', '']);
});
