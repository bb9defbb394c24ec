/** The own page of a player or captain: the next game, what to say of it, and the own entry. */

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { hasCome, type Asked } from '../../api/answer_cache.ts';
import { now } from '../../api/clock.ts';
import { useDraft } from '../../api/drafts.ts';
import {
  GONE,
  sayOfEntry,
  useMeAtPairing,
  useMeAtStandings,
  useOwnGames,
  useOwnRound,
  useOwnTournament,
  useRules,
  useSheet,
  useTablesLive,
  type Game,
  type MeAtPairing,
  type MeAtRegistration,
  type MyEntry,
  type OwnGame,
  type Rules,
} from '../../api/own.ts';
import { useStages } from '../../api/public.ts';
import type { OutboxEntry, Told } from '../../api/sending.ts';
import { stageOf } from '../../api/stages.ts';
import { Section } from '../../parts/basics.tsx';
import { Countdown } from '../../parts/countdown.tsx';
import { seatName, stageName, statusName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import type { OfDesk } from './given.ts';
import { Entering } from './own_entry.tsx';
import { Entries, OutgoingMark, useEntering } from './outbox.tsx';
import { Decided, MyGames } from './my_games.tsx';
import { seatedAt } from './line_up.ts';
import { isOver, Over } from './over.tsx';
import { Sending } from './order.tsx';
import { Refusal } from './refusal.tsx';
import { isOwn, Said } from './reports.tsx';
import { latest } from './scorer.tsx';
import { NOTHING, report, TellFields, type Fault, type Fields } from './report_form.tsx';
import type { Problem } from 'roundlog/results/types.gen.ts';

const BEGUN = ['running', 'under-review', 'completed'];

export function OwnPage({ session, me, outgoing, registration }: OfDesk & { registration: Asked<MeAtRegistration> }) {
  const { texts } = useSpeech();
  const paired = useMeAtPairing();
  const pairing = paired.answer;
  const places = (useMeAtStandings().answer?.places ?? []).slice(-1);
  const mine = outgoing.entries.filter(({ who }) => who === session.who);
  const entered = latest(mine);
  const entries = registration.answer?.entries ?? [];
  const entrant = me.captain?.entrant;
  const about = useOwnTournament(me.captain?.tournament);
  const over = isOver(about) ? about : undefined;
  const playing = entries.find(({ status }) => BEGUN.includes(status));
  const hasBegun = about !== undefined && BEGUN.includes(about.status); // results know nothing of it before
  useTablesLive(hasBegun && !over ? me.captain?.tournament : undefined);
  const player = me.captain ? (hasBegun ? me.captain : undefined) : playing && { tournament: playing.tournament, entrant: playing.entry.entrant.id };
  const games = useOwnGames(player, me.tables.map(({ id }) => id)).answer ?? [];
  const name = about?.name ?? me.tables[0]?.tournament_name ?? pairing?.rounds[0]?.tournament_name ?? entries[0]?.name;
  const isNobody = !me.captain && me.offices.length === 0 && registration.answer !== undefined && entries.length === 0;
  const resting = (pairing?.rounds ?? []).filter(({ rests }) => rests !== null).slice(-1);
  const isFree = me.tables.length === 0 && resting.length === 0 && hasCome(paired); // pairing says who has a round off
  const isPlaced = places.some(({ round }) => round > 1) || isFree; // before that it is the order of numbers
  const mark = ({ about, order }: OutboxEntry, acknowledged: ComponentChildren) => {
    const game = games.find(({ id, status }) => id === about && status === 'final');
    if (!game || (order.act !== 'report' && order.act !== 'confirm')) return acknowledged;
    return (
      <Decided game={game} who={session.who}>
        {acknowledged}
      </Decided>
    );
  };
  return (
    <>
      <div class="desk-head">
        <h1>{name ?? texts.desk.own}</h1>
        <OutgoingMark outgoing={outgoing} who={session.who} />
        {isPlaced &&
          !over &&
          places.map((one) => (
            <a key={one.stage} href={addresses.entrant(one.tournament, entrant ?? '', one.stage)}>
              {texts.desk.place(one.place, one.of)}
            </a>
          ))}
      </div>
      {isNobody && <p class="note desk-choice">{texts.desk.noOffice(session.who)}</p>}
      <div class="columns desk-columns">
        <div class="stack">
          {over && <Over tournament={over} entrant={entrant} />}
          {!over && (
            <Section title={texts.desk.next}>
              {isFree && <p class="empty">{texts.desk.noGame}</p>}
              {me.tables.length === 0 &&
                resting.map((one) => (
                  <p key={one.stage} class="note">
                    {texts.rounds.round(one.round)}: {one.rests && texts.desk.rests[one.rests]}
                  </p>
                ))}
              <div class="stack">
                {me.tables.map((game) => (
                  <OwnTable
                    key={game.id}
                    game={game}
                    who={session.who}
                    entrant={entrant}
                    startsAt={startOf(pairing, game)}
                    sent={entered.get(game.id)?.state === 'waiting'}
                    team={entries.find((one) => one.entry.entrant.id === entrant)}
                  />
                ))}
              </div>
            </Section>
          )}
          {player && <MyGames {...player} games={games} who={session.who} mine={mine} />}
        </div>
        <div class="stack">
          {mine.length > 0 && <Entries entries={mine} all={outgoing.entries} outgoing={outgoing} mark={mark} />}
          {entries.map((one) => (
            <OwnEntry key={one.entry.entrant.id} one={one} />
          ))}
          {entries.length === 0 && registration.answer && !me.captain && <p class="empty">{texts.desk.noEntry}</p>}
          {!me.captain && registration.answer && <Entering entered={entries.map(({ tournament }) => tournament)} />}
        </div>
      </div>
    </>
  );
}

function startOf(pairing: MeAtPairing | undefined, game: OwnGame): string | undefined {
  const found = pairing?.rounds.find(({ stage, round }) => stage === game.stage && round === game.round);
  return found?.starts_at ?? undefined;
}

type OfTable = {
  game: OwnGame;
  who: string;
  entrant: string | undefined;
  startsAt: string | undefined;
  sent: boolean;
  team: MyEntry | undefined;
};

function OwnTable({ game, who, entrant, startsAt, sent, team }: OfTable) {
  const speech = useSpeech();
  const { texts } = speech;
  const { answer: sheet, problem: noSheet } = useSheet(game.id);
  const round = useOwnRound(sheet?.family ? undefined : game.tournament, game.stage, game.round).answer;
  const rules = useRules(game.tournament);
  const isWhole = Boolean((sheet ?? (noSheet && round)) && hasCome(rules)); // until then fields of another game would stand there
  const stages = useStages(game.tournament).answer;
  const seats = game.seats.map(seatName);
  const others = game.seats.filter((seat) => seat.entrant !== entrant).map(seatName);
  const table = game.label ?? String(game.table);
  const told: Told = { tournament: game.tournament, stage: game.stage, round: game.round, table, seats, said: '' };
  const reports = sheet?.reports ?? [];
  const own = reports.some((one) => isOwn(one, who));
  const theirs = reports.some((one) => !isOwn(one, who));
  const lineUp = sheet?.allowed_actions.giveLineUp?.allowed && !sheet.line_ups.some((one) => one.entrant === entrant);
  return (
    <article class="card own-table">
      <div class="own-where">
        <span class="own-number">
          <span class="soft small">{texts.rounds.table}</span>
          <strong>{table}</strong>
        </span>
        <div>
          <p>
            <b>{texts.desk.against(others.join(', '))}</b>
          </p>
          <p class="soft">
            {[
              game.room,
              (stages?.stages.length ?? 1) > 1 && stageName(texts, stageOf(stages, game.stage) ?? game),
              texts.rounds.round(game.round),
              game.number && texts.rounds.game(game.number),
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
          {startsAt && new Date(startsAt).getTime() > now() && (
            <p>
              {texts.desk.starts(speech.moment(startsAt, stages?.time_zone))} <Countdown until={startsAt} />
            </p>
          )}
          {game.first === entrant && <p>{texts.desk.youBegin}</p>}
        </div>
      </div>
      {game.status === 'disputed' && <p class="note problem">{texts.desk.notSame}</p>}
      {game.status === 'reported' && own && !theirs && <p class="note">{texts.desk.waitsForOther}</p>}
      {game.status === 'reported' && !own && theirs && <p class="note">{texts.desk.waitsForYou}</p>}
      <Said game={game.id} told={told} entrants={game.seats.map((seat) => seat.entrant)} who={who} rules={rules.answer} done={() => undefined} />
      {sheet?.allowed_actions.giveLineUp?.allowed && (sheet.terms?.boards ?? 0) > 0 && entrant && team && (
        <LineUp game={game.id} told={told} sheet={sheet} entrant={entrant} team={team} />
      )}
      {isWhole && sheet?.allowed_actions.reportResult?.allowed !== false && !sent && (
        <OwnReport told={told} game={game.id} seats={seats} family={sheet?.family ?? round?.family ?? null} rules={rules.answer} isMatch={game.match !== null} first={!own && !theirs} open={!own && !theirs && !lineUp} />
      )}
    </article>
  );
}

function OwnReport({
  told,
  game,
  seats,
  family,
  rules,
  isMatch,
  first,
  open,
}: {
  told: Told;
  game: string;
  seats: string[];
  family: Game['family'];
  rules: Rules | undefined;
  isMatch: boolean;
  /** Whether nobody has said anything yet. */
  first: boolean;
  open: boolean;
}) {
  const { texts } = useSpeech();
  const [fields, change] = useDraft<Fields>(game, NOTHING);
  const [fault, setFault] = useState<Fault>();
  const { keep, unkept } = useEntering(game);
  const form = useRef<HTMLFormElement>(null);
  const id = `own-${game}`;
  const save = () => {
    const found = report({ family, seats, rules, fields, isMatch }, texts);
    if ('field' in found) {
      setFault(found);
      form.current?.querySelector<HTMLElement>(`[id="${id}-${found.field}"]`)?.focus();
      return;
    }
    change(NOTHING);
    void keep({ act: 'report', told: { ...told, said: found.said }, body: found.body }).then((isKept) => isKept || change(fields));
  };
  return (
    <details class="own-report" open={open}>
      <summary>{first ? texts.desk.enter : texts.desk.change}</summary>
      <form
        class="stack"
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TellFields
          family={family}
          seats={seats}
          rules={rules}
          isMatch={isMatch}
          fields={fields}
          change={(changed) => {
            change(changed);
            setFault(undefined);
          }}
          fault={fault}
          id={id}
        />
        {unkept}
        <div>
          <button type="submit" class="button primary">
            {texts.desk.save}
          </button>
        </div>
      </form>
    </details>
  );
}

function LineUp({ game, told, sheet, entrant, team }: { game: string; told: Told; sheet: Game; entrant: string; team: MyEntry }) {
  const { texts } = useSpeech();
  const boards = sheet.terms?.boards ?? 0;
  const { persons, substitutes } = team.entry.entrant;
  const all = [...persons, ...substitutes];
  const given = sheet.line_ups.find((one) => one.entrant === entrant)?.persons;
  const usual = Array.from({ length: boards }, (_, board) => persons[board]?.id ?? '');
  const [seated, seat] = useState<string[]>();
  const { keep, unkept } = useEntering(game);
  const shown = seated ?? given?.map((person) => person ?? '') ?? usual;
  const send = () => {
    const persons = shown.map((person) => person || null);
    void keep({ act: 'line-up', told: { ...told, said: texts.desk.lineUpGiven }, body: { entrant, persons } });
  };
  return (
    <details class="own-report" open={!given}>
      <summary>
        {texts.desk.lineUp}
        {given && <span class="badge win">{texts.desk.lineUpGiven}</span>}
      </summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p class="soft small">{texts.desk.lineUpHow}</p>
        {shown.map((person, board) => (
          <label key={board} class="labelled beside">
            <span>{texts.desk.board(board + 1)}</span>
            <select
              class="field"
              value={person}
              onChange={({ currentTarget }) => seat(seatedAt(board, currentTarget.value, shown))}
            >
              <option value="">{texts.desk.nobody}</option>
              {all.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name ?? id}
                </option>
              ))}
            </select>
          </label>
        ))}
        {unkept}
        <div>
          <button type="submit" class="button primary">
            {texts.desk.lineUpSend}
          </button>
        </div>
      </form>
    </details>
  );
}

/** What an entry still needs, and what its own people say of it. */
function OwnEntry({ one }: { one: MyEntry }) {
  const { texts, number, day } = useSpeech();
  const [problem, setProblem] = useState<Problem>();
  const [busy, wait] = useState(false);
  const [sure, setSure] = useState(false);
  const { entry, allowed_actions: may } = one;
  const say = async (act: 'confirmPlace' | 'withdrawEntrant') => {
    if (busy) return;
    setSure(false);
    wait(true);
    setProblem(await sayOfEntry(act, one));
    wait(false);
  };
  const { name, persons, number: startNumber, status } = entry.entrant;
  const isGone = GONE.includes(status);
  const names = persons.map((person) => person.name).filter(Boolean).join(', ');
  return (
    <Section title={texts.desk.entry}>
      <div class="stack">
        <p>
          <a href={addresses.tournament(one.tournament)}>{one.name}</a>{' '}
          <span class="badge">{statusName(texts, one.status)}</span>
          <br />
          <span class="soft">{day(`${one.starts_on}T12:00:00Z`, 'UTC')}</span>
        </p>
        <p>
          {startNumber ? `${startNumber}. ` : ''}
          <b>{name ?? names}</b>
          {name && names && <span class="soft"> {names}</span>} {isGone && <span class="badge">{(texts.entrants.status as Record<string, string>)[status] ?? status}</span>}
        </p>
        {entry.due.length > 0 && (
          <p>
            {texts.desk.due}: <b>{entry.due.map(({ amount, currency }) => `${number(amount)} ${currency}`).join(' / ')}</b>
          </p>
        )}
        {entry.lacks.length > 0 && (
          <div class="note">
            <p>{texts.desk.lacks}</p>
            <ul>
              {entry.lacks.map((lack) => (
                <li key={lack.sentence} lang={texts.desk.lacking[lack.kind] ? undefined : 'en'}>
                  {texts.desk.lacking[lack.kind] ?? lack.sentence}
                </li>
              ))}
            </ul>
          </div>
        )}
        {entry.is_confirmed && may.confirmPlace?.allowed && <p>{texts.desk.placeConfirmed}</p>}
        <Sending running={{ busy, problem: undefined }} />
        {!busy && problem && <Refusal problem={problem} />}
        <div class="row">
          {may.confirmPlace?.allowed && !isGone && !entry.is_confirmed && (
            <button type="button" class="button primary" onClick={() => void say('confirmPlace')}>
              {texts.desk.confirmPlace}
            </button>
          )}
          {may.withdrawEntrant?.allowed && !isGone && !sure && (
            <button type="button" class="button" onClick={() => setSure(true)}>
              {texts.desk.withdrawEntry}
            </button>
          )}
        </div>
        {sure && (
          <div class="note problem stack" role="alert">
            <p>{texts.desk.withdrawSure}</p>
            <div class="row">
              <button type="button" class="button" onClick={() => void say('withdrawEntrant')}>
                {texts.desk.withdrawEntry}
              </button>
              <button type="button" class="button" onClick={() => setSure(false)}>
                {texts.desk.cancel}
              </button>
            </div>
          </div>
        )}
      </div>
    </Section>
  );
}
