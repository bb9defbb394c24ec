/** A round as a spreadsheet: out, and in again after it was shown what would come of it. */

import { useRef, useState } from 'preact/hooks';

import { bringSpreadsheet, takeSpreadsheet, type Brought, type SheetOfRound } from '../../api/own.ts';
import { saveAs } from '../../parts/basics.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { FileField } from './order.tsx';
import { Refusal } from './refusal.tsx';

type Chosen = { name: string; content: string };

export function Spreadsheet({ of }: { of: SheetOfRound }) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState<Chosen>();
  const [brought, setBrought] = useState<Brought>();
  const [busy, setBusy] = useState(false);
  const last = useRef<Chosen>(undefined); // of those that were chosen, quicker than the service answers
  const bringing = useRef<Promise<unknown>>(undefined);

  const take = async () => {
    const { file, problem } = await takeSpreadsheet(of);
    setBrought(problem && { problem });
    if (file) saveAs(file, `${of.stage}-${of.round}.csv`);
  };
  const bring = async (file: Chosen) => {
    setBusy(true);
    const bringingIt = bringSpreadsheet(of, file.content, true);
    bringing.current = bringingIt;
    const found = await bringingIt;
    // What would come of it stays, with its button, where no answer says what has.
    setBrought((before) => (found.problem && before?.foreseen ? { ...found, foreseen: before.foreseen } : found));
    if (last.current === file) setBusy(false);
  };
  const look = async (file: Chosen) => {
    last.current = file;
    setBusy(true);
    await bringing.current; // what would come of the next one follows from it
    const found = await bringSpreadsheet(of, file.content, false);
    if (last.current !== file) return;
    choose(file);
    setBrought(found);
    setBusy(false);
  };
  const lines = brought?.foreseen?.foreseen ?? [];
  const changing = lines.filter(({ changes }) => changes.length);
  const faulty = [...lines, ...(brought?.answered?.answers ?? [])].filter(({ problem }) => problem);
  return (
    <div class="stack">
      <p class="soft">{texts.desk.sheetHow}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => void take()}>
          {texts.desk.takeOut}
        </button>
        <FileField label={texts.desk.bringIn} chosen={undefined} choose={(file) => void look(file)} />
      </div>
      <div role="status" class="stack" aria-busy={busy || undefined}>
        {brought?.problem && <Refusal problem={brought.problem} />}
        {brought?.foreseen && (
          <>
            <p>
              <b>{chosen?.name}</b>: {texts.desk.foreseen(changing.length)}{' '}
              {faulty.length > 0 && texts.desk.faulty(faulty.length)}
            </p>
            <ul class="foreseen">
              {changing.map(({ line, changes }) => (
                <li key={line} lang="en">
                  {changes.join(' ')}
                </li>
              ))}
            </ul>
          </>
        )}
        {brought?.answered && (
          <p>{texts.desk.brought(brought.answered.answers.filter(({ problem }) => !problem).length)}</p>
        )}
        {faulty.map(({ line, problem }) => (
          <div key={line}>
            <b>{texts.desk.line(line)}</b>
            {problem && <Refusal problem={problem} />}
          </div>
        ))}
      </div>
      {chosen && changing.length > 0 && (
        <div>
          <button type="button" class="button primary" disabled={busy} onClick={() => void bring(chosen)}>
            {texts.desk.bring(changing.length)}
          </button>
        </div>
      )}
    </div>
  );
}
