import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inAddress, matches } from '../src/parts/search.ts';

test('names are found as people type them', () => {
  for (const typed of ['obrien', "o'brien", 'O’Brien', 'OBrien sean', 'seán o']) assert.ok(matches(typed, "Seán O'Brien"), typed);
  for (const typed of ['anna-mária', 'anna maria', 'annamaria', 'maria kral']) assert.ok(matches(typed, 'Anna-Mária Kráľová'), typed);
  for (const typed of ['lukasz', 'łukasz', 'Lodz']) assert.ok(matches(typed, 'Łukasz', 'Łódź'), typed);
});

test('what is hyphenated is found in a name that is not, and nobody by what is not there', () => {
  assert.ok(matches('anna-maria', 'Anna Mária Kráľová'));
  assert.ok(matches('', 'Anna', null, undefined, 7));
  assert.ok(!matches('obrian', "Seán O'Brien"));
  assert.ok(!matches('anna 8', 'Anna', 7));
});

test('a name in an address keeps its letters, without their marks', () => {
  assert.equal(inAddress('Školská liga Łódź-Žilina'), 'skolska-liga-lodz-zilina');
});
