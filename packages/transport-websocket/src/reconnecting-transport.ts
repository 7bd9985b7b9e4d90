import {
  connectFailureOf,
  refuseCredentials,
  type RequestSecrets,
  type RetainingTransport,
  RetryLoop,
  systemClock,
  withoutSecrets,
} from '@proto/core/internal';
import { defineTransport, type ResumableTransport, type TransportControl, TransportError } from '@proto/core/transport';
import { LinkDriver, type LinkModes } from './link-driver.ts';
import { lostError, rejectedError } from './link-errors.ts';
import type { LinkMode } from './link-mode.ts';
import type { ReconnectingOptions } from './reconnecting-options.ts';
import { requestOf } from './request-of.ts';
import { meaningOf, NOT_NUMBERED } from './retry-policy.ts';
import { RESUMABLE_PROTOCOL, type SocketLike, type SocketRequest } from './socket.ts';
import type { LinkEnd, SocketLink } from './socket-link.ts';
import { UndecidedMode } from './undecided-mode.ts';
import { openWebSocket } from './web-socket.ts';

/** Creates a client that reconnects: it sends again what the other side has not got, and drops what it has received before. */
export function createReconnectingTransport(options: ReconnectingOptions): ResumableTransport & RetainingTransport {
  const connect = (control: TransportControl) => new ReconnectingDriver(control, options);
  const transport = defineTransport('websocket', connect, { ...options, identifies: true });
  return transport as ResumableTransport & RetainingTransport;
}

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
  readonly #loop: RetryLoop;
  /** Whether no subprotocol is offered, because the server does not know the resumable mode. */
  #bare: boolean | 'maybe' = false;
  /** Whether the server has ever spoken the resumable mode. */
  #resumable = false;
  /** How the link is spoken over until it has brought a line. */
  #undecided: UndecidedMode | undefined;
  #socket: SocketLike | undefined;
  /** The first frame of a link whose upgrade could not carry the credential. */
  #credential: string | undefined;
  /** What the last attempt was made with, which no error may quote. */
  #secrets: RequestSecrets = {};
  /** Whether the reader was told that the link is down. */
  #told = false;
  #timer: unknown;

  constructor(control: TransportControl, options: ReconnectingOptions) {
    const { url, headers, credential, clock = systemClock } = options;
    const canRenew = [url, headers, credential].some((given) => typeof given === 'function');
    const loop = new RetryLoop({ ...options, clock, canRenew });
    super(tellingProgress(control, loop), options, options.cursor);
    this.#options = options;
    this.#loop = loop;
    void this.#dial();
  }

  override acknowledge(sequence: number): void {
    const before = this.replay.acknowledged;
    super.acknowledge(sequence);
    if (this.replay.acknowledged > before) this.#loop.onProgress();
  }

  override onOpen(link: SocketLink): void {
    if (this.#credential !== undefined) link.send(this.#credential);
    super.onOpen(link);
  }

  onUp(resumed: boolean): void {
    this.clock.clearTimeout(this.#timer);
    const { attempt } = this.#loop;
    this.#loop.onUp();
    if (this.#told || !resumed) this.control.receive([{ kind: 'link', state: 'up', attempt, resumed }]);
    this.#told = false;
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
    // The server numbers its lines, though this side took it for one that does not.
    if (end.code === NOT_NUMBERED && this.#undecided?.isPresuming === true) this.#resumable = true;
    this.#undecided = undefined;
    if (this.#bare === false && !wasUp && (this.#bare = this.#isUnchosen(end)) !== false) return void this.#dial();
    // It may only have been down. One that said so is not made to take a link that is given up, as long as bare lines work.
    if (!wasUp || this.#bare === 'maybe') this.#bare = false;
    const meaning = meaningOf(end);
    if (wasUp && meaning.action === 'end') return this.release(undefined, end.code);
    const isForeign = end.cause !== undefined && !TransportError.is(end.cause);
    const quiet = isForeign ? { ...end, cause: withoutSecrets(end.cause, this.#secrets) } : end;
    const verdict = this.#loop.onFailure({
      ...meaning,
      isAnswer: end.status !== undefined,
      isRefusal: connectFailureOf(quiet.cause)?.isRefusal === true,
      retryAfterMs: end.retryAfterMs,
    });
    if (verdict.kind === 'permanent') return this.release(rejectedError(quiet, meaning.hint));
    const cause = lostError(quiet, wasUp, meaning.hint);
    if (verdict.kind !== 'again') return this.release(cause);
    // Also of the first attempt, or nobody would know for half a minute. A credential that is renewed at once is no news.
    if (!this.#told && (wasUp || !verdict.renews)) {
      this.control.receive([{ kind: 'link', state: 'down', attempt: this.#loop.attempt, cause }]);
      this.#told = true;
    }
    this.#after(verdict.delayMs, () => void this.#dial());
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

  #after(ms: number, act: () => void): void {
    const dueAt = this.clock.now() + ms;
    this.#timer = this.clock.setTimeout(() => {
      this.#loop.onTimer(dueAt);
      act();
    }, ms);
  }

  async #dial(): Promise<void> {
    const { open = openWebSocket } = this.#options;
    let failed = false;
    this.#socket = undefined;
    const fail = (cause: unknown, silent = false) => {
      if (failed || this.over) return;
      failed = true;
      this.detach();
      this.onDown({ code: 1006, silent, cause }, false);
    };
    this.#after(this.#loop.attemptMs(), () => fail(undefined, true));
    let request: SocketRequest;
    let credential: string | undefined;
    try {
      const offered = this.#bare === false ? [RESUMABLE_PROTOCOL] : [];
      [request, credential] = await requestOf(this.#options, this.#loop.reason, offered);
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

/** The control, which also tells the loop of each message that comes. */
function tellingProgress(control: TransportControl, loop: RetryLoop): TransportControl {
  return {
    opened: () => control.opened(),
    receive(items) {
      if (items.some(({ kind }) => kind === 'message')) loop.onProgress();
      control.receive(items);
    },
    ended: () => control.ended(),
    closed: (...how) => control.closed(...how),
  };
}
