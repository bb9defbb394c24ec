/**
 * What this device keeps for whoever has opened a link: one drawer of IndexedDB. What is changed there is changed for all tabs
 * at once. A browser that gives no IndexedDB, as some do in private windows, keeps it as long as the page is open.
 */

const NAME = 'roundlog';
const DRAWER = 'desk';
const PATIENCE = 15_000; // some private windows never answer; a device that is busy does

let opening: Promise<IDBDatabase | undefined> | undefined;
let wasOpen = false;
const memory = new Map<string, unknown>();
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : undefined;
const listeners = new Set<(key: string) => void>();
tabs?.addEventListener('message', ({ data }) => listeners.forEach((listener) => listener(String(data))));

/** Whether it is still there after the browser was closed. */
export async function lasts(): Promise<boolean> {
  return (await database()) !== undefined;
}

export async function kept<Content>(key: string): Promise<Content | undefined> {
  const found = await database();
  if (!found) return memory.get(key) as Content | undefined;
  return answered<Content | undefined>(found.transaction(DRAWER).objectStore(DRAWER).get(key));
}

/** From what is there to what will be there, in one step. */
export async function changed<Content>(
  key: string,
  change: (before: Content | undefined) => Content | undefined,
): Promise<Content | undefined> {
  const found = await database();
  let after: Content | undefined;
  if (found) {
    const transaction = found.transaction(DRAWER, 'readwrite', { durability: 'strict' });
    const drawer = transaction.objectStore(DRAWER);
    const reading = drawer.get(key);
    reading.onsuccess = () => {
      after = change(reading.result as Content | undefined);
      if (after === undefined) drawer.delete(key);
      else drawer.put(after, key);
    };
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('Nothing was kept.'));
    });
  } else {
    after = change(memory.get(key) as Content | undefined);
    memory.set(key, after);
  }
  told(key);
  return after;
}

const NOTES = 'roundlog.sent/';

/** At once, which the drawer cannot: for a page that ends. Where a browser keeps nothing at all, there is nothing to be noted of. */
export function note(key: string): void {
  try {
    localStorage.setItem(NOTES + key, '');
  } catch {
    // It is sent once more by its key, if there is a next page that knows it.
  }
}

export function lastNotes(): string[] {
  try {
    return Object.keys(localStorage).flatMap((name) => name.split(NOTES).slice(1));
  } catch {
    return [];
  }
}

export function struckOut(keys: string[]): void {
  for (const key of keys) localStorage.removeItem(NOTES + key);
}

export async function forgetAll(): Promise<void> {
  memory.clear();
  struckOut(lastNotes());
  const found = await database();
  if (found) await answered(found.transaction(DRAWER, 'readwrite').objectStore(DRAWER).clear());
  told('');
}

/** Calls back with the key of what was changed, here or in another tab; with an empty one when all was forgotten. */
export function onChange(listener: (key: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function told(key: string): void {
  tabs?.postMessage(key);
  for (const listener of listeners) listener(key);
}

/** One that was closed under an open page is opened again; until that succeeds nothing is kept elsewhere, where nobody would look for it. */
function database(): Promise<IDBDatabase | undefined> {
  opening ??= opened().catch((refused: unknown) => {
    if (!wasOpen) return undefined;
    opening = undefined;
    throw refused;
  });
  return opening;
}

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(DRAWER);
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No answer.')), PATIENCE));
  const found = await Promise.race([answered(request), late]);
  found.onclose = () => {
    opening = undefined;
  };
  wasOpen = true;
  return found;
}

function answered<Content>(request: IDBRequest<Content>): Promise<Content> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('Refused.'));
  });
}
