/** The desk of a director: what comes next and what blocks it, and a part for each kind of work. */

import type { ComponentType } from 'preact';
import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { draftRound, drawGroups } from 'roundlog/pairing/sdk.gen.ts';
import {
  announceAdvance,
  appointTournamentOfficial,
  beginReview,
  cancelTournament,
  changePlan,
  completeTournament,
  openCheckIn,
  openLots,
  openRegistration,
  postNotice,
  postponeFirstRound,
  releaseUnconfirmed,
  resumePlay,
  startTournament,
} from 'roundlog/registration/sdk.gen.ts';
import { closeStage, drawLot, settleTie, shortenStage } from 'roundlog/standings/sdk.gen.ts';

import { addresses } from '../../addresses.ts';
import type { Asked, Outcome } from '../../api/answer_cache.ts';
import {
  decidesIn,
  useEntryRules,
  useStagesToDirect,
  useStageToClose,
  useTournamentToDirect,
  type MeAtRegistration,
  type StageList,
  type Tournament,
  type TournamentForeseen,
} from '../../api/director.ts';
import { useMeAtStandings, useTablesLive, type UnderWay } from '../../api/own.ts';
import { useTable } from '../../api/public.ts';
import { own, type Session } from '../../api/session.ts';
import { Failed, ProblemNote, Section, useChosen, useTitle } from '../../parts/basics.tsx';
import { brought } from '../../parts/brought.ts';
import { amongTabs, tab } from '../../parts/keys.ts';
import { stageName, statusName } from '../../parts/names.ts';
import { useSpeech } from '../../texts/all_texts.tsx';
import type { Directed, Part } from './given.ts';
import { Officials } from './officials.tsx';
import { Act, Choose, DayAndTime, Labelled, OrderButton, Sentence, Told, Words } from './order.tsx';
import { PairingPart } from './pairing.tsx';
import { PeoplePart } from './people.tsx';
import { RulingsPart } from './rulings.tsx';
import { nextStep, orderOf, type Blocker, type Step } from './steps.ts';

// Whoever directs a tournament does not wait for what is seldom opened.
const Announcing = lazy(() => brought(() => import('./announcing.tsx')));
const SeasonsDesk = lazy(() => brought(() => import('./seasons.tsx')));
const WebhooksPart = lazy(() => brought(() => import('./webhooks.tsx')));

/** These stand in the tabs, at `/desk/` and their names. */
const PARTS: Record<Part, ComponentType<Directed>> = {
  now: NowPart,
  people: PeoplePart,
  pairing: PairingPart,
  results: RulingsPart,
  webhooks: WebhooksPart,
};

const OVER = ['completed', 'cancelled'];
const AFTER_RESULTS = ['pair', 'close', 'review'];
const NOT_FOUND = 404;

type OfDirector = { session: Session; underWay: UnderWay[]; registration: Asked<MeAtRegistration> };

/** What was done is said here, so that it is heard also where an act has led to another page. */
export default function DirectorPage(of: OfDirector) {
  return (
    <Told>
      <Directing {...of} />
    </Told>
  );
}

function Directing({ session, underWay, registration: { answer: me, problem } }: OfDirector) {
  const { texts } = useSpeech();
  const { query, path } = useLocation();
  const directed = me?.tournaments.filter((one) => decidesIn(me, one)) ?? [];
  const usual = useChosen(query.tournament, directed, directed.find(({ status }) => !OVER.includes(status)));
  if (!me) {
    return (
      <>
        <h1>{texts.director.title}</h1>
        {problem ? <ProblemNote problem={problem} /> : <div class="desk-space" aria-busy="true" />}
      </>
    );
  }
  const chosen = query.tournament ?? usual?.id; // an operator may have been led to any
  const part = path.replace(addresses.desk, '').replaceAll('/', '');
  const isOfCouncil = me.offices.some(({ role }) => role === 'council') && !me.offices.some(({ role }) => role === 'director'); // seasons are all that they decide
  if (part === 'seasons' || part === 'announce' || !chosen) {
    return <ErrorBoundary>{part === 'seasons' || isOfCouncil ? <SeasonsDesk me={me} /> : <Announcing me={me} />}</ErrorBoundary>;
  }
  return <OneTournament key={chosen} session={session} tournament={chosen} me={me} part={part} underWay={underWay} />;
}

function OneTournament({
  session,
  tournament,
  me,
  part,
  underWay,
}: {
  session: Session;
  tournament: string;
  me: MeAtRegistration;
  part: string;
  underWay: UnderWay[];
}) {
  const { texts } = useSpeech();
  const { route } = useLocation();
  const asked = useTournamentToDirect(tournament);
  const found = asked.answer;
  const begun = found !== undefined && !['draft', 'registration', 'check-in'].includes(found.status);
  const stages = useStagesToDirect(tournament, begun);
  const standings = useMeAtStandings();
  useTablesLive(begun ? tournament : undefined);
  useTitle(texts.director.title, found?.name);
  const shown = (part in PARTS ? part : 'now') as Part;
  const tabs = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [ledTo, lead] = useState<Part>();
  useLayoutEffect(() => {
    if (ledTo === shown) place.current?.focus(); // the button that was pressed has gone; a part may know a better place
  }, [ledTo, shown]);
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, found === undefined]);
  if (!found) {
    return (
      <>
        <h1>{texts.director.title}</h1>
        {asked.problem ? <ProblemNote problem={asked.problem} /> : <div class="desk-space" aria-busy="true" />}
      </>
    );
  }
  const Shown = PARTS[shown];
  // Of what is not known it is said why, and not that there is none; pairing that finds nothing has not heard of the start yet.
  const unknown = begun && [stages, standings].find(({ answer, problem }) => !answer && problem && problem.status !== NOT_FOUND)?.problem;
  const here = standings.answer?.tournaments.find((one) => one.tournament === tournament);
  const step = nextStep(found, stages.answer, standings.answer && (here?.stages ?? []));
  const go = (to: Part) => {
    lead(to);
    route(addresses.directing(tournament, to));
  };
  const directed = me.tournaments.filter((one) => decidesIn(me, one));
  const parts = (Object.keys(PARTS) as Part[]).filter((one) => one !== 'webhooks' || decidesIn(me, found, ['director']));
  const known = directed.some(({ id }) => id === tournament) ? directed : [{ ...found }, ...directed];
  const following = !step.blocked.length && AFTER_RESULTS.includes(step.act) && (
    <div class="card next-step next-here no-print">
      <NextStep tournament={found} step={step} go={go} />
    </div>
  );
  return (
    <>
      <div class="desk-head">
        <h1>{found.name}</h1>
        <span class="badge now">{statusName(texts, found.status)}</span>
        <span class="row end no-print">
          {known.length > 1 && (
            <label class="choice framed">
              <span class="visually-hidden">{texts.desk.tournament}</span>
              <select value={tournament} onChange={({ currentTarget }) => route(addresses.directing(currentTarget.value, shown))}>
                {known.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <a href={addresses.tournament(tournament)}>{texts.director.asOthersSee}</a>
          <a href={addresses.story(tournament)}>{texts.tournament.story}</a>
          <a href={addresses.announcing}>{texts.director.announce}</a>
          {me.offices.some(({ scope }) => scope === found.federation) && <a href={addresses.directingSeasons}>{texts.director.seasons}</a>}
        </span>
      </div>
      {asked.problem ? <ProblemNote problem={asked.problem} /> : unknown && <Failed problem={unknown} />}
      <nav id="parts" class="tabs desk-tabs" aria-label={texts.director.parts} ref={tabs} onKeyDown={amongTabs}>
        {parts.map((one) => (
          <a key={one} href={addresses.directing(tournament, one)} {...tab(one === shown)} onClick={() => lead(undefined)}>
            {texts.director.part[one]}
          </a>
        ))}
      </nav>
      <div class="desk-part" tabIndex={-1} ref={place}>
        <ErrorBoundary>
          <Shown
            session={session}
            tournament={found}
            stages={stages.answer}
            comes={begun && !stages.answer}
            underWay={underWay.find((one) => one.tournament === tournament)}
            step={step}
            following={following}
            go={go}
            led={ledTo === shown}
          />
        </ErrorBoundary>
      </div>
      <a
        class="visually-hidden"
        href="#parts"
        onClick={(event) => {
          event.preventDefault();
          tabs.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
        }}
      >
        {texts.director.parts}
      </a>
    </>
  );
}

// What comes next

function NowPart({ session, tournament, stages, underWay, step, go }: Directed) {
  const { texts } = useSpeech();
  return (
    <div class="columns">
      <Section title={texts.director.next}>
        <div class="card next-step">
          <NextStep tournament={tournament} step={step} go={go} />
          {step.blocked.length > 0 && (
            <div class={step.act === 'results' ? 'note' : 'note problem'}>
              <b>{step.act === 'results' ? texts.director.awaited : texts.director.blocked}</b>
              <ul class="blockers">
                {step.blocked.map((one) => (
                  <li key={one.kind + one.sentence}>
                    <Sentence kind={one.kind} sentence={one.sentence} count={countOf(one)} />
                    <Remedy session={session} tournament={tournament} blocker={one} />
                  </li>
                ))}
              </ul>
              {step.act === 'start' && step.blocked.some(({ kind }) => !REMEDIED.includes(kind)) && (
                <button type="button" class="button" onClick={() => go('people')}>
                  {texts.director.toPeople}
                </button>
              )}
            </div>
          )}
        </div>
      </Section>
      <Section title={texts.director.standing}>
        <dl class="facts-list">
          <Fact name={texts.director.entered} value={tournament.entrants} go={() => go('people')} />
          <Fact name={texts.director.there} value={tournament.checked_in} go={() => go('people')} />
          {tournament.waiting > 0 && <Fact name={texts.director.waitingList} value={tournament.waiting} go={() => go('people')} />}
          {underWay && (
            <>
              <Fact name={texts.director.withoutResult} value={openOf(underWay)} go={() => go('results')} />
              <Fact name={texts.desk.waiting} value={underWay.reported} go={() => go('results')} />
              <Fact name={texts.desk.disputed} value={underWay.disputed + underWay.director} urgent go={() => go('results')} />
            </>
          )}
        </dl>
        <Besides tournament={tournament} stages={stages} />
      </Section>
    </div>
  );
}

/** What was only reported has no result yet, as everywhere at the desk. */
function openOf({ unreported, reported, disputed, director }: UnderWay): number {
  return unreported + reported + disputed + director;
}

function Fact({ name, value, urgent, go }: { name: string; value: number; urgent?: boolean; go: () => void }) {
  const { number } = useSpeech();
  return (
    <div class={urgent && value > 0 ? 'urgent' : ''}>
      <dt>{name}</dt>
      <dd>
        <button type="button" class="button" aria-label={`${name}: ${value}`} onClick={go}>
          {number(value)}
        </button>
      </dd>
    </div>
  );
}

const countOf = ({ entrants, tables, count }: Blocker) => count ?? ((entrants?.length || tables?.length) ?? 0);

const ANNOUNCED = {
  open: openRegistration,
  'open-check-in': openCheckIn,
  review: beginReview,
  complete: completeTournament,
};

function NextStep({ tournament, step, go }: { tournament: Tournament; step: Step; go: (part: Part) => void }) {
  const { texts } = useSpeech();
  const { id } = tournament;
  const path = { tournament_id: id };
  switch (step.act) {
    case 'over':
    case 'wait':
      return <p class="large">{texts.director.steps[step.act]}</p>;
    case 'enter':
      return (
        <button type="button" class="button primary" onClick={() => go('people')}>
          {texts.director.steps.enter}
        </button>
      );
    case 'start':
      return <Start tournament={tournament} blocked={step.blocked} />;
    case 'open':
    case 'open-check-in':
    case 'review':
    case 'complete': {
      const order = ANNOUNCED[step.act];
      return (
        <OrderButton primary what={`${id}/${step.act}`} absolute order={(to) => order({ client: own.registration, path, ...to })}>
          {texts.director.steps[step.act]}
        </OrderButton>
      );
    }
    case 'pair': {
      const { stage, round } = step;
      const title = texts.director.pairRound(round, stageName(texts, step));
      if (step.blocked.length) return <p class="large">{title}</p>;
      return (
        <OrderButton
          primary
          what={`${id}/${stage}/${round}/draft`}
          absolute
          order={(to) => draftRound({ client: own.pairing, path: { ...path, stage, round }, ...to })}
          done={() => go('pairing')}
        >
          {title}
        </OrderButton>
      );
    }
    case 'publish':
      return (
        <button type="button" class="button primary" onClick={() => go('pairing')}>
          {texts.director.lookAtDraft(step.round, stageName(texts, step))}
        </button>
      );
    case 'results':
      return (
        <>
          <p class="large">{texts.director.awaitResults(step.round, stageName(texts, step))}</p>
          <span class="row">
            <a class="button primary" href={addresses.scoring(id)}>
              {texts.desk.results}
            </a>
            <button type="button" class="button" onClick={() => go('results')}>
              {texts.director.toResults}
            </button>
          </span>
        </>
      );
    case 'groups':
      return (
        <OrderButton
          primary
          what={`${id}/${step.stage}/groups`}
          order={(to) => drawGroups({ client: own.pairing, path: { ...path, stage: step.stage }, ...to })}
        >
          {texts.director.drawGroups(stageName(texts, step))}
        </OrderButton>
      );
    case 'close':
      return (
        <>
          {step.blocked.length ? (
            <p class="large">{texts.director.closeStage(stageName(texts, step))}</p>
          ) : (
            <OrderButton
              primary
              what={`${id}/${step.stage}/close`}
              absolute
              order={(to) => closeStage({ client: own.standings, path: { ...path, stage: step.stage }, ...to })}
            >
              {texts.director.closeStage(stageName(texts, step))}
            </OrderButton>
          )}
          {step.blocked.length > 0 && <Ties tournament={tournament} stage={step.stage} />}
        </>
      );
  }
}

const SIZES = ['too-few-entrants', 'too-many-entrants'];
const FEWEST = 2; // whatever the rules say

/** Where the rules leave the size of the field to the organiser, a reason is enough. */
function Start({ tournament, blocked }: { tournament: Tournament; blocked: Blocker[] }) {
  const { texts } = useSpeech();
  const [decision, decide] = useState('');
  const rules = useEntryRules(tournament.ruleset).answer;
  const isSize = blocked.length > 0 && blocked.every(({ kind }) => SIZES.includes(kind));
  const mayDiffer = isSize && tournament.checked_in >= FEWEST && rules?.entry.size?.overridden === true;
  const path = { tournament_id: tournament.id };
  return (
    <>
      {blocked.length > 0 && !mayDiffer && <p class="large">{texts.director.steps.start}</p>}
      {tournament.checked_in < FEWEST && <p>{texts.director.tooFewThere(tournament.checked_in)}</p>}
      {mayDiffer && (
        <Choose
          label={texts.director.startAllTheSame}
          value={decision}
          options={[['', texts.director.chooseReason], ...Object.entries(texts.director.startReasons)]}
          change={decide}
        />
      )}
      {(!blocked.length || (mayDiffer && decision)) && (
        <OrderButton
          primary
          what={`${tournament.id}/start/${decision}`}
          absolute
          order={(to) => startTournament({ client: own.registration, path, body: decision ? { decision } : {}, ...to })}
        >
          {texts.director.steps.start}
        </OrderButton>
      )}
      {tournament.allowed_actions.openRegistration?.allowed && !tournament.lot_value && (
        <OrderButton what={`${tournament.id}/open-again`} absolute order={(to) => openRegistration({ client: own.registration, path, ...to })}>
          {texts.director.openAgain}
        </OrderButton>
      )}
    </>
  );
}

const REMEDIED = ['lots-not-opened', 'no-advance', 'no-director', 'no-series'];

/** What takes a blocker away, right beside it. */
function Remedy({ session, tournament, blocker }: { session: Session; tournament: Tournament; blocker: Blocker }) {
  const { texts } = useSpeech();
  const [said, say] = useState('');
  const path = { tournament_id: tournament.id };
  switch (blocker.kind) {
    case 'lots-not-opened':
      return (
        <Act
          title={texts.director.openLots}
          what={`${tournament.id}/lots/${said}`}
          order={(to) => openLots({ client: own.registration, path, body: { value: said }, ...to })}
        >
          <Words label={texts.director.lotValue(tournament.lot_source ?? '')} value={said} change={say} required />
        </Act>
      );
    case 'no-advance':
      return (
        <Act
          title={texts.director.announceAdvance}
          what={`${tournament.id}/advance/${said}`}
          order={(to) => announceAdvance({ client: own.registration, path, body: { advance: Number(said) }, ...to })}
        >
          <Words label={texts.director.howManyGoOn} value={said} change={say} required />
        </Act>
      );
    case 'no-director': {
      const body = { subject: session.who, role: 'director' as const };
      return (
        <OrderButton what={`${tournament.id}/director`} order={(to) => appointTournamentOfficial({ client: own.registration, path, body, ...to })}>
          {texts.director.directMyself}
        </OrderButton>
      );
    }
    default:
      return null;
  }
}

/** Who is equal after everything: a lot is drawn, or a duel is written down. */
function Ties({ tournament, stage }: { tournament: Tournament; stage: string }) {
  const { texts } = useSpeech();
  const { answer } = useStageToClose(tournament.id, stage);
  const names = useNames(tournament.id, stage);
  const path = { tournament_id: tournament.id, stage };
  return (
    <ul class="stack">
      {(answer?.unresolved ?? []).map(({ entrants, needs }) => (
        <li key={entrants.join()}>
          {needs === 'lot' ? (
            <OrderButton
              primary
              what={`${tournament.id}/${stage}/lot/${entrants.join()}`}
              order={(to) => drawLot({ client: own.standings, path, body: { entrants }, ...to })}
            >
              {texts.director.drawLot(entrants.map(names).join(', '))}
            </OrderButton>
          ) : (
            <Duel entrants={entrants} names={names} path={path} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Duel({ entrants, names, path }: { entrants: string[]; names: (one: string) => string; path: { tournament_id: string; stage: string } }) {
  const { texts } = useSpeech();
  const [said, say] = useState<string[]>([]);
  const order = orderOf(said, entrants);
  const asked = entrants.slice(0, Math.min(said.length + 1, entrants.length - 1));
  return (
    <Act
      title={texts.director.duel(entrants.map(names).join(', '))}
      what={`${path.tournament_id}/${path.stage}/duel/${JSON.stringify(order)}`}
      order={(to) => settleTie({ client: own.standings, path, body: { order: order ?? [] }, ...to })}
      ready={order !== undefined}
    >
      {asked.map((_, at) => {
        const left = entrants.filter((one) => !said.slice(0, at).includes(one));
        return (
          <Choose
            key={at}
            label={at ? `${texts.table.place} ${at + 1}` : texts.director.duelWinner}
            value={said[at] ?? ''}
            options={[['', ''], ...left.map((one) => [one, names(one)] as const)]}
            change={(one) => say(one ? [...said.slice(0, at), one] : said.slice(0, at))}
            required
          />
        );
      })}
    </Act>
  );
}

function useNames(tournament: string, stage: string): (entrant: string) => string {
  const { answer } = useTable(tournament, stage);
  return (entrant) => answer?.standings.find((row) => row.entrant === entrant)?.name ?? entrant;
}

/** What is seldom done. */
function Besides({ tournament, stages }: { tournament: Tournament; stages: StageList | undefined }) {
  const { texts } = useSpeech();
  const [words, say] = useState('');
  const path = { tournament_id: tournament.id };
  const can = tournament.allowed_actions;
  return (
    <div class="acts">
      {can.postNotice?.allowed && (
        <Act
          title={texts.director.tellAll}
          what={`${tournament.id}/notice/${words}`}
          order={(to) => postNotice({ client: own.registration, path, body: { words }, ...to })}
          done={() => say('')}
        >
          <Words label={texts.director.noticeWords} value={words} change={say} required />
        </Act>
      )}
      <Officials tournament={tournament.id} />
      {can.changePlan?.allowed && <Plan tournament={tournament} />}
      {can.postponeFirstRound?.allowed && <Later tournament={tournament.id} />}
      {can.releaseUnconfirmed?.allowed && tournament.waiting > 0 && (
        <Act
          title={texts.director.releaseUnconfirmed}
          what={`${tournament.id}/release/${tournament.waiting}`}
          order={(to) => releaseUnconfirmed({ client: own.registration, path, ...to })}
        />
      )}
      {tournament.status === 'running' && stages && <Shorter tournament={tournament.id} stages={stages} />}
      {can.resumePlay?.allowed && (
        <Act
          title={texts.director.resumePlay}
          what={`${tournament.id}/resume`}
          absolute
          order={(to) => resumePlay({ client: own.registration, path, ...to })}
        />
      )}
      {can.cancelTournament?.allowed && (
        <Act
          title={texts.director.cancelTournament}
          what={`${tournament.id}/cancel`}
          look={() => cancelTournament({ client: own.registration, path, query: { dry_run: true } }) as Promise<Outcome<TournamentForeseen>>}
          order={(to) => cancelTournament({ client: own.registration, path, ...to })}
        />
      )}
    </div>
  );
}

/** Name, day, time and place, as long as nothing is played. */
function Plan({ tournament }: { tournament: Tournament }) {
  const { texts } = useSpeech();
  const [typed, type] = useState<{ name?: string; day?: string; time?: string; place?: string }>({}); // the rest is as it is by now
  const { name = tournament.name, day = tournament.starts_on, time = tournament.first_round?.slice(0, 5) ?? '', place = tournament.place ?? '' } = typed;
  const [words, say] = useState('');
  const body = {
    ...(name.trim() !== tournament.name ? { name: name.trim() } : {}),
    ...(day !== tournament.starts_on ? { starts_on: day } : {}),
    ...(time && time !== tournament.first_round?.slice(0, 5) ? { first_round: time } : {}),
    ...(place.trim() !== (tournament.place ?? '') ? { place: place.trim() || null } : {}),
    reason: { code: 'director', ...(words ? { words } : {}) },
  };
  return (
    <Act
      title={texts.director.changePlan}
      what={`${tournament.id}/plan/${JSON.stringify(body)}`}
      order={(to) => changePlan({ client: own.registration, path: { tournament_id: tournament.id }, body, ...to })}
      done={() => {
        type({});
        say('');
      }}
    >
      <Words label={texts.director.tournamentName} value={name} change={(said) => type({ ...typed, name: said })} required />
      <DayAndTime day={day} setDay={(said) => type({ ...typed, day: said })} time={time} setTime={(said) => type({ ...typed, time: said })} />
      <Words label={texts.director.place} value={place} change={(said) => type({ ...typed, place: said })} />
      <Words label={texts.director.words} value={words} change={say} />
    </Act>
  );
}

function Later({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const [minutes, wait] = useState('');
  return (
    <Act
      title={texts.director.postponeFirstRound}
      what={`${tournament}/later/${minutes}`}
      order={(to) =>
        postponeFirstRound({ client: own.registration, path: { tournament_id: tournament }, body: { minutes: Number(minutes) }, ...to })
      }
    >
      <Labelled label={texts.director.byMinutes}>
        <input class="field" inputMode="numeric" pattern="[0-9]+" required value={minutes} onInput={({ currentTarget }) => wait(currentTarget.value)} />
      </Labelled>
    </Act>
  );
}

/** A stage ends after fewer rounds than it was to have; only whoever runs out of time does that. */
function Shorter({ tournament, stages: { stages } }: { tournament: string; stages: StageList }) {
  const { texts } = useSpeech();
  const [rounds, count] = useState('');
  const [reason, say] = useState('');
  const running = stages.find(({ status, of, rounds: made }) => status === 'running' && of !== null && made.length < of);
  if (!running) return null;
  return (
    <Act
      title={texts.director.shortenStage(stageName(texts, running))}
      what={`${tournament}/${running.stage}/shorten/${rounds}/${reason}`}
      order={(to) =>
        shortenStage({
          client: own.standings,
          path: { tournament_id: tournament, stage: running.stage },
          body: { rounds: Number(rounds), reason },
          ...to,
        })
      }
    >
      <Labelled label={texts.director.onlyRounds}>
        <input class="field" inputMode="numeric" pattern="[0-9]+" required value={rounds} onInput={({ currentTarget }) => count(currentTarget.value)} />
      </Labelled>
      <Words label={texts.director.rulingReason} value={reason} change={say} required />
    </Act>
  );
}
