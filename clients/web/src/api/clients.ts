/** The four services, each below its name at the origin that has served the page. */

import { createClient } from 'roundlog/registration/client/index.ts';
import { createClient as createPairing } from 'roundlog/pairing/client/index.ts';
import { createClient as createResults } from 'roundlog/results/client/index.ts';
import { createClient as createStandings } from 'roundlog/standings/client/index.ts';

export const registration = createClient({ baseUrl: '/registration' });
export const pairing = createPairing({ baseUrl: '/pairing' });
export const results = createResults({ baseUrl: '/results' });
export const standings = createStandings({ baseUrl: '/standings' });
