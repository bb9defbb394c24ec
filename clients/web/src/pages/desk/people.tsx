/** Everybody who has entered: found by typing a name, checked in by Enter, and all that can be done with one of them. */

import { ErrorBoundary, lazy } from 'preact-iso';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import {
  arriveLate,
  callReserve,
  checkInEntrant,
  checkInEntrants,
  checkInMembers,
  confirmPlace,
  correctEntrant,
  detailEntry,
  expelEntrant,
  grantWaiver,
  judgeEntry,
  markAbsent,
  markPresent,
  nameActingCaptain,
  refuseWaiver,
  renamePerson,
  returnEntrant,
  strikeOffEntrant,
  undoCheckIn,
  withdrawEntrant,
} from 'roundlog/registration/sdk.gen.ts';
import type { Lateness, Returning } from 'roundlog/registration/types.gen.ts';

import type { Outcome } from '../../api/answer_cache.ts';
import { tellBirths, useEntries, useEntry, useEntryRules, usePerson, type EntryListed, type EntryRules, type Problem, type Tournament, type TournamentForeseen } from '../../api/director.ts';
import { ordered } from '../../api/orders.ts';
import { GONE } from '../../api/own.ts';
import { own } from '../../api/session.ts';
import { matches, NobodyFound, Section, Shown } from '../../parts/basics.tsx';
import { brought } from '../../parts/brought.ts';
import { entrantName } from '../../parts/names.ts';
import { useSpeech, type Texts } from '../../texts/all_texts.tsx';
import type { At, Directed, Numbered, OfEntry } from './given.ts';
import { Newcomers, useDeclared } from './newcomers.tsx';
import { Act, Choose, Digits, isTyping, Labelled, OrderButton, Sending, Sentence, Ticks, Words } from './order.tsx';
import { Refusal } from './refusal.tsx';

const Payments = lazy(() => brought(() => import('./payments.tsx')));
const Conduct = lazy(() => brought(() => import('./conduct.tsx')));

type Foreseeable = Promise<Outcome<TournamentForeseen>>;
type Show = 'all' | 'lacking' | 'absent' | 'gone';

const THERE = ['checked-in', 'playing'];
const BEFORE_CHECK_IN = ['draft', 'registration'];

/** Whether somebody is there is asked from check-in on: until then nobody can be checked in, and they lack nothing by it. */
function lackingNow(tournament: Tournament, lacks: EntryListed['lacks']): EntryListed['lacks'] {
  return BEFORE_CHECK_IN.includes(tournament.status) ? lacks.filter(({ kind }) => kind !== 'not-checked-in') : lacks;
}

function isOf(show: Show, { entrant, lacks }: EntryListed): boolean {
  if (show === 'gone') return GONE.includes(entrant.status);
  if (show === 'all') return !GONE.includes(entrant.status);
  if (show === 'lacking') return !GONE.includes(entrant.status) && lacks.length > 0;
  return entrant.status === 'entered';
}

export function PeoplePart({ tournament, stages, led }: Directed) {
  const { texts } = useSpeech();
  const asked = useEntries(tournament.id);
  const [chosen, choose] = useState<string>();
  const published = (stages?.stages ?? []).flatMap(({ stage, rounds }) =>
    rounds.filter(({ status }) => status === 'published' || status === 'completed').map(({ round }) => ({ stage, round })),
  );
  const making = (stages?.stages ?? []).flatMap(({ stage, rounds }) =>
    rounds.filter(({ status }) => status === 'draft' || status === 'confirmed').map(({ round }) => ({ stage, round })),
  )[0];
  const last = published.at(-1) ?? { stage: stages?.stages[0]?.stage ?? '', round: 0 };
  const rounds: Rounds = {
    last,
    next: making ?? stages?.next ?? undefined,
    isAhead: ({ stage, round }) => !published.some((one) => one.stage === stage && one.round === round),
  };
  return (
    <div class="columns desk-columns">
      <Section title={texts.director.part.people} end={asked.answer && <Counted entries={asked.answer} />}>
        <Shown asked={asked} rows={8}>
          {(entries) => (
            <Finder
              tournament={tournament.id}
              checksIn={tournament.status === 'check-in'}
              entries={entries.map((entry) => ({ ...entry, lacks: lackingNow(tournament, entry.lacks) }))}
              rounds={rounds}
              chosen={chosen}
              choose={choose}
              first={led && entries.length > 0}
            />
          )}
        </Shown>
      </Section>
      <div class="stack">
        <div class="acts">
          <Newcomers tournament={tournament} first={led && tournament.entrants === 0} came={choose} />
          <AllAtOnce tournament={tournament} />
        </div>
        {chosen && <OneEntry key={chosen} tournament={tournament} entrant={chosen} running={stages !== undefined} rounds={rounds} />}
      </div>
    </div>
  );
}

function Counted({ entries }: { entries: EntryListed[] }) {
  const { texts } = useSpeech();
  const coming = entries.filter(({ entrant }) => !GONE.includes(entrant.status));
  const there = coming.filter(({ entrant }) => THERE.includes(entrant.status));
  return <span class="soft small">{texts.director.thereOf(there.length, coming.length)}</span>;
}

/** A field and a list: arrows choose, Enter checks in whoever is chosen, or shows them where there is nothing to check in. */
function Finder({
  tournament,
  checksIn,
  entries,
  rounds,
  chosen,
  choose,
  first,
}: {
  tournament: string;
  checksIn: boolean;
  entries: EntryListed[];
  rounds: Rounds;
  chosen: string | undefined;
  choose: (entrant: string) => void;
  /** Whether keys go here first. */
  first: boolean;
}) {
  const speech = useSpeech();
  const { texts } = speech;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (first && !isTyping()) field.current?.focus();
  }, []);
  const [wanted, want] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [at, move] = useState<string>(); // by arrows, or a press: it stays with them, whoever comes and goes meanwhile
  const [news, tell] = useState('');
  const [sent, send] = useState(0); // that are not answered yet
  const [refused, refuse] = useState<{ entrant: string; name: string; problem: Problem }[]>([]);
  const counted = (one: Show) => entries.filter((entry) => isOf(one, entry)).length;
  const shown = entries
    .filter((entry) => isOf(show, entry) && matches(wanted, entrantName(entry.entrant), entry.entrant.number))
    .sort((one, other) => speech.before(entrantName(one.entrant), entrantName(other.entrant)));
  // Without a name or an arrow nobody is meant: an Enter too many checks nobody in.
  const current = at === undefined ? (wanted.trim() ? shown[0] : undefined) : shown.find(({ entrant }) => entrant.id === at);
  const optionOf = (entry: EntryListed) => `${id}-${entry.entrant.id}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.entrant.id]);
  const enter = async (entry: EntryListed) => {
    const { id: entrant, status } = entry.entrant;
    if (!checksIn || status !== 'entered') {
      choose(entrant);
      return;
    }
    const path = { tournament_id: tournament, entrant_id: entrant };
    const name = entrantName(entry.entrant);
    want(''); // the next one is typed before this one is answered
    move(undefined);
    send((count) => count + 1);
    const { problem } = await ordered(`${tournament}/${entrant}/check-in`, (to) => checkInEntrant({ client: own.registration, path, ...to }), true);
    send((count) => count - 1);
    refuse((before) => [...before.filter((one) => one.entrant !== entrant), ...(problem ? [{ entrant, name, problem }] : [])]);
    if (problem) return;
    tell(texts.director.checkedIn(name));
    const isLeft = entry.due.length > 0 || entry.lacks.some(({ kind }) => kind !== 'not-checked-in');
    if (isLeft && document.activeElement === field.current) choose(entrant); // but not over what somebody does with another one
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const next = (current ? shown.indexOf(current) : -1) + by;
      move(shown[Math.max(0, Math.min(shown.length - 1, next))]?.entrant.id);
    } else if (event.key === 'Enter' && current) {
      event.preventDefault();
      if (event.shiftKey) choose(current.entrant.id);
      else void enter(current);
    } else if (event.key === 'Enter') {
      field.current?.select(); // nobody is called so: the next name takes its place
    } else if (event.key === 'Escape') {
      want('');
      move(undefined);
    }
  };
  const kinds: Show[] = ['all', 'lacking', 'absent', 'gone'];
  return (
    <div class="stack">
      <label class="labelled">
        <span>{checksIn ? texts.director.checkInHow : texts.director.findHow}</span>
        <input
          class="field"
          type="text"
          role="combobox"
          ref={field}
          autocomplete="off"
          spellcheck={false}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current && optionOf(current)}
          aria-autocomplete="list"
          value={wanted}
          onInput={({ currentTarget }) => {
            want(currentTarget.value);
            move(undefined);
          }}
          onKeyDown={onKey}
        />
      </label>
      <p class="small entry-news" role="status">
        {news}
      </p>
      <Sending running={{ busy: sent > 0, problem: undefined }} />
      {refused.map(({ entrant, name, problem }) => (
        <div key={entrant}>
          <b>{name}</b>
          <Refusal problem={problem} detailed />
        </div>
      ))}
      <div class="steps desk-filter" role="group" aria-label={texts.director.show}>
        {kinds
          .filter((one) => one === show || one === 'all' || counted(one))
          .map((one) => (
            <button key={one} type="button" aria-pressed={one === show} onClick={() => setShow(one)}>
              {texts.director.shows[one]} <span class="count">{counted(one)}</span>
            </button>
          ))}
      </div>
      {!shown.length && (entries.length ? <NobodyFound /> : <p class="empty">{texts.entrants.none}</p>)}
      <ul class="found" id={`${id}-list`} role="listbox" aria-label={texts.director.part.people} ref={list} tabIndex={-1}>
        {shown.map((entry) => (
          <li
            key={entry.entrant.id}
            id={optionOf(entry)}
            role="option"
            aria-selected={entry === current}
            class={entry.entrant.id === chosen ? 'chosen' : undefined}
            onClick={() => {
              move(entry.entrant.id);
              choose(entry.entrant.id);
            }}
          >
            {entry.entrant.number !== null && <span class="found-number">{entry.entrant.number}</span>}
            <span>
              {entrantName(entry.entrant)}
              <span class="soft small own-line">
                {[...new Set(entry.lacks.map(({ kind }) => texts.director.lacks[kind] ?? kind))].join(', ')}
              </span>
            </span>
            <span class="row">
              <RoundsOff entry={entry} rounds={rounds} />
              <span class={`badge${THERE.includes(entry.entrant.status) ? ' win' : ''}`}>{statusOf(texts, entry.entrant.status)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function statusOf(texts: Texts, status: string): string {
  return (texts.entrants.status as Record<string, string>)[status] ?? status;
}

/** Which of the rounds to come somebody does not play. */
function RoundsOff({ entry: { entrant }, rounds }: { entry: EntryListed; rounds: Rounds }) {
  const { texts } = useSpeech();
  if (GONE.includes(entrant.status)) return null;
  return (
    <>
      {entrant.from_round > Math.max(1, rounds.last.round) && <span class="badge">{texts.director.fromRoundOn(entrant.from_round)}</span>}
      {entrant.absences.filter(rounds.isAhead).map(({ stage, round }) => (
        <span key={`${stage}/${round}`} class="badge">
          {texts.director.notIn(round)}
        </span>
      ))}
    </>
  );
}

// One of them

/** `last`: the one that was published last; 0 before the first. `next`: the one that is to be published. */
type Rounds = { last: Numbered; next: Numbered | undefined; isAhead: (round: Numbered) => boolean };

function OneEntry({ tournament, entrant, running, rounds }: { tournament: Tournament; entrant: string; running: boolean; rounds: Rounds }) {
  const { texts, number } = useSpeech();
  const asked = useEntry(tournament.id, entrant);
  const place = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const acted = useRef(false);
  const [reference, refer] = useState(''); // of a payment: its fields go away with it
  const path: At = { tournament_id: tournament.id, entrant_id: entrant };
  const answer = asked.answer;
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [answer === undefined]);
  useLayoutEffect(() => {
    if (!acted.current || document.activeElement !== document.body) return;
    acted.current = false;
    title.current?.focus({ preventScroll: true }); // what was done is offered no more, and keys were on its button
  });
  return (
    <section
      class="card one-entry"
      ref={place}
      aria-live="off"
      onPointerDown={() => (acted.current = false)}
      onClick={() => (acted.current = true)}
      onSubmit={() => (acted.current = true)}
    >
      <Shown asked={asked} rows={3}>
        {(entry) => (
          <>
            <h2 tabIndex={-1} ref={title}>
              {entrantName(entry.entrant)}
            </h2>
            <p class="row">
              <span class="badge">{statusOf(texts, entry.entrant.status)}</span>
              <RoundsOff entry={entry} rounds={rounds} />
              {entry.entrant.number && <span>{`${texts.entrants.number} ${entry.entrant.number}`}</span>}
              {entry.entrant.rating !== null && <span class="soft">{`${texts.entrants.rating} ${number(entry.entrant.rating)}`}</span>}
            </p>
            {lackingNow(tournament, entry.lacks).length > 0 && (
              <div class="note problem">
                <b>{texts.desk.lacks}</b>
                <ul class="blockers">
                  {lackingNow(tournament, entry.lacks).map(({ kind, sentence }) => (
                    <li key={kind + sentence}>
                      <Sentence kind={kind} sentence={sentence} count={1} />
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {entry.entrant.name && entry.entrant.persons.length > 0 && (
              <ul class="members">
                {[...entry.entrant.persons, ...entry.entrant.substitutes].map(({ id, name }) => (
                  <li key={id}>
                    {name ?? '–'} {id === entry.entrant.captain && <span class="badge">{texts.director.captain}</span>}
                    {entry.entrant.substitutes.some((one) => one.id === id) && <span class="badge">{texts.director.substitute}</span>}
                  </li>
                ))}
              </ul>
            )}
            {entry.payments.length > 0 && (
              <ul class="small">
                {entry.payments.map((paid) => (
                  <li key={paid.reference + paid.amount}>
                    {(paid.amount < 0 ? texts.director.givenBack : texts.director.paid)(number(Math.abs(paid.amount)), paid.currency, paid.reference)}
                  </li>
                ))}
              </ul>
            )}
            <Quickly entry={entry} path={path} rounds={rounds} />
            <div class="acts">
              <ErrorBoundary>
                <Payments entry={entry} path={path} reference={reference} refer={refer} />
              </ErrorBoundary>
              <Team entry={entry} path={path} />
              <Details entry={entry} path={path} tournament={tournament} />
              <Leaving entry={entry} path={path} rounds={rounds} />
              {running && (
                <ErrorBoundary>
                  <Conduct entrant={entrant} persons={entry.entrant.captain ? [...entry.entrant.persons, ...entry.entrant.substitutes] : []} tournament={tournament.id} last={rounds.last} />
                </ErrorBoundary>
              )}
            </div>
          </>
        )}
      </Shown>
    </section>
  );
}

/** What needs no more words. */
function Quickly({ entry, path, rounds }: OfEntry & { rounds: Rounds }) {
  const { texts } = useSpeech();
  const can = entry.allowed_actions;
  const acts = { checkInEntrant, undoCheckIn, confirmPlace, judgeEntry };
  const shown = (Object.keys(acts) as (keyof typeof acts)[]).filter((one) => can[one]?.allowed && isOfUse(one, entry));
  const asked = entry.waivers.filter(({ status }) => status === 'requested');
  const name = `${path.tournament_id}/${path.entrant_id}`;
  return (
    <div class="row">
      {shown.map((one) => {
        const order = acts[one];
        return (
          <OrderButton key={one} primary={one === 'checkInEntrant'} what={`${name}/${one}`} absolute order={(to) => order({ client: own.registration, path, ...to }) as Promise<Outcome<unknown>>}>
            {texts.director[one]}
          </OrderButton>
        );
      })}
      {entry.entrant.absences.filter(rounds.isAhead).map(({ stage, round }) => (
        <OrderButton
          key={`${stage}/${round}`}
          what={`${name}/present/${stage}/${round}`}
          absolute
          order={(to) => markPresent({ client: own.registration, path, body: { stage, round }, ...to })}
        >
          {texts.director.presentAfterAll(round)}
        </OrderButton>
      ))}
      {asked.map(({ ground }) => (
        <span key={ground} class="row">
          <span>{texts.director.waiverAsked(ground)}</span>
          <OrderButton what={`${name}/grant/${ground}`} order={(to) => grantWaiver({ client: own.registration, path, body: { ground }, ...to })}>
            {texts.director.grant}
          </OrderButton>
          <OrderButton what={`${name}/refuse/${ground}`} order={(to) => refuseWaiver({ client: own.registration, path, body: { ground }, ...to })}>
            {texts.director.refuse}
          </OrderButton>
        </span>
      ))}
    </div>
  );
}

/** A confirmation that nobody asks for, or a judgement of who is judged already, is only in the way. */
function isOfUse(act: string, { lacks, entrant }: EntryListed): boolean {
  if (act === 'checkInEntrant') return entrant.status === 'entered';
  if (act === 'undoCheckIn') return entrant.status === 'checked-in';
  if (act === 'confirmPlace') return lacks.some(({ kind }) => kind === 'not-confirmed');
  if (act === 'judgeEntry') return lacks.some(({ kind }) => kind === 'not-judged');
  return true;
}

/** Members of a team: who is there, and who speaks for it where the captain does not come. */
function Team({ entry, path }: OfEntry) {
  const { texts } = useSpeech();
  const members = [...entry.entrant.persons, ...entry.entrant.substitutes].map(({ id, name }) => [id, name ?? id] as const);
  const [ticked, come] = useState<string[]>();
  const present = ticked ?? [...(entry.present ?? members.map(([id]) => id))];
  const [person, choose] = useState('');
  const can = entry.allowed_actions;
  const client = own.registration;
  return (
    <>
      {can.checkInMembers?.allowed && members.length > 1 && (
        <Act
          title={texts.director.checkInMembers}
          open={entry.entrant.status === 'entered'}
          what={`${path.entrant_id}/members/${present.join()}`}
          order={(to) => checkInMembers({ client, path, body: { present }, ...to })}
          done={() => come(undefined)}
        >
          <Ticks label={texts.director.whoIsThere} options={members} value={present} change={come} />
        </Act>
      )}
      {can.nameActingCaptain?.allowed && members.length > 1 && (
        <Act
          title={texts.director.nameActingCaptain}
          what={`${path.entrant_id}/captain/${person}`}
          order={(to) => nameActingCaptain({ client, path, body: { person }, ...to })}
        >
          <Choose label={texts.director.captain} value={person} options={[['', ''], ...members]} change={choose} required />
        </Act>
      )}
    </>
  );
}

/** What was declared and agreed to, dates of birth, and the rating: all else that an entry says stays as it is. */
function Details({ entry, path, tournament }: OfEntry & { tournament: Tournament }) {
  const rules = useEntryRules(tournament.ruleset).answer;
  const can = entry.allowed_actions;
  return (
    <>
      {rules && can.detailEntry?.allowed && rules.entry.consents.length + rules.entry.eligibility.length + rules.entry.categories.length > 0 && (
        <Declaring entry={entry} path={path} rules={rules.entry} />
      )}
      {rules && asksForAges(rules.entry) && <Births entry={entry} path={path} />}
      {can.correctEntrant?.allowed && <Rating entry={entry} path={path} />}
      <Naming persons={[...entry.entrant.persons, ...entry.entrant.substitutes]} />
    </>
  );
}

/** A name that was mistyped. It is of the register, whose federation says who may. */
function Naming({ persons }: { persons: { id: string; name: string | null }[] }) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState(persons[0]?.id);
  const [typed, type] = useState<string>();
  const person = persons.find(({ id }) => id === chosen);
  const known = usePerson(chosen).answer;
  if (!person || !known?.allowed_actions.renamePerson?.allowed) return null;
  const name = (typed ?? person.name ?? '').trim();
  return (
    <Act
      title={texts.director.correctName}
      what={`${person.id}/rename/${name}`}
      order={(to) => renamePerson({ client: own.registration, path: { person_id: person.id }, body: { name }, ...to })}
      done={() => type(undefined)}
    >
      {persons.length > 1 && (
        <Choose
          label={texts.director.correctName}
          value={person.id}
          options={persons.map(({ id, name: called }) => [id, called ?? id])}
          change={(one) => {
            choose(one);
            type(undefined);
          }}
        />
      )}
      <Words label={texts.table.name} value={typed ?? person.name ?? ''} change={type} required />
    </Act>
  );
}

function Declaring({ entry, path, rules }: OfEntry & { rules: Parameters<typeof useDeclared>[0] }) {
  const { texts } = useSpeech();
  const [declaredNow, declare] = useState<string[]>();
  const [agreedNow, agree] = useState<string[]>();
  const declared = declaredNow ?? [...entry.declared];
  const consents = agreedNow ?? [...entry.consents];
  const wanted = useDeclared(rules);
  const { club, region, needs, history, history_source, direct, direct_source, carried, entrant } = entry;
  const kept = { school: entrant.school, club, region, needs, history, history_source, direct, direct_source, carried };
  if (!wanted.length && !rules.consents.length) return null;
  const body = { ...kept, declared, consents };
  return (
    <Act
      title={texts.director.detailEntry}
      what={`${path.entrant_id}/detail/${JSON.stringify(body)}`}
      order={(to) => detailEntry({ client: own.registration, path, body, ...to })}
      done={() => {
        declare(undefined);
        agree(undefined);
      }}
    >
      <Ticks label={texts.director.declared} options={wanted} value={declared} change={declare} />
      <Ticks label={texts.director.agreed} options={rules.consents.map((one) => [one, texts.director.consents[one] ?? one])} value={consents} change={agree} />
    </Act>
  );
}

const AGES = ['age-at-most', 'age-below', 'year-age-at-most'];

function asksForAges({ eligibility, categories }: EntryRules): boolean {
  return [...eligibility, ...categories.flatMap((one) => one.eligibility)].some(({ rule }) => AGES.includes(rule));
}

/** Of those whose date is typed; the others stay as they are known. The entry is judged again by it. */
function Births({ entry, path }: OfEntry) {
  const { texts } = useSpeech();
  const [typed, type] = useState<Record<string, string>>({});
  const persons = [...entry.entrant.persons, ...entry.entrant.substitutes];
  const known = usePerson(persons[0]?.id).answer;
  if (!known?.allowed_actions.changeParticulars?.allowed) return null;
  const births = Object.entries(typed).filter(([, born]) => born);
  return (
    <Act
      title={texts.director.recordBirths}
      what={`${path.entrant_id}/births/${JSON.stringify(births)}`}
      order={async (to): Promise<Outcome<unknown>> => {
        const told = await tellBirths(births);
        return told.data && entry.allowed_actions.judgeEntry?.allowed ? judgeEntry({ client: own.registration, path, ...to }) : told;
      }}
      done={() => type({})}
      ready={births.length > 0}
    >
      {persons.map(({ id, name }) => (
        <Labelled key={id} label={`${texts.desk.particulars['born']}: ${name ?? id}`}>
          <input class="field" type="date" value={typed[id] ?? ''} onInput={({ currentTarget }) => type({ ...typed, [id]: currentTarget.value })} />
        </Labelled>
      ))}
    </Act>
  );
}

function Rating({ entry, path }: OfEntry) {
  const { texts } = useSpeech();
  const [typed, rate] = useState<string>();
  const rating = typed ?? String(entry.entrant.rating ?? '');
  const body = { rating: rating.trim() ? Number(rating) : null, lists: [...entry.entrant.lists] };
  return (
    <Act
      title={texts.director.correctRating}
      what={`${path.entrant_id}/rating/${rating}`}
      order={(to) => correctEntrant({ client: own.registration, path, body, ...to })}
      done={() => rate(undefined)}
    >
      <Labelled label={texts.entrants.rating}>
        <Digits value={rating} change={rate} />
      </Labelled>
    </Act>
  );
}

/** What is done with many. */
function AllAtOnce({ tournament }: { tournament: Tournament }) {
  const { texts } = useSpeech();
  const can = tournament.allowed_actions;
  const to = { client: own.registration, path: { tournament_id: tournament.id } };
  return (
    <>
      {can.checkInEntrants?.allowed && (
        <Act
          title={texts.director.checkInAll}
          what={`${tournament.id}/check-in/${tournament.checked_in}`}
          order={(sending) => checkInEntrants({ ...to, body: {}, ...sending })}
        >
          <p class="soft">{texts.director.checkInAllHow}</p>
        </Act>
      )}
      {can.callReserve?.allowed && tournament.waiting > 0 && (
        <Act
          title={texts.director.callReserve}
          what={`${tournament.id}/reserve/${tournament.waiting}`}
          order={(sending) => callReserve({ ...to, body: {}, ...sending })}
        />
      )}
    </>
  );
}

const LATENESS: Lateness[] = ['nothing', 'first-game', 'first-round'];
const RETURNING: Returning[] = ['return', 'mistake', 'appeal'];

/** Late, away for a round, gone, and back again. */
function Leaving({ entry, path, rounds: { last, next } }: OfEntry & { rounds: Rounds }) {
  const { texts } = useSpeech();
  const isOff = entry.entrant.absences.some(({ stage, round }) => stage === next?.stage && round === next.round);
  const off = next ? { stage: next.stage, round: next.round } : {}; // the one that was looked at, whatever is published meanwhile
  const [effect, cost] = useState<Lateness>('nothing');
  const [why, because] = useState<Returning>('return');
  const [words, say] = useState('');
  const can = entry.allowed_actions;
  const name = path.entrant_id;
  const client = own.registration;
  const reason = { code: 'director', ...(words ? { words } : {}) };
  const dry = { query: { dry_run: true } } as const;
  const wordsField = <Words label={texts.director.words} value={words} change={say} />;
  return (
    <>
      {can.arriveLate?.allowed && (
        <Act title={texts.director.arriveLate} what={`${name}/late/${effect}`} order={(to) => arriveLate({ client, path, body: { effect }, ...to })}>
          <Choose
            label={texts.director.lateCosts}
            value={effect}
            options={LATENESS.map((one) => [one, texts.director.lateness[one]])}
            change={(value) => cost(value as Lateness)}
          />
        </Act>
      )}
      {can.markAbsent?.allowed && !isOff && (
        <Act
          title={texts.director.markAbsent}
          what={`${name}/absent/${next?.stage}/${next?.round}`}
          absolute
          look={() => markAbsent({ client, path, body: off, ...dry }) as Foreseeable}
          order={(to) => markAbsent({ client, path, body: off, ...to })}
        />
      )}
      {can.withdrawEntrant?.allowed && (
        <Act
          title={texts.director.withdrawEntrant}
          what={`${name}/withdraw/${words}`}
          absolute
          look={() => withdrawEntrant({ client, path, body: { reason }, ...dry }) as Foreseeable}
          order={(to) => withdrawEntrant({ client, path, body: { reason }, ...to })}
        >
          {wordsField}
        </Act>
      )}
      {can.strikeOffEntrant?.allowed && (
        <Act
          title={texts.director.strikeOffEntrant}
          what={`${name}/strike-off/${words}`}
          absolute
          order={(to) => strikeOffEntrant({ client, path, body: { reason }, ...to })}
        >
          {wordsField}
        </Act>
      )}
      {can.returnEntrant?.allowed && GONE.includes(entry.entrant.status) && (
        <Act
          title={texts.director.returnEntrant}
          what={`${name}/return/${why}`}
          absolute
          look={() => returnEntrant({ client, path, body: { why }, ...dry }) as Foreseeable}
          order={(to) => returnEntrant({ client, path, body: { why }, ...to })}
        >
          <Choose
            label={texts.director.returningWhy}
            value={why}
            options={RETURNING.map((one) => [one, texts.director.returning[one]])}
            change={(value) => because(value as Returning)}
          />
        </Act>
      )}
      {can.expelEntrant?.allowed && last.round > 0 && (
        <Act
          title={texts.director.expelEntrant}
          what={`${name}/expel/${words}`}
          absolute
          look={() => expelEntrant({ client, path, body: { reason }, ...dry }) as Foreseeable}
          order={(to) => expelEntrant({ client, path, body: { reason }, ...to })}
        >
          {wordsField}
        </Act>
      )}
    </>
  );
}
