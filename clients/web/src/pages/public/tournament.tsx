/** One tournament: its head, its parts, and the part of this address. */

import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { useLayoutEffect } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { hasCome } from '../../api/answer_cache.ts';
import { useRounds } from '../../api/live.ts';
import { useEntrants, useStages, useTournament, type StageList, type Tournament } from '../../api/public.ts';
import { currentStage, hasBracket, opened, stageOf } from '../../api/stages.ts';
import { LiveMark, useFade, useTitle } from '../../parts/basics.tsx';
import { brought } from '../../parts/brought.ts';
import { bracketName, entrantName, rankingName, stageName, statusName } from '../../parts/names.ts';
import { useSpeech, type Texts } from '../../texts/index.ts';
import { CrosstablePage } from './crosstable.tsx';
import { EntrantPage } from './entrant.tsx';
import { EntrantsPage } from './entrants.tsx';
import type { OfTournament } from './given.ts';
import { Overview } from './overview.tsx';
import { RankingPage } from './ranking.tsx';
import { RoundPage } from './round.tsx';
import { TablePage } from './table.tsx';
import { Missing } from './tournaments.tsx';

const BracketPage = lazy(() => brought(() => import('./bracket.tsx'))); // an HTML of its own names it
// What few look at comes when it is looked at.
const GamePage = lazy(() => brought(() => import('./game.tsx')));
const PaperPage = lazy(() => brought(() => import('./paper.tsx')));
const ProgressionPage = lazy(() => brought(() => import('./progression.tsx')));
const StoryPage = lazy(() => brought(() => import('./story.tsx'))); // with the words for every kind of record

type Part =
  | 'now' | 'rounds' | 'table' | 'crosstable' | 'bracket' | 'ranking' | 'entrants' | 'entrant' | 'progression' | 'game' | 'slips' | 'badges' | 'story';

export function TournamentPage({ params }: { params: { tournament: string } }) {
  const { texts } = useSpeech();
  const { path, query } = useLocation();
  const { tournament } = params;
  const about = useTournament(tournament);
  const stages = useStages(tournament);
  const { part, stage, round, entrant, game } = partOf(path);
  const followed = stage ?? query.stage ?? currentStage(stages.answer)?.stage;
  useRounds(tournament);
  const isThere = about.answer !== undefined && hasCome(stages);
  const shown = useEntrants(isThere && entrant ? tournament : undefined).answer?.find(({ id }) => id === entrant);
  const several = (stages.answer?.stages.length ?? 1) > 1;
  useTitle(shown && entrantName(shown), part && titleOf(texts, part, about.answer, stages.answer), several && stage && stageName(texts, stageOf(stages.answer, stage) ?? { stage }), round && texts.rounds.round(round), about.answer?.name);
  if (about.problem && !about.answer) return <Missing title={texts.tournaments.title} problem={about.problem} />;
  if (!about.answer || !hasCome(stages))
    return <div class="tournament-head" aria-busy="true" />; // shown at once, so that nothing moves
  const of: OfTournament = { tournament, about: about.answer, stages: stages.answer };
  return (
    <>
      <Head about={about.answer} followed={followed} />
      <Tabs about={about.answer} stages={stages.answer} part={part} />
      {part === 'now' && <Overview {...of} />}
      {part === 'rounds' && <RoundPage {...of} stage={stage} round={round} />}
      {part === 'table' && <TablePage {...of} stage={stage} />}
      {part === 'crosstable' && <CrosstablePage {...of} stage={stage} />}
      {part === 'ranking' && <RankingPage {...of} />}
      {part === 'entrants' && <EntrantsPage {...of} />}
      {part === 'entrant' && entrant && <EntrantPage {...of} entrant={entrant} stage={followed} />}
      <ErrorBoundary>
        {part === 'bracket' && <BracketPage {...of} />}
        {part === 'progression' && entrant && <ProgressionPage {...of} entrant={entrant} stage={followed} />}
        {part === 'game' && game && <GamePage {...of} game={game} />}
        {(part === 'slips' || part === 'badges') && <PaperPage {...of} paper={part} stage={stage} round={round} />}
        {part === 'story' && <StoryPage {...of} stage={followed} />}
      </ErrorBoundary>
      {part === undefined && <Nothing />}
    </>
  );
}

/** By which tabs of a browser, bookmarks and what was visited are told apart; the overview is the tournament. */
function titleOf(texts: Texts, part: Part, about: Tournament | undefined, stages: StageList | undefined): string | undefined {
  const titles: Record<Part, string | undefined> = {
    now: undefined,
    rounds: texts.tournament.rounds,
    table: texts.tournament.table,
    crosstable: texts.tournament.crosstable,
    bracket: bracketName(texts, stages),
    ranking: rankingName(texts, about?.status === 'completed'),
    entrants: texts.tournament.entrants,
    entrant: undefined,
    progression: texts.progression.title,
    game: texts.record.title,
    slips: texts.paper.slips,
    badges: texts.paper.badges,
    story: texts.tournament.story,
  };
  return titles[part];
}

function Nothing() {
  const { texts } = useSpeech();
  return <p class="empty">{texts.shell.unknownPage}</p>;
}

type Place = { part: Part | undefined; stage?: string; round?: number; entrant?: string; game?: string };

function partOf(path: string): Place {
  const [first, second, third, fourth, fifth] = path.split('/').slice(3).filter(Boolean).map(decodeURIComponent);
  if (first === undefined) return { part: 'now' };
  if (first === 'entrants' && second && third === 'progression') return { part: 'progression', entrant: second };
  if (first === 'games' && second) return { part: 'game', game: second };
  if (first === 'badges') return { part: 'badges' };
  if (first === 'entrants') return second ? { part: 'entrant', entrant: second } : { part: 'entrants' };
  if (first === 'bracket' || first === 'ranking' || first === 'story') return { part: first };
  if (first === 'rounds' || first === 'table' || first === 'crosstable') return { part: first };
  if (first === 'stages' && second) {
    if (third === 'table' || third === 'crosstable') return { part: third, stage: second };
    if (third === 'rounds') return { part: fifth === 'slips' ? 'slips' : 'rounds', stage: second, ...(Number(fourth) ? { round: Number(fourth) } : {}) };
  }
  return { part: undefined };
}

function Head({ about, followed }: { about: Tournament; followed: string | undefined }) {
  const { texts, day } = useSpeech();
  const { id, federation, season, name, status, starts_on, place, hall, entrants } = about;
  const running = ['check-in', 'running', 'under-review'].includes(status);
  return (
    <div class="tournament-head">
      <h1>{name}</h1>
      <div class="facts">
        <span class={`badge${running ? ' now' : ''}`}>{statusName(texts, status)}</span>
        <time dateTime={starts_on}>{day(`${starts_on}T12:00:00Z`, 'UTC')}</time>
        {(place ?? hall) && <span>{[place, hall].filter(Boolean).join(', ')}</span>}
        <span>{texts.tournament.entrantsSoFar(entrants)}</span>
        <a class="no-print" href={addresses.calendar(id)}>
          {texts.shell.calendar}
        </a>
        {season && (
          <a class="no-print" href={addresses.season(season)}>
            {texts.whose.season}
          </a>
        )}
        <a class="no-print" href={addresses.federation(federation)}>
          {texts.whose.federation}
        </a>
        <LiveMark tournament={id} stage={followed} shown={followed !== undefined && running} />
      </div>
    </div>
  );
}

/** The tab under which a page is found that has none of its own. */
const ABOVE: Partial<Record<Part, Part>> = { entrant: 'entrants', progression: 'entrants', badges: 'entrants', game: 'rounds', slips: 'rounds' };

function Tabs({
  about: { id: tournament, status },
  stages,
  part,
}: {
  about: Tournament;
  stages: StageList | undefined;
  part: Part | undefined;
}) {
  const { texts } = useSpeech();
  const begun = opened(stages).length > 0;
  const completed = status === 'completed';
  const ranked = begun && (completed || status === 'under-review' || (stages?.stages.length ?? 1) > 1); // of one stage it says what its standings say
  const tabs: [Part, string, string, boolean][] = [
    ['now', addresses.tournament(tournament), texts.tournament.now, true],
    ['rounds', addresses.rounds(tournament), texts.tournament.rounds, begun],
    ['table', addresses.table(tournament), texts.tournament.table, begun],
    ['crosstable', addresses.crosstable(tournament), texts.tournament.crosstable, begun],
    ['bracket', addresses.bracket(tournament), bracketName(texts, stages), hasBracket(stages)],
    ['ranking', addresses.ranking(tournament), rankingName(texts, completed), ranked || part === 'ranking'],
    ['entrants', addresses.entrants(tournament), texts.tournament.entrants, true],
    ['story', addresses.story(tournament), texts.tournament.story, begun],
  ];
  const shown = part && (ABOVE[part] ?? part);
  const row = useFade<HTMLElement>();
  useLayoutEffect(() => {
    const placed = new ResizeObserver(() => { // as soon as it is laid out: to ask where things are before would lay out all of the page
      placed.disconnect();
      const current = row.current?.querySelector<HTMLElement>('[aria-current]');
      if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - current.offsetWidth;
    });
    if (row.current) placed.observe(row.current);
    return () => placed.disconnect();
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
