/** The small parts that every page is put together from. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { refresh, type Asked } from '../api/answer_cache.ts';
import { useLive } from '../api/live.ts';
import { useMoments } from '../api/public.ts';
import { useSpeech } from '../texts/index.ts';
import { copied } from './copying.ts';

export { matches } from './search.ts';

export function useTitle(...parts: (string | false | 0 | undefined)[]): void {
  const title = [...parts, 'Roundlog'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

const SETTLED = 2_000; // milliseconds, by which what was kept from the last visit has been replaced

/** Of several, the one that is wanted or usual. Once somebody works at it, it stays, whatever the list begins with meanwhile. */
export function useChosen<One extends { id: string }>(wanted: string | undefined, several: One[], usual = several[0]): One | undefined {
  const settled = useRef<string | undefined>(undefined);
  const chosen = several.find(({ id }) => id === (wanted ?? settled.current)) ?? usual;
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.current = chosen?.id;
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [chosen?.id]);
  return chosen;
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
  titled = false,
}: {
  label: string;
  value: string;
  change: (words: string) => void;
  hint?: string;
  /** Whether the label is seen, and not only heard. */
  titled?: boolean;
}) {
  return (
    <label class="search no-print">
      <span class={titled ? 'search-title' : 'visually-hidden'}>{label}</span>
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

/** Said too, for whoever types does not hear that the list has become empty. */
export function NobodyFound() {
  const { texts } = useSpeech();
  return (
    <p class="soft" role="status">
      {texts.tournament.nobodyFound}
    </p>
  );
}

const NOT_FOUND = 404;

/** The answer, or the space that it will take, or why there is none. The space has a key: an element that became part of the answer would move. */
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
  if (problem) return <Failed problem={problem} />;
  return (
    <div key="busy" class="stack" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span class="skeleton" key={row} />
      ))}
    </div>
  );
}

/** Why an answer is missing, and a way to ask again, unless there is nothing to be had. */
export function Failed({ problem }: { problem: NonNullable<Asked<unknown>['problem']> }) {
  const { texts } = useSpeech();
  return (
    <div class="stack">
      <ProblemNote problem={problem} />
      {problem.status !== NOT_FOUND && (
        <div>
          <button type="button" class="button" onClick={() => refresh('')}>
            {texts.shell.again}
          </button>
        </div>
      )}
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

/** Follows a stage, and says whether the page hears of changes and when the last one came. Alone it is drawn anew by that. */
export function LiveMark({ tournament, stage, shown = true }: { tournament: string; stage: string | undefined; shown?: boolean }) {
  const { texts, time, moment } = useSpeech();
  const heard = useLive(tournament, stage);
  const changedAt = useMoments(tournament, stage).answer?.moments.at(-1)?.at;
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
  if (!shown) return null;
  const said = heard === undefined ? texts.live.starting : heard ? texts.live.on : texts.live.off;
  return (
    <span class={`live${heard ? ' on' : ''}${fresh ? ' changed' : ''}`}>
      <i aria-hidden="true" />
      {said}
      {changedAt !== undefined && ` · ${texts.live.changed(sameDay(changedAt) ? time(changedAt) : moment(changedAt))}`}
    </span>
  );
}

/** What goes on beyond its right edge fades there, so that somebody pushes it aside. */
export function useFade<Place extends HTMLElement>(): { current: Place | null } {
  const place = useRef<Place>(null);
  useLayoutEffect(() => {
    const wide = place.current;
    if (!wide) return undefined;
    const look = () => wide.toggleAttribute('data-goes-on', wide.scrollWidth - wide.clientWidth - wide.scrollLeft > 4);
    const watching = new ResizeObserver(look);
    for (const one of [wide, ...wide.children]) watching.observe(one);
    wide.addEventListener('scroll', look, { passive: true });
    return () => {
      watching.disconnect();
      wide.removeEventListener('scroll', look);
    };
  }, []);
  return place;
}

export function sameDay(moment: string): boolean {
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

/** Until something else is pressed it says that it is done; where the browser copies nothing it shows what is to be copied by hand. */
export function CopyButton({ of, title }: { of: string; title: string }) {
  const { texts } = useSpeech();
  const [isThere, tell] = useState<boolean>();
  const said = isThere ? texts.shell.copied : texts.shell.copy;
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label={`${said}: ${title}`}
        onClick={({ currentTarget }) => void copied(of, currentTarget).then(tell)}
        onBlur={() => isThere && tell(undefined)}
      >
        {said}
      </button>
      {isThere === false && (
        <label class="labelled">
          <span role="status">{texts.shell.copyByHand}</span>
          <input class="field" readOnly value={of} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      )}
    </>
  );
}

/** What is shown, as files for other programs; their names are the same in every language. */
export function Files({ of }: { of: [name: string, address: string][] }) {
  return (
    <>
      {of.map(([name, address]) => (
        <a key={name} class="button no-print for-paper" href={address} download>
          {name}
        </a>
      ))}
    </>
  );
}

/** A file for whoever is asked by the browser where to put it. */
export function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
