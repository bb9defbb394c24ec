/** One tournament: its head, its parts, and the part of this address. */

import { useLocation } from 'preact-iso';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useLive, type Live } from '../../api/live.ts';
import { useMoments, useStages, useTournament, type StageList, type Tournament } from '../../api/public.ts';
import { LiveMark, ProblemNote, useTitle } from '../../parts/basics.tsx';
import { statusName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';
import { BracketPage } from './bracket.tsx';
import { CrosstablePage } from './crosstable.tsx';
import { EntrantPage } from './entrant.tsx';
import { EntrantsPage } from './entrants.tsx';
import { Overview } from './overview.tsx';
import { RankingPage } from './ranking.tsx';
import { RoundPage } from './round.tsx';
import { currentStage, hasBracket, opened } from './stages.tsx';
import { TablePage } from './table.tsx';

type Part = 'now' | 'rounds' | 'table' | 'crosstable' | 'bracket' | 'ranking' | 'entrants' | 'entrant';

export type OfTournament = { tournament: string; about: Tournament | undefined; stages: StageList | undefined; live: Live };

export default function TournamentPage({ params }: { params: { tournament: string } }) {
  const { path, query } = useLocation();
  const { tournament } = params;
  const about = useTournament(tournament);
  const stages = useStages(tournament);
  const { part, stage, round, entrant } = partOf(path);
  const followed = stage ?? query.stage ?? currentStage(stages.answer)?.stage;
  const heard = useLive(tournament, followed);
  const lastChange = useMoments(tournament, followed).answer?.moments.at(-1)?.at;
  const live = { ...heard, changedAt: lastChange };
  useTitle(about.answer?.name);
  if (about.problem && !about.answer) return <ProblemNote problem={about.problem} />;
  if (!about.answer || (!stages.answer && !stages.problem))
    return <div class="tournament-head" aria-busy="true" />; // shown at once, so that nothing moves
  const of: OfTournament = { tournament, about: about.answer, stages: stages.answer, live };
  return (
    <>
      <Head about={about.answer} live={live} followed={followed !== undefined} />
      <Tabs tournament={tournament} stages={stages.answer} part={part} />
      {part === 'now' && <Overview {...of} />}
      {part === 'rounds' && <RoundPage {...of} stage={stage} round={round} />}
      {part === 'table' && <TablePage {...of} stage={stage} />}
      {part === 'crosstable' && <CrosstablePage {...of} stage={stage} />}
      {part === 'bracket' && <BracketPage {...of} />}
      {part === 'ranking' && <RankingPage {...of} />}
      {part === 'entrants' && <EntrantsPage {...of} />}
      {part === 'entrant' && entrant && <EntrantPage {...of} entrant={entrant} stage={followed} />}
      {part === undefined && <Nothing />}
    </>
  );
}

function Nothing() {
  const { texts } = useSpeech();
  return <p class="empty">{texts.shell.unknownPage}</p>;
}

function partOf(path: string): { part: Part | undefined; stage?: string; round?: number; entrant?: string } {
  const [first, second, third, fourth] = path.split('/').slice(3).filter(Boolean).map(decodeURIComponent);
  if (first === undefined) return { part: 'now' };
  if (first === 'entrants') return second ? { part: 'entrant', entrant: second } : { part: 'entrants' };
  if (first === 'bracket' || first === 'ranking') return { part: first };
  if (first === 'rounds' || first === 'table' || first === 'crosstable') return { part: first };
  if (first === 'stages' && second) {
    if (third === 'table' || third === 'crosstable') return { part: third, stage: second };
    if (third === 'rounds') return { part: 'rounds', stage: second, ...(Number(fourth) ? { round: Number(fourth) } : {}) };
  }
  return { part: undefined };
}

function Head({ about, live, followed }: { about: Tournament; live: Live; followed: boolean }) {
  const { texts, day } = useSpeech();
  const { name, status, starts_on, place, hall, entrants } = about;
  const running = ['check-in', 'running', 'under-review'].includes(status);
  return (
    <div class="tournament-head">
      <h1>{name}</h1>
      <div class="facts">
        <span class={`badge${running ? ' now' : ''}`}>{statusName(texts, status)}</span>
        <time dateTime={starts_on}>{day(`${starts_on}T12:00:00Z`, 'UTC')}</time>
        {(place ?? hall) && <span>{[place, hall].filter(Boolean).join(', ')}</span>}
        <span>{texts.tournament.entrantsSoFar(entrants)}</span>
        {followed && running && <LiveMark live={live} />}
      </div>
    </div>
  );
}

function Tabs({
  tournament,
  stages,
  part,
}: {
  tournament: string;
  stages: StageList | undefined;
  part: Part | undefined;
}) {
  const { texts } = useSpeech();
  const begun = opened(stages).length > 0;
  const tabs: [Part, string, string, boolean][] = [
    ['now', addresses.tournament(tournament), texts.tournament.now, true],
    ['rounds', addresses.rounds(tournament), texts.tournament.rounds, begun],
    ['table', addresses.table(tournament), texts.tournament.table, begun],
    ['crosstable', addresses.crosstable(tournament), texts.tournament.crosstable, begun],
    ['bracket', addresses.bracket(tournament), texts.tournament.bracket, hasBracket(stages)],
    ['ranking', addresses.ranking(tournament), texts.tournament.ranking, begun],
    ['entrants', addresses.entrants(tournament), texts.tournament.entrants, true],
  ];
  const shown = part === 'entrant' ? 'entrants' : part;
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - current.offsetWidth;
  }, [shown, begun]);
  return (
    <nav class="tabs" ref={row} aria-label={texts.tournament.parts}>
      {tabs
        .filter(([, , , there]) => there)
        .map(([one, address, name]) => (
          <a key={one} href={address} aria-current={one === shown ? 'page' : undefined}>
            {name}
          </a>
        ))}
    </nav>
  );
}
