/** What the pages of federations and seasons say. */

import type { ComponentChildren } from 'preact';

import type { SeasonTable } from '../api/seasons.ts';
import { Besides } from './besides.tsx';
import type { Language } from './language.ts';
import type { Seasons, Texts as Words } from './en.ts';
import { useSpeech as useWords, type Speech as Spoke } from './index.ts';

export type Texts = Words & Seasons;

const LOADED: Record<Language, () => Promise<Seasons>> = {
  en: async () => (await import('./en.ts')).seasons,
  cs: async () => (await import('./cs.ts')).seasons,
  sk: async () => (await import('./sk.ts')).seasons,
  pl: async () => (await import('./pl.ts')).seasons,
};

export function SeasonTexts({ space, children }: { space: string; children: ComponentChildren }) {
  return <Besides of={LOADED} space={space}>{children}</Besides>;
}

/** Below `SeasonTexts`. */
export function useSpeech(): Spoke & { texts: Texts } {
  return useWords() as Spoke & { texts: Texts };
}

type Equal = SeasonTable['unresolved'][number];

/** Whoever stands in a season has a name until it is erased. */
export function personSaid({ season }: Texts, { name }: { name: string | null }): string {
  return name ?? season.erased;
}

/** What those are called who may qualify, by the ids that they have or once had. */
export function contenders(texts: Texts, { qualification, merged }: SeasonTable): (person: string) => string {
  const names = new Map(qualification.map((row) => [row.person, personSaid(texts, row)]));
  return (person) => names.get(merged[person] ?? person) ?? '–';
}

/** Who is equal at the cut, and how many of them can go on. */
export function tieSaid(texts: Texts, table: SeasonTable, { persons, places }: Equal): string {
  return texts.season.atTheCut(persons.map(contenders(texts, table)).join(', '), places);
}

/** That who qualifies is not as it was published, and who that is about; nothing where it is. */
export function outdatedSaid(texts: Texts, { outdated, unresolved }: SeasonTable): string | undefined {
  if (!outdated) return undefined;
  const { season } = texts;
  const { qualified, lost } = outdated;
  const names = (of: typeof lost) => of.map((one) => personSaid(texts, one)).join(', ');
  return [
    season.outdated,
    qualified.length && season.qualifyNow(names(qualified)),
    lost.length && season.qualifyNoMore(names(lost)),
    !qualified.length && !lost.length && !unresolved.length && season.qualifyThem,
  ]
    .filter(Boolean)
    .join(' ');
}
