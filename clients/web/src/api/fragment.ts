/** The token of a link, out of the address before anything else runs: it stands in no history, and nobody looks over a shoulder. */

const FORM = /^#token=([\w.~+/=-]+)$/;

export function takenFromAddress(): string | undefined {
  const token = FORM.exec(location.hash)?.[1];
  if (location.hash.startsWith('#token=')) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** The one that this page was opened with. */
export const given = takenFromAddress();
