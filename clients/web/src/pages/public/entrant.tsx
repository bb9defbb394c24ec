/** One entrant: the next table, the games, and why the place is this place. */

import { addresses } from '../../addresses.ts';
import { hasCome } from '../../api/answer_cache.ts';
import {
  useEntrants,
  useExplanation,
  useGames,
  useTable,
  type Explanation,
  type GameListed,
  type Row,
  type StageList,
  type StageListed,
  type Table,
} from '../../api/public.ts';
import { published, stageOf } from '../../api/stages.ts';
import { ProblemNote, Section, Shown } from '../../parts/basics.tsx';
import { criterion, entrantName, figure, seatName, stageName, type Seat } from '../../parts/names.ts';
import { Pair, shownScores } from '../../parts/pairs.tsx';
import { placeSaid, spans } from '../../parts/table.tsx';
import { useSpeech, type Texts } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { StageSteps } from './stages.tsx';
import { isPlayed, Unresolved } from './table.tsx';

const OVER = ['final', 'voided', 'recalled'];

export function EntrantPage({
  tournament,
  about: event,
  stages,
  entrant,
  stage: wanted,
}: OfTournament & { entrant: string; stage: string | undefined }) {
  const speech = useSpeech();
  const { texts } = speech;
  const stage = stageOf(stages, wanted);
  const entrants = useEntrants(tournament);
  const games = useGames(tournament, entrant);
  const explanation = useExplanation(tournament, stage?.stage, entrant);
  const table = useTable(tournament, stage?.stage);
  const about = entrants.answer?.find(({ id }) => id === entrant);
  const name = about ? entrantName(about) : explanation.answer?.name;
  const waited = stage ? [entrants, games, explanation, table] : [entrants, games];
  if (!stages || !waited.every(hasCome)) {
    return <Shown asked={{ answer: undefined, problem: undefined }} rows={8}>{() => null}</Shown>;
  }
  if (!about && !explanation.answer) return <ProblemNote problem={{ type: '/problems/entrant-unknown', detail: '' }} />;
  const open = games.answer?.filter(({ status }) => !OVER.includes(status)) ?? [];
  return (
    <div class="stack">
      <div>
        <h2>{name ?? '…'}</h2>
        <p class="soft row">
          {about?.number && <span>{`${texts.entrants.number} ${about.number}`}</span>}
          {about?.rating && <span>{`${texts.entrants.rating} ${speech.number(about.rating)}`}</span>}
          {about?.name && about.persons.length > 0 && <span>{about.persons.map((one) => one.name ?? '–').join(', ')}</span>}
          {about && !(about.status === 'playing' && event?.status === 'completed') && (
            <span class="badge">{texts.entrants.status[about.status]}</span>
          )}
          {stage && published(stage).length > 1 && (
            <a href={addresses.progression(tournament, entrant, stage.stage)}>{texts.progression.title}</a>
          )}
        </p>
      </div>
      <StageSteps
        stages={stages}
        stage={stage?.stage}
        address={(one) => addresses.entrant(tournament, entrant, one.stage)}
      />
      {open.length > 0 && (
        <Section title={texts.entrant.next}>
          <ul class="pairs">
            {open.map((game) => (
              <Pair key={game.id} tournament={tournament} game={game} />
            ))}
          </ul>
        </Section>
      )}
      <div class="columns section">
        <Section title={texts.entrant.games}>
          <Shown asked={games}>
            {(answer) =>
              answer.length ? (
                <Games
                  tournament={tournament}
                  entrant={entrant}
                  games={inOrder(answer, stages.stages.map((one) => one.stage))}
                  stages={stages}
                />
              ) : (
                <p class="empty">{texts.entrant.noGames}</p>
              )
            }
          </Shown>
        </Section>
        {stage && explanation.answer && table.answer && (
          <Section title={texts.entrant.why}>
            <Why tournament={tournament} stage={stage} explanation={explanation.answer} table={table.answer} />
          </Section>
        )}
      </div>
    </div>
  );
}

function inOrder(games: GameListed[], stages: string[]): GameListed[] {
  return [...games].sort(
    (one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage) || one.round - other.round,
  );
}

function Games({
  tournament,
  entrant,
  games,
  stages,
}: {
  tournament: string;
  entrant: string;
  games: GameListed[];
  stages: StageList;
}) {
  const { texts } = useSpeech();
  return (
    <div class="sheet" role="group" aria-label={texts.entrant.games} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{texts.entrant.games}</caption>
        <thead>
          <tr>
            <th scope="col" class="place">
              {texts.progression.round}
            </th>
            <th scope="col" class="who sticky">
              {texts.entrant.opponent}
            </th>
            <th scope="col">{texts.entrant.result}</th>
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.id}>
              <td class="place">
                <a href={`${addresses.round(tournament, game.stage, game.round)}#table-${game.table}`} aria-label={texts.rounds.round(game.round)}>
                  {game.round}
                </a>
              </td>
              <th scope="row" class="who sticky">
                {game.seats
                  .filter((seat) => seat.entrant !== entrant)
                  .map((seat) => (
                    <a key={seat.entrant} href={addresses.entrant(tournament, seat.entrant, game.stage)}>
                      {seatName(seat)}
                    </a>
                  ))}
                <span class="small soft">
                  {[stages.stages.length > 1 && stageName(texts, stageOf(stages, game.stage) ?? game), begins(texts, game), game.corrected && texts.rounds.corrected]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </th>
              <td>
                <a class="quiet" href={addresses.game(tournament, game.id)}>
                  <Outcome game={game} entrant={entrant} />
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** By name: a word alone would stand below the opponent and mean the other one. */
function begins(texts: Texts, { first, seats }: GameListed): string | undefined {
  const seat = seats.find((one) => one.entrant === first);
  return seat && `${seatName(seat)} ${texts.rounds.begins}`;
}

export function Outcome({ game, entrant }: { game: GameListed; entrant: string }) {
  const speech = useSpeech();
  const { texts } = speech;
  const own = game.seats.findIndex((seat) => seat.entrant === entrant);
  if (!game.result) return <span class="badge">{game.status === 'voided' ? texts.rounds.void : texts.entrant.plays}</span>;
  const scores = shownScores(game);
  const others = scores.filter((_, seat) => seat !== own);
  const winner = game.result.winner;
  const kind = winner === own ? 'win' : winner === 'draw' ? 'draw' : 'loss';
  const said = { win: texts.entrant.won, loss: texts.entrant.lost, draw: texts.entrant.drawn }[kind];
  return (
    <span class={`badge ${kind}`}>
      {said} <b>{[scores[own] ?? 0, ...others].map(speech.number).join(' : ')}</b>
    </span>
  );
}

/** The place in figures, the neighbours, and each value with what it is made of. */
function Why({ tournament, stage, explanation, table }: { tournament: string; stage: StageListed; explanation: Explanation; table: Table }) {
  const speech = useSpeech();
  const { texts } = speech;
  const names = new Map<string, Seat>(table.standings.map((row) => [row.entrant, row]));
  const criteria = explanation.criteria.filter(({ value, addends }) => value !== null && (addends.length || value !== 0));
  const place = spans(table.standings).get(explanation.entrant);
  const open = table.unresolved.filter(({ entrants }) => entrants.includes(explanation.entrant));
  return (
    <div class="stack">
      <div class="row">
        <span class="figure">
          <strong>{place && placeSaid(place)}</strong> {texts.entrant.place.toLowerCase()}
        </span>
      </div>
      <Neighbours tournament={tournament} table={table} entrant={explanation.entrant} />
      {isPlayed(table, stage) && <Unresolved table={{ ...table, unresolved: open }} />}
      {criteria.length > 0 && <h3>{texts.entrant.howCounted}</h3>}
      <div class="reasons">
        {criteria.map(({ criterion: key, value, addends }) => {
          const { title, says } = named(texts, table, key);
          return (
            <details key={key}>
              <summary>
                {title} <strong>{figure(speech, value as number)}</strong>
              </summary>
              <table>
                <caption class="soft small">{says}</caption>
                <tbody>
                  {addends.map((addend, index) => (
                    <tr key={index} class={addend.counted === false ? 'left-out' : undefined}>
                      <th scope="row">{addend.round ? texts.rounds.round(addend.round) : ''}</th>
                      <td>
                        {addend.opponent && names.has(addend.opponent) ? (
                          <a href={addresses.entrant(tournament, addend.opponent, table.stage)}>
                            {seatName(names.get(addend.opponent) ?? {})}
                          </a>
                        ) : (
                          (texts.entrant.addends[addend.what] ?? addend.what)
                        )}
                        {addend.counted === false && ` (${texts.entrant.notCounted})`}
                      </td>
                      <td>{figure(speech, addend.value as number)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          );
        })}
      </div>
    </div>
  );
}

const NAMED = 5; // of those who share a place; of more it is said how many they are

/** Who is next above and below, by which criterion, and in which both were equal until then; and whoever shares the place. */
function Neighbours({ tournament, table, entrant }: { tournament: string; table: Table; entrant: string }) {
  const { texts } = useSpeech();
  const own = table.standings.find((row) => row.entrant === entrant);
  if (!own) return null;
  const rows = table.standings.filter((row) => row.group === own.group);
  const sharing = rows.filter(({ place }) => place === own.place);
  const others = sharing.filter((row) => row !== own);
  const above = rows[rows.indexOf(sharing[0] ?? own) - 1];
  const below = rows[rows.indexOf(sharing.at(-1) ?? own) + 1];
  const who = others.length > NAMED ? texts.entrant.sharesWithMany(others.length) : others.map(seatName).join(', ');
  return (
    <ul class="neighbours">
      {above ? <Neighbour tournament={tournament} table={table} own={own} other={above} by={above.separated_by} side="below" /> : <li>{texts.entrant.first}</li>}
      {others.length > 0 && <li>{texts.entrant.shares(own.place, own.place + others.length, who)}</li>}
      {below && <Neighbour tournament={tournament} table={table} own={own} other={below} by={sharing.at(-1)?.separated_by ?? null} side="above" />}
    </ul>
  );
}

function Neighbour({
  tournament,
  table,
  own,
  other,
  by,
  side,
}: {
  tournament: string;
  table: Table;
  own: Row;
  other: Row;
  by: string | null;
  side: 'above' | 'below';
}) {
  const speech = useSpeech();
  const { texts } = speech;
  const valueOf = (row: Row, key: string) => figure(speech, row.values[key] as number | undefined) || '–';
  const decided = table.columns.findIndex(({ key }) => key === by);
  const equal = table.columns.slice(0, Math.max(0, decided)).filter(({ key, decides }) => decides && (key in own.values || key in other.values));
  const [name, alone] = [seatName(other), side === 'above' ? texts.entrant.aboveAlone : texts.entrant.belowAlone];
  return (
    <li>
      <a href={addresses.entrant(tournament, other.entrant, table.stage)}>
        {by && decided >= 0 ? texts.entrant[side](name, named(texts, table, by).title, valueOf(own, by), valueOf(other, by)) : alone(name)}
      </a>
      {equal.length > 0 && (
        <>
          {' '}
          <span class="soft">
            {texts.entrant.equalUntilThen(equal.map(({ key }) => `${named(texts, table, key).title} ${valueOf(own, key)}`).join(', '))}
          </span>
        </>
      )}
    </li>
  );
}

function named(texts: Texts, table: Table, key: string): { title: string; says: string } {
  const column = table.columns.find((one) => one.key === key);
  return column ? criterion(texts, column) : { title: key, says: '' };
}
