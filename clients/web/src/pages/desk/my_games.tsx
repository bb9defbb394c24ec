/** What came of the own games, whoever has said it; and of what was entered here, whether it was decided otherwise. */

import type { ComponentChildren } from 'preact';

import { addresses } from '../../addresses.ts';
import { useEndedSheet, type GameListed } from '../../api/own.ts';
import type { OutboxEntry } from '../../api/sending.ts';
import { Section } from '../../parts/basics.tsx';
import { seatName } from '../../parts/names.ts';
import { shownScores } from '../../parts/pairs.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Outcome } from '../public/entrant.tsx';
import { isOwn } from './reports.tsx';
import { verdictOf, type Verdict } from './verdict.ts';

export function MyGames({ tournament, entrant, games, who, mine }: { tournament: string; entrant: string; games: GameListed[]; who: string; mine: OutboxEntry[] }) {
  const { texts } = useSpeech();
  const ended = games.filter(({ status }) => status === 'final' || status === 'voided').reverse();
  if (!ended.length) return null;
  return (
    <Section title={texts.desk.own}>
      <ul class="ledger">
        {ended.map((game) => (
          <li key={game.id} class="my-game">
            <a href={addresses.game(tournament, game.id)}>{texts.rounds.round(game.round)}</a>
            <span class="ledger-who">
              <span>{texts.desk.against(game.seats.filter((seat) => seat.entrant !== entrant).map(seatName).join(', '))}</span>
              {game.corrected && <span class="soft small">{texts.rounds.corrected}</span>}
              {mine.some(({ about, order }) => about === game.id && order.act !== 'line-up') && <ByOfficial game={game} who={who} />}
            </span>
            <span class="ledger-end">
              <Outcome game={game} entrant={entrant} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function useVerdict(game: GameListed, who: string): Verdict | undefined {
  const sheet = useEndedSheet(game.id).answer;
  return sheet?.result ? verdictOf(sheet.result, sheet.reports ?? [], (report) => isOwn(report, who)) : undefined;
}

function ByOfficial({ game, who }: { game: GameListed; who: string }) {
  const { texts } = useSpeech();
  return useVerdict(game, who)?.byOfficial ? <span class="soft small">{texts.desk.decidedByOfficial}</span> : null;
}

/** In place of that the service has acknowledged it: that was before somebody else has decided. */
export function Decided({ game, who, children }: { game: GameListed; who: string; children: ComponentChildren }) {
  const { texts, number } = useSpeech();
  if (!useVerdict(game, who)?.otherwise) return <>{children}</>;
  return <span class="badge loss">{texts.desk.decidedOtherwise(shownScores(game).map(number).join(' : '))}</span>;
}
