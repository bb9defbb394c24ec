/** All that a language says. Desks and stories need it, and bring it along: whoever watches does not wait for it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { brought } from '../parts/brought.ts';
import type { Language } from './language.ts';
import type { More, Texts as Words } from './en.ts';
import { Spoken, useSpeech as useWords, type Speech as Spoke } from './index.ts';

export type Texts = Words & More;
export type Speech = Spoke & { texts: Texts };

const LOADED: Record<Language, () => Promise<More>> = {
  en: async () => (await import('./en.ts')).more,
  cs: async () => (await import('./cs.ts')).more,
  sk: async () => (await import('./sk.ts')).more,
  pl: async () => (await import('./pl.ts')).more,
};

/** Until another language has come, what is below it goes on in the one before. */
export function AllTexts({ space, children }: { space: string; children: ComponentChildren }) {
  const speech = useWords();
  const [whole, become] = useState<Speech>();
  useEffect(() => {
    let wanted = true;
    void brought(LOADED[speech.language]).then((more) => {
      const problems = { ...speech.texts.problems, ...more.problems };
      if (wanted) become({ ...speech, texts: { ...speech.texts, ...more, problems } });
    });
    return () => {
      wanted = false;
    };
  }, [speech]);
  if (!whole) return <div class={space} aria-busy="true" />;
  return <Spoken.Provider value={whole}>{children}</Spoken.Provider>;
}

/** Below `AllTexts`. */
export function useSpeech(): Speech {
  return useWords() as Speech;
}
