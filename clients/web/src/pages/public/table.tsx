/** The table of a stage: now, after a round, or at any moment since the first result. */

import { useEffect, useRef, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useLists, useMoments, useTable, type StageListed, type Table } from '../../api/public.ts';
import { published, stageOf } from '../../api/stages.ts';
import { Files, PrintButton, Shown } from '../../parts/basics.tsx';
import { listName, seatName, stageName } from '../../parts/names.ts';
import { byGroups, Legend, Places } from '../../parts/table.tsx';
import { WayOnPaper } from '../../parts/qr_link.tsx';
import { useSpeech, type Texts } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { StageSteps } from './stages.tsx';

/** What is asked for is chosen here; each part hears its own answers, so that none of them draws the whole table anew. */
export function TablePage({ tournament, about, stages, stage: wanted }: OfTournament & { stage: string | undefined }) {
  const { texts } = useSpeech();
  const stage = stageOf(stages, wanted);
  const [round, chooseRound] = useState<number>();
  const [list, chooseList] = useState<string>();
  const [at, goTo] = useState<string>(); // none: now
  if (!stage) return stages ? <p class="empty">{texts.table.none}</p> : null;
  const rounds = published(stage);
  const shown = { tournament, stage, round: at ? undefined : round, list, at };
  return (
    <div class="stack">
      <StageSteps stages={stages} stage={stage.stage} address={(one) => addresses.table(tournament, one.stage)} />
      <div class="section-head">
        <h2>
          {stageName(texts, stage)}
          <StandsAfter {...shown} />
        </h2>
        <div class="end row no-print">
          <Lists ruleset={about?.ruleset} list={list} choose={chooseList} />
          {rounds.length > 1 && (
            <Choice
              label={texts.table.chooseRound}
              value={String(round ?? '')}
              choose={(value) => chooseRound(Number(value) || undefined)}
              options={[
                ['', texts.table.newest],
                ...rounds.map((one): [string, string] => [String(one.round), texts.table.after(one.round)]),
              ]}
            />
          )}
          <Files of={[['CSV', addresses.tableFile(tournament, stage.stage)]]} />
          <PrintButton />
        </div>
      </div>
      <Replay key={stage.stage} tournament={tournament} stage={stage.stage} isPlayed={rounds.length > 1} goTo={goTo} />
      <Standings {...shown} name={about?.name} />
    </div>
  );
}

type Wanted = { tournament: string; stage: StageListed; round: number | undefined; list: string | undefined; at: string | undefined };

function StandsAfter({ tournament, stage, ...moment }: Wanted) {
  const { texts } = useSpeech();
  const { answer } = useTable(tournament, stage.stage, moment);
  return answer ? <span class="soft"> · {standsAfter(texts, answer, stage)}</span> : null;
}

function Standings({ tournament, stage, name, ...moment }: Wanted & { name: string | undefined }) {
  const { texts } = useSpeech();
  const { answer, problem } = useTable(tournament, stage.stage, moment);
  const before = useRef<Table | undefined>(undefined); // stays on the page until the one of another moment is there
  if (answer) before.current = answer;
  return (
    <Shown asked={{ answer: answer ?? (problem ? undefined : before.current), problem }} rows={8}>
      {(table) => (
        <>
          <Whole tournament={tournament} stage={stage} table={table} title={stageName(texts, stage)} />
          <WayOnPaper tournament={tournament} name={name} />
        </>
      )}
    </Shown>
  );
}

function Lists({ ruleset, list, choose }: { ruleset: string | undefined; list: string | undefined; choose: (list: string | undefined) => void }) {
  const { texts } = useSpeech();
  const lists = useLists(ruleset);
  if (!lists.length) return null;
  return (
    <Choice
      label={texts.table.list}
      value={list ?? ''}
      choose={(value) => choose(value || undefined)}
      options={[['', texts.lists.all ?? ''], ...lists.map((one): [string, string] => [one.id, listName(texts, one)])]}
    />
  );
}

const STEPS_A_SECOND = 3;
const AT_REST = 120; // milliseconds after which the hand that moves the slider is taken to rest

type Replayed = { tournament: string; stage: string; isPlayed: boolean; goTo: (at: string | undefined) => void };

/** Every result is a step. The newest table is the last one, and goes on by itself. Where a round has been played, its place is kept until the results are known. */
function Replay({ tournament, stage, isPlayed, goTo }: Replayed) {
  const { texts, second } = useSpeech();
  const { answer, problem } = useMoments(tournament, stage);
  const moments = answer?.moments ?? [];
  const [step, stepTo] = useState<number>(); // none: now
  const [plays, play] = useState(false);
  const settled = useSettled(step, AT_REST);
  const at = settled === undefined ? undefined : moments[settled]?.at;
  const last = Math.max(0, moments.length - 1);
  const now = step ?? last;
  useEffect(() => goTo(at), [at]);
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setTimeout(() => {
      if (now >= last) play(false);
      stepTo(now + 1 >= last ? undefined : now + 1);
    }, 1000 / STEPS_A_SECOND);
    return () => clearTimeout(timer);
  }, [plays, now, last]);
  if (answer || problem ? moments.length < 2 : !isPlayed) return null;
  const shown = moments[now];
  const said = shown && `${texts.rounds.round(shown.round)} · ${second(shown.at)}`;
  return (
    <div class="card slider no-print">
      <button
        type="button"
        class="button"
        aria-pressed={plays}
        aria-label={texts.table.replay}
        disabled={!answer}
        onClick={() => {
          if (!plays && step === undefined) stepTo(0);
          play(!plays);
        }}
      >
        <span aria-hidden="true">{plays ? '❚❚' : '▶'}</span>
      </button>
      <label>
        <span class="visually-hidden">{texts.table.replay}</span>
        <input
          type="range"
          disabled={!answer}
          min={0}
          max={last}
          value={now}
          aria-valuetext={said}
          onInput={({ currentTarget }) => {
            const wanted = Number(currentTarget.value);
            play(false);
            stepTo(wanted >= last ? undefined : wanted);
          }}
        />
      </label>
      <output>{step === undefined ? texts.table.liveNow : said}</output>
    </div>
  );
}

export function Choice({
  label,
  value,
  choose,
  options,
}: {
  label: string;
  value: string;
  choose: (value: string) => void;
  options: [string, string][];
}) {
  return (
    <label class="choice framed">
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Groups have a table each; everybody else is in one. */
function Whole({ tournament, stage, table, title }: { tournament: string; stage: StageListed; table: Table; title: string }) {
  const { texts } = useSpeech();
  return (
    <div class="stack">
      {byGroups(table.standings).map(([group, rows]) => (
        <div key={group} class="stack">
          {group && <h3>{texts.rounds.group(group)}</h3>}
          <Places
            tournament={tournament}
            stage={stage.stage}
            columns={table.columns}
            rows={rows}
            title={group ? texts.rounds.group(group) : title}
          />
        </div>
      ))}
      {isPlayed(table, stage) && <Unresolved table={table} />}
      {table.corrected > 0 && <p class="soft">{texts.table.correctedNote(table.corrected)}</p>}
      <Legend columns={table.columns} />
    </div>
  );
}

/** Who is still equal, and what will tell them apart. */
export function Unresolved({
  table,
}: {
  table: Pick<Table, 'unresolved'> & { standings: { entrant: string; name?: string | null }[] };
}) {
  const { texts } = useSpeech();
  const names = new Map(table.standings.map((row) => [row.entrant, seatName(row)]));
  return (
    <>
      {table.unresolved.map(({ entrants, needs }) => {
        const who = entrants.map((one) => names.get(one) ?? '').join(', ');
        return (
          <p class="note" key={who}>
            {needs === 'lot' ? texts.table.awaitsLot(who) : texts.table.awaitsDuel(who)}
          </p>
        );
      })}
    </>
  );
}

/** Before that, who is equal is told apart by rounds that are still to be played. */
export function isPlayed({ complete, round }: Table, { of }: StageListed): boolean {
  return complete && (!of || round === of);
}

export function standsAfter(texts: Texts, table: Table, stage: StageListed): string {
  if (!table.complete) return texts.table.provisional(table.round);
  return isPlayed(table, stage) && stage.of ? texts.table.final : texts.table.after(table.round);
}

/** Whatever is set, `value` follows it only after the hand has come to rest. */
export function useSettled<Value>(value: Value, pause: number): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
