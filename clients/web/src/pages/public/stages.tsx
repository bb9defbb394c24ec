/** Which stages there are, which of them is played now, and how one goes from one to another. */

import type { StageList, StageListed } from '../../api/public.ts';
import { stageName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';

const SHOWN = ['published', 'completed'];

export type RoundListed = StageListed['rounds'][number];

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

export function hasBracket(stages: StageList | undefined): boolean {
  return opened(stages).some(({ system }) => system === 'knockout');
}

export function StageSteps({
  stages,
  stage,
  address,
}: {
  stages: StageList | undefined;
  stage: string | undefined;
  address: (stage: StageListed) => string;
}) {
  const { texts } = useSpeech();
  const all = opened(stages);
  if (all.length < 2) return null;
  return (
    <nav class="steps" aria-label={texts.tournament.stages}>
      {all.map((one) => (
        <a key={one.stage} href={address(one)} aria-current={one.stage === stage ? 'page' : undefined}>
          {stageName(texts, one)}
        </a>
      ))}
    </nav>
  );
}
