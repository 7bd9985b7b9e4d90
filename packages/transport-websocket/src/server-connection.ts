import type { Line } from '@proto/core/framing';
import { checkDurations, systemClock } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';
import { tokenOfAuthLine } from './client/auth-line.ts';
import { type AckFrame, NOT_NUMBERED, parseNumberedLine } from './codec/numbered-lines.ts';
import type { SocketLike } from './socket/socket.ts';
import { type LinkOptions, SocketLink } from './socket/socket-link.ts';

const SLOW_ABOVE_BYTES = 256 * 1024;
const DEFAULT_BEGIN_TIMEOUT_MS = 10_000;

/** A line that the client sent. */
export interface ReceivedLine {
  /** The number of the line in the client's stream. Undefined for plain lines, which have no numbers. */
  readonly id: number | undefined;
  /** The message. Undefined for a line that exceeds the limit, or does not belong to the subprotocol. */
  readonly text: string | undefined;
}

/** The greeting of a client at the beginning of its link. */
export interface ClientGreeting {
  /** The number of the last event in the log that the client has received. 0 if the client has received nothing, or if the number is unknown. */
  readonly received: number;
  /** The name of the log that `received` belongs to. Undefined if the client does not send the name. */
  readonly logName?: string | undefined;
  /** The name of the client's stream, which is the same on all links of the client. Undefined for plain lines. */
  readonly stream: string | undefined;
}

/** The callbacks of the server end of a link. */
export interface ServerConnectionEvents {
  /**
   * Checks the token of the first frame. Fulfils with undefined to accept the client, or with the close code to refuse it. Nothing is sent to the
   * client before the promise fulfils. Leave out this callback if the upgrade request contained a credential.
   */
  authenticate?: ((token: string) => Promise<number | undefined>) | undefined;
  /** Called once when the link begins, before all other callbacks. From then on you may write to the link. */
  onBegin(beginning: ClientGreeting): void;
  /** Called with the messages of each frame from the client, in order. */
  onLines(lines: readonly ReceivedLine[]): void;
  /** Called when the client has received everything that was written before `place` returned this number. */
  onDelivered(place: number): void;
  /** Returns the last place in the log that was written to this link. */
  place(): number;
  /** Called once, after all other callbacks, when the link is gone. */
  onEnd(): void;
}

/** The server end of one socket whose messages are kept in a log. Written messages have the numbers of the log. The link itself keeps no messages. */
export interface ServerConnection {
  /** Whether the client speaks `sjp.v1`, whose messages have numbers. */
  readonly isResumable: boolean;
  /** Whether the client's credential was accepted. */
  readonly isAdmitted: boolean;
  /** Whether the link is gone. */
  readonly isEnded: boolean;
  /** Sends whole lines as one frame. Returns `false` if the client is slow. In this case, wait for `drained`. */
  write(text: string): boolean;
  /** Fulfils when there is room for more data, or the link is gone. */
  drained(): Promise<void>;
  /** Call this when everything up to this number of the client's stream is stored. */
  acknowledge(id: number): void;
  /** Stops reading until `resume`. */
  pause(): void;
  /** Resumes reading after `pause`. */
  resume(): void;
  /** Closes the link with a code, and breaks it if the client does not answer within two seconds. */
  close(code: number): void;
}

const REFUSED = 4003;
const TOO_LARGE = 1009;
const FAILED = 1011;
// A client that can reconnect does so after this code. On the next link, its greeting may arrive in time.
const NO_GREETING = 1008;
const CLOSE_GRACE_MS = 2000;
// A ping is sent soon after a write and not only at the next beat: once the arrival of messages is proved, they are not sent twice.
const PROOF_MS = 1000;
const [FIRST_LOOK_MS, LAST_LOOK_MS] = [5, 100];

/** The limits of the server end of a link, and the client's greeting if it is already known. */
export interface ServerConnectionOptions extends LinkOptions {
  /**
   * The greeting that was sent in the query parameter `greeting` of the upgrade request. Default: the client sends its greeting in the first frame.
   */
  readonly greeting?: string | undefined;
}

/** Creates the server end of an accepted socket. */
export function createServerConnection(
  socket: SocketLike,
  events: ServerConnectionEvents,
  options: ServerConnectionOptions = {},
): ServerConnection {
  return new SocketServerConnection(socket, events, options);
}

/** States: `unknown` (a credential is awaited) -> `greeting` (`sjp.v1` only) -> `begun` -> `ended`. */
class SocketServerConnection implements ServerConnection {
  readonly #link: SocketLink;
  readonly #events: ServerConnectionEvents;
  readonly #clock: Clock;
  #state: 'unknown' | 'greeting' | 'begun' | 'ended';
  readonly #greeting: string | undefined;
  #waiting: Line[] = [];
  #isAsking = false;
  #acknowledged = 0;
  #isCorked = false;
  #beginTimer: unknown;
  #closeTimer: unknown;
  #proofTimer: unknown;

  constructor(socket: SocketLike, events: ServerConnectionEvents, options: ServerConnectionOptions) {
    checkDurations(options);
    const { clock = systemClock } = options;
    this.#events = events;
    this.#clock = clock;
    this.#greeting = options.greeting;
    this.#state = events.authenticate === undefined ? 'greeting' : 'unknown';
    this.#link = new SocketLink(
      socket,
      {
        onOpen: () => this.#onOpen(),
        onLines: (_, lines) => this.#onLines(lines),
        onDelivered: (place) => this.#onDelivered(place),
        onBeat: () => this.#onBeat(),
        onEnd: () => this.#onEnd(),
      },
      options,
    );
    const late = () => this.close(this.#state === 'unknown' ? REFUSED : NO_GREETING);
    this.#beginTimer = clock.setTimeout(late, DEFAULT_BEGIN_TIMEOUT_MS);
  }

  get isResumable(): boolean {
    return this.#link.isAcknowledged;
  }

  get isAdmitted(): boolean {
    return this.#state !== 'unknown';
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  write(text: string): boolean {
    this.#cork();
    this.#link.send(text);
    if (!this.isResumable) this.#proofTimer ??= this.#clock.setTimeout(() => this.#prove(), PROOF_MS);
    return this.#hasRoom();
  }

  async drained(): Promise<void> {
    // Sockets emit no event when `bufferedAmount` changes. A socket that stays full is checked less and less often.
    for (let ms = FIRST_LOOK_MS; !this.isEnded && !this.#hasRoom(); ms = Math.min(2 * ms, LAST_LOOK_MS)) {
      await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, ms));
    }
  }

  acknowledge(id: number): void {
    // Lines that arrive after this side has closed are ignored, so they must not be acknowledged.
    if (this.#closeTimer !== undefined) return;
    this.#acknowledged = Math.max(this.#acknowledged, id);
    this.#sendAck();
  }

  pause(): void {
    this.#link.pause();
  }

  resume(): void {
    this.#link.resume();
  }

  close(code: number): void {
    if (this.isEnded || this.#closeTimer !== undefined) return;
    this.#closeTimer = this.#clock.setTimeout(() => this.#link.drop(), CLOSE_GRACE_MS);
    // While reading is paused, the client's answer would not be read.
    this.resume();
    // A client that is this slow would not receive the close frame in time.
    if (this.#hasRoom()) this.#link.close(code);
    else this.#link.drop();
  }

  #onOpen(): void {
    if (this.#state !== 'greeting') return;
    if (!this.isResumable) return this.#begin({ received: 0, stream: undefined });
    // The greeting from the upgrade, for clients whose frames do not arrive. Any other text is ignored, because a greeting may still arrive in a
    // frame.
    const greeting = this.#greeting === undefined ? undefined : parseNumberedLine(this.#greeting);
    if (greeting?.kind === 'ack') this.#beginAs(greeting);
  }

  #beginAs({ ack: received, of: logName, stream }: AckFrame): void {
    this.#begin({ received, logName, stream });
  }

  #begin(beginning: ClientGreeting): void {
    this.#clock.clearTimeout(this.#beginTimer);
    this.#state = 'begun';
    this.#events.onBegin(beginning);
  }

  #onLines(lines: readonly Line[]): void {
    // Lines that arrive after this side has closed are ignored. The client sends them again on its next link.
    if (this.#closeTimer !== undefined || this.isEnded) return;
    if (this.#state !== 'unknown') return this.#take(lines);
    for (const line of lines) this.#waiting.push(line);
    if (!this.#isAsking) void this.#admit();
  }

  async #admit(): Promise<void> {
    this.#isAsking = true;
    this.pause();
    const token = tokenOfAuthLine(this.#waiting.shift());
    const code = token === undefined ? REFUSED : await this.#events.authenticate?.(token).catch(() => FAILED);
    if (this.#state !== 'unknown') return;
    if (code !== undefined) return this.close(code);
    this.#state = 'greeting';
    this.#onOpen();
    this.resume();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#take(waiting);
  }

  #take(lines: readonly Line[]): void {
    const received: ReceivedLine[] = [];
    for (const line of lines) {
      if (!this.isResumable) {
        if (typeof line !== 'string') return this.close(TOO_LARGE);
        received.push({ id: undefined, text: line });
        continue;
      }
      const numbered = parseNumberedLine(line);
      if (numbered.kind === 'ack') {
        if (this.#state === 'greeting') this.#beginAs(numbered);
        else this.#events.onDelivered(numbered.ack);
      } else if (this.#state === 'greeting') return this.close(NO_GREETING);
      else if (numbered.kind === 'message') {
        // A line without a number was sent by a client that did not wait for a slow greeting. If the line were skipped, it would be lost, but the
        // answer to a ping would still prove that it arrived. The link is therefore closed, and the client sends the message again with a number.
        if ((numbered.text ?? numbered.id) === undefined) return this.close(NOT_NUMBERED);
        received.push(numbered);
      }
    }
    if (received.length > 0) this.#events.onLines(received);
  }

  #onDelivered(place: number): void {
    if (this.#state === 'begun' && !this.isResumable) this.#events.onDelivered(place);
  }

  #onBeat(): number {
    if (this.#state !== 'begun') return 0;
    if (this.isResumable) this.#sendAck();
    return this.#events.place();
  }

  #prove(): void {
    this.#proofTimer = undefined;
    this.#link.ping(this.#events.place());
  }

  #sendAck(): void {
    this.#link.send(`{"ack":${this.#acknowledged}}\n`);
  }

  #onEnd(): void {
    this.#state = 'ended';
    for (const timer of [this.#beginTimer, this.#closeTimer, this.#proofTimer]) this.#clock.clearTimeout(timer);
    this.#events.onEnd();
  }

  /**
   * Joins the frames of one turn of the event loop into one write, if the socket supports this. A log often has many events for a reader at the same
   * time.
   */
  #cork(): void {
    const { socket } = this.#link;
    if (this.#isCorked || socket.cork === undefined) return;
    this.#isCorked = true;
    socket.cork();
    queueMicrotask(() => {
      this.#isCorked = false;
      socket.uncork?.();
    });
  }

  #hasRoom(): boolean {
    return this.#link.bufferedBytes < SLOW_ABOVE_BYTES;
  }
}
