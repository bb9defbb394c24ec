/** What is kept in this tab and nowhere else: it is there again when the page was loaded anew. */

const KEPT = 'roundlog.draft/';

export function keptHere<Content>(key: string): Content | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT + key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepHere(key: string, content: unknown): void {
  try {
    if (content === undefined) sessionStorage.removeItem(KEPT + key);
    else sessionStorage.setItem(KEPT + key, JSON.stringify(content));
  } catch {
    // Some private windows keep nothing.
  }
}

export function forgetHere(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
