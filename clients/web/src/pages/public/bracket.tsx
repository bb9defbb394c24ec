/** Groups, and matches that knock out, drawn: of those each column is a round, and a line leads from a match to where its winner went on. */

import { addresses } from '../../addresses.ts';
import { useGames, useLists, useProgression, useTable } from '../../api/public.ts';
import { hasBracket, opened } from '../../api/stages.ts';
import { PrintButton, Section, Shown } from '../../parts/basics.tsx';
import { bracketName, listName, seatName, stageName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';
import { Drawing, Name } from './drawing.tsx';
import type { OfTournament } from './given.ts';
import { Groups } from './groups.tsx';
import { feeds, matchesOf, matchName, placed, rowFor, TOP, WIDTH, type Match } from './matches.ts';

export default function BracketPage({ tournament, about, stages }: OfTournament) {
  const { texts } = useSpeech();
  const games = useGames(tournament);
  const lists = useLists(about?.ruleset);
  const groups = opened(stages).filter(({ system }) => system === 'groups');
  const knockout = opened(stages).filter(({ system }) => system === 'knockout');
  const first = useTable(tournament, groups[0]?.stage); // with the games, so that nothing moves
  const ids = knockout.map(({ stage }) => stage);
  if (stages && !hasBracket(stages)) return <p class="empty">{opened(stages).length ? texts.tournament.noBracket : texts.rounds.none}</p>;
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
  const row = rowFor(matches.flatMap(({ sides }) => sides.map(({ seat }) => seatName(seat))));
  const boxes = placed(matches, row);
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
            {box.sides.map(({ seat, score, won }, side) => (
              <a key={seat.entrant} href={addresses.entrant(tournament, seat.entrant, box.stage)}>
                <Name name={seatName(seat)} looks={won ? 'won' : score === undefined ? '' : 'lost'} x={10} y={side * row + BASE} />
                <text class={won ? 'won' : 'lost'} x={WIDTH - 10} y={side * row + BASE} text-anchor="end">
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

const BASE = 18; // of the letters of a line

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
