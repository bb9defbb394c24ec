/** What comes from the tables: disputes first, then reports that wait; decided, or corrected after it was shown what that changes. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { confirmResult, correctResult, decideResult, voidGame } from 'roundlog/results/sdk.gen.ts';
import type { ToDecide } from 'roundlog/results/types.gen.ts';
import { supposeResult } from 'roundlog/standings/sdk.gen.ts';

import { hasCome, type Outcome } from '../../api/answer_cache.ts';
import { useGame, type Game, type RulingForeseen, type Supposed, type Tournament } from '../../api/director.ts';
import { useOwnRound, useRules, type GameListed, type RoundOfGames, type Rules } from '../../api/own.ts';
import { useStages } from '../../api/public.ts';
import { own } from '../../api/session.ts';
import { stageOf } from '../../api/stages.ts';
import { matches, ProblemNote, Search, Section } from '../../parts/basics.tsx';
import { seatName, stageName, versus } from '../../parts/names.ts';
import { shownScores } from '../../parts/pairs.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { AtTable } from './at_table.tsx';
import type { Directed } from './given.ts';
import { Act, OrderButton, Words } from './order.tsx';
import { Protests } from './protests.tsx';
import { Objected, Reported } from './reports.tsx';
import { shownResult } from './scorer.tsx';
import { fieldsOf, NOTHING, report, TellFields, type Fault, type Fields } from './report_form.tsx';

type Of = { tournament: string; stage: string; round: number };

const URGENCY: Record<GameListed['status'], number> = {
  disputed: 0,
  reported: 1,
  started: 2,
  pending: 2,
  postponed: 3,
  final: 4,
  voided: 4,
  recalled: 5,
};

export function RulingsPart({ tournament, stages, comes, underWay, following }: Directed) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState<string>();
  const published = (stages?.stages ?? []).flatMap(({ stage, title, system, rounds }) =>
    rounds
      .filter(({ status }) => status === 'published' || status === 'completed')
      .map(({ round }) => ({ stage, title, system, round, key: `${stage}/${round}` })),
  );
  const waiting = underWay?.rounds.map(({ stage, round }) => `${stage}/${round}`) ?? [];
  const shown =
    published.find(({ key }) => key === chosen) ?? published.find(({ key }) => waiting.includes(key)) ?? published.at(-1);
  if (!shown) return comes ? <div class="desk-space" aria-busy="true" /> : <p class="empty">{texts.rounds.none}</p>;
  return (
    <>
      {published.length > 1 && (
        <div class="steps desk-choice" role="group" aria-label={texts.desk.round}>
          {published.map((one) => (
            <button key={one.key} type="button" aria-pressed={one === shown} onClick={() => choose(one.key)}>
              {(stages?.stages.length ?? 0) > 1 && `${stageName(texts, one)}, `}
              {texts.rounds.round(one.round)}
            </button>
          ))}
        </div>
      )}
      <RoundToRule
        key={shown.key}
        tournament={tournament}
        of={{ tournament: tournament.id, stage: shown.stage, round: shown.round }}
        hold={() => choose(shown.key)}
      />
      {following}
    </>
  );
}

/** `hold`: this round stays on the page, whatever comes next: somebody rules on one of its games. */
function RoundToRule({ tournament, of, hold }: { tournament: Tournament; of: Of; hold: () => void }) {
  const { texts } = useSpeech();
  const [wanted, want] = useState('');
  const [chosen, choose] = useState<string>();
  const asked = useOwnRound(of.tournament, of.stage, of.round);
  const rules = useRules(of.tournament);
  const whole = asked.answer;
  if (!whole || !hasCome(rules)) return asked.problem ? <ProblemNote problem={asked.problem} /> : <div class="desk-space" aria-busy="true" />;
  const urgent = (game: GameListed) => (game.heard?.director ? 0 : URGENCY[game.status]);
  const games = whole.items
    .filter((game) => matches(wanted, game.label ?? game.table, ...game.seats.map(seatName)))
    .sort((one, other) => urgent(one) - urgent(other) || one.table - other.table);
  const game = whole.items.find(({ id }) => id === chosen);
  return (
    <>
      <div class="columns desk-columns">
        <Section
          title={texts.rounds.round(of.round)}
          end={<span class="soft small">{texts.desk.ofAll(whole.missing, whole.games)}</span>}
        >
          <Search label={texts.director.findGame} value={wanted} change={want} />
          <ul class="ledger found-games">
            {games.map((one) => (
              <GameLine
                key={one.id}
                game={one}
                rules={rules.answer}
                chosen={one.id === chosen}
                choose={() => {
                  choose(one.id);
                  hold();
                }}
              />
            ))}
          </ul>
        </Section>
        {game ? (
          <GamePanel key={game.id} of={of} game={game} whole={whole} rules={rules.answer} />
        ) : (
          <p class="empty">{texts.director.chooseGame}</p>
        )}
      </div>
      <Protests tournament={tournament} games={whole.items} />
    </>
  );
}

function GameLine({ game, rules, chosen, choose }: { game: GameListed; rules: Rules | undefined; chosen: boolean; choose: () => void }) {
  const speech = useSpeech();
  const { texts } = speech;
  const looks = game.status === 'disputed' || game.heard?.director ? ' loss' : game.status === 'reported' ? ' draw' : '';
  return (
    <li>
      <button type="button" class="ledger-line" aria-pressed={chosen} onClick={choose}>
        <span class="ledger-table">{game.label ?? game.table}</span>
        <span class="ledger-who">
          {game.seats.map((seat, index) => (
            <span key={seat.entrant}>{game.result?.winner === index ? <b>{seatName(seat)}</b> : seatName(seat)}</span>
          ))}
        </span>
        <span class="ledger-end">
          {game.result ? <b class="nowrap">{shownScores(game).map(speech.number).join(' : ')}</b> : null}
          {game.result && game.result.end !== 'played' && <span class="small">{shownResult(speech, game, rules).split(', ').at(-1)}</span>}
          {!game.result && <span class={`badge${looks}`}>{texts.desk.status[game.status]}</span>}
          {game.corrected && <span class="badge">{texts.rounds.corrected}</span>}
        </span>
      </button>
    </li>
  );
}

/** Who has won although all is equal, by a deciding duel or a lot; otherwise the scores say it. */
function goingOn(game: GameListed): string {
  const { winner } = game.result ?? {};
  const seat = typeof winner === 'number' && new Set(shownScores(game)).size === 1 ? game.seats[winner] : undefined;
  return seat ? seatName(seat) : '';
}

function GamePanel({ of, game, whole, rules }: { of: Of; game: GameListed; whole: RoundOfGames; rules: Rules | undefined }) {
  const speech = useSpeech();
  const { texts } = speech;
  const { answer: sheet, problem } = useGame(game.id);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.focus();
  }, []);
  const seats = game.seats.map(seatName);
  const can = sheet?.allowed_actions;
  return (
    <div class="card game-panel" tabIndex={-1} ref={place} role="group" aria-label={`${texts.desk.tableNumber} ${game.label ?? game.table}`}>
      <h2>
        {texts.desk.tableNumber} {game.label ?? game.table}: {versus(seats)}
      </h2>
      {game.result && (
        <p>
          <b>{shownResult(speech, game, rules)}</b> <span class="badge win">{texts.desk.status.final}</span>
          {goingOn(game) && ` ${texts.director.goesOn(goingOn(game))}`}
        </p>
      )}
      {game.correction?.reason && <p class="soft small">{game.correction.reason}</p>}
      {!sheet && (problem ? <ProblemNote problem={problem} /> : <span class="skeleton" />)}
      {sheet && <Reports sheet={sheet} game={game} rules={rules} />}
      {sheet && can?.decideResult?.allowed && !game.result && (
        <Ruling kind="decide" game={game} of={of} whole={whole} rules={rules} open={game.status === 'disputed'} stands={reported(game, sheet.reports ?? [])} />
      )}
      {sheet && can?.correctResult?.allowed && game.result && (
        <Ruling kind="correct" game={game} of={of} whole={whole} rules={rules} stands={standing(game.result, sheet.reports ?? [])} />
      )}
      {sheet && <AtTable sheet={sheet} seats={seats} />}
      {sheet && can?.voidGame?.allowed && <Voiding game={game} of={of} />}
    </div>
  );
}

function Reports({ sheet, game, rules }: { sheet: Game; game: GameListed; rules: Rules | undefined }) {
  const { texts } = useSpeech();
  const reports = sheet.reports ?? [];
  if (!reports.length && !sheet.objections) return null;
  const by = (entrant: string | null) => {
    const seat = game.seats.find((one) => one.entrant === entrant);
    return seat ? seatName(seat) : texts.desk.byOfficial;
  };
  return (
    <div class="said">
      <h3>{texts.desk.said}</h3>
      {sheet.objections !== null && sheet.objections > 0 && <p>{texts.director.objections(sheet.objections)}</p>}
      <Objected objected={sheet.objected} nameOf={by} />
      <ul class="said-list">
        {reports.map((one) => (
          <li key={one.number}>
            <Reported report={one} seats={game.seats.map(seatName)} by={by(one.entrant)} rules={rules} />
            {!game.result && sheet.allowed_actions.confirmResult?.allowed && (
              <OrderButton
                what={`${game.id}/confirm/${one.number}`}
                order={(to) => confirmResult({ client: own.results, path: { game_id: game.id }, body: { report: one.number }, ...to })}
              >
                {texts.desk.confirm}
              </OrderButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The result that stands, as it would be typed: from the report that it came from, or else from its scores. */
function standing(result: NonNullable<GameListed['result']>, reports: NonNullable<Game['reports']>): Fields {
  const { scores, end, by, end_reason, winner, deciding } = result;
  const source = reports.findLast((one) => String(one.result.scores) === String(scores) && one.result.end === end);
  const said = {
    scores,
    end,
    ...(winner === null ? {} : { winner }),
    ...(by === null ? {} : { by }),
    ...(end_reason === null ? {} : { end_reason }),
    deciding: deciding ?? [],
  };
  return fieldsOf({ ...said, ...source?.said });
}

/** What nobody contradicts need not be typed again by whoever decides it, as when the other side has left. */
function reported(game: GameListed, reports: NonNullable<Game['reports']>): Fields {
  const [only, ...others] = reports;
  return only && !others.length && game.status === 'reported' ? standing(only.result, [only]) : NOTHING;
}

/** `supposed`: nothing where standings could not say it. */
type Seen = RulingForeseen & { supposed?: Supposed | undefined };

/** What the official says of the game: shown with what it changes before it is said. */
function Ruling({
  kind,
  game,
  of,
  whole,
  rules,
  open,
  stands = NOTHING,
}: {
  kind: 'decide' | 'correct';
  game: GameListed;
  of: Of;
  whole: RoundOfGames;
  rules: Rules | undefined;
  open?: boolean;
  /** What is there to be corrected, or decided. */
  stands?: Fields;
}) {
  const { texts } = useSpeech();
  const [typed, change] = useState<Fields>();
  const fields = typed ?? stands;
  const [fault, setFault] = useState<Fault>();
  const [reason, say] = useState('');
  const seats = game.seats.map(seatName);
  const told = report({ family: whole.family, seats, rules, fields, isMatch: game.match !== null }, texts);
  const body = 'body' in told ? ({ ...told.body, reason } as ToDecide) : undefined;
  const say_ = kind === 'decide' ? decideResult : correctResult;
  const to = { client: own.results, path: { game_id: game.id } };
  const refused = (): Outcome<never> => {
    if ('field' in told) setFault(told);
    return { error: { type: '/problems/faulty', title: '', status: 422, detail: 'field' in told ? told.says : '' } };
  };
  const look = async (): Promise<Outcome<Seen>> => {
    if (!body) return refused();
    const found = (await say_({ ...to, body, query: { dry_run: true } })) as Outcome<RulingForeseen>;
    if (!found.data) return { error: found.error, response: found.response };
    const path = { tournament_id: of.tournament, stage: of.stage };
    const { after } = found.data;
    const supposed = await supposeResult({ client: own.standings, path, body: { game: game.id, result: after } as never });
    return { data: { ...found.data, supposed: supposed.data as Supposed | undefined } };
  };
  return (
    <Act<Seen, unknown>
      title={texts.director[kind]}
      open={open ?? false}
      what={`${game.id}/${kind}/${JSON.stringify(body)}`}
      look={look}
      order={(sending) => (body ? say_({ ...to, body, ...sending }) : Promise.resolve(refused()))}
      shown={(seen) => <Moves seen={seen} seats={seats} rules={rules} game={game} tournament={of.tournament} />}
      done={() => {
        change(undefined);
        say('');
      }}
    >
      <TellFields
        family={whole.family}
        seats={seats}
        rules={rules}
        isMatch={game.match !== null}
        fields={fields}
        change={(changed) => {
          change(changed);
          setFault(undefined);
        }}
        fault={fault}
        id={`ruling-${game.id}`}
      />
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}

type OfMoves = { seen: Seen; seats: string[]; game: GameListed; rules: Rules | undefined; tournament: string };

/** Which places would be others, in the language of the reader. */
function Moves({ seen, seats, game, rules, tournament }: OfMoves): ComponentChildren {
  const speech = useSpeech();
  const { texts, number } = speech;
  const stages = useStages(tournament).answer;
  const { after, rounds, supposed } = seen;
  const moved = (supposed?.tables ?? []).flatMap(({ moved, title, stage }) =>
    moved.filter(({ before, after: place }) => before !== place).map((one) => ({ ...one, of: stageName(texts, stageOf(stages, stage) ?? { stage, title }) })),
  );
  return (
    <div class="note stack">
      {after && (
        <p>
          {versus(seats)} <b>{shownResult(speech, { ...game, result: after }, rules)}</b>
        </p>
      )}
      <b>{!supposed ? texts.director.placesUnknown : moved.length ? texts.director.placesMove : texts.director.noPlaceMoves}</b>
      {moved.length > 0 && (
        <ul>
          {moved.map(({ entrant, name, before, after: place, of }) => (
            <li key={of + entrant}>
              {name ?? entrant}: {before === null ? '–' : number(before)} → <b>{place === null ? '–' : number(place)}</b>
            </li>
          ))}
        </ul>
      )}
      {rounds.map(({ stage, round }) => (
        <p key={`${stage}/${round}`} class="small">
          {texts.director.roundStays(round)}
        </p>
      ))}
    </div>
  );
}

function Voiding({ game, of }: { game: GameListed; of: Of }) {
  const { texts } = useSpeech();
  const [reason, say] = useState('');
  const [replay, setReplay] = useState(true);
  const body = { reason, replay };
  const path = { game_id: game.id };
  return (
    <Act
      title={texts.director.voidGame}
      what={`${of.tournament}/${game.id}/void/${JSON.stringify(body)}`}
      look={() => voidGame({ client: own.results, path, body, query: { dry_run: true } }) as Promise<Outcome<RulingForeseen>>}
      order={(to) => voidGame({ client: own.results, path, body, ...to })}
      done={() => say('')}
    >
      <label class="tick">
        <input type="checkbox" checked={replay} onChange={({ currentTarget }) => setReplay(currentTarget.checked)} />
        <span>{texts.director.replay}</span>
      </label>
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}
