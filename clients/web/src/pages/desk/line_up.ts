/** Who sits at which board. Pure. */

/** Whoever sits somewhere else already changes places with the one who sat here; nobody may sit at several boards. */
export function seatedAt(board: number, person: string, before: string[]): string[] {
  const elsewhere = person ? before.indexOf(person) : -1;
  return before.map((one, at) => (at === board ? person : at === elsewhere ? (before[board] ?? '') : one));
}
