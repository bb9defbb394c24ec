/** Which language the pages speak, and how it writes numbers and times. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { brought } from '../parts/brought.ts';
import type { Language } from './language.ts';
import type { Texts } from './en.ts';

export type { Language, Texts };

const LOADED: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.ts')).words,
  cs: async () => (await import('./cs.ts')).words,
  sk: async () => (await import('./sk.ts')).words,
  pl: async () => (await import('./pl.ts')).words,
};

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

/** As the browser writes this language; English otherwise as in Europe, where the tournaments are. */
function localeOf(language: Language): string {
  const own = navigator.languages.find((one) => one.startsWith(`${language}-`) && /^[a-z]{2}-[A-Z]{2}$/.test(one));
  return own ?? (language === 'en' ? 'en-GB' : language);
}

export async function speaking(language: Language): Promise<Speech> {
  const texts = await brought(LOADED[language]);
  const locale = localeOf(language);
  let numbers: Intl.NumberFormat | undefined; // small whole ones are the same everywhere: a slow phone learns the others when it meets one
  const number = (value: number) =>
    Number.isInteger(value) && Math.abs(value) < 1000
      ? String(value)
      : (numbers ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })).format(value);
  const formats = new Map<string, Intl.DateTimeFormat>();
  const written = (moment: string | number, zone: string | undefined, how: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify([zone, how]);
    const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...how, timeZone: zone });
    formats.set(key, format);
    return format.format(new Date(moment));
  };
  let names: Intl.Collator | undefined;
  return {
    language,
    texts,
    number: (value) => number(value).replace('-', '−'),
    day: (moment, zone) => written(moment, zone, { dateStyle: 'long' }),
    time: (moment, zone) => written(moment, zone, { timeStyle: 'short' }),
    moment: (moment, zone) => written(moment, zone, { dateStyle: 'medium', timeStyle: 'short' }),
    second: (moment, zone) => written(moment, zone, { timeStyle: 'medium' }),
    before: (one, other) => (names ??= new Intl.Collator(language, { numeric: true, sensitivity: 'base' })).compare(one, other),
  };
}

export const Spoken = createContext<Speech>(undefined as unknown as Speech); // main.tsx provides it before anything is drawn

export function useSpeech(): Speech {
  return useContext(Spoken);
}
