import {
  attemptWithin,
  backoffMs,
  connectFailureOf,
  DEFAULT_BACKOFF_CAP_MS,
  defineTransport,
  refuseCredentials,
  type RequestSecrets,
  type ResumableTransport,
  type RetainingTransport,
  retryWithin,
  type TransportControl,
  TransportError,
  withoutSecrets,
} from '@proto/core/transport';
import { meaningOf, NOT_NUMBERED } from './close-codes.ts';
import { LinkDriver, type LinkModes } from './link-driver.ts';
import { lostError, rejectedError } from './link-errors.ts';
import type { LinkMode } from './link-mode.ts';
import {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  type ReconnectingOptions,
} from './reconnecting-options.ts';
import { requestOf } from './request-of.ts';
import { RESUMABLE_PROTOCOL, type SocketLike, type SocketRequest } from './socket.ts';
import type { LinkEnd, SocketLink } from './socket-link.ts';
import { UndecidedMode } from './undecided-mode.ts';
import { openWebSocket } from './web-socket.ts';

/** A client that connects again when its link is gone, sends what the other side has not got, and drops what it has itself. */
export function createReconnectingTransport(options: ReconnectingOptions): ResumableTransport & RetainingTransport {
  const connect = (control: TransportControl) => new ReconnectingDriver(control, options);
  const transport = defineTransport('websocket', connect, { ...options, identifies: true });
  return transport as ResumableTransport & RetainingTransport;
}

// A link that lives as long has shown that it works. One that is cut at once counts as another failed attempt, or a server that
// accepts and closes would be asked without a pause.
const STABLE_MS = 10_000;

/**
 * States:
 * - `dialing`: an attempt is under way, until the other side has greeted or the time is over
 * - `up`
 * - `waiting`: for the next attempt
 * - `over`: closed by either side, refused for good, or down for too long
 */
class ReconnectingDriver extends LinkDriver {
  protected readonly retains = true;
  readonly #options: ReconnectingOptions;
  #attempt = 1;
  /** Those in a row, for the delays: not reset by a link that does not last. */
  #failures = 0;
  #downSince: number;
  #upSince = 0;
  #refused = false;
  /** Whether nothing is offered, since the server does not know the resumable mode. */
  #bare: boolean | 'maybe' = false;
  /** Whether it has ever known it. */
  #resumable = false;
  /** How the link is spoken over for as long as it has brought no line. */
  #undecided: UndecidedMode | undefined;
  #socket: SocketLike | undefined;
  /** The first frame of a link whose upgrade could not carry one. */
  #credential: string | undefined;
  /** What the last attempt was made with, which no error may quote. */
  #secrets: RequestSecrets = {};
  /** Whether the reader was told that the link is down. */
  #told = false;
  #timer: unknown;

  constructor(control: TransportControl, options: ReconnectingOptions) {
    super(control, options, options.cursor);
    this.#options = options;
    this.#downSince = this.clock.now();
    void this.#dial();
  }

  override onOpen(link: SocketLink): void {
    if (this.#credential !== undefined) link.send(this.#credential);
    super.onOpen(link);
  }

  onUp(resumed: boolean): void {
    this.clock.clearTimeout(this.#timer);
    this.#upSince = this.clock.now();
    if (this.#told || !resumed) {
      this.control.receive([{ kind: 'link', state: 'up', attempt: this.#attempt, resumed }]);
    }
    this.#told = false;
    this.#attempt = 1;
    this.control.opened();
  }

  protected override modeOf(link: SocketLink, modes: LinkModes, settle: (mode: LinkMode) => void): LinkMode {
    // What was named is insisted on.
    if (!link.isResumable || this.#options.protocols !== undefined) return super.modeOf(link, modes, settle);
    // Those who take the token from the first frame know the mode, and may take their time to check it.
    const mayPresume = !this.#resumable && this.#options.cursor === undefined && this.#credential === undefined;
    const onDecided = (mode: LinkMode) => {
      if (mode === modes.bare) this.#bare = true;
      else this.#resumable = true;
      settle(mode);
    };
    return (this.#undecided = new UndecidedMode(this, { ...modes, mayPresume, onDecided }));
  }

  protected onDown(end: LinkEnd, wasUp: boolean): void {
    this.clock.clearTimeout(this.#timer);
    // It was taken for a server of bare lines, and wants them numbered.
    if (end.code === NOT_NUMBERED && this.#undecided?.isPresuming === true) this.#resumable = true;
    this.#undecided = undefined;
    if (this.#bare === false && !wasUp && (this.#bare = this.#isUnchosen(end)) !== false) return void this.#dial();
    // It may only have been down. One that said so is not made to take a link that is given up, as long as bare lines work.
    if (!wasUp || this.#bare === 'maybe') this.#bare = false;
    const now = this.clock.now();
    if (wasUp && now - this.#upSince >= STABLE_MS) this.#recover(now);
    const { action, otherwise, hint } = meaningOf(end);
    const isForeign = end.cause !== undefined && !TransportError.is(end.cause);
    const quiet = isForeign ? { ...end, cause: withoutSecrets(end.cause, this.#secrets) } : end;
    if (wasUp && action === 'end') return this.release(undefined, end.code);
    const refusedAgain = action === 'refresh' && (this.#refused || !this.#canRenew);
    if (action === 'permanent' || (refusedAgain && (otherwise === 'permanent' || !this.everUp))) {
      return this.release(rejectedError(quiet, hint));
    }
    const cause = lostError(quiet, wasUp, hint);
    if (this.#isFirst && connectFailureOf(quiet.cause)?.isRefusal === true) return this.release(cause);
    // A new credential is worth an attempt at once.
    const renews = action === 'refresh' && !refusedAgain;
    if (renews) this.#refused = true;
    else this.#failures++;
    const delayMs = renews ? 0 : backoffMs(this.#failures, this.#options);
    const delay = retryWithin({ ...this.#budget, delayMs, retryAfterMs: end.retryAfterMs });
    if (delay === undefined) return this.release(cause);
    if (!wasUp) this.#attempt++;
    // Also of the first attempt, or nobody would know for half a minute. A credential that is renewed at once is no news.
    if (!this.#told && (wasUp || !renews)) {
      this.control.receive([{ kind: 'link', state: 'down', attempt: this.#attempt, cause }]);
      this.#told = true;
    }
    this.#after(delay, () => void this.#dial());
  }

  /** Whether this was the very first attempt, and nobody may still be about to come. */
  get #isFirst(): boolean {
    return !this.everUp && this.#attempt === 1 && this.#options.firstAttempt !== 'retry';
  }

  /** Whether another attempt may be made as somebody else. */
  get #canRenew(): boolean {
    const { url, headers, token } = this.#options;
    return [url, headers, token].some((given) => typeof given === 'function');
  }

  get #budget() {
    const { maxDownMs = DEFAULT_MAX_DOWN_MS, maxOpeningMs = DEFAULT_MAX_OPENING_MS } = this.#options;
    return { budgetMs: this.everUp ? maxDownMs : maxOpeningMs, spentMs: this.clock.now() - this.#downSince };
  }

  protected override release(error?: TransportError, status?: number): void {
    this.clock.clearTimeout(this.#timer);
    super.release(error, status);
  }

  /** Whether the attempt failed because the server chose none of what was offered, for which sockets give a link up. */
  #isUnchosen({ silent, cause }: LinkEnd): boolean | 'maybe' {
    const socket = this.#socket;
    if (socket?.protocol !== '' || silent || this.#options.protocols !== undefined) return false;
    // Browsers tell no reason; `ws` does, in words alone.
    if (socket.on === undefined) return !this.#resumable && 'maybe';
    return cause instanceof Error && cause.message.includes('no subprotocol');
  }

  #recover(now: number): void {
    this.#failures = 0;
    this.#refused = false;
    this.#downSince = now;
  }

  #after(ms: number, act: () => void): void {
    const due = this.clock.now() + ms;
    this.#timer = this.clock.setTimeout(() => {
      const now = this.clock.now();
      // The machine has slept: what failed before says nothing, and the time away was not spent trying.
      if (now - due > (this.#options.capMs ?? DEFAULT_BACKOFF_CAP_MS)) this.#recover(now);
      act();
    }, ms);
  }

  async #dial(): Promise<void> {
    const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, open = openWebSocket } = this.#options;
    let failed = false;
    this.#socket = undefined;
    const fail = (cause: unknown, silent = false) => {
      if (failed || this.over) return;
      failed = true;
      this.detach();
      this.onDown({ code: 1006, silent, cause }, false);
    };
    this.#after(attemptWithin(connectTimeoutMs, this.#budget), () => fail(undefined, true));
    let request: SocketRequest;
    let credential: string | undefined;
    try {
      const reason = this.#refused ? 'refused' : this.everUp ? 'lost' : 'first';
      const offered = this.#bare === false ? [RESUMABLE_PROTOCOL] : [];
      [request, credential] = await requestOf(this.#options, { number: this.#attempt, reason }, offered);
    } catch (error) {
      return fail(error);
    }
    if (failed || this.over) return;
    this.#credential = credential;
    const { url, headers, protocols } = request;
    this.#secrets = { url, headers, others: [credential, ...protocols] };
    try {
      refuseCredentials(url);
      this.attach((this.#socket = open(request)));
    } catch (cause) {
      // Such as a URL that is none: it will be none the next time.
      const told = withoutSecrets(cause, this.#secrets);
      const about = { cause: told, retryable: false };
      this.release(new TransportError('connect-failed', `websocket: ${told.message || 'no socket'}`, about));
    }
  }
}
