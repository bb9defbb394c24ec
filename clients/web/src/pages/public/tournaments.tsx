/** The first page: what is played now, what comes, what was. */

import { useRef, useState } from 'preact/hooks';

import type { Problem } from 'roundlog/registration/types.gen.ts';

import { addresses } from '../../addresses.ts';
import { CALENDAR, PAGE, SEARCHED } from '../../api/calendar.ts';
import { useTournaments, type TournamentListed, type TournamentPage } from '../../api/public.ts';
import { Failed, Search, Section, Shown, useTitle } from '../../parts/basics.tsx';
import { gameName, statusName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';

export function Tournaments() {
  const { texts } = useSpeech();
  useTitle(texts.tournaments.title);
  return (
    <>
      <h1>{texts.tournaments.title}</h1>
      <Finding />
      <p class="section">
        <a href={addresses.federations}>{texts.whose.federations}</a>
      </p>
    </>
  );
}

/** Whoever has mistyped an address most often wants a tournament: they are found from here too. */
export function Unknown() {
  const { texts } = useSpeech();
  useTitle(texts.shell.unknownPage);
  return (
    <>
      <h1>{texts.shell.unknownPage}</h1>
      <p class="section">
        {texts.shell.mistyped} <a href={addresses.tournaments}>{texts.shell.home}</a>
      </p>
      <Finding />
    </>
  );
}

/** In the place of a page whose first answer has failed. */
export function Missing({ title, problem }: { title: string; problem: Problem }) {
  if (problem.type.endsWith('-unknown')) return <Unknown />;
  return (
    <>
      <h1>{title}</h1>
      <div class="section">
        <Failed problem={problem} />
      </div>
    </>
  );
}

/** In all that are held, or in those of one federation. */
export function Finding({ federation }: { federation?: string }) {
  const { texts } = useSpeech();
  const [words, search] = useState('');
  const wanted = words.trim();
  return (
    <>
      <div class="section">
        <Search label={texts.tournaments.search} value={words} change={search} />
      </div>
      {wanted.length > 1 ? <Found words={wanted} federation={federation} /> : <Calendar federation={federation} />}
    </>
  );
}

type Of = { federation: string | undefined };

function Calendar({ federation }: Of) {
  const { texts } = useSpeech();
  const now = useTournaments({ ...CALENDAR.now, federation });
  const coming = useTournaments({ ...CALENDAR.coming, federation });
  const past = useTournaments({ ...CALENDAR.past, federation });
  const all = [now, coming, past];
  const awaited = all.find(({ answer }) => answer === undefined);
  if (awaited) return <Shown asked={awaited}>{() => null}</Shown>; // shown at once, so that nothing moves away from a finger
  if (all.every(({ answer }) => answer?.items.length === 0)) return <p class="empty">{texts.tournaments.none}</p>;
  return (
    <>
      {now.answer && now.answer.items.length > 0 && (
        <Section title={texts.tournaments.now}>
          <List items={now.answer.items} />
        </Section>
      )}
      {coming.answer && coming.answer.items.length > 0 && (
        <Section title={texts.tournaments.coming}>
          <List items={coming.answer.items} />
        </Section>
      )}
      {past.answer && past.answer.items.length > 0 && <Past first={past.answer} federation={federation} />}
    </>
  );
}

function Past({ first, federation }: { first: TournamentPage } & Of) {
  const { texts } = useSpeech();
  const [many, show] = useState(PAGE);
  const { answer } = useTournaments(many > PAGE ? { ...CALENDAR.past, limit: many, federation } : undefined);
  const last = useRef(first); // stays while more are asked for
  last.current = many > PAGE ? (answer ?? last.current) : first;
  const { items, next } = last.current;
  return (
    <Section title={texts.tournaments.past}>
      <div class="stack">
        <List items={items} />
        {next && (
          <button type="button" class="button" onClick={() => show(many + PAGE)}>
            {texts.shell.more}
          </button>
        )}
      </div>
    </Section>
  );
}

function Found({ words, federation }: { words: string } & Of) {
  const { texts } = useSpeech();
  const found = useTournaments({ words, federation, status: Object.values(CALENDAR).flatMap(({ status }) => status), order: 'next', limit: SEARCHED });
  return (
    <section class="section" aria-live="polite">
      <Shown asked={found}>
        {({ items }) =>
          items.length ? (
            <>
              <div class="section-head">
                <h2>{texts.tournaments.found(items.length)}</h2>
              </div>
              <List items={items} />
            </>
          ) : (
            <p class="empty">{texts.tournaments.nothingFound}</p>
          )
        }
      </Shown>
    </section>
  );
}

export function List({ items }: { items: TournamentListed[] }) {
  return (
    <ul class="tournaments">
      {items.map((one) => (
        <li key={one.id}>
          <Line one={one} />
        </li>
      ))}
    </ul>
  );
}

function Line({ one }: { one: TournamentListed }) {
  const { texts, language } = useSpeech();
  const day = new Date(`${one.starts_on}T12:00:00Z`);
  const part = (how: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { ...how, timeZone: 'UTC' }).format(day);
  const running = CALENDAR.now.status.includes(one.status);
  return (
    <a class="card" href={addresses.tournament(one.id)}>
      <time class="day" dateTime={one.starts_on}>
        <strong>{day.getUTCDate()}</strong>
        {part({ month: 'short' })} {part({ year: 'numeric' })}
      </time>
      <span>
        <b>{one.name}</b>
        <br />
        <span class="soft">{[gameName(texts, one.game), one.place, one.federation_name].filter(Boolean).join(' · ')}</span>
      </span>
      <span class={`badge${running ? ' now' : ''}`}>{statusName(texts, one.status)}</span>
    </a>
  );
}
