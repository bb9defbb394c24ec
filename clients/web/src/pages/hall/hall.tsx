/**
 * The screen of the hall: where everybody plays, by name and by table, and then the table, one page after another. The
 * address stays the same for every round. `?show=names`, `tables` or `standings` stays at one of them, for a second
 * screen; `?table=1` shows that table of every round alone; `?seconds=20` turns the pages more slowly; `?plain` leaves out
 * what is around them, for a picture laid over a stream.
 */

import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useRounds } from '../../api/live.ts';
import { useRound, useStages, useTable, useTournament, type RoundOfGames, type Table } from '../../api/public.ts';
import { currentRound, currentStage } from '../../api/stages.ts';
import { LiveMark, ProblemNote, useTitle } from '../../parts/basics.tsx';
import { Countdown, useNow } from '../../parts/countdown.tsx';
import { criterion, figure, seatName, stageName } from '../../parts/names.ts';
import { Pairs, sittings, type Sitting } from '../../parts/pairs.tsx';
import { placeSaid, spans, type Span } from '../../parts/table.tsx';
import { typed, WayCode } from '../../parts/qr_link.tsx';
import { useSpeech, type Texts } from '../../texts/index.ts';

const SECONDS = 12;
const COLUMNS = 3;
const TIGHTER = 1.24; // lines of the table against those of names, as hall.css has them

type Sheet = { key: string; title: string; content: ComponentChildren };
type Room = { lines: number; rows: number; columns: number }; // rows are whole lines

export default function Hall({ params, query }: { params: { tournament: string }; query: Record<string, string> }) {
  const speech = useSpeech();
  const { texts } = speech;
  const { route } = useLocation();
  const { tournament } = params;
  const asked = useTournament(tournament);
  const about = asked.answer;
  const stages = useStages(tournament).answer;
  const stage = currentStage(stages);
  const listed = currentRound(stage);
  useRounds(tournament);
  const round = useRound(tournament, stage?.stage, listed?.round).answer;
  const table = useTable(tournament, stage?.stage).answer;
  const [measure, room] = useRoom();
  const [stopped, stop] = useState(false);
  const [at, turnTo] = useState(0);
  useTitle(about?.name, texts.tournament.hall);

  const { table: only } = query;
  const shown = (what: string) => (only ? what === 'tables' : !query.show || query.show === what);
  const sheets: Sheet[] = [
    ...(round && shown('names') ? byName(round, sittings(round, texts, speech.before), room, texts) : []),
    ...(round && shown('tables') ? byTable(only ? ofTable(round, only) : round, room, texts.rounds.byTable) : []),
    ...(table && shown('standings') ? places(table, room, texts.tournament.table) : []),
  ];
  const seconds = Number(query.seconds) || SECONDS;
  useEffect(() => {
    if (stopped || sheets.length < 2) return undefined;
    const timer = setTimeout(() => turnTo((at + 1) % sheets.length), seconds * 1000);
    return () => clearTimeout(timer);
  }, [at, stopped, seconds, sheets.length]);
  const number = at % Math.max(1, sheets.length);
  const sheet = sheets[number];
  return (
    <main class={`hall${'plain' in query ? ' plain' : ''}`}>
      <header class="hall-head">
        <div>
          <h1>{about?.name ?? '…'}</h1>
          <p>
            {stage && (stages?.stages.length ?? 1) > 1 && `${stageName(texts, stage)} · `}
            {listed && (stage?.of ? texts.rounds.roundOf(listed.round, stage.of) : texts.rounds.round(listed.round))}
            {sheet && <strong> · {sheet.title}</strong>}
          </p>
        </div>
        <div class="hall-clock">
          <Clock starts={round?.starts_at} ends={listed?.ends_at} />
          {round && <span>{round.missing ? texts.rounds.open(round.missing) : texts.rounds.complete}</span>}
          <LiveMark tournament={tournament} stage={stage?.stage} />
        </div>
        <div class="hall-code">
          <WayCode tournament={tournament} />
        </div>
      </header>
      <div class="hall-sheet" ref={measure} key={sheet?.key}>
        {!about && asked.problem ? <ProblemNote problem={asked.problem} /> : (sheet?.content ?? <p class="hall-waiting">{texts.hall.waiting}</p>)}
      </div>
      <footer class="hall-foot">
        <button type="button" onClick={() => stop(!stopped)} aria-label={stopped ? texts.hall.resume : texts.hall.pause}>
          {stopped ? '▶' : '❚❚'}
        </button>
        <span class="hall-address">
          {texts.hall.onPhone} <strong>{typed()}</strong>
        </span>
        <ol class="hall-pages" aria-hidden="true">
          {sheets.map(({ key }, index) => (
            <li key={key} class={index === number ? 'now' : undefined} />
          ))}
        </ol>
        <span>{sheets.length > 1 && texts.hall.page(number + 1, sheets.length)}</span>
        <button type="button" onClick={() => void document.documentElement.requestFullscreen?.()}>
          {texts.hall.full}
        </button>
        <button type="button" onClick={() => route(`/tournaments/${tournament}`)}>
          {texts.shell.close}
        </button>
      </footer>
    </main>
  );
}

/** Until the round starts, then until the clocks have run down, and else how long it has been played. */
function Clock({ starts, ends }: { starts: string | null | undefined; ends: string | null | undefined }) {
  const { texts } = useSpeech();
  const now = useNow();
  const isAhead = (moment: string | null | undefined): moment is string => !!moment && new Date(moment).getTime() > now;
  if (isAhead(starts)) return <Timed said={texts.rounds.startsIn} until={starts} />;
  if (isAhead(ends)) return <Timed said={texts.rounds.endsIn} until={ends} />;
  if (ends) return <span class="over">{texts.rounds.timeIsUp}</span>;
  return starts ? <Timed said={texts.rounds.playedFor} until={starts} since /> : null;
}

function Timed({ said, until, since = false }: { said: string; until: string; since?: boolean }) {
  return (
    <>
      <span>{said}</span>
      <Countdown until={until} since={since} />
    </>
  );
}

/** How many lines and columns fit: pages are made of whole lines, so that nothing is cut off and nothing scrolls. */
function useRoom(): [(place: HTMLElement | null) => void, Room] {
  const [room, setRoom] = useState<Room>({ lines: 10, rows: 10, columns: COLUMNS });
  const place = useRef<HTMLElement | null>(null);
  const measured = () => {
    if (!place.current) return;
    const { clientWidth, clientHeight } = place.current;
    const line = Number.parseFloat(getComputedStyle(place.current).fontSize) * 2.1;
    const columns = Math.max(1, Math.min(COLUMNS, Math.floor(clientWidth / (line * 8))));
    const lines = Math.max(3, clientHeight / line);
    setRoom((before) => (before.lines === lines && before.columns === columns ? before : { lines, rows: Math.floor(lines), columns }));
  };
  useLayoutEffect(() => {
    measured();
    addEventListener('resize', measured);
    return () => removeEventListener('resize', measured);
  }, []);
  return [
    (found) => {
      place.current = found;
    },
    room,
  ];
}

function pagesOf<Item>(items: Item[], size: number): Item[][] {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const even = Math.ceil(items.length / pages); // three half empty pages read better than one full and one of two lines
  return Array.from({ length: pages }, (_, page) => items.slice(page * even, (page + 1) * even));
}

function span(sitting: Sitting[]): string {
  const initial = (one: Sitting | undefined) => (one ? seatName(one.seat).slice(0, 1).toUpperCase() : '');
  return `${initial(sitting[0])}–${initial(sitting.at(-1))}`;
}

function byName(round: RoundOfGames, sitting: Sitting[], room: Room, texts: Texts): Sheet[] {
  const title = texts.hall.byName;
  return pagesOf(sitting, room.rows * room.columns).map((page, index) => ({
    key: `names ${round.stage} ${round.round} ${index}`,
    title: sitting.length > page.length ? `${title} ${span(page)}` : title,
    content: (
      <ol class={`hall-names columns-${room.columns}`}>
        {page.map(({ seat, table, without }) => (
          <li key={seat.entrant}>
            <span>{seatName(seat)}</span>
            {table && <small>{texts.rounds.table}</small>}
            <strong>{table || without}</strong>
          </li>
        ))}
      </ol>
    ),
  }));
}

function ofTable(round: RoundOfGames, wanted: string): RoundOfGames {
  return { ...round, items: round.items.filter(({ label, table }) => (label ?? String(table)).toLowerCase() === wanted.toLowerCase()) };
}

function byTable(round: RoundOfGames, room: Room, title: string): Sheet[] {
  const seats = Math.max(2, ...round.items.map((game) => game.seats.length));
  const size = Math.max(1, Math.floor((room.lines - 0.5) / (seats * 1.15 + 0.35))) * room.columns;
  return pagesOf(round.items, size).map((games, index) => ({
    key: `tables ${round.stage} ${round.round} ${index}`,
    title,
    content: <Pairs tournament={round.tournament} games={games} />,
  }));
}

function places(table: Table, room: Room, title: string): Sheet[] {
  const spanned = spans(table.standings);
  return pagesOf(table.standings, Math.floor(room.lines * TIGHTER) - 1).map((rows, index) => ({
    key: `standings ${table.stage} ${table.round} ${index}`,
    title,
    content: <HallTable table={table} rows={rows} places={spanned} wide={room.columns > 1} />,
  }));
}

function HallTable({ table, rows, places, wide }: { table: Table; rows: Table['standings']; places: Map<string, Span>; wide: boolean }) {
  const speech = useSpeech();
  const { texts } = speech;
  const columns = table.columns.filter(({ key }) => table.standings.some(({ values }) => key in values)).slice(0, 5);
  return (
    <table class="hall-table">
      <caption class="visually-hidden">{texts.tournament.table}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.table.place}</th>
          <th scope="col">{texts.table.name}</th>
          {columns.map((column) => (
            <th scope="col" key={column.key}>
              {criterion(texts, column)[wide ? 'title' : 'short']}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.entrant}>
            <td>{placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place })}</td>
            <th scope="row">{seatName(row)}</th>
            {columns.map(({ key }) => (
              <td key={key}>{figure(speech, row.values[key] as number | undefined)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
