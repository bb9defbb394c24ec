/**
 * How many lines of the screen go on a page, and how large: pure. Sizes of the screen are pixels, everything else is in ems of the
 * font that is looked for. Nothing is cut off and nothing scrolls: what does not fit at the least font goes on another page.
 */

/** `unit` is the font of what stands around the page. */
export type Room = { width: number; height: number; unit: number };
export type Layout<Item> = { pages: Item[][]; columns: number; font: number };

/** Whether a page fits into so much, in so many columns. */
export type Fits<Item> = (page: Item[], columns: number, width: number, height: number) => boolean;

const LEAST = 1.2; // of the unit
const MOST = 2.7;
const FINER = 1.02;

/** As few pages as can be read from afar, and all of them as large as the fullest of them allows. */
export function laidOut<Item>(items: Item[], { width, height, unit }: Room, most: number, fits: Fits<Item>, smallest = LEAST): Layout<Item> {
  const choices = Array.from({ length: most }, (_, fewer) => most - fewer);
  const least = unit * smallest;
  const isOrdinary = (item: Item) => fits([item], 1, width / least, height / least); // what is too long even alone costs others nothing
  const fitting = (pages: Item[][], font: number) =>
    choices.find((columns) => pages.every((page) => fits(page.filter(isOrdinary), columns, width / font, height / font)));
  let many = 1;
  while (many < items.length && !fitting(inPages(items, many), least)) many += 1;
  const pages = inPages(items, many);
  let found = { columns: fitting(pages, least) ?? 1, font: least };
  for (let font = least * FINER; font <= unit * MOST; font *= FINER) {
    const columns = fitting(pages, font);
    if (!columns) break;
    found = { columns, font };
  }
  return { pages, ...found };
}

/** Three half empty pages read better than one full and one of two lines. */
export function inPages<Item>(items: Item[], many: number): Item[][] {
  return inParts(items, Math.ceil(items.length / many));
}

export function inParts<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / Math.max(1, size)) }, (_, part) => items.slice(part * size, (part + 1) * size));
}

/** In ems, for standings that leave out what they have no room for. */
export function wide({ width, unit }: Room): number {
  return width / (unit * LEAST);
}

const SPACE = 0.3;

/** How many lines words take, each as wide as it is; without end where one of them is wider than the place. */
export function linesOf(words: number[], width: number): number {
  let [lines, filled] = [1, 0];
  for (const word of words) {
    if (word > width) return Infinity;
    const wider = filled && filled + SPACE + word;
    if (wider > width) lines += 1;
    filled = wider > width || !filled ? word : wider;
  }
  return lines;
}

/** A name with what stands at the end of its line. */
export type Line = { words: number[]; end: number };

const GAP = 1.6; // between columns
const LINE = 1.2;
const AROUND = 0.5; // a line and its border
export const FAR = 1.4; // of the unit: names are read from the far end of a hall
const BESIDE = 0.6; // between a name and what stands at its end
const HEAD = 1.2;

/** Names in columns, below the word for a table. */
export function namesFit<Item extends Line>(page: Item[], columns: number, width: number, height: number): boolean {
  const room = (width - GAP * (columns - 1)) / columns;
  return inParts(page, Math.ceil(page.length / columns)).every(
    (column) => HEAD + sum(column.map((one) => linesOf(one.words, room - one.end - BESIDE) * LINE + AROUND)) <= height,
  );
}

/** A game: what is written at each seat, with what stands at its end, and whether something stands below. */
export type Card = { seats: (Line & { home: boolean })[]; noted: boolean };

const CARD = { table: 3.2, padding: 1.3, around: 0.6, apart: 0.6, seat: 1.7, home: 0.9, note: 1.1 };

export function cardsFit<Item extends Card>(page: Item[], columns: number, width: number, height: number): boolean {
  const room = (width - CARD.apart * (columns - 1)) / columns - CARD.table - CARD.padding;
  const highOf = ({ seats, noted }: Card) =>
    sum(seats.map(({ words, end, home }) => Math.max(CARD.seat, linesOf(words, room - end) * LINE + (home ? CARD.home : 0) + AROUND))) +
    (noted ? CARD.note : 0) +
    CARD.around;
  return sum(inParts(page, columns).map((row) => Math.max(...row.map(highOf)) + CARD.apart)) <= height;
}

/** A part of the standings, below a title where there are several. */
export type Block = { titled: boolean; rows: Line[] };

const ROW = 0.4; // above and below the lines of a row

/** Blocks beside each other, all below heads of one line. */
export function blocksFit<Item extends Block>(page: Item[], columns: number, width: number, height: number): boolean {
  const room = (width - GAP * (columns - 1)) / columns;
  const highOf = ({ titled, rows }: Block) =>
    (titled ? HEAD + AROUND : 0) + HEAD + AROUND + sum(rows.map(({ words, end }) => linesOf(words, room - end) * LINE + ROW));
  return sum(inParts(page, columns).map((row) => Math.max(...row.map(highOf)))) <= height;
}

function sum(heights: number[]): number {
  return heights.reduce((all, one) => all + one, 0);
}
