/** The time by the clock of the services: that of a device may be hours wrong, and a whole hall reads on its screen when clocks run down. */

const NOTICED = 30_000; // milliseconds: less may be the way of an answer, whose time is said in whole seconds
let ahead = 0;

/** Each answer says when it was given; none that was kept by the browser comes without asking the service. */
export function heardAt({ headers }: Response): void {
  const said = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(said)) return;
  const difference = said - Date.now();
  ahead = Math.abs(difference) < NOTICED ? 0 : difference;
}

export function now(): number {
  return Date.now() + ahead;
}
