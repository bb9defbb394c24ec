/** What stands on a board after each move, against games whose end is known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { positionsOf, type Colour } from '../src/parts/positions.ts';

const count = (game: string, moves: unknown[], colour: Colour) =>
  positionsOf(game, moves).at(-1)?.pieces.filter((piece) => piece.colour === colour).length;

test('a move of Othello turns what it encloses, in every direction', () => {
  const moves = ['f5', 'd6', 'c3', 'd3', 'c4'];
  assert.equal(positionsOf('othello', moves).length, moves.length + 1);
  assert.deepEqual([count('othello', moves, 'black'), count('othello', moves, 'white')], [6, 3]);
});

test('the shortest game of Othello ends with nothing left of white', () => {
  const moves = ['e6', 'f4', 'e3', 'f6', 'g5', 'd6', 'e7', 'f5', 'c5'];
  assert.deepEqual([count('othello', moves, 'black'), count('othello', moves, 'white')], [13, 0]);
});

test('whoever passes leaves the move to the other side', () => {
  const moves = ['f5', 'd6', 'c5', 'f4', 'pass', 'd3'];
  const positions = positionsOf('othello', moves);
  assert.equal(positions[5]?.pieces.length, positions[4]?.pieces.length);
  assert.deepEqual([positions[4]?.last?.colour, positions[6]?.last?.colour], ['white', 'white']);
});

test('stones follow one another, and who has fewer of them lays the next', () => {
  const moves = [[7, 7], [7, 8], [8, 8], { take: 'white' }, [6, 6], [5, 5]];
  const { pieces = [], last } = positionsOf('gomoku-cfp', moves).at(-1) ?? {};
  assert.deepEqual(pieces.map(({ colour }) => colour), ['black', 'white', 'black', 'white', 'black']);
  assert.deepEqual([last?.row, last?.column, last?.number], [5, 5, 5]);
});

test('colours that an opening leaves open are taken as they were written', () => {
  const moves = [[7, 7, 'nought'], [7, 8, 'nought'], [8, 8, 'cross'], { take: 'cross' }, [6, 6], [5, 5]];
  const colours = positionsOf('gomoku-pisqworky', moves).at(-1)?.pieces.map(({ colour }) => colour);
  assert.deepEqual(colours, ['nought', 'nought', 'cross', 'cross', 'nought']);
});
