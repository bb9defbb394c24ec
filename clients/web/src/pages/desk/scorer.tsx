/** The desk of a scorer: a table, its numbers, Enter, and the next one; and which tables are still missing. */

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { hasCome } from '../../api/answer_cache.ts';
import { useOwnRound, useOwnTournament, useRules, useTablesLive, type GameListed, type RoundOfGames, type Rules, type UnderWay } from '../../api/own.ts';
import { useDraft } from '../../api/drafts.ts';
import { useStages } from '../../api/public.ts';
import { drop, enter, isHeld, type OutboxEntry, type Told } from '../../api/sending.ts';
import { stageOf } from '../../api/stages.ts';
import { ProblemNote, Section } from '../../parts/basics.tsx';
import { seatName, stageName } from '../../parts/names.ts';
import { shownScores } from '../../parts/pairs.tsx';
import { useSpeech, type Speech } from '../../texts/all_texts.tsx';
import type { OfDesk } from './given.ts';
import { Entries, OutgoingMark } from './outbox.tsx';
import { isOver, Over } from './over.tsx';
import { Said } from './reports.tsx';
import { Spreadsheet } from './spreadsheet.tsx';
import { endingName, fieldsAtFault, fieldsOf, NOTHING, report, shape, TellFields, type Fault } from './report_form.tsx';
import { isUnlikely } from './unlikely.ts';

export function ScorerPage({ session, me, outgoing }: OfDesk) {
  const { texts } = useSpeech();
  const { query, route } = useLocation();
  const [chosenRound, chooseRound] = useState<string>();
  // Whatever comes meanwhile, a tournament or another round: the sheet that somebody is typing stays before them.
  const [typing, setTyping] = useState(false);
  const at = useRef<{ under: UnderWay; round: Round | undefined }>(undefined);
  const kept = typing ? at.current : undefined;
  const mine = outgoing.entries.filter(({ who }) => who === session.who);
  // Whoever has begun with a tournament stays there: a slip that is typed next would be entered in another one.
  const wanted = kept?.under.tournament ?? query.tournament ?? at.current?.under.tournament;
  const under =
    me.tournaments.find(({ tournament }) => tournament === wanted) ?? kept?.under ?? (wanted ? undefined : me.tournaments[0]);
  // A round that is complete is under way no more, and whoever typed it wants to see it; one that was recalled nobody does.
  const told = mine.findLast(({ problem }) => !isOfNoRound(problem))?.order.told;
  const last = !wanted || told?.tournament === wanted ? told : undefined;
  // Whoever enters results of one tournament alone has an office in it still when it is over, and no tournament under way.
  const office = me.offices.find(({ federation }) => federation !== null);
  const gone = useOwnTournament(under ? undefined : (wanted ?? last?.tournament ?? office?.scope));
  useTablesLive(under?.tournament ?? wanted);
  if (!under) {
    return (
      <>
        <div class="desk-head">
          <h1>{gone?.name ?? texts.desk.title}</h1>
          <OutgoingMark outgoing={outgoing} who={session.who} />
        </div>
        {me.tournaments.map(({ tournament, name }) => (
          <p key={tournament}>
            <a href={addresses.deskOf(tournament)}>{name ?? tournament}</a>
          </p>
        ))}
        {isOver(gone) ? <Over tournament={gone} /> : <p class="empty">{last ? texts.desk.roundIsIn : texts.desk.nothingHere}</p>}
        <Afterwards last={last} mine={mine.filter(({ order }) => !wanted || order.told?.tournament === wanted)} outgoing={outgoing} who={session.subject} setTyping={setTyping} />
      </>
    );
  }
  const rounds = under.rounds;
  const round = rounds.find((one) => roundKey(one) === chosenRound) ?? kept?.round ?? rounds.at(-1);
  const offered = round && !rounds.some((one) => roundKey(one) === roundKey(round)) ? [round, ...rounds] : rounds;
  at.current = { under, round };
  return (
    <>
      <div class="desk-head">
        <h1>{under.name ?? texts.desk.title}</h1>
        <OutgoingMark outgoing={outgoing} who={session.who} />
      </div>
      {me.tournaments.length > 1 && (
        <label class="labelled desk-choice">
          <span>{texts.desk.tournament}</span>
          <select
            class="field"
            value={under.tournament}
            onChange={({ currentTarget }) => {
              chooseRound(undefined); // its rounds may be called the same
              route(addresses.deskOf(currentTarget.value), true);
            }}
          >
            {me.tournaments.map(({ tournament, name }) => (
              <option key={tournament} value={tournament}>
                {name ?? tournament}
              </option>
            ))}
          </select>
        </label>
      )}
      {offered.length > 1 && (
        <div class="steps desk-choice" role="group" aria-label={texts.desk.round}>
          {offered.map((one) => (
            <button
              key={roundKey(one)}
              type="button"
              aria-pressed={round && roundKey(one) === roundKey(round)}
              onClick={() => chooseRound(roundKey(one))}
            >
              <RoundName tournament={under.tournament} round={one} />
            </button>
          ))}
        </div>
      )}
      {round ? (
        <RoundDesk
          key={`${under.tournament}/${roundKey(round)}`}
          under={under}
          stage={round.stage}
          round={round.round}
          mine={mine}
          outgoing={outgoing}
          who={session.subject}
          setTyping={setTyping}
        />
      ) : (
        <>
          <p class="empty">{last ? texts.desk.roundIsIn : texts.desk.nothingHere}</p>
          <Afterwards last={last} mine={mine} outgoing={outgoing} who={session.subject} setTyping={setTyping} />
        </>
      )}
    </>
  );
}

/** Between two rounds: what came of the one before, as long as this device knows it. */
function Afterwards({ last, ...of }: Omit<OfRound, 'under' | 'stage' | 'round'> & { last: Told | undefined }) {
  if (!last) return <Entries entries={of.mine} all={of.outgoing.entries} outgoing={of.outgoing} />;
  const { tournament, stage, round } = last;
  return <RoundDesk key={`${tournament}/${roundKey(last)}`} under={{ tournament }} stage={stage} round={round} {...of} />;
}

const NO_ROUND = ['round-is-recalled', 'sheet-unknown'];

function isOfNoRound(problem: OutboxEntry['problem']): boolean {
  return NO_ROUND.some((kind) => problem?.type.endsWith(`/${kind}`));
}

type Round = UnderWay['rounds'][number];

/** With its stage, where there are several. */
function RoundName({ tournament, round }: { tournament: string; round: Pick<Round, 'stage' | 'round'> }) {
  const { texts } = useSpeech();
  const stages = useStages(tournament).answer;
  const stage = (stages?.stages.length ?? 1) > 1 && stageName(texts, stageOf(stages, round.stage) ?? round);
  return <>{[stage, texts.rounds.round(round.round)].filter(Boolean).join(', ')}</>;
}

const roundKey = ({ stage, round }: { stage: string; round: number }) => `${stage}/${round}`;

type OfRound = {
  under: Pick<UnderWay, 'tournament'>;
  stage: string;
  round: number;
  mine: OutboxEntry[];
  outgoing: OfDesk['outgoing'];
  who: string;
  setTyping: (typing: boolean) => void;
};

function RoundDesk({ under, stage, round, mine, outgoing, who, setTyping }: OfRound) {
  const { texts } = useSpeech();
  const { tournament } = under;
  const asked = useOwnRound(tournament, stage, round);
  const rules = useRules(tournament);
  const [chosen, choose] = useState<{ game: string; again?: OutboxEntry } | undefined>();
  const games = asked.answer?.items ?? [];
  if (!asked.answer || !hasCome(rules)) {
    // Fields without their rules would be others a moment later, under the hands of whoever types.
    return asked.problem ? <ProblemNote problem={asked.problem} /> : <div class="desk-space" aria-busy="true" />;
  }
  const entered = latest(mine);
  /** Of another round or tournament nothing is: here are no fields for it. */
  const takeBack = (entry: OutboxEntry) => {
    if (!games.some(({ id }) => id === entry.about)) return undefined;
    return async () => {
      if (await drop(entry.key)) choose({ game: entry.about, again: entry });
    };
  };
  /** Into the fields of its game, or of the one of the same sides where the round was paired anew; nowhere where there is none. */
  const mending = (entry: OutboxEntry) => {
    const { told } = entry.order;
    const isSame = ({ seats }: GameListed) => told.stage === stage && told.round === round && String(seats.map(seatName)) === String(told.seats);
    const game = games.find(({ id }) => id === entry.about) ?? games.find(isSame);
    if (!game) return undefined;
    return async () => {
      if (game.id === entry.about || (await drop(entry.key))) choose({ game: game.id, again: entry });
    };
  };
  const mark = ({ about, order }: OutboxEntry, acknowledged: ComponentChildren) => {
    const isDisputed = order.act === 'report' && games.some(({ id, status }) => id === about && status === 'disputed');
    return isDisputed ? <span class="badge loss">{texts.desk.status.disputed}</span> : acknowledged;
  };
  return (
    <div class="columns desk-columns">
      <div class="stack">
        <EntryForm
          of={{ tournament, stage, round }}
          whole={asked.answer}
          rules={rules.answer}
          entered={entered}
          chosen={chosen}
          choose={choose}
          takeBack={takeBack}
          who={who}
          setTyping={setTyping}
        />
        <Entries
          entries={mine}
          all={outgoing.entries}
          outgoing={outgoing}
          mending={mending}
          takeBack={takeBack}
          mark={mark}
          of={{ tournament, stage, round }}
        />
      </div>
      <div class="stack">
        <Tables whole={asked.answer} games={games} entered={entered} choose={(game) => choose({ game })} />
        <Section title={texts.desk.sheet}>
          <Spreadsheet of={{ tournament, stage, round }} />
        </Section>
      </div>
    </div>
  );
}

const FRESH = 15_000; // what was just acknowledged is on its way into the list

/** The last that was entered here of each game, as long as the list cannot have it. */
export function latest(entries: OutboxEntry[]): Map<string, OutboxEntry> {
  const since = Date.now() - FRESH;
  const shown = entries.filter(({ state, answeredAt }) => state !== 'done' || (answeredAt ?? 0) > since);
  return new Map(shown.map((entry) => [entry.about, entry]));
}

function named(game: GameListed): string {
  return game.label ?? String(game.table);
}

function tableOf(games: GameListed[], typed: string): GameListed | undefined {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return undefined;
  const byLabel = games.find(({ label }) => label?.toLowerCase() === wanted);
  return byLabel ?? games.find(({ table }) => String(table) === wanted);
}

export function shownResult(speech: Speech, game: GameListed, rules: Rules | undefined): string {
  if (!game.result) return '';
  const scores = shownScores(game).map(speech.number).join(' : ');
  return game.result.end === 'played' ? scores : `${scores}, ${endingName(speech.texts, game.result.end, rules)}`;
}

type Form = {
  of: { tournament: string; stage: string; round: number };
  whole: RoundOfGames;
  rules: Rules | undefined;
  entered: Map<string, OutboxEntry>;
  chosen: { game: string; again?: OutboxEntry } | undefined;
  choose: (chosen: { game: string; again?: OutboxEntry } | undefined) => void;
  takeBack: (entry: OutboxEntry) => (() => Promise<void>) | undefined;
  who: string;
  setTyping: (typing: boolean) => void;
};

function EntryForm({ of, whole, rules, entered, chosen, choose, takeBack, who, setTyping }: Form) {
  const speech = useSpeech();
  const { texts } = speech;
  const form = useRef<HTMLFormElement>(null);
  const [{ typed, fields, signed }, write] = useDraft(`${of.tournament}/${of.stage}/${of.round}`, UNTYPED);
  const [fault, setFault] = useState<Fault>();
  const [doubted, doubt] = useState<string>(); // what was asked about, as it was said
  const [news, tell] = useState('');
  // Whoever types a slip without looking does not see that it was refused, so that the rest of it, and the next one, must not be read
  // as another table: keys do nothing until somebody has looked. After a question the very next Enter answers it, and nothing else.
  const [halted, halt] = useState<'asked' | 'told'>();
  const byKeys = useRef(false);
  const game = tableOf(whole.items, typed);
  const seats = game?.seats.map(seatName) ?? [];
  const entry = game && entered.get(game.id);

  useEffect(() => {
    const wanted = chosen && whole.items.find(({ id }) => id === chosen.game);
    if (!wanted) return;
    const again = chosen.again?.order;
    write(again?.act === 'report' ? { typed: named(wanted), fields: fieldsOf(again.body), signed: Boolean(again.body.signed_by?.length) } : { ...UNTYPED, typed: named(wanted) });
    setFault(undefined);
    doubt(undefined);
    halt(undefined);
    choose(undefined);
    requestAnimationFrame(() => {
      form.current?.scrollIntoView({ block: 'start' });
      focusFirst(form.current);
    });
  }, [chosen]);

  const focusTable = () => {
    const table = form.current?.querySelector<HTMLInputElement>('#entry-table');
    table?.focus();
    table?.select(); // also where it has the focus already
  };
  useLayoutEffect(() => {
    // Before the page is seen: what is typed at once belongs there. On a phone a keyboard would cover half of the page.
    if (typed) focusFirst(form.current); // it was half typed when the page was loaded anew
    else if (matchMedia('(pointer: fine)').matches) focusTable();
  }, []);

  useEffect(() => setTyping(typed !== ''), [typed]);
  useEffect(() => () => setTyping(false), []);

  const isFinal = Boolean(game?.result);
  useLayoutEffect(() => {
    // Somebody else was faster, and the fields are gone from under whoever types.
    if (!isFinal || document.activeElement !== document.body) return;
    focusTable();
    halt('told');
  }, [isFinal]);

  const leave = () => {
    write(UNTYPED);
    setFault(undefined);
    doubt(undefined);
    halt(undefined);
    focusTable();
  };

  const fieldOf = (name: string) => form.current?.querySelector<HTMLInputElement>(`#entry-${name}`);

  const refuse = (found: Fault) => {
    setFault(found);
    fieldOf(found.field)?.focus();
    if (byKeys.current && typed.trim()) halt('told'); // an Enter too many, before a slip has begun, breaks into none
  };

  const resume = () => {
    if (!game || game.result) {
      leave();
      return;
    }
    halt(undefined);
    doubt(undefined);
    const field = fault && fieldOf(fault.field);
    if (field) {
      field.focus();
      field.select();
    } else focusFirst(form.current);
  };

  const save = () => {
    if (!game) {
      refuse({ field: 'table', says: typed.trim() ? texts.desk.noSuchTable(typed.trim()) : texts.desk.tableHint });
      return;
    }
    const found = report({ family: whole.family, seats, rules, fields, isMatch: game.match !== null }, texts);
    if ('field' in found) {
      refuse(found);
      return;
    }
    const others = whole.items.flatMap((one) => scoresOf(one, entered.get(one.id)));
    if (found.scores && fields.end === 'played' && doubted !== found.said && isUnlikely(whole.family, found.scores, others)) {
      doubt(found.said);
      if (byKeys.current) halt('asked');
      return;
    }
    const signatures = signed ? { signed_by: seats.map((_, seat) => seat) } : {};
    const told = { ...of, table: named(game), seats, said: found.said };
    const kept = enter(game.id, { act: 'report', told, body: { ...found.body, ...signatures } }, { held: true });
    void kept.then(
      () => tell(texts.desk.entered(told.table, told.said)),
      () => tell(texts.desk.unkept(told.table, told.said)),
    );
    leave();
  };

  const last = [...entered.values()].findLast((one) => isHeld(one, Date.now()) && takeBack(one));
  const onHalted = (event: KeyboardEvent) => {
    if (!halted || (event.key !== 'Escape' && !isTyped(event))) return;
    if (halted === 'asked' && event.key === 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') resume();
    else halt('told');
  };

  /** Where keys of a screen say nothing of what they type. */
  const onInsert = (event: InputEvent) => {
    if (!halted || event.inputType === 'insertLineBreak') return;
    event.preventDefault();
    halt('told');
  };

  const onPress = ({ target }: PointerEvent) => {
    byKeys.current = false;
    if (!halted) return;
    if (!game || game.result) write(target === fieldOf('table') ? UNTYPED : { typed, fields, signed });
    halt(undefined);
  };

  const onEnter = (event: KeyboardEvent) => {
    const isOnwards = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey);
    if (isOnwards) byKeys.current = true;
    if (event.key === 'Escape') {
      if (!typed && last) void takeBack(last)?.();
      leave();
    }
    if (event.key === 'Enter' && event.repeat) event.preventDefault(); // a key that is held down says nothing twice
    if (!isOnwards || !(event.target instanceof HTMLInputElement) || event.target.type !== 'text') return;
    const mistyped = fieldsAtFault(fields, texts).find(({ field }) => event.target === fieldOf(field));
    const isInVain = typed.trim() !== '' && (!game || game.result !== null);
    if (mistyped || isInVain) {
      event.preventDefault();
      if (mistyped) refuse(mistyped);
      else if (game) halt('told'); // it is final
      else save(); // which says that there is no such table
      return;
    }
    if (event.key === 'Tab') return;
    const typing = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox],[type=radio])') ?? [])];
    const next = typing[typing.indexOf(event.target) + 1];
    const choice = form.current?.querySelector<HTMLInputElement>('.choices input');
    const onwards = next ?? (event.target.id === 'entry-table' ? choice : null);
    if (!onwards || !game) return; // the form is sent
    event.preventDefault();
    onwards.focus();
  };

  return (
    <form
      class={`card entry${halted === 'told' ? ' halted' : ''}`}
      ref={form}
      noValidate
      onKeyDownCapture={onHalted}
      onKeyDown={onEnter}
      onBeforeInput={onInsert}
      onPointerDown={onPress}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      aria-labelledby="entry-title"
    >
      <h2 id="entry-title">{texts.desk.enter}</h2>
      <label class="entry-table">
        <span>{texts.desk.tableNumber}</span>
        <input
          class="field"
          id="entry-table"
          inputMode={whole.items.some(({ label }) => label && !/^\d+$/.test(label)) ? 'text' : 'numeric'}
          autocomplete="off"
          enterkeyhint="next"
          maxLength={LONGEST}
          aria-invalid={fault?.field === 'table'}
          aria-describedby="entry-hint"
          value={typed}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onInput={({ currentTarget }) => {
            write({ ...UNTYPED, typed: currentTarget.value });
            setFault(undefined);
            doubt(undefined);
            halt(undefined);
          }}
        />
      </label>
      <p class="soft small" id="entry-hint">
        {game ? [game.room, game.group && texts.rounds.group(game.group)].filter(Boolean).join(', ') : texts.desk.tableHint}
      </p>
      {fault?.field === 'table' && (
        <p class="note problem" role="alert">
          {fault.says}
        </p>
      )}
      {halted === 'told' && (
        <p class="note problem" role="alert">
          <b>{texts.desk.halted}</b>
        </p>
      )}
      {game?.result && <p class="note">{texts.desk.isFinal(shownResult(speech, game, rules))}</p>}
      {entry?.state === 'waiting' && !entry.tries && <p class="note">{texts.desk.replaces}</p>}
      {game && (game.status === 'reported' || game.status === 'disputed') && (
        <Said game={game.id} told={{ ...of, table: named(game), seats, said: '' }} entrants={game.seats.map((seat) => seat.entrant)} who={who} rules={rules} done={leave} />
      )}
      {game && !game.result && (
        <>
          <TellFields
            family={whole.family}
            seats={seats}
            rules={rules}
            isMatch={game.match !== null}
            fields={fields}
            change={(changed) => {
              write({ typed, fields: changed, signed });
              setFault(undefined);
              doubt(undefined);
            }}
            fault={fault?.field === 'table' ? undefined : fault}
            id="entry"
          />
          {doubted && (
            <p class="note" role="alert">
              {texts.desk.unlikely(doubted)} {halted === 'asked' && texts.desk.enterSends}
            </p>
          )}
          <label class="tick">
            <input type="checkbox" checked={signed} onChange={({ currentTarget }) => write({ typed, fields, signed: currentTarget.checked })} />
            <span>{texts.desk.signed}</span>
          </label>
        </>
      )}
      <div class="row">
        <button type="submit" class="button primary" disabled={Boolean(game?.result)}>
          {texts.desk.send}
        </button>
        {(typed || shape({ family: whole.family, seats, rules, fields, isMatch: false }) === 'nothing') && (
          <button type="button" class="button" onClick={leave}>
            {texts.desk.cancel}
          </button>
        )}
      </div>
      <p class="small entry-news" role="status">
        {news}
      </p>
    </form>
  );
}

/** Whatever a slip is typed with. What leaves the form, or is meant for the browser, is not. */
function isTyped({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey) return false;
  return [...key].length === 1 || ['Enter', 'Backspace', 'Delete'].includes(key) || (key === 'Tab' && !shiftKey);
}

const LONGEST = 80; // characters of what stands on a table, as rooms are named
const UNTYPED = { typed: '', fields: NOTHING, signed: true };

/** What stands of a game by now, or will as soon as it is sent. */
function scoresOf(game: GameListed, entry: OutboxEntry | undefined): number[][] {
  if (game.result) return game.result.end === 'played' ? [game.result.scores] : [];
  const said = entry?.order.act === 'report' && entry.state !== 'refused' ? (entry.order.body as { scores?: number[] }).scores : undefined;
  return said ? [said] : [];
}

function focusFirst(form: HTMLFormElement | null): void {
  const fields = form?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])');
  (fields?.[1] ?? fields?.[0])?.focus();
}

const SHOWN = {
  missing: ['pending', 'started', 'postponed'],
  waiting: ['reported'],
  disputed: ['disputed'],
  done: ['final', 'voided'],
} as const;
type Show = keyof typeof SHOWN | 'all';

function Tables({
  whole,
  games,
  entered,
  choose,
}: {
  whole: RoundOfGames;
  games: GameListed[];
  entered: Map<string, OutboxEntry>;
  choose: (game: string) => void;
}) {
  const { texts } = useSpeech();
  const [chosen, setShow] = useState<Show>();
  const isOf = (one: Show, game: GameListed) => {
    if (one === 'all') return true;
    const entry = entered.get(game.id);
    if (one === 'missing' && entry && entry.state !== 'refused' && entry.order.act !== 'withdraw') return false;
    return (SHOWN[one] as readonly string[]).includes(game.status);
  };
  const counts = (one: Show) => games.filter((game) => isOf(one, game)).length;
  const show = chosen ?? (counts('missing') ? 'missing' : 'all');
  const shown = games.filter((game) => isOf(show, game));
  const kinds: Show[] = ['missing', 'waiting', 'disputed', 'done', 'all'];
  return (
    <Section
      title={<RoundName tournament={whole.tournament} round={whole} />}
      end={<span class="soft small">{texts.desk.ofAll(counts('missing'), games.length)}</span>}
    >
      <div class="steps desk-filter" role="group" aria-label={texts.desk.tables}>
        {kinds.filter((one) => one === show || one === 'missing' || one === 'all' || counts(one)).map((one) => (
          <button key={one} type="button" aria-pressed={one === show} onClick={() => setShow(one)}>
            {texts.desk[one]} <span class="count">{counts(one)}</span>
          </button>
        ))}
      </div>
      {counts('missing') === 0 && <p class="soft">{texts.desk.nothingMissing}</p>}
      {shown.length === 0 && show !== 'missing' && <p class="empty">{texts.desk.noneOfThese}</p>}
      <ul class="ledger">
        {shown.map((game) => (
          <TableLine key={game.id} game={game} entry={entered.get(game.id)} choose={choose} />
        ))}
      </ul>
    </Section>
  );
}

function TableLine({ game, entry, choose }: { game: GameListed; entry: OutboxEntry | undefined; choose: (game: string) => void }) {
  const speech = useSpeech();
  const { texts } = speech;
  const quiet = game.status === 'reported' && game.heard?.reported.length ? game.heard.silent : []; // where a side has spoken
  const silent = quiet.map((seat) => seatName(game.seats[seat] ?? {}));
  return (
    <li>
      <button type="button" class="ledger-line" onClick={() => choose(game.id)}>
        <span class="ledger-table">{named(game)}</span>
        <span class="ledger-who">
          {game.seats.map((seat) => (
            <span key={seat.entrant}>{seatName(seat)}</span>
          ))}
          {silent.length > 0 && <span class="soft small">{texts.desk.silent(silent.join(', '))}</span>}
        </span>
        <span class="ledger-end">
          {entry && !game.result ? (
            <>
              {entry.order.told.said && <b class="nowrap">{entry.order.told.said}</b>}
              <span class={`badge ${entry.state === 'done' ? 'win' : entry.state === 'refused' ? 'loss' : 'draw'}`}>{texts.desk.state[entry.state]}</span>
            </>
          ) : game.result ? (
            <>
              <b class="nowrap">{shownScores(game).map(speech.number).join(' : ')}</b>
              <span class="badge win">{texts.desk.status[game.status]}</span>
            </>
          ) : (
            <span class={`badge${game.status === 'disputed' ? ' loss' : game.status === 'reported' ? ' draw' : ''}`}>
              {texts.desk.status[game.status]}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}
