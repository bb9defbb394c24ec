/** Whoever comes in: one person, a pair, or a team with its players; and many at once out of a file. */

import { useEffect, useRef, useState } from 'preact/hooks';

import { admitLateEntrant, enterTournament, importEntries } from 'roundlog/registration/sdk.gen.ts';
import type { Decision, HomeListed } from 'roundlog/registration/types.gen.ts';

import { hasCome, type Outcome } from '../../api/answer_cache.ts';
import { takeEntries, useEntries, useEntryRules, useHomes, useRegister, type EntryRules, type Problem, type Tournament } from '../../api/director.ts';
import { GONE } from '../../api/own.ts';
import { own } from '../../api/session.ts';
import { Failed, matches, saveAs } from '../../parts/basics.tsx';
import { entrantName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Act, Choose, Digits, isTyping, Labelled, Ticks, useFile, Words } from './order.tsx';
import { Refusal } from './refusal.tsx';

const ENOUGH_LETTERS = 2;
const MOST_OFFERED = 6;
const DECISIONS: Decision[] = ['excused', 'even-number', 'substitute', 'wild-card', 'organisers-mistake', 'other'];

/** `first`: nobody has entered yet, and a button has led here to change that. `came`: who has just been admitted. */
export function Newcomers({ tournament, first, came }: { tournament: Tournament; first: boolean; came: (entrant: string) => void }) {
  const { answer: rules, problem } = useEntryRules(tournament.ruleset);
  const can = tournament.allowed_actions;
  const isTeam = rules?.entry.kind === 'team';
  const homes = useHomes(isTeam ? tournament.federation : undefined);
  if (!rules && problem) return <Failed problem={problem} />;
  // Nobody sends a form without the school of their team because its field was still on the way.
  if (!rules || (isTeam && !hasCome(homes))) return null;
  const form = { tournament, entry: rules.entry, schools: (homes.answer?.items ?? []).filter(({ kind }) => kind === 'school'), came };
  return (
    <>
      {can.enterTournament?.allowed && <Entering {...form} late={false} first={first} />}
      {can.admitLateEntrant?.allowed && <Entering {...form} late first={false} />}
      {can.importEntries?.allowed && <EntriesFile tournament={tournament} />}
    </>
  );
}

/** What the rules want players to declare; of a category also what it wants. */
export function useDeclared(entry: EntryRules): [string, string][] {
  const { texts } = useSpeech();
  const chosen = entry.categories.filter(({ id }) => id === entry.category).flatMap(({ eligibility }) => eligibility);
  return [...entry.eligibility, ...chosen].flatMap(({ declares, sentence }) =>
    declares ? [[declares, texts.director.declares[declares] ?? sentence ?? declares] as [string, string]] : [],
  );
}

type Entered = { tournament: Tournament; entry: EntryRules; schools: HomeListed[]; late: boolean; first: boolean; came: (entrant: string) => void };

function Entering({ tournament, entry, schools, late, first, came }: Entered) {
  const { texts } = useSpeech();
  const [name, setName] = useState('');
  const [players, seat] = useState('');
  const [substitutes, reserve] = useState('');
  const [school, come] = useState('');
  const [rating, rate] = useState('');
  const [said, say] = useState<Record<string, string>>({});
  const [declared, declare] = useState<string[]>([]);
  const [agreed, agree] = useState<string[]>([]);
  const [decision, decide] = useState<Decision>('excused');
  const [fromRound, begin] = useState('');
  const [person, know] = useState<string>(); // of the register; otherwise somebody new
  const fields = useRef<HTMLDivElement>(null);
  const offers = useRef<HTMLDivElement>(null);
  const fieldAt = (place: number) => fields.current?.querySelectorAll<HTMLElement>('input, textarea, select')[place]?.focus();
  useEffect(() => {
    if (first && !isTyping()) fieldAt(0);
  }, [first]);
  const wanted = useDeclared(entry);
  const isTeam = entry.kind === 'team';
  const alone = entry.kind === 'individual';
  const typed = alone && name.trim().length >= ENOUGH_LETTERS;
  const entries = useEntries(tournament.id);
  const register = useRegister(typed ? tournament.federation : undefined);
  const known = typed ? (register.answer ?? []).filter((one) => one.name && matches(name, one.name)).slice(0, MOST_OFFERED) : [];
  const same = (one: string) => matches(name, one) && matches(one, name);
  const twin = name.trim() && (entries.answer ?? []).find(({ entrant }) => !GONE.includes(entrant.status) && same(entrantName(entrant)));
  const base = lines(players);
  const particulars = {
    ...Object.fromEntries(entry.particulars.filter((one) => said[one]?.trim() && one !== 'citizenship').map((one) => [one, said[one]?.trim()])),
    ...(said['citizenship']?.trim() ? { citizenship: [said['citizenship'].trim().toUpperCase()] } : {}),
  };
  const body = {
    ...(alone
      ? { person: person ?? { name: name.trim(), ...(Object.keys(particulars).length ? { particulars } : {}) } }
      : {
          ...(name.trim() ? { name: name.trim() } : {}),
          persons: base.map((one, at) => ({ name: one, captain: isTeam && at === 0 })),
          ...(substitutes.trim() ? { substitutes: lines(substitutes).map((one) => ({ name: one })) } : {}),
        }),
    ...(school ? { school } : {}),
    ...(rating.trim() ? { rating: Number(rating) } : {}),
    ...(declared.length ? { declared } : {}),
    ...(agreed.length ? { consents: agreed } : {}),
    ...(late ? { decision, ...(fromRound.trim() ? { from_round: Number(fromRound) } : {}) } : {}),
  };
  const to = { client: own.registration, path: { tournament_id: tournament.id }, body };
  const enterThem = { individual: texts.director.enterSomebody, pair: texts.director.enterPair, team: texts.director.enterTeam };
  return (
    <Act
      title={late ? texts.director.admitLate : enterThem[entry.kind]}
      open={!late && tournament.entrants === 0}
      stays={!late}
      waits={typed && !hasCome(register)}
      offers={person === undefined && known.length > 0}
      what={`${tournament.id}/enter/${JSON.stringify(body)}`}
      {...(twin ? { look: () => Promise.resolve({ data: {} }), shown: () => <p class="note problem">{texts.director.isThere(name.trim())}</p> } : {})}
      order={(sending) => (late ? admitLateEntrant({ ...to, ...sending }) : enterTournament({ ...to, ...sending })) as Promise<Outcome<{ id: string }>>}
      done={({ id }) => {
        if (late) came(id);
        // Only what was sent: the next one may be half typed.
        const sent = [[setName, name], [seat, players], [reserve, substitutes], [come, school], [rate, rating], [begin, fromRound]] as const;
        for (const [empty, words] of sent) empty((now) => (now === words ? '' : now));
        know((now) => (now === person ? undefined : now));
        say((now) => (now === said ? {} : now));
      }}
    >
      <div
        class="stack"
        ref={fields}
        onKeyDown={(event) => {
          // Tab goes on to the next field, also where names are offered: those are reached by arrows.
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by === undefined || !known.length || !(event.target instanceof HTMLElement)) return;
          const buttons = [...(offers.current?.querySelectorAll('button') ?? [])];
          const at = buttons.findIndex((one) => one === event.target);
          if (at < 0 && event.target !== fields.current?.querySelector('input')) return;
          event.preventDefault();
          if (at + by < 0) fieldAt(0);
          else buttons[Math.min(at + by, buttons.length - 1)]?.focus();
        }}
      >
        <Words
          label={alone ? texts.table.name : isTeam ? texts.director.teamName : texts.director.pairName}
          value={name}
          change={(words) => {
            setName(words);
            know(undefined);
          }}
          required={alone || isTeam}
        />
        {known.length > 0 && (
          <div class="stack" role="group" aria-label={texts.director.known}>
            <span class="soft small">{texts.director.known}</span>
            <div class="steps" ref={offers}>
              {known.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  tabIndex={-1}
                  aria-pressed={one.id === person}
                  onClick={() => {
                    know(one.id === person ? undefined : one.id);
                    setName(one.name ?? '');
                    fieldAt(1);
                  }}
                >
                  {one.name}
                </button>
              ))}
            </div>
          </div>
        )}
        {!alone && (
          <Lines label={isTeam ? texts.director.players(entry.team?.base ?? 1) : texts.director.bothPlayers} rows={isTeam ? (entry.team?.base ?? 3) : 2} value={players} change={seat} required />
        )}
        {isTeam && (entry.team?.substitutes ?? 0) > 0 && (
          <Lines label={texts.director.substitutes(entry.team?.substitutes ?? 0)} rows={entry.team?.substitutes ?? 1} value={substitutes} change={reserve} />
        )}
        {schools.length > 0 && (
          <Choose label={texts.director.school} value={school} options={[['', '–'], ...schools.map(({ id, name: called }) => [id, called] as const)]} change={come} />
        )}
        {alone && (
          <Labelled label={texts.entrants.rating}>
            <Digits value={rating} change={rate} />
          </Labelled>
        )}
      </div>
      {alone &&
        !person &&
        entry.particulars.map((one) => (
          <Labelled key={one} label={texts.desk.particulars[one] ?? one}>
            {one === 'born' ? (
              <input class="field" type="date" value={said[one] ?? ''} onInput={({ currentTarget }) => say({ ...said, [one]: currentTarget.value })} />
            ) : (
              <input class="field" autocomplete="off" value={said[one] ?? ''} onInput={({ currentTarget }) => say({ ...said, [one]: currentTarget.value })} />
            )}
          </Labelled>
        ))}
      <Ticks label={texts.director.declared} options={wanted} value={declared} change={declare} />
      <Ticks label={texts.director.agreed} options={entry.consents.map((one) => [one, texts.director.consents[one] ?? one])} value={agreed} change={agree} />
      {late && (
        <>
          <Choose
            label={texts.director.reason}
            value={decision}
            options={DECISIONS.map((one) => [one, texts.director.decisions[one]])}
            change={(value) => decide(value as Decision)}
          />
          <Labelled label={texts.director.fromRound}>
            <Digits value={fromRound} change={begin} />
          </Labelled>
        </>
      )}
    </Act>
  );
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function Lines({ label, rows, value, change, required }: { label: string; rows: number; value: string; change: (text: string) => void; required?: boolean }) {
  return (
    <Labelled label={label}>
      <textarea
        class="field"
        rows={rows}
        autocomplete="off"
        spellcheck={false}
        required={required}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Labelled>
  );
}

/** All of a file come in, or nobody; what it would change is shown before. The list of now has the columns. */
function EntriesFile({ tournament }: { tournament: Tournament }) {
  const { texts } = useSpeech();
  const [problem, setProblem] = useState<Problem>();
  const path = { tournament_id: tournament.id };
  const file = useFile((csv, dry_run, to) => importEntries({ client: own.registration, path, ...(dry_run ? { query: { dry_run } } : {}), ...csv, ...to }));
  const take = async () => {
    const { data, error } = await takeEntries(tournament.id);
    setProblem(error as Problem | undefined);
    if (data) saveAs(data, 'entries.csv');
  };
  return (
    <Act title={texts.director.importEntries} what={`${tournament.id}/import/${file.content}`} {...file.act}>
      <p class="soft">{texts.director.importHow}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => void take()}>
          {texts.desk.takeOut}
        </button>
        {file.field}
      </div>
      {problem && <Refusal problem={problem} detailed />}
    </Act>
  );
}
