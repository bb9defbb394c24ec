/**
 * Opens the desk where there is no network. It keeps the files of the pages, whose names change with what is in them, and the one
 * HTML that names them; answers of services it never touches. `build.ts` says which files there are.
 */

declare const FILES: string[];
declare const VERSION: string;

type Waiting = Event & { waitUntil: (done: Promise<unknown>) => void };
type Fetching = Event & { request: Request; respondWith: (answer: Promise<Response>) => void };
type Worker = {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener: ((on: 'install' | 'activate', listen: (event: Waiting) => void) => void) &
    ((on: 'fetch', listen: (event: Fetching) => void) => void);
};

const worker = self as unknown as Worker;
const PAGE = '/desk';
const NAME = `roundlog-${VERSION}`;
const PATIENCE = 4_000; // a network that does not answer by then is none

worker.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    await cache.addAll([PAGE, ...FILES]);
    await worker.skipWaiting();
  };
  event.waitUntil(keep());
});

worker.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** The newest that there is, and the one that was kept where there is no network. */
async function page(request: Request): Promise<Response> {
  const kept = () => caches.match(PAGE);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? answer : ((await kept()) ?? answer);
  } catch (away) {
    const answer = await kept();
    if (answer) return answer;
    throw away;
  }
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

export {};
