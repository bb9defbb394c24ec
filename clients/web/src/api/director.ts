/** What whoever directs a tournament asks. Nothing of it is kept on the device: it says who has paid and why somebody was warned. */

import { useEffect, useState } from 'preact/hooks';

import { explainRound, getRooms, getRound, listStages } from 'roundlog/pairing/sdk.gen.ts';
import type { Foreseen, RoomsShown, Round, RoundExplained, StageList } from 'roundlog/pairing/types.gen.ts';
import {
  changeParticulars,
  exportEntries,
  getEntry,
  getParticulars,
  getPerson,
  getRuleset,
  getTournament,
  listEntries,
  listHomes,
  listOfficials,
  listPersons,
  listRulesets,
  listSeasons,
  listTournamentOfficials,
} from 'roundlog/registration/sdk.gen.ts';
import type {
  EntryListed,
  EntrySheet,
  Fee,
  HomePage,
  MeAtRegistration,
  Official,
  PersonListed,
  RulesetListed,
  SeasonPage,
  Tournament,
  TournamentForeseen,
} from 'roundlog/registration/types.gen.ts';
import { getGame, listDeliveries, listPenalties, listProtests, listWebhooks } from 'roundlog/results/sdk.gen.ts';
import type { DeliveriesListed, Game, Penalties, Problem, Protests, RulingForeseen, WebhooksListed } from 'roundlog/results/types.gen.ts';
import { getStage } from 'roundlog/standings/sdk.gen.ts';
import type { Stage, Supposed } from 'roundlog/standings/types.gen.ts';

import { allOf, RULES, useAsked, type Asked, type GoodFor, type Outcome } from './answer_cache.ts';
import { ordered, unheard } from './orders.ts';
import { own, ownKey, type Service } from './session.ts';

export type {
  EntryListed,
  EntrySheet,
  Foreseen,
  Game,
  MeAtRegistration,
  Penalties,
  Problem,
  Round,
  RoundExplained,
  RulesetListed,
  RulingForeseen,
  Stage,
  StageList,
  Supposed,
  Tournament,
  TournamentForeseen,
};

const SOON = 1_000;
const OFTEN = 8_000;
const CALM = 30_000;

function useDirected<Answer>(
  service: Service,
  what: string | undefined,
  ask: () => Promise<Outcome<Answer>>,
  every: number | GoodFor = OFTEN,
): Asked<Answer> {
  return useAsked(what && ownKey(service, `director/${what}`), ask, every);
}

const DECIDES = ['director', 'arbiter'];

/** Whether they decide in a tournament, or in whatever its federation holds. */
export function decidesIn(me: Pick<MeAtRegistration, 'offices'>, one: { id: string; federation: string }, roles = DECIDES): boolean {
  return me.offices.some(({ scope, role }) => roles.includes(role) && (scope === one.id || scope === one.federation));
}

export function useTournamentToDirect(tournament: string | undefined): Asked<Tournament> {
  return useDirected('registration', tournament && `tournament/${tournament}`, () =>
    getTournament({ client: own.registration, path: { tournament_id: tournament ?? '' } }),
  );
}

export function useRulesets(): Asked<RulesetListed[]> {
  return useDirected(
    'registration',
    'rulesets',
    () => allOf<RulesetListed>((after) => listRulesets({ client: own.registration, query: { limit: 200, ...after } })),
    10 * CALM,
  );
}

/** What the rules say of who enters, as far as the desk asks for it. */
export type EntryRules = {
  kind: 'individual' | 'pair' | 'team';
  team?: { base: number; least: number; substitutes: number; frozen?: string } | null;
  eligibility: { rule: string; declares?: string; sentence?: string }[];
  consents: string[];
  particulars: string[];
  categories: { id: string; title: string; eligibility: { rule: string; declares?: string; sentence?: string }[] }[];
  category?: string | null;
  category_once?: boolean;
  fee_for?: string;
  fees: Fee[];
  competitions: string[];
  size?: { overridden?: boolean };
  check_in?: object | null;
};

/** Whole rules leave out what is as usual. */
export function useEntryRules(ruleset: string | undefined): Asked<{ entry: EntryRules; announced: string[] }> {
  const { answer, problem } = useDirected(
    'registration',
    ruleset && `ruleset/${ruleset}`,
    () => getRuleset({ client: own.registration, path: { ruleset_id: ruleset ?? '' } }),
    RULES,
  );
  if (!answer) return { answer, problem };
  const { entry, announced } = answer as { entry?: Partial<EntryRules>; announced?: Record<string, string> };
  const usual: EntryRules = { kind: 'individual', eligibility: [], consents: [], particulars: [], categories: [], fees: [], competitions: [] };
  return { answer: { entry: { ...usual, ...entry }, announced: Object.keys(announced ?? {}) }, problem };
}

const MOST_OF_A_PAGE = 500;

/** Whom a federation knows by name, for its officials. */
export function useRegister(federation: string | undefined): Asked<PersonListed[]> {
  return useDirected(
    'registration',
    federation && `register/${federation}`,
    () =>
      allOf(({ after }) =>
        listPersons({
          client: own.registration,
          path: { federation_id: federation ?? '' },
          query: { limit: MOST_OF_A_PAGE, ...(after ? { after: Number(after) } : {}) },
        }) as Promise<Outcome<{ items: PersonListed[]; next?: string | null }>>,
      ),
    10 * CALM,
  );
}

/** When each of these was born; what else is known of them stays. */
export async function tellBirths(births: [person: string, born: string][]): Promise<Outcome<unknown>> {
  const client = own.registration;
  for (const [person, born] of births) {
    const path = { person_id: person };
    const { data, error, response } = await getParticulars({ client, path });
    if (!data) return { error, response };
    const { person: _, hidden: __, ...known } = data;
    const { problem } = await ordered(`${person}/born/${born}`, (to) => changeParticulars({ client, path, body: { ...known, born }, ...to }));
    if (problem) return { error: problem };
  }
  return { data: births };
}

/** Whoever plays, as officials of the federation see them. */
export function usePerson(person: string | undefined) {
  return useDirected(
    'registration',
    person && `person/${person}`,
    () => getPerson({ client: own.registration, path: { person_id: person ?? '' } }),
    CALM,
  );
}

/** Schools, clubs, regions and halls: there may be hundreds, which one page of them has. */
export function useHomes(federation: string | undefined): Asked<HomePage> {
  return useDirected(
    'registration',
    federation && `homes/${federation}`,
    () => listHomes({ client: own.registration, path: { federation_id: federation ?? '' } }),
    10 * CALM,
  );
}

export function useSeasons(federation: string | undefined): Asked<SeasonPage> {
  return useDirected(
    'registration',
    federation && `seasons/${federation}`,
    () => listSeasons({ client: own.registration, path: { federation_id: federation ?? '' } }),
    10 * CALM,
  );
}

/** Those of one tournament, and whether more can be appointed. */
export function useOfficialsOf(tournament: string) {
  return useDirected(
    'registration',
    `officials/${tournament}`,
    () => listTournamentOfficials({ client: own.registration, path: { tournament_id: tournament } }),
    CALM,
  );
}

/** Whoever may judge in a tournament: its own officials, and those of its federation. */
export function useJudges(tournament: string, federation: string): string[] {
  const here = useOfficialsOf(tournament).answer?.officials ?? [];
  const there = useDirected(
    'registration',
    `officials/${federation}`,
    () => listOfficials({ client: own.registration, path: { federation_id: federation } }),
    CALM,
  );
  const all: Official[] = [...here, ...(there.answer?.officials ?? [])];
  return [...new Set(all.filter(({ role }) => DECIDES.includes(role)).map(({ subject }) => subject))];
}

/** Everybody as a file, which the same desk takes in again. */
export async function takeEntries(tournament: string): Promise<Outcome<Blob>> {
  const path = { tournament_id: tournament };
  return (await exportEntries({ client: own.registration, path, parseAs: 'blob' }).catch(unheard)) as Outcome<Blob>;
}

/** Everybody who has entered, by name, with what they lack. */
export function useEntries(tournament: string): Asked<EntryListed[]> {
  return useDirected('registration', `entries/${tournament}`, () =>
    allOf<EntryListed>((after) =>
      listEntries({
        client: own.registration,
        path: { tournament_id: tournament },
        query: { order: 'name', limit: 200, ...after },
      }),
    ),
  );
}

export function useEntry(tournament: string, entrant: string): Asked<EntrySheet> {
  return useDirected('registration', `entry/${entrant}`, () =>
    getEntry({ client: own.registration, path: { tournament_id: tournament, entrant_id: entrant } }),
  );
}

/** Pairing hears of a tournament when it starts: until then it has no stages. */
export function useStagesToDirect(tournament: string, running: boolean): Asked<StageList> {
  return useDirected('pairing', running ? `stages/${tournament}` : undefined, () =>
    listStages({ client: own.pairing, path: { tournament_id: tournament } }),
  );
}

export function useRooms(tournament: string): Asked<RoomsShown> {
  return useDirected('pairing', `rooms/${tournament}`, () => getRooms({ client: own.pairing, path: { tournament_id: tournament } }), CALM);
}

/** With the version that was seen, so that nobody publishes what somebody else has changed meanwhile. */
export type RoundSeen = Round & { version: string };

export function useRoundToPair(tournament: string, stage: string, round: number | undefined): Asked<RoundSeen> {
  return useDirected('pairing', round ? `round/${tournament}/${stage}/${round}` : undefined, async () => {
    const { data, error, response } = await getRound({
      client: own.pairing,
      path: { tournament_id: tournament, stage, round: round ?? 0 },
    });
    return data ? { data: { ...data, version: response?.headers.get('ETag') ?? '' } } : { error, response };
  });
}

export function useGrounds(tournament: string, stage: string, round: number, version: string): Asked<RoundExplained> {
  return useDirected(
    'pairing',
    `grounds/${tournament}/${stage}/${round}/${version}`,
    () => explainRound({ client: own.pairing, path: { tournament_id: tournament, stage, round } }),
    10 * CALM,
  );
}

export function useStageToClose(tournament: string, stage: string | undefined): Asked<Stage> {
  return useDirected('standings', stage && `stage/${tournament}/${stage}`, () =>
    getStage({ client: own.standings, path: { tournament_id: tournament, stage: stage ?? '' } }),
  );
}

export function useGame(game: string): Asked<Game> {
  return useDirected('results', `game/${game}`, () => getGame({ client: own.results, path: { game_id: game } }));
}

export function usePenalties(tournament: string, running: boolean): Asked<Penalties> {
  return useDirected('results', running ? `penalties/${tournament}` : undefined, () =>
    listPenalties({ client: own.results, path: { tournament_id: tournament } }),
  );
}

export function useProtests(tournament: string): Asked<Protests> {
  return useDirected('results', `protests/${tournament}`, () =>
    listProtests({ client: own.results, path: { tournament_id: tournament } }),
  );
}

/** The services that have webhooks. The operations are the same at each: one function serves the three, with their clients. */
export type Teller = 'pairing' | 'results' | 'standings';

export function useWebhooks(teller: Teller, tournament: string): Asked<WebhooksListed> {
  return useDirected(teller, `webhooks/${tournament}/${teller}`, () =>
    listWebhooks({ client: own[teller], path: { tournament_id: tournament } }),
  );
}

export function useDeliveries(teller: Teller, path: { tournament_id: string; webhook_id: string }, before: number | undefined): Asked<DeliveriesListed> {
  const [hurried, hurry] = useState(true);
  const asked = useDirected(
    teller,
    `deliveries/${path.webhook_id}/${before ?? ''}`,
    () => listDeliveries({ client: own[teller], path, query: before ? { before } : {} }),
    hurried ? SOON : OFTEN,
  );
  const untried = asked.answer?.items.some(({ state, attempts }) => state === 'waiting' && attempts === 0) ?? false;
  useEffect(() => hurry(untried), [untried]);
  return asked;
}
