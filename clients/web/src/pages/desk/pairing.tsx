/** Who meets whom: paired, looked at, changed by dragging or by keys, printed and published. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { confirmRound, draftRound, publishRound, recallRound, swapEntrants } from 'roundlog/pairing/sdk.gen.ts';

import { addresses } from '../../addresses.ts';
import type { Outcome } from '../../api/answer_cache.ts';
import { now } from '../../api/clock.ts';
import { useGrounds, useRoundToPair, type Foreseen, type Round, type RoundSeen } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { PrintButton, ProblemNote, Section } from '../../parts/basics.tsx';
import { seatName, stageName, versus } from '../../parts/names.ts';
import { momentIn } from '../../parts/zone.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import type { Directed } from './given.ts';
import { Rooms } from './rooms.tsx';
import { Act, Choose, Moment, OrderButton, Sending, Sentence, useOrder, useSettled, useTell, WouldCome, Words, type Running } from './order.tsx';

type Player = Round['byes'][number];
type Pair = Round['pairs'][number];
type Path = { tournament_id: string; stage: string; round: number };
type ReasonCode = 'announcement' | 'agreement' | 'absence' | 'mistake' | 'late-news' | 'emergency' | 'other';
type Listed = { stage: string; title: string; system: string; round: number; status: string };

const IN_MAKING = ['draft', 'confirmed'];

export function PairingPart({ tournament, stages, comes, following, go }: Directed) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState<string>();
  const making = stages?.stages.flatMap(({ stage, rounds }) =>
    rounds.filter(({ status }) => IN_MAKING.includes(status)).map(({ round }) => `${stage}/${round}`),
  )[0];
  useEffect(() => {
    if (making) choose(undefined); // whoever has just paired a round looks at it
  }, [making]);
  if (!stages) return comes ? <div class="desk-space" aria-busy="true" /> : <p class="empty">{texts.director.pairingLater}</p>;
  const listed: Listed[] = stages.stages.flatMap(({ stage, title, system, rounds }) => rounds.map((one) => ({ stage, title, system, ...one })));
  const made = listed.filter(({ status }) => status !== 'unpaired');
  const ahead = stages.stages
    .filter(({ next }) => next.ready && next.round !== null)
    .map(({ stage, title, system, next }) => ({ stage, title, system, round: next.round ?? 0, status: 'unpaired' }))
    .filter((one) => !made.some(({ stage, round }) => stage === one.stage && round === one.round));
  const all = [...made, ...ahead];
  const keyOf = ({ stage, round }: Listed) => `${stage}/${round}`;
  const usual = all.find(({ status }) => IN_MAKING.includes(status)) ?? ahead[0] ?? all.at(-1);
  const shown = all.find((one) => keyOf(one) === chosen) ?? usual;
  if (!shown) {
    const obstacles = stages.stages.find(({ stage }) => stage === stages.next?.stage)?.next.obstacles ?? [];
    return (
      <div class="note problem stack">
        <b>{texts.director.blocked}</b>
        {obstacles.map(({ kind, detail, tables }) => (
          <p key={kind}>
            <Sentence kind={kind} sentence={detail} count={tables.length} />
          </p>
        ))}
        <button type="button" class="button" onClick={() => go('now')}>
          {texts.director.part.now}
        </button>
      </div>
    );
  }
  return (
    <>
      {all.length > 1 && (
        <div class="steps desk-choice no-print" role="group" aria-label={texts.desk.round}>
          {all.map((one) => (
            <button key={keyOf(one)} type="button" aria-pressed={one === shown} onClick={() => choose(keyOf(one))}>
              {stages.stages.length > 1 && `${stageName(texts, one)}, `}
              {texts.rounds.round(one.round)}
            </button>
          ))}
        </div>
      )}
      <OneRound
        key={keyOf(shown)}
        path={{ tournament_id: tournament.id, stage: shown.stage, round: shown.round }}
        listed={shown}
        hold={() => choose(keyOf(shown))}
      />
      {shown.status !== 'unpaired' && following}
    </>
  );
}

/** `hold`: this round stays on the page, whatever comes next. */
function OneRound({ path, listed, hold }: { path: Path; listed: Listed; hold: () => void }) {
  const { texts } = useSpeech();
  const unpaired = listed.status === 'unpaired';
  const asked = useRoundToPair(path.tournament_id, path.stage, unpaired ? undefined : path.round);
  const name = `${path.tournament_id}/${path.stage}/${path.round}`;
  const title = `${stageName(texts, listed)}, ${texts.rounds.round(path.round)}`;
  const draft = (to: object) => draftRound({ client: own.pairing, path, ...to });
  if (unpaired) {
    return (
      <Section title={title}>
        <OrderButton primary what={`${name}/draft`} absolute order={draft}>
          {texts.director.pairRound(path.round, stageName(texts, listed))}
        </OrderButton>
      </Section>
    );
  }
  const round = asked.answer;
  if (!round) return asked.problem ? <ProblemNote problem={asked.problem} /> : <div class="desk-space" aria-busy="true" />;
  const inMaking = IN_MAKING.includes(round.status);
  return (
    <Section title={title} end={<span class="badge">{texts.director.roundStatus[round.status]}</span>}>
      <div class="stack">
        {inMaking && <DraftOnPaper round={round} />}
        {inMaking ? (
          <Publishing path={path} round={round} hold={hold} />
        ) : (
          <div class="row">
            <a class="button no-print for-paper" href={addresses.slips(path.tournament_id, path.stage, path.round)}>
              {texts.paper.slips}
            </a>
            <PrintButton />
          </div>
        )}
        {round.refused && (
          <p class="note problem" lang="en">
            {round.refused.reason}
          </p>
        )}
        {(round.recall_asked || round.repair_asked) && <p class="note">{texts.director.asked}</p>}
        <Board path={path} round={round} />
        <div class="acts no-print">
          {inMaking && round.allowed_actions.draftRound?.allowed && (
            <Act title={texts.director.pairAnew} what={`${name}/draft/${round.version}`} order={draft}>
              <p class="soft">{texts.director.pairAnewHow}</p>
            </Act>
          )}
          {round.allowed_actions.recallRound?.allowed && <Recalling path={path} />}
          <Rooms tournament={path.tournament_id} />
        </div>
      </div>
    </Section>
  );
}

/** A draft that was printed is no published round, and no later draft: it says what it is, and since when it was so. */
function DraftOnPaper({ round }: { round: RoundSeen }) {
  const { texts, moment } = useSpeech();
  const seen = useMemo(() => new Date().toISOString(), [round.version]);
  return <p class="only-print draft-on-paper">{texts.director.draftOn(moment(seen, round.time_zone))}</p>;
}

let lastReason: ReasonCode | '' = ''; // whoever has said once why rounds follow so closely need not say it each time

/** A draft is confirmed and published by one button. What speaks against it is asked for before, where it is known. */
function Publishing({ path, round, hold }: { path: Path; round: RoundSeen; hold: () => void }) {
  const { texts, time } = useSpeech();
  const tell = useTell();
  const running = useOrder();
  const [code, choose] = useState<ReasonCode | ''>(lastReason);
  const [start, wait] = useState('');
  const resting = useIsAhead(round.rested_at);
  const rested = resting && round.rested_at ? wholeMinute(round.rested_at) : undefined;
  const needsReason = running.problem?.type.endsWith('/needs-reason') ?? false;
  const name = `${path.tournament_id}/${path.stage}/${path.round}`;
  const settled = useSettled(name);
  const publish = async ({ detail }: MouseEvent) => {
    if (!settled || detail > 1) return;
    const body = code ? { reason: { code } } : {};
    const startsAt = start ? momentIn(round.time_zone, start) : code ? undefined : rested;
    const said = `${name}/${round.version}/${code}/${startsAt}`;
    const begins = startsAt ? { starts_at: startsAt } : {};
    let { version } = round;
    hold();
    if (round.status === 'draft') {
      const confirmed = await running.send(`${said}/confirm`, async ({ headers, signal }) => {
        const found = await confirmRound({ client: own.pairing, path, body, headers: { ...headers, 'If-Match': version }, signal });
        version = found.response?.headers.get('ETag') ?? version;
        return found;
      });
      if (!confirmed) return;
    }
    const published = await running.send(`${said}/publish`, ({ headers, signal }) =>
      publishRound({ client: own.pairing, path, body: { ...body, ...begins }, headers: { ...headers, 'If-Match': version }, signal }),
    );
    if (!published) return;
    lastReason = code;
    tell(texts.director.done(texts.director.publish(path.round)));
  };
  return (
    <div class="card publishing no-print">
      <div class="row">
        <PrintButton />
        <button type="button" class="button primary" aria-disabled={running.busy || !settled || undefined} onClick={(event) => void publish(event)}>
          {texts.director.publish(path.round)}
        </button>
      </div>
      <Sending running={running} />
      {rested && !start && (
        <Choose
          label={texts.director.begins}
          value={code}
          options={[
            ['', texts.director.afterRest(time(rested, round.time_zone))],
            ...Object.entries(texts.director.reasonCodes).map(([one, reason]) => [one, texts.director.atOnce(reason)] as const),
          ]}
          change={(value) => choose(value as ReasonCode | '')}
        />
      )}
      <details open={needsReason || start !== ''}>
        <summary>{texts.director.beginLater}</summary>
        <Moment label={texts.director.beginsAt} zone={round.time_zone} value={start} change={wait} />
      </details>
      {(needsReason || code) && (!rested || start) && <ReasonField code={code} choose={choose} />}
    </div>
  );
}

/** Whether a moment has not come yet; the page is drawn again when it comes. */
function useIsAhead(moment: string | null | undefined): boolean {
  const [, redraw] = useState(0);
  const left = moment ? Date.parse(moment) - now() : 0;
  useEffect(() => {
    if (left <= 0) return undefined;
    const waiting = setTimeout(() => redraw((count) => count + 1), left);
    return () => clearTimeout(waiting);
  }, [moment]);
  return left > 0;
}

const MINUTE = 60_000;

/** People begin at whole minutes; never before the moment itself. */
function wholeMinute(moment: string): string {
  return new Date(Math.ceil(Date.parse(moment) / MINUTE) * MINUTE).toISOString();
}

function ReasonField({ code, choose }: { code: ReasonCode | ''; choose: (code: ReasonCode | '') => void }) {
  const { texts } = useSpeech();
  return (
    <Choose
      label={texts.director.reason}
      value={code}
      options={[['', texts.director.chooseReason], ...Object.entries(texts.director.reasonCodes)]}
      change={(value) => choose(value as ReasonCode | '')}
    />
  );
}

function Recalling({ path }: { path: Path }) {
  const { texts } = useSpeech();
  const [code, choose] = useState<ReasonCode | ''>('');
  const [words, say] = useState('');
  const body = { reason: { code: code || ('other' as const), ...(words ? { words } : {}) } };
  const name = `${path.tournament_id}/${path.stage}/${path.round}`;
  return (
    <Act
      title={texts.director.recall}
      what={`${name}/recall/${JSON.stringify(body)}`}
      absolute
      look={() => recallRound({ client: own.pairing, path, body, query: { dry_run: true } }) as Promise<Outcome<Foreseen>>}
      order={(to) => recallRound({ client: own.pairing, path, body, ...to })}
    >
      <ReasonField code={code} choose={choose} />
      <Words label={texts.director.words} value={words} change={say} />
    </Act>
  );
}

// Who sits where

const FAR_ENOUGH = 6; // pixels: less is a press

type Held = { entrant: string; over?: string };

/** Two change places by being dragged onto each other, or by the keyboard: Enter takes one up, arrows go on, Enter lays it down. */
function Board({ path, round }: { path: Path; round: RoundSeen }) {
  const { texts } = useSpeech();
  const [held, hold] = useState<Held>();
  const [wanted, want] = useState<[string, string]>();
  const latest = useRef(wanted);
  latest.current = wanted;
  const board = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number; entrant: string; moves: boolean } | undefined>(undefined);
  const returning = useRef<string | undefined>(undefined);
  const ignoring = useRef(false); // the click that follows a drag
  const grounds = useGrounds(path.tournament_id, path.stage, path.round, round.version);
  const players = [...round.pairs.flatMap(({ seats }) => seats), ...round.byes];
  const nameOf = (entrant: string) => seatName(players.find((one) => one.entrant === entrant) ?? {});
  const can = round.status !== 'completed' && (round.allowed_actions.swapEntrants?.allowed ?? false);

  const press = (entrant: string) => {
    if (ignoring.current) {
      ignoring.current = false;
      return;
    }
    if (!can) return;
    if (!held) hold({ entrant });
    else {
      hold(undefined);
      if (held.entrant !== entrant) want([held.entrant, entrant]);
    }
  };
  const seatAt = (x: number, y: number) => document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
  const down = (event: PointerEvent) => {
    const from = event.target instanceof Element ? event.target : undefined;
    const entrant = from?.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
    ignoring.current = false;
    if (!can || !entrant || event.button !== 0) return;
    if (event.pointerType !== 'mouse' && !from?.closest('.grip')) return; // a finger elsewhere moves the page
    start.current = { x: event.clientX, y: event.clientY, entrant, moves: false };
  };
  useEffect(() => {
    const move = (event: PointerEvent) => {
      const from = start.current;
      if (!from) return;
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > FAR_ENOUGH) from.moves = true;
      if (!from.moves) return;
      event.preventDefault();
      const over = seatAt(event.clientX, event.clientY);
      hold({ entrant: from.entrant, ...(over && over !== from.entrant ? { over } : {}) });
    };
    const up = (event: PointerEvent) => {
      const from = start.current;
      start.current = undefined;
      if (!from?.moves) return;
      ignoring.current = true;
      setTimeout(() => {
        ignoring.current = false; // no click comes where it was let go over something else
      });
      hold(undefined);
      const to = seatAt(event.clientX, event.clientY);
      if (event.type === 'pointerup' && to && to !== from.entrant) want([from.entrant, to]);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
    return () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
  }, []);

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hold(undefined);
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const seats = [...(board.current?.querySelectorAll<HTMLElement>('[data-seat]') ?? [])];
    const next = seats[seats.findIndex((seat) => seat === document.activeElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  const focusOn = (entrant: string) => board.current?.querySelector<HTMLElement>(`[data-seat="${CSS.escape(entrant)}"]`)?.focus();
  const back = (from: [string, string]) => {
    if (latest.current !== from) return; // others are looked at by now
    want(undefined);
    returning.current = from[0];
    focusOn(from[0]);
  };
  useLayoutEffect(() => {
    // Whoever has changed places is drawn anew elsewhere: who works with keys goes on from there.
    if (returning.current && document.activeElement === document.body) focusOn(returning.current);
    returning.current = undefined;
  }, [round.version]);
  const why = new Map((grounds.answer?.pairs ?? []).map((pair) => [pair.table, pair.why]));
  return (
    <div class={`board${can ? ' can-swap' : ''}${held ? ' holding' : ''}`} ref={board} onPointerDown={down} onKeyDown={onKey}>
      {can && <p class="soft small no-print">{texts.director.swapHow}</p>}
      <p class="held-news" role="status">
        {held ? texts.director.holds(nameOf(held.entrant)) : ''}
      </p>
      {wanted && <Swap key={wanted.join()} path={path} round={round} wanted={wanted} nameOf={nameOf} close={() => back(wanted)} />}
      <ul class="pairs">
        {round.pairs.map((pair) => (
          <li key={pair.table} class="card pair">
            <div class="pair-table">
              <span>{texts.rounds.table}</span>
              <strong>{pair.label ?? pair.table}</strong>
            </div>
            <div class="pair-seats">
              {pair.seats.map((seat) => (
                <SeatButton key={seat.entrant} seat={seat} held={held} can={can} begins={pair.first === seat.entrant} press={press} />
              ))}
              <Why pair={pair} why={why.get(pair.table)} />
            </div>
          </li>
        ))}
      </ul>
      {round.byes.length > 0 && (
        <div class="byes">
          <h3>{texts.rounds.byes}</h3>
          {round.byes.map((seat) => (
            <SeatButton key={seat.entrant} seat={seat} held={held} can={can} begins={false} press={press} />
          ))}
        </div>
      )}
      <Resting round={round} />
      <ByName round={round} />
      {grounds.answer && (
        <details class="legend no-print">
          <summary>{texts.director.howPaired}</summary>
          <ul lang="en" class="small">
            {grounds.answer.explanation.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {grounds.answer.decisions.map((decision) => (
            <p key={decision.act + decision.doubts.join()} class="small" lang="en">
              {decision.doubts.join(' ')} – {decision.reason} {decision.words}
            </p>
          ))}
        </details>
      )}
    </div>
  );
}

function SeatButton({
  seat,
  held,
  can,
  begins,
  press,
}: {
  seat: Player;
  held: Held | undefined;
  can: boolean;
  begins: boolean;
  press: (entrant: string) => void;
}) {
  const { texts } = useSpeech();
  const looks = [held?.entrant === seat.entrant ? ' held' : '', held?.over === seat.entrant ? ' over' : ''].join('');
  const name = (
    <>
      <span class="seat-number">{seat.number}</span>
      <span class="seat-who">
        {seatName(seat)}
        {seat.home && <span class="home">{seat.home}</span>}
      </span>
      {begins && <span class="begins">{texts.rounds.begins}</span>}
    </>
  );
  if (!can) return <div class="seat-button">{name}</div>;
  return (
    <button
      type="button"
      class={`seat-button${looks}`}
      id={`seat-${seat.entrant}`}
      data-seat={seat.entrant}
      aria-pressed={held?.entrant === seat.entrant}
      onClick={() => press(seat.entrant)}
    >
      <span class="grip no-print" aria-hidden="true">
        ⠿
      </span>
      {name}
    </button>
  );
}

function Why({ pair, why }: { pair: Pair; why: string[] | undefined }) {
  const { texts } = useSpeech();
  if (why === undefined) return null;
  const group = pair.group && texts.rounds.group(pair.group);
  if (!why.length) return <p class="pair-note no-print">{[group, texts.director.byHand].filter(Boolean).join(' ')}</p>;
  return (
    <>
      {group && <p class="pair-note no-print">{group}</p>}
      <details class="pair-note no-print">
        <summary>{texts.director.whyThese}</summary>
        <p lang="en">{why.join(' ')}</p>
      </details>
    </>
  );
}

/** On paper everybody looks for the own name. */
function ByName({ round }: { round: Round }) {
  const { texts, before } = useSpeech();
  const sitting = round.pairs.flatMap(({ seats, table, label }) => seats.map((seat) => ({ seat, at: label ?? String(table) })));
  return (
    <section class="only-print section">
      <h3>{texts.rounds.byName}</h3>
      <ul class="names">
        {sitting
          .sort((one, other) => before(seatName(one.seat), seatName(other.seat)))
          .map(({ seat, at }) => (
            <li key={seat.entrant}>
              <span class="who">{seatName(seat)}</span>
              <span class="where">
                {texts.rounds.table} {at}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}

function Resting({ round }: { round: Round }) {
  const { texts } = useSpeech();
  const kinds: [Player[], string][] = [
    [round.requested_byes, texts.rounds.requestedBye],
    [round.missing, texts.rounds.missing],
  ];
  const resting = kinds.flatMap(([players, said]) => players.map((player) => ({ player, said })));
  if (!resting.length) return null;
  return (
    <ul class="row">
      {resting.map(({ player, said }) => (
        <li key={player.entrant}>
          {seatName(player)} <span class="badge">{said}</span>
        </li>
      ))}
    </ul>
  );
}

/** What would come of two who change places: who would sit where, what it breaks, and then it happens or not. */
function Swap({
  path,
  round,
  wanted,
  nameOf,
  close,
}: {
  path: Path;
  round: RoundSeen;
  wanted: [string, string];
  nameOf: (entrant: string) => string;
  close: () => void;
}) {
  const { texts } = useSpeech();
  const running = useOrder();
  const tell = useTell();
  const [seen, see] = useState<Foreseen>();
  const [code, choose] = useState<ReasonCode | ''>('');
  const [words, say] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const published = !IN_MAKING.includes(round.status);
  const swap: [{ entrant: string }, { entrant: string }] = [{ entrant: wanted[0] }, { entrant: wanted[1] }];
  const reason = code ? { reason: { code, ...(words ? { words } : {}) } } : {};
  useEffect(() => {
    void running.look(() => swapEntrants({ client: own.pairing, path, body: { swap }, query: { dry_run: true } }) as Promise<Outcome<Foreseen>>).then(see);
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.focus();
  }, []);
  const instead: Record<string, string> = { [wanted[0]]: wanted[1], [wanted[1]]: wanted[0] };
  const tables = round.pairs.filter(({ seats }) => seats.some(({ entrant }) => entrant in instead));
  const byes = round.byes.filter(({ entrant }) => entrant in instead);
  const needed = published || (seen?.doubts.length ?? 0) > 0;
  const change = async () => {
    const body = { swap, ...reason };
    const done = await running.send(`swap/${round.version}/${JSON.stringify(body)}`, ({ headers, signal }) =>
      swapEntrants({ client: own.pairing, path, body, headers: { ...headers, 'If-Match': round.version }, signal }),
    );
    if (!done) return;
    tell(texts.director.done(texts.director.swap(nameOf(wanted[0]), nameOf(wanted[1]))));
    close();
  };
  return (
    <div
      class="card swap"
      role="group"
      aria-label={texts.director.swap(nameOf(wanted[0]), nameOf(wanted[1]))}
      tabIndex={-1}
      ref={place}
      onKeyDown={(event) => {
        event.stopPropagation(); // arrows and Escape of the board are meant for seats
        if (event.key === 'Escape') close();
        if (event.key === 'Enter' && event.target === place.current && seen && !(needed && !code)) void change();
      }}
    >
      <b>{texts.director.swap(nameOf(wanted[0]), nameOf(wanted[1]))}</b>
      <ul>
        {tables.map(({ table, label, seats }) => (
          <li key={table}>
            {texts.rounds.table} {label ?? table}: {versus(seats.map(({ entrant }) => nameOf(instead[entrant] ?? entrant)))}
          </li>
        ))}
        {byes.map(({ entrant }) => (
          <li key={entrant}>
            {texts.rounds.byes}: {nameOf(instead[entrant] ?? entrant)}
          </li>
        ))}
      </ul>
      <Breaks seen={seen} running={running} />
      {seen && needed && (
        <>
          <ReasonField code={code} choose={choose} />
          <Words label={texts.director.words} value={words} change={say} />
        </>
      )}
      <div class="row">
        <button
          type="button"
          class="button primary"
          disabled={!seen || (needed && !code)}
          aria-disabled={running.busy || undefined}
          onClick={() => void change()}
        >
          {texts.director.changePlaces}
        </button>
        <button type="button" class="button" onClick={close}>
          {texts.desk.cancel}
        </button>
      </div>
      <Sending running={running} />
    </div>
  );
}

function Breaks({ seen, running }: { seen: Foreseen | undefined; running: Running }) {
  const { texts } = useSpeech();
  if (!seen) return running.problem ? null : <span class="skeleton" />;
  const broken = seen.doubts.length + seen.remarks.length + seen.lost.length;
  if (!broken) return <p class="note">{texts.director.breaksNothing}</p>;
  return <WouldCome seen={{ lost: seen.lost, doubts: seen.doubts, remarks: seen.remarks }} />;
}
