/** How whoever stands before a paper or a screen opens the same tournament on the own phone: a QR code, and what can be typed. */

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { addresses } from '../addresses.ts';
import { useSpeech } from '../texts/index.ts';

type Drawn = ComponentType<{ of: string; title: string }>;

const LATER = 500; // milliseconds, at most, that a code waits for the page to be at rest

/** The code comes when the page is drawn and at rest: nobody waits for it. */
export function WayCode({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const [Code, draw] = useState<Drawn>();
  useEffect(() => {
    let wanted = true;
    atRest(() => void import('./code.tsx').then(({ Code: drawn }) => wanted && draw(() => drawn)));
    return () => {
      wanted = false;
    };
  }, []);
  const address = location.origin + addresses.tournament(tournament);
  return Code ? <Code of={address} title={texts.hall.code(address)} /> : null;
}

function atRest(then: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: LATER });
  else setTimeout(then, LATER); // Safari
}

/** Nobody types the whole address of a tournament: from the first page it is one press. */
export function typed(): string {
  return location.host;
}

/** Stands on paper alone, at the top of its first sheet. */
export function WayOnPaper({ tournament, name }: { tournament: string; name: string | undefined }) {
  const { texts } = useSpeech();
  return (
    <aside class="on-paper" aria-label={texts.hall.onPhone}>
      <p>
        {texts.paper.follow} <strong>{typed()}</strong> › {name}
      </p>
      <WayCode tournament={tournament} />
    </aside>
  );
}
