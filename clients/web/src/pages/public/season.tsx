/** A season: its cup and for what each place counts, its tournaments, who has qualified, and how ratings stand. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';

import { addresses } from '../../addresses.ts';
import { SEARCHED, type Wanted } from '../../api/calendar.ts';
import { useTournaments } from '../../api/public.ts';
import {
  useFederation,
  useOwnKinds,
  useRatingList,
  useRatingLists,
  useRatings,
  useSeason,
  type SeasonRatings,
  type SeasonTable,
} from '../../api/seasons.ts';
import { Files, NobodyFound, PrintButton, Search, Section, Shown, matches, useFade, useTitle } from '../../parts/basics.tsx';
import { figure } from '../../parts/names.ts';
import { PlaceAndName, placeSaid, spans } from '../../parts/table.tsx';
import { outdatedSaid, personSaid, SeasonTexts, tieSaid, useSpeech, type Texts } from '../../texts/season_texts.tsx';
import { Choice } from './table.tsx';
import { List, Missing } from './tournaments.tsx';

type Part = 'cup' | 'tournaments' | 'qualification' | 'ratings';
type Slot = SeasonTable['cup'][number]['slots'][number];

type Place = { season: string; part?: string; id?: string };

export default function SeasonPage({ params }: { params: Place }) {
  return (
    <SeasonTexts space="tournament-head">
      <Whole {...params} />
    </SeasonTexts>
  );
}

function Whole({ season, part, id }: Place) {
  const { texts } = useSpeech();
  const { answer, problem } = useSeason(season);
  const federation = useFederation(answer?.federation).answer;
  const person = part === 'persons' && id ? (answer?.merged[id] ?? id) : undefined; // who was merged with another has their place there
  const shown = person || part === undefined ? 'cup' : PARTS.find((one) => one === part && !id);
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, answer === undefined]);
  useTitle(person && nameOf(texts, answer, person), shown && shown !== 'cup' && texts.season.parts[shown], answer?.name, federation?.name ?? undefined);
  if (problem && !answer) return <Missing title={texts.season.all} problem={problem} />;
  if (!answer) return <div class="tournament-head" aria-busy="true" />; // shown at once, so that nothing moves
  return (
    <>
      <div class="tournament-head">
        <h1>{texts.season.called(answer.name ?? '')}</h1>
        <div class="facts">
          <span class={`badge${answer.status === 'open' ? ' now' : ''}`}>{texts.season.status[answer.status]}</span>
          <a href={addresses.federation(answer.federation)}>{federation?.name ?? '…'}</a>
        </div>
        {answer.corrected && <p class="note">{texts.season.corrected}</p>}
      </div>
      <nav class="tabs" aria-label={texts.season.whole} ref={tabs}>
        {PARTS.filter((one) => one !== 'qualification' || answer.qualification.length > 0).map((one) => (
          <a key={one} href={addresses.season(season, one === 'cup' ? undefined : one)} aria-current={one === shown ? 'page' : undefined}>
            {texts.season.parts[one]}
          </a>
        ))}
      </nav>
      {person && <PersonPart season={answer} person={person} />}
      {shown === 'cup' && part === undefined && <CupPart season={answer} />}
      {shown === 'tournaments' && <TournamentsPart season={answer} />}
      {shown === 'qualification' && <QualificationPart season={answer} />}
      {shown === 'ratings' && <RatingsPart season={answer} />}
      {!shown && <p class="empty">{texts.shell.unknownPage}</p>}
    </>
  );
}

const PARTS: Part[] = ['cup', 'tournaments', 'qualification', 'ratings'];

function nameOf(texts: Texts, season: SeasonTable | undefined, person: string): string | undefined {
  const found = season?.cup.find((row) => row.person === person) ?? season?.qualification.find((row) => row.person === person);
  return found && personSaid(texts, found);
}

/** Places as tables of entrants have them: who shares one has all of those that are shared. */
function placesOf(rows: { person: string; place: number }[]): Map<string, string> {
  return new Map([...spans(rows.map(({ person, place }) => ({ entrant: person, place })))].map(([person, span]) => [person, placeSaid(span)]));
}

type Ranked = { person: string; name: string | null; place: number };

/** Whoever looks for a name types it: seasons have hundreds. */
function Ranking<Row extends Ranked>({
  season,
  title,
  rows,
  below,
  columns,
}: {
  season: SeasonTable;
  title: string;
  rows: Row[];
  /** What is said of each below the name, where a phone shows it too. */
  below?: (row: Row) => string;
  /** What is said of each, by its head. */
  columns: [head: string, cell: (row: Row) => string, isMain?: boolean][];
}) {
  const { texts } = useSpeech();
  const [words, search] = useState('');
  const goesOn = useFade<HTMLDivElement>();
  const places = placesOf(rows);
  const found = rows.filter((row) => matches(words.trim(), personSaid(texts, row)));
  return (
    <div class="stack">
      <Search label={texts.tournament.findYourself} hint={texts.table.name} value={words} change={search} titled />
      {found.length === 0 && <NobodyFound />}
      <div class="sheet" role="group" aria-label={title} tabIndex={0} ref={goesOn} hidden={found.length === 0}>
        <table>
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <PlaceAndName />
              {columns.map(([head]) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map((row) => (
              <tr key={row.person}>
                <td class="place">{places.get(row.person)}</td>
                <th scope="row" class="who sticky">
                  <a href={addresses.inSeason(season.season, row.person)}>{personSaid(texts, row)}</a>
                  {below && <span class="home">{below(row)}</span>}
                </th>
                {columns.map(([head, cell, isMain]) => (
                  <td key={head} class={isMain ? 'main' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CupPart({ season }: { season: SeasonTable }) {
  const speech = useSpeech();
  const { texts } = speech;
  if (!season.cup.length) return <p class="empty section">{texts.season.nothingYet}</p>;
  return (
    <Section title={texts.season.parts.cup} end={<Ends file={addresses.cupFile(season.season)} />}>
      <Ranking
        season={season}
        title={texts.season.parts.cup}
        rows={season.cup}
        below={(row) => texts.season.counted(row.slots.length)}
        columns={[[texts.progression.points, (row) => figure(speech, row.points as number), true]]}
      />
      {season.status === 'open' && <p class="small soft">{texts.season.goesOn}</p>}
    </Section>
  );
}

/** Nobody is a reserve as long as a lot, or the federation, may still let them go on. */
function through({ season }: Texts, { unresolved }: SeasonTable, row: SeasonTable['qualification'][number]): string {
  if (row.champion) return season.champion;
  if (row.qualified) return season.qualified;
  return unresolved.some(({ persons }) => persons.includes(row.person)) ? season.undecided : season.reserve;
}

function QualificationPart({ season }: { season: SeasonTable }) {
  const speech = useSpeech();
  const { texts } = speech;
  if (!season.qualification.length) return <p class="empty section">{texts.season.nothingYet}</p>;
  return (
    <Section title={texts.season.parts.qualification} end={<Ends file={addresses.qualificationFile(season.season)} />}>
      <div class="stack">
        {season.outdated && <p class="note">{outdatedSaid(texts, season)}</p>}
        {season.unresolved.map((tie) => (
          <p class="note" key={tie.persons.join()}>
            {tieSaid(texts, season, tie)}
          </p>
        ))}
        <Ranking
          season={season}
          title={texts.season.parts.qualification}
          rows={season.qualification}
          below={(row) => through(texts, season, row)}
          columns={[[texts.progression.points, (row) => figure(speech, row.points as number), true]]}
        />
      </div>
    </Section>
  );
}

function Ends({ file }: { file: string }) {
  return (
    <>
      <Files of={[['CSV', file]]} />
      <PrintButton />
    </>
  );
}

type Held = SeasonTable['tournaments'][number];

/** One that was held elsewhere has only what the federation has recorded it as. */
function Named({ held }: { held: Held }) {
  return held.status === 'elsewhere' ? <>{held.name ?? held.tournament}</> : <a href={addresses.tournament(held.tournament)}>{held.name ?? '…'}</a>;
}

/** As the rules of the season call it, or the language of the reader. */
function useKindName(season: SeasonTable): (kind: string) => string {
  const { texts } = useSpeech();
  const kinds = useOwnKinds(season);
  return (kind) => kinds[kind] ?? texts.season.kinds[kind] ?? kind;
}

const NOT_STARTED: Wanted = { status: ['registration', 'check-in'], order: 'date', limit: SEARCHED };

/** Standings hears of a tournament when it starts. */
function TournamentsPart({ season }: { season: SeasonTable }) {
  const { texts } = useSpeech();
  const coming = useTournaments({ ...NOT_STARTED, season: season.season });
  const items = coming.answer?.items ?? [];
  if (!coming.answer && (!coming.problem || !season.tournaments.length)) return <Shown asked={coming}>{() => null}</Shown>; // shown at once, so that nothing moves
  if (!season.tournaments.length && !items.length) return <p class="empty section">{texts.season.noTournament}</p>;
  return (
    <>
      {items.length > 0 && (
        <Section title={texts.tournaments.coming}>
          <List items={items} />
        </Section>
      )}
      {season.tournaments.length > 0 && <Begun season={season} />}
    </>
  );
}

function Begun({ season }: { season: SeasonTable }) {
  const { texts, day } = useSpeech();
  const goesOn = useFade<HTMLDivElement>();
  const kindName = useKindName(season);
  return (
    <Section title={texts.season.parts.tournaments}>
      <div class="sheet" role="group" aria-label={texts.season.parts.tournaments} tabIndex={0} ref={goesOn}>
        <table>
          <caption class="visually-hidden">{texts.season.parts.tournaments}</caption>
          <thead>
            <tr>
              <th scope="col" class="who sticky">
                {texts.table.name}
              </th>
              <th scope="col">{texts.season.field}</th>
              <th scope="col">{texts.season.state}</th>
            </tr>
          </thead>
          <tbody>
            {season.tournaments.map((held) => (
              <tr key={held.tournament}>
                <th scope="row" class="who sticky">
                  <Named held={held} />
                  <span class="home">{`${day(`${held.on}T12:00:00Z`, 'UTC')} · ${kindName(held.kind)}`}</span>
                </th>
                <td>{held.field || ''}</td>
                <td>{held.status === 'completed' && !held.settled ? texts.season.lotToCome : texts.season.held[held.status]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** Why somebody stands where they stand: every result that counts, and what it counts. */
function PersonPart({ season, person }: { season: SeasonTable; person: string }) {
  const speech = useSpeech();
  const { texts } = speech;
  const ratings = useRatings(season.season);
  const cup = season.cup.find((row) => row.person === person);
  const qualification = season.qualification.find((row) => row.person === person);
  const rated = ratings.answer?.ratings.filter((row) => row.person === person) ?? [];
  const known = cup ?? qualification ?? rated[0];
  if (!known) return <Shown asked={ratings}>{() => <p class="empty section">{texts.season.notHere}</p>}</Shown>;
  const places = placesOf(season.cup);
  const above = cup && season.cup.findLast((row) => row.place < cup.place);
  return (
    <>
      <h2 class="section">{personSaid(texts, known)}</h2>
      {known.name === null && <p class="soft">{texts.season.erasedHow}</p>}
      <div class="columns section">
        {cup && (
          <Section title={`${texts.season.parts.cup}: ${places.get(person) ?? ''}`}>
            <div class="stack">
              <p>
                <b>{texts.season.points(figure(speech, cup.points as number))}</b>{' '}
                <span class="soft">{texts.season.adds}</span>
              </p>
              {above && <p>{texts.season.above(String(above.place), figure(speech, Number(above.points) - Number(cup.points)))}</p>}
              <Counted season={season} slots={cup.slots} />
            </div>
          </Section>
        )}
        {qualification && (
          <Section title={`${texts.season.parts.qualification}: ${placesOf(season.qualification).get(person) ?? ''}`}>
            <p>
              {texts.season.points(figure(speech, qualification.points as number))} · {through(texts, season, qualification)}
            </p>
          </Section>
        )}
        {rated.length > 0 && (
          <Section title={texts.season.parts.ratings}>
            <ul class="stack">
              {rated.map((row) => (
                <li key={row.list}>
                  {texts.season.lists[row.list] ?? row.list}: <b>{figure(speech, Math.round(row.rating as number))}</b>{' '}
                  <span class="soft">{texts.season.before(figure(speech, row.before as number))}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </>
  );
}

function Counted({ season, slots }: { season: SeasonTable; slots: Slot[] }) {
  const speech = useSpeech();
  const { texts, day } = speech;
  const kindName = useKindName(season);
  const held = new Map(season.tournaments.map((one) => [one.tournament, one]));
  return (
    <ul class="stack">
      {slots.map(({ tournament, points, coefficient, bonus }) => {
        const one = held.get(tournament);
        const worth = Number(points) * Number(coefficient);
        return (
          <li key={`${tournament}${bonus ? '+' : ''}`}>
            <b>{figure(speech, worth)}</b>
            {Number(coefficient) !== 1 && <span class="soft">{` = ${figure(speech, Number(points))} × ${figure(speech, Number(coefficient))}`}</span>}
            {' · '}
            {one ? <Named held={one} /> : tournament}{' '}
            <span class="soft small">
              {[one && day(`${one.on}T12:00:00Z`, 'UTC'), one && kindName(one.kind), bonus && texts.season.bonus].filter(Boolean).join(' · ')}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** How they stand now, exactly, or as a list was published: what tournaments seed by. The address says which. */
function RatingsPart({ season }: { season: SeasonTable }) {
  const { texts, day } = useSpeech();
  const { query, route } = useLocation();
  const now = useRatings(season.season);
  const lists = useRatingLists(season.season);
  const { answer } = now;
  if (!answer) return <Shown asked={now} rows={8}>{() => null}</Shown>;
  if (!lists.answer) return <Shown asked={lists} rows={8}>{() => null}</Shown>;
  const moving = [...new Set(answer.ratings.map(({ list }) => list))];
  const published = lists.answer.items.map(({ list, on }) => `${list}/${on}`);
  const all = [...moving, ...published];
  const shown = query.list ?? all[0];
  if (shown === undefined || !all.length) return <p class="empty section">{texts.season.noRatings}</p>;
  const isThere = all.includes(shown);
  const [list = '', on] = shown.split('/');
  const called = (one: string) => texts.season.lists[one] ?? one;
  return (
    <Section
      title={texts.season.parts.ratings}
      end={
        <>
          <Choice
            label={texts.season.list}
            value={shown}
            choose={(one) => route(addresses.ratings(season.season, one), true)}
            options={[
              ...(isThere ? [] : [[shown, '–'] as [string, string]]),
              ...moving.map((one): [string, string] => [one, texts.season.listNow(called(one))]),
              ...lists.answer.items.map((one): [string, string] => [`${one.list}/${one.on}`, `${called(one.list)}, ${day(`${one.on}T12:00:00Z`, 'UTC')}`]),
            ]}
          />
          {isThere && <Ends file={on ? addresses.ratingListFile(season.season, list, on) : addresses.ratingsFile(season.season, list)} />}
        </>
      }
    >
      {!isThere ? <p class="empty">{texts.shell.unknownPage}</p> : on ? <Published key={shown} season={season} list={list} on={on} /> : <Moving key={shown} season={season} list={list} ratings={answer} />}
    </Section>
  );
}

function Moving({ season, list, ratings }: { season: SeasonTable; list: string; ratings: SeasonRatings }) {
  const speech = useSpeech();
  const { texts, day } = speech;
  let place = 0; // equal ratings share that of the first
  const rows = ratings.ratings
    .filter((row) => row.list === list)
    .map((row, index, best) => {
      if (row.rating !== best[index - 1]?.rating) place = index + 1;
      return { ...row, place };
    });
  const moved = (row: (typeof rows)[number]) => {
    const by = Math.round(Number(row.rating)) - Math.round(Number(row.before));
    return `${by > 0 ? '+' : ''}${by === 0 ? '' : figure(speech, by)}`;
  };
  return (
    <div class="stack">
      {ratings.counted_to && <p class="soft">{texts.season.countedTo(day(`${ratings.counted_to}T12:00:00Z`, 'UTC'))}</p>}
      <Ranking
        season={season}
        title={texts.season.lists[list] ?? list}
        rows={rows}
        columns={[
          [texts.entrants.rating, (row) => figure(speech, Math.round(Number(row.rating))), true],
          [texts.season.moved, moved],
          [texts.entrant.games, (row) => figure(speech, row.games as number)],
        ]}
      />
    </div>
  );
}

function Published({ season, list, on }: { season: SeasonTable; list: string; on: string }) {
  const speech = useSpeech();
  const { texts } = speech;
  const asked = useRatingList(season.season, list, on);
  return (
    <Shown asked={asked} rows={8}>
      {({ ratings }) => (
        <Ranking
          season={season}
          title={texts.season.lists[list] ?? list}
          rows={ratings}
          columns={[
            [texts.entrants.rating, (row) => figure(speech, row.rating), true],
            [texts.entrant.games, (row) => figure(speech, row.games as number)],
          ]}
        />
      )}
    </Shown>
  );
}
