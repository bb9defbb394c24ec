/** The start of the pages: how they look, what they speak, and then the page of this address. */

import './api/fragment.ts';

import './design/tokens.css';
import './design/base.css';
import './design/parts.css';
import './design/print.css';

import { render } from 'preact';

import { askTournamentAhead } from './api/public.ts';
import { App } from './app.tsx';
import { showTheme } from './parts/theme.ts';
import { chosen } from './texts/language.ts';
import { speaking } from './texts/index.ts';

const SOON = 100; // milliseconds for which each step of the first view waits for what is about to come

showTheme();
const [, kind, tournament] = location.pathname.split('/');
const ahead = kind === 'tournaments' && tournament ? askTournamentAhead(tournament) : undefined;
const [speech] = await Promise.all([speaking(chosen()), Promise.race([ahead, new Promise((passed) => setTimeout(passed, SOON))])]);
const place = document.getElementById('app');
if (place) {
  const drawn = document.createElement('div');
  drawn.id = place.id;
  render(<App first={speech} />, drawn);
  showWhenWhole(drawn, place);
}

/** Or after a moment. Until then there is the frame that the HTML has brought: to lay out and paint a page without its answers takes a slow phone a tenth of a second. */
function showWhenWhole(drawn: HTMLElement, place: HTMLElement): void {
  const show = () => {
    watching.disconnect();
    clearTimeout(waiting);
    place.replaceWith(drawn);
  };
  const look = () => drawn.querySelector('[aria-busy]') ?? show();
  const watching = new MutationObserver(look);
  watching.observe(drawn, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
  const waiting = setTimeout(show, SOON);
  look();
}
