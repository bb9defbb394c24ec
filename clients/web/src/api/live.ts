/** The table of a stage as it changes: what is heard goes to whoever shows it, and the rest of the page is asked anew. */

import { useEffect, useState } from 'preact/hooks';

import { liveTable } from 'roundlog-calling/live_table.ts';

import { put, refresh } from './asked.ts';
import { standings } from './clients.ts';
import { tableKey } from './public.ts';

export type Live = { heard: boolean | undefined; changedAt?: string | undefined };

const LULL = 400; // results of several tables often come together: one question for all of them

export function useLive(tournament: string, stage: string | undefined): Live {
  const [live, setLive] = useState<Live>({ heard: undefined });
  useEffect(() => {
    if (!stage) return undefined;
    const leaving = new AbortController();
    let lull: ReturnType<typeof setTimeout> | undefined;
    const heard = (now: boolean) => setLive((before) => (before.heard === now ? before : { ...before, heard: now }));
    const listening = async () => {
      const path = { tournament_id: tournament, stage };
      for await (const table of liveTable(standings, path, { signal: leaving.signal, heard })) {
        put(tableKey(tournament, stage), table);
        clearTimeout(lull);
        lull = setTimeout(() => refresh(`${tournament}/`), LULL);
      }
    };
    void listening();
    return () => {
      clearTimeout(lull);
      leaving.abort();
    };
  }, [tournament, stage]);
  return live;
}
