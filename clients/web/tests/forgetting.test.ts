/** What stays where somebody leaves nothing behind. */

import './as_page.ts';

import assert from 'node:assert/strict';
import { test } from 'node:test';

class Kept {
  [key: string]: unknown;
  removeItem(key: string): void {
    delete this[key];
  }
}
const drafts = new Kept();
Object.defineProperty(globalThis, 'sessionStorage', { value: drafts });

const { begin } = await import('../src/api/session.ts');
const { forgetAll } = await import('../src/api/device_storage.ts');

test('what whoever was forgotten had half typed is gone when the desk is opened again', async () => {
  drafts['roundlog.draft/scorer/table-1'] = '{"scores":["421"]}'; // this tab showed another page, and heard nothing of it
  await begin();
  assert.deepEqual(Object.keys(drafts), []);
});

test('where all was forgotten in another tab, nothing half typed stays in this one', async () => {
  drafts['roundlog.draft/scorer/table-1'] = '{"scores":["421"]}';
  drafts['of another program'] = 'stays';
  await forgetAll(); // as it is told to all tabs
  assert.deepEqual(Object.keys(drafts), ['of another program']);
});
