/**
 * What happened: for everybody what two moments of a table differ in, and for whoever may read the log who did what, when and why.
 */

import { useLocation } from 'preact-iso';
import { useEffect, useId, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useCrosstable, useEntrants, useMoments, type Crosstable } from '../../api/public.ts';
import { begin, useSession } from '../../api/session.ts';
import { momentIn, useStory, type Json, type StoryFilter, type Told } from '../../api/story.ts';
import { opened, stageOf } from '../../api/stages.ts';
import { ProblemNote, Section, Shown } from '../../parts/basics.tsx';
import { entrantName, figure, seatName, stageName, versus } from '../../parts/names.ts';
import { placeSaid, spans } from '../../parts/table.tsx';
import { useSpeech, AllTexts, type Speech } from '../../texts/all_texts.tsx';
import { titleOf } from '../../texts/story_titles.ts';
import type { OfTournament } from './given.ts';
import { StageSteps } from './stages.tsx';
import { useSettled } from './table.tsx';

type OfStory = OfTournament & { stage: string | undefined };

export default function StoryPage(of: OfStory) {
  return (
    <AllTexts space="told-space">
      <Story {...of} />
    </AllTexts>
  );
}

function Story(of: OfStory) {
  const { texts } = useSpeech();
  const stage = stageOf(of.stages, of.stage);
  const session = useSession();
  useEffect(() => {
    void begin();
  }, []);
  if (session === undefined) return <div class="told-space" aria-busy="true" />;
  const happened = (
    <Section
      key="happened"
      title={texts.story.happened}
      end={session ? <a href={addresses.deskOf(of.tournament)}>{texts.story.toDesk}</a> : undefined}
    >
      {session ? <Happened {...of} who={session.who} /> : <Closed />}
    </Section>
  );
  const compared = stage && (
    <Section key="compared" title={`${texts.story.compare} · ${stageName(texts, stage)}`}>
      <StageSteps stages={of.stages} stage={stage.stage} address={(one) => `${addresses.story(of.tournament)}?stage=${one.stage}`} />
      <Compared key={stage.stage} tournament={of.tournament} stage={stage.stage} />
    </Section>
  );
  return <div class="stack">{session ? [happened, compared] : [compared, happened]}</div>;
}

function Closed() {
  const { texts } = useSpeech();
  return (
    <p class="note">
      {texts.story.closed} <a href={addresses.desk}>{texts.desk.title}</a>
    </p>
  );
}

type Moments = { at: string; round: number }[];
type Row = Crosstable['rows'][number];
type Cell = Row['rounds'][number];

/** Two moments of one table: those in the address, or before the last round that has a result and now. */
function Compared({ tournament, stage }: { tournament: string; stage: string }) {
  const { texts } = useSpeech();
  const { query } = useLocation();
  const named = { from: momentIn(query.from), to: momentIn(query.to) };
  const changes = useMoments(tournament, stage);
  const moments: Moments = changes.answer?.moments ?? [];
  const [chosen, choose] = useState<{ from?: number; to?: number }>({});
  const last = moments.length - 1;
  const upTo = (at: string | undefined) => (at ? Math.max(0, moments.findLastIndex((one) => one.at <= at)) : undefined);
  const to = Math.min(chosen.to ?? upTo(named.to) ?? last, last);
  const round = moments[to]?.round;
  const from = Math.min(chosen.from ?? upTo(named.from) ?? Math.max(0, moments.findIndex((one) => one.round === round) - 1), last);
  // An address may name a time between two moments, of which there is one a second.
  const exactly = (step: number, own: number | undefined, at: string | undefined) => (own === undefined && at) || (moments[step]?.at ?? '');
  const times = [exactly(from, chosen.from, named.from), exactly(to, chosen.to, named.to)] as const;
  const [before = '', after = ''] = useSettled(times.join(' '), 150).split(' ');
  const earlier = useCrosstable(tournament, before ? stage : undefined, { at: before });
  const later = useCrosstable(tournament, after ? stage : undefined, { at: after });
  if (!changes.answer) return <Shown asked={changes}>{() => null}</Shown>;
  if (moments.length === 0) return <p class="empty">{texts.story.noMoments}</p>;
  return (
    <div class="stack">
      <div class="card moments no-print">
        <Moment label={texts.story.from} at={times[0]} moments={moments} step={from} stepTo={(step) => choose({ ...chosen, from: step })} />
        <Moment label={texts.story.to} at={times[1]} moments={moments} step={to} stepTo={(step) => choose({ ...chosen, to: step })} />
      </div>
      <Shown asked={{ answer: earlier.answer && later.answer, problem: earlier.problem ?? later.problem }} rows={6}>
        {(answer) => <Differences tournament={tournament} stage={stage} before={earlier.answer?.rows ?? []} after={answer.rows} />}
      </Shown>
    </div>
  );
}

function Moment({
  label,
  at,
  moments,
  step,
  stepTo,
}: {
  label: string;
  at: string;
  moments: Moments;
  step: number;
  stepTo: (step: number) => void;
}) {
  const { texts, second } = useSpeech();
  const shown = moments[step];
  const said = shown ? `${texts.rounds.round(shown.round)} · ${second(at)}` : '';
  return (
    <label>
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={moments.length - 1}
        value={step}
        aria-valuetext={said}
        onInput={({ currentTarget }) => stepTo(Number(currentTarget.value))}
      />
      <output>{said}</output>
    </label>
  );
}

function Differences({ tournament, stage, before, after }: { tournament: string; stage: string; before: Row[]; after: Row[] }) {
  const speech = useSpeech();
  const { texts } = speech;
  const known = new Map(before.map((row) => [row.entrant, row]));
  const placeIn = (rows: Row[]) => {
    const places = spans(rows);
    return (row: Row) => placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place });
  };
  const [placeBefore, placeAfter] = [placeIn(before), placeIn(after)];
  const moved = after.filter((row) => {
    const was = known.get(row.entrant);
    return !was || placeBefore(was) !== placeAfter(row) || was.points !== row.points;
  });
  const games = gamesOf(after);
  const were = gamesOf(before);
  const changed = [...games].filter(([key, game]) => were.has(key) && were.get(key)?.said !== game.said);
  const came = [...games].filter(([key]) => !were.has(key));
  if (moved.length + changed.length + came.length === 0) return <p class="empty">{texts.story.same}</p>;
  return (
    <div class="stack">
      {changed.length > 0 && (
        <>
          <h3>{texts.story.changedResults}</h3>
          <ul class="stack">
            {changed.map(([key, game]) => (
              <li key={key} class="note">
                {texts.rounds.round(game.round)}: {game.said} <span class="soft">({texts.story.before(were.get(key)?.said ?? '')})</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {moved.length > 0 && (
        <div class="sheet" role="group" aria-label={texts.story.places} tabIndex={0}>
          <table>
            <caption class="visually-hidden">{texts.story.places}</caption>
            <thead>
              <tr>
                <th scope="col" class="who sticky">
                  {texts.table.name}
                </th>
                <th scope="col">{texts.table.place}</th>
                <th scope="col">{texts.story.fields.points}</th>
              </tr>
            </thead>
            <tbody>
              {moved.map((row) => {
                const was = known.get(row.entrant);
                return (
                  <tr key={row.entrant}>
                    <th scope="row" class="who sticky">
                      <a href={addresses.entrant(tournament, row.entrant, stage)}>{seatName(row)}</a>
                    </th>
                    <Changed texts={texts} was={was && placeBefore(was)} is={placeAfter(row)} />
                    <Changed texts={texts} was={was && figure(speech, was.points as number)} is={figure(speech, row.points as number)} />
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <p class="soft">
        {[came.length > 0 ? `${texts.story.newResults(came.length)}.` : '', after.length > moved.length ? texts.story.unmoved(after.length - moved.length) : '']
          .filter(Boolean)
          .join(' ')}
      </p>
    </div>
  );
}

function Changed({ texts, was, is }: { texts: Speech['texts']; was: string | undefined; is: string }) {
  if (was === is) return <td>{is}</td>;
  return (
    <td>
      <span class="soft">{was ?? '–'}</span>
      <span aria-hidden="true"> → </span>
      <span class="visually-hidden"> {texts.story.to} </span>
      <strong>{is}</strong>
    </td>
  );
}

/** Each game once, by its round and who plays it, and always told from the same side. */
function gamesOf(rows: Row[]): Map<string, { round: number; said: string }> {
  const found = new Map<string, { round: number; said: string }>();
  for (const row of rows) {
    for (const cell of row.rounds) {
      if (cell.kind !== 'game') continue;
      const players = [row.entrant, ...cell.opponents].sort();
      const key = [cell.round, ...players].join(' ');
      if (!found.has(key) || players[0] === row.entrant) found.set(key, { round: cell.round, said: saidOf(row, cell) });
    }
  }
  return found;
}

function saidOf(row: Row, cell: Cell): string {
  const others = cell.names.map((name) => name ?? '–').join(', ');
  return `${seatName(row)} – ${others} ${cell.made}:${cell.received}`;
}

const KINDS = ['marked', 'correction', 'override', 'repair', 'game', 'round', 'tournament', 'captain', 'officials', 'penalties', 'protests', 'lots', 'changes'] as const;

/** Filters stand in the address, so that a link leads to what somebody has found. */
function Happened({ tournament, stages, who }: OfTournament & { who: string }) {
  const { texts } = useSpeech();
  const { query, route, path } = useLocation();
  const entrants = useEntrants(tournament).answer ?? [];
  const since = momentIn(query.since);
  const until = momentIn(query.until);
  const filter: StoryFilter = {
    ...(query.about ? { about: query.about } : {}),
    ...(query.kind ? { kind: query.kind } : {}),
    ...(Number(query.round) ? { round: Number(query.round) } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
  const choose = (changed: Partial<Record<keyof StoryFilter | 'what', string>>) => {
    const wanted = Object.entries({ ...query, ...changed }).filter(([, value]) => value);
    route(`${path}${wanted.length ? `?${new URLSearchParams(wanted as [string, string][]).toString()}` : ''}`);
  };
  const named = entrants.some((one) => one.id === query.about);
  const rounds = Math.max(0, ...opened(stages).map((one) => one.of ?? 0));
  return (
    <div class="stack">
      <div class="row filters no-print">
        <Picked label={texts.story.kind} value={query.kind ?? ''} choose={(kind) => choose({ kind })}>
          {[['', texts.story.kinds.all], ...KINDS.map((kind): [string, string] => [kind, texts.story.kinds[kind]])]}
        </Picked>
        <Picked label={texts.story.person} value={named ? (query.about ?? '') : ''} choose={(about) => choose({ about, what: '' })}>
          {[['', texts.story.everybody], ...entrants.map((one): [string, string] => [one.id, entrantName(one)])]}
        </Picked>
        <Picked label={texts.story.round} value={query.round ?? ''} choose={(round) => choose({ round })}>
          {[['', texts.story.everyRound], ...Array.from({ length: rounds }, (_, n): [string, string] => [String(n + 1), texts.rounds.round(n + 1)])]}
        </Picked>
        <Time label={texts.story.since} value={since} choose={(at) => choose({ since: at })} />
        <Time label={texts.story.until} value={until} choose={(at) => choose({ until: at })} />
      </div>
      {query.about && !named && (
        <p class="row">
          <span>{texts.story.only(query.what ?? query.about)}</span>
          <button type="button" class="button" onClick={() => choose({ about: '', what: '' })}>
            {texts.story.everything}
          </button>
        </p>
      )}
      <ToldList
        key={JSON.stringify([who, filter])}
        tournament={tournament}
        filter={filter}
        follow={(about, what) => choose({ about, what })}
      />
    </div>
  );
}

function Picked({ label, value, choose, children }: { label: string; value: string; choose: (value: string) => void; children: string[][] }) {
  return (
    <label class="labelled">
      <span>{label}</span>
      <span class="choice framed">
        <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {children.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

/** A time of this device; the service is asked in that of the world. */
function Time({ label, value, choose }: { label: string; value: string | undefined; choose: (value: string) => void }) {
  const local = value ? new Date(new Date(value).getTime() - new Date(value).getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : '';
  return (
    <label class="labelled">
      <span>{label}</span>
      <input
        class="field"
        type="datetime-local"
        value={local}
        onChange={({ currentTarget }) => choose(currentTarget.value ? new Date(currentTarget.value).toISOString() : '')}
      />
    </label>
  );
}

type Follow = (about: string, what: string) => void;

function ToldList({ tournament, filter, follow }: { tournament: string; filter: StoryFilter; follow: Follow }) {
  const { texts } = useSpeech();
  const { items, names, more, problem, asking } = useStory(tournament, filter);
  if (problem && items.length === 0) {
    return problem.type.endsWith('/not-permitted') ? <p class="note">{texts.story.notYours}</p> : <ProblemNote problem={problem} />;
  }
  if (items.length === 0) return <p class="empty" aria-busy={asking || undefined}>{asking ? texts.story.reading : texts.story.none}</p>;
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <ol class="told">
        {runsOf(items).map((run) =>
          run.length < MANY ? (
            run.map((item) => <ToldItem key={keyOf(item)} item={item} names={names} follow={follow} />)
          ) : (
            <ToldRun key={keyOf(run[0])} run={run} names={names} follow={follow} />
          ),
        )}
      </ol>
      {more && (
        <div>
          <button type="button" class="button" disabled={asking} onClick={more}>
            {texts.story.more}
          </button>
        </div>
      )}
    </>
  );
}

const MANY = 4; // of the same in a row are one line

const keyOf = (item: Told | undefined) => `${item?.service} ${item?.position}`;

/** What follows each other and says no more than that it happened to somebody else too. */
function runsOf(items: Told[]): Told[][] {
  const runs: Told[][] = [];
  for (const item of items) {
    const before = runs.at(-1);
    const [first] = before ?? [];
    const isPlain = !item.mark && !item.reason && item.words.length === 0;
    if (before && first && isPlain && !first.mark && !first.reason && !first.words.length && first.what === item.what) before.push(item);
    else runs.push([item]);
  }
  return runs;
}

function ToldRun({ run, names, follow }: { run: Told[]; names: Record<string, string>; follow: Follow }) {
  const { texts, language, moment } = useSpeech();
  const [newest] = run;
  if (!newest) return null;
  return (
    <li class="card">
      <details>
        <summary>
          <b>{titleOf(newest.what, language)}</b> {texts.story.times(run.length)} <time dateTime={newest.at}>{moment(newest.at)}</time>
        </summary>
        <ol class="told">
          {run.map((item) => (
            <ToldItem key={keyOf(item)} item={item} names={names} follow={follow} />
          ))}
        </ol>
      </details>
    </li>
  );
}

function ToldItem({ item, names, follow }: { item: Told; names: Record<string, string>; follow: Follow }) {
  const speech = useSpeech();
  const { texts, language, moment, second } = speech;
  const id = useId();
  const title = titleOf(item.what, language);
  const why = [item.reason && (texts.story.reasons[item.reason] ?? item.reason), item.clause, ...item.words.map((words) => `„${words}“`)];
  const whom = item.entrants.map((one) => names[one]).filter(Boolean);
  const place = [
    item.round ? texts.rounds.round(item.round) : null,
    item.table ? texts.story.table(item.table) : null,
  ].filter((one) => one !== null);
  const { game } = item;
  const where = place.join(', ');
  return (
    <li class={`card${item.mark ? ` ${item.mark}` : ''}`} aria-labelledby={id}>
      <div class="told-head">
        <h3 id={id}>{title}</h3>
        {item.mark && <span class="badge now">{texts.story.marks[item.mark]}</span>}
        <time dateTime={item.at} title={moment(item.at)}>
          {moment(item.at).replace(/\s?\d\d?[:.]\d\d.*$/, '')} {second(item.at)}
        </time>
      </div>
      {(where || whom.length > 0) && (
        <p>
          {where && (game ? <button type="button" class="told-link" onClick={() => follow(game, where)}>{where}</button> : where)}
          {where && whom.length > 0 && ': '}
          {versus(whom)}
        </p>
      )}
      <PartList names={names} item={item} of={partsOf(item).open} />
      {why.some(Boolean) && (
        <p>
          <b>{texts.story.why}:</b> {why.filter(Boolean).join(', ')}
        </p>
      )}
      <p class="soft small">
        <Actor item={item} names={names} follow={follow} />
      </p>
      <details>
        <summary>{texts.story.details}</summary>
        {language === 'en' && <p class="soft small">{item.says}</p>}
        <PartList names={names} item={item} of={partsOf(item).rest} />
        <p class="soft small">
          {item.operation && `${item.operation} · `}
          {item.service} {item.position}
        </p>
      </details>
    </li>
  );
}

/** Who it was: an account by its opaque id, a captain by the entrant, or the service from whose message it follows. */
function Actor({ item, names, follow }: { item: Told; names: Record<string, string>; follow: Follow }) {
  const { texts } = useSpeech();
  const entrant = /^captain:([^:]+):/.exec(item.actor)?.[1];
  const role = item.role ? (texts.story.roles[item.role] ?? item.role) : '';
  if (item.role === 'service') return <>{texts.story.follows[item.actor] ?? `${role} ${item.actor}`}</>;
  const link = /^scorer:[^:]+:(\d+)$/.exec(item.actor)?.[1];
  const who = entrant ? (names[entrant] ?? entrant) : link ? texts.links.link(Number(link)) : item.actor;
  return (
    <>
      {role}{' '}
      <button type="button" class="told-link" onClick={() => follow(item.actor, who)}>
        {who}
      </button>
    </>
  );
}

const ALWAYS = ['scores', 'tables'];

/** What is different stands open, the rest behind a click. */
function partsOf({ said: parts, before }: Told): { open: string[]; rest: string[] } {
  const all = [...new Set([...Object.keys(parts), ...Object.keys(before)])];
  const open = all.filter((name) => name in before || ALWAYS.includes(name));
  return { open, rest: all.filter((name) => !open.includes(name)) };
}

function PartList({ item, names, of }: { item: Told; names: Record<string, string>; of: string[] }) {
  const speech = useSpeech();
  const { texts } = speech;
  if (!of.length) return null;
  return (
    <dl class="told-parts">
      {of.map((name) => {
        const is = name in item.said ? said(item.said[name], names, speech) : texts.story.nothing;
        return [
          <dt key={name}>{labelOf(name, texts.story.fields)}</dt>,
          <dd key={`${name} said`}>
            {is}
            {name in item.before && <span class="soft"> ({texts.story.before(said(item.before[name], names, speech))})</span>}
          </dd>,
        ];
      })}
    </dl>
  );
}

function labelOf(name: string, fields: Record<string, string>): string {
  return fields[name] ?? name.replaceAll('_', ' ');
}

function said(part: Json | undefined, names: Record<string, string>, speech: Speech): string {
  const { texts, number } = speech;
  if (part === null || part === undefined) return texts.story.nobody;
  if (typeof part === 'boolean') return part ? texts.story.yes : texts.story.no;
  if (typeof part === 'number') return number(part);
  if (typeof part === 'string') return names[part] ?? part;
  if (Array.isArray(part)) {
    if (part.length > 0 && part.every((one) => typeof one === 'number')) return part.map((one) => number(one as number)).join(' : ');
    return part.map((one) => said(one, names, speech)).join(', ') || texts.story.nobody;
  }
  return Object.entries(part)
    .map(([name, one]) => `${/^\d+$/.test(name) ? texts.story.table(name) : (names[name] ?? labelOf(name, texts.story.fields))} ${said(one, names, speech)}`)
    .join('; ');
}
