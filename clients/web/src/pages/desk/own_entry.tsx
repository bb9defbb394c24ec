/** Entering a tournament: for whoever has an account and plays alone. What the rules ask for is asked for. */

import { useState } from 'preact/hooks';

import { enterMyself, useEntryForm } from '../../api/own.ts';
import { useTournaments, type TournamentListed } from '../../api/public.ts';
import { Section, Shown } from '../../parts/basics.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Refusal } from './refusal.tsx';
import type { Problem } from 'roundlog/results/types.gen.ts';

const TYPED: Record<string, 'email' | 'tel'> = { email: 'email', phone: 'tel' };

export function Entering({ entered }: { entered: string[] }) {
  const { texts, day } = useSpeech();
  const asked = useTournaments({ status: ['registration'], order: 'next', limit: 50 });
  const [chosen, choose] = useState<string>();
  return (
    <Section title={texts.desk.enterTournament}>
      <Shown asked={asked} rows={1}>
        {({ items }) => {
          const open = items.filter(({ id }) => !entered.includes(id));
          if (!open.length) return <p class="soft">{texts.desk.nothingToEnter}</p>;
          return (
            <div class="stack">
              {open.map((one) => (
                <details
                  key={one.id}
                  class="card own-report entering"
                  onToggle={({ currentTarget }) => currentTarget.open && choose(one.id)}
                >
                  <summary>
                    <span>
                      {one.name}
                      <span class="soft small entered-who">{day(`${one.starts_on}T12:00:00Z`, 'UTC')}</span>
                    </span>
                  </summary>
                  {chosen === one.id && <EnterForm one={one} />}
                </details>
              ))}
            </div>
          );
        }}
      </Shown>
    </Section>
  );
}

function EnterForm({ one }: { one: TournamentListed }) {
  const { texts } = useSpeech();
  const { form, myself } = useEntryForm({ tournament: one.id, federation: one.federation, ruleset: one.ruleset });
  const [name, setName] = useState('');
  const [said, say] = useState<Record<string, string>>({});
  const [agreed, agree] = useState<string[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  if (!form || !myself) return <div class="stack" aria-busy="true" />;
  if (form.kind === 'team') return <p>{texts.desk.ofTeams}</p>;
  const known = (myself.particulars ?? {}) as Record<string, unknown>;
  const missing = (form.particulars ?? []).filter((one) => !known[one]);
  const send = async () => {
    setBusy(true);
    const particulars = Object.fromEntries(
      missing
        .filter((one) => said[one]?.trim())
        .map((one) => [one, one === 'citizenship' ? [said[one]?.trim().toUpperCase()] : said[one]?.trim()]),
    );
    const entry = { name: name.trim(), particulars, consents: agreed };
    const found = await enterMyself({ tournament: one.id, federation: one.federation }, myself, entry);
    setProblem(found);
    setBusy(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {!myself.person && (
        <label class="labelled">
          <span>{texts.desk.yourName}</span>
          <input
            class="field"
            required
            autocomplete="name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      )}
      {missing.map((one) => (
        <label key={one} class="labelled">
          <span>{texts.desk.particulars[one] ?? one}</span>
          {one === 'born' ? (
            <input
              class="field"
              type="date"
              required
              value={said[one] ?? ''}
              onInput={({ currentTarget }) => say({ ...said, [one]: currentTarget.value })}
            />
          ) : (
            <input
              class="field"
              inputMode={TYPED[one] ?? 'text'}
              required
              value={said[one] ?? ''}
              onInput={({ currentTarget }) => say({ ...said, [one]: currentTarget.value })}
            />
          )}
        </label>
      ))}
      {(form.consents ?? []).length > 0 && (
        <fieldset class="ticks">
          <legend class="soft small">{texts.desk.agree}</legend>
          {(form.consents ?? []).map((consent) => (
            <label key={consent} class="tick">
              <input
                type="checkbox"
                checked={agreed.includes(consent)}
                onChange={({ currentTarget }) =>
                  agree(currentTarget.checked ? [...agreed, consent] : agreed.filter((one) => one !== consent))
                }
              />
              <span>{texts.desk.consents[consent] ?? consent}</span>
            </label>
          ))}
        </fieldset>
      )}
      {problem && <Refusal problem={problem} />}
      <div>
        <button type="submit" class="button primary" disabled={busy}>
          {texts.desk.enterMe}
        </button>
      </div>
    </form>
  );
}
