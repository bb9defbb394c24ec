/** Which language the pages speak, and how it writes numbers and times. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Texts } from './en.ts';

export type { Texts };

export const LANGUAGES = { en: 'English', cs: 'Čeština', sk: 'Slovenčina', pl: 'Polski' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADED: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.ts')).en,
  cs: async () => (await import('./cs.ts')).cs,
  sk: async () => (await import('./sk.ts')).sk,
  pl: async () => (await import('./pl.ts')).pl,
};
const KEPT = 'roundlog.language';

export type Speech = {
  language: Language;
  texts: Texts;
  number: (value: number) => string;
  day: (moment: string, zone?: string) => string;
  time: (moment: string | number, zone?: string) => string;
  moment: (moment: string, zone?: string) => string;
  second: (moment: string, zone?: string) => string;
  /** Sorts names as this language does. */
  before: (one: string, other: string) => number;
};

/** By hand first, then as the browser says. */
export function chosen(): Language {
  const kept = localStorage.getItem(KEPT);
  const wanted = [kept, ...navigator.languages.map((one) => one.slice(0, 2).toLowerCase())];
  return wanted.find((one): one is Language => one !== null && one in LANGUAGES) ?? 'en';
}

/** As the browser writes this language; English otherwise as in Europe, where the tournaments are. */
function localeOf(language: Language): string {
  const own = navigator.languages.find((one) => one.startsWith(`${language}-`) && /^[a-z]{2}-[A-Z]{2}$/.test(one));
  return own ?? (language === 'en' ? 'en-GB' : language);
}

export async function speaking(language: Language): Promise<Speech> {
  const texts = await LOADED[language]();
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const formats = new Map<string, Intl.DateTimeFormat>();
  const written = (moment: string | number, zone: string | undefined, how: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify([zone, how]);
    const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...how, timeZone: zone });
    formats.set(key, format);
    return format.format(new Date(moment));
  };
  const names = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  return {
    language,
    texts,
    number: (value) => numbers.format(value).replace('-', '−'),
    day: (moment, zone) => written(moment, zone, { dateStyle: 'long' }),
    time: (moment, zone) => written(moment, zone, { timeStyle: 'short' }),
    moment: (moment, zone) => written(moment, zone, { dateStyle: 'medium', timeStyle: 'short' }),
    second: (moment, zone) => written(moment, zone, { timeStyle: 'medium' }),
    before: names.compare,
  };
}

export function keep(language: Language): void {
  localStorage.setItem(KEPT, language);
}

export const Spoken = createContext<Speech>(undefined as unknown as Speech); // main.tsx provides it before anything is drawn

export function useSpeech(): Speech {
  return useContext(Spoken);
}
