/** Which language somebody reads: by hand first, then as the browser says. */

export const LANGUAGES = { en: 'English', cs: 'Čeština', sk: 'Slovenčina', pl: 'Polski' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'roundlog.language';

export function chosen(): Language {
  const kept = localStorage.getItem(KEPT);
  const wanted = [kept, ...navigator.languages.map((one) => one.slice(0, 2).toLowerCase())];
  return wanted.find((one): one is Language => one !== null && one in LANGUAGES) ?? 'en';
}

export function keep(language: Language): void {
  localStorage.setItem(KEPT, language);
}
