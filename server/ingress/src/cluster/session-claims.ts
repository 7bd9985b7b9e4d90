import { systemClock } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';
import { forEachInSteps } from '../event-loop.ts';
import { every } from '../every.ts';
import type { EventLog } from '../log/event-log.ts';
import { clusterDefaults, type ClusterOptions, nodeName } from './cluster-options.ts';
import { notOurs, type Tenure } from './fenced-log.ts';
import { type HeldElsewhere, Owners } from './owners.ts';

export interface SessionClaimsOptions extends ClusterOptions {
  readonly log: EventLog;
  /** Called at the end of each tenure, whatever the reason. The session must leave memory before the call returns. */
  readonly onEnd: (session: string) => void;
  readonly onError: (error: unknown) => void;
  /** The clock for the renewals and the time of day. Default: the clock of this machine. */
  readonly clock?: Clock | undefined;
}

const [RENEWALS_PER_CLAIM, LOOKS_PER_CLAIM] = [3, 20];

/**
 * The sessions that this node has claimed. A tenure lasts until the claim is lost, given up, or not renewed in time by the clocks of this node. The
 * time of a tenure starts before the claim is sent, so a tenure never outlasts the claim in the store.
 */
export class SessionClaims {
  readonly name: string;
  readonly #options: SessionClaimsOptions;
  readonly #ttlMs: number;
  readonly #time: ElapsedTime;
  readonly #owners: Owners;
  readonly #held = new Map<string, OwnTenure>();
  readonly #claiming = new Map<string, Promise<Tenure | HeldElsewhere>>();
  /**
   * Tenures that are over, but whose claim has not yet been given up in the store. A new claim under the same name would only renew the old one, and
   * a write still in progress would then fall into the next tenure.
   */
  readonly #leftovers = new Map<string, number>();
  readonly #stops: readonly (() => void)[];
  /** The time before which no tenure ends by either clock. Until then, the frequent checks of the clock need not go through all tenures. */
  #earliestEnd = NEVER;
  #isClosed = false;

  constructor(options: SessionClaimsOptions) {
    const { monotonic = () => performance.now(), clock, ttlMs = clusterDefaults.ttlMs } = options;
    this.#options = options;
    this.#ttlMs = ttlMs;
    this.#time = new ElapsedTime(monotonic, () => (clock ?? systemClock).now());
    this.#owners = new Owners(monotonic);
    this.name = nodeName(options);
    this.#stops = [
      every(
        ttlMs / RENEWALS_PER_CLAIM,
        () => this.#eachHeld((session, held) => void this.#renew(session, held)),
        clock,
      ),
      every(ttlMs / LOOKS_PER_CLAIM, () => this.#look(), clock),
    ];
  }

  /** Whether this node owns the session now. */
  has(session: string): boolean {
    return this.tenureOf(session) !== undefined;
  }

  /** The tenure over a session that this node owns; undefined for any other session. */
  tenureOf(session: string): Tenure | undefined {
    const held = this.#held.get(session);
    if (held === undefined || !this.#time.isAfter(held.goodUntil)) return held;
    // After a process was suspended, its first requests may run before its timers.
    held.end();
    return undefined;
  }

  /** Claims a session, unless this node already owns it. Returns the tenure, or the node that owns the session. Rejects as `EventLog` does. */
  async take(session: string): Promise<Tenure | HeldElsewhere> {
    const known = this.tenureOf(session) ?? this.#owners.of(session);
    if (known !== undefined) return known;
    if (this.#isClosed) throw notOurs();
    const claiming = this.#claiming.get(session) ?? this.#claim(session).finally(() => this.#claiming.delete(session));
    this.#claiming.set(session, claiming);
    return claiming;
  }

  /** Forgets which node owns a session, because that node could not be reached or has refused a request. */
  doubt(session: string): void {
    this.#owners.forget(session);
  }

  /** Gives up a session, so that another node does not have to wait for the claim to expire. */
  letGo(session: string): void {
    this.#held.get(session)?.end();
  }

  /** Gives up the sessions that were claimed before the previous call and are not in memory. Other work can run in between. */
  async tidy(isLoaded: (session: string) => boolean): Promise<void> {
    await forEachInSteps(this.#held, ([session, held]) => {
      if (isLoaded(session)) return;
      if (held.isOld) held.end();
      held.isOld = true;
    });
    await forEachInSteps(this.#leftovers.keys(), (session) => void this.#giveUp(session).catch(() => {}));
  }

  /** Gives up all sessions, and makes no more claims. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await Promise.allSettled(this.#claiming.values());
    for (const held of this.#held.values()) held.end();
    await Promise.allSettled(Array.from(this.#leftovers.keys(), (session) => this.#giveUp(session)));
  }

  async #claim(session: string): Promise<Tenure | HeldElsewhere> {
    await this.#giveUp(session);
    const [asked, goodUntil] = [this.#time.now(), this.#time.in(this.#ttlMs)];
    const claimed = await this.#options.log.claim(session, this.name, this.#ttlMs);
    if (claimed.epoch === undefined) {
      this.#owners.learn(session, claimed, asked);
      return claimed;
    }
    const tenure = new OwnTenure(claimed.epoch, goodUntil, () => {
      this.#held.delete(session);
      this.#leftovers.set(session, tenure.epoch);
      this.#options.onEnd(session);
      this.#giveUp(session).catch(() => {});
    });
    this.#held.set(session, tenure);
    this.#noteEnd(goodUntil);
    return tenure;
  }

  /**
   * Calls `work` for each session, in steps. All calls of a step are made in the same turn of the event loop, so that a store can send the renewals
   * of the step together.
   */
  #eachHeld(work: (session: string, held: OwnTenure) => void): void {
    forEachInSteps(this.#held, ([session, held]) => work(session, held)).catch(this.#options.onError);
  }

  async #renew(session: string, held: OwnTenure): Promise<void> {
    // `has` also ends a tenure that has expired. Otherwise a renewal would revive this tenure before the clock check reaches it.
    if (held.isRenewing || !this.has(session)) return;
    held.isRenewing = true;
    const goodUntil = this.#time.in(this.#ttlMs);
    try {
      const { epoch } = await this.#options.log.claim(session, this.name, this.#ttlMs);
      if (epoch === held.epoch) {
        held.goodUntil = goodUntil;
        // If the clock was set back, the tenure now ends at an earlier wall-clock time than before.
        this.#noteEnd(goodUntil);
      } else held.end();
    } catch (error) {
      // More attempts follow before the claim expires.
      this.#options.onError(error);
    } finally {
      held.isRenewing = false;
    }
  }

  /**
   * Ends the tenures that were not renewed in time. `#earliestEnd` does not follow renewals, so this method goes through all tenures about once per
   * claim lifetime.
   */
  #look(): void {
    if (!this.#time.isAfter(this.#earliestEnd)) return;
    this.#earliestEnd = NEVER;
    this.#eachHeld((session, { goodUntil }) => {
      if (this.has(session)) this.#noteEnd(goodUntil);
    });
  }

  #noteEnd({ monotonic, wall }: Moment): void {
    const earliest = this.#earliestEnd;
    this.#earliestEnd = {
      monotonic: Math.min(monotonic, earliest.monotonic),
      wall: Math.min(wall, earliest.wall),
    };
  }

  /** Gives up the claim of an earlier tenure in the store. */
  async #giveUp(session: string): Promise<void> {
    const epoch = this.#leftovers.get(session);
    if (epoch === undefined) return;
    await this.#options.log.release(session, epoch);
    if (this.#leftovers.get(session) === epoch) this.#leftovers.delete(session);
  }
}

class OwnTenure implements Tenure {
  readonly epoch: number;
  goodUntil: Moment;
  isOver = false;
  isRenewing = false;
  /** Whether the session was not in memory at the last `tidy`. */
  isOld = false;
  readonly #onEnd: () => void;

  constructor(epoch: number, goodUntil: Moment, onEnd: () => void) {
    this.epoch = epoch;
    this.goodUntil = goodUntil;
    this.#onEnd = onEnd;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#onEnd();
  }
}

interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const NEVER: Moment = { monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };

/**
 * Measures time with two clocks and uses the later time: the monotonic clock may stand still while the machine sleeps, and the clock with the time of
 * day may be set back.
 */
class ElapsedTime {
  readonly now: () => number;
  readonly #wall: () => number;

  constructor(now: () => number, wall: () => number) {
    this.now = now;
    this.#wall = wall;
  }

  in(ms: number): Moment {
    return { monotonic: this.now() + ms, wall: this.#wall() + ms };
  }

  isAfter({ monotonic, wall }: Moment): boolean {
    return this.now() >= monotonic || this.#wall() >= wall;
  }
}
