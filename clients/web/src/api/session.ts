/**
 * Who has opened a link here: the token from behind the `#` of an address, kept on this device until it is forgotten. What it
 * is good for is asked at the services; here only its name and its end are read, so that they are known without a network.
 */

import { useEffect, useState } from 'preact/hooks';

import { createClient as createPairing } from 'roundlog/pairing/client/index.ts';
import { createClient as createRegistration } from 'roundlog/registration/client/index.ts';
import { createClient as createResults } from 'roundlog/results/client/index.ts';
import { createClient as createStandings } from 'roundlog/standings/client/index.ts';

import { asking } from './crowded.ts';
import { forget as forgetAnswers } from './answer_cache.ts';
import { given, takenFromAddress } from './fragment.ts';
import { changed, forgetAll, kept, onChange } from './device_storage.ts';
import { forgetHere } from './tab_storage.ts';

export type Session = {
  token: string;
  /** Whose entries these are: an official by subject, a captain by entrant, a scorer by tournament, whichever of their tokens it is. */
  who: string;
  /** Whose reports these are: those of another scorer with a link to the same tournament are not. */
  subject: string;
  /** The moment at which the token ends, in milliseconds. */
  until: number | undefined;
};

const KEPT = 'session';
let session: Session | null | undefined; // undefined: not looked up yet
const watchers = new Set<() => void>();

export function current(): Session | null | undefined {
  return session;
}

export function read(token: string): Session {
  const said = claims(token);
  const subject = said.sub ?? '';
  const whose = /^(?:captain|scorer):[^:]+(?=:)/.exec(subject)?.[0]; // of an entrant, or a tournament, the next link is as good
  return { token, who: whose ?? subject, subject, until: said.exp && said.exp * 1000 };
}

function claims(token: string): { sub?: string; exp?: number } {
  try {
    const middle = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    return JSON.parse(atob(middle)) as { sub?: string; exp?: number };
  } catch {
    return {};
  }
}

/** With a token that somebody has typed or that has come with an address. */
export async function signIn(token: string): Promise<void> {
  const before = session;
  tell(read(token));
  if (before && before.who !== session?.who) await forgetOf();
  await changed<string>(KEPT, () => token);
  void navigator.storage?.persist?.();
}

/** Nothing of whoever was signed in stays on this device. */
export async function forget(): Promise<void> {
  await forgetAll();
  forgetShown();
  tell(null);
}

function forgetShown(): void {
  forgetHere();
  forgetAnswers('own/');
}

/** What the one before was shown; what they have entered stays until they send it. */
async function forgetOf(): Promise<void> {
  forgetAnswers('own/');
  await changed('answers', () => undefined);
}

export function useSession(): Session | null | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    const watcher = () => redraw((count) => count + 1);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  }, []);
  return session;
}

function tell(now: Session | null): void {
  session = now;
  for (const watcher of watchers) watcher();
}

async function lookUp(): Promise<void> {
  const token = await kept<string>(KEPT);
  const now = token ? read(token) : null;
  if (session?.token !== now?.token || session === undefined) tell(now);
}

/** Once the page of the desk is opened. */
export async function begin(): Promise<void> {
  if (session !== undefined) return;
  const token = given;
  const before = await kept<string>(KEPT);
  if (!before) forgetHere(); // of whoever was forgotten while this tab showed a page that hears nothing of it
  tell(before ? read(before) : null);
  if (token) await signIn(token);
  onChange((key) => {
    if (key === '') forgetShown(); // in whichever tab
    if (key === KEPT || key === '') void lookUp();
  });
  addEventListener('hashchange', () => {
    const another = takenFromAddress();
    if (another) void signIn(another);
  });
}

const way = { auth: () => session?.token, fetch: asking };

export const own = {
  registration: createRegistration({ baseUrl: '/registration', ...way }),
  pairing: createPairing({ baseUrl: '/pairing', ...way }),
  results: createResults({ baseUrl: '/results', ...way }),
  standings: createStandings({ baseUrl: '/standings', ...way }),
};

export type Service = keyof typeof own;

/** By which an answer for whoever is signed in is kept: `refresh` finds by it all of a service. */
export function ownKey(service: Service, what: string): string {
  return `own/${service}/${session?.who ?? ''}/${what}`;
}

/** What registration answers moves with a result only where somebody is expelled by it, which the page finds by the clock. */
export const MOVED_BY_RESULTS = ['own/results/', 'own/pairing/', 'own/standings/'];
