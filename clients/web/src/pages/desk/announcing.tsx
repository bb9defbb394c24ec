/** A tournament is announced, by the rules that it is played by: what they leave open is asked for. */

import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';

import { announceTournament } from 'roundlog/registration/sdk.gen.ts';
import type { Fee } from 'roundlog/registration/types.gen.ts';

import { addresses } from '../../addresses.ts';
import { hasCome } from '../../api/answer_cache.ts';
import { useEntryRules, useRulesets, useSeasons, type EntryRules, type MeAtRegistration } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { Failed, useTitle } from '../../parts/basics.tsx';
import { gameName } from '../../parts/names.ts';
import { inAddress } from '../../parts/search.ts';
import { useSpeech, type Texts } from '../../texts/all_texts.tsx';
import { Choose, DayAndTime, Digits, fromHere, Labelled, Sending, useKept, useOrder, useTell, Words } from './order.tsx';
import { PERIODS, periodsIn } from './periods.ts';

type Who = NonNullable<Fee['who']>;
type FeeTyped = { who: Who; amount: string; currency: string };

const WHO: Who[] = ['everybody', 'team', 'member', 'non-member', 'first-time', 'on-site'];
const MINUTES = ['results.minutes', 'results.minutes_of_turn'] as const; // that rules may leave to the announcement
const OPENINGS = { swap2: 'SWAP 2', swap: 'SWAP', pro: 'PRO' }; // of gomoku by the rules that leave it to the announcement
const AMOUNT = '\\d+([.,]\\d{1,2})?';

export default function Announcing({ me }: { me: MeAtRegistration }) {
  const { texts } = useSpeech();
  const { route } = useLocation();
  const running = useOrder();
  const inform = useTell();
  const from = useRef<Element | null>(null); // where keys were when it was sent
  const form = useRef<HTMLFormElement>(null);
  const seen = useRef<HTMLElement[]>([]); // the fields that were there when it was pressed
  const rulesets = useRulesets();
  const federations = me.federations.filter(({ id }) => me.offices.some(({ scope, role }) => scope === id && role === 'director'));
  const [federation, setFederation] = useState('');
  const [ruleset, setRuleset] = useState('');
  const [name, setName] = useState('');
  const [day, setDay] = useState('');
  const [time, setTime] = useState('');
  const [place, setPlace] = useState('');
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [most, limit] = useState('');
  const [said, say] = useState<Record<string, string>>({});
  const [fees, charge] = useState<FeeTyped[]>([]);
  const [open, setOpen] = useState(true);
  const chosen = federation || federations[0]?.id;
  const asked = useEntryRules(ruleset || undefined);
  const rules = asked.answer;
  const found = useSeasons(chosen);
  const failed = [rulesets, asked, found].find(({ answer, problem }) => answer === undefined && problem)?.problem;
  const seasons = found.answer?.items ?? [];
  const isWhole = hasCome(found) && (!ruleset || rules !== undefined); // nobody announces without what a field would have asked that is still on its way
  useTitle(texts.director.announce);
  const times = rules ? MINUTES.filter((one) => rules.announced.includes(one)) : [];
  const periods = periodsIn(said['contest.periods'] ?? '');
  const options = {
    ...Object.fromEntries(times.flatMap((one) => (said[one]?.trim() ? [[one, Number(said[one])]] : []))),
    ...(periods.length ? { 'contest.periods': periods } : {}),
    ...(said['contest.opening'] ? { 'contest.opening': said['contest.opening'] } : {}),
  };
  const entry = {
    ...(said['category'] ? { category: said['category'] } : {}),
    ...(most.trim() ? { most: Number(most) } : {}),
    ...(fees.length ? { fees: fees.map((fee) => ({ ...fee, amount: fee.amount.replace(',', '.'), currency: fee.currency.toUpperCase() })) } : {}),
  };
  const others = Object.fromEntries(['series', 'season', ...(said['season'] ? ['season_kind'] : []), 'competition'].flatMap((one) => (said[one]?.trim() ? [[one, said[one]?.trim()]] : [])));
  const body = {
    federation: chosen ?? '',
    name: name.trim(),
    ruleset,
    time_zone: zone.trim(),
    starts_on: day,
    ...(time ? { first_round: time } : {}),
    ...(place.trim() ? { place: place.trim() } : {}),
    ...(Object.keys(options).length ? { options } : {}),
    ...(Object.keys(entry).length ? { entry } : {}),
    ...others,
    open,
  };
  const what = `announce/${JSON.stringify(body)}`;
  const fieldsNow = () => [...(form.current?.querySelectorAll<HTMLElement>('input, select') ?? [])];
  const { isKept, keep } = useKept(what, !isWhole, () => {
    const come = fieldsNow().find((one) => !seen.current.includes(one));
    if (come) come.focus(); // what it asks has not been answered
    else form.current?.requestSubmit();
  });
  const announce = async () => {
    if (!isWhole) {
      seen.current = fieldsNow();
      return keep();
    }
    const isHere = fromHere();
    from.current = document.activeElement;
    const announced = await running.send(what, (to) => announceTournament({ client: own.registration, body, ...to }));
    if (!announced) return;
    inform(texts.director.done(`${texts.director.announce}: ${announced.name}`));
    if (isHere()) route(addresses.directing(announced.id, 'now'));
  };
  useEffect(() => {
    if (!running.busy && document.activeElement === document.body && from.current instanceof HTMLElement) from.current.focus(); // fields that take nothing lose the keys
  }, [running.busy]);
  const fields: Record<string, string> = {
    '/federation': texts.director.federation,
    '/name': texts.director.tournamentName,
    '/ruleset': texts.director.ruleset,
    '/entry/category': texts.director.category,
    '/competition': texts.director.competition,
    '/starts_on': texts.director.day,
    '/first_round': texts.director.ownTime,
    '/time_zone': texts.director.timeZone,
    '/place': texts.director.place,
    '/entry/most': texts.director.mostPlaces,
    '/season': texts.director.season,
    '/season_kind': texts.director.seasonKind,
    '/series': texts.director.series,
    '/entry/fees': texts.director.fees,
    ...Object.fromEntries(MINUTES.map((one) => [`/options/${one}`, texts.director.times[one]])),
    '/options/contest.periods': texts.director.periods,
    '/options/contest.opening': texts.director.gameOpening,
  };
  const tell = (one: string) => (words: string) => say({ ...said, [one]: words });
  if (!federations.length) {
    return (
      <>
        <h1>{texts.director.title}</h1>
        <p class="empty">{texts.director.nothingToDirect}</p>
      </>
    );
  }
  return (
    <form
      class="stack desk-narrow"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void announce();
      }}
    >
      <div class="desk-head">
        <h1>{texts.director.announce}</h1>
        <span class="row end no-print">
          <a href={addresses.directingSeasons}>{texts.director.seasons}</a>
        </span>
      </div>
      {/* What is on its way is announced as it was: what would be changed meanwhile would be lost unseen. */}
      <fieldset class="ticks stack" disabled={running.busy}>
        {federations.length > 1 && (
          <Choose
            label={texts.director.federation}
            value={body.federation}
            options={federations.map(({ id, name: called }) => [id, called])}
            change={(one) => {
              setFederation(one);
              say({ ...said, season: '', season_kind: '' }); // each federation has its own
            }}
          />
        )}
        <Words label={texts.director.tournamentName} value={name} change={setName} required />
        <Labelled label={texts.director.ruleset}>
          <select
            class="field"
            required
            value={ruleset}
            onChange={({ currentTarget }) => {
              setRuleset(currentTarget.value);
              const { series = '', season = '', season_kind = '' } = said; // the rest is asked by the rules
              say({ series, season, season_kind });
              charge([]);
            }}
          >
            <option value="" />
            {(rulesets.answer ?? []).map(({ id, title, game }) => (
              <option key={id} value={id}>
                {gameName(texts, game)}: {texts.director.rulesets[id] ?? title}
              </option>
            ))}
          </select>
        </Labelled>
        {rules && rules.entry.categories.length > 0 && (
          <Choose
            label={texts.director.category}
            value={said['category'] ?? ''}
            options={[['', ''], ...rules.entry.categories.map(({ id, title }) => [id, texts.director.categories[id] ?? title] as const)]}
            change={tell('category')}
            required
          />
        )}
        {rules && rules.entry.competitions.length > 0 && (
          <Choose
            label={texts.director.competition}
            value={said['competition'] ?? ''}
            options={[['', '–'], ...rules.entry.competitions.map((one) => [one, texts.director.competitions[one] ?? one] as const)]}
            change={tell('competition')}
          />
        )}
        <DayAndTime day={day} setDay={setDay} time={time} setTime={setTime} needed={rules !== undefined && !rules.entry.check_in} />
        <Choose label={texts.director.timeZone} value={zone} options={zones(zone).map((one) => [one, one])} change={setZone} required />
        <Words label={texts.director.place} value={place} change={setPlace} />
        <Labelled label={texts.director.mostPlaces}>
          <Digits value={most} change={limit} />
        </Labelled>
        {times.map((one) => (
          <Labelled key={one} label={texts.director.times[one]}>
            <Digits value={said[one] ?? ''} change={tell(one)} />
          </Labelled>
        ))}
        {rules?.announced.includes('contest.opening') && (
          <Choose
            label={texts.director.gameOpening}
            value={said['contest.opening'] ?? ''}
            options={[['', '–'], ...Object.entries(OPENINGS)]}
            change={tell('contest.opening')}
          />
        )}
        {rules?.announced.includes('contest.periods') && (
          <Labelled label={texts.director.periods}>
            <input
              class="field"
              autocomplete="off"
              pattern={PERIODS}
              value={said['contest.periods'] ?? ''}
              onInput={({ currentTarget }) => tell('contest.periods')(currentTarget.value)}
            />
          </Labelled>
        )}
        {seasons.length > 0 && (
          <Choose
            label={texts.director.season}
            value={said['season'] ?? ''}
            options={[['', '–'], ...seasons.map(({ id, name: called }) => [id, called] as const)]}
            change={tell('season')}
          />
        )}
        {said['season'] && (
          <Words
            label={texts.director.seasonKind}
            value={said['season_kind'] ?? ''}
            change={(words) => tell('season_kind')(inAddress(words))}
          />
        )}
        {rules && rules.entry.kind === 'team' && (
          <Words
            label={texts.director.series}
            value={said['series'] ?? ''}
            change={(words) => tell('series')(inAddress(words))}
            required={holdsThroughSeries(rules.entry)}
          />
        )}
        {rules && <Fees by={rules.entry.fees} fees={fees} charge={charge} />}
        {failed ? <Failed problem={failed} /> : !isWhole && <span class="skeleton" aria-busy="true" />}
        <label class="tick">
          <input type="checkbox" checked={open} onChange={({ currentTarget }) => setOpen(currentTarget.checked)} />
          <span>{texts.director.openAtOnce}</span>
        </label>
      </fieldset>
      <div>
        <button type="submit" class="button primary" aria-disabled={running.busy || !isWhole || undefined}>
          {texts.director.announce}
        </button>
      </div>
      <Sending running={{ ...running, busy: running.busy || (isKept && !failed) }} fields={fields} />
    </form>
  );
}

/** Those that this browser knows, and the chosen one in any case. */
function zones(chosen: string): string[] {
  return [...new Set([chosen, ...Intl.supportedValuesOf('timeZone')])].sort();
}

/** Some rules hold through all tournaments of a series, which is named then. */
function holdsThroughSeries({ team, category_once: once, fee_for: fee }: EntryRules): boolean {
  return team?.frozen === 'season' || Boolean(once) || fee === 'series';
}

function feeSaid(texts: Texts, { who, amount, currency }: Fee): string {
  return `${texts.director.feeWho[who ?? 'everybody']}: ${amount} ${currency}`;
}

/** Those of the rules hold until the announcement says others, which replace all of them. */
function Fees({ by, fees, charge }: { by: Fee[]; fees: FeeTyped[]; charge: (fees: FeeTyped[]) => void }) {
  const { texts } = useSpeech();
  const change = (at: number, said: Partial<FeeTyped>) => charge(fees.map((fee, nth) => (nth === at ? { ...fee, ...said } : fee)));
  const currency = fees.at(-1)?.currency ?? by[0]?.currency ?? 'EUR';
  return (
    <fieldset class="fees">
      <legend class="soft small">{texts.director.fees}</legend>
      {!fees.length && <p class="small">{by.length ? by.map((fee) => feeSaid(texts, fee)).join(', ') : texts.director.noFee}</p>}
      {fees.map((fee, at) => (
        <div key={at} class="fee">
          <Choose label={texts.director.feeFor} value={fee.who} options={WHO.map((one) => [one, texts.director.feeWho[one]])} change={(who) => change(at, { who: who as Who })} />
          <Labelled label={texts.director.feeAmount}>
            <input class="field" inputMode="decimal" pattern={AMOUNT} required value={fee.amount} onInput={({ currentTarget }) => change(at, { amount: currentTarget.value })} />
          </Labelled>
          <Labelled label={texts.director.currency}>
            <input class="field" pattern="[A-Za-z]{3}" required value={fee.currency} onInput={({ currentTarget }) => change(at, { currency: currentTarget.value })} />
          </Labelled>
          <button type="button" class="button" aria-label={texts.director.feeAway(at + 1)} onClick={() => charge(fees.filter((_, nth) => nth !== at))}>
            ×
          </button>
        </div>
      ))}
      <div>
        <button type="button" class="button" onClick={() => charge([...fees, { who: 'everybody', amount: '', currency }])}>
          {texts.director.otherFee}
        </button>
      </div>
    </fieldset>
  );
}
