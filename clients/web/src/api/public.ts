/** What everybody may ask, each by one documented operation. Keys begin with the tournament: `refresh` finds them by that. */

import { listStages } from 'roundlog/pairing/sdk.gen.ts';
import type { StageList } from 'roundlog/pairing/types.gen.ts';
import {
  getRuleset,
  getTournament,
  listEntrants,
  listNotices,
  listTournaments,
} from 'roundlog/registration/sdk.gen.ts';
import type {
  Entrant,
  NoticePage,
  Tournament,
  TournamentPage,
} from 'roundlog/registration/types.gen.ts';
import { getGame, listGames, listGamesOfTournament, listRecords } from 'roundlog/results/sdk.gen.ts';
import type { Game, GameListed, Record as GameRecord, Records, RoundOfGames } from 'roundlog/results/types.gen.ts';
import {
  explainStanding,
  getCrosstable,
  getFinalRanking,
  getProgression,
  getStandings,
  listTableMoments,
} from 'roundlog/standings/sdk.gen.ts';
import type { Crosstable, Explanation, FinalRanking, Progression, Table, TableMoments } from 'roundlog/standings/types.gen.ts';

import { allOf, askAhead, RULES, useAsked, wholeOf, type Asked, type Outcome } from './answer_cache.ts';
import type { Wanted } from './calendar.ts';
import { pairing, registration, results, standings } from './clients.ts';

export type {
  Crosstable,
  Entrant,
  Explanation,
  FinalRanking,
  GameListed,
  GameRecord,
  Progression,
  RoundOfGames,
  StageList,
  Table,
  Tournament,
};
export type { TournamentPage };
export type TournamentListed = TournamentPage['items'][number];
export type { StageListed } from './stages.ts';
export type Row = Table['standings'][number];
export type Column = Table['columns'][number];

const MINUTE = 60_000;
const CALM = 15_000; // as often as a page asks for what no stream tells

export function useTournaments(wanted: Wanted | undefined): Asked<TournamentPage> {
  const { words, federation, ...usual } = wanted ?? {};
  const query = { ...usual, ...(words ? { words } : {}), ...(federation ? { federation } : {}) };
  return useAsked(wanted && `tournaments/${JSON.stringify(wanted)}`, () => listTournaments({ client: registration, query }), MINUTE);
}

/** What each page of a tournament begins with. */
export async function askTournamentAhead(tournament: string): Promise<void> {
  await Promise.all([
    askAhead(`${tournament}/tournament`, () => tournamentOf(tournament)),
    askAhead(`${tournament}/stages`, () => stagesOf(tournament)),
  ]);
}

export function useTournament(tournament: string): Asked<Tournament> {
  return useAsked(`${tournament}/tournament`, () => tournamentOf(tournament), CALM);
}

function tournamentOf(tournament: string): Promise<Outcome<Tournament>> {
  return getTournament({ client: registration, path: { tournament_id: tournament } }) as Promise<Outcome<Tournament>>;
}

export function useLists(ruleset: string | undefined): { id: string; title: string }[] {
  const { answer } = useAsked(
    ruleset && `ruleset/${ruleset}`,
    () => getRuleset({ client: registration, path: { ruleset_id: ruleset ?? '' } }),
    RULES,
  );
  const lists = (answer as { lists?: { id: string; title: string }[] } | undefined)?.lists;
  return lists ?? [];
}

export function useNotices(tournament: string): Asked<NoticePage> {
  return useAsked(
    `${tournament}/notices`,
    () => listNotices({ client: registration, path: { tournament_id: tournament }, query: { limit: 50 } }),
    MINUTE,
  );
}

export function useEntrants(tournament: string | undefined): Asked<Entrant[]> {
  return useAsked(
    tournament && `${tournament}/entrants`,
    () =>
      allOf<Entrant>((after) =>
        listEntrants({ client: registration, path: { tournament_id: tournament ?? '' }, query: { limit: 200, ...after } }),
      ),
    MINUTE,
  );
}

export function useStages(tournament: string): Asked<StageList> {
  return useAsked(`${tournament}/stages`, () => stagesOf(tournament), CALM);
}

/** Pairing does not know a tournament before it has started: until then it has no stages, which is no problem. */
async function stagesOf(tournament: string): Promise<Outcome<StageList>> {
  const found = await listStages({ client: pairing, path: { tournament_id: tournament } });
  if (found.response?.status !== 404) return found;
  return { data: { tournament, tournament_name: '', time_zone: 'UTC', next: null, stages: [] } };
}

export function useRound(tournament: string, stage: string | undefined, round: number | undefined): Asked<RoundOfGames> {
  return useAsked(stage && round ? `${tournament}/${stage}/rounds/${round}` : undefined, () =>
    wholeOf((after) => listGames({ client: results, path: { tournament_id: tournament, stage: stage ?? '', round: round ?? 0 }, query: after })),
  );
}

export function useGames(tournament: string, entrant?: string): Asked<GameListed[]> {
  return useAsked(`${tournament}/games/${entrant ?? ''}`, () =>
    allOf<GameListed>((after) =>
      listGamesOfTournament({
        client: results,
        path: { tournament_id: tournament },
        query: { ...(entrant ? { entrant } : {}), ...after },
      }),
    ),
  );
}

export function useGame(tournament: string, game: string): Asked<Game> {
  return useAsked(`${tournament}/game/${game}`, () => getGame({ client: results, path: { game_id: game } }) as Promise<Outcome<Game>>, CALM);
}

export function useRecords(tournament: string, game: string): Asked<Records> {
  return useAsked(`${tournament}/records/${game}`, () => listRecords({ client: results, path: { game_id: game } }), MINUTE);
}

export type Moment = { round?: number | undefined; list?: string | undefined; at?: string | undefined };

export function useTable(tournament: string, stage: string | undefined, moment: Moment = {}): Asked<Table> {
  return useAsked(stage && tableKey(tournament, stage, moment), () =>
    getStandings({
      client: standings,
      path: { tournament_id: tournament, stage: stage ?? '' },
      query: said(moment),
    }) as Promise<Outcome<Table>>,
  );
}

/** The table after each of these rounds. */
export function useTables(tournament: string, stage: string | undefined, rounds: number[]): Asked<Table[]> {
  return useAsked(stage && rounds.length ? `${tournament}/${stage}/tables/${rounds.length}` : undefined, async () => {
    const path = { tournament_id: tournament, stage: stage ?? '' };
    const found = await Promise.all(
      rounds.map((round) => getStandings({ client: standings, path, query: { round } }) as Promise<Outcome<Table>>),
    );
    const missing = found.find(({ data }) => !data);
    if (missing) return { error: missing.error, response: missing.response };
    return { data: found.flatMap(({ data }) => data ?? []) };
  });
}

/** The moments at which the table has changed, the earliest first. */
export function useMoments(tournament: string, stage: string | undefined): Asked<TableMoments> {
  return useAsked(stage && `${tournament}/${stage}/moments`, () =>
    listTableMoments({ client: standings, path: { tournament_id: tournament, stage: stage ?? '' } }),
  );
}

export function tableKey(tournament: string, stage: string, moment: Moment = {}): string {
  return `${tournament}/${stage}/table/${JSON.stringify(said(moment))}`;
}

export function useCrosstable(tournament: string, stage: string | undefined, moment: Moment = {}): Asked<Crosstable> {
  return useAsked(stage && `${tournament}/${stage}/crosstable/${JSON.stringify(said(moment))}`, () =>
    getCrosstable({
      client: standings,
      path: { tournament_id: tournament, stage: stage ?? '' },
      query: said(moment),
    }) as Promise<Outcome<Crosstable>>,
  );
}

export function useExplanation(tournament: string, stage: string | undefined, entrant: string): Asked<Explanation> {
  return useAsked(stage && `${tournament}/${stage}/explanation/${entrant}`, () =>
    explainStanding({
      client: standings,
      path: { tournament_id: tournament, stage: stage ?? '', entrant_id: entrant },
    }),
  );
}

export function useRanking(tournament: string | undefined, list?: string): Asked<FinalRanking> {
  return useAsked(
    tournament && `${tournament}/ranking/${list ?? ''}`,
    () =>
      getFinalRanking({
        client: standings,
        path: { tournament_id: tournament ?? '' },
        query: list ? { list } : {},
      }) as Promise<Outcome<FinalRanking>>,
    MINUTE,
  );
}

export function useProgression(tournament: string): Asked<Progression> {
  return useAsked(`${tournament}/progression`, () =>
    getProgression({ client: standings, path: { tournament_id: tournament } }),
  );
}

function said(moment: Moment): { round?: number; list?: string; at?: string } {
  const { round, list, at } = moment;
  return { ...(round ? { round } : {}), ...(list ? { list } : {}), ...(at ? { at } : {}) };
}
