/** The start of the pages: how they look, what they speak, and then the page of this address. */

import './api/fragment.ts';

import './design/tokens.css';
import './design/base.css';
import './design/parts.css';
import './design/print.css';

import { render } from 'preact';

import { App } from './app.tsx';
import { showTheme } from './parts/theme.ts';
import { chosen } from './texts/language.ts';
import { speaking } from './texts/index.ts';

showTheme();
const speech = await speaking(chosen());
const place = document.getElementById('app');
if (place) {
  place.textContent = ''; // the frame that the HTML has brought is drawn again by the page itself
  render(<App first={speech} />, place);
}
