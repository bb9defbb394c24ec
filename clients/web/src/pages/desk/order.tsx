/** An order of a director: a button that waits for the answer and shows it, and what would come of it where that is dangerous. */

import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useReducer, useRef, useState } from 'preact/hooks';

import type { Outcome } from '../../api/answer_cache.ts';
import type { Problem } from '../../api/director.ts';
import { foreseen, ordered, type To } from '../../api/orders.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Refusal } from './refusal.tsx';

export type Running = {
  busy: boolean;
  problem: Problem | undefined;
  forget: () => void;
  /** Says what came of it; nothing where it was refused. */
  send: <Answer>(what: string, order: (to: To) => Promise<Outcome<Answer>>, absolute?: boolean) => Promise<Answer | undefined>;
  /** The same of a dry run, which changes nothing. */
  look: <Answer>(order: () => Promise<Outcome<Answer>>, what?: string) => Promise<Answer | undefined>;
};

/** `queues`: another order that comes before the answer to the first is sent behind it, and only the same one is not sent again. */
export function useOrder(queues = false): Running {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const under = useRef(new Set<string>()); // also before the page was drawn again
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const run = async <Answer,>(what: string, asking: () => ReturnType<typeof foreseen<Answer>>) => {
    const follows = under.current.size > 0;
    if (queues ? under.current.has(what) : follows) return undefined;
    under.current.add(what);
    setBusy(true);
    const asked = last.current.then(asking);
    last.current = asked;
    const found = await asked;
    under.current.delete(what);
    setBusy(under.current.size > 0);
    setProblem((before) => found.problem ?? (follows ? before : undefined)); // why the one before was refused stays in sight
    return found.answer;
  };
  return {
    busy,
    problem,
    forget: () => setProblem(undefined),
    send: (what, order, absolute) => run(what, () => ordered(what, order, absolute)),
    look: (order, what = '') => run(what, () => foreseen(order)),
  };
}

/** Whatever waits for the network says so; what was refused stands below. */
export function Sending({ running, fields }: { running: Pick<Running, 'busy' | 'problem'>; fields?: Record<string, string> }) {
  const { texts } = useSpeech();
  return (
    <div role="status" class="sending">
      {running.busy && <span class="soft small">{texts.director.sending}</span>}
      {!running.busy && running.problem && <Refusal problem={running.problem} detailed fields={fields} />}
    </div>
  );
}

/** Says to whoever does not see the page what was done, also where the button that did it has gone. */
const Telling = createContext<(words: string) => void>(() => undefined);

/** Where that is said, for all within. The same words once more are written anew, or nobody would hear them. */
export function Told({ children }: { children: ComponentChildren }) {
  const [{ words, nth }, tell] = useReducer((last: { nth: number }, said: string) => ({ words: said, nth: last.nth + 1 }), { words: '', nth: 0 });
  return (
    <>
      <p class="visually-hidden" role="status">
        <span key={nth}>{words}</span>
      </p>
      <Telling.Provider value={tell}>{children}</Telling.Provider>
    </>
  );
}

export function useTell(): (words: string) => void {
  return useContext(Telling);
}

/** Tells later whether this page is shown still: whoever has gone elsewhere meanwhile stays there. */
export function fromHere(): () => boolean {
  const { href } = location;
  return () => location.href === href;
}

/** Whether keys go into a field: what comes meanwhile does not take them elsewhere. */
export function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select') ?? false;
}

/**
 * A press while something is on its way that may change what is sent: it counts when that has come, unless something else is said
 * meanwhile.
 */
export function useKept(what: string, waits: boolean, come: () => void): { isKept: boolean; keep: () => void } {
  const [kept, keep] = useState<string>();
  const isKept = waits && kept === what;
  useEffect(() => {
    if (kept === undefined || isKept) return;
    keep(undefined);
    if (kept === what) come();
  }, [kept, isKept]);
  return { isKept, keep: () => keep(what) };
}

const MOMENT = 500; // a second press within it was meant for what stood there before

/** Whether the same thing has stood there for a moment: whoever presses twice does not reach what has come in its place. */
export function useSettled(what: string): boolean {
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const waiting = setTimeout(() => settle(what), MOMENT);
    return () => clearTimeout(waiting);
  }, [what]);
  return settled === what;
}

export function OrderButton<Answer>({
  what,
  order,
  absolute,
  done,
  primary,
  whom,
  children,
}: {
  what: string;
  /** Whether it says how something shall be, so that said again after its opposite it is meant anew. */
  absolute?: boolean;
  order: (to: To) => Promise<Outcome<Answer>>;
  done?: (answer: Answer) => void;
  primary?: boolean;
  /** For who hears it, where several buttons say the same. */
  whom?: string;
  children: ComponentChildren;
}) {
  const running = useOrder();
  const { texts } = useSpeech();
  const tell = useTell();
  const settled = useSettled(what) || !primary; // what comes next stands where the act before it stood
  const press = async ({ detail }: MouseEvent) => {
    if (!settled || detail > 1) return;
    const isHere = fromHere();
    const answer = await running.send(what, order, absolute);
    if (answer === undefined) return;
    if (typeof children === 'string') tell(texts.director.done(children));
    if (isHere()) done?.(answer);
  };
  return (
    <div class="order">
      <button
        type="button"
        class={`button${primary ? ' primary' : ''}`}
        aria-disabled={running.busy || !settled || undefined}
        aria-label={whom && typeof children === 'string' ? `${children}: ${whom}` : undefined}
        onClick={(event) => void press(event)}
      >
        {children}
      </button>
      <Sending running={running} />
    </div>
  );
}

type Foreseeable = { changes?: string[]; lost?: string[]; warnings?: string[]; doubts?: string[]; remarks?: string[] };

/**
 * An act that is folded away, with its fields. Where it has a dry run, that comes first: what would change is shown, and the same
 * button does it then.
 */
export function Act<Seen extends object, Answer>({
  title,
  what,
  absolute,
  look,
  order,
  shown,
  done,
  open,
  stays,
  waits = false,
  offers = false,
  ready = true,
  children,
}: {
  title: string;
  /** All that is said with it: when it changes, what was foreseen holds no more. */
  what: string;
  /** Whether it says how something shall be, so that said again after its opposite it is meant anew. */
  absolute?: boolean;
  look?: () => Promise<Outcome<Seen>>;
  order: (to: To) => Promise<Outcome<Answer>>;
  /** What of the dry run is said besides. */
  shown?: (seen: Seen) => ComponentChildren;
  /** Where it does not stay, not if somebody has typed on meanwhile: then it is as they have left it. */
  done?: (answer: Answer) => void;
  /** Whether it is unfolded at first. */
  open?: boolean;
  /** Whether it is unfolded for the next one when it is done. */
  stays?: boolean;
  /** Whether something is on its way that may change what is sent: a press counts when it has come. */
  waits?: boolean;
  /** Whether what has come offers a choice: a press before it was seen does not count. */
  offers?: boolean;
  /** Whether there is anything to be sent. */
  ready?: boolean;
  children?: ComponentChildren;
}) {
  const { texts } = useSpeech();
  const tell = useTell();
  const [wasOpen] = useState(open ?? false);
  const [unfolded, unfold] = useState(wasOpen);
  const running = useOrder(true);
  const [seen, see] = useState<{ what: string; answer: Seen }>();
  const fold = useRef<HTMLDetailsElement>(null);
  const known = seen?.what === what ? seen.answer : undefined;
  const settled = useSettled(String(known !== undefined)) || !known; // the button that looks becomes the one that does it
  const said = useRef(what); // by now, also where something is on its way
  said.current = what;
  const typed = useRef(0); // how often something was changed in its fields
  const press = async () => {
    if (!settled || !ready) return;
    if (waits) return keep();
    if (look && !known) {
      const answer = await running.look(look, what);
      if (answer !== undefined) see({ what, answer });
      return;
    }
    const isHere = fromHere();
    const from = document.activeElement;
    const before = typed.current;
    const answer = await running.send(what, order, absolute);
    if (answer === undefined) return;
    see(undefined);
    tell(texts.director.done(title));
    if (!isHere()) return;
    if (!stays && typed.current !== before && said.current !== what) return; // what is typed by now was not sent
    done?.(answer);
    const goesOn = said.current !== what || document.activeElement !== from; // whoever is at the next one already stays there
    if (stays && !goesOn) fold.current?.querySelector<HTMLElement>('input')?.focus();
    else if (!stays && fold.current) {
      fold.current.open = false;
      if (fold.current.contains(document.activeElement)) fold.current.querySelector('summary')?.focus(); // what is folded has no focus
    }
  };
  const { isKept, keep } = useKept(what, waits, () => offers || void press());
  const isSending = running.busy || isKept;
  return (
    <details class="card act" ref={fold} open={wasOpen} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
      {/* The fields are there before it unfolds: Tab goes to the first of them, however quickly it follows. */}
      <summary onClick={() => unfold(true)}>{title}</summary>
      <form
        class="stack"
        hidden={!unfolded}
        onInput={() => {
          typed.current += 1;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void press();
        }}
      >
        {unfolded && children}
        <div role="status" class="stack">
          {known && <WouldCome seen={known as Foreseeable} />}
          {known && shown?.(known)}
        </div>
        <div class="row" hidden={!ready}>
          <button type="submit" class={`button${look && !known ? '' : ' primary'}`} aria-disabled={isSending || !settled || undefined}>
            {look && !known ? texts.director.look : title}
          </button>
          {known && (
            <button type="button" class="button" onClick={() => see(undefined)}>
              {texts.desk.cancel}
            </button>
          )}
        </div>
        <Sending running={{ ...running, busy: isSending }} />
      </form>
    </details>
  );
}

/** What a dry run has said: sentences of the services, in English. */
export function WouldCome({ seen }: { seen: Foreseeable }) {
  const { texts } = useSpeech();
  const parts: [string, string[] | undefined, string][] = [
    [texts.director.wouldChange, seen.changes, ''],
    [texts.director.wouldLose, seen.lost, ' problem'],
    [texts.director.wouldBreak, seen.doubts, ' problem'],
    [texts.director.worthKnowing, [...(seen.warnings ?? []), ...(seen.remarks ?? [])], ''],
  ];
  return (
    <>
      {parts.map(
        ([title, sentences, looks]) =>
          sentences &&
          sentences.length > 0 && (
            <div key={title} class={`note${looks}`}>
              <b>{title}</b>
              <ul lang="en" class="small">
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </div>
          ),
      )}
    </>
  );
}

export function Labelled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <label class="labelled">
      <span>{label}</span>
      {children}
    </label>
  );
}

export function Words({ label, value, change, required }: { label: string; value: string; change: (words: string) => void; required?: boolean }) {
  return (
    <Labelled label={label}>
      <input
        class="field"
        autocomplete="off"
        maxLength={1000}
        required={required}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Labelled>
  );
}

/** A number without signs; what is no number is said in the language of the page, not in that of the browser. */
export function Digits({ value, change, required }: { value: string; change: (digits: string) => void; required?: boolean }) {
  const { texts } = useSpeech();
  return (
    <input
      class="field"
      inputMode="numeric"
      autocomplete="off"
      pattern="[0-9]*"
      required={required}
      value={value}
      onInvalid={({ currentTarget }) => currentTarget.setCustomValidity(currentTarget.validity.patternMismatch ? texts.director.onlyNumber : '')}
      onInput={({ currentTarget }) => {
        currentTarget.setCustomValidity('');
        change(currentTarget.value);
      }}
    />
  );
}

/** A moment as it is read at the tournament, whose zone is named where the device is in another. */
export function Moment({ label, zone, value, change }: { label: string; zone: string; value: string; change: (shown: string) => void }) {
  const isElsewhere = zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Labelled label={isElsewhere ? `${label} · ${zone}` : label}>
      <input class="field" type="datetime-local" value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </Labelled>
  );
}

/** The day of a tournament, and when its first round starts. */
export function DayAndTime({
  day,
  setDay,
  time,
  setTime,
  needed = false,
}: {
  day: string;
  setDay: (day: string) => void;
  time: string;
  setTime: (time: string) => void;
  /** Whether the rules name no usual time. */
  needed?: boolean;
}) {
  const { texts } = useSpeech();
  return (
    <div class="side-by-side">
      <Labelled label={texts.director.day}>
        <input class="field" type="date" required value={day} onInput={({ currentTarget }) => setDay(currentTarget.value)} />
      </Labelled>
      <Labelled label={needed ? texts.director.ownTime : texts.director.firstRound}>
        <input class="field" type="time" required={needed} value={time} onInput={({ currentTarget }) => setTime(currentTarget.value)} />
      </Labelled>
    </div>
  );
}

export function Choose({
  label,
  value,
  options,
  change,
  required,
}: {
  label: string;
  value: string;
  options: (readonly [string, string])[];
  change: (value: string) => void;
  required?: boolean;
}) {
  return (
    <Labelled label={label}>
      <select class="field" required={required} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Several of a list; nothing where there is none to choose from. */
export function Ticks({
  label,
  options,
  value,
  change,
}: {
  label: string;
  options: (readonly [string, string])[];
  value: string[];
  change: (value: string[]) => void;
}) {
  if (!options.length) return null;
  return (
    <fieldset class="ticks">
      <legend class="soft small">{label}</legend>
      {options.map(([id, name]) => (
        <label key={id} class="tick">
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={({ currentTarget }) => change(currentTarget.checked ? [...value, id] : value.filter((one) => one !== id))}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A spreadsheet of this device. */
export function FileField({
  label,
  chosen,
  choose,
}: {
  label: string;
  chosen: string | undefined;
  choose: (file: { name: string; content: string }) => void;
}) {
  const id = useId();
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    const found = { name: file.name, content: await file.text() };
    input.value = ''; // the same file can be chosen again once it was mended
    choose(found);
  };
  return (
    <>
      <label class="button file-button" for={id}>
        {label}
        <input id={id} type="file" accept=".csv,text/csv" class="visually-hidden" onChange={({ currentTarget }) => void read(currentTarget)} />
      </label>
      {chosen && <b class="anywhere">{chosen}</b>}
    </>
  );
}

/** A sentence of a service: in the language of the reader where it has one for this kind, and the details in English below. */
export type Csv = { body: string; bodySerializer: null; headers: Record<string, string> };

/** What an act needs that takes in a file: all of it comes in, or nothing, and what it would change is shown before. `field` stands among its fields. */
export function useFile(send: (csv: Csv, dryRun: boolean, to: Partial<To>) => Promise<unknown>) {
  const { texts } = useSpeech();
  const [file, choose] = useState<{ name: string; content: string }>();
  const content = file?.content ?? '';
  const csv = (headers: Record<string, string> = {}): Csv => ({ body: content, bodySerializer: null, headers: { ...headers, 'Content-Type': 'text/csv' } });
  return {
    content,
    act: {
      look: () => send(csv(), true, {}) as Promise<Outcome<{ changes: string[] }>>,
      order: ({ headers, signal }: To) => send(csv(headers), false, { signal }) as Promise<Outcome<unknown>>,
      shown: ({ changes }: { changes: string[] }) => (changes.length ? null : <p>{texts.director.nothingNew}</p>),
      done: () => choose(undefined),
      ready: file !== undefined,
    },
    field: <FileField label={texts.desk.bringIn} chosen={file?.name} choose={choose} />,
  };
}

export function Sentence({ kind, sentence, count = 0 }: { kind: string; sentence: string; count?: number }) {
  const { texts, language } = useSpeech();
  const known = language === 'en' && sentence ? undefined : texts.director.blockers[kind]?.(count);
  return (
    <>
      <span lang={known ? undefined : 'en'}>{known ?? sentence}</span>
      {known && sentence && (
        <span class="small soft own-line" lang="en">
          {sentence}
        </span>
      )}
    </>
  );
}
