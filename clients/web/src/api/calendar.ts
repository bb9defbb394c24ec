/** What the first page asks for: tournaments that are played now, that come, and that are over. */

import type { TournamentStatus } from 'roundlog/registration/types.gen.ts';

export type Wanted = { words?: string; federation?: string | undefined; season?: string; status: TournamentStatus[]; order: 'next' | 'date' | 'latest'; limit: number };

export const PAGE = 12;
export const SEARCHED = 50;

export const CALENDAR: Record<'now' | 'coming' | 'past', Wanted> = {
  now: { status: ['check-in', 'running', 'under-review'], order: 'latest', limit: SEARCHED },
  coming: { status: ['registration'], order: 'date', limit: SEARCHED },
  past: { status: ['completed', 'cancelled'], order: 'latest', limit: PAGE },
};

/** The same as in the address of a request. */
export function query({ status, order, limit }: Wanted): string {
  return `${new URLSearchParams([...status.map((one) => ['status', one]), ['order', order], ['limit', String(limit)]])}`;
}
