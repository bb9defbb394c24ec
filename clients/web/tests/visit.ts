/**
 * Opens pages as somebody would, and says of each what is wrong with it. Takes JSON on standard input, prints a line of
 * JSON for each page: what axe finds, what the console says, what was asked of other origins, how much came, how far the
 * page moved while it was drawn, and the text that stands on it. A visit with `until` says first that it is open, and
 * goes on when these words have come onto the page by themselves. With `pictures`, each is photographed into that folder.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';

import type { Page } from 'playwright-core';

import { browser } from './browser.ts';

type Visit = { path: string; name: string; language?: string; theme?: string; wide?: boolean; picture?: boolean; javascript?: boolean; until?: string };
type Order = { origin: string; visits: Visit[]; pictures?: string };

const PHONE = { width: 390, height: 844 };
const PROJECTOR = { width: 1920, height: 1080 };
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const order = (await json(process.stdin)) as Order;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const chromium = await browser();
try {
  for (const visit of order.visits) console.log(JSON.stringify(await visited(visit)));
} finally {
  await chromium.close();
}

async function visited(visit: Visit): Promise<unknown> {
  const { path, name, language = 'en', theme = 'light', wide = false, javascript = true } = visit;
  const context = await chromium.newContext({
    viewport: wide ? PROJECTOR : PHONE,
    locale: language,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: javascript,
    timezoneId: 'Europe/Bratislava',
  });
  const page = await context.newPage();
  const said: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => request.url().startsWith(order.origin) || strangers.push(request.url()));
  let bytes = 0;
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  network.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(watchMoves, theme);
  await page.goto(order.origin + path);
  if (javascript) {
    await page.waitForSelector('main h1');
    await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
    await page.waitForTimeout(300);
  }
  const loaded = bytes;
  if (visit.until) {
    console.log(JSON.stringify({ open: name }));
    await page.waitForFunction((words) => document.body.innerText.includes(words), visit.until, { timeout: 120_000 });
  }
  const text = await page.locator('body').innerText();
  const found = javascript ? await faults(page) : [];
  const moved = javascript ? await page.evaluate(() => (window as unknown as { moved: number }).moved) : 0;
  const sideways = javascript
    ? await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    : 0;
  if (order.pictures) {
    await page.screenshot({ path: `${order.pictures}/${name}.png`, fullPage: !wide });
  }
  await context.close();
  return { name, path, faults: found, said, strangers, moved, sideways, bytes: loaded, text };
}

function watchMoves(theme: string): void {
  const counted = window as unknown as { moved: number };
  counted.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) counted.moved += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  if (theme === 'contrast') localStorage.setItem('roundlog.theme', 'contrast');
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    type Found = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] };
    const { axe } = window as unknown as { axe: { run: (on: Document, how: object) => Promise<{ violations: Found[] }> } };
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: rules } });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary ?? ''})`).slice(0, 3).join('; ')}`,
    );
  }, RULES);
}
