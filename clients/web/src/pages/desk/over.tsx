/** That a tournament is over, and where it ended. */

import { addresses } from '../../addresses.ts';
import { useRanking, type Tournament } from '../../api/public.ts';
import { rankingName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';

export function isOver(tournament: Tournament | undefined): tournament is Tournament {
  return tournament !== undefined && (tournament.status === 'completed' || tournament.status === 'cancelled');
}

export function Over({ tournament, entrant }: { tournament: Tournament; entrant?: string | undefined }) {
  const { texts } = useSpeech();
  return (
    <div class="note stack">
      <p>{texts.desk.over[tournament.status === 'cancelled' ? 'cancelled' : 'completed']}</p>
      {tournament.status === 'completed' && entrant && <Place tournament={tournament.id} entrant={entrant} />}
      <p>
        {tournament.status === 'completed' ? (
          <a href={addresses.ranking(tournament.id)}>{rankingName(texts, true)}</a>
        ) : (
          <a href={addresses.tournament(tournament.id)}>{tournament.name}</a>
        )}
      </p>
    </div>
  );
}

function Place({ tournament, entrant }: { tournament: string; entrant: string }) {
  const { texts } = useSpeech();
  const standings = useRanking(tournament).answer?.standings ?? [];
  const own = standings.find((row) => row.entrant === entrant);
  return own ? <p><b>{texts.desk.place(own.place, standings.length)}</b></p> : null;
}
