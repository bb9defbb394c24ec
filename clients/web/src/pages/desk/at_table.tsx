/** What happens at a table besides its result: clocks, a game put off, a lot, a complaint. Each is shown where it can be done. */

import { useState } from 'preact/hooks';

import {
  answerComplaint,
  changeClock,
  complainAboutResult,
  drawBoards,
  drawSeats,
  drawWinner,
  postponeGame,
  resetClocks,
  resumeGame,
  startGame,
} from 'roundlog/results/sdk.gen.ts';

import type { Game } from '../../api/director.ts';
import type { To } from '../../api/orders.ts';
import { useStages } from '../../api/public.ts';
import { own } from '../../api/session.ts';
import { momentIn } from '../../parts/zone.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Act, Choose, Labelled, Moment, OrderButton, Words } from './order.tsx';

type Why = 'late' | 'special-needs' | 'penalty' | 'referee' | 'clock';
const WHY: Why[] = ['late', 'special-needs', 'penalty', 'referee', 'clock'];
const MINUTES = /^-?\d+([.,]\d+)?$/;

export function AtTable({ sheet, seats }: { sheet: Game; seats: string[] }) {
  const { texts, number, moment } = useSpeech();
  const zone = useStages(sheet.tournament).answer?.time_zone;
  const can = sheet.allowed_actions;
  const path = { game_id: sheet.id };
  const client = own.results;
  const name = `${sheet.id}/${sheet.status}`;
  const clocks = (sheet.terms?.clocks ?? []).filter(({ minutes }) => minutes !== null);
  const open = sheet.complaints.filter(({ upheld }) => upheld === null);
  const simple = {
    startGame: (to: To) => startGame({ client, path, body: {}, ...to }),
    resumeGame: (to: To) => resumeGame({ client, path, ...to }),
    drawBoards: (to: To) => drawBoards({ client, path, ...to }),
    drawSeats: (to: To) => drawSeats({ client, path, ...to }),
    drawWinner: (to: To) => drawWinner({ client, path, ...to }),
  };
  const shown = (Object.keys(simple) as (keyof typeof simple)[]).filter((one) => can[one]?.allowed);
  return (
    <>
      {clocks.length > 0 && (
        <p class="small soft">
          {clocks.map(({ minutes }, seat) => `${seats[seat] ?? ''}: ${texts.atTable.minutes(number(minutes ?? 0))}`).join(' · ')}
        </p>
      )}
      {sheet.status === 'postponed' && sheet.postponed_until && <p>{texts.atTable.until(moment(sheet.postponed_until, zone))}</p>}
      {shown.length > 0 && (
        <div class="row">
          {shown.map((one) => (
            <OrderButton key={one} what={`${name}/${one}`} order={simple[one]}>
              {texts.atTable[one]}
            </OrderButton>
          ))}
        </div>
      )}
      {open.map(({ number: complaint }) => (
        <Answering key={complaint} game={sheet.id} complaint={complaint} allowed={can.answerComplaint?.allowed ?? false} />
      ))}
      {can.postponeGame?.allowed && zone && <Postponing game={sheet.id} zone={zone} />}
      {can.changeClock?.allowed && <Clock sheet={sheet} seats={seats} />}
      {can.resetClocks?.allowed && <NewTime game={sheet.id} />}
      {can.complainAboutResult?.allowed && <Complaining game={sheet.id} />}
    </>
  );
}

function Clock({ sheet, seats }: { sheet: Game; seats: string[] }) {
  const { texts } = useSpeech();
  const [seat, choose] = useState('0');
  const [minutes, set] = useState('');
  const [why, because] = useState<Why>('late');
  const [reason, say] = useState('');
  const body = {
    seat: Number(seat),
    why,
    ...(MINUTES.test(minutes.trim()) ? { minutes: minutes.trim().replace(',', '.') } : {}),
    ...(reason ? { reason } : {}),
  };
  return (
    <Act
      title={texts.atTable.changeClock}
      what={`${sheet.id}/clock/${JSON.stringify(body)}`}
      order={(to) => changeClock({ client: own.results, path: { game_id: sheet.id }, body, ...to })}
      done={() => {
        set('');
        say('');
      }}
    >
      <Choose label={texts.atTable.whose} value={seat} options={seats.map((one, at) => [String(at), one])} change={choose} />
      <Choose label={texts.director.reason} value={why} options={WHY.map((one) => [one, texts.atTable.why[one]])} change={(value) => because(value as Why)} />
      <Labelled label={texts.atTable.howMany}>
        <input
          class="field"
          pattern="-?\d+([.,]\d+)?"
          required={why !== 'referee'}
          autocomplete="off"
          value={minutes}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </Labelled>
      <Words label={texts.director.words} value={reason} change={say} />
    </Act>
  );
}

function NewTime({ game }: { game: string }) {
  const { texts } = useSpeech();
  const [turns, count] = useState('');
  const [reason, say] = useState('');
  const body = { turns: Number(turns), ...(reason ? { reason } : {}) };
  return (
    <Act
      title={texts.atTable.resetClocks}
      what={`${game}/reset/${JSON.stringify(body)}`}
      order={(to) => resetClocks({ client: own.results, path: { game_id: game }, body, ...to })}
    >
      <Labelled label={texts.atTable.turns}>
        <input class="field" inputMode="numeric" pattern="[0-9]+" required value={turns} onInput={({ currentTarget }) => count(currentTarget.value)} />
      </Labelled>
      <Words label={texts.director.words} value={reason} change={say} />
    </Act>
  );
}

function Postponing({ game, zone }: { game: string; zone: string }) {
  const { texts } = useSpeech();
  const [until, wait] = useState('');
  const [reason, say] = useState('');
  const body = { ...(until ? { until: momentIn(zone, until) } : {}), ...(reason ? { reason } : {}) };
  return (
    <Act
      title={texts.atTable.postponeGame}
      what={`${game}/postpone/${JSON.stringify(body)}`}
      order={(to) => postponeGame({ client: own.results, path: { game_id: game }, body, ...to })}
    >
      <Moment label={texts.atTable.untilWhen} zone={zone} value={until} change={wait} />
      <Words label={texts.director.words} value={reason} change={say} />
    </Act>
  );
}

function Complaining({ game }: { game: string }) {
  const { texts } = useSpeech();
  const [reason, say] = useState('');
  return (
    <Act
      title={texts.atTable.complain}
      what={`${game}/complain/${reason}`}
      order={(to) => complainAboutResult({ client: own.results, path: { game_id: game }, body: { reason }, ...to })}
      done={() => say('')}
    >
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}

function Answering({ game, complaint, allowed }: { game: string; complaint: number; allowed: boolean }) {
  const { texts } = useSpeech();
  const [answer, choose] = useState('');
  const [reason, say] = useState('');
  const body = { upheld: answer === 'yes', reason };
  if (!allowed) return <p class="note">{texts.atTable.complaint}</p>;
  return (
    <Act
      title={texts.atTable.answerComplaint}
      what={`${game}/complaint/${complaint}/${JSON.stringify(body)}`}
      order={(to) => answerComplaint({ client: own.results, path: { game_id: game, number: complaint }, body, ...to })}
    >
      <Choose
        label={texts.atTable.complaint}
        value={answer}
        options={[['', ''], ['yes', texts.protests.upheld], ['no', texts.protests.dismissed]]}
        change={choose}
        required
      />
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}
