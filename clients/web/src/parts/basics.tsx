/** The small parts that every page is put together from. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Asked } from '../api/asked.ts';
import type { Live } from '../api/live.ts';
import { useSpeech } from '../texts/index.ts';

export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts, 'Roundlog'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

export function Section({
  title,
  end,
  children,
}: {
  title: ComponentChildren;
  end?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {end !== undefined && <div class="end row">{end}</div>}
      </div>
      {children}
    </section>
  );
}

export function Search({
  label,
  value,
  change,
  hint,
}: {
  label: string;
  value: string;
  change: (words: string) => void;
  hint?: string;
}) {
  return (
    <label class="search no-print">
      <span class="visually-hidden">{label}</span>
      <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
        <circle cx="8.5" cy="8.5" r="6" />
        <path d="m13 13 5 5" stroke-linecap="round" />
      </svg>
      <input
        class="field"
        type="search"
        placeholder={hint ?? label}
        value={value}
        autocomplete="off"
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

/** The answer, or the space that it will take, or why there is none. */
export function Shown<Answer>({
  asked,
  rows = 4,
  children,
}: {
  asked: Asked<Answer>;
  rows?: number;
  children: (answer: Answer) => ComponentChildren;
}) {
  const { answer, problem } = asked;
  if (answer !== undefined) return <>{children(answer)}</>;
  if (problem) return <ProblemNote problem={problem} />;
  return (
    <div class="stack" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span class="skeleton" key={row} />
      ))}
    </div>
  );
}

export function ProblemNote({ problem }: { problem: { type: string; detail: string } }) {
  const { texts } = useSpeech();
  const kind = problem.type.split('/').at(-1) ?? '';
  return (
    <p class="note problem" role="status">
      {texts.problems[kind] ?? problem.detail}
    </p>
  );
}

/** Whether the page hears of changes, and when the last one came. */
export function LiveMark({ live }: { live: Live }) {
  const { texts, time, moment } = useSpeech();
  const { heard, changedAt } = live;
  const [fresh, setFresh] = useState(false);
  const before = useRef(changedAt);
  useEffect(() => {
    if (!changedAt || before.current === changedAt) return undefined;
    const known = before.current !== undefined;
    before.current = changedAt;
    if (!known) return undefined; // what was so when the page was opened is no news
    setFresh(true);
    const calm = setTimeout(() => setFresh(false), 1300);
    return () => clearTimeout(calm);
  }, [changedAt]);
  const said = heard === undefined ? texts.live.starting : heard ? texts.live.on : texts.live.off;
  return (
    <span class={`live${heard ? ' on' : ''}${fresh ? ' changed' : ''}`}>
      <i aria-hidden="true" />
      {said}
      {changedAt !== undefined && ` · ${texts.live.changed(sameDay(changedAt) ? time(changedAt) : moment(changedAt))}`}
    </span>
  );
}

function sameDay(moment: string): boolean {
  return new Date(moment).toDateString() === new Date().toDateString();
}

export function PrintButton() {
  const { texts } = useSpeech();
  return (
    <button type="button" class="button no-print for-paper" onClick={() => print()}>
      {texts.shell.print}
    </button>
  );
}

/** Words without accents and capitals, as people type them when they look for a name. */
export function plain(words: string): string {
  return words
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase();
}

export function matches(wanted: string, ...words: (string | number | null | undefined)[]): boolean {
  const all = plain(words.filter((one) => one !== null && one !== undefined).join(' '));
  return plain(wanted)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
