/** The table of a stage whenever it changes, for as long as somebody wants to see it. */

import type { Client } from '../generated/standings/client/index.ts';
import { followStandings } from '../generated/standings/sdk.gen.ts';
import type { Table } from '../generated/standings/types.gen.ts';
import { pause } from './calling.ts';

const SILENCE = 30_000; // heartbeats come twice as often: whoever hears nothing for so long has lost the connection

export type Listening = {
  /** The inputs of the table that one has: what follows is told, not this one. */
  seen?: string;
  /** Ends it at once, where leaving the loop would wait for the next table. */
  signal?: AbortSignal;
  /** Is told whether the stream is heard, as often as something comes, and when it breaks. */
  heard?: (now: boolean) => void;
};

/** Begins with the table as it is. Whenever the stream ends or breaks it connects again, behind the last table seen. */
export async function* liveTable(
  client: Client,
  path: { tournament_id: string; stage: string },
  { seen, signal, heard }: Listening = {},
): AsyncGenerator<Table, void> {
  while (!signal?.aborted) {
    const connection = new AbortController();
    const leave = () => connection.abort();
    signal?.addEventListener('abort', leave);
    try {
      const { stream } = await followStandings({
        client,
        path,
        headers: { 'Last-Event-ID': seen },
        fetch: unlessSilent(connection, heard),
        signal: connection.signal,
        sseMaxRetryAttempts: 1, // it is this loop that tries again
        onSseEvent: ({ id }) => {
          seen = id;
        },
      });
      yield* stream as AsyncGenerator<unknown, void> as AsyncGenerator<Table, void>; // the client has parsed each event
    } finally {
      signal?.removeEventListener('abort', leave);
      connection.abort();
    }
    heard?.(false);
    await pause();
  }
}

/** Gives up a connection on which not even heartbeats come. */
function unlessSilent(connection: AbortController, heard?: (now: boolean) => void): typeof fetch {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), SILENCE);
  };
  connection.signal.addEventListener('abort', () => clearTimeout(timer));
  return async (request) => {
    const response = await fetch(request);
    const passing = new TransformStream<Uint8Array, Uint8Array>({
      start: wait,
      transform(chunk, controller) {
        wait();
        heard?.(true);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(passing), response);
  };
}
