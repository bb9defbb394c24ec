import assert from 'node:assert/strict';
import { test } from 'node:test';

import { roomsOf, shortened } from '../src/pages/desk/room_names.ts';

test('a line is a room, with its tables one by one or as ranges', () => {
  assert.deepEqual(roomsOf('Library: L1-3, 7\n\n Hall : 10-11, stage\nCellar'), [
    { name: 'Library', tables: ['L1', 'L2', 'L3', '7'] },
    { name: 'Hall', tables: ['10', '11', 'stage'] },
    { name: 'Cellar', tables: [] },
  ]);
  assert.equal(roomsOf('Hall: 1-99999999')[0]?.tables.length, 1000);
  assert.deepEqual(roomsOf('Hall: 5-3')[0]?.tables, []);
});

test('what follows each other is shown as a range, and read again as it was', () => {
  for (const tables of [['L1', 'L2', 'L3', '7'], ['1', '3', '4'], ['01', '02'], ['A', 'B1', 'C2', 'C3', 'C1'], []]) {
    assert.deepEqual(roomsOf(`Hall: ${shortened(tables).join(', ')}`)[0]?.tables, tables);
  }
  assert.deepEqual(shortened(['L1', 'L2', 'L3', '7']), ['L1-3', '7']);
});
