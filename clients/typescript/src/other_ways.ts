/**
 * The same by two other generators: a federation is founded with the types of openapi-typescript, and renamed with the
 * functions of oazapfts. Where registration is, and a token that may, come as JSON on standard input.
 */

import { json } from 'node:stream/consumers';

import createClient from 'openapi-fetch';

import { defaults, renameFederation } from '../generated/registration.oazapfts.ts';
import type { OthelloReport } from '../generated/results.oazapfts.ts';
import type { paths } from '../generated/types/registration.ts';
import type { components } from '../generated/types/results.ts';

// A report has the fields of the game that is played, and of no other: what is wrong here does not compile.
type CarcassonneReport = components['schemas']['CarcassonneReport'];
export const ofOthello: OthelloReport = { family: 'othello', discs: [40, 24] };
export const ofCarcassonne: CarcassonneReport = { scores: [90, 70], flag: 0 };
// @ts-expect-error: discs are counted in Othello
export const foreign: CarcassonneReport = { discs: [40, 24] };

type Order = { url: string; token: string; name: string; renamed: string };

const order = (await json(process.stdin)) as Order;
const headers = { Authorization: `Bearer ${order.token}` };

const typed = createClient<paths>({ baseUrl: order.url, headers });
const founded = await typed.POST('/v1/federations', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { name: order.name },
});
if (founded.error) {
  throw new Error(founded.error.detail);
}

const federation_id = founded.data.id;
Object.assign(defaults, { baseUrl: order.url, headers });
const renamed = await renameFederation(federation_id, { name: order.renamed }, { idempotencyKey: crypto.randomUUID() });
if (renamed.status !== 200) {
  throw new Error('detail' in renamed.data ? renamed.data.detail : '');
}

const unknown = await typed.GET('/v1/federations/{federation_id}', { params: { path: { federation_id: 'nobody' } } });
const known = await typed.GET('/v1/federations/{federation_id}', { params: { path: { federation_id } } });
console.log(JSON.stringify({ name: known.data?.name, refused: unknown.error?.type }));
