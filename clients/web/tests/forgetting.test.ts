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

test('where all was forgotten in another tab, nothing half typed stays in this one', async () => {
  await begin();
  drafts['roundlog.draft/scorer/table-1'] = '{"scores":["421"]}';
  drafts['of another program'] = 'stays';
  await forgetAll(); // as it is told to all tabs
  assert.deepEqual(Object.keys(drafts), ['of another program']);
});
