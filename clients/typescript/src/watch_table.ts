/** Prints the head of a table whenever it changes, until its last round is complete. Takes JSON on standard input. */

import { json } from 'node:stream/consumers';

import { createClient } from '../generated/standings/client/index.ts';
import { liveTable } from './live_table.ts';

type Order = { url: string; tournament: string; stage: string; until: number };

const order = (await json(process.stdin)) as Order;
const client = createClient({ baseUrl: order.url });
for await (const table of liveTable(client, { tournament_id: order.tournament, stage: order.stage })) {
  const [first] = table.standings;
  console.log(JSON.stringify({ inputs: table.inputs, round: table.round, complete: table.complete, first }));
  if (table.round === order.until && table.complete) {
    break;
  }
}
