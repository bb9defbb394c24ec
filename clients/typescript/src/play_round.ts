/**
 * Plays one round of a tournament that runs: pairs and publishes it, reports every game by two scorers, and prints the
 * table. What to play, and the tokens, come as JSON on standard input.
 */

import { json } from 'node:stream/consumers';

import * as pairing from '../generated/pairing/index.ts';
import { createClient as pairingClient } from '../generated/pairing/client/index.ts';
import * as results from '../generated/results/index.ts';
import { createClient as resultsClient } from '../generated/results/client/index.ts';
import { createClient as standingsClient } from '../generated/standings/client/index.ts';
import type { Table } from '../generated/standings/index.ts';
import { act, done, look, pause } from './calling.ts';
import { liveTable } from './live_table.ts';

type Order = {
  urls: { pairing: string; results: string; standings: string };
  tokens: { director: string; scorers: [string, string] };
  tournament: string;
  stage: string;
  round: number;
  after: string; // a position: what has to be known before the round is paired
};

/** Whoever sits there first wins, and the higher the table, the closer. */
const happened = (table: number): number[] => [440 - table, 340 + table];

async function playRound(order: Order): Promise<Table> {
  const { pairs, position } = await publish(order);
  await Promise.all(pairs.map((pair) => report(order, pair, position)));
  await completed(order);
  return await finished(order);
}

/** Draft, look, confirm, publish. The rest between two rounds is shorter than the rules want it, which takes a reason. */
async function publish({ urls, tokens, after, ...order }: Order) {
  const client = pairingClient({ baseUrl: urls.pairing, auth: tokens.director });
  const path = placeOf(order);
  await act((headers) => pairing.draftRound({ client, path, headers: { ...headers, 'Roundlog-Min-Position': after } }));
  await act((headers) => pairing.confirmRound({ client, path, headers, body: {} }));
  const reason = { code: 'announcement' as const };
  const published = await act((headers) => pairing.publishRound({ client, path, headers, body: { reason } }));
  return { pairs: done(published.body).pairs, position: published.position };
}

/** A report that another scorer's equals makes the result. Results waits with both until it has heard of the game. */
async function report({ urls, tokens }: Order, pair: pairing.Pair, published?: string): Promise<void> {
  if (pair.game === null) {
    throw new Error(`table ${pair.table} has no game: the round is not published`);
  }
  const path = { game_id: pair.game };
  const body: results.ScrabbleReport = { scores: happened(pair.table) };
  for (const scorer of tokens.scorers) {
    const client = resultsClient({ baseUrl: urls.results, auth: scorer });
    await act((headers) =>
      results.reportResult({
        client,
        path,
        headers: { ...headers, 'Roundlog-Min-Position': published },
        body,
      }),
    );
  }
}

/** The next round can be paired once pairing knows that this one is over. */
async function completed({ urls, ...order }: Order): Promise<void> {
  const client = pairingClient({ baseUrl: urls.pairing });
  while ((await look(() => pairing.getRound({ client, path: placeOf(order) }))).body.status !== 'completed') {
    await pause();
  }
}

/** Anybody may watch, without a token. */
async function finished({ urls, tournament, stage, round }: Order): Promise<Table> {
  const client = standingsClient({ baseUrl: urls.standings });
  for await (const table of liveTable(client, { tournament_id: tournament, stage })) {
    if (table.round === round && table.complete) {
      return table;
    }
  }
  throw new Error('the live table has ended');
}

function placeOf({ tournament, stage, round }: Pick<Order, 'tournament' | 'stage' | 'round'>) {
  return { tournament_id: tournament, stage, round };
}

console.log(JSON.stringify(await playRound((await json(process.stdin)) as Order)));
