/** Groups, and matches that knock out, drawn: of those each column is a round, and a line leads from a match to where its winner went on. */

import type { ComponentChildren } from 'preact';

import { addresses } from '../../addresses.ts';
import { useGames, useLists, useProgression, useTable, type GameListed } from '../../api/public.ts';
import { hasBracket, opened } from '../../api/stages.ts';
import { PrintButton, Section, Shown } from '../../parts/basics.tsx';
import { bracketName, listName, seatName, stageName, type Seat } from '../../parts/names.ts';
import { useSpeech, type Texts } from '../../texts/index.ts';
import { Groups } from './groups.tsx';
import type { OfTournament } from './tournament.tsx';

type Side = { seat: Seat; score: number | undefined; won: boolean };
type Match = { key: string; stage: string; name: string; sides: Side[]; column: number };

const WIDTH = 272;
const LONGEST = 25; // letters of a name, when it has won and is bold
export const LINE = 26;
const BETWEEN = 56; // columns
const APART = 30; // matches of a column
const TOP = 36;

export default function BracketPage({ tournament, about, stages }: OfTournament) {
  const { texts } = useSpeech();
  const games = useGames(tournament);
  const lists = useLists(about?.ruleset);
  const groups = opened(stages).filter(({ system }) => system === 'groups');
  const knockout = opened(stages).filter(({ system }) => system === 'knockout');
  const first = useTable(tournament, groups[0]?.stage); // with the games, so that nothing moves
  const ids = knockout.map(({ stage }) => stage);
  if (stages && !hasBracket(stages)) return <p class="empty">{texts.rounds.none}</p>;
  return (
    <div class="stack">
      <div class="section-head">
        <h2>{bracketName(texts, stages)}</h2>
        <div class="end">
          <PrintButton />
        </div>
      </div>
      <Shown asked={groups.length && !first.answer ? { answer: undefined, problem: first.problem } : games} rows={20}>
        {(answer) => {
          const own = answer.filter((game) => ids.includes(game.stage));
          const titles = new Map(knockout.map((one) => [one.stage, stageName(texts, one)]));
          const listOf = (stage: string) => lists.find(({ id }) => stage.endsWith(`-${id}`));
          const drawn = groups.map((stage) => <Groups key={stage.stage} tournament={tournament} stage={stage} games={answer} titled={knockout.length + groups.length > 1} />);
          const brackets = [undefined, ...lists].map((list) => {
            const matches = matchesOf(own.filter((game) => listOf(game.stage) === list), ids);
            const title = list ? listName(texts, list) : texts.tournament.bracket;
            return matches.length ? (
              <div class="stack" key={list?.id}>
                {(list ?? groups.length > 0) && <h3>{title}</h3>}
                <Drawn tournament={tournament} matches={matches} titles={titles} title={title} />
              </div>
            ) : null;
          });
          return [...drawn, ...brackets, <Onward key="onward" tournament={tournament} />];
        }}
      </Shown>
    </div>
  );
}

/** Games of one match together, in the columns in which they are played. */
export function matchesOf(games: GameListed[], stages: string[]): Match[] {
  const byMatch = new Map<string, GameListed[]>();
  for (const game of games) {
    const key = `${game.stage} ${game.match ?? `${game.round}/${game.table}`}`;
    byMatch.set(key, [...(byMatch.get(key) ?? []), game]);
  }
  const steps = [...byMatch].map(([key, played]) => ({ key, played, step: stepOf(played[0], stages) }));
  const columns = [...new Set(steps.map(({ step }) => step))].sort((one, other) => one - other);
  return steps.map(({ key, played, step }) => ({
    key,
    stage: played[0]?.stage ?? '',
    name: played[0]?.match ?? '',
    sides: sidesOf(played),
    column: columns.indexOf(step),
  }));
}

function stepOf(game: GameListed | undefined, stages: string[]): number {
  return game ? stages.indexOf(game.stage) * 1000 + game.round : 0;
}

function sidesOf(played: GameListed[]): Side[] {
  const counted = played.filter(({ result }) => result);
  const wins = new Map<string, number>();
  for (const { seats, result } of counted) {
    const winner = typeof result?.winner === 'number' ? seats[result.winner] : undefined;
    if (winner) wins.set(winner.entrant, (wins.get(winner.entrant) ?? 0) + 1);
  }
  const best = Math.max(0, ...wins.values());
  return (played[0]?.seats ?? []).map((seat) => {
    const single = counted.length === 1 ? counted[0] : undefined;
    const at = single?.seats.findIndex(({ entrant }) => entrant === seat.entrant) ?? -1;
    const scores = (single?.result?.scores.length ? single.result.scores : single?.result?.points) as number[] | undefined;
    return {
      seat,
      score: single ? scores?.[at] : counted.length ? (wins.get(seat.entrant) ?? 0) : undefined,
      won: best > 0 && wins.get(seat.entrant) === best && [...wins.values()].filter((one) => one === best).length === 1,
    };
  });
}

type Box = Match & { x: number; y: number; height: number };

function placed(matches: Match[]): Box[] {
  const boxes: Box[] = [];
  const columns = Math.max(-1, ...matches.map(({ column }) => column)) + 1;
  for (let column = 0; column < columns; column++) {
    let free = TOP;
    const own = matches.filter((one) => one.column === column);
    const fed = (match: Match) => matches.some((one) => feeds(one, match, matches));
    for (const match of [...own.filter(fed), ...own.filter((one) => !fed(one))]) {
      const height = match.sides.length * LINE;
      const from = boxes.filter((box) => box.column < column && feeds(box, match, matches));
      const middle = from.length ? from.reduce((sum, box) => sum + box.y + box.height / 2, 0) / from.length : free;
      const y = Math.max(free, from.length ? middle - height / 2 : free);
      boxes.push({ ...match, x: column * (WIDTH + BETWEEN), y, height });
      free = y + height + APART;
    }
  }
  return boxes;
}

/** The winner of the one has the other as the next match. */
function feeds(one: Match, other: Match, all: Match[]): boolean {
  const winner = one.sides.find(({ won }) => won)?.seat.entrant;
  const next = all
    .filter((match) => match.column > one.column && match.sides.some(({ seat }) => seat.entrant === winner))
    .sort((a, b) => a.column - b.column)[0];
  return winner !== undefined && next?.key === other.key;
}

function Drawn({
  tournament,
  matches,
  titles,
  title,
}: {
  tournament: string;
  matches: Match[];
  titles: Map<string, string>;
  title: string;
}) {
  const speech = useSpeech();
  const boxes = placed(matches);
  const width = Math.max(WIDTH, ...boxes.map((box) => box.x + WIDTH)) + 2;
  const height = Math.max(TOP, ...boxes.map((box) => box.y + box.height)) + 4;
  return (
    <Drawing title={title} width={width} height={height}>
      <>
        {boxes.flatMap((box) =>
          boxes
            .filter((other) => feeds(box, other, matches))
            .map((other) => {
              const [x, y] = [box.x + WIDTH, box.y + box.height / 2];
              const half = (x + other.x) / 2;
              return <path key={`${box.key} ${other.key}`} d={`M${x} ${y}H${half}V${other.y + other.height / 2}H${other.x}`} />;
            }),
        )}
        {boxes.map((box) => (
          <g key={box.key} transform={`translate(${box.x} ${box.y})`}>
            <text class="caption" y={-7}>
              {[titles.get(box.stage), matchName(speech.texts, box.name)].filter(Boolean).join(' · ')}
            </text>
            <rect width={WIDTH} height={box.height} rx={6} />
            {box.sides.map(({ seat, score, won }, row) => (
              <a key={seat.entrant} href={addresses.entrant(tournament, seat.entrant, box.stage)}>
                <text class={won ? 'won' : score === undefined ? '' : 'lost'} x={10} y={row * LINE + 18}>
                  {short(seatName(seat))}
                </text>
                <text class={won ? 'won' : 'lost'} x={WIDTH - 10} y={row * LINE + 18} text-anchor="end">
                  {score === undefined ? '' : speech.number(score)}
                </text>
              </a>
            ))}
          </g>
        ))}
      </>
    </Drawing>
  );
}

/** As large as it is: on a phone it is pushed aside. */
export function Drawing({ title, width, height, children }: { title: string; width: number; height: number; children: ComponentChildren }) {
  return (
    <div class="sheet" role="group" aria-label={title} tabIndex={0}>
      <svg class="bracket" width={width + 32} height={height + 32} viewBox={`-16 -16 ${width + 32} ${height + 32}`}>
        <title>{title}</title>
        {children}
      </svg>
    </div>
  );
}

/** `SF2` is the second semifinal; what a ruleset calls in its own way stays as it is. */
export function matchName(texts: Texts, match: string): string {
  const [, kind = '', number = ''] = /^([A-Za-z]+)(\d*)$/.exec(match) ?? [];
  const name = texts.matches[kind];
  return name ? `${name} ${number}`.trim() : match;
}

export function short(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

function Onward({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const { answer } = useProgression(tournament);
  const ahead = (answer?.stages ?? []).filter(({ status, entrants }) => status !== 'opened' && entrants.length);
  if (!ahead.length) return null;
  return (
    <Section title={texts.ranking.onward}>
      {ahead.map((one) => (
        <div key={one.stage}>
          <h3>{stageName(texts, one)}</h3>
          <ul>
            {one.entrants.map((each) => (
              <li key={each.entrant}>{seatName(each)}</li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}
