/** One game: who played, how it ended, and its records move by move. */

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useGame, useRecords, type GameRecord } from '../../api/public.ts';
import { stageOf } from '../../api/stages.ts';
import { Failed, Section, Shown } from '../../parts/basics.tsx';
import { Board } from '../../parts/board.tsx';
import { seatName, stageName, type Seat } from '../../parts/names.ts';
import { moveSaid, positionsOf } from '../../parts/positions.ts';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';

export default function GamePage({ tournament, stages, game: id }: OfTournament & { game: string }) {
  const { texts, number } = useSpeech();
  const asked = useGame(tournament, id);
  const records = useRecords(tournament, id);
  const game = asked.answer;
  if (!game && asked.problem) return <Failed problem={asked.problem} />;
  if (!game || (!records.answer && !records.problem)) {
    return <Shown asked={{ answer: undefined, problem: undefined }} rows={8}>{() => null}</Shown>;
  }
  const seats: Seat[] = game.seats;
  const scores = (game.result?.scores.length ? game.result.scores : game.result?.points) as number[] | undefined;
  return (
    <div class="stack">
      <div>
        <h2>
          {seats.map((seat, index) => (
            <span key={seat.entrant}>
              {index > 0 && ' – '}
              <a class="plain-link" href={addresses.entrant(tournament, seat.entrant, game.stage)}>
                {seatName(seat)}
              </a>
            </span>
          ))}
        </h2>
        <p class="soft row">
          <a href={`${addresses.round(tournament, game.stage, game.round)}#table-${game.table}`}>
            {stageName(texts, stageOf(stages, game.stage) ?? game)}, {texts.rounds.round(game.round)}, {texts.rounds.table.toLowerCase()} {game.label ?? game.table}
          </a>
          {scores ? <b>{scores.map(number).join(' : ')}</b> : <span class="badge">{texts.entrant.plays}</span>}
        </p>
      </div>
      <Section title={texts.record.records}>
        <Shown asked={records}>
          {(answer) =>
            answer.records.length ? (
              <div class="stack">
                {answer.records.map((record, index) => (
                  <Recorded key={`${record.id} ${index}`} game={game.family ?? ''} record={record} seats={seats} only={answer.records.length === 1} />
                ))}
              </div>
            ) : (
              <p class="empty">{texts.record.none}</p>
            )
          }
        </Shown>
      </Section>
    </div>
  );
}

function Recorded({ game, record, seats, only }: { game: string; record: GameRecord; seats: Seat[]; only: boolean }) {
  const { texts } = useSpeech();
  const opener = seats.find(({ entrant }) => entrant === record.first);
  const title = [
    record.board !== null && record.duel !== null && texts.record.board(record.board + 1, record.duel + 1),
    texts.record.of(seatName(opener ?? {})),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <section class="card record" aria-label={title}>
      <div class="row">
        <h3>{title}</h3>
        {record.agrees !== null && (
          <span class={`badge ${record.agrees ? 'win' : 'loss'}`}>{record.agrees ? texts.record.agrees : texts.record.differs}</span>
        )}
      </div>
      {record.moves.length ? <Moves game={game} moves={record.moves} only={only} /> : <p class="soft">{texts.record.noBoard}</p>}
    </section>
  );
}

const back = (before: number) => before - 1;
const on = (before: number) => before + 1;
const PACE = 700; // milliseconds of a move when it is played

function Moves({ game, moves, only }: { game: string; moves: unknown[]; only: boolean }) {
  const speech = useSpeech();
  const { texts } = speech;
  const positions = useMemo(() => positionsOf(game, moves), [game, moves.length]);
  const last = moves.length;
  const [at, stepTo] = useState(last);
  const [plays, play] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const id = useId();
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setTimeout(() => {
      if (at + 1 >= last) play(false);
      stepTo(Math.min(last, at + 1));
    }, PACE);
    return () => clearTimeout(timer);
  }, [plays, at]);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  const go = (to: number | ((before: number) => number)) => {
    play(false);
    stepTo((before) => Math.max(0, Math.min(last, typeof to === 'number' ? to : to(before)))); // keys may come faster than it is drawn
  };
  const position = positions[at];
  const said = at ? `${texts.record.move(at, last)}: ${moveSaid(texts, moves[at - 1], position)}` : texts.record.start;
  const count = (colour: string) => position?.pieces.filter((piece) => piece.colour === colour).length ?? 0;
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowLeft: back, ArrowRight: on, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  };
  useEffect(() => {
    if (!only) return undefined; // with one board on the page its keys need no click before
    const anywhere = (event: KeyboardEvent) => {
      if (event.target === document.body) onKey(event);
    };
    addEventListener('keydown', anywhere);
    return () => removeEventListener('keydown', anywhere);
  });
  if (!position) return null;
  return (
    <div class="record-columns" onKeyDown={onKey}>
      <div class="stack">
        <Board position={position} title={said} id={id} />
        <div class="row record-buttons no-print">
          <Step sign={SIGNS.first} says={texts.record.first} go={() => go(0)} off={at === 0} />
          <Step sign={SIGNS.back} says={texts.record.back} go={() => go(back)} off={at === 0} />
          <button
            type="button"
            class="button"
            aria-pressed={plays}
            aria-label={plays ? texts.record.pause : texts.record.play}
            onClick={() => {
              if (!plays && at === last) stepTo(0);
              play(!plays);
            }}
          >
            <Sign path={plays ? SIGNS.pause : SIGNS.play} />
          </button>
          <Step sign={SIGNS.on} says={texts.record.on} go={() => go(on)} off={at === last} />
          <Step sign={SIGNS.last} says={texts.record.last} go={() => go(last)} off={at === last} />
        </div>
        <p role="status" class="record-said">
          {said}
          {game === 'othello' && <span class="soft"> · {texts.record.discs(count('black'), count('white'))}</span>}
        </p>
        <p class="soft small no-print">{texts.record.keys}</p>
      </div>
      <ol class="record-moves" ref={list} aria-label={texts.record.moves} tabIndex={0}>
        {moves.map((move, index) => (
          <li key={index}>
            <button type="button" aria-current={at === index + 1 ? 'step' : undefined} onClick={() => go(index + 1)}>
              {index + 1}. {moveSaid(texts, move, positions[index + 1])}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Step({ sign, says, go, off }: { sign: string; says: string; go: () => void; off: boolean }) {
  return (
    <button type="button" class="button" aria-label={says} aria-disabled={off} onClick={go}>
      <Sign path={sign} />
    </button>
  );
}

// Drawn, since not every font has these signs.
const SIGNS = {
  first: 'M4 4v12M16 4 7 10l9 6z',
  back: 'm12 5-6 5 6 5',
  on: 'm8 5 6 5-6 5',
  last: 'M16 4v12M4 4l9 6-9 6z',
  play: 'M6 4v12l10-6z',
  pause: 'M7 4v12M13 4v12',
};

function Sign({ path }: { path: string }) {
  return (
    <svg class="sign" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
