/** The outbox of this device: kept in its drawer, sent by documented operations, by one tab at a time. */

import { useEffect, useState } from 'preact/hooks';

import { confirmResult, disputeResult, giveLineUp, reportResult, withdrawReport } from 'roundlog/results/sdk.gen.ts';
import type { ToConfirm, ToDispute, ToLineUp, ToReport } from 'roundlog/results/types.gen.ts';

import { refresh } from './answer_cache.ts';
import { changed, kept, lastNotes, note, onChange, struckOut } from './device_storage.ts';
import { asSent, isHeld, isOnItsWay, lastWords, meaning, Outbox, type Entry, type Sent } from './outbox.ts';
import { current, MOVED_BY_RESULTS, own } from './session.ts';

export { isHeld, isOnItsWay };

/** What it is about, as it is shown before the service has said anything of it. */
export type Told = {
  tournament: string;
  stage: string;
  round: number;
  table: string;
  seats: string[];
  /** Such as `421 : 377`. */
  said: string;
};

export type Order = { told: Told } & (
  | { act: 'report'; body: ToReport }
  | { act: 'confirm'; body: ToConfirm }
  | { act: 'dispute'; body: ToDispute }
  | { act: 'withdraw' }
  | { act: 'line-up'; body: ToLineUp }
);

export type OutboxEntry = Entry<Order>;

const KEPT = 'outbox';
const LONGEST = 20_000; // what has not been answered by then is sent again
let waking: ReturnType<typeof setTimeout> | undefined;
let turn = Promise.resolve();
let known: OutboxEntry[] = []; // what was last seen in the drawer: a page that is left has no time to look

const outbox = new Outbox<Order>({
  drawer: { all, change },
  send,
  alone,
  now: Date.now,
  online: () => navigator.onLine,
  wake: (after) => {
    clearTimeout(waking);
    waking = setTimeout(() => void outbox.flush(), after);
  },
  newKey,
  who: () => current()?.who,
});

/** Whoever has just pressed Enter sees what was mistyped within this time; the hall does not notice that it waits. */
const REGRET = 5_000;
const SOON = 250;

/** It is entered when it is kept, and not before: it is sent from then on, by this page or the next one. */
export async function enter(game: string, order: Order, how?: { held: boolean }): Promise<void> {
  await outbox.keep({ key: newKey(), who: current()?.who ?? '', about: game, order }, how?.held ? REGRET : 0);
  void outbox.flush();
}

export const again = (key: string) => outbox.again(key);

export function drop(key: string): Promise<boolean> {
  known = known.filter((one) => one.key !== key); // a page that is left right now does not send it
  return outbox.drop(key);
}

async function all(): Promise<OutboxEntry[]> {
  known = asSent((await kept<OutboxEntry[]>(KEPT)) ?? [], lastNotes());
  return known;
}

async function change(how: (before: OutboxEntry[]) => OutboxEntry[]): Promise<OutboxEntry[]> {
  let noted: string[] = [];
  const after = await changed<OutboxEntry[]>(KEPT, (before) => {
    noted = lastNotes();
    return how(asSent(before ?? [], noted));
  });
  struckOut(noted);
  known = after ?? [];
  return known;
}

/** Nobody looks any more, and the page may end with this call: what is held is sent so that the request outlives it. */
async function laidAside(): Promise<void> {
  const last = navigator.onLine && !outbox.signedOut ? lastWords(known, current()?.who, Date.now()) : [];
  const sent = last.map((entry) => outcomeOf(entry, { keepalive: true }));
  for (const { key } of last) note(key);
  await Promise.allSettled(sent);
  // Where the page lives on, or is the next one, the same keys say what became of them.
  await outbox.release();
}

addEventListener('pagehide', () => void laidAside());
document.addEventListener('visibilitychange', () => void (document.hidden && laidAside()));

async function send(entry: OutboxEntry): Promise<Sent> {
  const { about } = entry;
  const outcome = await outcomeOf(entry);
  const sent = meaning(outcome, (data) => (data as { id?: string } | undefined)?.id === about);
  if (sent.kind === 'done' || sent.kind === 'refused') refresh(...MOVED_BY_RESULTS);
  return sent;
}

type Outcome = { data?: unknown; error?: unknown; response?: Response | undefined };

/** Nothing is waited for until it is sent: a page that is left has its last word so. */
function outcomeOf({ key, about, order }: OutboxEntry, how: { keepalive?: boolean } = {}): Promise<Outcome> {
  const headers = { 'Idempotency-Key': key };
  const to = { client: own.results, path: { game_id: about }, headers, signal: AbortSignal.timeout(LONGEST), ...how };
  switch (order.act) {
    case 'report':
      return reportResult({ ...to, body: order.body });
    case 'confirm':
      return confirmResult({ ...to, body: order.body });
    case 'dispute':
      return disputeResult({ ...to, body: order.body });
    case 'withdraw':
      return withdrawReport(to);
    case 'line-up':
      return giveLineUp({ ...to, body: order.body });
  }
}

/**
 * One tab after the other. Where a page that came without TLS from another machine has no locks, each tab takes its own turns:
 * what two of them send has the same key, so it happens once all the same.
 */
async function alone(task: () => Promise<void>): Promise<void> {
  let hasBegun = false;
  const begun = () => {
    hasBegun = true;
    return task();
  };
  try {
    if ('locks' in navigator) {
      await navigator.locks.request('roundlog-outbox', begun);
      return;
    }
  } catch (refused) {
    if (hasBegun) throw refused; // otherwise it was the browser, which gives no locks where it keeps nothing
  }
  turn = turn.then(task, task);
  await turn;
}

/** As `crypto.randomUUID`, which pages without TLS do not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export type Outgoing = { entries: OutboxEntry[]; online: boolean; signedOut: boolean };

/** What was entered here, the newest last, as it changes in any tab. Sends what waits, with each token anew. */
export function useOutbox(token: string): Outgoing {
  const [state, setState] = useState<Outgoing>({ entries: [], online: navigator.onLine, signedOut: false });
  useEffect(() => {
    let gone = false;
    let until: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const entries = await all();
      if (gone) return;
      setState({ entries, online: navigator.onLine, signedOut: outbox.signedOut });
      // Without a network nothing else happens when something is held no longer.
      const now = Date.now();
      const held = entries.filter((entry) => isHeld(entry, now)).map(({ heldUntil = now }) => heldUntil - now);
      clearTimeout(until);
      if (held.length) until = setTimeout(() => void look(), Math.max(SOON, Math.min(...held)));
    };
    const resumed = () => {
      void look();
      if (!document.hidden) void outbox.resume().then(look);
    };
    const seen = () => void (!document.hidden && resumed());
    const unwatch = onChange((key) => {
      if (key === KEPT || key === '') void look();
    });
    const network = () => void look();
    addEventListener('online', resumed);
    addEventListener('offline', network);
    addEventListener('pageshow', resumed); // a page that was left may come back as it was
    document.addEventListener('visibilitychange', seen);
    resumed();
    return () => {
      gone = true;
      clearTimeout(until);
      unwatch();
      removeEventListener('online', resumed);
      removeEventListener('offline', network);
      removeEventListener('pageshow', resumed);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [token]);
  return state;
}
