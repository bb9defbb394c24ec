/** What changes while somebody looks: the table of a stage, and the rounds of a tournament. The rest of the page is asked anew. */

import { useEffect, useState } from 'preact/hooks';

import { liveRounds } from 'roundlog-calling/live_rounds.ts';
import { liveTable } from 'roundlog-calling/live_table.ts';

import { answered, put, refresh, refreshing } from './answer_cache.ts';
import { pairing, restOn, standings } from './clients.ts';
import { useRoomForStreams } from './crowded.ts';
import { tableKey, type Table } from './public.ts';

/** Whether the page hears of changes; nothing as long as it connects. */
export function useLive(tournament: string, stage: string | undefined): boolean | undefined {
  const [heard, setHeard] = useState<boolean>();
  const hasRoom = useRoomForStreams();
  useEffect(() => {
    if (!stage || !hasRoom) return undefined;
    const leaving = new AbortController();
    const others = refreshing(`${tournament}/`);
    const listening = async () => {
      const path = { tournament_id: tournament, stage };
      const seen = (await answered<Table>(tableKey(tournament, stage)))?.inputs;
      const how = { signal: leaving.signal, heard: setHeard, ...(seen ? { seen } : {}) }; // what the page has is not told again
      for await (const table of liveTable(standings, path, how)) {
        if (put(tableKey(tournament, stage), table)) others.soon();
      }
    };
    void listening();
    return () => {
      others.never();
      leaving.abort();
    };
  }, [tournament, stage, hasRoom]);
  return heard;
}

const told = new Map<string, string>(); // the id of what was heard last, so that nothing is missed by whoever looks elsewhere

/** A round that is published stands on the page as soon as it is. */
export function useRounds(tournament: string, prefix = `${tournament}/`): void {
  const hasRoom = useRoomForStreams();
  useEffect(() => {
    if (!tournament || !hasRoom) return undefined;
    const leaving = new AbortController();
    const listening = async () => {
      const seen = told.get(tournament);
      const how = { signal: leaving.signal, ...(seen ? { seen } : {}) };
      for await (const { position } of liveRounds(pairing, { tournament_id: tournament }, how)) {
        told.set(tournament, /:(\d+)/.exec(position)?.[1] ?? '');
        restOn(position);
        refresh(prefix);
      }
    };
    void listening();
    return () => leaving.abort();
  }, [tournament, prefix, hasRoom]);
}
