/** What a caller adds to the generated functions: an answer or a refusal, and patience that does nothing twice. */

import type { Problem } from '../generated/pairing/types.gen.ts';

const PASSING = [408, 429, 503];
const PATIENCE = 60_000;
const PAUSE = 250;

/** The answer is no, and the sentence says what to do about it. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export type Answer<Body> = {
  body: Body;
  /** How far the log goes; as `Roundlog-Min-Position` it makes any service wait until it knows as much. */
  position: string | undefined;
};

type Outcome<Body> = { data: Body | undefined; error: unknown; response?: Response };

type Foreseen = { changes: string[]; lost: string[] };

/**
 * Sends an act until it is answered. Every attempt bears the same key, so it happens once, even if it had happened
 * already and only its answer was lost.
 */
export function act<Body>(
  send: (headers: { 'Idempotency-Key': string }) => Promise<Outcome<Body>>,
): Promise<Answer<Body>> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  return look(() => send(headers));
}

/** Asks until there is an answer. */
export async function look<Body>(send: () => Promise<Outcome<Body>>): Promise<Answer<Body>> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const { data, error, response } = await send();
    if (data !== undefined) {
      return { body: data, position: response?.headers.get('Roundlog-Position') ?? undefined };
    }
    if ((response && !PASSING.includes(response.status)) || Date.now() > until) {
      throw isProblem(error) ? new Refused(error) : error;
    }
    await pause();
  }
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** An act with `dry_run` only foresees what would change; without, its answer is the resource as it is now. */
export function done<Body extends object>(body: Body): Exclude<Body, Foreseen> {
  if ('changes' in body && 'lost' in body) {
    throw new Error('This was only tried: leave out dry_run to do it.');
  }
  return body as Exclude<Body, Foreseen>;
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'type' in error && 'detail' in error;
}
