/**
 * Whether a result is so far from what is usual that somebody may have mistyped it. No rule forbids it, so it is asked about once and
 * then believed. What is usual is what the other sheets of the round say; before there are enough of them, what the game is known for.
 */

import type { Family } from './report_form.tsx';

const ENOUGH = 8; // scores: a quarter of them is two
const FAR = 3; // times what the middle half spreads over, as Tukey has it
const NARROW = 0.25; // of the middle: a round in which all are alike does not make the next one odd
const SQUARES = 64;

/** Where scores of one side mostly are. */
const KNOWN_FOR: Partial<Record<NonNullable<Family>, [number, number]>> = { scrabble: [120, 700], carcassonne: [20, 250] };

export function isUnlikely(family: Family, scores: number[], others: number[][]): boolean {
  if (family === 'othello') return sumOf(scores) !== SQUARES; // a board that is not full: it ended early, or a disc was not counted
  const usual = family && KNOWN_FOR[family];
  if (!usual) return false;
  const { least, most, margin } = around(others.flat()) ?? { least: usual[0], most: usual[1], margin: usual[1] - usual[0] };
  return scores.some((score) => score < least || score > most) || Math.max(...scores) - Math.min(...scores) > margin;
}

function sumOf(scores: number[]): number {
  return scores.reduce((all, one) => all + one, 0);
}

/** From where to where a score is no surprise, and how far apart two of them may be. */
function around(known: number[]): { least: number; most: number; margin: number } | undefined {
  if (known.length < ENOUGH) return undefined;
  const sorted = known.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  const [lower, middle, upper] = [at(0.25), at(0.5), at(0.75)];
  const margin = FAR * Math.max(upper - lower, NARROW * Math.abs(middle));
  return { least: lower - margin, most: upper + margin, margin };
}
