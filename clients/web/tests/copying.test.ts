/** What a browser that gives no clipboard copies all the same, and that nothing is called copied that was not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { copied } from '../src/parts/copying.ts';

type Clipboard = { writeText: (words: string) => Promise<void> };

/** A browser with or without a clipboard, which copies what is marked, or does not. */
function browser(clipboard: Clipboard | undefined, copyMarked: () => boolean) {
  const told = { marked: [] as string[], there: 0, focused: 0 };
  const createElement = () => {
    const field = { value: '', readOnly: false, style: {}, select: () => told.marked.push(field.value), remove: () => (told.there -= 1) };
    return field;
  };
  Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });
  Object.defineProperty(globalThis, 'document', { value: { createElement, execCommand: copyMarked }, configurable: true });
  const button = { after: () => (told.there += 1), focus: () => (told.focused += 1) } as unknown as HTMLElement;
  return { told, button };
}

const refusing = { writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) };

test('where there is a clipboard, it is asked only', async () => {
  const words: string[] = [];
  const { told, button } = browser({ writeText: async (said) => void words.push(said) }, () => false);
  assert.equal(await copied('secret', button), true);
  assert.deepEqual([words, told.marked], [['secret'], []]);
});

for (const [where, clipboard] of [['none', undefined], ['one that refuses', refusing]] as const) {
  test(`where there is ${where}, what is marked is copied, and nothing of that stays`, async () => {
    const { told, button } = browser(clipboard, () => true);
    assert.equal(await copied('secret', button), true);
    assert.deepEqual(told, { marked: ['secret'], there: 0, focused: 1 });
  });
}

test('what was not copied is not called so', async () => {
  for (const copyMarked of [() => false, () => assert.fail()]) {
    const { told, button } = browser(refusing, copyMarked);
    assert.equal(await copied('secret', button), false);
    assert.equal(told.there, 0);
  }
});
