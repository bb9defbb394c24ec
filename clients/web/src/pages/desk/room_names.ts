/** Rooms as somebody types them: a line for each, with its tables one by one or as a range. Pure. */

const RANGE = /^(\D*)(\d+)-(\d+)$/; // such as `L1-8`
const MOST = 1000; // tables of one range: more are a slip of the keys

/** `Library: L1-3, 7` is a room with the tables L1, L2, L3 and 7. */
export function roomsOf(text: string): { name: string; tables: string[] }[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [name = '', tables = ''] = line.split(/:(.*)/);
      return { name: name.trim(), tables: tables.split(',').flatMap((one) => tablesOf(one.trim())) };
    });
}

function tablesOf(said: string): string[] {
  const [, before = '', first, last] = RANGE.exec(said) ?? [];
  if (first === undefined || last === undefined) return said ? [said] : [];
  const count = Math.max(0, Math.min(Number(last) - Number(first) + 1, MOST));
  return Array.from({ length: count }, (_, at) => `${before}${Number(first) + at}`);
}

/** The other way round: whatever follows each other is one range. */
export function shortened(tables: string[]): string[] {
  const shown: (string | { before: string; first: number; last: number })[] = [];
  for (const table of tables) {
    const [, before, digits] = /^(\D*)([1-9]\d*)$/.exec(table) ?? [];
    const run = shown.at(-1);
    if (before === undefined) shown.push(table);
    else if (typeof run === 'object' && run.before === before && run.last + 1 === Number(digits)) run.last += 1;
    else shown.push({ before, first: Number(digits), last: Number(digits) });
  }
  return shown.map((one) => {
    if (typeof one === 'string') return one;
    return one.first === one.last ? `${one.before}${one.first}` : `${one.before}${one.first}-${one.last}`;
  });
}
