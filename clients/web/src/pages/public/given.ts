/** What each page of a tournament is given. */

import type { StageList, Tournament } from '../../api/public.ts';

export type OfTournament = { tournament: string; about: Tournament | undefined; stages: StageList | undefined };
