/** The table of a stage whenever it changes, for as long as somebody wants to see it. */

import type { Client } from '../generated/standings/client/index.ts';
import { followStandings } from '../generated/standings/sdk.gen.ts';
import type { Table } from '../generated/standings/types.gen.ts';
import { listening, type Listening } from './listening.ts';

/** Begins with the table as it is, unless that is `seen`: the inputs of the table that one has. */
export function liveTable(
  client: Client,
  path: { tournament_id: string; stage: string },
  how?: Listening,
): AsyncGenerator<Table, void> {
  return listening<Table>(
    (connection) => followStandings({ client, path, ...connection }) as Promise<{ stream: AsyncGenerator<unknown> }>,
    how,
  );
}
