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
  entrants: (tournament: string) => `${of(tournament)}/entrants`,
  entrant: (tournament: string, entrant: string, stage?: string) =>
    `${of(tournament)}/entrants/${entrant}${stage ? `?stage=${stage}` : ''}`,
  desk: '/desk',
  deskOf: (tournament: string) => `/desk?tournament=${tournament}`,
  ownDesk: '/desk/own',
  hall: (tournament: string) => `${of(tournament)}/hall`,
};
