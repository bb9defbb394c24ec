/** What the desk asks about once more, and what it takes as it is. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isUnlikely } from '../src/pages/desk/unlikely.ts';

const ROUND = [[421, 377], [350, 401], [310, 365], [455, 290], [398, 402]];

test('before others have written anything, what the game is known for says what is usual', () => {
  assert.equal(isUnlikely('scrabble', [421, 377], []), false);
  for (const scores of [[4210, 377], [421, 37], [42, 377], [0, 0], [421, -5]]) assert.equal(isUnlikely('scrabble', scores, []), true, String(scores));
  assert.equal(isUnlikely('carcassonne', [92, 88, 71, 40], []), false);
  assert.equal(isUnlikely('carcassonne', [92, 880, 71, 40], []), true);
});

test('the sheets of the round say what is usual as soon as there are enough of them', () => {
  for (const scores of [[520, 260], [300, 301], [600, 350]]) assert.equal(isUnlikely('scrabble', scores, ROUND), false, String(scores));
  for (const scores of [[4210, 377], [421, 37], [980, 377]]) assert.equal(isUnlikely('scrabble', scores, ROUND), true, String(scores));
  const children = ROUND.map((sheet) => sheet.map((score) => Math.round(score / 5)));
  assert.equal(isUnlikely('scrabble', [84, 70], children), false);
  assert.equal(isUnlikely('scrabble', [840, 70], children), true);
});

test('where all sheets are alike the next one may differ', () => {
  const alike = ROUND.map(() => [401, 301]);
  assert.equal(isUnlikely('scrabble', [402, 302], alike), false);
  assert.equal(isUnlikely('scrabble', [390, 350], alike), false);
  assert.equal(isUnlikely('scrabble', [401, 31], alike), true);
});

test('a margin is asked about that is wider than sheets of the round spread', () => {
  assert.equal(isUnlikely('scrabble', [640, 340], ROUND), true);
});

test('a board of Othello is full, and duels are told by who has won', () => {
  assert.equal(isUnlikely('othello', [40, 24], []), false);
  assert.equal(isUnlikely('othello', [40, 2], []), true);
  assert.equal(isUnlikely('gomoku-pisqworky', [9, 1], ROUND), false);
});
