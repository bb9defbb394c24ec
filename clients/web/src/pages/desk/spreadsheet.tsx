/** A round as a spreadsheet: out, and in again after it was shown what would come of it. */

import { useId, useState } from 'preact/hooks';

import { bringSpreadsheet, takeSpreadsheet, type Brought, type SheetOfRound } from '../../api/own.ts';
import { newKey } from '../../api/sending.ts';
import { useSpeech } from '../../texts/index.ts';
import { Refusal } from './refusal.tsx';

type Chosen = { name: string; content: string; key: string };

export function Spreadsheet({ of }: { of: SheetOfRound }) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState<Chosen>();
  const [brought, setBrought] = useState<Brought>();
  const [busy, setBusy] = useState(false);
  const id = useId();

  const take = async () => {
    const { file, problem } = await takeSpreadsheet(of);
    setBrought(problem && { problem });
    if (!file) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${of.stage}-${of.round}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const bring = async (file: Chosen, really: boolean) => {
    setBusy(true);
    setBrought(await bringSpreadsheet(of, file.content, really ? file.key : undefined));
    setBusy(false);
  };
  const look = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    const found = { name: file.name, content: await file.text(), key: newKey() };
    input.value = ''; // the same file can be chosen again once it was mended
    choose(found);
    await bring(found, false);
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
        <label class="button file-button" for={id}>
          {texts.desk.bringIn}
          <input
            id={id}
            type="file"
            accept=".csv,text/csv"
            class="visually-hidden"
            onChange={({ currentTarget }) => void look(currentTarget)}
          />
        </label>
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
          <button type="button" class="button primary" disabled={busy} onClick={() => void bring(chosen, true)}>
            {texts.desk.bring(changing.length)}
          </button>
        </div>
      )}
    </div>
  );
}
