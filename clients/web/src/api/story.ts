/**
 * The story of a tournament. Each service tells its own, page by page, the newest first; here they become one, by time. What is older
 * than the last that a service has told is not shown before that service was asked for more.
 */

import { useEffect, useState } from 'preact/hooks';

import { readStory as readPairing } from 'roundlog/pairing/sdk.gen.ts';
import { readStory as readRegistration } from 'roundlog/registration/sdk.gen.ts';
import type { Problem, StoryPage } from 'roundlog/registration/types.gen.ts';
import { readStory as readResults } from 'roundlog/results/sdk.gen.ts';
import { readStory as readStandings } from 'roundlog/standings/sdk.gen.ts';

import { OFFLINE, type Outcome } from './answer_cache.ts';
import { isProblem, meaning } from './outbox.ts';
import { own } from './session.ts';

export type Json = boolean | number | string | null | Json[] | { [name: string]: Json };

/** The form stands in docs/reference.md. */
export type StoryItem = {
  position: number;
  at: string;
  actor: string;
  role: string | null;
  operation: string | null;
  kind: string;
  what: string;
  says: string;
  mark: 'correction' | 'override' | 'repair' | null;
  instead_of: number | null;
  stage: string | null;
  round: number | null;
  table: number | null;
  game: string | null;
  entrants: string[];
  said: Record<string, Json>;
  before: Record<string, Json>;
  reason: string | null;
  clause: string | null;
  words: string[];
};

export type StoryFilter = { about?: string; kind?: string; round?: number; since?: string; until?: string };
export type Told = StoryItem & { service: string };
export type Story = { items: Told[]; names: Record<string, string>; more: (() => void) | undefined; problem: Problem | undefined; asking: boolean };

type Query = StoryFilter & { order: 'newest'; limit: number; after?: number };
type Asks = (tournament: string, query: Query) => Promise<Outcome<StoryPage>>;
type Part = { items: Told[]; next: number | null };

const SOME = 100;
const ASKED: Record<string, Asks> = {
  registration: (tournament, query) => readRegistration({ client: own.registration, path: { tournament_id: tournament }, query }),
  pairing: (tournament, query) => readPairing({ client: own.pairing, path: { tournament_id: tournament }, query }),
  results: (tournament, query) => readResults({ client: own.results, path: { tournament_id: tournament }, query }),
  standings: (tournament, query) => readStandings({ client: own.standings, path: { tournament_id: tournament }, query }),
};

/** Of which services nothing has come, or nothing more: they are missing. Those that could not for the moment are asked again. */
type Missing = { problem: Problem; passing: boolean };
export type Known = { parts: Record<string, Part>; names: Record<string, string>; missing: Record<string, Missing> };
export const NOTHING: Known = { parts: {}, names: {}, missing: {} };

const PAUSE = 5_000;

/** As whoever has opened a link may read it; for another filter it is asked anew, by a part of the page of its own. */
export function useStory(tournament: string, filter: StoryFilter): Story {
  const [known, know] = useState<Known>(NOTHING);
  const [asking, ask] = useState(true);
  const [wanted, want] = useState({ times: 0, older: true });
  useEffect(() => {
    let stays = true;
    ask(true);
    void more(tournament, filter, known, wanted.older).then((found) => {
      if (!stays) return;
      know(found);
      ask(false);
    });
    return () => {
      stays = false;
    };
  }, [wanted.times]);
  const missing = Object.values(known.missing);
  const isPassing = missing.some(({ passing }) => passing);
  useEffect(() => {
    if (asking || !isPassing) return undefined;
    const timer = setTimeout(() => want({ times: wanted.times + 1, older: false }), PAUSE);
    return () => clearTimeout(timer);
  }, [asking, isPassing]);
  const horizon = horizonOf(known.parts);
  const items = Object.values(known.parts)
    .flatMap((part) => part.items)
    .filter(({ at }) => horizon === undefined || at >= horizon)
    .sort((one, other) => (one.at === other.at ? other.position - one.position : one.at < other.at ? 1 : -1));
  const hasMore = horizon !== undefined || missing.length > 0;
  return {
    items,
    names: known.names,
    problem: missing[0]?.problem,
    asking,
    more: hasMore ? () => want({ times: wanted.times + 1, older: true }) : undefined,
  };
}

/** What an address says, where it is a moment: links are shortened and typed. */
export function momentIn(said: string | undefined): string | undefined {
  return said && /^\d{4}-\d\d-\d\d/.test(said) && !Number.isNaN(Date.parse(said)) ? said : undefined;
}

/** The newest of the moments up to which services with more to tell have told: of what is older somebody may not have spoken yet. */
function horizonOf(parts: Record<string, Part>): string | undefined {
  const ends = Object.values(parts).flatMap(({ items, next }) => (next === null ? [] : (items.at(-1)?.at ?? [])));
  return ends.sort().at(-1);
}

/** What is older is asked of whoever has told the least; otherwise only what was missing. A service that has not answered has no part. */
export async function more(tournament: string, filter: StoryFilter, known: Known, older: boolean): Promise<Known> {
  const horizon = horizonOf(known.parts);
  const found: Known = { parts: { ...known.parts }, names: { ...known.names }, missing: { ...known.missing } };
  const isWanted = (service: string, part: Part | undefined) => {
    if (!part) return true;
    if (!older) return service in known.missing;
    return part.next !== null && (part.items.at(-1)?.at ?? '') >= (horizon ?? '');
  };
  await Promise.all(
    Object.entries(ASKED).map(async ([service, asks]) => {
      const part = known.parts[service];
      if (!isWanted(service, part)) return;
      const query: Query = { ...filter, order: 'newest', limit: SOME, ...(part?.next ? { after: part.next } : {}) };
      const { data, error, response } = await asks(tournament, query).catch((): Outcome<StoryPage> => ({})); // the network is away
      if (!data) {
        const passing = meaning({ error, response }, () => false).kind === 'later';
        found.missing[service] = { problem: isProblem(error) ? error : OFFLINE, passing };
        return;
      }
      delete found.missing[service];
      const told = (data.items as unknown as StoryItem[]).map((item) => ({ ...item, service }));
      found.parts[service] = { items: [...(part?.items ?? []), ...told], next: data.next };
      Object.assign(found.names, data.names);
    }),
  );
  return found;
}
