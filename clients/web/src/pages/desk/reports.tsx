/** What has been said of a game so far, and what somebody can say to it. */

import { useState } from 'preact/hooks';

import { useSheet, type Game, type Rules } from '../../api/own.ts';
import type { Order, Told } from '../../api/sending.ts';
import { useSpeech, type Speech } from '../../texts/all_texts.tsx';
import { useEntering } from './outbox.tsx';
import { endingName } from './report_form.tsx';

type Report = NonNullable<Game['reports']>[number];

export function shownReport(speech: Speech, { result }: Report, rules: Rules | undefined): string {
  const { scores, points, end } = result;
  const shown = (scores.length ? scores : points).map(speech.number).join(' : ');
  return end === 'played' ? shown : `${shown}, ${endingName(speech.texts, end, rules)}`;
}

/** Who has reported it, and each side at its own figure: a score is never read as that of whoever has reported it. */
export function Reported({ report, seats, by, rules }: { report: Report; seats: string[]; by: string; rules: Rules | undefined }) {
  const { texts, number } = useSpeech();
  const { scores, points, end } = report.result;
  const shown = scores.length ? scores : points;
  return (
    <div class="reported">
      <p class="soft small">{texts.desk.reportedBy(by)}</p>
      <ul>
        {seats.map((name, seat) => (
          <li key={seat}>
            <span>{name}</span> <b>{number(shown[seat] ?? 0)}</b>
          </li>
        ))}
      </ul>
      {end !== 'played' && <p class="small">{endingName(texts, end, rules)}</p>}
    </div>
  );
}

type OfGame = {
  game: string;
  told: Told;
  entrants: string[];
  /** Whoever looks: an official by subject, or `captain:` and the entrant. */
  who: string;
  rules: Rules | undefined;
  done: () => void;
};

export function isOwn(report: Report, who: string): boolean {
  return report.entrant === null ? report.who === who : `captain:${report.entrant}` === who;
}

/** Who says no, and why. */
export function Objected({ objected, nameOf }: { objected: Game['objected']; nameOf: (entrant: string | null) => string }) {
  const { texts } = useSpeech();
  if (!objected?.length) return null;
  return (
    <ul class="said-list">
      {objected.map(({ entrant, reason }, nth) => (
        <li key={nth}>
          <span>
            {nameOf(entrant)}: <b>{reason ?? texts.desk.disputed2}</b>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Said({ game, told, entrants, who, rules, done }: OfGame) {
  const speech = useSpeech();
  const { texts } = speech;
  const [objecting, object] = useState(false);
  const { keep, unkept } = useEntering(game);
  const { answer: sheet } = useSheet(game);
  const reports = sheet?.reports ?? [];
  if (!sheet || !reports.length) return null;
  const hasObjected = sheet.objected?.some(({ entrant }) => `captain:${entrant}` === who);
  const others = reports.filter((one) => !isOwn(one, who));
  const seatOf = (entrant: string | null) => told.seats[entrants.indexOf(entrant ?? '')] ?? texts.desk.byOfficial;
  const { confirmResult, disputeResult, withdrawReport } = sheet.allowed_actions;
  const say = async (order: Order) => {
    if (await keep(order)) done();
  };
  const confirm = (report: Report) => {
    const said = shownReport(speech, report, rules);
    void say({ act: 'confirm', told: { ...told, said: `${said} – ${texts.desk.confirmed}` }, body: { report: report.number } });
  };
  return (
    <div class="said">
      <h3>{texts.desk.said}</h3>
      <ul class="said-list">
        {reports.map((report) => (
          <li key={report.number}>
            <Reported report={report} seats={told.seats} by={seatOf(report.entrant)} rules={rules} />
            {!isOwn(report, who) && confirmResult?.allowed && (
              <button type="button" class="button" onClick={() => confirm(report)}>
                {texts.desk.confirm}
              </button>
            )}
            {isOwn(report, who) && withdrawReport?.allowed && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  const said = `${shownReport(speech, report, rules)} – ${texts.desk.withdrawn}`;
                  void say({ act: 'withdraw', told: { ...told, said } });
                }}
              >
                {texts.desk.withdraw}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Objected objected={sheet.objected} nameOf={seatOf} />
      {unkept}
      {others.length > 0 &&
        !hasObjected &&
        disputeResult?.allowed &&
        (objecting ? (
          <Objection
            cancel={() => object(false)}
            send={(reason) => {
              const said = [texts.desk.disputed2, reason].filter(Boolean).join(': ');
              void say({ act: 'dispute', told: { ...told, said }, body: reason ? { reason } : {} });
              object(false);
            }}
          />
        ) : (
          <button type="button" class="button" onClick={() => object(true)}>
            {texts.desk.dispute}
          </button>
        ))}
    </div>
  );
}

const LONGEST = 2000; // characters that a reason may have

function Objection({ send, cancel }: { send: (reason: string) => void; cancel: () => void }) {
  const { texts } = useSpeech();
  const [reason, say] = useState('');
  return (
    <div class="stack">
      <label class="labelled">
        <span>{texts.desk.disputeWhy}</span>
        <textarea
          class="field"
          rows={2}
          maxLength={LONGEST}
          value={reason}
          onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
          onInput={({ currentTarget }) => say(currentTarget.value)}
        />
      </label>
      <div class="steps">
        {texts.desk.disputeReasons.map((one) => (
          <button key={one} type="button" aria-pressed={reason === one} onClick={() => say(one)}>
            {one}
          </button>
        ))}
      </div>
      <div class="row">
        <button type="button" class="button primary" onClick={() => send(reason.trim())}>
          {texts.desk.disputeSend}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {texts.desk.cancel}
        </button>
      </div>
    </div>
  );
}
