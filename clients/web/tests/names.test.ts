/** Names beside each other keep their sides, whichever way they are written. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { versus } from '../src/parts/names.ts';

test('each name is isolated, and what stands between them is not', () => {
  assert.equal(versus(['דוד כהן', 'ليلى حداد']), '\u2068דוד כהן\u2069 – \u2068ليلى حداد\u2069');
  assert.equal(versus(['Ada']), '\u2068Ada\u2069');
  assert.equal(versus([]), '');
});
