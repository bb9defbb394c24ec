/** What comes next in a tournament, and what stands in its way: put together of what three services say. Pure. */

import type { StageList, Tournament } from '../../api/director.ts';
import type { MeAtStandings } from '../../api/own.ts';

type StageToClose = MeAtStandings['tournaments'][number]['stages'][number];
export type Blocker = {
  /** By which it is translated. */
  kind: string;
  /** As the service says it, in English. */
  sentence: string;
  entrants?: string[];
  tables?: number[];
  /** Of whatever it is about, where nobody is named. */
  count?: number;
};

type StageNamed = { stage: string; title: string; system: string };

export type Step = { blocked: Blocker[] } & (
  | { act: 'open' | 'open-check-in' | 'start' | 'review' | 'complete' }
  | ({ act: 'pair' | 'publish' | 'results'; round: number } & StageNamed)
  | ({ act: 'close' | 'groups' } & StageNamed)
  | { act: 'enter' | 'over' | 'wait' }
);

const IN_MAKING = ['draft', 'confirmed'];
const OVER = ['completed', 'cancelled'];

export function nextStep(tournament: Tournament, stages: StageList | undefined, closing: StageToClose[] | undefined): Step {
  const { status, next_step: next, blocked_by: blocked } = tournament;
  if (OVER.includes(status)) return { act: 'over', blocked: [] };
  if (next === 'open-check-in' && tournament.entrants === 0) return { act: 'enter', blocked: [] }; // entries close for good
  if (status !== 'running') return next ? { act: next, blocked } : { act: 'wait', blocked };
  if (!stages || !closing) return { act: 'wait', blocked: [] };
  return played(stages, closing) ?? { act: next ?? 'wait', blocked };
}

/** As long as something is left to be played, or an order to be told. */
function played({ stages, next }: StageList, closing: StageToClose[]): Step | undefined {
  const named = ({ stage, title }: { stage: string; title: string }): StageNamed => ({
    stage,
    title,
    system: stages.find((one) => one.stage === stage)?.system ?? '',
  });
  for (const one of stages) {
    const made = one.rounds.find(({ status }) => IN_MAKING.includes(status));
    if (made) return { act: 'publish', ...named(one), round: made.round, blocked: [] };
  }
  if (next?.ready) return { act: 'pair', ...named(next), round: next.round, blocked: [] };
  for (const one of stages) {
    const open = one.rounds.find(({ status, without_result }) => status === 'published' && without_result > 0);
    if (!open) continue;
    const missing = one.next.obstacles.find(({ kind }) => kind === 'results-missing');
    const blocker = {
      kind: 'results-missing',
      sentence: missing?.detail ?? '',
      tables: missing?.tables ?? [],
      count: open.without_result,
    };
    return { act: 'results', ...named(one), round: open.round, blocked: [blocker] };
  }
  const undrawn = stages.find(({ next: { obstacles } }) => obstacles.some(({ kind }) => kind === 'groups-not-drawn'));
  if (undrawn && undrawn.stage === next?.stage) return { act: 'groups', ...named(undrawn), blocked: [] };
  const ended = closing.find(({ stage, obstacles, round }) => round > 0 && (!obstacles.length || isPlayed(stages, stage)));
  if (ended) {
    const blocked = ended.obstacles.map((sentence) => ({ kind: 'not-decided', sentence }));
    return { act: 'close', ...named(ended), blocked };
  }
  if (!next) return undefined;
  const obstacles = stages.find(({ stage }) => stage === next.stage)?.next.obstacles ?? [];
  const blocked = obstacles.map(({ kind, detail, tables }) => ({ kind, sentence: detail, tables }));
  return { act: 'pair', ...named(next), round: next.round, blocked };
}

function isPlayed(stages: StageList['stages'], stage: string): boolean {
  return stages.some((one) => one.stage === stage && one.status === 'played');
}

/** The order that a duel has made, of those of whom somebody has said it, the best first; whoever is left is the last of them. */
export function orderOf(said: string[], entrants: string[]): string[][] | undefined {
  const rest = entrants.filter((one) => !said.includes(one));
  return rest.length === 1 ? [...said, ...rest].map((one) => [one]) : undefined;
}
