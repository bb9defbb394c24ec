/** What is printed and cut up: a slip for each table of a round, with places for scores and signatures, and name badges. */

import { useEntrants, useRound } from '../../api/public.ts';
import { currentRound, stageOf } from '../../api/stages.ts';
import { PrintButton, Shown } from '../../parts/basics.tsx';
import { entrantName, seatName, stageName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';

type OfPaper = OfTournament & { stage: string | undefined; round: number | undefined };

export default function PaperPage({ paper, ...of }: OfPaper & { paper: 'slips' | 'badges' }) {
  return paper === 'slips' ? <SlipsPage {...of} /> : <BadgesPage {...of} />;
}

function SlipsPage({
  tournament,
  about,
  stages,
  stage: wanted,
  round: wantedRound,
}: OfPaper) {
  const { texts } = useSpeech();
  const stage = stageOf(stages, wanted);
  const number = wantedRound ?? currentRound(stage)?.round;
  const round = useRound(tournament, stage?.stage, number);
  if (!stage || !number) return stages ? <p class="empty">{texts.rounds.none}</p> : null;
  return (
    <div class="stack">
      <PaperHead title={`${texts.paper.slips}: ${texts.rounds.round(number)}`} />
      <Shown asked={round} rows={8}>
        {(answer) => (
          <ul class="slips">
            {answer.items.map((game) => (
              <li key={game.id} class="slip">
                <p class="slip-head">
                  <span>{about?.name}</span>
                  <span>
                    {stageName(texts, stage)}, {texts.rounds.round(number)}
                  </span>
                </p>
                <p class="slip-table">
                  {texts.rounds.table} <strong>{game.label ?? game.table}</strong>
                  {[game.room, game.group && texts.rounds.group(game.group)].filter(Boolean).map((one) => (
                    <span key={one}> · {one}</span>
                  ))}
                </p>
                <table>
                  <caption class="visually-hidden">{`${texts.rounds.table} ${game.label ?? game.table}`}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{texts.table.name}</th>
                      <th scope="col">{texts.paper.score}</th>
                      <th scope="col">{texts.paper.signature}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {game.seats.map((seat) => (
                      <tr key={seat.entrant}>
                        <th scope="row">
                          {seatName(seat)}
                          {game.first === seat.entrant && <small> ({texts.rounds.begins})</small>}
                        </th>
                        <td class="slip-score" />
                        <td />
                      </tr>
                    ))}
                  </tbody>
                </table>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </div>
  );
}

function BadgesPage({ tournament, about }: OfTournament) {
  const { texts } = useSpeech();
  const entrants = useEntrants(tournament);
  return (
    <div class="stack">
      <PaperHead title={texts.paper.badges} />
      <Shown asked={entrants} rows={8}>
        {(answer) => (
          <ul class="badges">
            {answer
              .filter(({ status }) => status !== 'withdrawn' && status !== 'struck-off')
              .flatMap((entrant) => {
                const team = entrant.name && entrant.persons.some(({ name }) => name) ? entrant.name : undefined;
                const names = team ? entrant.persons.map(({ name }) => name ?? '') : [entrantName(entrant)];
                return names.map((name, place) => (
                  <li key={`${entrant.id} ${place}`} class="name-badge">
                    <p class="small">{about?.name}</p>
                    <p class="badge-name">{name}</p>
                    <p>{[entrant.number && `${texts.entrants.number} ${entrant.number}`, team].filter(Boolean).join(' · ')}</p>
                  </li>
                ));
              })}
          </ul>
        )}
      </Shown>
    </div>
  );
}

function PaperHead({ title }: { title: string }) {
  const { texts } = useSpeech();
  return (
    <div class="section-head no-print">
      <h2>
        {title} <span class="soft small">{texts.paper.perSheet}</span>
      </h2>
      <div class="end">
        <PrintButton />
      </div>
    </div>
  );
}
