/** How somebody tells what came of a game: the fields of each family of games, and the report that follows from them. */

import { useId } from 'preact/hooks';

import type { Rules } from '../../api/own.ts';
import { useSpeech, type Texts } from '../../texts/all_texts.tsx';
import type { RoundOfGames } from '../../api/own.ts';
import type { ToReport } from 'roundlog/results/types.gen.ts';

export type Family = RoundOfGames['family'];

/** As it was typed. */
export type Fields = {
  scores: string[];
  winner: '' | '0' | '1' | 'draw';
  boards: string;
  end: string;
  by: string;
  reason: string;
  deciding: string;
};

export const NOTHING: Fields = { scores: [], winner: '', boards: '', end: 'played', by: '', reason: '', deciding: '' };

/** Of a match of a play-off somebody goes on, so that what decides a drawn one can be told too. */
type Asked = { family: Family; seats: string[]; rules: Rules | undefined; fields: Fields; isMatch: boolean };
export type Fault = { field: string; says: string };
/** `scores` are those that somebody has typed. */
export type Report = { body: ToReport; said: string; scores?: number[] };

const PLAYED = 'played';
const SQUARES = 64;
const UNTOLD = ['bye']; // nobody reports that nobody was there to play
const WITH_SCORES = ['as-reported', 'lead', 'margin', 'lower-for-both', 'filled', 'boards', undefined];

/** What was entered, as it stood in the fields. */
export function fieldsOf(body: object): Fields {
  const said = body as { scores?: number[]; discs?: number[]; winner?: 0 | 1 | 'draw'; boards?: (0 | 1 | 'draw' | null)[][]; end?: string; by?: number; end_reason?: string; deciding?: (0 | 1 | 'draw')[] };
  const sign = (won: 0 | 1 | 'draw' | null) => (won === null ? '-' : won === 'draw' ? 'd' : String(won + 1));
  return {
    scores: (said.scores ?? said.discs ?? []).map(String),
    winner: said.winner === undefined ? '' : (String(said.winner) as Fields['winner']),
    boards: (said.boards ?? []).map((board) => board.map(sign).join('')).join(' '),
    end: said.end ?? 'played',
    by: said.by === undefined ? '' : String(said.by),
    reason: said.end_reason ?? '',
    deciding: (said.deciding ?? []).map(sign).join(''),
  };
}

/** In which ways those at a desk may say that a game ended. */
function endings(rules: Rules | undefined): string[] {
  const known = Object.entries(rules?.results.endings ?? {});
  const told = known.filter(([name, { fault, scores }]) => isTold(name, fault, scores?.of)).map(([name]) => name);
  return told.includes(PLAYED) ? told : [PLAYED, ...told];
}

function isTold(name: string, fault: string | undefined, of: string | undefined): boolean {
  return !UNTOLD.includes(name) && fault !== 'official-says' && of === undefined;
}

function endingOf({ rules, fields }: Asked) {
  return rules?.results.endings[fields.end];
}

/** What has to be typed of it. */
export function shape(asked: Asked): 'scores' | 'discs' | 'winner' | 'boards' | 'nothing' {
  const { family, fields } = asked;
  if (fields.end !== PLAYED && !WITH_SCORES.includes(endingOf(asked)?.scores?.rule)) return 'nothing';
  if (family === 'gomoku-pisqworky') return fields.end === PLAYED ? 'boards' : 'nothing';
  if (family === 'gomoku-cfp') return fields.end === PLAYED ? 'winner' : 'nothing';
  return family === 'othello' && fields.end === PLAYED ? 'discs' : 'scores';
}

/** How many boards a match has, and how many games each of them. */
export function boardsOf(rules: Rules | undefined): [number, number] {
  const levels = rules?.contest.levels ?? [];
  const count = (id: string) => levels.find((level) => level.id === id)?.count;
  return [count('party') ?? 1, count('duel') ?? 1];
}

const SIGNS: Record<string, 0 | 1 | 'draw' | null> = { '1': 0, '2': 1, d: 'draw', r: 'draw', '=': 'draw', '-': null };

type Duels = (0 | 1 | 'draw' | null)[][];

function signsOf(typed: string): string[] {
  return [...typed.toLowerCase().replace(/[\s,;/.]/g, '')];
}

function boardsIn(typed: string, [boards, games]: [number, number]): Duels | undefined {
  const signs = signsOf(typed);
  if (signs.length !== boards * games || signs.some((sign) => !(sign in SIGNS))) return undefined;
  const told = signs.map((sign) => SIGNS[sign] ?? null);
  return Array.from({ length: boards }, (_, board) => told.slice(board * games, (board + 1) * games));
}

/** The report, or the first field in which something is missing. */
export function report(asked: Asked, texts: Texts): Report | Fault {
  const found = reported(asked, texts);
  if ('field' in found || !isDrawn(asked, found.body) || !asked.fields.deciding.trim()) return found;
  const duels = signsOf(asked.fields.deciding).map((sign) => SIGNS[sign]);
  if (duels.some((duel) => duel === undefined || duel === null)) return { field: 'deciding', says: texts.desk.decidingHint };
  const deciding = duels as (0 | 1 | 'draw')[];
  const winner = deciding.findLast((duel) => duel !== 'draw');
  const onwards = winner === 1 || winner === 0 ? `, ${asked.seats[winner] ?? ''}` : '';
  return { body: { ...found.body, deciding } as ToReport, said: `${found.said}${onwards}` };
}

function isDrawn({ isMatch, fields, rules }: Asked, body: ToReport): boolean {
  if (!isMatch || fields.end !== PLAYED) return false;
  const { scores, discs, winner, boards } = body as { scores?: number[]; discs?: number[]; winner?: string; boards?: Duels };
  const [one, other] = boards ? pointsOf(boards, rules) : (scores ?? discs ?? []);
  return winner === 'draw' || (one !== undefined && one === other);
}

function reported(asked: Asked, texts: Texts): Report | Fault {
  const { seats, rules, fields } = asked;
  const ending = endingOf(asked);
  const body: { end?: string; by?: number; [field: string]: unknown } = fields.end === PLAYED ? {} : { end: fields.end };
  const name = fields.end === PLAYED ? '' : endingName(texts, fields.end, rules);
  if (ending?.fault === 'one') {
    if (fields.by === '') return { field: 'by-0', says: texts.desk.atFault };
    body.by = Number(fields.by);
  }
  const of = shape(asked);
  if (of === 'nothing') {
    const whose = body.by === undefined ? '' : ` (${seats[body.by] ?? ''})`;
    return { body: body as ToReport, said: `${name}${whose}` };
  }
  if (of === 'winner') {
    if (fields.winner === '') return { field: 'winner-0', says: texts.desk.winner };
    const winner = fields.winner === 'draw' ? 'draw' : (Number(fields.winner) as 0 | 1);
    const reason = fields.reason ? { end_reason: fields.reason } : {};
    const said = winner === 'draw' ? '½ : ½' : winner === 0 ? '1 : 0' : '0 : 1';
    return { body: { ...body, winner, ...reason } as ToReport, said };
  }
  if (of === 'boards') {
    const boards = boardsIn(fields.boards, boardsOf(rules));
    if (!boards) return { field: 'boards', says: texts.desk.boardsHint };
    return { body: { ...body, boards } as ToReport, said: pointsOf(boards, rules).join(' : ') };
  }
  const scores = seats.map((_, seat) => whole(fields.scores[seat]));
  const missing = scores.findIndex((score) => score === undefined);
  if (missing >= 0) return fieldsAtFault(fields, texts)[0] ?? { field: `score-${missing}`, says: texts.desk.number };
  if (of === 'discs' && (scores as number[]).reduce((all, one) => all + one, 0) > SQUARES) {
    return { field: 'score-1', says: texts.desk.tooManyDiscs };
  }
  const said = [scores.join(' : '), name].filter(Boolean).join(', ');
  return { body: { ...body, [of]: scores } as ToReport, said, scores: scores as number[] };
}

/** Where something stands that is no number, and not only the beginning of one. */
export function fieldsAtFault({ scores }: Fields, texts: Texts): Fault[] {
  return scores.flatMap((score, seat) => {
    const typed = score?.trim() ?? '';
    if (!typed || ['-', '−'].includes(typed) || whole(typed) !== undefined) return [];
    return [{ field: `score-${seat}`, says: texts.desk.noNumber(typed) }];
  });
}

function whole(typed: string | undefined): number | undefined {
  const plain = (typed ?? '').trim().replace('−', '-');
  return /^-?\d{1,5}$/.test(plain) ? Number(plain) : undefined;
}

function pointsOf(boards: Duels, rules: Rules | undefined): [number, number] {
  const worth = rules?.results.endings[PLAYED]?.scores as { win?: number; draw?: number } | undefined;
  const [win, draw] = [Number(worth?.win ?? 2), Number(worth?.draw ?? 1)];
  const of = (seat: 0 | 1) =>
    boards.flat().reduce<number>((all, one) => all + (one === seat ? win : one === 'draw' ? draw : 0), 0);
  return [of(0), of(1)];
}

export function endingName(texts: Texts, end: string, rules: Rules | undefined): string {
  return texts.desk.endings[end] ?? rules?.results.endings[end]?.title ?? end;
}

function needsDeciding(asked: Asked, texts: Texts): boolean {
  const found = asked.isMatch ? reported(asked, texts) : undefined;
  return found !== undefined && 'body' in found && isDrawn(asked, found.body);
}

export function TellFields(asked: Asked & { change: (fields: Fields) => void; fault: Fault | undefined; id: string }) {
  const { rules, fields, change, id, seats } = asked;
  const { texts } = useSpeech();
  const of = shape(asked);
  const fault = asked.fault ?? (of === 'scores' || of === 'discs' ? fieldsAtFault(fields, texts)[0] : undefined);
  const told = endings(rules);
  const set = (changed: Partial<Fields>) => change({ ...fields, ...changed });
  const ending = endingOf(asked);
  const drawn = needsDeciding(asked, texts);
  return (
    <>
      {(of === 'scores' || of === 'discs') && <Scores {...asked} fault={fault} of={of} />}
      {of === 'winner' && (
        <>
          <Choice
            legend={texts.desk.winner}
            name={`${id}-winner`}
            value={fields.winner}
            options={[...seats.map((name, seat) => [String(seat), name] as const), ['draw', texts.desk.draw]]}
            change={(winner) => set({ winner: winner as Fields['winner'], reason: '' })}
          />
          {fields.winner !== '' && <Reason {...asked} set={set} reasons={ending?.reasons ?? []} />}
        </>
      )}
      {of === 'boards' && <Boards {...asked} set={set} />}
      {drawn && (
        <label class="labelled">
          <span>{texts.desk.deciding}</span>
          <input
            class="field"
            id={`${id}-deciding`}
            autocomplete="off"
            autocapitalize="off"
            maxLength={12}
            aria-describedby={`${id}-deciding-hint`}
            value={fields.deciding}
            onInput={({ currentTarget }) => set({ deciding: currentTarget.value })}
          />
          <span id={`${id}-deciding-hint`}>{texts.desk.decidingHint}</span>
        </label>
      )}
      {told.length > 1 && (
        <label class="labelled">
          <span>{texts.desk.ending}</span>
          <select class="field" value={fields.end} onChange={({ currentTarget }) => set({ end: currentTarget.value, by: '' })}>
            {told.map((end) => (
              <option key={end} value={end}>
                {endingName(texts, end, rules)}
              </option>
            ))}
          </select>
        </label>
      )}
      {ending?.fault === 'one' && (
        <Choice
          legend={texts.desk.atFault}
          name={`${id}-by`}
          value={fields.by}
          options={seats.map((name, seat) => [String(seat), name] as const)}
          change={(by) => set({ by })}
        />
      )}
      {fault && (
        <p class="note problem" role="alert" id={`${id}-fault`}>
          {fault.says}
        </p>
      )}
    </>
  );
}

type Part = Asked & { change: (fields: Fields) => void; fault: Fault | undefined; id: string };

function Scores({ seats, fields, change, fault, id, of }: Part & { of: 'scores' | 'discs' }) {
  const { texts } = useSpeech();
  const type = (seat: number, typed: string) => {
    const scores = seats.map((_, one) => (one === seat ? typed : (fields.scores[one] ?? '')));
    if (of === 'discs' && seat === 0 && (!fields.scores[1] || isRest(fields.scores))) scores[1] = rest(typed);
    change({ ...fields, scores });
  };
  return (
    <div class="tell-scores">
      {seats.map((name, seat) => (
        <label key={seat} class="tell-score">
          <span class="who">{name}</span>
          <input
            class="field"
            id={`${id}-score-${seat}`}
            inputMode="numeric"
            autocomplete="off"
            enterkeyhint={seat === seats.length - 1 ? 'done' : 'next'}
            maxLength={6}
            aria-label={`${of === 'discs' ? texts.desk.discs : texts.desk.score}, ${name}`}
            aria-invalid={fault?.field === `score-${seat}`}
            aria-describedby={fault?.field === `score-${seat}` ? `${id}-fault` : undefined}
            value={fields.scores[seat] ?? ''}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={({ currentTarget }) => type(seat, currentTarget.value)}
          />
        </label>
      ))}
    </div>
  );
}

/** The other discs, as long as nobody has typed something else: most boards are full. */
function rest(typed: string): string {
  const discs = whole(typed);
  return discs !== undefined && discs >= 0 && discs <= SQUARES ? String(SQUARES - discs) : '';
}

function isRest([first, second]: string[]): boolean {
  return second === rest(first ?? '');
}

function Reason({ fields, set, reasons }: Part & { set: (fields: Partial<Fields>) => void; reasons: string[] }) {
  const { texts } = useSpeech();
  const fitting = reasons.filter((reason) => reason.startsWith('draw_') === (fields.winner === 'draw'));
  if (!fitting.length) return null;
  return (
    <label class="labelled">
      <span>{texts.desk.why}</span>
      <select class="field" value={fields.reason} onChange={({ currentTarget }) => set({ reason: currentTarget.value })}>
        <option value="">{texts.desk.notSaid}</option>
        {fitting.map((reason) => (
          <option key={reason} value={reason}>
            {texts.desk.reasons[reason] ?? reason}
          </option>
        ))}
      </select>
    </label>
  );
}

const SHOWN = ['1', '2', 'd', '-'];

/** Typed as one word, or tapped: the word and the buttons say the same. */
function Boards({ rules, fields, set, fault, id, seats }: Part & { set: (fields: Partial<Fields>) => void }) {
  const { texts } = useSpeech();
  const [boards, games] = boardsOf(rules);
  const signs = signsOf(fields.boards);
  const tap = (at: number, sign: string) => {
    const all = Array.from({ length: boards * games }, (_, one) => (one === at ? sign : (signs[one] ?? '·')));
    const words = Array.from({ length: boards }, (_, board) => all.slice(board * games, (board + 1) * games).join(''));
    set({ boards: words.join(' ') });
  };
  const names: Record<string, string> = {
    '1': seats[0] ?? '1',
    '2': seats[1] ?? '2',
    d: texts.desk.draw,
    '-': texts.desk.nobodyThere,
  };
  return (
    <div class="stack">
      <label class="labelled">
        <span>{texts.desk.boards}</span>
        <input
          class="field"
          id={`${id}-boards`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="done"
          aria-invalid={fault?.field === 'boards'}
          aria-describedby={`${id}-boards-hint`}
          value={fields.boards}
          onInput={({ currentTarget }) => set({ boards: currentTarget.value })}
        />
      </label>
      <p class="soft small" id={`${id}-boards-hint`}>
        {texts.desk.boardsHint}
      </p>
      <p class="small">
        <b>1</b> {seats[0]}, <b>2</b> {seats[1]}
      </p>
      <div class="tell-boards">
        {Array.from({ length: boards * games }, (_, at) => {
          const [board, game] = [Math.floor(at / games) + 1, (at % games) + 1];
          return (
            <fieldset key={at} class="signs">
              <legend class={game === 1 ? '' : 'visually-hidden'}>
                {game === 1 ? texts.desk.board(board) : texts.desk.gameOfBoard(board, game)}
              </legend>
              {SHOWN.map((sign) => (
                <label key={sign} class={signs[at] === sign ? 'chosen' : ''}>
                  <input
                    type="radio"
                    class="visually-hidden"
                    name={`${id}-sign-${at}`}
                    checked={signs[at] === sign}
                    aria-label={`${texts.desk.gameOfBoard(board, game)}: ${names[sign] ?? sign}`}
                    onChange={() => tap(at, sign)}
                  />
                  <span aria-hidden="true">{sign === 'd' ? '=' : sign === '-' ? '–' : sign}</span>
                </label>
              ))}
            </fieldset>
          );
        })}
      </div>
    </div>
  );
}

const KEYS = [['1'], ['2'], ['3'], ['4'], ['d', 'D', 'r', 'R', '=', 'x', 'X', '0']]; // what somebody types instead of moving there
const DRAWN = 4;

function Choice({
  legend,
  name,
  value,
  options,
  change,
}: {
  legend: string;
  name: string;
  value: string;
  options: (readonly [string, string])[];
  change: (value: string) => void;
}) {
  const id = useId();
  return (
    <fieldset
      class="choices"
      onKeyDown={({ key }) => {
        const at = KEYS.findIndex((keys) => keys.includes(key));
        const option = at === DRAWN ? options.find(([one]) => one === 'draw') : options[at];
        if (option) change(option[0]);
      }}
    >
      <legend id={id}>{legend}</legend>
      {options.map(([option, says], index) => (
        <label key={option} class={option === value ? 'chosen' : ''}>
          <input
            type="radio"
            id={`${name}-${index}`}
            name={name}
            checked={option === value}
            onChange={() => change(option)}
          />
          <span>{says}</span>
        </label>
      ))}
    </fieldset>
  );
}
