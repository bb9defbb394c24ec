/** Protests: raised for an entrant, and decided by three of whom one is the chief; and what the players present have voted on. */

import { useState } from 'preact/hooks';

import { decideProtest, fileProtest, recordPublicVote } from 'roundlog/results/sdk.gen.ts';
import type { Protest } from 'roundlog/results/types.gen.ts';

import { useEntries, useJudges, useProtests, type Tournament } from '../../api/director.ts';
import type { GameListed } from '../../api/own.ts';
import { own } from '../../api/session.ts';
import { ProblemNote, Section } from '../../parts/basics.tsx';
import { entrantName, seatName, versus } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Act, Choose, Labelled, Words } from './order.tsx';

type Option = readonly [string, string];

export function Protests({ tournament, games }: { tournament: Tournament; games: GameListed[] }) {
  const { texts, number } = useSpeech();
  const asked = useProtests(tournament.id);
  const entries = useEntries(tournament.id).answer ?? [];
  const found = asked.answer;
  if (!found) return asked.problem ? <ProblemNote problem={asked.problem} /> : null;
  const can = found.allowed_actions;
  const names: Option[] = entries
    .filter(({ entrant }) => !['withdrawn', 'struck-off', 'waiting'].includes(entrant.status))
    .map(({ entrant }) => [entrant.id, entrantName(entrant)]);
  const nameOf = (entrant: string) => names.find(([id]) => id === entrant)?.[1] ?? entrant;
  return (
    <Section title={texts.protests.title}>
      <div class="stack desk-narrow">
        {!found.protests.length && <p class="soft">{texts.protests.none}</p>}
        {found.protests.map((one) => (
          <article key={one.id} class="card protest">
            <p class="row">
              <b>{nameOf(one.entrant)}</b>
              <span class={`badge${one.upheld === null ? ' draw' : one.upheld ? ' win' : ''}`}>
                {one.upheld === null ? texts.protests.waits : one.upheld ? texts.protests.upheld : texts.protests.dismissed}
              </span>
            </p>
            <p>{one.words ?? texts.protests.erased}</p>
            {one.decision && <p class="soft">{one.decision}</p>}
            {one.council === null && can.decideProtest?.allowed && <Deciding tournament={tournament} protest={one} players={names} />}
          </article>
        ))}
        {found.votes.map((one) => (
          <p key={one.id}>
            {one.question ?? texts.protests.erased} <b>{`${number(one.in_favour)} : ${number(one.against)}`}</b>
          </p>
        ))}
        <div class="acts">
          {can.fileProtest?.allowed && <Raising tournament={tournament.id} names={names} games={games} />}
          {can.recordPublicVote?.allowed && <Voting tournament={tournament.id} />}
        </div>
      </div>
    </Section>
  );
}

function Raising({ tournament, names, games }: { tournament: string; names: Option[]; games: GameListed[] }) {
  const { texts } = useSpeech();
  const [entrant, choose] = useState('');
  const [game, sit] = useState('');
  const [reason, say] = useState('');
  const body = { entrant, reason, ...(game ? { game } : {}) };
  const own_ = games.filter(({ seats }) => !entrant || seats.some((seat) => seat.entrant === entrant));
  const tables = own_.map(({ id, label, table, seats }) => [id, `${label ?? table}: ${versus(seats.map(seatName))}`] as const);
  return (
    <Act
      title={texts.protests.raise}
      what={`${tournament}/protest/${JSON.stringify(body)}`}
      order={(to) => fileProtest({ client: own.results, path: { tournament_id: tournament }, body, ...to })}
      done={() => {
        for (const empty of [choose, sit, say]) empty('');
      }}
    >
      <Choose label={texts.protests.who} value={entrant} options={[['', ''], ...names]} change={choose} required />
      <Choose label={texts.protests.game} value={game} options={[['', '–'], ...tables]} change={sit} />
      <Words label={texts.protests.words} value={reason} change={say} required />
    </Act>
  );
}

const COUNCIL = 3;

/** The first of the three is the chief. Nobody votes about the own game, which results watches. */
function Deciding({ tournament, protest, players }: { tournament: Tournament; protest: Protest; players: Option[] }) {
  const { texts } = useSpeech();
  const judges = useJudges(tournament.id, tournament.federation);
  const [members, seat] = useState(() => Array.from({ length: COUNCIL }, () => ({ who: '', upholds: '' })));
  const [reason, say] = useState('');
  const council = members.map(({ who, upholds }, at) => ({
    member: who,
    upholds: upholds === 'yes',
    is_chief: at === 0,
    ...(players.some(([id]) => id === who) ? { entrant: who } : {}),
  }));
  const body = { council, reason };
  const seatOf = (at: number) => (at === 0 ? texts.protests.chief : texts.protests.member(at + 1));
  const change = (at: number, said: object) => seat((before) => before.map((one, nth) => (nth === at ? { ...one, ...said } : one)));
  return (
    <Act
      title={texts.protests.decide}
      what={`${protest.id}/decide/${JSON.stringify(body)}`}
      order={(to) =>
        decideProtest({ client: own.results, path: { tournament_id: tournament.id, protest_id: protest.id }, body, ...to })
      }
    >
      <p class="soft">{texts.protests.how}</p>
      {members.map(({ who, upholds }, at) => (
        <div key={at} class="council">
          <Choose
            label={seatOf(at)}
            value={who}
            options={[['', ''], ...judges.map((one) => [one, one] as const), ...(at === 0 ? [] : players.filter(([id]) => id !== protest.entrant))]}
            change={(chosen) => change(at, { who: chosen })}
            required
          />
          <Choose
            label={texts.protests.vote(seatOf(at))}
            value={upholds}
            options={[['', ''], ['yes', texts.protests.forIt], ['no', texts.protests.against]]}
            change={(chosen) => change(at, { upholds: chosen })}
            required
          />
        </div>
      ))}
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}

function Voting({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const [question, ask] = useState('');
  const [favour, count] = useState('');
  const [against, oppose] = useState('');
  const body = { question, in_favour: Number(favour), against: Number(against) };
  const figures: [string, string, (said: string) => void][] = [
    [texts.protests.forIt, favour, count],
    [texts.protests.against, against, oppose],
  ];
  return (
    <Act
      title={texts.protests.publicVote}
      what={`${tournament}/vote/${JSON.stringify(body)}`}
      order={(to) => recordPublicVote({ client: own.results, path: { tournament_id: tournament }, body, ...to })}
      done={() => {
        for (const empty of [ask, count, oppose]) empty('');
      }}
    >
      <Words label={texts.protests.question} value={question} change={ask} required />
      {figures.map(([label, value, change]) => (
        <Labelled key={label} label={label}>
          <input class="field" inputMode="numeric" pattern="[0-9]+" required value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
        </Labelled>
      ))}
    </Act>
  );
}
