/** In which rooms it is played: a line for each, with what stands on its tables. */

import { useState } from 'preact/hooks';

import { nameRooms } from 'roundlog/pairing/sdk.gen.ts';

import { useRooms } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import { Act, Labelled } from './order.tsx';
import { roomsOf, shortened } from './room_names.ts';

export function Rooms({ tournament }: { tournament: string }) {
  const { answer } = useRooms(tournament);
  if (!answer?.allowed_actions.nameRooms?.allowed) return null;
  const said = answer.rooms.map(({ name, tables }) => `${name}: ${shortened(tables).join(', ')}`).join('\n');
  return <Naming tournament={tournament} said={said} />;
}

function Naming({ tournament, said }: { tournament: string; said: string }) {
  const { texts } = useSpeech();
  const [typed, say] = useState<string>();
  const text = typed ?? said;
  const rooms = roomsOf(text);
  return (
    <Act
      title={texts.director.rooms}
      what={`${tournament}/rooms/${text}`}
      order={(to) => nameRooms({ client: own.pairing, path: { tournament_id: tournament }, body: { rooms }, ...to })}
      done={() => say((now) => (now === typed ? undefined : now))}
    >
      <p class="soft">{texts.director.roomsHow}</p>
      <Labelled label={texts.director.rooms}>
        <textarea
          class="field"
          rows={3}
          spellcheck={false}
          placeholder={texts.director.roomsExample}
          value={text}
          onInput={({ currentTarget }) => say(currentTarget.value)}
        />
      </Labelled>
      {rooms.length > 0 && (
        <ul class="small">
          {rooms.map(({ name, tables }) => (
            <li key={name}>{texts.director.roomHas(name, tables.length)}</li>
          ))}
        </ul>
      )}
    </Act>
  );
}
