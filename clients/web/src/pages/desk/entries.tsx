/** What was entered here: what is on its way, what was refused and what to do about it, and what the service has acknowledged. */

import { again, drop, isOnItsWay, type Entered, type Outgoing } from '../../api/sending.ts';
import { Section } from '../../parts/basics.tsx';
import { useSpeech } from '../../texts/whole.tsx';
import { Refusal } from './refusal.tsx';

const DONE_SHOWN = 3;

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

export function Entries({
  entries,
  all,
  outgoing,
  mend,
}: {
  entries: Entered[];
  all: Entered[];
  outgoing: Outgoing;
  mend: ((entry: Entered) => void) | undefined;
}) {
  const { texts } = useSpeech();
  const open = entries.filter(({ state }) => state !== 'done');
  const done = entries.filter(({ state }) => state === 'done').slice(-DONE_SHOWN);
  const shown = [...open.reverse(), ...done.reverse()];
  const others = all.filter((entry) => !entries.includes(entry) && entry.state === 'waiting').length;
  return (
    <Section title={texts.desk.entries}>
      {others > 0 && <p class="note">{texts.desk.ofOthers(others)}</p>}
      {shown.length === 0 && <p class="soft">{texts.desk.nothingEntered}</p>}
      <ul class="entered">
        {shown.map((entry) => (
          <EntryLine key={entry.key} entry={entry} mend={mend} online={outgoing.online} />
        ))}
      </ul>
    </Section>
  );
}

function EntryLine({ entry, mend, online }: { entry: Entered; mend: ((entry: Entered) => void) | undefined; online: boolean }) {
  const { texts, time } = useSpeech();
  const { key, order, state, problem } = entry;
  const { told } = order;
  const sending = isOnItsWay(entry) && online;
  const looks = { waiting: 'draw', refused: 'loss', done: 'win' }[state];
  return (
    <li class="card">
      <div class="entered-head">
        <span class="ledger-table">{told.table}</span>
        <span>
          <b>{told.said}</b>
          <span class="soft small entered-who">{told.seats.join(' – ')}</span>
        </span>
        <span class="ledger-end">
          <span class={`badge ${looks}`}>{sending ? texts.desk.state.sending : texts.desk.state[state]}</span>
          <span class="soft small">{time(entry.answeredAt ?? entry.at)}</span>
        </span>
      </div>
      {problem && <Refusal problem={problem} />}
      {(state === 'refused' || (state === 'waiting' && !entry.tries)) && (
        <div class="row">
          {mend && order.act === 'report' && (
            <button type="button" class="button" onClick={() => mend(entry)}>
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
