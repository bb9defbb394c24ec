/**
 * A browser that does what it is told, for tests that play a part: takes a line of JSON for each step on standard input and
 * answers each with a line. Persons have a context of their own, as if each had a phone; pages of one person are tabs. A visit is
 * of somebody who opens one page, looks at it and leaves.
 */

import { createInterface } from 'node:readline';

import type { BrowserContext, Locator, Page, Route } from 'playwright-core';

import { faults } from './accessibility.ts';
import { browser } from './browser.ts';
import { counted, visited, type Visit } from './visit.ts';

type Step = { person: string; tab?: string } & (
  | { do: 'arrive'; language?: string; theme?: string; wide?: boolean }
  | { do: 'open'; url: string }
  | { do: 'reload' }
  | { do: 'away' }
  | { do: 'kept' }
  | { do: 'aside' }
  | { do: 'clock'; ahead: number }
  | { do: 'network'; on: boolean; silent?: boolean; act?: string; foreign?: boolean; without?: string; status?: number; late?: string; slow?: number; asks?: string }
  | { do: 'storage'; busy?: boolean; full?: boolean }
  | { do: 'fill'; label: string; with: string }
  | { do: 'choose'; label: string; option: string }
  | { do: 'tick'; label: string; off?: boolean }
  | { do: 'ticked'; label: string }
  | { do: 'file'; label: string; name: string; content: string }
  | { do: 'type'; keys: string[] }
  | { do: 'value'; label: string; last?: boolean }
  | { do: 'press'; button: string; loosely?: boolean; twice?: boolean }
  | { do: 'follow'; link: string }
  | { do: 'drag'; from: string; to: string }
  | { do: 'printed' }
  | { do: 'unfold'; words: string }
  | { do: 'await'; words: string; gone?: boolean }
  | { do: 'text'; paper?: boolean }
  | { do: 'address' }
  | { do: 'title'; is: string }
  | { do: 'focus'; field: string }
  | { do: 'on'; name: string; loosely?: boolean }
  | { do: 'refused'; label: string }
  | { do: 'sideways' }
  | { do: 'letters'; size: number }
  | { do: 'broken' }
  | { do: 'announced' }
  | { do: 'listen' }
  | { do: 'heard' }
  | { do: 'faults' }
  | { do: 'copied' }
  | { do: 'worked' }
  | { do: 'picture'; path: string; paper?: boolean }
  | { do: 'said' }
  | { do: 'leave' }
);

type Person = { context: BrowserContext; tabs: Map<string, Page>; said: string[]; asked: string[]; keys: string[] };

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };
const PATIENCE = 180_000; // less than whoever waits for an answer, so that they hear what was not seen
const GLANCE = 50; // to look at each frame would keep the page busy with nothing else
const GLIMPSE = 10_000; // for what a page shows that something was not seen on
const SHOWN = 600; // characters of each end
const OVERTAKEN = 2_000;
const ASKED = '**/v1/**';
const DIRECTIONS = /[\u2068\u2069]/g; // around names that stand beside each other: nobody sees them

const chromium = await browser();
const persons = new Map<string, Person>();
const works = new WeakMap<Page, () => Promise<number>>(); // what each has worked since it was first asked

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line) as Step | ({ do: 'visit' } & Visit);
  try {
    console.log(JSON.stringify({ answer: (await (step.do === 'visit' ? visited(chromium, step) : done(step))) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: `${JSON.stringify(step)}: ${String(error)}${await shown(step)}` }));
  }
}
await chromium.close();

async function done(step: Step): Promise<unknown> {
  if (step.do === 'leave') return left(step.person);
  const person = persons.get(step.person) ?? (await arrived(step));
  const page = await tabOf(person, step.tab ?? '');
  switch (step.do) {
    case 'arrive':
      return undefined;
    case 'open':
      await page.goto(step.url);
      return page.waitForSelector('main h1').then(() => undefined);
    case 'reload':
      await page.reload();
      return page.waitForSelector('main h1').then(() => undefined);
    case 'away': // to a page that knows nothing of these
      return page.goto('about:blank').then(() => undefined);
    case 'kept': // by the worker, so that the page opens without a network
      return page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    case 'aside': // the phone is laid aside, so that nobody looks at the page
      return page.evaluate(() => dispatchEvent(new Event('pagehide'))).then(() => undefined);
    case 'clock': // stands still, so many seconds from now, however long a busy machine takes
      return page.clock.setFixedTime(Date.now() + step.ahead * 1000);
    case 'network': // `silent`: what is sent arrives, reports or another act, and no answer comes back; `foreign`: whatever is asked, its own page is the answer; `without`: a service that is down, or answers each question with `status`; `late`: the first answer to such a request comes after that to the next; `slow`: whatever is asked, or only `asks`, is on its way for so many milliseconds
      if (step.without) return person.context.route(`**/${step.without}/v1/**`, (route) => route.fulfill({ status: step.status ?? 502 }));
      if (step.late) return person.context.route(`**/${step.late}`, overtaken());
      if (step.slow) return person.context.route(step.asks ? `**/${step.asks}` : ASKED, underWay(step.slow));
      if (step.foreign) return person.context.route(ASKED, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' }));
      if (step.silent) await person.context.route(`**/${step.act ?? 'reports'}`, unanswered);
      // From the silent one to none there is no moment at which what is sent again is answered.
      await person.context.setOffline(!step.on && !step.silent);
      return step.silent ? undefined : person.context.unrouteAll({ behavior: 'wait' });
    case 'storage': // while it is busy, nothing is kept, as where a disk is slow; where it is full, nothing is
      if (step.full !== undefined) return page.evaluate(filled, step.full);
      return page.evaluate(step.busy ? occupied : released);
    case 'fill':
      return page.getByLabel(step.label, { exact: true }).fill(step.with);
    case 'value':
      return page.getByLabel(step.label, { exact: true }).nth(step.last ? -1 : 0).inputValue();
    case 'choose':
      return page.locator('select').and(page.getByLabel(beginning(step.label))).first().selectOption({ label: step.option }).then(() => undefined);
    case 'tick':
      return page.getByLabel(step.label, { exact: true }).setChecked(!step.off);
    case 'ticked':
      return page.getByLabel(step.label, { exact: true }).isChecked();
    case 'file':
      return page.getByLabel(step.label).setInputFiles({
        name: step.name,
        mimeType: 'text/csv',
        buffer: Buffer.from(step.content),
      });
    case 'type':
      // Whoever types words looks for the field first: a form that has just come takes the focus a moment later.
      if (/^\d/.test(step.keys[0] ?? '')) await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
      for (const key of step.keys) await (key.length > 1 && !/^[A-Z][A-Za-z+]*$/.test(key) ? page.keyboard.type(key) : page.keyboard.press(key));
      return undefined;
    case 'press':
      return page
        .getByRole('button', { name: step.button, exact: !step.loosely })
        .first()
        .click({ clickCount: step.twice ? 2 : 1 });
    case 'follow':
      return page.getByRole('link', { name: step.link, exact: true }).first().click();
    case 'drag': {
      const [from, to] = [await middleOf(page, step.from), await middleOf(page, step.to)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      return page.mouse.up();
    }
    case 'printed': // how often somebody was asked for a printer
      return page.evaluate(() => (window as unknown as { printed?: number }).printed ?? 0);
    case 'unfold':
      return turned(page.locator('summary', { hasText: step.words }).first());
    case 'await':
      await page.waitForFunction(
        ({ words, gone, directions }) =>
          document.body.innerText.replaceAll(new RegExp(directions, 'g'), '').replace(/\s+/g, ' ').includes(words) !== gone,
        { words: step.words, gone: step.gone ?? false, directions: DIRECTIONS.source },
        { timeout: PATIENCE, polling: GLANCE },
      );
      return undefined;
    case 'text': {
      await page.emulateMedia({ media: step.paper ? 'print' : null });
      const text = await page.locator('body').innerText();
      await page.emulateMedia({ media: null });
      return text.replaceAll(DIRECTIONS, '');
    }
    case 'address':
      return page.url();
    case 'title':
      return page.waitForFunction((title) => document.title === title, step.is, { timeout: GLIMPSE }).then(() => undefined);
    case 'focus': // until keys go there
      return page.waitForFunction((field) => document.activeElement?.id.startsWith(field), step.field).then(() => undefined);
    case 'on':
      return page
        .waitForFunction(
          ({ name, loosely }) => {
            const { activeElement: one } = document;
            const said = one instanceof HTMLInputElement ? one.labels?.[0]?.innerText : one instanceof HTMLElement && one !== document.body ? one.innerText : '';
            return loosely ? said?.includes(name) : said?.trim() === name;
          },
          { name: step.name, loosely: step.loosely ?? false },
        )
        .then(() => undefined)
        .catch(async ({ message }: Error) => {
          throw new Error(`${message}\nKeys are on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
        });
    case 'refused': // what a field says about what was typed into it
      return page.getByLabel(step.label, { exact: true }).evaluate((field) => (field as HTMLInputElement).validationMessage);
    case 'sideways': // how far something goes beyond the page, or a score or a field beyond its card
      return page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const right = (one: Element | null) => one?.getBoundingClientRect().right ?? 0;
        const scores = [...document.querySelectorAll('.card :is(.score, .field)')].map((score) => right(score) - right(score.closest('.card')));
        return Math.max(scrollWidth - clientWidth, ...scores);
      });
    case 'letters': // as large as somebody has chosen in the browser; usual are 16
      await (await person.context.newCDPSession(page)).send('Page.setFontSizes', { fontSizes: { standard: step.size } });
      return page.waitForFunction((size) => getComputedStyle(document.documentElement).fontSize === `${size}px`, step.size).then(() => undefined);
    case 'broken': // words of acts, buttons and names that go on in another line
      return page.evaluate(broken);
    case 'announced': // to whoever hears the page
      return page.getByRole('status').allInnerTexts();
    case 'listen': // from now on
      return page.evaluate(listening);
    case 'heard': // since then, in order, whatever stands there by now
      return page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    case 'faults':
      return faults(page);
    case 'copied': // by a button of the page
      return page.evaluate(() => navigator.clipboard.readText());
    case 'worked': // seconds of a core that the page has worked since this was first asked, however busy the machine is
      return worked(person.context, page);
    case 'picture':
      await page.emulateMedia({ media: step.paper ? 'print' : null });
      await page.screenshot({ path: step.path, fullPage: true });
      return page.emulateMedia({ media: null });
    case 'said':
      return { said: person.said, asked: person.asked, keys: person.keys };
  }
}

/** Whoever sees that a press has missed, because what is above has gone at that moment, presses again. */
async function turned(summary: Locator): Promise<void> {
  const isOpen = () => summary.evaluate(({ parentElement }) => (parentElement as HTMLDetailsElement).open);
  const before = await isOpen();
  do await summary.click();
  while ((await isOpen()) === before);
}

/** The text of such a label has all options in it. */
function beginning(label: string): RegExp {
  return new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

async function arrived(step: Step): Promise<Person> {
  const { language = 'en', theme = 'light', wide = false } = step.do === 'arrive' ? step : {};
  const context = await chromium.newContext({
    viewport: wide ? WIDE : PHONE,
    locale: language,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Bratislava',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  if (theme === 'contrast') await context.addInitScript(() => localStorage.setItem('roundlog.theme', 'contrast'));
  await context.addInitScript(() => {
    const counted = window as unknown as { printed: number };
    counted.printed = 0;
    window.print = () => {
      counted.printed += 1;
    };
  });
  const person: Person = { context, tabs: new Map(), said: [], asked: [], keys: [] };
  persons.set(step.person, person);
  return person;
}

function broken(): string[] {
  const found: string[] = [];
  for (const words of [...document.querySelectorAll('main :is(summary, button, .who, .seat-who, .reported span, .entry-table > span)')].flatMap(({ childNodes }) => [...childNodes])) {
    for (const { 0: word, index } of (words.nodeType === Node.TEXT_NODE ? words.nodeValue : '')?.matchAll(/[^\s\-–/]+/g) ?? []) {
      const range = document.createRange();
      range.setStart(words, index);
      range.setEnd(words, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
}

function listening(): void {
  const heard: string[] = [];
  (window as unknown as { heard: string[] }).heard = heard;
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      const place = target instanceof Element ? target : target.parentElement;
      if (!place?.closest('[role=status]')) continue;
      heard.push(...(type === 'childList' ? [...addedNodes] : [target]).map(({ textContent }) => textContent ?? ''));
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** With all that their phone has kept. */
async function left(name: string): Promise<void> {
  await persons.get(name)?.context.close();
  persons.delete(name);
}

async function tabOf(person: Person, name: string): Promise<Page> {
  const known = person.tabs.get(name);
  if (known) return known;
  const page = await person.context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) person.said.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => person.said.push(String(error)));
  page.on('request', (request) => {
    person.asked.push(`${request.method()} ${request.url()}`);
    const key = request.headers()['idempotency-key'];
    if (key) person.keys.push(key);
  });
  person.tabs.set(name, page);
  return page;
}

/** Where there is a next one: it may wait for the first. */
function overtaken(): (route: Route) => Promise<void> {
  let first = true;
  return async (route) => {
    const wait = first;
    first = false;
    try {
      const response = await route.fetch();
      if (wait) await new Promise((passed) => setTimeout(passed, OVERTAKEN));
      await route.fulfill({ response });
    } catch {
      // The page may have been left meanwhile: that ends no other's browser.
    }
  };
}

function underWay(milliseconds: number): (route: Route) => Promise<void> {
  return async (route) => {
    await new Promise((passed) => setTimeout(passed, milliseconds));
    await route.continue().catch(() => undefined); // the page may have been left meanwhile
  };
}

async function unanswered(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('internetdisconnected').catch(() => undefined); // the page may have been left meanwhile
}

/** By a change in the drawer of the page that asks for more until it is let go: all others wait for its end. */
async function occupied(): Promise<void> {
  const opening = indexedDB.open('roundlog');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const drawer = opening.result.transaction('desk', 'readwrite').objectStore('desk');
  const shared = window as unknown as { busy: boolean };
  shared.busy = true;
  await new Promise<void>((begun) => {
    const more = () => {
      begun();
      if (shared.busy) drawer.get('nothing').onsuccess = more;
      else opening.result.close();
    };
    drawer.get('nothing').onsuccess = more;
  });
}

function filled(full: boolean): void {
  const shared = window as unknown as { put: typeof IDBObjectStore.prototype.put };
  shared.put ??= IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = full
    ? () => {
        throw new DOMException('There is no room.', 'QuotaExceededError');
      }
    : shared.put;
}

function released(): void {
  (window as unknown as { busy: boolean }).busy = false;
}

async function worked(context: BrowserContext, page: Page): Promise<number> {
  const work = works.get(page) ?? (await counted(await context.newCDPSession(page)));
  works.set(page, work);
  return work();
}

/** How what stands on the page begins and ends, or nothing where there is none. */
async function shown(step: Step | ({ do: 'visit' } & Visit)): Promise<string> {
  const page = step.do === 'visit' ? undefined : persons.get(step.person)?.tabs.get(step.tab ?? '');
  const text = await page?.locator('body').innerText({ timeout: GLIMPSE }).catch(String);
  const words = text?.replace(/\s+/g, ' ').trim() ?? '';
  const ends = words.length > 2 * SHOWN ? `${words.slice(0, SHOWN)} … ${words.slice(-SHOWN)}` : words;
  return words && `\nThe page ${page?.url()} shows: ${ends}`;
}

async function middleOf(page: Page, button: string): Promise<{ x: number; y: number }> {
  const found = page.getByRole('button', { name: button }).first();
  await found.scrollIntoViewIfNeeded();
  const box = await found.boundingBox();
  if (!box) throw new Error(`${button} is not to be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
