/** All that a language says. Desks and stories need it, and bring it along: whoever watches does not wait for it. */

import type { ComponentChildren } from 'preact';

import { Besides } from './besides.tsx';
import type { Language } from './language.ts';
import type { More, Texts as Words } from './en.ts';
import { useSpeech as useWords, type Speech as Spoke } from './index.ts';

export type Texts = Words & More;
export type Speech = Spoke & { texts: Texts };

const LOADED: Record<Language, () => Promise<More>> = {
  en: async () => (await import('./en.ts')).more,
  cs: async () => (await import('./cs.ts')).more,
  sk: async () => (await import('./sk.ts')).more,
  pl: async () => (await import('./pl.ts')).more,
};

export function AllTexts({ space, children }: { space: string; children: ComponentChildren }) {
  return <Besides of={LOADED} space={space}>{children}</Besides>;
}

/** Below `AllTexts`. */
export function useSpeech(): Speech {
  return useWords() as Speech;
}
