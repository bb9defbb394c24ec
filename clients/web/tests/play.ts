/**
 * A browser that does what it is told, for tests that play a part: takes a line of JSON for each step on standard input and
 * answers each with a line. Persons have a context of their own, as if each had a phone; pages of one person are tabs.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

import type { BrowserContext, Page } from 'playwright-core';

import { browser } from './browser.ts';

type Step = { person: string; tab?: string } & (
  | { do: 'arrive'; language?: string; theme?: string; wide?: boolean }
  | { do: 'open'; url: string }
  | { do: 'reload' }
  | { do: 'kept' }
  | { do: 'network'; on: boolean }
  | { do: 'fill'; label: string; with: string }
  | { do: 'choose'; label: string; option: string }
  | { do: 'file'; label: string; name: string; content: string }
  | { do: 'type'; keys: string[] }
  | { do: 'press'; button: string }
  | { do: 'unfold'; words: string }
  | { do: 'await'; words: string; gone?: boolean }
  | { do: 'text' }
  | { do: 'address' }
  | { do: 'focus' }
  | { do: 'sideways' }
  | { do: 'faults' }
  | { do: 'picture'; path: string }
  | { do: 'said' }
);

type Person = { context: BrowserContext; tabs: Map<string, Page>; said: string[]; asked: string[] };

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };
const PATIENCE = 60_000;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const chromium = await browser();
const persons = new Map<string, Person>();

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line) as Step;
  try {
    console.log(JSON.stringify({ answer: (await done(step)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: `${JSON.stringify(step)}: ${String(error)}` }));
  }
}
await chromium.close();

async function done(step: Step): Promise<unknown> {
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
    case 'kept': // by the worker, so that the page opens without a network
      return page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    case 'network':
      return person.context.setOffline(!step.on);
    case 'fill':
      return page.getByLabel(step.label, { exact: true }).fill(step.with);
    case 'choose':
      return page.getByLabel(step.label).selectOption({ label: step.option }).then(() => undefined);
    case 'file':
      return page.getByLabel(step.label).setInputFiles({
        name: step.name,
        mimeType: 'text/csv',
        buffer: Buffer.from(step.content),
      });
    case 'type':
      for (const key of step.keys) await (key.length > 1 && !/^[A-Z]/.test(key) ? page.keyboard.type(key) : page.keyboard.press(key));
      return undefined;
    case 'press':
      return page.getByRole('button', { name: step.button, exact: true }).first().click();
    case 'unfold':
      return page.locator('summary', { hasText: step.words }).first().click();
    case 'await':
      await page.waitForFunction(
        ({ words, gone }) => document.body.innerText.includes(words) !== gone,
        { words: step.words, gone: step.gone ?? false },
        { timeout: PATIENCE },
      );
      return undefined;
    case 'text':
      return page.locator('body').innerText();
    case 'address':
      return page.url();
    case 'focus':
      return page.evaluate(() => document.activeElement?.id ?? '');
    case 'sideways':
      return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    case 'faults':
      return faults(page);
    case 'picture':
      return page.screenshot({ path: step.path, fullPage: true }).then(() => undefined);
    case 'said':
      return { said: person.said, asked: person.asked };
  }
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
  if (theme === 'contrast') await context.addInitScript(() => localStorage.setItem('roundlog.theme', 'contrast'));
  const person: Person = { context, tabs: new Map(), said: [], asked: [] };
  persons.set(step.person, person);
  return person;
}

async function tabOf(person: Person, name: string): Promise<Page> {
  const known = person.tabs.get(name);
  if (known) return known;
  const page = await person.context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && person.said.push(message.text()));
  page.on('pageerror', (error) => person.said.push(String(error)));
  page.on('request', (request) => person.asked.push(`${request.method()} ${request.url()}`));
  person.tabs.set(name, page);
  return page;
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    type Found = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] };
    const { axe } = window as unknown as { axe: { run: (on: Document, how: object) => Promise<{ violations: Found[] }> } };
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: rules } });
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary ?? ''})`).slice(0, 3).join('; ')}`,
    );
  }, RULES);
}
