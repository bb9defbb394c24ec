/** The place and points of an entrant after each round, as a drawing and as a table beside it. */

import { useId, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useTables, type Row, type Table } from '../../api/public.ts';
import { published, stageOf } from '../../api/stages.ts';
import { PrintButton, Shown } from '../../parts/basics.tsx';
import { figure, seatName, stageName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { StageSteps } from './stages.tsx';
import { Choice } from './table.tsx';

type Stand = { round: number; row: Row };

export default function ProgressionPage({
  tournament,
  stages,
  entrant,
  stage: wanted,
}: OfTournament & { entrant: string; stage: string | undefined }) {
  const speech = useSpeech();
  const { texts } = speech;
  const stage = stageOf(stages, wanted);
  const rounds = published(stage).map(({ round }) => round);
  const tables = useTables(tournament, stage?.stage, rounds);
  const [compared, compare] = useState('');
  if (!stage) return stages ? <p class="empty">{texts.table.none}</p> : null;
  return (
    <div class="stack">
      <StageSteps stages={stages} stage={stage.stage} address={(one) => addresses.progression(tournament, entrant, one.stage)} />
      <Shown asked={tables} rows={8}>
        {(answer) => {
          const own = standsOf(answer, entrant);
          const everybody = answer.at(-1)?.standings ?? [];
          const name = seatName(own.at(-1)?.row ?? {});
          const others = everybody.filter((row) => row.entrant !== entrant);
          const other = compared ? standsOf(answer, compared) : [];
          const most = Math.max(2, ...answer.map(({ standings }) => Math.max(0, ...standings.map(({ place }) => place))));
          return (
            <>
              <div class="section-head">
                <h2>
                  <a href={addresses.entrant(tournament, entrant, stage.stage)}>{name}</a>
                  <span class="soft">
                    {' '}
                    · {stageName(texts, stage)}, {texts.progression.title.toLowerCase()}
                  </span>
                </h2>
                <div class="end row no-print">
                  <Choice
                    label={texts.progression.against}
                    value={compared}
                    choose={compare}
                    options={[
                      ['', `${texts.progression.against}: ${texts.progression.nobody}`],
                      ...others.map((row): [string, string] => [row.entrant, seatName(row)]),
                    ]}
                  />
                  <PrintButton />
                </div>
              </div>
              {own.length < 2 ? (
                <p class="empty">{texts.progression.few}</p>
              ) : (
                <div class="columns">
                  <Drawn own={own} other={other} most={most} title={texts.progression.drawn(name)} />
                  <Numbers own={own} other={other} name={name} />
                </div>
              )}
            </>
          );
        }}
      </Shown>
    </div>
  );
}

function standsOf(tables: Table[], entrant: string): Stand[] {
  return tables.flatMap((table) => {
    const row = table.standings.find((one) => one.entrant === entrant);
    return row ? [{ round: table.round, row }] : [];
  });
}

const points = ({ row }: Stand) => (row.values.points ?? 0) as number;

const WIDTH = 400;
const HEIGHT = 260;
const LEFT = 32;
const RIGHT = 12;
const TOP = 20;
const BOTTOM = 36;

/** The line is the place, the first on top; bars are points. */
function Drawn({ own, other, most, title }: { own: Stand[]; other: Stand[]; most: number; title: string }) {
  const { texts, number } = useSpeech();
  const id = useId();
  const last = own.at(-1)?.round ?? 1;
  const first = own[0]?.round ?? 1;
  const inner = WIDTH - LEFT - RIGHT;
  const x = (round: number) => LEFT + ((round - first + 0.5) / (last - first + 1)) * inner;
  const y = (place: number) => TOP + ((place - 1) / (most - 1)) * (HEIGHT - TOP - BOTTOM);
  const highest = Math.max(1, ...[...own, ...other].map(points));
  const tall = (value: number) => (Math.max(0, value) / highest) * (HEIGHT - TOP - BOTTOM) * 0.9;
  const wide = Math.min(28, (inner / (last - first + 1)) * 0.4);
  const path = (stands: Stand[]) => stands.map((one, index) => `${index ? 'L' : 'M'}${x(one.round)} ${y(one.row.place)}`).join('');
  const ticks = [...new Set([1, Math.round((most + 1) / 2), most])];
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{title}</title>
        {ticks.map((place) => (
          <g key={place}>
            <path class="grid" d={`M${LEFT} ${y(place)}H${WIDTH - RIGHT}`} />
            <text class="tick" x={LEFT - 8} y={y(place)} text-anchor="end" dominant-baseline="central">
              {place}.
            </text>
          </g>
        ))}
        {own.map((one) => (
          <g key={one.round}>
            <rect class="bar" x={x(one.round) - wide / 2} y={HEIGHT - BOTTOM - tall(points(one))} width={wide} height={tall(points(one))} />
            <text class="tick" x={x(one.round)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
              {one.round}
            </text>
          </g>
        ))}
        {other.length > 1 && <path class="line other" d={path(other)} />}
        <path class="line" d={path(own)} />
        {own.map((one) => (
          <g key={one.round} transform={`translate(${x(one.round)} ${y(one.row.place)})`}>
            <circle class="dot" r={5} />
            <text class="label" y={y(one.row.place) < TOP + 24 ? 20 : -11} text-anchor="middle">
              {number(one.row.place)}.
            </text>
          </g>
        ))}
      </svg>
      <figcaption class="soft small row">
        <span class="key">{texts.progression.place}</span>
        <span class="key bar-key">{texts.progression.points}</span>
        {other.length > 0 && <span class="key other-key">{seatName(other.at(-1)?.row ?? {})}</span>}
      </figcaption>
    </figure>
  );
}

function Numbers({ own, other, name }: { own: Stand[]; other: Stand[]; name: string }) {
  const speech = useSpeech();
  const { texts } = speech;
  const beside = new Map(other.map((one) => [one.round, one]));
  return (
    <div class="sheet" role="group" aria-label={texts.progression.title} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{texts.progression.drawn(name)}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.progression.round}</th>
            <th scope="col">{texts.progression.place}</th>
            <th scope="col">{texts.progression.points}</th>
            {other.length > 0 && <th scope="col">{seatName(other.at(-1)?.row ?? {})}</th>}
          </tr>
        </thead>
        <tbody>
          {own.map((one) => {
            const against = beside.get(one.round);
            return (
              <tr key={one.round}>
                <th scope="row">{one.round}</th>
                <td class="main">{one.row.place}.</td>
                <td>{figure(speech, points(one))}</td>
                {other.length > 0 && <td>{against ? `${against.row.place}. (${figure(speech, points(against))})` : ''}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
