/** The addresses of the pages. They stay: people print them, share them and show them on screens. */

const of = (tournament: string) => `/tournaments/${tournament}`;

export const addresses = {
  tournaments: '/',
  tournament: of,
  rounds: (tournament: string) => `${of(tournament)}/rounds`,
  round: (tournament: string, stage: string, round: number) => `${of(tournament)}/stages/${stage}/rounds/${round}`,
  table: (tournament: string, stage?: string) => `${of(tournament)}${stage ? `/stages/${stage}` : ''}/table`,
  crosstable: (tournament: string, stage?: string) => `${of(tournament)}${stage ? `/stages/${stage}` : ''}/crosstable`,
  bracket: (tournament: string) => `${of(tournament)}/bracket`,
  ranking: (tournament: string) => `${of(tournament)}/ranking`,
  story: (tournament: string) => `${of(tournament)}/story`,
  entrants: (tournament: string) => `${of(tournament)}/entrants`,
  entrant: (tournament: string, entrant: string, stage?: string) =>
    `${of(tournament)}/entrants/${entrant}${stage ? `?stage=${stage}` : ''}`,
  federations: '/federations',
  federation: (federation: string) => `/federations/${federation}`,
  season: (season: string, part?: string) => `/seasons/${season}${part ? `/${part}` : ''}`,
  inSeason: (season: string, person: string) => `/seasons/${season}/persons/${person}`,
  ratings: (season: string, list: string) => `/seasons/${season}/ratings?${new URLSearchParams({ list })}`,
  cupFile: (season: string) => `/standings/v1/seasons/${season}?format=csv`,
  qualificationFile: (season: string) => `/standings/v1/seasons/${season}?format=csv&sheet=qualification`,
  ratingsFile: (season: string, list: string) => `/standings/v1/seasons/${season}/ratings?list=${list}&format=csv`,
  ratingListFile: (season: string, list: string, on: string) => `/standings/v1/seasons/${season}/ratings/lists/${list}?on=${on}&format=csv`,
  desk: '/desk',
  deskOf: (tournament?: string) => `/desk${tournament ? `?tournament=${tournament}` : ''}`,
  /** For whoever directs a tournament and enters results too. */
  scoring: (tournament?: string) => `/desk/scoring${tournament ? `?tournament=${tournament}` : ''}`,
  ownDesk: '/desk/own',
  calendar: (tournament: string) => `/pairing/v1${of(tournament)}/calendar.ics`,
  entrantsFile: (tournament: string) => `/registration/v1${of(tournament)}/entrants?order=number&format=csv`,
  gamesFile: (tournament: string) => `/results/v1${of(tournament)}/games?format=csv`,
  rankingFile: (tournament: string) => `/standings/v1${of(tournament)}/final?format=csv`,
  tableFile: (tournament: string, stage: string) => `/standings/v1${of(tournament)}/stages/${stage}/standings?format=csv`,
  crosstableFile: (tournament: string, stage: string, format: string) =>
    `/standings/v1${of(tournament)}/stages/${stage}/crosstable?format=${format}`,
  progression: (tournament: string, entrant: string, stage?: string) =>
    `${of(tournament)}/entrants/${entrant}/progression${stage ? `?stage=${stage}` : ''}`,
  game: (tournament: string, game: string) => `${of(tournament)}/games/${game}`,
  slips: (tournament: string, stage: string, round: number) => `${of(tournament)}/stages/${stage}/rounds/${round}/slips`,
  badges: (tournament: string) => `${of(tournament)}/badges`,
  deskLinks: '/desk/links',
  deskLinksOf: (tournament: string) => `/desk/links?tournament=${tournament}`,
  announcing: '/desk/announce',
  directingSeasons: '/desk/seasons',
  directingSeason: (season: string) => `/desk/seasons?season=${season}`,
  directing: (tournament: string, part: string) => `/desk${part === 'now' ? '' : `/${part}`}?tournament=${tournament}`,
  hall: (tournament: string) => `${of(tournament)}/hall`,
};
