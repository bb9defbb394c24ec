/** A round: its tables with results, in the order of tables or of names. */

import { useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useRound } from '../../api/public.ts';
import { currentRound, published, stageOf } from '../../api/stages.ts';
import { Files, matches, NobodyFound, PrintButton, Search, Shown } from '../../parts/basics.tsx';
import { seatName, stageName, type Seat } from '../../parts/names.ts';
import { found, Names, Pairs, sittings, WithoutGame } from '../../parts/pairs.tsx';
import { WayOnPaper } from '../../parts/qr_link.tsx';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { Progress } from './overview.tsx';
import { StageSteps } from './stages.tsx';

export function RoundPage({
  tournament,
  about,
  stages,
  stage: wantedStage,
  round: wantedRound,
}: OfTournament & { stage: string | undefined; round: number | undefined }) {
  const { texts, before, moment } = useSpeech();
  const stage = stageOf(stages, wantedStage);
  const number = wantedRound ?? currentRound(stage)?.round;
  const round = useRound(tournament, stage?.stage, number);
  const [byName, sortByName] = useState(false);
  const [words, search] = useState('');
  const wanted = words.trim();
  const repairedAt = stage?.rounds.find((one) => one.round === number)?.repaired_at;
  if (!stage || !number) return stages ? <p class="empty">{texts.rounds.none}</p> : null;
  return (
    <div class="stack">
      <StageSteps
        stages={stages}
        stage={stage.stage}
        address={(one) => addresses.round(tournament, one.stage, currentRound(one)?.round ?? 1)}
      />
      <nav class="steps" aria-label={texts.tournament.rounds}>
        {published(stage).map((one) => (
          <a
            key={one.round}
            href={addresses.round(tournament, stage.stage, one.round)}
            aria-current={one.round === number ? 'page' : undefined}
            aria-label={texts.rounds.round(one.round)}
          >
            {one.round}
          </a>
        ))}
      </nav>
      <div class="section-head">
        <h2>
          {(stages?.stages.length ?? 1) > 1 && `${stageName(texts, stage)}: `}
          {stage.of && number <= stage.of ? texts.rounds.roundOf(number, stage.of) : texts.rounds.round(number)}
        </h2>
        <div class="end row no-print">
          <div class="steps" role="group" aria-label={texts.rounds.order}>
            <button type="button" aria-pressed={!byName} onClick={() => sortByName(false)}>
              {texts.rounds.byTable}
            </button>
            <button type="button" aria-pressed={byName} onClick={() => sortByName(true)}>
              {texts.rounds.byName}
            </button>
          </div>
          <a class="button for-paper" href={addresses.slips(tournament, stage.stage, number)}>
            {texts.paper.slips}
          </a>
          <Files of={[['CSV', addresses.gamesFile(tournament)]]} />
          <PrintButton />
        </div>
      </div>
      {repairedAt && (
        <p class="note">
          {texts.rounds.repaired(moment(repairedAt))} <a href={addresses.story(tournament)}>{texts.tournament.story}</a>
        </p>
      )}
      <Search label={texts.tournament.findYourself} hint={texts.tournament.findHint} value={words} change={search} />
      <Shown asked={round} rows={12}>
        {(answer) => {
          const games = answer.items.filter((game) => !wanted || found(game, wanted));
          const sitting = byName ? sittings(answer, texts, before) : [];
          const isWanted = (seat: Seat) => !wanted || matches(wanted, seatName(seat), seat.home, seat.number);
          const named = sitting.filter(({ seat }) => isWanted(seat));
          const resting = { byes: answer.byes.filter(isWanted), requested_byes: answer.requested_byes.filter(isWanted), absent: answer.absent.filter(isWanted) };
          const nobody = !games.length && !Object.values(resting).some((seats) => seats.length);
          return (
            <div class="stack">
              <WayOnPaper tournament={tournament} name={about?.name} />
              <Progress round={answer} />
              {byName ? (
                <Names tournament={tournament} stage={stage.stage} sitting={named} />
              ) : (
                <Pairs tournament={tournament} games={games} />
              )}
              {wanted && nobody && <NobodyFound />}
              {!byName && <WithoutGame tournament={tournament} round={{ ...answer, ...resting }} />}
            </div>
          );
        }}
      </Shown>
    </div>
  );
}
