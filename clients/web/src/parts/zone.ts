/** A field for a time has no zone: what is typed there is meant as it is read at the tournament, wherever the device is set to. */

const MINUTE = 60_000;

/** What a clock in that zone showed then, as such a field has it. */
export function shownIn(zone: string, moment: string | number): string {
  const how = { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const parts = new Intl.DateTimeFormat('en', how).formatToParts(new Date(moment));
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${of['year']}-${of['month']}-${of['day']}T${of['hour']}:${of['minute']}`;
}

/** When a clock in that zone shows it: the first time where it does twice, and as if it had not been put forward where it never does. */
export function momentIn(zone: string, shown: string): string {
  const wanted = Date.parse(`${shown}Z`);
  const ahead = (moment: number) => Date.parse(`${shownIn(zone, moment)}Z`) - Math.floor(moment / MINUTE) * MINUTE;
  const day = 24 * 60 * MINUTE;
  const found = [wanted - ahead(wanted - day), wanted - ahead(wanted + day)].sort((one, other) => one - other);
  const meant = found.find((moment) => moment + ahead(moment) === wanted) ?? found.at(-1) ?? wanted;
  return new Date(meant).toISOString();
}
