/** The board of a game, as it stands after a move. */

import { LETTERS, type Position } from './positions.ts';

const CELL = 30;
const EDGE = 24;

export function Board({ position, title, id }: { position: Position; title: string; id: string }) {
  const { size, pieces, last } = position;
  const side = 2 * EDGE + size * CELL;
  const between = size === 15; // lines cross where stones lie; discs lie between them
  const shift = between ? CELL / 2 : 0;
  const lines = Array.from({ length: between ? size : size + 1 }, (_, index) => EDGE + shift + index * CELL);
  const [from, to] = [lines[0] ?? 0, lines.at(-1) ?? 0];
  const middle = (index: number) => EDGE + (index + 0.5) * CELL;
  return (
    <svg class="board" viewBox={`0 0 ${side} ${side}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      <rect class="wood" width={side} height={side} rx={8} />
      <path class="lines" d={lines.map((at) => `M${from} ${at}H${to}M${at} ${from}V${to}`).join('')} />
      {Array.from({ length: size }, (_, index) => (
        <g key={index} class="names">
          <text x={middle(index)} y={EDGE / 2}>{size === 8 ? LETTERS[index] : index}</text>
          <text x={EDGE / 2} y={middle(index)}>{size === 8 ? index + 1 : index}</text>
        </g>
      ))}
      {pieces.map((piece) => {
        const { row, column, colour, number } = piece;
        const isLast = last?.row === row && last.column === column;
        return (
          <g key={`${row} ${column}`} class={`piece ${colour}${isLast ? ' last' : ''}`} transform={`translate(${middle(column)} ${middle(row)})`}>
            {colour === 'cross' ? <path d="M-11-11 11 11M-11 11 11-11" /> : <circle r={12.5} />}
            {isLast && <circle class="mark" r={size === 8 ? 4 : 15} />}
            {size === 15 && <text>{number}</text>}
          </g>
        );
      })}
    </svg>
  );
}
