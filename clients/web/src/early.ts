/**
 * Runs within the HTML, before any file of the pages has come: it asks what the page of this address will ask first, and says
 * which language is wanted, so that a slow network is waited for once. `api/clients.ts` takes the answers over. Nothing of it is
 * needed: what is not asked here is asked later. The proxy lets it run by its hash, which stands in `deploy/Caddyfile`.
 */

import { CALENDAR, query } from './api/calendar.ts';
import { currentRound, currentStage, stageOf } from './api/stages.ts';
import { chosen } from './texts/language.ts';

/** By address; nothing of what the page has asked already, or taken over. */
const answers: { [address: string]: Promise<Response> | null } = {};
(globalThis as { early?: typeof answers }).early = answers;

for (const words of document.querySelectorAll<HTMLLinkElement>(`link[hreflang="${chosen()}"]`)) words.rel = 'modulepreload'; // so it is fetched

const WITH_LISTS = ['table', 'ranking', 'bracket', 'entrants']; // of women, of juniors: the ruleset has them
// The first of these takes a slow phone a tenth of a second, which it has while it waits.
setTimeout(() => new Intl.DateTimeFormat(chosen(), { dateStyle: 'long' }));

const [, kind, tournament, part, first, second, third] = location.pathname.split('/');
const shown = part === 'stages' ? second : part;
if (!kind || (kind === 'tournaments' && !tournament)) {
  for (const wanted of Object.values(CALENDAR)) void ask(`registration/v1/tournaments?${query(wanted)}`);
} else if (kind === 'seasons') {
  void ask(`standings/v1/seasons/${tournament}`);
} else if (kind === 'tournaments') {
  void tournamentPage().catch(() => undefined); // what could not be asked is asked by the page, and refused there
}

async function tournamentPage(): Promise<void> {
  const about = ask(of('registration'));
  const stages = ask(`${of('pairing')}/stages`);
  const named = part === 'stages' ? first : new URLSearchParams(location.search).get('stage');
  if (!part) void ask(`${of('registration')}/notices?limit=50`);
  if (part === 'ranking') void ask(`${of('standings')}/final`);
  if (part === 'entrants') void ask(`${of('registration')}/entrants?limit=200`);
  if (part === 'entrants' && first) void ask(`${of('results')}/games?entrant=${first}`);
  else if (WITH_LISTS.includes(shown ?? '')) void said(about).then(({ ruleset }) => ask(`registration/v1/rulesets/${ruleset}`)).catch(() => undefined);
  if (named) ofStage(named, part === 'stages' && second === 'rounds' ? third : undefined);
  const answer = (await said(stages)) as Parameters<typeof currentStage>[0];
  const stage = named ? stageOf(answer, named) : currentStage(answer);
  if (!stage) return;
  void ask(`${of('standings')}/stages/${stage.stage}/standings/moments`);
  if (!part && (await said(about)).status === 'completed') {
    void ask(`${of('standings')}/final`);
  } else {
    ofStage(stage.stage, third ?? String(currentRound(stage)?.round));
  }
}

function ofStage(stage: string, round: string | undefined): void {
  const standings = `${of('standings')}/stages/${stage}`;
  if (!shown || ['hall', 'table', 'entrants'].includes(shown)) void ask(`${standings}/standings`);
  if (shown === 'entrants' && first) void ask(`${standings}/standings/entrants/${first}`);
  if (shown === 'crosstable') void ask(`${standings}/crosstable`);
  if (round && (!shown || ['hall', 'rounds'].includes(shown))) void ask(`${of('results')}/stages/${stage}/rounds/${round}/games`);
}

async function said(answer: Promise<Response>): Promise<{ [member: string]: unknown }> {
  return (await (await answer).clone().json()) as { [member: string]: unknown };
}

function of(service: string): string {
  return `${service}/v1/tournaments/${tournament}`;
}

function ask(path: string): Promise<Response> {
  const address = `${location.origin}/${path}`;
  if (!(address in answers)) answers[address] = fetch(address); // where files come before answers, the page may have been quicker
  return answers[address] as Promise<Response>; // nobody waits for what the page has
}
