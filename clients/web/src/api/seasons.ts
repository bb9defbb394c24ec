/** What everybody may ask of federations and their seasons. */

import { getFederation, getSeason, listFederations, listSeasons } from 'roundlog/registration/sdk.gen.ts';
import type { Federation, FederationListed, SeasonListed, SeasonShown } from 'roundlog/registration/types.gen.ts';
import { getRatingList, getSeasonRatings, getSeasonTable, listRatingLists } from 'roundlog/standings/sdk.gen.ts';
import type { RatingLists, RatingListShown, SeasonRatings, SeasonTable } from 'roundlog/standings/types.gen.ts';

import { allOf, RULES, useAsked, type Asked, type Outcome } from './answer_cache.ts';
import { registration, standings } from './clients.ts';

export type { RatingListShown, SeasonRatings, SeasonTable };

const MINUTE = 60_000;

export function useFederations(): Asked<FederationListed[]> {
  return useAsked('federations', () => allOf<FederationListed>((after) => listFederations({ client: registration, query: { limit: 200, ...after } })), MINUTE);
}

export function useFederation(federation: string | undefined): Asked<Federation> {
  return useAsked(
    federation && `federation/${federation}`,
    () => getFederation({ client: registration, path: { federation_id: federation ?? '' } }) as Promise<Outcome<Federation>>,
    RULES,
  );
}

export function useSeasonsOf(federation: string): Asked<SeasonListed[]> {
  return useAsked(
    `federation/${federation}/seasons`,
    () => allOf<SeasonListed>((after) => listSeasons({ client: registration, path: { federation_id: federation }, query: { limit: 200, ...after } })),
    MINUTE,
  );
}

export function useSeason(season: string): Asked<SeasonTable> {
  return useAsked(`season/${season}`, () => getSeasonTable({ client: standings, path: { season_id: season } }) as Promise<Outcome<SeasonTable>>, MINUTE);
}

/** The rules whose kinds of tournaments the pages name in each language; others name their own. */
export const USUAL_RULES = 'scrabble-sk-2022';

export function useOwnKinds({ season, federation, rules }: SeasonTable): Record<string, string> {
  const { answer } = useAsked(
    rules === USUAL_RULES ? undefined : `season/${season}/rules`,
    () => getSeason({ client: registration, path: { federation_id: federation, season_id: season } }) as Promise<Outcome<SeasonShown>>,
    RULES,
  );
  return (answer?.whole['kinds'] ?? {}) as Record<string, string>;
}

export function useRatings(season: string): Asked<SeasonRatings> {
  return useAsked(`season/${season}/ratings`, () => getSeasonRatings({ client: standings, path: { season_id: season } }) as Promise<Outcome<SeasonRatings>>, MINUTE);
}

export function useRatingLists(season: string): Asked<RatingLists> {
  return useAsked(`season/${season}/lists`, () => listRatingLists({ client: standings, path: { season_id: season } }), MINUTE);
}

export function useRatingList(season: string, list: string, on: string): Asked<RatingListShown> {
  return useAsked(
    `season/${season}/lists/${list}/${on}`,
    () => getRatingList({ client: standings, path: { season_id: season, list_id: list }, query: { on } }) as Promise<Outcome<RatingListShown>>,
    RULES,
  );
}
