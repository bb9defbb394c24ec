/**
 * A browser has six connections to one origin, for all windows of it, and each stream keeps one. Where a question waits for long, the
 * streams of its page give way, and the page goes on asking by the clock.
 */

import { useEffect, useState } from 'preact/hooks';

import { heardAt } from './clock.ts';

const LONG = 4_000; // milliseconds: a service itself may wait for half of it, until it has heard of what is asked for
export const LONGEST = 60_000; // a question that is not answered by then, with all of its answer, never is: whoever asked may ask again
const AWHILE = 15_000; // it may have been a service that was slow, once; where it comes again, the next time is twice as long
const LONGEST_WHILE = 300_000;

let crowded = false;
let times = 0;
const watchers = new Set<() => void>();

/** `fetch` for whatever is no stream. */
export const asking: typeof fetch = async (input, init) => {
  const waiting = setTimeout(giveWay, LONG);
  try {
    const request = new Request(input, init);
    const answer = await fetch(request, request.method === 'GET' ? { signal: limited(request.signal) } : undefined);
    if (isOfAnother(answer)) throw new TypeError('A network has answered instead of the service.');
    heardAt(answer);
    return answer;
  } finally {
    clearTimeout(waiting);
  }
};

/** Services never answer with a page: it is that of a hall or a hotel, where somebody has to sign in before anything passes. */
export function isOfAnother({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/html') ?? false;
}

/** Of a question only: an act is sent again under its own key by whoever has sent it, who knows for how long it may go on. */
function limited(given: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const giveUp = () => limit.abort();
  setTimeout(giveUp, LONGEST);
  if (given.aborted) giveUp();
  given.addEventListener('abort', giveUp);
  return limit.signal;
}

function giveWay(): void {
  if (crowded) return;
  tell(true);
  const awhile = Math.min(AWHILE * 2 ** times++, LONGEST_WHILE);
  setTimeout(() => tell(false), awhile * (0.5 + Math.random() / 2)); // not all windows together
}

function tell(now: boolean): void {
  crowded = now;
  for (const watcher of watchers) watcher();
}

/** Whether there is room for streams: somebody looks at the page, and no question waits behind them. */
export function useRoomForStreams(): boolean {
  const [, redraw] = useState(0);
  useEffect(() => {
    const watcher = () => redraw((count) => count + 1);
    watchers.add(watcher);
    document.addEventListener('visibilitychange', watcher);
    return () => {
      watchers.delete(watcher);
      document.removeEventListener('visibilitychange', watcher);
    };
  }, []);
  return !crowded && !document.hidden;
}
