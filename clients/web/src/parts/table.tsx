/** A table of places, wherever one is shown. */

import { addresses } from '../addresses.ts';
import type { Column, Row } from '../api/public.ts';
import { useSpeech } from '../texts/index.ts';
import { useFade } from './basics.tsx';
import { criterion, figure, seatName } from './names.ts';

type Placed = Pick<Row, 'place' | 'shared' | 'entrant' | 'name' | 'values' | 'separated_by'> & {
  home?: string | null;
  beside?: Row['beside'];
  group?: string | null;
};

type Standing = { entrant: string; place: number; group?: string | null };
export type Span = { from: number; to: number };

/** Whoever shares places has all of them: two behind the second have 3 and 4. */
export function spans(rows: Standing[]): Map<string, Span> {
  const placeOf = ({ group, place }: Standing) => `${group ?? ''} ${place}`;
  const sharing = new Map<string, number>();
  for (const row of rows) sharing.set(placeOf(row), (sharing.get(placeOf(row)) ?? 0) + 1);
  return new Map(rows.map((row) => [row.entrant, { from: row.place, to: row.place + (sharing.get(placeOf(row)) ?? 1) - 1 }]));
}

export function placeSaid({ from, to }: Span): string {
  return to > from ? `${from}.–${to}.` : `${from}.`;
}

/** Each group with its own rows, in the order of their names; all rows together where there are none. */
export function byGroups<Row extends { group?: string | null }>(rows: Row[]): [string, Row[]][] {
  const groups = [...new Set(rows.map(({ group }) => group ?? ''))].sort();
  return groups.map((group) => [group, rows.filter((row) => (row.group ?? '') === group)]);
}

/** The final order of all, whatever groups they came from. */
export function inOneOrder<Row extends { group?: string | null }>(rows: Row[]): (Row & { group: null })[] {
  return rows.map((row) => ({ ...row, group: null }));
}

export function Places({
  tournament,
  stage,
  columns,
  rows,
  title,
  most,
  divideAfter,
  brief = false,
}: {
  tournament: string;
  stage?: string | undefined;
  columns: Column[];
  rows: Placed[];
  title: string;
  /** How many of the rows are shown. */
  most?: number;
  divideAfter?: number | undefined;
  brief?: boolean;
}) {
  const speech = useSpeech();
  const { texts } = speech;
  const places = spans(rows);
  const shown = brief ? filled(columns, rows.slice(0, 1)).slice(0, 2) : filled(columns, rows);
  const goesOn = useFade<HTMLDivElement>();
  return (
    <div class="sheet" role="group" aria-label={title} tabIndex={0} ref={goesOn}>
      <table>
        <caption class="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <PlaceAndName />
            {shown.map((column) => {
              const { title: whole, short } = criterion(texts, column);
              return (
                <th scope="col" key={column.key} aria-label={whole}>
                  <abbr title={whole}>{short}</abbr>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <tr key={row.entrant} class={row.place === divideAfter ? 'divides' : undefined}>
              <td class="place">
                {placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place })}
              </td>
              <th scope="row" class="who sticky">
                <a href={addresses.entrant(tournament, row.entrant, stage)}>
                  {seatName(row)}
                  {row.home && <span class="home">{row.home}</span>}
                </a>
              </th>
              {shown.map((column, index) => (
                <td
                  key={column.key}
                  class={[index === 0 ? 'main' : '', column.decides ? '' : 'beside', index > 0 && row.separated_by === column.key ? 'decided' : '']
                    .filter(Boolean)
                    .join(' ')}
                >
                  {figure(speech, (row.values[column.key] ?? row.beside?.[column.key]) as number | undefined)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Columns in which nobody has anything, such as lots that nobody had to draw, take no place. */
function filled(columns: Column[], rows: Placed[]): Column[] {
  return told(columns).filter(({ key }) => rows.some((row) => key in row.values || (row.beside && key in row.beside)));
}

/** What matches have decided is a place in their drawing, of which a number says nothing. */
export function told(columns: Column[]): Column[] {
  return columns.filter(({ key }) => key !== 'bracket');
}

export function Legend({ columns }: { columns: Column[] }) {
  const { texts } = useSpeech();
  if (!told(columns).length) return null;
  return (
    <details class="legend">
      <summary>{texts.table.whatColumnsSay}</summary>
      <dl>
        {told(columns).map((column) => {
          const { title, short, says } = criterion(texts, column);
          return [
            <dt key={column.key}>
              {short === title ? title : `${short} · ${title}`}
            </dt>,
            <dd key={`${column.key}-says`}>{says}</dd>,
          ];
        })}
      </dl>
      <p class="small soft">{texts.table.decided}</p>
    </details>
  );
}

/** The head of the two columns with which every such table begins. */
export function PlaceAndName() {
  const { texts } = useSpeech();
  return (
    <>
      <th scope="col" class="place" aria-label={texts.table.place}>
        <abbr title={texts.table.place}>#</abbr>
      </th>
      <th scope="col" class="who sticky">
        {texts.table.name}
      </th>
    </>
  );
}
