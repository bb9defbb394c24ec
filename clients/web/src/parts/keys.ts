/** Whoever works by the keyboard, or hears the page, goes on where they were. */

import { useEffect, useRef } from 'preact/hooks';

const MOMENT = 100; // milliseconds, in which a part may say itself where keys go on
const PLACES = 'li, article, section, form, fieldset, main, [tabindex="-1"]';

/** Where what had the keys has gone, as a button that asks back, a line that was taken off, or a link to another page, they are at what it stood in. */
export function useKeysStay<Page extends HTMLElement>(): { current: Page | null } {
  const whole = useRef<Page>(null);
  useEffect(() => {
    const page = whole.current;
    if (!page) return undefined;
    let way: Element[] = []; // from what has the keys outwards
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const noted = ({ target }: Event) => {
      way = [];
      for (let one = target instanceof Element ? target : null; one && page.contains(one); one = one.parentElement) way.push(one);
    };
    const left = () => {
      way = []; // for what is pressed next, or for nothing
    };
    const look = () => {
      const place = way.find((one) => one.isConnected && one.matches(PLACES));
      if (document.activeElement !== document.body || way[0]?.isConnected || !(place instanceof HTMLElement)) return;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const watching = new MutationObserver(() => {
      clearTimeout(waiting);
      waiting = setTimeout(look, MOMENT);
    });
    page.addEventListener('focusin', noted);
    document.addEventListener('pointerdown', left);
    watching.observe(page, { childList: true, subtree: true });
    return () => {
      clearTimeout(waiting);
      watching.disconnect();
      page.removeEventListener('focusin', noted);
      document.removeEventListener('pointerdown', left);
    };
  }, []);
  return whole;
}

/** Of a row of tabs Tab reaches the one that is shown, and goes on behind them: arrows lead to the others. */
export function amongTabs(event: KeyboardEvent): void {
  const tabs = [...(event.currentTarget as Element).querySelectorAll('a')];
  const at = tabs.findIndex((one) => one === document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return; // those are of the browser
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
}

/** What stands with the links of such a row. */
export function tab(isShown: boolean) {
  return { 'aria-current': isShown ? ('page' as const) : undefined, tabIndex: isShown ? 0 : -1 };
}
