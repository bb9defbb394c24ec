/** What somebody pays, what is given back to them, and what was recorded wrongly and is taken off again. */

import { useRef, useState } from 'preact/hooks';

import { recordPayment, recordRefund } from 'roundlog/registration/sdk.gen.ts';

import type { EntrySheet } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import type { OfEntry } from './given.ts';
import { Act, Choose, Labelled, Words } from './order.tsx';

type Paid = EntrySheet['payments'][number];

const AMOUNT = '\\d+([.,]\\d{1,2})?';
const LATE = ['excused', 'organisers-mistake', 'other'] as const; // why less, or what comes late, is enough

export default function Payments({ entry, path, reference, refer }: OfEntry & { reference: string; refer: (typed: string) => void }) {
  const { texts, number } = useSpeech();
  const [on, setOn] = useState(today());
  const [decision, decide] = useState('');
  const can = entry.allowed_actions;
  const due = useWhileTyped(can.recordPayment?.allowed ? entry.due : [], reference);
  const refunds = useWhileTyped(can.recordRefund?.allowed ? entry.refund_due : [], reference);
  const besides = can.recordRefund?.allowed ? standing(entry.payments).filter(({ currency }) => !refunds.some((one) => one.currency === currency)) : [];
  const done = () => {
    refer('');
    decide('');
  };
  return (
    <>
      {due.map(({ amount, currency }) => {
        const body = { amount, currency, on, reference, ...(decision ? { decision } : {}) };
        return (
          <Act
            key={currency}
            title={texts.director.recordPayment(number(amount), currency)}
            what={`${path.entrant_id}/pay/${entry.payments.length}/${JSON.stringify(body)}`}
            order={(to) => recordPayment({ client: own.registration, path, body, ...to })}
            done={done}
          >
            <Words label={texts.director.reference} value={reference} change={refer} required />
            <Labelled label={texts.director.paidOn}>
              <input class="field" type="date" required value={on} onInput={({ currentTarget }) => setOn(currentTarget.value)} />
            </Labelled>
            <Choose
              label={texts.director.enoughBecause}
              value={decision}
              options={[['', '–'], ...LATE.map((one) => [one, texts.director.decisions[one]] as const)]}
              change={decide}
            />
          </Act>
        );
      })}
      {refunds.map(({ amount, currency }) => {
        const body = { amount, currency, on, reference };
        return (
          <Act
            key={currency}
            title={texts.director.recordRefund(number(amount), currency)}
            what={`${path.entrant_id}/refund/${JSON.stringify(body)}`}
            order={(to) => recordRefund({ client: own.registration, path, body, ...to })}
            done={done}
          >
            <Words label={texts.director.reference} value={reference} change={refer} required />
          </Act>
        );
      })}
      {besides.map((paid) => (
        <GivingBack key={paid.reference} entry={entry} path={path} paid={paid} />
      ))}
    </>
  );
}

/** By no rule: what was recorded wrongly is taken off by its own number, and anything else by a decision. */
function GivingBack({ entry, path, paid }: OfEntry & { paid: Paid }) {
  const { texts, number } = useSpeech();
  const [decision, decide] = useState('');
  const [typed, type] = useState<string>(); // the amount
  const [reference, refer] = useState('');
  const [on, setOn] = useState(today());
  const { currency } = paid;
  const left = entry.payments.reduce((sum, one) => (one.currency === currency ? sum + one.amount : sum), 0);
  const most = Math.min(paid.amount, Math.round(left * 100) / 100);
  const amount = typed ?? String(most);
  const isMistake = decision === 'mistake';
  const body = isMistake ? { ...paid, decision } : { amount: amount.replace(',', '.'), currency, on, reference, decision };
  return (
    <Act
      title={texts.director.giveBack(number(paid.amount), currency, paid.reference)}
      what={`${path.entrant_id}/give-back/${entry.payments.length}/${JSON.stringify(body)}`}
      order={(to) => recordRefund({ client: own.registration, path, body, ...to })}
      done={() => {
        decide('');
        type(undefined);
        refer('');
      }}
    >
      <Choose
        label={texts.director.reason}
        value={decision}
        options={[['', texts.director.chooseReason], ...Object.entries(texts.director.backReasons), ['other', texts.director.decisions.other]]}
        change={decide}
        required
      />
      {decision && !isMistake && (
        <>
          <Labelled label={`${texts.director.feeAmount} (${currency})`}>
            <input class="field" inputMode="decimal" pattern={AMOUNT} required value={amount} onInput={({ currentTarget }) => type(currentTarget.value)} />
          </Labelled>
          <Words label={texts.director.reference} value={reference} change={refer} required />
          <Labelled label={texts.director.givenBackOn}>
            <input class="field" type="date" required value={on} onInput={({ currentTarget }) => setOn(currentTarget.value)} />
          </Labelled>
        </>
      )}
    </Act>
  );
}

/** Without what was taken off again. */
function standing(payments: Paid[]): Paid[] {
  return payments.reduce<Paid[]>((found, one) => {
    const at = found.findIndex(({ reference, currency, amount }) => reference === one.reference && currency === one.currency && amount === -one.amount);
    if (at >= 0) return found.filter((_, nth) => nth !== at);
    return one.amount > 0 ? [...found, one] : found;
  }, []);
}

/** What is offered no more stays as long as something is typed there: why that was refused is read beside it. */
function useWhileTyped<One>(offered: One[], typed: string): One[] {
  const shown = useRef(offered);
  if (offered.length || !typed) shown.current = offered;
  return shown.current;
}

function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
