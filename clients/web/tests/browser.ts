/** A real browser without a window: the Chromium that the frozen lock brings, needing nothing of the system. */

import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

// Its own list is made for a function in a cloud: one process for everything, and no security of pages.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'];

export async function browser(): Promise<Browser> {
  chromium.setGraphicsMode = false;
  return playwright.launch({ args: ARGUMENTS, executablePath: await chromium.executablePath(), headless: true });
}
