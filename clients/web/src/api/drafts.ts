/** What is half typed: it is there again when the page was loaded anew, in the same tab, and nowhere else. */

import { useState } from 'preact/hooks';

import { current } from './session.ts';

const KEPT = 'roundlog.draft/';

/** As `useState`; whoever sets it to what it is at first leaves nothing behind. */
export function useDraft<Content>(what: string, empty: Content): [Content, (now: Content) => void] {
  const key = `${KEPT}${current()?.who ?? ''}/${what}`;
  const [content, set] = useState<Content>(() => found<Content>(key) ?? empty);
  const keep = (now: Content) => {
    set(now);
    try {
      if (now === empty) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(now));
    } catch {
      // Some private windows keep nothing.
    }
  };
  return [content, keep];
}

function found<Content>(key: string): Content | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
