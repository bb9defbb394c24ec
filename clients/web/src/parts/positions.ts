/** Games that are recorded move by move: what stands on the board after each move, and what each move says. */

import type { Texts } from '../texts/index.ts';

export type Colour = 'black' | 'white' | 'cross' | 'nought';
export type Piece = { row: number; column: number; colour: Colour; number: number };
export type Position = { size: number; pieces: Piece[]; last: Piece | undefined };

const COLOURS: { [game: string]: [Colour, Colour] } = {
  'gomoku-cfp': ['black', 'white'],
  'gomoku-pisqworky': ['cross', 'nought'],
};
export const LETTERS = 'abcdefgh';

/** The positions from the beginning to the end, one more than there are moves. The service has found them by the rules. */
export function positionsOf(game: string, moves: unknown[]): Position[] {
  return game === 'othello' ? othello(moves as string[]) : gomoku(COLOURS[game] ?? ['black', 'white'], moves);
}

/** A stone is a pair of numbers. Where no colour is named, it follows from what lies on the board. */
function gomoku([first, second]: [Colour, Colour], moves: unknown[]): Position[] {
  let pieces: Piece[] = [];
  const positions: Position[] = [{ size: 15, pieces, last: undefined }];
  for (const move of moves) {
    let last: Piece | undefined;
    if (Array.isArray(move)) {
      const [row, column, named] = move as [number, number, Colour?];
      last = { row, column, colour: named ?? next(pieces, first, second), number: pieces.length + 1 };
      pieces = [...pieces, last];
    }
    positions.push({ size: 15, pieces, last });
  }
  return positions;
}

function next(pieces: Piece[], first: Colour, second: Colour): Colour {
  const of = (colour: Colour) => pieces.filter((piece) => piece.colour === colour).length;
  if (of(first) !== of(second)) return of(first) < of(second) ? first : second;
  return pieces.at(-1)?.colour === first ? second : first;
}

/** A move turns what it encloses, in every direction. */
function othello(moves: string[]): Position[] {
  const board = new Map<string, Piece>();
  const lay = (square: string, colour: Colour, number: number) => {
    const piece = { row: Number(square[1]) - 1, column: LETTERS.indexOf(square[0] ?? ''), colour, number };
    board.set(square, piece);
    return piece;
  };
  lay('e4', 'black', 0);
  lay('d5', 'black', 0);
  lay('d4', 'white', 0);
  lay('e5', 'white', 0);
  const positions: Position[] = [{ size: 8, pieces: [...board.values()], last: undefined }];
  let mover: Colour = 'black';
  moves.forEach((move, index) => {
    let last: Piece | undefined;
    if (/^[a-h][1-8]$/.test(move)) {
      for (const square of turned(board, move, mover)) lay(square, mover, board.get(square)?.number ?? 0);
      last = lay(move, mover, index + 1);
    }
    mover = other(mover);
    positions.push({ size: 8, pieces: [...board.values()], last });
  });
  return positions;
}

const other = (colour: Colour): Colour => (colour === 'black' ? 'white' : 'black');

function turned(board: Map<string, Piece>, square: string, mover: Colour): string[] {
  const [column, row] = [LETTERS.indexOf(square[0] ?? ''), Number(square[1])];
  const found: string[] = [];
  for (const down of [-1, 0, 1]) {
    for (const right of [-1, 0, 1]) {
      const line: string[] = [];
      for (let step = 1; ; step++) {
        const reached = `${LETTERS[column + right * step] ?? '-'}${row + down * step}`;
        const piece = down || right ? board.get(reached) : undefined;
        if (!piece) break;
        if (piece.colour === mover) {
          found.push(...line);
          break;
        }
        line.push(reached);
      }
    }
  }
  return found;
}

/** A move in words: `black h8`, `takes white`. */
export function moveSaid(texts: Texts, move: unknown, position: Position | undefined): string {
  if (position?.last) {
    const { row, column, colour } = position.last;
    const where = position.size === 8 ? `${LETTERS[column]}${row + 1}` : `${column}–${row}`;
    return texts.record.lays(texts.record.colours[colour] ?? colour, where);
  }
  const said = (typeof move === 'object' && move !== null ? move : {}) as { take?: string; offer?: string; accept?: string; decline?: string; claim?: string; resign?: number };
  if (said.take) return texts.record.takes(texts.record.colours[said.take] ?? said.take);
  if (said.offer) return texts.record.offers;
  if (said.accept) return texts.record.accepts;
  if (said.decline) return texts.record.declines;
  if (said.claim) return said.claim === 'five' ? texts.record.claimsFive : texts.record.claimsTime;
  if (said.resign !== undefined) return texts.record.resigns;
  return texts.record.passes;
}
