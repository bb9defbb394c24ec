/** How orders are sent that are waited for: each with a key, until the service has answered or too much time has passed. */

import type { Problem } from 'roundlog/registration/types.gen.ts';

import { caughtUp, OFFLINE, refresh, type Outcome } from './answer_cache.ts';
import { isProblem, meaning } from './outbox.ts';
import { newKey } from './sending.ts';

const LONGEST = 20_000; // what has not been answered by then may have happened or not
const NOT_YET = 503;
const AGAIN = 3; // times, before it is said that a service could not

/** What goes with an order: its key, and until when it is waited for. */
export type To = { headers: { 'Idempotency-Key': string }; signal: AbortSignal };
export type Answered<Answer> = { answer: Answer; problem?: undefined } | { answer?: undefined; problem: Problem };

const UNHEARD: Problem = { ...OFFLINE, type: '/problems/no-answer', title: 'No answer', detail: 'No answer has come.' };

const keys = new Map<string, string>();

/**
 * Sends an order. `what` says all of it: whoever presses again after no answer has come sends the same once more, with the same
 * key, so that it happens once.
 *
 * An absolute order says how something shall be, and adds nothing. Said twice it is so all the same; but said again after its
 * opposite it is meant anew, so that its key is kept no longer than it is waited for.
 */
export async function ordered<Answer>(
  what: string,
  order: (to: To) => Promise<Outcome<Answer>>,
  absolute = false,
): Promise<Answered<Answer>> {
  const key = keys.get(what) ?? newKey();
  keys.set(what, key);
  const headers = { 'Idempotency-Key': key };
  const signal = AbortSignal.timeout(LONGEST);
  let { data, error, response } = await order({ headers, signal }).catch(unheard);
  for (let again = AGAIN; again && response?.status === NOT_YET; again--) {
    await new Promise((resolve) => setTimeout(resolve, Number(response?.headers.get('Retry-After') ?? 1) * 1000));
    ({ data, error, response } = await order({ headers, signal }).catch(unheard));
  }
  const isKnown = data !== undefined || meaning({ error, response }, () => false).kind !== 'later'; // a service that failed may have done it before
  refresh('own/');
  const forget = () => keys.get(what) === key && keys.delete(what);
  const shown = data !== undefined && !absolute ? caughtUp('own/') : undefined;
  if (shown) void within(LONGEST, shown).then(forget); // whoever presses what stands there still has not seen that it is done
  else if (isKnown || absolute) forget();
  if (data !== undefined) return { answer: data };
  return { problem: isProblem(error) ? error : UNHEARD };
}

/** What would come of an order; nothing does. */
export async function foreseen<Answer>(look: () => Promise<Outcome<Answer>>): Promise<Answered<Answer>> {
  const { data, error } = (await within(LONGEST, look().catch(unheard))) ?? unheard();
  if (data !== undefined) return { answer: data };
  return { problem: isProblem(error) ? error : OFFLINE };
}

/** Nothing where it takes longer than so many milliseconds. */
async function within<Answer>(longest: number, asked: Promise<Answer>): Promise<Answer | undefined> {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<undefined>((giveUp) => {
    waiting = setTimeout(() => giveUp(undefined), longest);
  });
  return Promise.race([asked, never]).finally(() => clearTimeout(waiting));
}

/** Where nothing has come back. */
export function unheard(): Outcome<never> {
  return { data: undefined, error: undefined, response: undefined };
}
