/** How names are looked for, and how they stand in addresses. */

/** Words without accents, capitals, apostrophes and hyphens, as people type them when they look for a name. */
export function plain(words: string): string {
  return unmarked(words).replace(/[\p{Diacritic}\p{Dash}'’‘ʼ`´]/gu, '');
}

/** As what stands in addresses is called: `Školská liga` becomes `skolska-liga`. */
export function inAddress(words: string): string {
  return unmarked(words).replace(/[^0-9a-z-]+/g, '-');
}

function unmarked(words: string): string {
  return words
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase();
}

export function matches(wanted: string, ...words: (string | number | null | undefined)[]): boolean {
  const all = plain(words.filter((one) => one !== null && one !== undefined).join(' '));
  return wanted
    .split(/[\s\p{Dash}]+/u)
    .every((word) => all.includes(plain(word)));
}
