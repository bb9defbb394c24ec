/** Clocks that go by moves, as they are typed: `40/90 30` is 40 moves in 90 minutes, and 30 for all that are left. */

export const PERIODS = '\\s*(\\d+/)?\\d+(\\s+(\\d+/)?\\d+)*\\s*'; // as clocks have it: 40/90 30

/** So many moves in so many minutes, or all that are left. */
export function periodsIn(typed: string): { moves?: number; minutes: number }[] {
  return typed
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((one) => {
      const [minutes, moves] = one.split('/').reverse().map(Number);
      return { ...(moves ? { moves } : {}), minutes: minutes ?? 0 };
    });
}
