/** What is half typed: it is there again when the page was loaded anew, in the same tab, and nowhere else. */

import { useState } from 'preact/hooks';

import { current } from './session.ts';
import { keepHere, keptHere } from './tab_storage.ts';

/** As `useState`; whoever sets it to what it is at first leaves nothing behind. */
export function useDraft<Content>(what: string, empty: Content): [Content, (now: Content) => void] {
  const key = `${current()?.who ?? ''}/${what}`;
  const [content, set] = useState<Content>(() => keptHere<Content>(key) ?? empty);
  const keep = (now: Content) => {
    set(now);
    keepHere(key, now === empty ? undefined : now);
  };
  return [content, keep];
}
