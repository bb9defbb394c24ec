/** The desk: for whoever has opened a link. What they may do is what the services say of their token. */

import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { lasts } from '../../api/keeping.ts';
import { useMeAtRegistration, useMeAtResults, type MeAtResults } from '../../api/own.ts';
import { useOutbox, type Outgoing } from '../../api/sending.ts';
import { begin, forget, signIn, useSession, type Session } from '../../api/session.ts';
import { registerWorker } from '../../api/offline.ts';
import { ProblemNote, Section, useTitle } from '../../parts/basics.tsx';
import { useSpeech } from '../../texts/index.ts';
import { OwnPage } from './own.tsx';
import { ScorerPage } from './scorer.tsx';

export type OfDesk = { session: Session; me: MeAtResults; outgoing: Outgoing };

export default function DeskPage() {
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
  const { path } = useLocation();
  const { answer: me, problem } = useMeAtResults();
  const outgoing = useOutbox(session.token);
  const over = outgoing.signedOut || problem?.type.endsWith('/unauthenticated');
  const officiates = me !== undefined && me.captain === null && (me.offices.length > 0 || me.tournaments.length > 0);
  const registration = useMeAtRegistration();
  const plays = !officiates || Boolean(registration.answer?.entries.length);
  const isOwn = !officiates || path.startsWith(addresses.ownDesk);
  return (
    <>
      {over && (
        <p class="note problem" role="alert">
          {texts.desk.ended}
        </p>
      )}
      {!over && problem && !me && <ProblemNote problem={problem} />}
      {officiates && plays && (
        <nav class="tabs" aria-label={texts.desk.title}>
          <a href={addresses.desk} aria-current={isOwn ? undefined : 'page'}>
            {texts.desk.results}
          </a>
          <a href={addresses.ownDesk} aria-current={isOwn ? 'page' : undefined}>
            {texts.desk.own}
          </a>
        </nav>
      )}
      {me ? (
        isOwn ? (
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
      <Account session={session} outgoing={outgoing} />
    </>
  );
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
