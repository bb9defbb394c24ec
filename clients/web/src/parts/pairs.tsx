/** The tables of a round: by table, and by name. */

import { addresses } from '../addresses.ts';
import type { GameListed, RoundOfGames, Table } from '../api/public.ts';
import { useSpeech, type Texts } from '../texts/index.ts';
import { matches } from './basics.tsx';
import { seatName, type Seat } from './names.ts';
import { placeSaid, spans, type Span } from './table.tsx';

export function Pairs({ tournament, games }: { tournament: string; games: GameListed[] }) {
  return (
    <ul class="pairs">
      {games.map((game) => (
        <Pair key={game.id} tournament={tournament} game={game} />
      ))}
    </ul>
  );
}

export function Pair({ tournament, game }: { tournament: string; game: GameListed }) {
  const { texts } = useSpeech();
  const note = remark(texts, game);
  return (
    <li class="card pair" id={`table-${game.table}`}>
      <a class="pair-table" href={addresses.game(tournament, game.id)}>
        <span>{texts.rounds.table}</span> <strong>{game.label ?? game.table}</strong>
        {game.room && <span>{game.room}</span>}
      </a>
      <div class="pair-seats">
        {game.seats.map((seat, index) => (
          <SeatLine key={seat.entrant} tournament={tournament} game={game} seat={seat} index={index} />
        ))}
        {note && <p class="pair-note">{note}</p>}
      </div>
    </li>
  );
}

function SeatLine({
  tournament,
  game,
  seat,
  index,
}: {
  tournament: string;
  game: GameListed;
  seat: Seat;
  index: number;
}) {
  const speech = useSpeech();
  const won = game.result?.winner === index;
  return (
    <div class={`seat${won ? ' won' : ''}`}>
      <a href={addresses.entrant(tournament, seat.entrant, game.stage)}>
        {seatName(seat)}
        {seat.home && <span class="home">{seat.home}</span>}
      </a>
      {!game.result && game.first === seat.entrant && <span class="begins">{speech.texts.rounds.begins}</span>}
      <span class="score">{game.result && speech.number(shownScores(game)[index] ?? 0)}</span>
    </div>
  );
}

/** Scores, or points where a game has no scores of its own. */
export function shownScores(game: GameListed): number[] {
  const { scores, points } = game.result ?? { scores: [], points: [] };
  return (scores.length ? scores : points) as number[];
}

export function remark(texts: Texts, game: GameListed): string {
  const said = [];
  if (game.group) said.push(texts.rounds.group(game.group));
  if (game.number) said.push(texts.rounds.game(game.number));
  if (game.status === 'voided') said.push(texts.rounds.void);
  if (game.status === 'postponed') said.push(texts.rounds.postponed);
  const ending = game.result && texts.rounds.notPlayed[game.result.end];
  if (ending) said.push(ending);
  if (game.corrected) said.push(texts.rounds.corrected);
  return said.join(', ');
}

export type Sitting = { seat: Seat; table: string; opponents: Seat[]; first: boolean; game?: GameListed; without?: string };

/** Everybody of the round in the order of their names, with the table at which they sit. */
export function sittings(round: RoundOfGames, texts: Texts, before: (one: string, other: string) => number): Sitting[] {
  const seated = round.items.flatMap((game) =>
    game.seats.map((seat) => ({
      seat,
      table: String(game.label ?? game.table),
      opponents: game.seats.filter((one) => one.entrant !== seat.entrant),
      first: game.first === seat.entrant,
      game,
    })),
  );
  const without = (seats: Seat[], said: string) => seats.map((seat) => ({ seat, table: '', opponents: [], first: false, without: said }));
  return [
    ...seated,
    ...without(round.byes, texts.rounds.bye),
    ...without(round.requested_byes, texts.rounds.requestedBye),
    ...without(round.absent, texts.rounds.missing),
  ].sort((one, other) => before(seatName(one.seat), seatName(other.seat)));
}

/** With a table, each name leads to why its place is this place. */
export function Names({ tournament, stage, sitting, table }: { tournament: string; stage: string; sitting: Sitting[]; table?: Table | undefined }) {
  const { texts } = useSpeech();
  const places = spans(table?.standings ?? []);
  return (
    <ul class="names">
      {sitting.map(({ seat, table, opponents, without }) => (
        <li key={seat.entrant}>
          <span class="who">
            <a href={addresses.entrant(tournament, seat.entrant, stage)}>{seatName(seat)}</a>{' '}
            <span class="soft small">
              {seat.home && `${seat.home}, `}
              {without ?? texts.rounds.against(opponents.map(seatName).join(', '))}
            </span>
            <OwnPlace address={addresses.entrant(tournament, seat.entrant, stage)} place={places.get(seat.entrant)} />
          </span>
          {table && (
            <span class="where">
              {texts.rounds.table} {table}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A place, and the way to why it is this one. */
export function OwnPlace({ address, place }: { address: string; place: Span | undefined }) {
  const { texts } = useSpeech();
  if (!place) return null;
  return (
    <a class="own-place small" href={address}>
      {`${texts.entrant.place} ${placeSaid(place)} · ${texts.entrant.why}`}
    </a>
  );
}

export function found(game: GameListed, wanted: string): boolean {
  return game.seats.some((seat) => matches(wanted, seat.name, seat.home, seat.number));
}

/** Who has no game in this round, and why. */
export function WithoutGame({ tournament, round }: { tournament: string; round: RoundOfGames }) {
  const { texts } = useSpeech();
  const kinds: [Seat[], string][] = [
    [round.byes, texts.rounds.bye],
    [round.requested_byes, texts.rounds.requestedBye],
    [round.absent, texts.rounds.missing],
  ];
  if (!kinds.some(([seats]) => seats.length)) return null;
  return (
    <section class="section">
      <div class="section-head">
        <h3>{texts.rounds.byes}</h3>
      </div>
      <ul class="row">
        {kinds.flatMap(([seats, said]) =>
          seats.map((seat) => (
            <li key={seat.entrant}>
              <a href={addresses.entrant(tournament, seat.entrant, round.stage)}>{seatName(seat)}</a>{' '}
              <span class="badge">{said}</span>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}
