/** What whoever directs a federation asks about its seasons. */

import { getRoll, getSeason, listTournaments } from 'roundlog/registration/sdk.gen.ts';
import type { RollPage, SeasonShown, TournamentListed } from 'roundlog/registration/types.gen.ts';
import { getSeasonDecisions, getSeasonTable } from 'roundlog/standings/sdk.gen.ts';
import type { SeasonBook, SeasonTable } from 'roundlog/standings/types.gen.ts';

import { allOf, useAsked, wholeOf, type Asked, type Outcome } from './answer_cache.ts';
import { own, ownKey } from './session.ts';

const CALM = 30_000;
const MOST_OF_A_PAGE = 200;

export function useSeasonTable(season: string): Asked<SeasonTable> {
  const ask = () => getSeasonTable({ client: own.standings, path: { season_id: season } }) as Promise<Outcome<SeasonTable>>;
  return useAsked(ownKey('standings', `season/${season}`), ask, CALM);
}

/** What was decided, and what they may decide. */
export function useSeasonBook(season: string): Asked<SeasonBook> {
  const ask = () => getSeasonDecisions({ client: own.standings, path: { season_id: season } });
  return useAsked(ownKey('standings', `season/${season}/decisions`), ask, CALM);
}

export function useSeasonToDirect(federation: string, season: string): Asked<SeasonShown> {
  const ask = () => getSeason({ client: own.registration, path: { federation_id: federation, season_id: season } });
  return useAsked(ownKey('registration', `season/${season}`), ask, CALM);
}

/** What the federation has announced and not started: standings has not heard of it. */
export function useComing(federation: string): Asked<TournamentListed[]> {
  const query = { federation, status: ['draft' as const, 'registration' as const, 'check-in' as const], limit: MOST_OF_A_PAGE };
  return useAsked(
    ownKey('registration', `federation/${federation}/coming`),
    () => allOf<TournamentListed>((after) => listTournaments({ client: own.registration, query: { ...query, ...after } })),
    CALM,
  );
}

/** All who stand on it. */
export function useRoll(federation: string, season: string): Asked<RollPage> {
  const path = { federation_id: federation, season_id: season };
  return useAsked(
    ownKey('registration', `season/${season}/roll`),
    () => wholeOf((after) => getRoll({ client: own.registration, path, query: { limit: MOST_OF_A_PAGE, ...after } }) as Promise<Outcome<RollPage>>),
    CALM,
  );
}
