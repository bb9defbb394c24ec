import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextStep, orderOf } from '../src/pages/desk/steps.ts';

type Known = Parameters<typeof nextStep>;

const tournament = (status: string, next: string | null, blocked: object[] = []) =>
  ({ status, next_step: next, blocked_by: blocked }) as unknown as Known[0];
const round = (number: number, status: string, missing = 0) => ({ round: number, status, games: 2, without_result: missing, starts_at: null });
const stage = (name: string, rounds: object[], obstacles: object[] = [], status = 'running') => ({
  stage: name,
  title: name,
  system: 'round-robin',
  status,
  rounds,
  next: { round: rounds.length + 1, ready: !obstacles.length, obstacles },
});
const stages = (next: object | null, ...listed: object[]) => ({ next, stages: listed }) as unknown as Known[1];
const ahead = (name: string, number: number, ready: boolean) => ({ stage: name, title: name, round: number, ready, in_the_way: [] });
const running = tournament('running', 'review');
const acts = (...known: Known) => nextStep(...known).act;

test('before the start registration says what comes, and what blocks it', () => {
  const blocked = [{ kind: 'unpaid', sentence: 'One has not paid.', entrants: ['A'] }];
  assert.deepEqual(nextStep(tournament('check-in', 'start', blocked), undefined, undefined), { act: 'start', blocked });
  assert.equal(acts(tournament('registration', 'open-check-in'), undefined, undefined), 'open-check-in');
  const empty = { ...tournament('registration', 'open-check-in'), entrants: 0 };
  assert.equal(acts(empty, undefined, undefined), 'enter');
});

test('a round is paired, looked at, and waited for', () => {
  assert.equal(acts(running, stages(ahead('swiss', 1, true), stage('swiss', [])), []), 'pair');
  assert.equal(acts(running, stages(ahead('swiss', 1, true), stage('swiss', [round(1, 'draft', 2)])), []), 'publish');
  const missing = { kind: 'results-missing', detail: 'Table 2 has no result.', tables: [2] };
  const step = nextStep(running, stages(ahead('swiss', 2, false), stage('swiss', [round(1, 'published', 1)], [missing])), []);
  assert.equal(step.act, 'results');
  assert.deepEqual(step.blocked.map(({ kind, tables, count }) => [kind, tables, count]), [['results-missing', [2], 1]]);
});

test('a stage that is played is closed, and what keeps it from that is said', () => {
  const played = stages(null, stage('swiss', [round(1, 'completed')], [], 'played'));
  const closing = (obstacles: string[]) => [{ stage: 'swiss', title: 'swiss', round: 1, obstacles }];
  assert.deepEqual(nextStep(running, played, closing([])), {
    act: 'close',
    stage: 'swiss',
    title: 'swiss',
    system: 'round-robin', // by which a small field is called on every button
    blocked: [],
  });
  assert.deepEqual(nextStep(running, played, closing(['A and B are equal.'])).blocked, [{ kind: 'not-decided', sentence: 'A and B are equal.' }]);
  assert.equal(acts(running, played, []), 'review');
});

test('groups are drawn before their first round', () => {
  const undrawn = { kind: 'groups-not-drawn', detail: 'Draw them.', tables: [] };
  assert.equal(acts(running, stages(ahead('groups', 1, false), stage('groups', [], [undrawn])), []), 'groups');
});

test('nothing is said before everybody was heard, and nothing is left when it is over', () => {
  assert.equal(acts(running, undefined, []), 'wait');
  assert.equal(acts(tournament('completed', null), undefined, undefined), 'over');
});

test('a duel has an order once somebody has said all of it', () => {
  assert.deepEqual(orderOf(['B'], ['A', 'B']), [['B'], ['A']]);
  assert.equal(orderOf(['B'], ['A', 'B', 'C']), undefined); // who of the others is better nobody has said
  assert.deepEqual(orderOf(['B', 'C'], ['A', 'B', 'C']), [['B'], ['C'], ['A']]);
});
