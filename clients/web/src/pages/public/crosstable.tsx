/**
 * Who has met whom, and how it ended: by rounds, or in a round robin everybody against everybody. Each line has a number, by which the
 * cells of others name it: a place may be shared, a line is not.
 */

import { addresses } from '../../addresses.ts';
import { useCrosstable, type Crosstable, type StageListed } from '../../api/public.ts';
import { stageOf } from '../../api/stages.ts';
import { Files, PrintButton, Shown, useFade } from '../../parts/basics.tsx';
import { figure, seatName, stageName } from '../../parts/names.ts';
import { placeSaid, spans } from '../../parts/table.tsx';
import { WayOnPaper } from '../../parts/qr_link.tsx';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { StageSteps } from './stages.tsx';

type CrosstableRow = Crosstable['rows'][number];
type Cell = CrosstableRow['rounds'][number];

const EVERYBODY = ['round-robin', 'double-round-robin', 'groups'];
const LARGEST = 16; // beyond that a square of everybody against everybody is wider than any screen

/** Of files: the same in every language. */
const NAMES = { csv: 'CSV', trf16: 'TRF-16', trf26: 'TRF-2026', tsh: 'TSH' } as const;
export function CrosstablePage({ tournament, about, stages, stage: wanted }: OfTournament & { stage: string | undefined }) {
  const { texts } = useSpeech();
  const stage = stageOf(stages, wanted);
  const crosstable = useCrosstable(tournament, stage?.stage);
  if (!stage) return stages ? <p class="empty">{texts.table.none}</p> : null;
  return (
    <div class="stack">
      <StageSteps stages={stages} stage={stage.stage} address={(one) => addresses.crosstable(tournament, one.stage)} />
      <div class="section-head">
        <h2>{stageName(texts, stage)}</h2>
        <div class="end row">
          <Files
            of={(['csv', ...(crosstable.answer?.files ?? [])] as const).map((format) => [
              NAMES[format],
              addresses.crosstableFile(tournament, stage.stage, format),
            ])}
          />
          <PrintButton />
        </div>
      </div>
      <Shown asked={crosstable} rows={8}>
        {({ rows }) => {
          const groups = [...new Set(rows.map(({ group }) => group ?? ''))].sort();
          const sheets = groups.map((group) => {
            const own = rows.filter((row) => (row.group ?? '') === group).map((row) => ({ ...row, rounds: row.rounds.filter((cell) => isTold(cell, stage)) }));
            const square = EVERYBODY.includes(stage.system) && own.length <= LARGEST;
            const isOfMany = own.some((row) => row.rounds.some(({ opponents }) => opponents.length > 1)); // whose lines have no room in a cell
            const title = group ? texts.rounds.group(group) : stageName(texts, stage);
            return (
              <div class="stack" key={group}>
                {group && <h3>{title}</h3>}
                <Sheet tournament={tournament} stage={stage.stage} rows={own} title={title} square={square} />
                <p class="soft small">{square || isOfMany ? texts.table.cellsOfAll : texts.table.cellsOfRounds}</p>
              </div>
            );
          });
          return [<WayOnPaper key="way" tournament={tournament} name={about?.name} />, ...sheets];
        }}
      </Shown>
    </div>
  );
}

/** Of whoever has nothing to play any more where matches knock out nobody says that they were not there. */
function isTold({ kind }: Cell, { system }: StageListed): boolean {
  return kind !== 'away' || system !== 'knockout';
}

function Sheet({
  tournament,
  stage,
  rows,
  title,
  square,
}: {
  tournament: string;
  stage: string;
  rows: CrosstableRow[];
  title: string;
  square: boolean;
}) {
  const speech = useSpeech();
  const { texts } = speech;
  const rounds = [...new Set(rows.flatMap((row) => row.rounds.map(({ round }) => round)))].sort((one, other) => one - other);
  const lines = new Map(rows.map((row, index) => [row.entrant, index + 1]));
  const places = rows.some(({ shared }) => shared) ? spans(rows) : undefined; // otherwise the line is the place
  const goesOn = useFade<HTMLDivElement>();
  return (
    <div class="sheet crosstable" role="group" aria-label={`${texts.tournament.crosstable}: ${title}`} tabIndex={0} ref={goesOn}>
      <table>
        <caption class="visually-hidden">{`${texts.tournament.crosstable}: ${title}`}</caption>
        <thead>
          <tr>
            <th scope="col" class="place" aria-label={texts.table.line}>
              <abbr title={texts.table.line}>#</abbr>
            </th>
            <th scope="col" class="who sticky">
              {texts.table.name}
            </th>
            {square
              ? rows.map((row) => (
                  <th scope="col" key={row.entrant} aria-label={seatName(row)}>
                    <abbr title={seatName(row)}>{lines.get(row.entrant)}</abbr>
                  </th>
                ))
              : rounds.map((round) => (
                  <th scope="col" key={round} aria-label={texts.rounds.round(round)}>
                    <abbr title={texts.rounds.round(round)}>{round}</abbr>
                  </th>
                ))}
            <th scope="col">{texts.progression.points}</th>
            {places && <th scope="col">{texts.table.place}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.entrant}>
              <td class="place">{lines.get(row.entrant)}</td>
              <th scope="row" class="who sticky">
                <a href={addresses.entrant(tournament, row.entrant, stage)}>{seatName(row)}</a>
              </th>
              {square
                ? rows.map((other) => (
                    <td key={other.entrant} class={other === row ? 'self' : undefined}>
                      {row.rounds
                        .filter(({ opponents }) => opponents.includes(other.entrant))
                        .map((cell) => (
                          <Met key={cell.round} cell={cell} />
                        ))}
                    </td>
                  ))
                : rounds.map((round) => (
                    <td key={round}>
                      {row.rounds
                        .filter((cell) => cell.round === round)
                        .map((cell) => (
                          <Met key={cell.round} cell={cell} lines={lines} />
                        ))}
                    </td>
                  ))}
              <td class="main">{figure(speech, row.points as number)}</td>
              {places && <td>{placeSaid(places.get(row.entrant) ?? { from: row.place, to: row.place })}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One meeting: in rounds against which line, and how it ended. The colour says nothing that is not said in words too. */
function Met({ cell, lines }: { cell: Cell; lines?: Map<string, number> }) {
  const speech = useSpeech();
  const { texts } = speech;
  const points = cell.points as number;
  if (cell.kind !== 'game') {
    const what = texts.entrant.addends[cell.kind] ?? cell.kind;
    return (
      <span class="cell open">
        <small>{what}</small>
        <small>{points ? `+${speech.number(points)}` : ''}</small>
      </span>
    );
  }
  const [made, received] = [cell.made as number, cell.received as number];
  const against = cell.names.map((name) => name ?? '–').join(', ');
  if (cell.opponents.length > 1) {
    return (
      <span class="cell" title={against}>
        <b>{speech.number(points)}</b>
        <small>
          <span class="visually-hidden">{`${against} `}</span>
          {speech.number(made)}
        </small>
      </span>
    );
  }
  const kind = made > received ? 'win' : made < received ? 'loss' : points > 0 ? 'draw' : 'loss';
  const said = { win: texts.entrant.won, loss: texts.entrant.lost, draw: texts.entrant.drawn }[kind];
  const score = `${speech.number(made)}:${speech.number(received)}`;
  return (
    <span class={`cell ${kind}`} title={`${against}: ${said}, ${score}`}>
      <b>{lines ? cell.opponents.map((one) => lines.get(one) ?? '–').join(' ') : speech.number(points)}</b>
      <small>
        <span class="visually-hidden">{`${lines ? against : ''} ${said} `}</span>
        {score}
      </small>
    </span>
  );
}
