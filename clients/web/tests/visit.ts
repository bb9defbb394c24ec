/**
 * Opens a page as somebody would, in a context of its own, and says what is wrong with it: what axe finds, what the console says,
 * what was asked of other origins, how much came, how far the page moved while it was drawn, and the text that stands on it. With
 * `pictures`, it is photographed into that folder, as large as the screen where a `frame` is named, which makes small files for
 * documents. `paper` is printed, `keys` and the button `press` are pressed before anything is looked at, `slow` is a phone four
 * times slower than this machine, with 1.6 Mbit/s and 150 ms away, and of what is `measured` only the numbers are wanted. `bare` is
 * a page none of whose files come: what it does then, it does while it waits for them. `late` is an order in which what is asked of the
 * services is answered, each after a while.
 */

import { writeFile } from 'node:fs/promises';

import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import { calm, faults } from './accessibility.ts';

export type Visit = {
  origin: string;
  path: string;
  name: string;
  language?: string;
  theme?: string;
  wide?: boolean;
  javascript?: boolean;
  measured?: boolean;
  paper?: boolean;
  slow?: boolean;
  bare?: boolean;
  late?: number;
  keys?: string[];
  press?: string;
  frame?: [number, number];
  pictures?: string;
};

const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };
const LARGE = 32; // pixels of a letter, where 16 are usual
const PROJECTOR = { width: 1920, height: 1080 };
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWER = 4;
const LATE = [0, 600, 150, 450, 300, 50, 550]; // milliseconds
const UNDISTURBED = 2_500; // milliseconds in which a slow page is not asked whether it is there: each time would cost it a tenth of a second
const PATIENCE = 180_000; // for each that is waited for, on a busy machine

export async function visited(chromium: Browser, visit: Visit): Promise<unknown> {
  const { language = 'en', theme = 'light', wide = false, javascript = true } = visit;
  const context = await chromium.newContext({
    viewport: visit.frame ? { width: visit.frame[0], height: visit.frame[1] } : wide ? PROJECTOR : PHONE,
    locale: language,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: javascript,
    timezoneId: 'Europe/Bratislava',
  });
  try {
    return await seen(context, visit);
  } finally {
    await context.close();
  }
}

async function seen(context: BrowserContext, visit: Visit): Promise<unknown> {
  const { origin, path, name, pictures, theme = 'light', wide = false, javascript = true, bare = false } = visit;
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => request.url().startsWith(origin) || strangers.push(request.url()));
  let bytes = 0;
  const asked: string[] = [];
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  page.on('request', (request) => asked.push(request.url()));
  network.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(watchMoves, theme);
  if (visit.slow) {
    await network.send('Network.emulateNetworkConditions', SLOW);
    await network.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  }
  const work = await counted(network);
  if (bare) await page.route('**/assets/**', (route) => route.abort());
  if (visit.late) await delay(page, visit.late);
  await page.goto(origin + path);
  if (bare) {
    await page.waitForTimeout(300);
    return { name, worked: await work() };
  }
  if (visit.slow) await page.waitForTimeout(UNDISTURBED);
  if (javascript) {
    await page.waitForSelector('main h1');
    await page.waitForFunction(() => !document.querySelector('[aria-busy]'), undefined, { polling: 50 }); // seldom: it costs the page time
  }
  const worked = await work();
  if (javascript) await page.waitForTimeout(300);
  const loaded = bytes;
  const twice = [...new Set(asked.filter((one, at) => asked.indexOf(one) < at))];
  if (javascript) await page.waitForFunction(() => (window as unknown as { usable: number }).usable);
  const { usable, trips, size } = javascript ? await page.evaluate(untilUsable) : { usable: 0, trips: 0, size: 0 };
  for (const key of visit.keys ?? []) await page.keyboard.press(key);
  if (visit.press) {
    await page.getByRole('button', { name: visit.press }).click();
    await page.waitForSelector('[role=img]');
  }
  const text = await page.locator('body').innerText();
  const found = javascript && !visit.measured ? await faults(page) : [];
  const moved = javascript ? await page.evaluate(() => (window as unknown as { moved: number }).moved) : 0;
  const sideways = javascript ? await sidewaysOf(page) : 0;
  if (pictures && visit.frame) {
    const { data } = await network.send('Page.captureScreenshot', { format: 'webp', quality: 72 });
    await writeFile(`${pictures}/${name}.webp`, Buffer.from(data, 'base64'));
  } else if (pictures) {
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: !wide });
  }
  const codes = javascript ? await codesOn(page) : [];
  const sheets = visit.paper ? await printed(page, name, pictures) : 0;
  const paper = visit.paper ? await onPaper(page) : '';
  const unforced = javascript && !visit.measured ? await drawnUnforced(page) : [];
  const enlarged = javascript && !visit.measured ? await sidewaysEnlarged(page, network) : 0;
  return { name, path, faults: found, said, strangers, moved, sideways, enlarged, unforced, bytes: loaded, twice, worked, usable, trips, size, codes, sheets, paper, text };
}

/** Each path has its own time to wait; its letters say how long, to be the same the next time. */
async function delay(page: Page, order: number): Promise<void> {
  await page.route('**/v1/**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    const place = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % LATE.length, order);
    await new Promise((passed) => setTimeout(passed, LATE[place]));
    await route.continue();
  });
}

/** From now on, seconds of a core that the page has worked, without what it was asked by whoever looks at it. */
export async function counted(devtools: CDPSession): Promise<() => Promise<number>> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return of('TaskDuration') - of('DevToolsCommandDuration');
  };
}

/**
 * When the first frame was drawn that could be read and used, by the clock of the page, which begins with the navigation; how many
 * answers had to be waited for one after the other until its content was there, and how many bytes had come by then.
 */
function untilUsable(): { usable: number; trips: number; size: number } {
  const { usable, ready } = window as unknown as { usable: number; ready: number };
  const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[];
  const ended = asked.map(({ startTime, responseEnd }) => ({ startTime, responseEnd })).sort((one, other) => one.responseEnd - other.responseEnd);
  const size = asked.reduce((all, { responseEnd, encodedBodySize }) => all + (responseEnd > ready ? 0 : encodedBodySize), 0);
  let trips = 0;
  let free = -1;
  for (const { startTime, responseEnd } of ended) {
    if (startTime < free || responseEnd > ready) continue;
    trips += 1;
    free = responseEnd;
  }
  return { usable, trips, size };
}

/** How many sheets of A4. */
async function printed(page: Page, name: string, pictures?: string): Promise<number> {
  if (await page.locator('.on-paper').count()) await page.locator('.on-paper .code').waitFor({ state: 'attached' });
  const paper = await page.pdf({ format: 'A4', preferCSSPageSize: true, printBackground: true });
  if (pictures) {
    await writeFile(`${pictures}/${name}.pdf`, paper);
    await page.setViewportSize({ width: 760, height: 1090 });
    await page.emulateMedia({ media: 'print' });
    await page.screenshot({ path: `${pictures}/${name}-paper.png` });
  }
  return paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** How far the page goes beyond its right edge. */
async function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Words in drawings that keep a colour of ours where colours are forced, dark on black. Boards bring their own ground. */
async function drawnUnforced(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: null, forcedColors: 'active', colorScheme: 'dark' });
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light')); // as chosen by hand
  await calm(page);
  const words = await page.evaluate(() => {
    const { color } = getComputedStyle(document.body);
    return [...document.querySelectorAll('svg:not(.board) text')].filter((one) => getComputedStyle(one).fill !== color).map((one) => one.textContent ?? '');
  });
  await page.emulateMedia({ forcedColors: null, colorScheme: null });
  return words;
}

/** How far it goes on the narrowest of phones, for somebody who has chosen letters of twice the size. */
async function sidewaysEnlarged(page: Page, network: CDPSession): Promise<number> {
  await page.emulateMedia({ media: null });
  await page.setViewportSize(NARROW);
  await network.send('Page.setFontSizes', { fontSizes: { standard: LARGE } });
  await page.waitForFunction((size) => getComputedStyle(document.documentElement).fontSize === `${size}px`, LARGE);
  return sidewaysOf(page);
}

/** What stands on it, with the address of the code. */
async function onPaper(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' });
  return [await page.locator('body').innerText(), ...(await codesOn(page))].join('\n');
}

/** What stands in the QR codes that are seen: each says it to whoever cannot scan it. */
async function codesOn(page: Page): Promise<string[]> {
  return page.getByRole('img').evaluateAll((drawn) => drawn.filter((one) => one.matches('.code')).map((one) => one.getAttribute('aria-label') ?? ''));
}

function watchMoves(theme: string): void {
  const counted = window as unknown as { moved: number; ready: number; usable: number };
  counted.moved = counted.ready = counted.usable = 0;
  const look = () => {
    if (counted.ready || !document.querySelector('main h1') || document.querySelector('[aria-busy]')) return;
    counted.ready = performance.now();
    requestAnimationFrame(() => setTimeout(() => (counted.usable = performance.now()))); // the frame with it has been drawn by then
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) counted.moved += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  if (theme === 'contrast') localStorage.setItem('roundlog.theme', 'contrast');
}
