/**
 * The screen of the hall: where everybody plays, by name and by table, and then the standings, one page after another, and from
 * the first of them when a round is published. When all is over, who has won. The address stays the same for every round. `?show=names`, `tables` or `standings` stays at one of them, for a second
 * screen; `?table=1` shows that table of every round alone; `?seconds=20` turns the pages more slowly; `?plain` leaves out
 * what is around them, for a picture laid over a stream.
 */

import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useRounds } from '../../api/live.ts';
import { useRanking, useRound, useStages, useTable, useTournament, type Column, type FinalRanking, type RoundOfGames, type Row } from '../../api/public.ts';
import { currentRound, currentStage } from '../../api/stages.ts';
import { LiveMark, ProblemNote, useTitle } from '../../parts/basics.tsx';
import { Countdown, useNow } from '../../parts/countdown.tsx';
import { criterion, figure, rankingName, seatName, stageName, statusName } from '../../parts/names.ts';
import { Pairs, remark, shownScores, sittings, type Sitting } from '../../parts/pairs.tsx';
import { byGroups, inOneOrder, placeSaid, spans, told, type Span } from '../../parts/table.tsx';
import { typed, WayCode } from '../../parts/qr_link.tsx';
import { useSpeech, type Speech, type Texts } from '../../texts/index.ts';
import { Podium } from '../public/ranking.tsx';
import { blocksFit, cardsFit, FAR, inParts, laidOut, namesFit, wide, type Line, type Room } from './layout.ts';

const SECONDS = 12;
const LONGER = 2; // everybody looks for the own name, and for a place not everybody
const COLUMNS = 4;
const NARROW = 22; // of the unit: less wide are two columns not read
const PLAYED = ['played', 'closed']; // of a stage: nobody looks for a table any more
const OVER = ['under-review', 'completed'];

type Sheet = { key: string; title: string; font: number; longer?: boolean; content: ComponentChildren };

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
  const isOver = about !== undefined && OVER.includes(about.status);
  const ranking = useRanking(isOver ? tournament : undefined).answer;
  useTitle(about?.name, texts.tournament.hall);

  const { table: only } = query;
  const shown = (what: string) => (only ? what === 'tables' : !query.show || query.show === what);
  const isPlayed = isOver || (stage !== undefined && PLAYED.includes(stage.status));
  const drawn = (room: Room): Sheet[] => [
    ...(round && !isPlayed && shown('names') ? byName(round, sittings(round, texts, speech.before), room, texts) : []),
    ...(round && !isOver && !only && shown('tables') ? byTable(round, room, speech) : []),
    ...(round && only ? [tableAlone(round, only, room, texts)] : []),
    ...(table && !isOver && shown('standings') ? standingsOf(table, room, speech, texts.tournament.table) : []),
    ...(ranking && isOver && shown('standings') ? endOf(ranking, tournament, room, speech) : []),
  ];
  const sheets = room ? drawn(room) : [];
  const played = `${stage?.stage} ${listed?.round} ${isPlayed}`;
  const [turned, turn] = useState({ played, to: 0 });
  const number = turned.played === played ? turned.to % Math.max(1, sheets.length) : 0; // what is new begins with its first page
  const sheet = sheets[number];
  const seconds = (Number(query.seconds) || SECONDS) * (sheet?.longer ? LONGER : 1);
  useEffect(() => {
    if (stopped || sheets.length < 2) return undefined;
    const timer = setTimeout(() => turn({ played, to: number + 1 }), seconds * 1000);
    return () => clearTimeout(timer);
  }, [played, number, stopped, seconds, sheets.length]);
  return (
    <main class={`hall${'plain' in query ? ' plain' : ''}`}>
      <header class="hall-head">
        <div>
          <h1>{about?.name ?? '…'}</h1>
          <p>
            {stage && !isOver && (stages?.stages.length ?? 1) > 1 && `${stageName(texts, stage)} · `}
            {listed && !isOver && (stage?.of ? texts.rounds.roundOf(listed.round, stage.of) : texts.rounds.round(listed.round))}
            {isOver && statusName(texts, about.status)}
            {sheet && <strong> · {sheet.title}</strong>}
          </p>
        </div>
        {!isOver && (
          <div class="hall-clock">
            <Clock starts={round?.starts_at} ends={listed?.ends_at} />
            <span>{round && (round.missing ? texts.rounds.open(round.missing) : texts.rounds.complete)}</span>
            <LiveMark tournament={tournament} stage={stage?.stage} />
          </div>
        )}
        <div class="hall-code">
          <WayCode tournament={tournament} />
        </div>
      </header>
      <div class="hall-sheet" ref={measure}>
        <div class="hall-page" key={sheet?.key} style={sheet && { fontSize: `${sheet.font}px` }}>
          {!about && asked.problem && <ProblemNote problem={asked.problem} />}
          {sheet?.content ?? (room && about && <p class="hall-waiting">{isOver ? texts.tournament.ended : texts.hall.waiting}</p>)}
        </div>
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

/** How much room a page has, which also what stands around it decides; unknown until it is on the screen. */
function useRoom(): [{ current: HTMLDivElement | null }, Room | undefined] {
  const [room, setRoom] = useState<Room>();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const { current } = place;
    const watching = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = current;
      setRoom({ width, height, unit: Number.parseFloat(getComputedStyle(current).fontSize) });
    });
    watching.observe(current);
    return () => watching.disconnect();
  }, []);
  return [place, room];
}

const drawing = document.createElement('canvas').getContext('2d');
const known = new Map<string, number>();

/** How wide a text is, in ems. */
function widthOf(text: string, weight = 400): number {
  const font = `${weight} 100px ${getComputedStyle(document.body).fontFamily}`;
  const key = `${font} ${text}`;
  const found = known.get(key);
  if (found !== undefined || !drawing) return found ?? text.length * 0.6;
  drawing.font = font;
  const width = drawing.measureText(text).width / 100;
  known.set(key, width);
  return width;
}

/** The persons of a team that has no name of its own stand in it: none of them is broken. */
function unbroken(seat: { name?: string | null; number?: number | null }): string {
  const persons = seatName(seat).split(' / ');
  return persons.length > 1 ? persons.map((one) => one.replaceAll(' ', '\u00a0')).join('\u00a0/ ') : seatName(seat);
}

function wordsOf(text: string, weight?: number): number[] {
  return text.split(' ').map((word) => widthOf(word, weight));
}

function columnsOf({ width, unit }: Room): number {
  return width < unit * NARROW ? 1 : COLUMNS;
}

function span(sitting: Sitting[]): string {
  const initial = (one: Sitting | undefined) => (one ? seatName(one.seat).slice(0, 1).toUpperCase() : '');
  return `${initial(sitting[0])}–${initial(sitting.at(-1))}`;
}

function byName(round: RoundOfGames, sitting: Sitting[], room: Room, texts: Texts): Sheet[] {
  const title = texts.hall.byName;
  const lines = sitting.map((one) => ({
    ...one,
    words: wordsOf(unbroken(one.seat)),
    end: Math.max(widthOf(texts.rounds.table) * 0.6, one.table ? widthOf(one.table, 700) * 1.25 : widthOf(one.without ?? '') * 0.7),
  }));
  const { pages, columns, font } = laidOut(lines, room, columnsOf(room), namesFit, FAR);
  return pages.map((page, index) => ({
    key: `names ${round.stage} ${round.round} ${index}`,
    title: pages.length > 1 ? `${title} ${span(page)}` : title,
    font,
    longer: true,
    content: (
      <div class={`hall-columns columns-${columns}`}>
        {inParts(page, Math.ceil(page.length / columns)).map((column) => (
          <div key={column[0]?.seat.entrant}>
            <p class="hall-over" aria-hidden="true">
              {texts.rounds.table}
            </p>
            <ol class="hall-names">
              {column.map(({ seat, table, without }) => (
                <li key={seat.entrant}>
                  <span>{unbroken(seat)}</span>
                  {table && <span class="visually-hidden">{texts.rounds.table}</span>}
                  {table ? <strong>{table}</strong> : <small>{without}</small>}
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    ),
  }));
}

function tableAlone(round: RoundOfGames, wanted: string, { unit }: Room, texts: Texts): Sheet {
  const games = round.items.filter(({ label, table }) => (label ?? String(table)).toLowerCase() === wanted.toLowerCase());
  return {
    key: `table ${round.stage} ${round.round}`,
    title: texts.rounds.byTable,
    font: unit * 1.15,
    content: (
      <div class="hall-tables columns-3">
        <Pairs tournament={round.tournament} games={games} />
      </div>
    ),
  };
}

function byTable(round: RoundOfGames, room: Room, { texts, number }: Speech): Sheet[] {
  const cards = round.items.map((game) => ({
    game,
    noted: remark(texts, game) !== '',
    seats: game.seats.map((seat, index) => ({
      words: wordsOf(seatName(seat), 700),
      end: Math.max(
        widthOf(number(shownScores(game)[index] ?? 100), 700) + 1.6, // also until it is there: pages stay as they are while results come in
        game.first === seat.entrant ? widthOf(texts.rounds.begins) * 0.6 + 1.2 : 0,
      ),
      home: Boolean(seat.home),
    })),
  }));
  const { pages, columns, font } = laidOut(cards, room, columnsOf(room), cardsFit);
  return pages.map((page, index) => ({
    key: `tables ${round.stage} ${round.round} ${index}`,
    title: texts.rounds.byTable,
    font,
    content: (
      <div class={`hall-tables columns-${columns}`}>
        <Pairs tournament={round.tournament} games={page.map(({ game }) => game)} />
      </div>
    ),
  }));
}

type Placed = Pick<Row, 'entrant' | 'name' | 'place' | 'values'> & { group?: string | null };
type Standings = { columns: Column[]; standings: Placed[] };
type Heads = 'title' | 'short';

/** With whole heads where that costs next to nothing. Groups stand beside each other, each below its name, and none is cut where it fits. */
function standingsOf(table: Standings, room: Room, speech: Speech, title: string): Sheet[] {
  const groups = byGroups(table.standings);
  const whole = groups.length > 1 ? undefined : standingsAs('title', table, groups, room, speech, title);
  const short = standingsAs('short', table, groups, room, speech, title);
  const isAsGood = whole && whole.length <= short.length && (whole[0]?.font ?? 0) >= 0.9 * (short[0]?.font ?? 0);
  return isAsGood ? whole : short;
}

const PADDING = 0.9; // of a cell, both sides of it
const OF_NAME = 6; // what a name needs, for which figures of less weight are left out on a phone
const MOST_COLUMNS = 5;
const BESIDE = 3; // where groups stand beside each other

function standingsAs(heads: Heads, table: Standings, groups: [string, Placed[]][], room: Room, speech: Speech, title: string): Sheet[] {
  const { texts } = speech;
  const places = spans(table.standings);
  const grouped = groups.length > 1;
  const some = told(table.columns)
    .filter(({ key }) => table.standings.some(({ values }) => key in values))
    .slice(0, grouped ? BESIDE : MOST_COLUMNS);
  const widest = (said: string[], weight?: number) => Math.max(0, ...said.map((one) => widthOf(one, weight)));
  const ofColumn = (column: Column) =>
    Math.max(
      widthOf(criterion(texts, column)[heads], 600) * 0.8,
      widest(table.standings.map(({ values }) => figure(speech, values[column.key] as number | undefined)), 700),
    ) + PADDING;
  const place = Math.max(widthOf(texts.table.place, 600) * 0.8, widest(table.standings.map((row) => placeSaid(spanOf(places, row)))));
  const endWith = (all: Column[]) => place + 2 * PADDING + all.reduce((sum, column) => sum + ofColumn(column), 0);
  const columns = some.filter((_, index) => index === 0 || endWith(some.slice(0, index + 1)) + OF_NAME <= wide(room));
  const end = endWith(columns);
  const linesOf = (rows: Placed[]) => rows.map((row) => ({ row, words: wordsOf(unbroken(row), 600), end }));
  const key = `standings ${title}`;
  const draw = (rows: Placed[], name: string) => <HallTable key={name} columns={columns} rows={rows} places={places} heads={heads} title={name || title} />;
  if (!grouped) {
    const fits = (page: Line[], many: number, width: number, height: number) => many === 1 && blocksFit([{ titled: false, rows: page }], 1, width, height);
    const { pages, font } = laidOut(linesOf(table.standings), room, 1, fits);
    return pages.map((page, index) => ({ key: `${key} ${index}`, title, font, content: draw(page.map(({ row }) => row), '') }));
  }
  const blocks = groups.flatMap(([group, rows]) => {
    const { pages } = laidOut(linesOf(rows), room, 1, (page, _, width, height) => blocksFit([{ titled: true, rows: page }], 1, width, height));
    return pages.map((page) => ({ titled: true, name: texts.rounds.group(group), rows: page }));
  });
  const { pages, columns: many, font } = laidOut(blocks, room, columnsOf(room), blocksFit);
  return pages.map((page, index) => ({
    key: `${key} ${index}`,
    title,
    font,
    content: (
      <div class={`hall-columns columns-${many}`}>
        {page.map(({ name, rows }) => (
          <section key={`${name} ${rows[0]?.row.entrant}`}>
            <h2>{name}</h2>
            {draw(rows.map(({ row }) => row), name)}
          </section>
        ))}
      </div>
    ),
  }));
}

/** Who has won, once that is final, and then everybody in order. */
function endOf(ranking: FinalRanking, tournament: string, room: Room, speech: Speech): Sheet[] {
  const title = rankingName(speech.texts, ranking.completed);
  const podium: Sheet = { key: 'podium', title, font: room.unit * 1.6, content: <Podium tournament={tournament} ranking={ranking} /> };
  const { columns, standings } = ranking;
  const alone = {
    columns: columns.filter(({ key }) => key in (standings[0]?.values ?? {})), // others tell apart who has met nobody else any more
    standings: inOneOrder(standings),
  };
  return [...(ranking.completed ? [podium] : []), ...standingsOf(alone, room, speech, title)];
}

function spanOf(places: Map<string, Span>, { entrant, place }: Placed): Span {
  return places.get(entrant) ?? { from: place, to: place };
}

function HallTable({ columns, rows, places, heads, title }: { columns: Column[]; rows: Placed[]; places: Map<string, Span>; heads: Heads; title: string }) {
  const speech = useSpeech();
  const { texts } = speech;
  return (
    <table class="hall-table">
      <caption class="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.table.place}</th>
          <th scope="col">{texts.table.name}</th>
          {columns.map((column) => (
            <th scope="col" key={column.key}>
              {criterion(texts, column)[heads]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.entrant}>
            <td>{placeSaid(spanOf(places, row))}</td>
            <th scope="row">{unbroken(row)}</th>
            {columns.map(({ key }) => (
              <td key={key}>{figure(speech, row.values[key] as number | undefined)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
