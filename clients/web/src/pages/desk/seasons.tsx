/** What a federation decides about its seasons: lists and qualification are published, what was held elsewhere is taken in, the roll is kept. */

import { useLocation } from 'preact-iso';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { enrolMember, nameChampionship, openSeason, setAnnualFee, strikeMember } from 'roundlog/registration/sdk.gen.ts';
import type { FederationListed, SeasonMember } from 'roundlog/registration/types.gen.ts';
import {
  announceField,
  closeSeason,
  decideCut,
  drawLotAtCut,
  importContests,
  importFirstRatings,
  importGames,
  importRatingList,
  judgeDeparture,
  nameChampion,
  publishQualification,
  publishRatings,
} from 'roundlog/standings/sdk.gen.ts';
import type { CutReason, Foreseen, SeasonBook, SeasonTable } from 'roundlog/standings/types.gen.ts';

import { addresses } from '../../addresses.ts';
import { hasCome, type Outcome } from '../../api/answer_cache.ts';
import { useRegister, useSeasons, useTournamentToDirect, type MeAtRegistration } from '../../api/director.ts';
import type { To } from '../../api/orders.ts';
import { useComing, useRoll, useSeasonBook, useSeasonTable, useSeasonToDirect } from '../../api/season_desk.ts';
import { USUAL_RULES } from '../../api/seasons.ts';
import { own } from '../../api/session.ts';
import { ProblemNote, Section, Shown, useTitle } from '../../parts/basics.tsx';
import { seatName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { contenders, outdatedSaid, personSaid, SeasonTexts, tieSaid, useSpeech as useSeasonSpeech } from '../../texts/season_texts.tsx';
import { Act, Choose, Digits, Labelled, OrderButton, useFile, Words, type Csv } from './order.tsx';

const STRUCK = ['enrolled-by-mistake', 'dues-returned'] as const;
const NOBODY = ['', '–'] as const; // who is meant is chosen: the first of a list would be taken by a press too many
const REASONS: CutReason[] = ['agreement', 'deciding-game', 'council', 'other'];

export default function SeasonsDesk({ me }: { me: MeAtRegistration }) {
  return (
    <SeasonTexts space="desk-space">
      <Desk me={me} />
    </SeasonTexts>
  );
}

function Desk({ me }: { me: MeAtRegistration }) {
  const { season, council } = useSeasonSpeech().texts;
  const { query } = useLocation();
  const federations = me.federations.filter(({ id }) => me.offices.some(({ scope, role }) => scope === id && ['director', 'council'].includes(role)));
  useTitle(season.all);
  return (
    <>
      <h1>{season.all}</h1>
      {!federations.length && <p class="empty">{council.nothing}</p>}
      {query.season ? <Directed key={query.season} season={query.season} /> : federations.map((one) => <OfFederation key={one.id} federation={one} />)}
    </>
  );
}

function OfFederation({ federation }: { federation: FederationListed }) {
  const { texts } = useSpeech();
  const { council } = useSeasonSpeech().texts;
  const { route } = useLocation();
  const seasons = useSeasons(federation.id);
  const [name, call] = useState('');
  const [rules, choose] = useState(USUAL_RULES);
  const body = { name: name.trim(), rules: rules.trim() };
  return (
    <Section title={seatName(federation)}>
      <Shown asked={seasons}>
        {({ items }) => (
          <div class="stack desk-narrow">
            <ul class="names">
              {[...items].reverse().map((one) => (
                <li key={one.id}>
                  <a href={addresses.directingSeason(one.id)}>{seatName(one)}</a>
                </li>
              ))}
            </ul>
            <Act
              title={council.open}
              open={!items.length}
              what={`${federation.id}/season/${JSON.stringify(body)}`}
              order={(to) => openSeason({ client: own.registration, path: { federation_id: federation.id }, body, ...to }) as Promise<Outcome<{ id: string }>>}
              done={({ id }) => route(addresses.directingSeason(id))}
            >
              <Words label={texts.table.name} value={name} change={call} required />
              <Words label={council.rules} value={rules} change={choose} required />
            </Act>
          </div>
        )}
      </Shown>
    </Section>
  );
}

type Decided = { season: string; table: SeasonTable; book: SeasonBook; persons: [id: string, name: string][] };

function Directed({ season }: { season: string }) {
  const { texts, before } = useSpeech();
  const { council, season: words } = useSeasonSpeech().texts;
  const asked = useSeasonTable(season);
  const table = asked.answer;
  const book = useSeasonBook(season);
  const register = useRegister(table?.federation);
  const problem = asked.problem ?? book.problem;
  if (!table || !book.answer || !hasCome(register)) {
    return problem ? <ProblemNote problem={problem} /> : <div class="desk-space" aria-busy="true" />;
  }
  const persons = (register.answer ?? [])
    .map((one): [string, string] => [one.id, seatName(one)])
    .sort(([, one], [, other]) => before(one, other));
  const decided: Decided = { season, table, book: book.answer, persons };
  return (
    <>
      <div class="desk-head">
        <h2>{table.name}</h2>
        <span class={`badge${table.status === 'open' ? ' now' : ''}`}>{words.status[table.status]}</span>
        <span class="row end">
          <a href={addresses.season(season)}>{texts.director.asOthersSee}</a>
          <a href={addresses.directingSeasons}>{council.others}</a>
        </span>
      </div>
      <div class="columns desk-columns">
        <div class="stack">
          <Section title={council.publishing}>
            <Publishing {...decided} />
          </Section>
          <Qualifying {...decided} />
        </div>
        <div class="stack">
          <Section title={council.elsewhere}>
            <Elsewhere {...decided} />
          </Section>
          <Section title={council.roll}>
            <Roll {...decided} />
          </Section>
        </div>
      </div>
    </>
  );
}

type Allowed = keyof SeasonBook['allowed_actions'];

/** Nobody is offered what this season does not let them do. */
const may = ({ allowed_actions: allowed }: SeasonBook, act: Allowed) => allowed[act]?.allowed === true;

// What everybody reads then

/** Whether anybody qualifies by the rules of the season. */
function useCut({ season, table }: Decided): boolean {
  return Boolean(useSeasonToDirect(table.federation, season).answer?.whole['cut']);
}

function Publishing(decided: Decided) {
  const { season, table, book } = decided;
  const cut = useCut(decided);
  const { texts, day } = useSpeech();
  const speech = useSeasonSpeech();
  const { council, season: words } = speech.texts;
  const to = { client: own.standings, path: { season_id: season } };
  const acts = { publishRatings, publishQualification, closeSeason };
  const said = (on: string | null) => on && council.lastOn(day(`${on}T12:00:00Z`, 'UTC'));
  const ties = table.unresolved.map((tie) => tieSaid(speech.texts, table, tie));
  const last = { publishRatings: said(book.published.map(({ on }) => on).sort().at(-1) ?? null), publishQualification: said(book.qualification_on), closeSeason: said(book.closed_on) };
  return (
    <div class="acts">
      {table.corrected && <p class="note">{words.corrected}</p>}
      {table.outdated && <p class="note">{[outdatedSaid(speech.texts, table), ...(ties.length ? [...ties, council.cutFirst] : [council.publishAgain])].join(' ')}</p>}
      {(Object.keys(acts) as (keyof typeof acts)[])
        .filter((one) => may(book, one) && (cut || one !== 'publishQualification'))
        .map((one) => (
          <Act<Foreseen, unknown>
            key={one}
            title={council[one]}
            what={`${season}/${one}`}
            absolute
            look={() => acts[one]({ ...to, query: { dry_run: true } }) as Promise<Outcome<Foreseen>>}
            order={(sending) => acts[one]({ ...to, ...sending }) as Promise<Outcome<unknown>>}
            shown={({ changes }) => (changes.length ? null : <p>{texts.director.nothingNew}</p>)}
          >
            <p class="soft">{[council.says[one], last[one]].filter(Boolean).join(' ')}</p>
            {one !== 'publishRatings' && ties.length > 0 && <p class="note">{[...ties, council.cutFirst].join(' ')}</p>}
          </Act>
        ))}
      {may(book, 'importRatingList') && <RatingListFile season={season} />}
      {!Object.keys(acts).some((one) => may(book, one as Allowed)) && <p class="soft">{council.nothing}</p>}
    </div>
  );
}

function RatingListFile({ season }: { season: string }) {
  const { texts } = useSpeech();
  const { council, season: words } = useSeasonSpeech().texts;
  const [list, call] = useState('');
  const [on, date] = useState('');
  return (
    <File
      title={council.importRatingList}
      columns="person, name, rating, games"
      what={`${season}/list/${list}/${on}`}
      ready={list.trim() !== '' && on !== ''}
      send={(body, dry_run, to) => importRatingList({ client: own.standings, path: { season_id: season }, query: { list: list.trim(), on, ...(dry_run ? { dry_run } : {}) }, ...body, ...to })}
    >
      <Words label={words.list} value={list} change={call} />
      <Labelled label={texts.director.day}>
        <input class="field" type="date" value={on} onInput={({ currentTarget }) => date(currentTarget.value)} />
      </Labelled>
    </File>
  );
}

function File({
  title,
  columns,
  what,
  ready = true,
  send,
  children,
}: {
  title: string;
  columns: string;
  what: string;
  ready?: boolean;
  send: (body: Csv, dryRun: boolean, to: Partial<To>) => Promise<unknown>;
  children?: preact.ComponentChildren;
}) {
  const { council } = useSeasonSpeech().texts;
  const file = useFile(send);
  return (
    <Act title={title} what={`${what}/${file.content}`} {...file.act} ready={file.act.ready && ready}>
      <p class="soft">{council.columns(columns)}</p>
      {children}
      {file.field}
    </Act>
  );
}

// What was held elsewhere, and with what the season begins

function Elsewhere({ season, table, book, persons }: Decided) {
  const { texts } = useSpeech();
  const { council } = useSeasonSpeech().texts;
  const path = { season_id: season };
  const files = {
    importContests: { order: importContests, columns: 'contest, kind, on, person, name, place, expelled, organiser, rating_list' },
    importGames: { order: importGames, columns: 'contest, round, person, name, opponent, opponent_name, points' },
    importFirstRatings: { order: importFirstRatings, columns: 'person, name, rating, online_rating, games, online_games' },
  };
  const [tournament, left] = useState('');
  const [person, who] = useState('');
  const [serious, judge] = useState('yes');
  const here = table.tournaments.filter(({ status }) => status !== 'elsewhere');
  const body = { tournament, person, serious: serious === 'yes' };
  return (
    <div class="acts">
      {(Object.keys(files) as (keyof typeof files)[])
        .filter((one) => may(book, one))
        .map((one) => (
          <File
            key={one}
            title={council[one]}
            columns={files[one].columns}
            what={`${season}/${one}`}
            send={(csv, dry_run, to) => files[one].order({ client: own.standings, path, ...(dry_run ? { query: { dry_run } } : {}), ...csv, ...to })}
          />
        ))}
      {may(book, 'judgeDeparture') && here.length > 0 && (
        <Act
          title={council.judgeDeparture}
          what={`${season}/departure/${JSON.stringify(body)}`}
          absolute
          order={(to) => judgeDeparture({ client: own.standings, path, body, ...to })}
        >
          <Choose label={texts.desk.tournament} value={tournament} options={[NOBODY, ...here.map((one) => [one.tournament, one.name ?? '…'] as const)]} change={left} required />
          <Choose label={texts.table.name} value={person} options={[NOBODY, ...persons]} change={who} required />
          <Choose label={council.serious} value={serious} options={[['yes', council.wasSerious], ['no', council.wasNot]]} change={judge} />
        </Act>
      )}
    </div>
  );
}

// Who qualifies

function Qualifying(decided: Decided) {
  const { council } = useSeasonSpeech().texts;
  if (!useCut(decided)) return null;
  return (
    <Section title={council.field}>
      <Cut {...decided} />
    </Section>
  );
}

function Cut({ season, table, book, persons }: Decided) {
  const { texts } = useSpeech();
  const speech = useSeasonSpeech();
  const { council } = speech.texts;
  const to = { client: own.standings, path: { season_id: season } };
  const [champion, name] = useState(book.champion ?? '');
  const [field, count] = useState(book.field === null ? '' : String(book.field));
  const settled = useRef<HTMLUListElement>(null);
  const acted = useRef(false);
  useLayoutEffect(() => {
    if (!acted.current || !settled.current || table.unresolved.length) return;
    acted.current = false;
    if (document.activeElement === document.body) settled.current.focus({ preventScroll: true }); // what was decided is offered no more, and keys were on its button
  });
  return (
    <div class="acts">
      {may(book, 'nameChampion') && (
        <Act
          title={council.nameChampion}
          what={`${season}/champion/${champion}`}
          absolute
          order={(sending) => nameChampion({ ...to, body: { person: champion || null }, ...sending })}
        >
          <Choose label={texts.table.name} value={champion} options={[['', council.nobody], ...persons]} change={name} />
        </Act>
      )}
      {may(book, 'announceField') && (
        <Act
          title={council.announceField}
          what={`${season}/field/${field}`}
          absolute
          order={(sending) => announceField({ ...to, body: { field: field.trim() ? Number(field) : null }, ...sending })}
        >
          <Labelled label={council.howMany}>
            <Digits value={field} change={count} />
          </Labelled>
        </Act>
      )}
      {book.cut.length > 0 && (
        <ul class="stack" tabIndex={-1} ref={settled}>
          {book.cut.map(({ order, reason }) => (
            <li key={order.join()}>
              {council.settled(order.map(contenders(speech.texts, table)).join(', '), reason ? council.reasons[reason] : council.byLot)}
              {!counts(table, order) && <div class="soft small">{council.countsNoMore}</div>}
            </li>
          ))}
        </ul>
      )}
      {table.unresolved.map((tie) => (
        <AtTheCut key={tie.persons.join()} table={table} book={book} tie={tie} done={() => (acted.current = true)} />
      ))}
      <Championship season={season} table={table} />
    </div>
  );
}

/** Whether just those are equal still between whom it was decided. */
function counts({ decided, merged }: SeasonTable, order: string[]): boolean {
  const now = order.map((person) => merged[person] ?? person).join();
  return decided.some((one) => one.join() === now);
}

function AtTheCut({ table, book, tie, done }: { table: SeasonTable; book: SeasonBook; tie: SeasonTable['unresolved'][number]; done: () => void }) {
  const { texts } = useSpeech();
  const speech = useSeasonSpeech();
  const { council } = speech.texts;
  const { season } = table;
  const equal = tie.persons;
  const called = contenders(speech.texts, table);
  const [order, put] = useState(equal);
  const [reason, say] = useState<CutReason>('council');
  const to = { client: own.standings, path: { season_id: season } };
  return (
    <div class="note stack">
      <p>{tieSaid(speech.texts, table, tie)}</p>
      {may(book, 'drawLotAtCut') && (
        <OrderButton what={`${season}/draw/${equal.join()}`} order={(sending) => drawLotAtCut({ ...to, ...sending })} done={done}>
          {council.drawLotAtCut}
        </OrderButton>
      )}
      {may(book, 'decideCut') && (
        <Act
          title={council.decideCut}
          what={`${season}/cut/${order.join()}/${reason}`}
          absolute
          order={(sending) => decideCut({ ...to, body: { order, reason }, ...sending })}
          done={done}
        >
          {order.map((one, at) => (
            <Choose
              key={at}
              label={`${at + 1}.`}
              value={one}
              options={equal.map((person) => [person, called(person)])}
              change={(person) => put(order.map((other) => (other === one ? person : other === person ? one : other)))}
            />
          ))}
          <Choose label={texts.director.reason} value={reason} options={REASONS.map((one) => [one, council.reasons[one]])} change={(one) => say(one as CutReason)} />
        </Act>
      )}
    </div>
  );
}

/** To which the best of the season go on, by themselves once it is published who they are. */
function Championship({ season, table }: { season: string; table: SeasonTable }) {
  const { council } = useSeasonSpeech().texts;
  const shown = useSeasonToDirect(table.federation, season).answer;
  const coming = useComing(table.federation).answer;
  const named = useTournamentToDirect(shown?.next_level ?? undefined).answer;
  const other = useTournamentToDirect(shown?.otherwise ?? undefined).answer;
  const [typed, type] = useState<{ championship?: string; otherwise?: string }>({});
  const chosen = typed.championship ?? shown?.next_level ?? '';
  const kept = typed.otherwise ?? shown?.otherwise ?? '';
  const otherwise = chosen && kept !== chosen ? kept : ''; // besides a championship, and another one
  const path = { federation_id: table.federation, season_id: season };
  const options = new Map([['', council.none], ...[named, other, ...(coming ?? [])].filter((one) => one !== undefined).map((one) => [one.id, one.name] as const)]); // it may have started since
  return (
    <>
      {named && (
        <p>
          {council.championship}: <b>{named.name}</b>
        </p>
      )}
      {other && (
        <p>
          {council.otherwise}: <b>{other.name}</b>
        </p>
      )}
      {shown?.allowed_actions.nameChampionship?.allowed && coming && (
        <Act
          title={council.nameChampionship}
          what={`${season}/championship/${chosen}/${otherwise}`}
          absolute
          order={(to) => nameChampionship({ client: own.registration, path, body: { tournament: chosen || null, otherwise: otherwise || null }, ...to })}
        >
          <Choose label={council.championship} value={chosen} options={[...options]} change={(championship) => type({ ...typed, championship })} />
          {chosen && (
            <Choose
              label={council.otherwise}
              value={otherwise}
              options={[...options].filter(([id]) => id !== chosen)}
              change={(otherwise) => type({ ...typed, otherwise })}
            />
          )}
        </Act>
      )}
    </>
  );
}

// The roll of members

function Roll({ season, table, persons }: Decided) {
  const { day, number } = useSpeech();
  const { texts } = useSeasonSpeech();
  const { council } = texts;
  const can = useSeasonToDirect(table.federation, season).answer?.allowed_actions;
  const asked = useRoll(table.federation, season);
  const [fee, charge] = useState({ amount: '', joining: '', currency: 'EUR' });
  const path = { federation_id: table.federation, season_id: season };
  const amountOf = (typed: string) => Number(typed.trim().replace(',', '.'));
  const body = { amount: amountOf(fee.amount), currency: fee.currency.trim().toUpperCase(), ...(fee.joining.trim() ? { joining: amountOf(fee.joining) } : {}) };
  return (
    <Shown asked={asked}>
      {(roll) => (
        <div class="acts">
          <p>
            {roll.fee ? council.feeNow(`${number(roll.fee.amount)} ${roll.fee.currency}`, roll.members) : council.noRoll}
          </p>
          {can?.setAnnualFee?.allowed && (
            <Act
              title={council.setAnnualFee}
              what={`${season}/fee/${JSON.stringify(body)}`}
              absolute
              order={(to) => setAnnualFee({ client: own.registration, path, body, ...to })}
            >
              <Words label={council.amount} value={fee.amount} change={(amount) => charge({ ...fee, amount })} required />
              <Words label={council.joining} value={fee.joining} change={(joining) => charge({ ...fee, joining })} />
              <Words label={council.currency} value={fee.currency} change={(currency) => charge({ ...fee, currency })} required />
            </Act>
          )}
          {roll.fee && can?.enrolMember?.allowed && (
            <Enrolling path={path} fee={roll.fee} persons={persons.filter(([id]) => !roll.items.some(({ person }) => person === id))} />
          )}
          {roll.items.length > 0 && can?.strikeMember?.allowed && <Striking path={path} members={roll.items} />}
          {roll.items.length > 0 && (
            <ul class="stack">
              {roll.items.map((one) => (
                <li key={one.person}>
                  {personSaid(texts, one)} <span class="soft small">{`${number(one.amount)} ${one.currency} · ${day(`${one.on}T12:00:00Z`, 'UTC')} · ${one.reference}`}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Shown>
  );
}

function Striking({ path, members }: { path: OfSeason; members: SeasonMember[] }) {
  const { texts } = useSpeech();
  const speech = useSeasonSpeech();
  const { council } = speech.texts;
  const [chosen, choose] = useState('');
  const [reason, say] = useState<(typeof STRUCK)[number]>('enrolled-by-mistake');
  const person = members.some((one) => one.person === chosen) ? chosen : '';
  return (
    <Act
      title={council.strikeMember}
      what={`${path.season_id}/strike/${person}/${reason}`}
      absolute
      order={(to) => strikeMember({ client: own.registration, path: { ...path, member_id: person }, body: { reason }, ...to })}
    >
      <Choose label={texts.table.name} value={person} options={[NOBODY, ...members.map((one) => [one.person, personSaid(speech.texts, one)] as const)]} change={choose} required />
      <Choose label={texts.director.reason} value={reason} options={STRUCK.map((one) => [one, council.struck[one]])} change={(one) => say(one as typeof reason)} />
    </Act>
  );
}

type OfSeason = { federation_id: string; season_id: string };
type Dues = { amount: number; joining: number; currency: string };

function Enrolling({ path, fee, persons }: { path: OfSeason; fee: Dues; persons: [string, string][] }) {
  const { texts, number } = useSpeech();
  const { council } = useSeasonSpeech().texts;
  const [chosen, choose] = useState('');
  const [on, date] = useState(new Date().toLocaleDateString('sv'));
  const [reference, refer] = useState('');
  const [joins, join] = useState('no');
  const person = persons.some(([id]) => id === chosen) ? chosen : '';
  const due = fee.amount + (joins === 'yes' ? fee.joining : 0);
  const body = { person, amount: due, currency: fee.currency, on, reference: reference.trim(), joins: joins === 'yes' };
  if (!persons.length) return null;
  return (
    <Act
      title={council.enrolMember(`${number(due)} ${fee.currency}`)}
      what={`${path.season_id}/enrol/${JSON.stringify(body)}`}
      order={(to) => enrolMember({ client: own.registration, path, body, ...to })}
      done={() => refer((now) => (now === reference ? '' : now))}
      stays
    >
      <Choose label={texts.table.name} value={person} options={[NOBODY, ...persons]} change={choose} required />
      <Labelled label={council.paidOn}>
        <input class="field" type="date" required value={on} onInput={({ currentTarget }) => date(currentTarget.value)} />
      </Labelled>
      <Words label={texts.director.reference} value={reference} change={refer} required />
      {fee.joining > 0 && <Choose label={council.joins} value={joins} options={[['no', council.joinedBefore], ['yes', council.joinsNow]]} change={join} />}
    </Act>
  );
}
