/** A stream that is heard for as long as somebody wants it: whenever it ends or breaks, it is connected again. */

const PAUSE = 250;
const LONGEST_PAUSE = 8_000; // where nothing was heard again and again, as behind a refusal
const SILENCE = 30_000; // heartbeats come twice as often: whoever hears nothing for so long has lost the connection
const UNUSABLE = 422; // nothing follows what one has, as after services were begun anew: everything is told then

export type Listening = {
  /** The id of what one has: what follows is told, not this one. */
  seen?: string;
  /** Ends it at once, where leaving the loop would wait for what comes next. */
  signal?: AbortSignal;
  /** Is told whether the stream is heard, as often as something comes, and when it breaks. */
  heard?: (now: boolean) => void;
};

/** What a generated operation that streams needs for it. */
export type Connection = {
  headers: { 'Last-Event-ID'?: string };
  fetch: typeof fetch;
  signal: AbortSignal;
  sseMaxRetryAttempts: number;
  onSseEvent: (event: { id?: string }) => void;
};

export async function* listening<Told>(
  open: (connection: Connection) => Promise<{ stream: AsyncGenerator<unknown> }>,
  { seen, signal, heard }: Listening = {},
): AsyncGenerator<Told, void> {
  let tries = 0; // since something was heard
  const hears = (now: boolean) => {
    if (now) tries = 0;
    heard?.(now);
  };
  while (!signal?.aborted) {
    const connection = new AbortController();
    const leave = () => connection.abort();
    signal?.addEventListener('abort', leave);
    try {
      const { stream } = await open({
        headers: seen === undefined ? {} : { 'Last-Event-ID': seen },
        fetch: unlessSilent(connection, hears, ({ status }) => {
          if (status === UNUSABLE) seen = undefined;
        }),
        signal: connection.signal,
        sseMaxRetryAttempts: 1, // it is this loop that tries again
        onSseEvent: ({ id }) => {
          seen = id;
        },
      });
      yield* stream as AsyncGenerator<Told, void>; // the client has parsed each event
    } finally {
      signal?.removeEventListener('abort', leave);
      connection.abort();
    }
    hears(false);
    await pause(tries++);
  }
}

/** Ever longer, and not the same for all who were cut off together. */
function pause(tries: number): Promise<void> {
  const longest = Math.min(PAUSE * 2 ** tries, LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

/** Gives up a connection on which not even heartbeats come. */
function unlessSilent(
  connection: AbortController,
  hears: (now: boolean) => void,
  answered: (response: Response) => void,
): typeof fetch {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), SILENCE);
  };
  connection.signal.addEventListener('abort', () => clearTimeout(timer));
  return async (request) => {
    wait();
    const response = await fetch(request);
    // What a network says where somebody has to sign in first is a page, and nothing was heard.
    if (response.headers.get('Content-Type')?.startsWith('text/html')) throw new TypeError('No stream has answered.');
    answered(response);
    const passing = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        wait();
        hears(true);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(passing), response);
  };
}
