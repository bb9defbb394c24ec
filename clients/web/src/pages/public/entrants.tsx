/** Who plays. */

import { useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { useEntrants, useLists } from '../../api/public.ts';
import { Files, matches, NobodyFound, PrintButton, Search, Shown } from '../../parts/basics.tsx';
import { entrantName, figure, listName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';

const PLAIN = ['playing', 'entered']; // what nobody needs to be told

export function EntrantsPage({ tournament, about }: OfTournament) {
  const speech = useSpeech();
  const { texts } = speech;
  const [words, search] = useState('');
  const entrants = useEntrants(tournament);
  const lists = useLists(about?.ruleset);
  return (
    <div class="stack">
      <div class="section-head">
        <h2>{texts.tournament.entrants}</h2>
        <div class="end row no-print">
          <Files of={[['CSV', addresses.entrantsFile(tournament)]]} />
          <a class="button for-paper no-print" href={addresses.badges(tournament)}>
            {texts.paper.badges}
          </a>
          <PrintButton />
        </div>
      </div>
      <Search label={texts.entrants.search} value={words} change={search} />
      <Shown asked={entrants} rows={8}>
        {(answer) => {
          const shown = answer
            .filter((one) => matches(words, entrantName(one), one.number, ...one.persons.map(({ name }) => name)))
            .sort((one, other) => (one.number ?? Infinity) - (other.number ?? Infinity) || speech.before(entrantName(one), entrantName(other)));
          if (!answer.length) return <p class="empty">{texts.entrants.none}</p>;
          if (!shown.length) return <NobodyFound />;
          const rated = shown.some(({ rating }) => rating !== null);
          return (
            <div class="sheet" role="group" aria-label={texts.tournament.entrants} tabIndex={0}>
              <table>
                <caption class="visually-hidden">{texts.tournament.entrants}</caption>
                <thead>
                  <tr>
                    <th scope="col" class="place">
                      {texts.entrants.number}
                    </th>
                    <th scope="col" class="who sticky">
                      {texts.table.name}
                    </th>
                    {rated && <th scope="col">{texts.entrants.rating}</th>}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((one) => (
                    <tr key={one.id}>
                      <td class="place">{one.number}</td>
                      <th scope="row" class="who sticky">
                        <a href={addresses.entrant(tournament, one.id)}>{entrantName(one)}</a>
                        {one.persons.length > 1 && one.name && (
                          <span class="small soft">{one.persons.map(({ name }) => name ?? '–').join(', ')}</span>
                        )}
                        <span class="row">
                          {one.lists.map((id) => (
                            <span key={id} class="badge">
                              {listName(texts, lists.find((list) => list.id === id) ?? { id, title: id })}
                            </span>
                          ))}
                          {!PLAIN.includes(one.status) && <span class="badge">{texts.entrants.status[one.status]}</span>}
                        </span>
                      </th>
                      {rated && <td>{figure(speech, one.rating)}</td>}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Shown>
    </div>
  );
}
