/** Where the clients that the pages call are found, as the build finds them. */

import { registerHooks } from 'node:module';

const CLIENTS = new URL('../../typescript/', import.meta.url);

registerHooks({
  resolve: (name, context, next) => {
    const [, from, path] = /^(roundlog|roundlog-calling)\/(.*)$/.exec(name) ?? [];
    return from ? next(new URL(`${from === 'roundlog' ? 'generated' : 'src'}/${path}`, CLIENTS).href, context) : next(name, context);
  },
});
