import { useState } from 'preact/hooks';

import { addresses } from '../addresses.ts';
import { LANGUAGES } from '../texts/language.ts';
import { useSpeech, type Language } from '../texts/index.ts';
import { choose, theme, THEMES, type Theme } from './theme.ts';

export function Top({ speak }: { speak: (language: Language) => void }) {
  const { texts, language } = useSpeech();
  const [looks, setLooks] = useState(theme());
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href={addresses.tournaments}>
          <Mark />
          Roundlog
        </a>
        <div class="top-choices">
          <label class="choice icon" title={texts.shell.theme}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" stroke-width="2" />
              <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" fill="currentColor" />
            </svg>
            <span class="visually-hidden">{texts.shell.theme}</span>
            <select
              value={looks}
              onChange={({ currentTarget }) => {
                const wanted = currentTarget.value as Theme;
                choose(wanted);
                setLooks(wanted);
              }}
            >
              {THEMES.map((one) => (
                <option key={one} value={one}>
                  {texts.shell.themes[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="choice">
            <span class="visually-hidden">{texts.shell.language}</span>
            <select value={language} onChange={({ currentTarget }) => speak(currentTarget.value as Language)}>
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
    </header>
  );
}

export function Foot() {
  const { texts } = useSpeech();
  return (
    <footer class="foot">
      <div class="foot-inner">
        <span>{texts.shell.made}</span>
        <a href="/standings/docs">{texts.shell.operations}</a>
      </div>
    </footer>
  );
}

/** The mark of the product: rounds, and those who sit around them. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0a5c63" />
      <circle cx="16" cy="16" r="9.5" fill="none" stroke="#fff" stroke-width="2.5" />
      <circle cx="16" cy="6.5" r="3.5" fill="#fff" />
      <circle cx="24.2" cy="20.75" r="3.5" fill="#fff" />
      <circle cx="7.8" cy="20.75" r="3.5" fill="#f2c14e" />
    </svg>
  );
}
