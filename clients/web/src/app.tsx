import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';

import { TournamentPage } from './pages/public/tournament.tsx';
import { Tournaments, Unknown } from './pages/public/tournaments.tsx';
import { brought } from './parts/brought.ts';
import { Foot, Top } from './parts/frame.tsx';
import { useKeysStay } from './parts/keys.ts';
import { keep } from './texts/language.ts';
import { speaking, Spoken, useSpeech, type Language, type Speech } from './texts/index.ts';

// Whoever watches does not wait for these; each has an HTML of its own, which names it and its style.
const Desk = lazy(() => brought(() => styled('desk', import('./pages/desk/desk.tsx'))));
const Federations = lazy(() => brought(() => import('./pages/public/federations.tsx')));
const Season = lazy(() => brought(() => import('./pages/public/season.tsx')));
const Hall = lazy(() => brought(() => styled('hall', import('./pages/hall/hall.tsx'))));

const IN_THE_HALL = /^\/tournaments\/[^/]+\/hall\/?$/;

export function App({ first }: { first: Speech }) {
  const [speech, setSpeech] = useState(first);
  const speak = async (language: Language) => {
    keep(language);
    setSpeech(await speaking(language));
  };
  useEffect(() => {
    document.documentElement.lang = speech.language;
  }, [speech]);
  return (
    <Spoken.Provider value={speech}>
      <LocationProvider scope={/^\/((tournaments|federations|seasons|desk)([/?]|$)|\?|$)/}>
        <Pages speak={speak} />
      </LocationProvider>
    </Spoken.Provider>
  );
}

/** The screen of a hall has the whole window; every other page has a head and a foot. */
function Pages({ speak }: { speak: (language: Language) => void }) {
  const { path } = useLocation();
  const { texts } = useSpeech();
  if (IN_THE_HALL.test(path)) {
    wasInHall = true;
    return (
      <ErrorBoundary>
        <Router>
          {[<Route key="hall" path="/tournaments/:tournament/hall" component={Hall} />]}
        </Router>
      </ErrorBoundary>
    );
  }
  return (
    <>
      <a class="visually-hidden" href="#content" onClick={toTheWork}>
        {texts.shell.skip}
      </a>
      <Top speak={speak} />
      <Whole>
        <ErrorBoundary>
          <Router onRouteChange={toTheTop}>
            <Route path="/" component={Tournaments} />
            <Route path="/tournaments" component={Tournaments} />
            <Route path="/federations/:federation?" component={Federations} />
            <Route path="/seasons/:season/:part?/:id?" component={Season} />
            <Route path="/desk/:part*" component={Desk} />
            <Route path="/tournaments/:tournament/:part*" component={TournamentPage} />
            <Route default component={Unknown} />
          </Router>
        </ErrorBoundary>
      </Whole>
      <Foot />
    </>
  );
}

/** At a desk what is worked at stands behind two rows of tabs. */
function toTheWork(event: Event): void {
  const part = document.querySelector<HTMLElement>('.desk-part');
  if (!part) return;
  event.preventDefault();
  part.focus();
}

let wasInHall = false;

function Whole({ children }: { children: ComponentChildren }) {
  const place = useKeysStay<HTMLElement>();
  useEffect(() => {
    if (wasInHall) place.current?.focus({ preventScroll: true }); // the button that has closed it is gone
    wasInHall = false;
  }, []);
  return (
    <main class="page" id="content" tabIndex={-1} ref={place}>
      {children}
    </main>
  );
}

/** A page with a style of its own, which every HTML says the address of. Where it does not come, the page can still be read. */
async function styled<Page>(name: string, page: Promise<Page>): Promise<Page> {
  const link = document.querySelector<HTMLLinkElement>(`link[data-style="${name}"][rel="style"]`);
  if (link) {
    await new Promise((settled) => {
      link.onload = link.onerror = settled;
      link.rel = 'stylesheet';
    });
  }
  return page;
}

let tournament: string | undefined;

/** Another page begins at its top; another part of the same tournament stays where its tabs are. */
function toTheTop(url: string): void {
  const now = /^\/tournaments\/([^/?]+)/.exec(url)?.[1];
  if (now !== tournament || now === undefined) scrollTo(0, 0);
  tournament = now;
}
