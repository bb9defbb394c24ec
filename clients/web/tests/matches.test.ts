/** Where matches that knock out are drawn, and how whole the names in them are. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inLines, LINE, placed, rowFor, type Match } from '../src/pages/public/matches.ts';

function match(key: string, column: number, winner: string, loser: string): Match {
  const sides = [winner, loser].map((entrant) => ({ seat: { entrant, name: entrant }, score: undefined, won: entrant === winner }));
  return { key, stage: 'play-off', name: key, sides, column };
}

test('matches that lead to the same one stand beside each other, so that no line crosses another', () => {
  const quarters = [match('QF1', 0, 'a', 'b'), match('QF2', 0, 'c', 'd'), match('QF3', 0, 'e', 'f'), match('QF4', 0, 'g', 'h')];
  const boxes = placed([...quarters, match('SF1', 1, 'a', 'e'), match('SF2', 1, 'c', 'g'), match('F', 2, 'c', 'a')], LINE);
  const inOrder = (column: number) => boxes.filter((box) => box.column === column).sort((one, other) => one.y - other.y).map(({ key }) => key);
  assert.deepEqual(inOrder(0), ['QF1', 'QF3', 'QF2', 'QF4']);
  assert.deepEqual(inOrder(1), ['SF1', 'SF2']);
});

test('what leads nowhere yet stays in the order in which it is played', () => {
  const boxes = placed([match('QF1', 0, 'a', 'b'), match('QF2', 0, 'c', 'd'), match('QF3', 0, 'e', 'f')], LINE);
  assert.deepEqual(boxes.map(({ key }) => key), ['QF1', 'QF2', 'QF3']);
});

test('a long name stands in several lines, and nothing of it is left out', () => {
  const name = 'Boris K. / Cecília K. / Dušan K. / Ema K. / Fedor K.';
  assert.deepEqual(inLines(name), ['Boris K. / Cecília K. /', 'Dušan K. / Ema K. /', 'Fedor K.']);
  assert.equal(inLines('Wolfeschlegelsteinhausenbergerdorff').join(''), 'Wolfeschlegelsteinhausenbergerdorff');
  assert.deepEqual(inLines('Ng Wu'), ['Ng Wu']);
  assert.ok(rowFor(['Ng Wu', name]) > rowFor(['Ng Wu']));
});
