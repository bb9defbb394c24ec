/** The desk has to open where there is no network: a worker keeps its files. Browsers have workers over TLS and on this machine. */

type Policies = { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => { createScriptURL: (url: string) => string } };

const WORKER = '/worker.js';
let registered = false;

export function registerWorker(): void {
  if (registered || !('serviceWorker' in navigator)) return;
  registered = true;
  // The policy of these pages lets no script be named by a bare string.
  const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  const policy = policies?.createPolicy('roundlog-worker', {
    createScriptURL: (url) => (url === WORKER ? url : ''),
  });
  const url = policy?.createScriptURL(WORKER) ?? WORKER;
  navigator.serviceWorker.register(url, { scope: '/desk' }).catch(() => undefined); // then it needs a network to be opened
}
