/**
 * What somebody has entered and the service has not acknowledged yet. Each entry has the key of its request from the moment at
 * which it was entered, so that it happens once however often it has to be sent. Knows neither browser nor network: it is told
 * where entries are kept, how one is sent, and how to be the only one who sends.
 */

import type { Problem } from 'roundlog/results/types.gen.ts';

export type Entry<Order = unknown> = {
  /** Of the request: `Idempotency-Key`. */
  key: string;
  at: number;
  /** Who has entered it: nobody else sends it. */
  who: string;
  /** What it is about: of one game, what was entered first is sent first. */
  about: string;
  order: Order;
  state: 'waiting' | 'refused' | 'done';
  /** How often it was begun to be sent; none: no service can know of it. */
  tries: number;
  /** Until this moment it can be taken back, and is not sent. */
  heldUntil?: number;
  /** Of what was refused: why. */
  problem?: Problem;
  answeredAt?: number;
};

export type Sent =
  | { kind: 'done' }
  | { kind: 'refused'; problem: Problem }
  /** Nothing is known to have happened: the network is away, or it was reached and the service could not. */
  | { kind: 'later'; reached: boolean; after?: number }
  /** The token is good no more: it waits for another one. */
  | { kind: 'signed-out' };

export type Drawer<Order> = {
  all: () => Promise<Entry<Order>[]>;
  /** In one step, whoever else writes there. */
  change: (change: (before: Entry<Order>[]) => Entry<Order>[]) => Promise<Entry<Order>[]>;
};

export type Surroundings<Order> = {
  drawer: Drawer<Order>;
  send: (entry: Entry<Order>) => Promise<Sent>;
  /** Runs it while no other tab does. */
  alone: (task: () => Promise<void>) => Promise<void>;
  now: () => number;
  /** False where it is certain that nothing can be sent. */
  online: () => boolean;
  /** Calls back after so many milliseconds, instead of what was asked for before. */
  wake: (after: number | undefined) => void;
  newKey: () => string;
  /** Whose token is here; undefined: nobody's. */
  who: () => string | undefined;
};

const DAY = 24 * 3_600_000;
/** Services know a key for seven days: what is older might happen twice. */
const LONGEST = 6.5 * DAY;
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const REMEMBERED = 200;

export const TOO_OLD: Problem = {
  type: '/problems/too-old',
  title: 'Too old',
  status: 0,
  detail: 'This was entered days ago and never sent: look whether it still holds, and enter it again.',
};

export class Outbox<Order extends { act: string }> {
  readonly #of: Surroundings<Order>;
  #failed = 0;
  #signedOut = false;

  constructor(of: Surroundings<Order>) {
    this.#of = of;
  }

  /** Whether the services have said that the token is good no more. */
  get signedOut(): boolean {
    return this.#signedOut;
  }

  /**
   * Once this has come to its end, it outlives the page; it is not sent before it was held for so many milliseconds. What nobody can
   * have heard of yet is replaced by what is entered for the same game after it, and so is what was refused.
   */
  async keep(said: { key: string; who: string; about: string; order: Order }, hold = 0): Promise<void> {
    const at = this.#of.now();
    const entry: Entry<Order> = { ...said, at, state: 'waiting', tries: 0, ...(hold ? { heldUntil: at + hold } : {}) };
    await this.#of.drawer.change((before) => {
      const left = before.filter((one) => !isReplaced(one, entry));
      const over = left.filter(({ state }) => state === 'done').slice(0, -REMEMBERED);
      return [...left.filter((one) => !over.includes(one)), entry];
    });
  }

  /**
   * What was refused is tried again as it is, such as after an official has made room for it. It is a request of its own then: to the old
   * key of what is too old a service would say what it has answered days ago, and do nothing.
   */
  async again(key: string): Promise<void> {
    const another = this.#of.newKey();
    await this.#of.drawer.change((before) =>
      before.map((one) => {
        if (one.key !== key || one.state !== 'refused') return one;
        const { problem: _, answeredAt: __, heldUntil: ___, ...rest } = one;
        return { ...rest, key: another, at: this.#of.now(), state: 'waiting', tries: 0 };
      }),
    );
    await this.flush();
  }

  /** Says whether it is gone: what may have arrived stays. */
  async drop(key: string): Promise<boolean> {
    const left = await this.#of.drawer.change((before) => before.filter((one) => one.key !== key || isOnItsWay(one)));
    return !left.some((one) => one.key === key);
  }

  /** Nobody is there any more to take something back: what is held is sent. */
  async release(): Promise<void> {
    await this.#of.drawer.change((before) => before.map(({ heldUntil: _, ...one }) => one));
    await this.flush();
  }

  /** Somebody has signed in, or the network is back. */
  async resume(): Promise<void> {
    this.#failed = 0;
    this.#signedOut = false;
    await this.flush();
  }

  /** Sends what waits, the earliest first, until there is nothing left or the network is away. */
  async flush(): Promise<void> {
    await this.#of.alone(async () => {
      const held = new Map<string, number>(); // what has to wait, since something before it does, and how long still
      try {
        while (!this.#signedOut && this.#of.online()) {
          const next = await this.#claimed(held);
          if (!next) break;
          const sent = await this.#of.send(next);
          await this.#settle(next, sent);
          if (sent.kind === 'signed-out') this.#signedOut = true;
          if (sent.kind === 'later') {
            const pause = PAUSES[Math.min(this.#failed, PAUSES.length - 1)] ?? 0;
            this.#failed += 1;
            held.set(next.about, Math.max(pause, sent.after ?? 0));
            if (!sent.reached) break;
          } else this.#failed = 0;
        }
      } catch (failed) {
        this.#of.wake(PAUSES.at(-1)); // the drawer gives nothing, for a while: what waits there does not wait for somebody to look
        throw failed;
      }
      if (held.size) this.#of.wake(Math.min(...held.values()));
    });
  }

  /** Before it is sent it is marked, so that whatever happens then nobody takes it for unsent. */
  async #claimed(held: Map<string, number>): Promise<Entry<Order> | undefined> {
    let found: Entry<Order> | undefined;
    await this.#of.drawer.change((before) => {
      const [who, now] = [this.#of.who(), this.#of.now()];
      for (const one of before) {
        if (isHeld(one, now)) held.set(one.about, Math.max(held.get(one.about) ?? 0, (one.heldUntil ?? now) - now));
      }
      const next = before.find((one) => one.state === 'waiting' && one.who === who && !held.has(one.about));
      if (!next) return before;
      const old = now - next.at > LONGEST;
      found = old ? next : { ...next, tries: next.tries + 1 };
      return before.map((one) => (one === next ? (found ?? one) : one));
    });
    if (found && this.#of.now() - found.at > LONGEST) {
      await this.#settle(found, { kind: 'refused', problem: TOO_OLD });
      return this.#claimed(held);
    }
    return found;
  }

  async #settle(entry: Entry<Order>, sent: Sent): Promise<void> {
    if (sent.kind !== 'done' && sent.kind !== 'refused') return;
    await this.#of.drawer.change((before) =>
      before.map((one) => {
        if (one.key !== entry.key) return one;
        const answered = { ...one, answeredAt: this.#of.now() };
        return sent.kind === 'done'
          ? { ...answered, state: 'done' as const }
          : { ...answered, state: 'refused' as const, problem: sent.problem };
      }),
    );
  }
}

function isReplaced(one: Entry<{ act: string }>, entry: Entry<{ act: string }>): boolean {
  if (one.about !== entry.about || one.who !== entry.who) return false;
  if (one.state === 'refused') return true;
  return one.state === 'waiting' && !one.tries && one.order.act === entry.order.act;
}

/** Whether it can be taken back still. Where the clock of the device was set back meanwhile, it is held no longer. */
export function isHeld({ state, tries, at, heldUntil }: Entry, now: number): boolean {
  return state === 'waiting' && !tries && heldUntil !== undefined && at <= now && now < heldUntil;
}

/** What a page that is left can still send: what it holds, unless something of the same game has to go first. */
export function lastWords<Order>(entries: Entry<Order>[], who: string | undefined, now: number): Entry<Order>[] {
  const first = (one: Entry<Order>) => entries.find(({ state, about }) => state === 'waiting' && about === one.about);
  return entries.filter((one) => one.who === who && isHeld(one, now) && first(one) === one);
}

/** What was sent by a page that did not live to note it can be taken back no more, and is sent again by its key. */
export function asSent<Order>(entries: Entry<Order>[], keys: string[]): Entry<Order>[] {
  return entries.map((one) => (keys.includes(one.key) && one.state === 'waiting' && !one.tries ? { ...one, tries: 1 } : one));
}

/** Whether a service may know of it already. */
export function isOnItsWay(one: Entry): boolean {
  return one.state === 'waiting' && one.tries > 0;
}

const PASSING = [401, 408, 425, 429];

/** What an answer means for the entry. Whatever does not speak like the service, such as the page of a hotel's network, is none. */
export function meaning(
  outcome: { data?: unknown; error?: unknown; response?: Response | undefined },
  isAnswer: (data: unknown) => boolean,
): Sent {
  const { data, error, response } = outcome;
  if (response?.ok && isAnswer(data)) return { kind: 'done' };
  if (response?.status === 401 && isProblem(error)) return { kind: 'signed-out' };
  if (response && isProblem(error) && response.status >= 400 && response.status < 500 && !PASSING.includes(response.status)) {
    return { kind: 'refused', problem: error };
  }
  const after = Number(response?.headers.get('Retry-After')) * 1000;
  return { kind: 'later', reached: response !== undefined, ...(after ? { after } : {}) };
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'type' in error && 'detail' in error;
}
