/**
 * What whoever has opened a link may ask. The last answers are kept on this device, so that the desk is there again after the
 * browser was closed where there is no network.
 */

import { useEffect, useRef, useState } from 'preact/hooks';

import { getMeAtPairing } from 'roundlog/pairing/sdk.gen.ts';
import type { MeAtPairing } from 'roundlog/pairing/types.gen.ts';
import {
  changeMyParticulars,
  confirmPlace,
  enterTournament,
  followScope,
  getMe,
  getMyself,
  getRuleset,
  getTournament,
  listScorerLinks,
  registerMyself,
  withdrawEntrant,
} from 'roundlog/registration/sdk.gen.ts';
import type {
  LinksListed,
  MeAtRegistration,
  MyEntry,
  MyselfShown,
  Particulars,
  Tournament,
} from 'roundlog/registration/types.gen.ts';
import { exportEntrySheet, followScope as followTables, getGame, getMeAtResults, importEntrySheet, listGames, listGamesOfTournament } from 'roundlog/results/sdk.gen.ts';
import type {
  AnsweredLines,
  Game,
  GameListed,
  LinesForeseen,
  MeAtResults,
  OwnGame,
  Problem,
  RoundOfGames,
} from 'roundlog/results/types.gen.ts';
import { getMeAtStandings } from 'roundlog/standings/sdk.gen.ts';
import type { MeAtStandings } from 'roundlog/standings/types.gen.ts';

import { listening, type Connection } from 'roundlog-calling/listening.ts';

import { allOf, OFFLINE, RULES, refresh, refreshing, seed, useAsked, type Asked, type GoodFor, type Outcome } from './answer_cache.ts';
import { resting } from './clients.ts';
import { useRoomForStreams } from './crowded.ts';
import { changed, kept } from './device_storage.ts';
import { useRounds } from './live.ts';
import { foreseen, ordered, unheard, type To } from './orders.ts';
import { isProblem } from './outbox.ts';
import { MOVED_BY_RESULTS, own, ownKey, type Service } from './session.ts';

export type { Game, GameListed, MeAtPairing, MeAtRegistration, MeAtResults, MeAtStandings, MyEntry, OwnGame, RoundOfGames };
export type UnderWay = MeAtResults['tournaments'][number];

/** Who takes no part any more, by status. */
export const GONE = ['withdrawn', 'struck-off', 'left'];

const ANSWERS = 'answers';
const OFTEN = 8_000; // as often as somebody at a desk wants to know what others have entered
const CALM = 30_000;
const MOST_KEPT = 40;

/** As `useAsked`, with what was answered before the page was closed. Nobody is shown what somebody else was. */
function useOwn<Answer>(
  service: Service,
  what: string | undefined,
  ask: () => Promise<Outcome<Answer>>,
  every: number | GoodFor,
): Asked<Answer> {
  const key = what && ownKey(service, what);
  const asked = useAsked(key, ask, every);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (key === undefined || asked.answer !== undefined) return;
    void kept<Record<string, Answer>>(ANSWERS).then((answers) => {
      const found = answers?.[key];
      if (found === undefined) return;
      seed(key, found, ask);
      redraw((count) => count + 1);
    });
  }, [key]);
  const { answer } = asked;
  useEffect(() => {
    if (key === undefined || answer === undefined) return;
    void changed<Record<string, unknown>>(ANSWERS, (before = {}) => {
      const { [key]: _, ...others } = before;
      return Object.fromEntries([...Object.entries(others).slice(1 - MOST_KEPT), [key, answer]]);
    });
  }, [key, answer]);
  return asked;
}

export function useMeAtResults(): Asked<MeAtResults> {
  return useOwn('results', 'me', () => getMeAtResults({ client: own.results }), OFTEN);
}

export function useMeAtPairing(): Asked<MeAtPairing> {
  return useOwn('pairing', 'me', () => getMeAtPairing({ client: own.pairing }), OFTEN);
}

const UNDER_WAY = ['check-in', 'running'];

/**
 * The start and each round of what somebody plays, enters or directs now is heard of as it comes. A browser has six connections to
 * one origin, for all that is open of it: a desk takes two of them, this and the one to the tables.
 */
export function useMeAtRegistration(me: MeAtResults | undefined, officiates: string | undefined): Asked<MeAtRegistration> {
  const isBetweenRounds = officiates === undefined && me?.tables.length === 0; // a player waits for the next one, or for the end
  const asked = useOwn('registration', 'me', () => getMe({ client: own.registration }), isBetweenRounds ? OFTEN : CALM);
  const { entries = [], tournaments = [], captain = null } = asked.answer ?? {};
  const mine = [...entries.map(({ tournament, status }) => ({ tournament, status })), ...tournaments.map(({ id, status }) => ({ tournament: id, status }))];
  const now = mine.find(({ status }) => UNDER_WAY.includes(status));
  useRounds(officiates ?? now?.tournament ?? '', 'own/');
  useStart(captain && now?.status === 'check-in' ? now.tournament : undefined);
  return asked;
}

/** Of what nobody else needs to hear at once, captains are told by registration. */
function useStart(tournament: string | undefined): void {
  useScope(tournament, (of) => followScope({ client: own.registration, ...of }), ['own/']);
}

/** What happens at the tables, as captains and officials hear of it. The polls of the page find whatever a stream has missed. */
export function useTablesLive(tournament: string | undefined): void {
  useScope(tournament, (of) => followTables({ client: own.results, ...of }), MOVED_BY_RESULTS);
}

type OfScope = Omit<Connection, 'headers'> & { path: { scope: string }; headers: { 'Last-Event-ID'?: number } };

/** What the page shows of these is asked for again when something happens there, and all of it when the stream ends, as with an office. */
function useScope(
  scope: string | undefined,
  follow: (of: OfScope) => Promise<{ stream: AsyncGenerator<unknown> }>,
  moves: string[],
): void {
  const hasRoom = useRoomForStreams();
  const hadNone = useRef(false);
  useEffect(() => {
    if (!scope || !hasRoom) return undefined;
    const leaving = new AbortController();
    const shown = refreshing(...moves);
    const all = refreshing('own/');
    let hears = false;
    const heard = (now: boolean) => {
      if (hears && !now) all.soon();
      hears = now;
    };
    const open = ({ headers: { 'Last-Event-ID': seen }, ...connection }: Connection) =>
      follow({ ...connection, path: { scope }, headers: seen === undefined ? {} : { 'Last-Event-ID': Number(seen) } });
    const listen = async () => {
      for await (const _ of listening(open, { signal: leaving.signal, heard })) shown.soon();
    };
    if (hadNone.current) shown.soon(); // nobody has heard what happened meanwhile
    hadNone.current = false;
    void listen();
    return () => {
      shown.never();
      all.never();
      leaving.abort();
      hadNone.current = true;
    };
  }, [scope, hasRoom]);
}

for (const client of Object.values(own)) resting(client);

export function useMeAtStandings(): Asked<MeAtStandings> {
  return useOwn('standings', 'me', () => getMeAtStandings({ client: own.standings }), CALM);
}

/** As officials see it: also who has reported and who has not. */
export function useOwnRound(tournament: string | undefined, stage: string, round: number): Asked<RoundOfGames> {
  return useOwn(
    'results',
    tournament && `round/${tournament}/${stage}/${round}`,
    () => wholeRound({ tournament_id: tournament ?? '', stage, round }),
    OFTEN,
  );
}

async function wholeRound(path: { tournament_id: string; stage: string; round: number }): Promise<Outcome<RoundOfGames>> {
  const first = await listGames({ client: own.results, path });
  if (!first.data) return first;
  const whole = first.data;
  for (let next = whole.next; next; ) {
    const more = await listGames({ client: own.results, path, query: { after: next } });
    if (!more.data) return more;
    whole.items.push(...more.data.items);
    next = more.data.next;
  }
  return { data: whole };
}

/** With what each side has reported, and what may be done. */
export function useSheet(game: string | undefined): Asked<Game> {
  return useOwn(
    'results',
    game && `game/${game}`,
    () => getGame({ client: own.results, path: { game_id: game ?? '' } }) as Promise<Outcome<Game>>,
    OFTEN,
  );
}

/** Of a game that is over: what was said of it changes seldom. */
export function useEndedSheet(game: string): Asked<Game> {
  return useOwn('results', `ended/${game}`, () => getGame({ client: own.results, path: { game_id: game } }) as Promise<Outcome<Game>>, 10 * CALM);
}

/** All games of one entrant. `open` are those that wait: when one of them is no more, something has come of it. */
export function useOwnGames(of: { tournament: string; entrant: string } | undefined, open: string[]): Asked<GameListed[]> {
  const key = of && `games/${of.tournament}/${of.entrant}`;
  const asked = useOwn(
    'results',
    key,
    () =>
      allOf<GameListed>((after) =>
        listGamesOfTournament({ client: own.results, path: { tournament_id: of?.tournament ?? '' }, query: { entrant: of?.entrant ?? '', ...after } }),
      ),
    CALM,
  );
  const waiting = open.join();
  useEffect(() => refresh(ownKey('results', 'games/')), [waiting]);
  return asked;
}

/** Also when it is over, which is when nobody is told of it any more. */
export function useOwnTournament(tournament: string | undefined): Tournament | undefined {
  return useOwn(
    'registration',
    tournament && `tournament/${tournament}`,
    () => getTournament({ client: own.registration, path: { tournament_id: tournament ?? '' } }) as Promise<Outcome<Tournament>>,
    OFTEN,
  ).answer;
}

/** In which ways a game of a tournament may end: what of its ruleset a report needs. */
export type Ending = {
  title: string;
  fault?: 'nobody' | 'one' | 'both' | 'official-says';
  scores?: { rule: string; of?: string };
  reasons?: string[];
};

export type Level = { id: string; count?: number; best_of?: number };

export type Rules = {
  results: { endings: Record<string, Ending>; confirmed_by: string };
  contest: { levels?: Level[] };
};

export function useRules(tournament: string | undefined): Asked<Rules> {
  return useOwn('registration', tournament && `rules/${tournament}`, () => rulesOf(tournament ?? ''), RULES);
}

async function rulesOf(tournament: string): Promise<Outcome<Rules>> {
  const found = (await getTournament({ client: own.registration, path: { tournament_id: tournament } })) as Outcome<Tournament>;
  if (!found.data) return { error: found.error, response: found.response };
  const ruleset = await getRuleset({ client: own.registration, path: { ruleset_id: found.data.ruleset } });
  return ruleset as Outcome<Rules>;
}

export type SheetOfRound = { tournament: string; stage: string; round: number };

const pathOf = ({ tournament, stage, round }: SheetOfRound) => ({ tournament_id: tournament, stage, round });

export async function takeSpreadsheet(of: SheetOfRound): Promise<{ file?: Blob; problem?: Problem }> {
  const { data, error } = await exportEntrySheet({ client: own.results, path: pathOf(of), parseAs: 'blob' }).catch(unheard);
  return data ? { file: data as unknown as Blob } : { problem: isProblem(error) ? error : OFFLINE };
}

export type Brought = { foreseen?: LinesForeseen; answered?: AnsweredLines; problem?: Problem };

/** First only to see what would come of it. */
export async function bringSpreadsheet(of: SheetOfRound, content: string, really: boolean): Promise<Brought> {
  const send = (to: { headers?: Record<string, string>; signal?: AbortSignal }) =>
    importEntrySheet({
      client: own.results,
      path: pathOf(of),
      body: content,
      bodySerializer: null,
      query: really ? {} : { dry_run: true },
      ...to,
      headers: { 'Content-Type': 'text/csv', ...to.headers },
    });
  const { answer, problem } = await (really ? ordered(`bring ${JSON.stringify(of)} ${content}`, send) : foreseen(() => send({})));
  if (!answer) return { problem };
  return 'foreseen' in answer ? { foreseen: answer } : { answered: answer };
}

/** What whoever speaks for an entry says of it before the start. It needs the network: nobody does it in the middle of a round. */
export async function sayOfEntry(act: 'confirmPlace' | 'withdrawEntrant', entry: MyEntry): Promise<Problem | undefined> {
  const path = { tournament_id: entry.tournament, entrant_id: entry.entry.entrant.id };
  const send = async (to: To): Promise<Outcome<unknown>> => {
    const sent = { client: own.registration, path, ...to };
    return act === 'confirmPlace' ? confirmPlace(sent) : withdrawEntrant({ ...sent, body: {} });
  };
  const { problem } = await ordered(`${act} ${entry.entry.entrant.id}`, send, true);
  return problem;
}

/** What somebody says of themselves to enter a tournament alone. */
export type EntryForm = { kind?: string; particulars?: string[]; consents?: string[] };

export function useEntryForm(of: { tournament: string; federation: string; ruleset: string } | undefined): {
  form: EntryForm | undefined;
  myself: MyselfShown | undefined;
} {
  const rules = useOwn(
    'registration',
    of && `entry-form/${of.ruleset}`,
    () => getRuleset({ client: own.registration, path: { ruleset_id: of?.ruleset ?? '' } }) as Promise<Outcome<{ entry: EntryForm }>>,
    RULES,
  );
  // What a federation knows of somebody is not kept on a device.
  const myself = useAsked(of && ownKey('registration', `myself/${of.federation}`), () =>
    getMyself({ client: own.registration, path: { federation_id: of?.federation ?? '' } }),
  );
  return { form: rules.answer?.entry, myself: myself.answer };
}

export type SaidOfMyself = { name: string; particulars: Particulars; consents: string[] };

/**
 * Known to the federation first, if need be, and then entered. Whoever is there already with just this is entered no second time; and
 * whoever has withdrawn since enters anew, so that no key of before may answer.
 */
export async function enterMyself(
  of: { tournament: string; federation: string },
  myself: MyselfShown,
  said: SaidOfMyself,
): Promise<Problem | undefined> {
  const path = { federation_id: of.federation };
  const what = `${of.federation} ${JSON.stringify([said.name, said.particulars])}`;
  const more = Object.keys(said.particulars).length > 0;
  let { person } = myself;
  if (!person || more) {
    const known = await (person
      ? ordered(
          `change ${what}`,
          (to) => changeMyParticulars({ client: own.registration, path, ...to, body: { ...(myself.particulars ?? {}), ...said.particulars } }),
          true,
        )
      : ordered(`register ${what}`, (to) =>
          registerMyself({ client: own.registration, path, ...to, body: { name: said.name, ...(more ? { particulars: said.particulars } : {}) } }),
        ));
    if (known.problem) return known.problem;
    person = known.answer.person;
  }
  const body = { person, consents: said.consents };
  const { problem } = await ordered(
    `enter ${of.tournament} ${JSON.stringify(body)}`,
    (to) => enterTournament({ client: own.registration, path: { tournament_id: of.tournament }, ...to, body }),
    true,
  );
  return problem;
}

/** Links that a director hands out. They are kept nowhere, neither there nor here. */
export function useScorerLinks(tournament: string): Asked<LinksListed> {
  return useAsked(
    ownKey('registration', `links/${tournament}`),
    () => listScorerLinks({ client: own.registration, path: { tournament_id: tournament } }),
    OFTEN,
  );
}

/** Tournaments that somebody directs, themselves or as a director of the federation. */
export function directed({ offices, tournaments }: MeAtRegistration): MeAtRegistration['tournaments'] {
  const scopes = offices.filter(({ role }) => role === 'director').map(({ scope }) => scope);
  return tournaments.filter(({ id, federation }) => scopes.includes(id) || scopes.includes(federation));
}
