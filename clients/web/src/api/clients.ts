/** The four services, each below its name at the origin that has served the page. */

import { createClient } from 'roundlog/registration/client/index.ts';
import { createClient as createPairing } from 'roundlog/pairing/client/index.ts';
import { createClient as createResults } from 'roundlog/results/client/index.ts';
import { createClient as createStandings } from 'roundlog/standings/client/index.ts';

import { heardAt } from './clock.ts';
import { asking, isOfAnother, LONGEST } from './crowded.ts';

const FRESH = 10_000; // milliseconds from the start of the page for which an answer to `early.ts` is one of now

const early = (globalThis as { early?: { [address: string]: Promise<Response> | null } }).early ?? {};

/** What the HTML has asked already is not asked again, and what is asked here the HTML asks no more. */
async function ask(request: Request): Promise<Response> {
  const isEarly = performance.now() < FRESH;
  const answer = isEarly ? early[request.url] : undefined;
  if (isEarly) early[request.url] = null;
  const told = answer && (await inTime(answer));
  if (!told || isOfAnother(told)) return asking(request);
  heardAt(told);
  return told;
}

/** The HTML gives nothing up: what has not come by then, with all of its answer, is asked again. */
async function inTime(answer: Promise<Response>): Promise<Response | undefined> {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<undefined>((giveUp) => {
    waiting = setTimeout(() => giveUp(undefined), LONGEST);
  });
  const told = await Promise.race([whole(answer).catch(() => undefined), never]);
  clearTimeout(waiting);
  return told;
}

async function whole(answer: Promise<Response>): Promise<Response> {
  const told = await answer;
  await told.clone().arrayBuffer();
  return told;
}

const way = { fetch: ask as typeof fetch };

export const registration = createClient({ baseUrl: '/registration', ...way });
export const pairing = createPairing({ baseUrl: '/pairing', ...way });
export const results = createResults({ baseUrl: '/results', ...way });
export const standings = createStandings({ baseUrl: '/standings', ...way });

const CATCHING_UP = 15_000; // by then every service has heard of it
const heardOf = new Map<string, { position: string; until: number }>(); // by the service where it happened

/** What is asked or ordered from now on, at whichever service, knows of it. */
export function restOn(position: string): void {
  heardOf.set(position.split(':')[0] ?? '', { position, until: Date.now() + CATCHING_UP });
}

type Interceptors<Through> = { use: (through: Through) => unknown };
type Asks = {
  interceptors: {
    request: Interceptors<(request: Request) => Request>;
    response: Interceptors<(response: Response, request: Request) => Response>;
  };
};

/** Knows of what was heard here, and of what was ordered here: a round is paired with whoever has just come back. */
export function resting({ interceptors }: Asks): void {
  interceptors.response.use((response, request) => {
    const position = request.method === 'GET' ? null : response.headers.get('Roundlog-Position');
    if (position) restOn(position);
    return response;
  });
  interceptors.request.use((request) => {
    const recent = [...heardOf.values()].filter(({ until }) => Date.now() < until).map(({ position }) => position);
    if (recent.length && !request.headers.has('Roundlog-Min-Position')) request.headers.set('Roundlog-Min-Position', recent.join());
    return request;
  });
}

for (const client of [registration, pairing, results, standings]) resting(client);
