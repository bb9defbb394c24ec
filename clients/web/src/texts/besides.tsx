/** What some pages say besides what all of them do, loaded when one of those is opened. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { brought } from '../parts/brought.ts';
import type { Language } from './language.ts';
import { Spoken, useSpeech, type Speech } from './index.ts';

type Said = object & { problems?: Record<string, string> };

/** Until another language has come, what is below it goes on in the one before. */
export function Besides({ of, space, children }: { of: Record<Language, () => Promise<Said>>; space: string; children: ComponentChildren }) {
  const speech = useSpeech();
  const [whole, become] = useState<Speech>();
  useEffect(() => {
    let wanted = true;
    void brought(of[speech.language]).then((more) => {
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
