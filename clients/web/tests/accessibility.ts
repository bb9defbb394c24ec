/** What axe finds on a page that somebody could not use. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function faults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  await calm(page);
  return page.evaluate(async (rules) => {
    type Found = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] };
    const { axe } = window as unknown as { axe: { run: (on: Document, how: object) => Promise<{ violations: Found[] }> } };
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] });
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary ?? ''})`).slice(0, 3).join('; ')}`,
    );
  }, RULES);
}

/** A colour on its way to another is none that anybody reads. */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
