/** What somebody is warned, penalised or put out for at a tournament that is being played. */

import { useState } from 'preact/hooks';

import { disqualifyEntrant, expelPerson, imposePenalty, liftPenalty, returnPerson, warnEntrant } from 'roundlog/results/sdk.gen.ts';

import type { Outcome } from '../../api/answer_cache.ts';
import { usePenalties } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import type { Numbered } from './given.ts';
import { Act, Choose, Labelled, Words } from './order.tsx';

type Named = { id: string; name: string | null };

/** Warnings and penalties, with those that there are. */
export default function Conduct({ entrant, persons, tournament, last }: { entrant: string; persons: Named[]; tournament: string; last: Numbered }) {
  const { texts, number } = useSpeech();
  const { answer } = usePenalties(tournament, true);
  const [reason, say] = useState('');
  const [points, take] = useState('1');
  const client = own.results;
  const path = { tournament_id: tournament };
  const of = { entrant, stage: last.stage, round: last.round, reason };
  const can = answer?.allowed_actions;
  const warned = answer?.warnings.filter((one) => one.entrant === entrant) ?? [];
  const imposed = answer?.penalties.filter((one) => one.entrant === entrant && !one.lifted) ?? [];
  const sent = () => say((now) => (now === reason ? '' : now)); // another act that shares the words may be half typed
  const why = <Words label={texts.director.rulingReason} value={reason} change={say} required />;
  const taken = /^\d+([.,]\d+)?$/.test(points.trim()) ? `-${points.trim().replace(',', '.')}` : points;
  return (
    <>
      {warned.length > 0 && <p class="small">{texts.director.warned(warned.length)}</p>}
      {imposed.map(({ id, points: lost, round }) => (
        <Act
          key={id}
          title={texts.director.lift(number(lost), round)}
          what={`${id}/lift/${reason}`}
          order={(to) => liftPenalty({ client, path: { ...path, penalty_id: id }, body: { reason }, ...to })}
          done={sent}
        >
          {why}
        </Act>
      ))}
      {can?.warnEntrant?.allowed && (
        <Act
          title={texts.director.warnEntrant}
          what={`${entrant}/warn/${JSON.stringify(of)}/${warned.length}`}
          order={(to) => warnEntrant({ client, path, body: of, ...to })}
          done={sent}
        >
          {why}
        </Act>
      )}
      {can?.imposePenalty?.allowed && last.round > 0 && (
        <Act
          title={texts.director.imposePenalty}
          what={`${entrant}/penalty/${JSON.stringify(of)}/${taken}/${imposed.length}`}
          order={(to) => imposePenalty({ client, path, body: { ...of, points: taken }, ...to })}
          done={sent}
        >
          <Labelled label={texts.director.pointsTaken}>
            <input class="field" inputMode="decimal" required value={points} onInput={({ currentTarget }) => take(currentTarget.value)} />
          </Labelled>
          {why}
        </Act>
      )}
      {can?.disqualifyEntrant?.allowed && last.round > 0 && (
        <Act
          title={texts.director.disqualifyEntrant}
          what={`${entrant}/disqualify/${JSON.stringify(of)}`}
          absolute
          look={() =>
            disqualifyEntrant({
              client,
              path: { ...path, entrant_id: entrant },
              body: { stage: last.stage, round: last.round, reason },
              query: { dry_run: true },
            }) as Promise<Outcome<{ changes: string[] }>>
          }
          order={(to) =>
            disqualifyEntrant({ client, path: { ...path, entrant_id: entrant }, body: { stage: last.stage, round: last.round, reason }, ...to })
          }
        >
          {why}
        </Act>
      )}
      {can?.expelPerson?.allowed && last.round > 0 && (
        <PersonsExpelled of={{ ...path, entrant_id: entrant }} last={last} persons={persons} expelled={answer?.persons_expelled ?? []} />
      )}
    </>
  );
}

/** A team plays on without whoever is expelled from it. */
function PersonsExpelled({
  of,
  last: { stage, round },
  persons,
  expelled,
}: {
  of: { tournament_id: string; entrant_id: string };
  last: Numbered;
  persons: Named[];
  expelled: string[];
}) {
  const { texts } = useSpeech();
  const [chosen, choose] = useState('');
  const [reason, say] = useState('');
  const staying = persons.filter(({ id }) => !expelled.includes(id));
  const person = staying.find(({ id }) => id === chosen)?.id ?? ''; // who is meant is chosen: a press too many expels nobody
  const client = own.results;
  const sent = () => say((now) => (now === reason ? '' : now)); // another act that shares the words may be half typed
  const why = <Words label={texts.director.rulingReason} value={reason} change={say} required />;
  return (
    <>
      {staying.length > 0 && (
        <Act
          title={texts.director.expelPerson}
          what={`${person}/expel/${reason}`}
          absolute
          order={(to) => expelPerson({ client, path: { ...of, person_id: person }, body: { stage, round, reason }, ...to })}
          done={sent}
        >
          <Choose label={texts.table.name} value={person} options={[['', '–'], ...staying.map(({ id, name }) => [id, name ?? '–'] as const)]} change={choose} required />
          {why}
        </Act>
      )}
      {persons
        .filter(({ id }) => expelled.includes(id))
        .map(({ id, name }) => (
          <Act
            key={id}
            title={texts.director.returnPerson(name ?? '–')}
            what={`${id}/return/${reason}`}
            absolute
            order={(to) => returnPerson({ client, path: { ...of, person_id: id }, body: { reason }, ...to })}
            done={sent}
          >
            {why}
          </Act>
        ))}
    </>
  );
}
