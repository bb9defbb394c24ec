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
