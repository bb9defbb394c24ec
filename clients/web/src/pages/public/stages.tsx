/** How one goes from one stage to another. */

import type { StageList, StageListed } from '../../api/public.ts';
import { opened } from '../../api/stages.ts';
import { stageName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';

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
