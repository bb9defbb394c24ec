/** Federations, and of one its seasons and its tournaments. */

import { addresses } from '../../addresses.ts';
import { useFederation, useFederations, useSeasonsOf } from '../../api/seasons.ts';
import { Section, Shown, useTitle } from '../../parts/basics.tsx';
import { seatName } from '../../parts/names.ts';
import { SeasonTexts, useSpeech } from '../../texts/season_texts.tsx';
import { Finding, Missing } from './tournaments.tsx';

export default function FederationsPage({ params: { federation } }: { params: { federation?: string } }) {
  return <SeasonTexts space="tournament-head">{federation ? <One federation={federation} /> : <All />}</SeasonTexts>;
}

function All() {
  const { texts, before } = useSpeech();
  useTitle(texts.whose.federations);
  const asked = useFederations();
  return (
    <>
      <h1>{texts.whose.federations}</h1>
      <div class="section">
        <Shown asked={asked}>
          {(all) =>
            all.length ? (
              <Links of={all.map((one): [string, string] => [addresses.federation(one.id), seatName(one)]).sort(([, one], [, other]) => before(one, other))} />
            ) : (
              <p class="empty">{texts.season.noFederation}</p>
            )
          }
        </Shown>
      </div>
    </>
  );
}

function One({ federation }: { federation: string }) {
  const { texts } = useSpeech();
  const { answer, problem } = useFederation(federation);
  const seasons = useSeasonsOf(federation);
  useTitle(answer && seatName(answer));
  if (problem && !answer) return <Missing title={texts.whose.federations} problem={problem} />;
  if (!answer || (!seasons.answer && !seasons.problem)) return <div class="tournament-head" aria-busy="true" />; // shown at once, so that nothing moves
  const newest = [...(seasons.answer ?? [])].reverse();
  return (
    <>
      <h1>{seatName(answer)}</h1>
      {newest.length > 0 && (
        <Section title={texts.season.all}>
          <Links of={newest.map((one) => [addresses.season(one.id), seatName(one)])} />
        </Section>
      )}
      <Finding federation={federation} />
    </>
  );
}

function Links({ of }: { of: [address: string, name: string][] }) {
  return (
    <ul class="names">
      {of.map(([address, name]) => (
        <li key={address}>
          <a href={address}>{name}</a>
        </li>
      ))}
    </ul>
  );
}
