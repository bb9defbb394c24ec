/** Which stages and rounds of a tournament are there, and which of them is played now. */

import type { StageList } from 'roundlog/pairing/types.gen.ts';

export type StageListed = StageList['stages'][number];
export type RoundListed = StageListed['rounds'][number];

const SHOWN = ['published', 'completed'];

export function published(stage: StageListed | undefined): RoundListed[] {
  return (stage?.rounds ?? []).filter(({ status }) => SHOWN.includes(status));
}

/** Those of which a round has been published, in the order of the ruleset. */
export function opened(stages: StageList | undefined): StageListed[] {
  return (stages?.stages ?? []).filter((stage) => published(stage).length > 0);
}

/** Where somebody plays now; otherwise where somebody has played last. */
export function currentStage(stages: StageList | undefined): StageListed | undefined {
  const all = opened(stages);
  return all.find((stage) => published(stage).some(({ status }) => status === 'published')) ?? all.at(-1);
}

export function currentRound(stage: StageListed | undefined): RoundListed | undefined {
  const rounds = published(stage);
  return rounds.find(({ status }) => status === 'published') ?? rounds.at(-1);
}

export function stageOf(stages: StageList | undefined, id: string | undefined): StageListed | undefined {
  return id ? stages?.stages.find(({ stage }) => stage === id) : currentStage(stages);
}

/** Whether there is something to be drawn. */
export function hasBracket(stages: StageList | undefined): boolean {
  return opened(stages).some(({ system }) => system === 'knockout' || system === 'groups');
}
