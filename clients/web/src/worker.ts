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
  const limit = new AbortController();
  const waiting = setTimeout(() => limit.abort(), PATIENCE);
  try {
    const answer = await fetch(request, { signal: limit.signal });
    if (!answer.ok) return (await kept()) ?? answer;
    if (isPage(answer)) await answer.clone().arrayBuffer(); // a page that has begun to come, and comes no further, is none
    return answer;
  } catch (away) {
    const answer = await kept();
    if (answer) return answer;
    throw away;
  } finally {
    clearTimeout(waiting); // what is no page, such as a large file, may take its time
  }
}

function isPage({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/html') ?? false;
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

export {};
