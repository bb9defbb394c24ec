/** Groups, drawn: who is in each, what they played against each other, and where those go who go on. */

import { addresses } from '../../addresses.ts';
import { useProgression, useTable, type GameListed, type Progression, type Row, type StageListed } from '../../api/public.ts';
import { Shown } from '../../parts/basics.tsx';
import { criterion, figure, seatName, stageName } from '../../parts/names.ts';
import { shownScores } from '../../parts/pairs.tsx';
import { placeSaid, spans } from '../../parts/table.tsx';
import { useSpeech } from '../../texts/index.ts';
import { Drawing, Name } from './drawing.tsx';
import { LINE, matchName, rowFor } from './matches.ts';

const NAME = 236; // with the place before it
const BESIDE = 30; // the place
const GAME = 52;
const POINTS = 44; // beside the name, where a phone shows them too
const ONWARD = 230;
const APART = 44; // groups below each other
const TOP = 22;

export function Groups({
  tournament,
  stage,
  games,
  titled,
}: {
  tournament: string;
  stage: StageListed;
  games: GameListed[];
  titled: boolean;
}) {
  const { texts } = useSpeech();
  const table = useTable(tournament, stage.stage);
  const { answer: progression } = useProgression(tournament);
  return (
    <Shown asked={table} rows={6}>
      {({ standings, columns }) => {
        const points = columns.find(({ key }) => key === 'points');
        const places = spans(standings);
        const names = [...new Set(standings.map(({ group }) => group ?? ''))].sort();
        const groups = names.map((name) => standings.filter(({ group }) => (group ?? '') === name));
        const height = rowFor(standings.map((row) => named(row, places)));
        const most = Math.max(0, ...groups.map((rows) => rows.length));
        let y = TOP;
        const boxes = groups.map((rows, index) => {
          const box = { name: names[index] ?? '', rows, y };
          y += LINE + rows.length * height + APART;
          return box;
        });
        const title = stageName(texts, stage);
        return (
          <div class="stack">
            {titled && <h3>{title}</h3>}
            <Drawing title={title} width={NAME + most * GAME + POINTS + ONWARD} height={y - APART}>
              {boxes.map((box) => (
                <Group key={box.name} {...box} height={height} places={places} tournament={tournament} stage={stage.stage} games={games} progression={progression} points={points && criterion(texts, points).short} />
              ))}
            </Drawing>
          </div>
        );
      }}
    </Shown>
  );
}

type Places = ReturnType<typeof spans>;
type Box = { tournament: string; stage: string; name: string; rows: Row[]; y: number; height: number; places: Places; games: GameListed[]; progression: Progression | undefined; points: string | undefined };

function Group({ tournament, stage, name, rows, y, height, places, games, progression, points }: Box) {
  const speech = useSpeech();
  const { texts } = speech;
  const width = NAME + rows.length * GAME + POINTS;
  const left = (column: number) => NAME + POINTS + column * GAME;
  const middle = (column: number) => left(column) + GAME / 2;
  return (
    <g transform={`translate(0 ${y})`}>
      <rect width={width} height={LINE + rows.length * height} rx={6} />
      <text class="name" x={10} y={18}>
        {name ? texts.rounds.group(name) : ''}
      </text>
      {rows.map((row, column) => (
        <text key={row.entrant} class="caption" x={middle(column)} y={17} text-anchor="middle">
          {column + 1}
        </text>
      ))}
      <text class="caption" x={NAME + POINTS - 12} y={17} text-anchor="end">
        {points}
      </text>
      {rows.map((row, index) => {
        const top = LINE + index * height;
        const next = onward(row.entrant, stage, games, progression);
        return (
          <g key={row.entrant} transform={`translate(0 ${top})`}>
            <path class="rule" d={`M0 0H${width}`} />
            <a href={addresses.entrant(tournament, row.entrant, stage)}>
              <text class={next ? 'won' : ''} x={10} y={18}>
                {index + 1}
              </text>
              <Name name={named(row, places)} looks={next ? 'won' : ''} x={BESIDE} y={18} />
            </a>
            {rows.map((other, column) =>
              other === row ? (
                <rect key={other.entrant} class="own" x={left(column)} width={GAME} height={height} />
              ) : (
                <Met key={other.entrant} tournament={tournament} game={meeting(games, stage, row, other)} row={row} x={middle(column)} />
              ),
            )}
            <text class="won" x={NAME + POINTS - 12} y={18} text-anchor="end">
              {figure(speech, row.values.points as number | undefined)}
            </text>
            {next && (
              <>
                <path class={next.sure ? '' : 'open'} d={`M${width} ${LINE / 2}h22`} />
                <path d={`M${width + 18} ${LINE / 2 - 4}l5 4l-5 4`} />
                <text class="caption" x={width + 30} y={17}>
                  {[stageName(texts, next.stage), matchName(texts, next.match)].filter(Boolean).join(' · ')}
                </text>
              </>
            )}
          </g>
        );
      })}
    </g>
  );
}

function Met({ tournament, game, row, x }: { tournament: string; game: GameListed | undefined; row: Row; x: number }) {
  const { number } = useSpeech();
  if (!game?.result) return null;
  const own = game.seats.findIndex(({ entrant }) => entrant === row.entrant);
  const scores = shownScores(game);
  const said = [scores[own], scores[1 - own]].map((one) => number(one ?? 0)).join(':');
  return (
    <a href={addresses.game(tournament, game.id)}>
      <text class={game.result.winner === own ? 'won' : 'lost'} x={x} y={18} text-anchor="middle">
        {said}
      </text>
    </a>
  );
}

function meeting(games: GameListed[], stage: string, one: Row, other: Row): GameListed | undefined {
  return games.find(
    ({ stage: played, seats }) =>
      played === stage && [one, other].every(({ entrant }) => seats.some((seat) => seat.entrant === entrant)),
  );
}

/** With a place that is shared. */
function named(row: Row, places: Places): string {
  const shared = row.shared && ` (${placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place })})`;
  return `${seatName(row)}${shared || ''}`;
}

/** The stage to which somebody goes on, as the table stands, and the first match there once it is known. */
function onward(entrant: string, from: string, games: GameListed[], progression: Progression | undefined) {
  const stage = progression?.stages.find((one) => one.stage !== from && one.entrants.some((each) => each.entrant === entrant));
  if (!stage) return undefined;
  const first = games.find((game) => game.stage === stage.stage && game.seats.some((seat) => seat.entrant === entrant));
  return { stage, match: first?.match ?? '', sure: stage.obstacle === null };
}
