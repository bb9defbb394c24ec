/** What things are called in the language of the reader; what a federation has named itself stays as it is. */

import type { Column, Entrant, StageList } from '../api/public.ts';
import { opened } from '../api/stages.ts';
import type { Speech, Texts } from '../texts/index.ts';

export type Seat = { entrant: string; number?: number | null; name?: string | null; home?: string | null };

export function seatName({ name, number }: { name?: string | null; number?: number | null }): string {
  return name ?? (number ? `No. ${number}` : '–');
}

export function entrantName({ name, persons, number }: Entrant): string {
  const names = persons.map((person) => person.name).filter((one) => one !== null && one !== undefined);
  return seatName({ name: name ?? (names.length ? names.join(' / ') : null), number: number ?? null });
}

const NAMED_BY_SYSTEM = ['swiss', 'groups'];

/** A stage that is called by how it is paired is called otherwise where a small field is paired otherwise. */
export function stageName(texts: Texts, { stage, title, system }: { stage: string; title?: string | null; system?: string }): string {
  const other = system !== undefined && NAMED_BY_SYSTEM.includes(stage) ? texts.stages[system] : undefined;
  return other ?? texts.stages[stage] ?? title ?? stage;
}

/** Groups, matches that knock out, or both. */
export function bracketName(texts: Texts, stages: StageList | undefined): string {
  const systems = opened(stages).map(({ system }) => system);
  const names = [systems.includes('groups') && (texts.stages.groups ?? ''), systems.includes('knockout') && texts.tournament.bracket];
  return names.filter(Boolean).join(' · ');
}

/** It is final when the tournament is. */
export function rankingName(texts: Texts, completed: boolean): string {
  return completed ? texts.tournament.ranking : texts.tournament.overall;
}

export function listName(texts: Texts, { id, title }: { id: string; title: string }): string {
  return texts.lists[id] ?? title;
}

export function gameName(texts: Texts, game: string): string {
  return (texts.games as Record<string, string>)[game] ?? game;
}

export function statusName(texts: Texts, status: string): string {
  return (texts.status as Record<string, string>)[status] ?? status;
}

export function criterion(texts: Texts, column: Column): { title: string; short: string; says: string } {
  const { title, short, description } = column;
  return texts.criteria[column.key] ?? { title, short, says: description };
}

export function figure(speech: Speech, value: number | null | undefined): string {
  return value === null || value === undefined ? '' : speech.number(value);
}

/** Each name has its own direction: two in Hebrew or Arabic would else be read as one text, and change sides under their score. */
export function versus(names: readonly string[]): string {
  return names.map((name) => `\u2068${name}\u2069`).join(' – ');
}
