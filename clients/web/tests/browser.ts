/** A real browser without a window: the Chromium that the frozen lock brings, needing nothing of the system. */

import { mkdir, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

// Its own list is made for a function in a cloud: one process for everything, and no security of pages.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'];
const LOCK = join(tmpdir(), 'roundlog-chromium.lock');
const LONGEST = 150_000; // nobody unpacks for so long: whoever held the lock was ended
const STARTED_WITHIN = 180_000; // on a busy machine
const PAUSE = 200;

export async function browser(): Promise<Browser> {
  return playwright.launch({ args: ARGUMENTS, executablePath: await unpacked(), headless: true, timeout: STARTED_WITHIN });
}

/** Tests run beside each other, and a file that is there may still be written by another of them. */
async function unpacked(): Promise<string> {
  chromium.setGraphicsMode = false;
  while (!(await locked())) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  try {
    return await chromium.executablePath();
  } finally {
    await rmdir(LOCK).catch(() => undefined);
  }
}

async function locked(): Promise<boolean> {
  try {
    await mkdir(LOCK);
    return true;
  } catch {
    const held = await stat(LOCK).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs > LONGEST) await rmdir(LOCK).catch(() => undefined);
    return false;
  }
}
