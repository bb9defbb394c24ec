/** How the final result of a game came about, as somebody sees it who has reported one. Pure. */

import type { Game } from '../../api/own.ts';

type Report = NonNullable<Game['reports']>[number];
type Result = Report['result'];

export type Verdict = {
  /** Whether it is another one than they have reported last. */
  otherwise: boolean;
  /** Whether neither side has reported it: an official has entered or decided it. */
  byOfficial: boolean;
};

export function verdictOf(result: Result, reports: Report[], isOwn: (report: Report) => boolean): Verdict {
  const own = reports.findLast(isOwn);
  return {
    otherwise: own !== undefined && !isSame(own.result, result),
    byOfficial: !reports.some((one) => one.entrant !== null && isSame(one.result, result)),
  };
}

function isSame(one: Result, other: Result): boolean {
  return [one, other].map(({ scores, points, winner, end, by }) => JSON.stringify([scores, points, winner, end, by])).every((said, _, all) => said === all[0]);
}
