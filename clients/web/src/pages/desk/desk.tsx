/** The desk: for whoever has opened a link. What they may do is what the services say of their token. */

import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { OFFLINE } from '../../api/answer_cache.ts';
import { lasts } from '../../api/device_storage.ts';
import { directed, useMeAtRegistration, useMeAtResults, type MeAtResults } from '../../api/own.ts';
import { useOutbox, type Outgoing } from '../../api/sending.ts';
import { begin, forget, signIn, useSession, type Session } from '../../api/session.ts';
import { registerWorker } from '../../api/offline.ts';
import { ProblemNote, Section, useTitle } from '../../parts/basics.tsx';
import { brought } from '../../parts/brought.ts';
import { amongTabs, tab } from '../../parts/keys.ts';
import { useSpeech, AllTexts } from '../../texts/all_texts.tsx';
import { OwnPage } from './own.tsx';
import { ScorerPage } from './scorer.tsx';

const LinksPage = lazy(() => brought(() => import('./links.tsx')));
const DirectorPage = lazy(() => brought(() => import('./director.tsx'))); // scorers and players do not wait for it

export default function DeskPage() {
  return (
    <AllTexts space="desk-space">
      <Desk />
    </AllTexts>
  );
}

function Desk() {
  const session = useSession();
  const { texts } = useSpeech();
  useEffect(() => {
    void begin();
    registerWorker();
  }, []);
  useTitle(texts.desk.title);
  if (session === undefined) {
    return (
      <>
        <h1>{texts.desk.title}</h1>
        <div class="desk-space" />
      </>
    );
  }
  return session ? <SignedIn key={session.who} session={session} /> : <SignIn />;
}

function SignedIn({ session }: { session: Session }) {
  const { texts } = useSpeech();
  const { path, query } = useLocation();
  const { answer: me, problem } = useMeAtResults();
  const sent = useOutbox(session.token);
  // A phone may be in a network that leads nowhere, and shows then what was last known.
  const outgoing = { ...sent, online: sent.online && problem?.type !== OFFLINE.type };
  const over = outgoing.signedOut || problem?.type.endsWith('/unauthenticated');
  const officiates = me !== undefined && me.captain === null && (me.offices.length > 0 || me.tournaments.length > 0);
  const registration = useMeAtRegistration(me, officiates ? (query.tournament ?? me.tournaments[0]?.tournament) : undefined);
  const plays = !officiates || Boolean(registration.answer?.entries.length);
  const handsOut = registration.answer !== undefined && directed(registration.answer).length > 0;
  const isLinks = path.startsWith(addresses.deskLinks);
  const isOwn = !isLinks && (!officiates || path.startsWith(addresses.ownDesk));
  const directs = officiates && decidesHere(me, query.tournament);
  const ofCouncil = officiates && !directs && me.offices.some(({ role }) => role === 'council');
  const isDirector = (directs || (ofCouncil && !query.tournament)) && !isOwn && !isLinks && !path.startsWith(addresses.scoring());
  return (
    <>
      {over && (
        <p class="note problem" role="alert">
          {texts.desk.ended}
        </p>
      )}
      {!over && problem && !me && <ProblemNote problem={problem} />}
      {officiates && (plays || directs || ofCouncil || handsOut) && (
        <nav class="tabs desk-tabs no-print" aria-label={texts.desk.title} onKeyDown={amongTabs}>
          {directs && (
            <a href={addresses.deskOf(query.tournament)} {...tab(isDirector)}>
              {texts.director.title}
            </a>
          )}
          {ofCouncil && (
            <a href={addresses.directingSeasons} {...tab(isDirector)}>
              {texts.director.seasons}
            </a>
          )}
          <a
            href={directs || ofCouncil ? addresses.scoring(query.tournament) : addresses.deskOf(query.tournament)}
            {...tab(!isOwn && !isDirector && !isLinks)}
          >
            {texts.desk.results}
          </a>
          {plays && (
            <a href={addresses.ownDesk} {...tab(isOwn)}>
              {texts.desk.own}
            </a>
          )}
          {handsOut && (
            <a
              href={query.tournament ? addresses.deskLinksOf(query.tournament) : addresses.deskLinks}
              {...tab(isLinks)}
            >
              {texts.links.title}
            </a>
          )}
        </nav>
      )}
      {me && isLinks ? (
        registration.answer ? (
          <ErrorBoundary>
            <LinksPage me={registration.answer} />
          </ErrorBoundary>
        ) : <div class="desk-space" aria-busy="true" />
      ) : me ? (
        isDirector ? (
          <DirectorPage session={session} underWay={me.tournaments} registration={registration} />
        ) : isOwn ? (
          <OwnPage session={session} me={me} outgoing={outgoing} registration={registration} />
        ) : (
          <ScorerPage session={session} me={me} outgoing={outgoing} />
        )
      ) : (
        <>
          <h1>{texts.desk.title}</h1>
          <div class="desk-space" aria-busy={!problem || undefined} />
        </>
      )}
      <div class="section no-print">
        <Account session={session} outgoing={outgoing} />
      </div>
    </>
  );
}

const DECIDES = ['director', 'arbiter'];

/** Whoever directs one tournament may be a scorer of another. */
function decidesHere(me: MeAtResults, tournament: string | undefined): boolean {
  const here = me.tournaments.find((one) => one.tournament === tournament);
  return (here?.roles ?? me.offices.map(({ role }) => role)).some((role) => DECIDES.includes(role));
}

function SignIn() {
  const { texts } = useSpeech();
  const [link, setLink] = useState('');
  const [wrong, setWrong] = useState(false);
  const open = () => {
    const token = /(?:^|#token=)([\w.~+/=-]{20,})$/.exec(link.trim())?.[1];
    setWrong(!token);
    if (token) void signIn(token);
  };
  return (
    <form
      class="stack desk-narrow"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <h1>{texts.desk.opening}</h1>
      <p>{texts.desk.openingHow}</p>
      <label class="labelled">
        <span>{texts.desk.link}</span>
        <input
          class="field"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={wrong}
          aria-describedby={wrong ? 'no-token' : undefined}
          value={link}
          onInput={({ currentTarget }) => setLink(currentTarget.value)}
        />
      </label>
      {wrong && (
        <p class="note problem" role="alert" id="no-token">
          {texts.desk.noToken}
        </p>
      )}
      <div>
        <button type="submit" class="button primary">
          {texts.desk.open}
        </button>
      </div>
    </form>
  );
}

/** Until when the link is good, and how to leave nothing behind. */
function Account({ session, outgoing }: { session: Session; outgoing: Outgoing }) {
  const { texts, moment } = useSpeech();
  const [asking, setAsking] = useState(false);
  const [durable, setDurable] = useState(true);
  useEffect(() => {
    void lasts().then(setDurable);
  }, []);
  const unsent = outgoing.entries.filter(({ state }) => state !== 'done').length;
  return (
    <Section title={texts.desk.device}>
      <div class="stack">
        {!durable && <p class="note problem">{texts.desk.notKept}</p>}
        {session.until && <p class="soft small">{texts.desk.signedInUntil(moment(new Date(session.until).toISOString()))}</p>}
        {asking ? (
          <div class="note problem stack" role="alert">
            <p>{texts.desk.forgetUnsent(unsent)}</p>
            <div class="row">
              <button type="button" class="button" onClick={() => void forget()}>
                {texts.desk.yes}
              </button>
              <button type="button" class="button" onClick={() => setAsking(false)}>
                {texts.desk.no}
              </button>
            </div>
          </div>
        ) : (
          <div>
            <button type="button" class="button" onClick={() => (unsent ? setAsking(true) : void forget())}>
              {texts.desk.forget}
            </button>
          </div>
        )}
      </div>
    </Section>
  );
}
