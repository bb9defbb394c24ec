/** What services have answered: kept by a key, shown at once when asked for again, and refreshed behind the page. */

import { useLayoutEffect, useState } from 'preact/hooks';

import type { Problem } from 'roundlog/registration/types.gen.ts';

export type Outcome<Answer> = { data?: Answer | undefined; error?: unknown; response?: Response | undefined };

export type Asked<Answer> = {
  answer: Answer | undefined;
  /** Of the last attempt; what was answered before is still shown. */
  problem: Problem | undefined;
};

/** Whether it is no more on its way: it was answered, or is not to be had. */
export function hasCome({ answer, problem }: Asked<unknown>): boolean {
  return answer !== undefined || problem !== undefined;
}

type Entry = {
  state: Asked<unknown>;
  ask: () => Promise<Outcome<unknown>>;
  watchers: Set<() => void>;
  goodFor: number; // milliseconds in which nothing makes the page ask again
  answeredAt: number;
  asking: Promise<void> | undefined;
  ahead: boolean; // answered, and nobody has looked yet
  stale: boolean;
  retry: ReturnType<typeof setTimeout> | undefined;
};

const PASSING = [408, 425, 429, 502, 503, 504];
const PAUSE = 3_000;
const kept = new Map<string, Entry>();

/** For what hardly changes, such as rules: an answer is good for so many milliseconds, whatever happens meanwhile. */
export type GoodFor = { goodFor: number };
export const RULES: GoodFor = { goodFor: 300_000 };

export const OFFLINE: Problem = { type: '/problems/offline', title: 'Offline', status: 0, detail: 'There is no connection.' };

/** Asks while somebody looks. With `pace`, again after so many milliseconds, as long as the page is visible. */
export function useAsked<Answer>(
  key: string | undefined,
  ask: () => Promise<Outcome<Answer>>,
  pace: number | GoodFor = 0,
): Asked<Answer> {
  const [, redraw] = useState(0);
  const goodFor = typeof pace === 'number' ? 0 : pace.goodFor;
  const every = typeof pace === 'number' ? pace : goodFor;
  useLayoutEffect(() => { // before the frame is painted, which takes a slow phone long
    if (key === undefined) return undefined;
    const entry = entryOf(key, ask);
    const watcher = () => redraw((count) => count + 1);
    entry.watchers.add(watcher);
    entry.goodFor = goodFor;
    if (!entry.asking && !entry.ahead && isDue(entry)) void refreshed(entry); // two parts of a page may ask for the same
    entry.ahead = false;
    const timer = every && setInterval(() => document.hidden || void refreshed(entry), every);
    return () => {
      entry.watchers.delete(watcher);
      clearInterval(timer || undefined);
      if (!entry.watchers.size) clearTimeout(entry.retry);
    };
  }, [key, every]);
  const state = key === undefined ? undefined : kept.get(key)?.state;
  return (state ?? NOTHING) as Asked<Answer>;
}

const NOTHING: Asked<unknown> = { answer: undefined, problem: undefined };

/** Asks before the page is drawn, which is drawn once then. */
export async function askAhead(key: string, ask: () => Promise<Outcome<unknown>>): Promise<void> {
  const entry = entryOf(key, ask);
  await refreshed(entry);
  entry.ahead = entry.state.problem === undefined && !entry.watchers.size;
}

/** Whatever is on the page and begins like one of these is asked again. */
export function refresh(...prefixes: string[]): void {
  for (const [key, entry] of kept) {
    const isMeant = prefixes.some((prefix) => key.startsWith(prefix));
    if (isMeant && entry.watchers.size && isDue(entry)) void refreshed(entry);
  }
}

/** Once all that begins like this, and is being asked by now, has been answered; nothing where nothing is. */
export function caughtUp(prefix: string): Promise<void> | undefined {
  const asked = [...kept].flatMap(([key, { asking }]) => (asking && key.startsWith(prefix) ? [asking] : []));
  return asked.length ? Promise.all(asked).then(() => caughtUp(prefix)) : undefined; // what was asked before the change is asked again
}

function isDue({ goodFor, answeredAt, state }: Entry): boolean {
  const isForgotten = state.answer === undefined;
  return isForgotten || state.problem !== undefined || Date.now() - answeredAt >= goodFor;
}

const LULL = 400; // what happens at several tables often happens together: one question for all of it
const SELDOM = 2_000; // and where it goes on and on, one now and then

/** The same for whoever hears of one change after another. */
export function refreshing(...prefixes: string[]): { soon: () => void; never: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -SELDOM;
  const due = () => {
    timer = undefined;
    last = performance.now();
    refresh(...prefixes);
  };
  return {
    soon: () => {
      timer ??= setTimeout(due, Math.max(LULL, last + SELDOM - performance.now()));
    },
    never: () => clearTimeout(timer),
  };
}

/** What was known before this page was opened: shown until the first answer comes. */
export function seed<Answer>(key: string, answer: Answer, ask: () => Promise<Outcome<Answer>>): void {
  const entry = kept.get(key) ?? entryOf(key, ask);
  if (entry.state.answer === undefined) told(entry, { answer, problem: entry.state.problem });
}

/** Nothing that begins like this is shown any more, or was ever answered. */
export function forget(prefix: string): void {
  for (const [key, entry] of kept) {
    if (key.startsWith(prefix)) told(entry, NOTHING);
  }
}

/** What was answered last, also if that is still under way. */
export async function answered<Answer>(key: string): Promise<Answer | undefined> {
  await undefined; // what is drawn in the same step asks first
  await kept.get(key)?.asking;
  return kept.get(key)?.state.answer as Answer | undefined;
}

/** What came by another way, such as a stream; says whether it is news. */
export function put<Answer>(key: string, answer: Answer): boolean {
  const entry = entryOf(key, () => Promise.resolve({ data: answer }));
  return told(entry, { answer, problem: undefined });
}

function entryOf(key: string, ask: () => Promise<Outcome<unknown>>): Entry {
  const entry = kept.get(key) ?? {
    state: NOTHING,
    ask,
    watchers: new Set<() => void>(),
    goodFor: 0,
    answeredAt: 0,
    asking: undefined,
    ahead: false,
    stale: false,
    retry: undefined,
  };
  entry.ask = ask;
  kept.set(key, entry);
  return entry;
}

async function refreshed(entry: Entry): Promise<void> {
  if (entry.asking) {
    entry.stale = true; // what is under way may have been answered before the change
    return;
  }
  entry.asking = asked(entry);
  await entry.asking;
  entry.asking = undefined;
  if (entry.stale) {
    entry.stale = false;
    await refreshed(entry);
  }
}

async function asked(entry: Entry): Promise<void> {
  clearTimeout(entry.retry);
  const { data, error, response } = await outcome(entry.ask);
  if (data !== undefined) {
    entry.answeredAt = Date.now();
    told(entry, { answer: data, problem: undefined });
  } else {
    const problem = isProblem(error) ? error : OFFLINE;
    told(entry, { answer: entry.state.answer, problem });
    if (isPassing(response) && entry.watchers.size) {
      const wait = Number(response?.headers.get('Retry-After')) * 1000 || PAUSE;
      entry.retry = setTimeout(() => void refreshed(entry), wait);
    }
  }
}

/** Whether it is known that the service could not for the moment. */
function isPassing(response: Response | undefined): boolean {
  return !response || PASSING.includes(response.status);
}

async function outcome(ask: () => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
  try {
    return await ask();
  } catch {
    return {}; // the network is away
  }
}

function told(entry: Entry, state: Asked<unknown>): boolean {
  if (JSON.stringify(state) === JSON.stringify(entry.state)) return false; // nothing on the page would move
  entry.state = state;
  for (const watcher of entry.watchers) watcher();
  return true;
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'type' in error && 'detail' in error;
}

/** All pages of a list. */
export async function allOf<Item>(ask: (after: { after?: string }) => Promise<Outcome<PageOf<Item>>>): Promise<Outcome<Item[]>> {
  const { data, error, response } = await wholeOf(ask);
  return data ? { data: data.items } : { error, response };
}

type PageOf<Item> = { items: Item[]; next?: string | null };

/** The first page, with the items of all that follow. */
export async function wholeOf<Page extends PageOf<unknown>>(ask: (after: { after?: string }) => Promise<Outcome<Page>>): Promise<Outcome<Page>> {
  const first = await ask({});
  for (let after = first.data?.next; first.data && after; ) {
    const { data, error, response } = await ask({ after });
    if (!data) return { error, response };
    first.data.items.push(...data.items);
    after = data.next;
  }
  return first;
}
