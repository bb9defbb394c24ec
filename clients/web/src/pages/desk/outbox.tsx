/** What was entered here: what is on its way, what was refused and what to do about it, and what the service has acknowledged. */

import type { ComponentChildren } from 'preact';

import { useState } from 'preact/hooks';

import { again, drop, enter, isHeld, isOnItsWay, type Order, type OutboxEntry, type Outgoing, type Told } from '../../api/sending.ts';
import { Section } from '../../parts/basics.tsx';
import { versus } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Refusal } from './refusal.tsx';

const DONE_SHOWN = 3; // the others of the round are folded away

/** In a word, at the head of each desk: whether all has arrived. */
export function OutgoingMark({ outgoing, who }: { outgoing: Outgoing; who: string }) {
  const { texts } = useSpeech();
  const mine = outgoing.entries.filter((entry) => entry.who === who);
  const waiting = mine.filter(({ state }) => state === 'waiting').length;
  const refused = mine.filter(({ state }) => state === 'refused').length;
  return (
    <p class="row outgoing" role="status">
      {!outgoing.online && <span class="badge loss">{texts.desk.offline}</span>}
      {waiting > 0 && <span class="badge draw">{texts.desk.unsent(waiting)}</span>}
      {refused > 0 && <span class="badge loss">{texts.desk.refusedCount(refused)}</span>}
      {outgoing.online && !waiting && !refused && <span class="badge win">{texts.desk.allSent}</span>}
    </p>
  );
}

/** Enters what is said of a game. What the device could not keep is lost, and is said to be. */
export function useEntering(game: string): { keep: (order: Order) => Promise<boolean>; unkept: ComponentChildren } {
  const { texts } = useSpeech();
  const [lost, lose] = useState<Told>();
  const keep = async (order: Order) => {
    const isKept = await enter(game, order).then(
      () => true,
      () => false,
    );
    lose(isKept ? undefined : order.told);
    return isKept;
  };
  const unkept = lost && (
    <p class="note problem" role="alert">
      {texts.desk.unkept(lost.table, lost.said)}
    </p>
  );
  return { keep, unkept };
}

type Acts = {
  /** How it is mended; nothing where its game is not at hand. */
  mending?: (entry: OutboxEntry) => (() => Promise<void>) | undefined;
  /** Out of what is held, back into the fields; nothing where those are not on the page. */
  takeBack?: (entry: OutboxEntry) => (() => Promise<void>) | undefined;
  /** What became of what was acknowledged, if there is more to say than that. */
  mark?: (entry: OutboxEntry, acknowledged: ComponentChildren) => ComponentChildren;
};

export function Entries({
  entries,
  all,
  outgoing,
  of,
  ...acts
}: {
  entries: OutboxEntry[];
  all: OutboxEntry[];
  outgoing: Outgoing;
  /** Of which round all are wanted that were acknowledged; of other tournaments what is open. */
  of?: { tournament: string; stage: string; round: number };
} & Acts) {
  const { texts } = useSpeech();
  const open = entries.filter(({ state }) => state !== 'done');
  const isElsewhere = ({ order: { told } }: OutboxEntry) => of !== undefined && told.tournament !== of.tournament;
  const done = entries.filter((entry) => entry.state === 'done' && !isElsewhere(entry)).reverse();
  open.sort((one, other) => Number(isElsewhere(other)) - Number(isElsewhere(one))).reverse(); // they are open all the same, and so last
  const shown = [...open, ...done.slice(0, DONE_SHOWN)];
  const rest = done
    .slice(DONE_SHOWN)
    .filter(({ order: { told } }) => told.tournament === of?.tournament && told.stage === of.stage && told.round === of.round);
  const others = all.filter((entry) => !entries.includes(entry) && entry.state === 'waiting').length;
  return (
    <Section title={texts.desk.entries}>
      {others > 0 && <p class="note">{texts.desk.ofOthers(others)}</p>}
      {shown.length === 0 && <p class="soft">{texts.desk.nothingEntered}</p>}
      <ul class="entered">
        {shown.map((entry) => (
          <EntryLine key={entry.key} entry={entry} online={outgoing.online} elsewhere={isElsewhere(entry)} {...acts} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details>
          <summary>{texts.desk.enteredBefore(rest.length)}</summary>
          <ul class="entered">
            {rest.map((entry) => (
              <EntryLine key={entry.key} entry={entry} online={outgoing.online} {...acts} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function EntryLine({ entry, mending, takeBack, mark, online, elsewhere }: { entry: OutboxEntry; online: boolean; elsewhere?: boolean } & Acts) {
  const { texts, time } = useSpeech();
  const { key, order, state, problem } = entry;
  const { told } = order;
  const sending = isOnItsWay(entry) && online;
  const mend = order.act === 'report' && !elsewhere ? mending?.(entry) : undefined;
  const takes = isHeld(entry, Date.now()) ? takeBack?.(entry) : undefined;
  const held = takes !== undefined;
  const looks = { waiting: 'draw', refused: 'loss', done: 'win' }[state];
  const acknowledged = <span class={`badge ${looks}`}>{texts.desk.state[held ? 'held' : sending ? 'sending' : state]}</span>;
  return (
    <li class="card">
      <div class="entered-head">
        <span class="ledger-table">{told.table}</span>
        <span>
          <b>{told.said}</b>
          <span class="soft small entered-who">{versus(told.seats)}</span>
          {elsewhere && <span class="small entered-who">{texts.desk.elsewhere}</span>}
        </span>
        <span class="ledger-end">
          {mark && state === 'done' ? mark(entry, acknowledged) : acknowledged}
          <span class="soft small">{time(entry.answeredAt ?? entry.at)}</span>
        </span>
      </div>
      {problem && <Refusal problem={problem} />}
      {held && (
        <div class="row">
          <button type="button" class="button" aria-keyshortcuts="Escape" onClick={() => void takes()}>
            {texts.desk.takeBack}
          </button>
        </div>
      )}
      {!held && (state === 'refused' || (state === 'waiting' && !entry.tries)) && (
        <div class="row">
          {mend && (
            <button type="button" class="button" onClick={() => void mend()}>
              {texts.desk.mend}
            </button>
          )}
          {state === 'refused' && (
            <button type="button" class="button" onClick={() => void again(key)}>
              {texts.desk.again}
            </button>
          )}
          <button type="button" class="button" onClick={() => void drop(key)}>
            {texts.desk.discard}
          </button>
        </div>
      )}
    </li>
  );
}
