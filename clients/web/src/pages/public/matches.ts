/** Matches that knock out: what came of each, and where it is drawn. */

import type { GameListed } from '../../api/public.ts';
import type { Seat } from '../../parts/names.ts';
import type { Texts } from '../../texts/index.ts';

export type Side = { seat: Seat; score: number | undefined; won: boolean };
export type Match = { key: string; stage: string; name: string; sides: Side[]; column: number };

export const WIDTH = 272;
const LONGEST = 25; // letters of a line, when it has won and is bold
export const LINE = 26;
export const BELOW = 17; // from one line of a name to the next
const BETWEEN = 56; // columns
const APART = 30; // matches of a column
export const TOP = 36;

/** Broken between the persons of a team, then between words; a word that is too long for a line is broken within. */
export function inLines(name: string): string[] {
  const persons = name.includes(' / ') ? name.split('/ ').map((one, at, all) => (at < all.length - 1 ? `${one}/` : one)) : [];
  const parts = persons.length ? persons.flatMap((one) => (one.length > LONGEST ? one.split(' ') : one)) : name.split(' ');
  const words = parts.flatMap((word) => word.match(new RegExp(`.{1,${LONGEST}}`, 'gu')) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length && longer.length <= LONGEST) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** How high each row has to be, so that the longest of these names stands in it. */
export function rowFor(names: string[]): number {
  return LINE + BELOW * Math.max(0, ...names.map((name) => inLines(name).length - 1));
}

/** Games of one match together, in the columns in which they are played. */
export function matchesOf(games: GameListed[], stages: string[]): Match[] {
  const byMatch = new Map<string, GameListed[]>();
  for (const game of games) {
    const key = `${game.stage} ${game.match ?? `${game.round}/${game.table}`}`;
    byMatch.set(key, [...(byMatch.get(key) ?? []), game]);
  }
  const steps = [...byMatch].map(([key, played]) => ({ key, played, step: stepOf(played[0], stages) }));
  const columns = [...new Set(steps.map(({ step }) => step))].sort((one, other) => one - other);
  return steps.map(({ key, played, step }) => ({
    key,
    stage: played[0]?.stage ?? '',
    name: played[0]?.match ?? '',
    sides: sidesOf(played),
    column: columns.indexOf(step),
  }));
}

function stepOf(game: GameListed | undefined, stages: string[]): number {
  return game ? stages.indexOf(game.stage) * 1000 + game.round : 0;
}

function sidesOf(played: GameListed[]): Side[] {
  const counted = played.filter(({ result }) => result);
  const wins = new Map<string, number>();
  for (const { seats, result } of counted) {
    const winner = typeof result?.winner === 'number' ? seats[result.winner] : undefined;
    if (winner) wins.set(winner.entrant, (wins.get(winner.entrant) ?? 0) + 1);
  }
  const best = Math.max(0, ...wins.values());
  return (played[0]?.seats ?? []).map((seat) => {
    const single = counted.length === 1 ? counted[0] : undefined;
    const at = single?.seats.findIndex(({ entrant }) => entrant === seat.entrant) ?? -1;
    const scores = (single?.result?.scores.length ? single.result.scores : single?.result?.points) as number[] | undefined;
    return {
      seat,
      score: single ? scores?.[at] : counted.length ? (wins.get(seat.entrant) ?? 0) : undefined,
      won: best > 0 && wins.get(seat.entrant) === best && [...wins.values()].filter((one) => one === best).length === 1,
    };
  });
}

type Box = Match & { x: number; y: number; height: number };

/** Those that lead to the same match stand beside each other, so that no line crosses another. */
function untangled(matches: Match[]): Match[] {
  const found = new Set<Match>();
  const follow = (match: Match) => {
    matches.filter((one) => feeds(one, match, matches)).forEach(follow);
    found.add(match);
  };
  [...matches].sort((one, other) => other.column - one.column).forEach(follow);
  return [...found];
}

/** `row`: how high a side is. */
export function placed(matches: Match[], row: number): Box[] {
  const boxes: Box[] = [];
  const all = untangled(matches);
  const columns = Math.max(-1, ...matches.map(({ column }) => column)) + 1;
  for (let column = 0; column < columns; column++) {
    let free = TOP;
    const own = all.filter((one) => one.column === column);
    const fed = (match: Match) => matches.some((one) => feeds(one, match, matches));
    for (const match of [...own.filter(fed), ...own.filter((one) => !fed(one))]) {
      const height = match.sides.length * row;
      const from = boxes.filter((box) => box.column < column && feeds(box, match, matches));
      const middle = from.length ? from.reduce((sum, box) => sum + box.y + box.height / 2, 0) / from.length : free;
      const y = Math.max(free, from.length ? middle - height / 2 : free);
      boxes.push({ ...match, x: column * (WIDTH + BETWEEN), y, height });
      free = y + height + APART;
    }
  }
  return boxes;
}

/** The winner of the one has the other as the next match. */
export function feeds(one: Match, other: Match, all: Match[]): boolean {
  const winner = one.sides.find(({ won }) => won)?.seat.entrant;
  const next = all
    .filter((match) => match.column > one.column && match.sides.some(({ seat }) => seat.entrant === winner))
    .sort((a, b) => a.column - b.column)[0];
  return winner !== undefined && next?.key === other.key;
}

/** `SF2` is the second semifinal; what a ruleset calls in its own way stays as it is. */
export function matchName(texts: Texts, match: string): string {
  const [, kind = '', number = ''] = /^([A-Za-z]+)(\d*)$/.exec(match) ?? [];
  const name = texts.matches[kind];
  return name ? `${name} ${number}`.trim() : match;
}
