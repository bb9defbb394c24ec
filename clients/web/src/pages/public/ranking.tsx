/** How the whole event ends: champions, prizes, and everybody in order. */

import { useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useLists, useRanking, type FinalRanking } from '../../api/public.ts';
import { Files, PrintButton, Section, Shown } from '../../parts/basics.tsx';
import { figure, listName, rankingName, seatName } from '../../parts/names.ts';
import { inOneOrder, Legend, Places } from '../../parts/table.tsx';
import { WayOnPaper } from '../../parts/qr_link.tsx';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { Choice, Unresolved } from './table.tsx';

const PODIUM = 3;

export function RankingPage({ tournament, about }: OfTournament) {
  const { texts } = useSpeech();
  const [list, choose] = useState<string>();
  const lists = useLists(about?.ruleset);
  const ranking = useRanking(tournament, list);
  const title = rankingName(texts, about?.status === 'completed');
  return (
    <div class="stack">
      <div class="section-head">
        <h2>{title}</h2>
        <div class="end row no-print">
          {lists.length > 0 && (
            <Choice
              label={texts.table.list}
              value={list ?? ''}
              choose={(value) => choose(value || undefined)}
              options={[['', texts.lists.all ?? ''], ...lists.map((one): [string, string] => [one.id, listName(texts, one)])]}
            />
          )}
          <Files of={[['CSV', addresses.rankingFile(tournament)]]} />
          <PrintButton />
        </div>
      </div>
      <Shown asked={ranking} rows={8}>
        {(answer) => (
          <div class="stack">
            <WayOnPaper tournament={tournament} name={about?.name} />
            {!answer.completed && <p class="note">{texts.ranking.provisional}</p>}
            {answer.completed && <Podium tournament={tournament} ranking={answer} />}
            <Places
              tournament={tournament}
              columns={answer.columns}
              rows={inOneOrder(answer.standings)}
              title={title}
            />
            <Unresolved table={answer} />
            <Legend columns={answer.columns} />
            <Prizes ranking={answer} />
          </div>
        )}
      </Shown>
    </div>
  );
}

export function Podium({ tournament, ranking }: { tournament: string; ranking: FinalRanking }) {
  const { texts } = useSpeech();
  const best = ranking.standings.filter(({ place, left }) => place <= PODIUM && !left);
  const titles = new Map<string, string[]>();
  for (const { entrant, among } of ranking.titles) {
    const said = among ? texts.ranking.firstOf(texts.lists[among] ?? among) : texts.ranking.won;
    titles.set(entrant, [...(titles.get(entrant) ?? []), said]);
  }
  return (
    <ol class="podium">
      {best.map((row) => (
        <li key={row.entrant} class="card">
          <span class="medal">{row.place}.</span>
          <strong>
            <a href={addresses.entrant(tournament, row.entrant, row.stage)}>{seatName(row)}</a>
          </strong>
          {row.home && <span class="home soft small">{row.home}</span>}
          <span class="row">
            {titles.get(row.entrant)?.map((said) => (
              <span key={said} class="badge now">
                {said}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Prizes({ ranking }: { ranking: FinalRanking }) {
  const speech = useSpeech();
  const { texts } = speech;
  if (!ranking.awards.length) return null;
  const prizes = new Map<string, FinalRanking['awards']>();
  for (const award of ranking.awards) prizes.set(award.entrant, [...(prizes.get(award.entrant) ?? []), award]);
  const said = ({ what, title, among, place, amount, currency }: FinalRanking['awards'][number]) =>
    [
      [texts.ranking.awards[what], title].filter(Boolean).join(': '),
      amount !== null && `${figure(speech, amount as number)} ${currency ?? ''}`,
      `(${[among && (texts.lists[among] ?? among), `${place}.`].filter(Boolean).join(', ')})`,
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <Section title={texts.ranking.prizes}>
      <ul class="stack">
        {[...prizes].map(([entrant, awards]) => (
          <li key={entrant}>
            <strong>{seatName(awards[0] ?? {})}</strong>
            <br />
            <span class="soft">{awards.map(said).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
