/** Which language somebody reads: by hand first, then as the browser says. */

export const LANGUAGES = { en: 'English', cs: 'Čeština', sk: 'Slovenčina', pl: 'Polski' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'roundlog.language';

export function chosen(): Language {
  const wanted = [kept(), ...navigator.languages.map((one) => one.slice(0, 2).toLowerCase())];
  return wanted.find((one): one is Language => one !== null && one in LANGUAGES) ?? 'en';
}

/** A browser that blocks all cookies forbids to look here as well. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function keep(language: Language): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // It is spoken as long as the page is open.
  }
}
