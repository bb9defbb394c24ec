/** Rounds of a tournament as they are published, changed and recalled, also of one that has not started. */

import type { Client } from '../generated/pairing/client/index.ts';
import { followRounds } from '../generated/pairing/sdk.gen.ts';
import { listening, type Listening } from './listening.ts';

export type RoundTold = {
  tournament: string;
  stage: string;
  round: number;
  status: 'published' | 'changed' | 'recalled';
  starts_at: string | null;
  /** As `Roundlog-Min-Position` it makes any service wait until it knows the round. */
  position: string;
};

/** Begins now, or behind `seen`. */
export function liveRounds(client: Client, path: { tournament_id: string }, how?: Listening): AsyncGenerator<RoundTold, void> {
  return listening<RoundTold>(
    ({ headers, ...connection }) =>
      followRounds({
        client,
        path,
        ...connection,
        headers: headers['Last-Event-ID'] === undefined ? {} : { 'Last-Event-ID': Number(headers['Last-Event-ID']) },
      }) as Promise<{ stream: AsyncGenerator<unknown> }>,
    how,
  );
}
