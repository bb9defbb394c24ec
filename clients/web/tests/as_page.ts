/** What modules of the pages find in a browser, without one: a page of the desk, and requests whose addresses begin at its place. */

import './resolving.ts';

const page = { addEventListener: () => undefined, document: new EventTarget(), location: new URL('http://roundlog.test/desk') };
for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true });

Reflect.deleteProperty(globalThis, 'BroadcastChannel'); // which would wait for other tabs for ever

const Asked = globalThis.Request;
globalThis.Request = class extends Asked {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, 'http://roundlog.test') : input, init);
  }
};
