/** Who officiates in a tournament. Officials are known by the name of their account alone. */

import { useState } from 'preact/hooks';

import { appointTournamentOfficial, dismissTournamentOfficial } from 'roundlog/registration/sdk.gen.ts';
import type { Official } from 'roundlog/registration/types.gen.ts';

import { useOfficialsOf } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Act, Choose, OrderButton, Words } from './order.tsx';

type Role = Official['role'];
const ROLES: Role[] = ['arbiter', 'scorer', 'director', 'council', 'auditor'];

export function Officials({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const { answer } = useOfficialsOf(tournament);
  const [subject, name] = useState('');
  const [role, choose] = useState<Role>('arbiter');
  const to = { client: own.registration, path: { tournament_id: tournament } };
  const can = answer?.allowed_actions;
  if (!answer || !can?.appointTournamentOfficial?.allowed) return null;
  const said = (one: Role) => texts.story.roles[one] ?? one;
  return (
    <Act
      title={texts.director.appoint}
      what={`${tournament}/appoint/${role}/${subject}`}
      absolute
      order={(sending) => appointTournamentOfficial({ ...to, body: { subject: subject.trim(), role }, ...sending })}
      done={() => name((now) => (now === subject ? '' : now))}
      stays
    >
      <ul class="stack">
        {answer.officials.map((one) => (
          <li key={one.subject + one.role} class="row">
            <span class="anywhere">{one.subject}</span>
            <span class="badge">{said(one.role)}</span>
            {can.dismissTournamentOfficial?.allowed && (
              <OrderButton
                what={`${tournament}/dismiss/${one.role}/${one.subject}`}
                absolute
                whom={`${one.subject}, ${said(one.role)}`}
                order={(sending) => dismissTournamentOfficial({ ...to, body: one, ...sending })}
              >
                {texts.director.dismiss}
              </OrderButton>
            )}
          </li>
        ))}
      </ul>
      <Words label={texts.director.account} value={subject} change={name} required />
      <Choose label={texts.director.office} value={role} options={ROLES.map((one) => [one, said(one)])} change={(one) => choose(one as Role)} />
    </Act>
  );
}
