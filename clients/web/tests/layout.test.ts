import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blocksFit, cardsFit, FAR, inPages, laidOut, linesOf, namesFit } from '../src/pages/hall/layout.ts';

const PROJECTOR = { width: 1837, height: 780, unit: 29.7 };
const PHONE = { width: 366, height: 560, unit: 16 };
const people = (many: number, words = [2.6, 3.4]) => Array.from({ length: many }, () => ({ words, end: 1.8 }));

test('words are put on lines as they stand, and one that is wider than the place has none', () => {
  assert.equal(linesOf([3, 3, 3], 6.5), 2);
  assert.equal(linesOf([3, 3, 3], 10), 1);
  assert.equal(linesOf([3, 7], 6), Infinity);
  assert.equal(linesOf([], 6), 1);
});

test('pages are filled evenly', () => {
  assert.deepEqual(inPages([1, 2, 3, 4, 5], 2), [[1, 2, 3], [4, 5]]);
  assert.deepEqual(inPages([], 3), []);
});

test('the fewer there are, the larger they stand, and none is left out', () => {
  const sizes = [6, 16, 24, 48, 100].map((many) => {
    const { pages, columns, font } = laidOut(people(many), PROJECTOR, 4, namesFit, FAR);
    assert.equal(pages.flat().length, many);
    for (const page of pages) assert.ok(namesFit(page, columns, PROJECTOR.width / font, PROJECTOR.height / font), `${many}`);
    return { many: pages.length, font };
  });
  assert.deepEqual(sizes.map(({ many }) => many), [1, 1, 1, 2, 3]);
  for (const [at, { font }] of sizes.entries()) {
    assert.ok(font >= FAR * PROJECTOR.unit && font <= 2.7 * PROJECTOR.unit);
    assert.ok(at === 0 || sizes[at]?.many !== sizes[at - 1]?.many || font <= (sizes[at - 1]?.font ?? 0));
  }
  assert.ok((sizes[2]?.font ?? 0) > 48, 'twenty-four fill a projector');
});

test('teams whose persons are their name stand there whole', () => {
  const { pages, columns, font } = laidOut(people(12, [4.6, 3.6, 4.4, 4.4, 3]), PROJECTOR, 4, namesFit);
  assert.deepEqual([pages.length, columns], [1, 3]);
  assert.ok(font > 1.4 * PROJECTOR.unit);
});

test('a word that no line holds leaves nobody out and makes nobody else small', () => {
  const { pages, font } = laidOut([{ words: [90], end: 2 }, ...people(2)], PHONE, 1, namesFit);
  assert.deepEqual(pages.map((page) => page.length), [3]);
  assert.equal(font, laidOut(people(2), PHONE, 1, namesFit).font);
});

test('cards and groups stand beside each other where they have room', () => {
  const card = { seats: [...people(2)].map((one) => ({ ...one, home: true })), noted: true };
  assert.equal(laidOut(Array.from({ length: 12 }, () => card), PROJECTOR, 3, cardsFit).columns, 3);
  assert.equal(laidOut(Array.from({ length: 12 }, () => card), PHONE, 1, cardsFit).columns, 1);
  const group = { titled: true, rows: people(6).map((one) => ({ ...one, end: 8 })) };
  const { pages, columns } = laidOut([group, group], PROJECTOR, 3, blocksFit);
  assert.deepEqual([pages.length, columns], [1, 2]);
});
