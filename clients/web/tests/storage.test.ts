/** What a device keeps, also where its browser closes the drawer under an open page, or gives none at all. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

Reflect.deleteProperty(globalThis, 'BroadcastChannel'); // which would wait for other tabs for ever

const drawer = new Map<string, unknown>();
let opened: { close: () => void }[] = [];
let refuses = false;

/** As much of a database as the desk asks for. */
function database() {
  let isOpen = true;
  const soon = (request: { result?: unknown; onsuccess?: () => void }, then?: () => void) => {
    queueMicrotask(() => {
      request.onsuccess?.();
      queueMicrotask(() => then?.());
    });
    return request;
  };
  const found = {
    onclose: undefined as (() => void) | undefined,
    close: () => {
      isOpen = false;
      found.onclose?.();
    },
    transaction: () => {
      if (!isOpen) throw new DOMException('The database connection is closing.', 'InvalidStateError');
      const transaction: { objectStore: () => object; oncomplete?: () => void } = {
        objectStore: () => ({
          get: (key: string) => soon({ result: drawer.get(key) }, () => transaction.oncomplete?.()),
          put: (value: unknown, key: string) => drawer.set(key, value),
          delete: (key: string) => drawer.delete(key),
        }),
      };
      return transaction;
    },
  };
  opened.push(found);
  return soon({ result: found });
}

const indexedDB = {
  open: () => {
    if (refuses) throw new DOMException('Access is denied.', 'SecurityError');
    return database();
  },
};
Object.defineProperty(globalThis, 'indexedDB', { value: indexedDB });

/** As the page of another visit has it. */
async function storage(visit: string): Promise<typeof import('../src/api/device_storage.ts')> {
  opened = [];
  return import(`../src/api/device_storage.ts?${visit}`);
}

test('a drawer that the browser has closed is opened again', async () => {
  const { changed, kept } = await storage('closed');
  await changed('outbox', () => ['k1']);
  opened[0]?.close();
  await changed<string[]>('outbox', (before = []) => [...before, 'k2']);
  assert.deepEqual(await kept('outbox'), ['k1', 'k2']);
  assert.equal(opened.length, 2);
});

test('where a browser gives neither drawer nor notes, all is kept as long as the page is open', async () => {
  refuses = true;
  const forbidden = () => {
    throw new DOMException('Access is denied.', 'SecurityError');
  };
  Object.defineProperty(globalThis, 'localStorage', { get: forbidden, configurable: true });
  const { changed, kept, lasts, lastNotes, note, struckOut } = await storage('refused');
  assert.equal(await lasts(), false);
  note('k1');
  struckOut(lastNotes());
  await changed('outbox', () => ['k1']);
  assert.deepEqual(await kept('outbox'), ['k1']);
});

test('where nothing may be kept, a page speaks and looks as it is told as long as it is open', async () => {
  const page = { documentElement: { dataset: {} as { theme?: string } } };
  Object.defineProperty(globalThis, 'document', { value: page });
  Object.defineProperty(globalThis, 'matchMedia', { value: () => ({ matches: false, addEventListener: () => undefined }) });
  const { chosen, keep, LANGUAGES } = await import('../src/texts/language.ts');
  const { choose, theme } = await import('../src/parts/theme.ts');
  keep('sk');
  assert.ok(chosen() in LANGUAGES);
  choose('dark');
  assert.deepEqual([theme(), page.documentElement.dataset.theme], ['dark', 'dark']);
});
