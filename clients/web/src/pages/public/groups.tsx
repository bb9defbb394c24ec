/** Groups, drawn: who is in each, what they played against each other, and where those go who go on. */

import { addresses } from '../../addresses.ts';
import { useProgression, useTable, type GameListed, type Progression, type Row, type StageListed } from '../../api/public.ts';
import { Shown } from '../../parts/basics.tsx';
import { criterion, figure, seatName, stageName } from '../../parts/names.ts';
import { shownScores } from '../../parts/pairs.tsx';
import { placeSaid, spans } from '../../parts/table.tsx';
import { useSpeech } from '../../texts/index.ts';
import { Drawing, LINE, matchName, short } from './bracket.tsx';

const NAME = 236; // with the place before it
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
        const names = [...new Set(standings.map(({ group }) => group ?? ''))].sort();
        const groups = names.map((name) => standings.filter(({ group }) => (group ?? '') === name));
        const most = Math.max(0, ...groups.map((rows) => rows.length));
        let y = TOP;
        const boxes = groups.map((rows, index) => {
          const box = { name: names[index] ?? '', rows, y };
          y += (rows.length + 1) * LINE + APART;
          return box;
        });
        const title = stageName(texts, stage);
        return (
          <div class="stack">
            {titled && <h3>{title}</h3>}
            <Drawing title={title} width={NAME + most * GAME + POINTS + ONWARD} height={y - APART}>
              {boxes.map((box) => (
                <Group key={box.name} {...box} tournament={tournament} stage={stage.stage} games={games} progression={progression} points={points && criterion(texts, points).short} />
              ))}
            </Drawing>
          </div>
        );
      }}
    </Shown>
  );
}

type Box = { tournament: string; stage: string; name: string; rows: Row[]; y: number; games: GameListed[]; progression: Progression | undefined; points: string | undefined };

function Group({ tournament, stage, name, rows, y, games, progression, points }: Box) {
  const speech = useSpeech();
  const { texts } = speech;
  const places = spans(rows);
  const width = NAME + rows.length * GAME + POINTS;
  const left = (column: number) => NAME + POINTS + column * GAME;
  const middle = (column: number) => left(column) + GAME / 2;
  return (
    <g transform={`translate(0 ${y})`}>
      <rect width={width} height={(rows.length + 1) * LINE} rx={6} />
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
        const top = (index + 1) * LINE;
        const next = onward(row.entrant, stage, games, progression);
        return (
          <g key={row.entrant} transform={`translate(0 ${top})`}>
            <path class="rule" d={`M0 0H${width}`} />
            <a href={addresses.entrant(tournament, row.entrant, stage)}>
              <text class={next ? 'won' : ''} x={10} y={18}>
                {`${index + 1}  ${short(seatName(row))}${row.shared ? ` (${placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place })})` : ''}`}
              </text>
            </a>
            {rows.map((other, column) =>
              other === row ? (
                <rect key={other.entrant} class="own" x={left(column)} width={GAME} height={LINE} />
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

/** The stage to which somebody goes on, as the table stands, and the first match there once it is known. */
function onward(entrant: string, from: string, games: GameListed[], progression: Progression | undefined) {
  const stage = progression?.stages.find((one) => one.stage !== from && one.entrants.some((each) => each.entrant === entrant));
  if (!stage) return undefined;
  const first = games.find((game) => game.stage === stage.stage && game.seats.some((seat) => seat.entrant === entrant));
  return { stage, match: first?.match ?? '', sure: stage.obstacle === null };
}
