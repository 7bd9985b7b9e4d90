import type { Line } from '@proto/core/framing';
import type { ReplayEntry } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import type { LinkEnd, SocketLink } from '../socket/socket-link.ts';
import type { Carried, SocketCodec } from './codec.ts';
import { isNumbered, NOT_NUMBERED } from './numbered-lines.ts';
import type { PlainCodec } from './plain-codec.ts';
import type { ResumableCodec } from './resumable-codec.ts';

// A server that has answered a ping has read the greeting that was sent before it, and a resumable server greets back at once.
const QUIET_MS = 500;
// On sockets that cannot ping, the time includes a round trip to the server.
const QUIET_WITHOUT_PING_MS = 3000;
// Leaves time for servers that must look something up before they greet.
const LATE_MS = 5000;

export interface DetectedCodecs {
  readonly resumable: ResumableCodec;
  readonly plain: PlainCodec;
}

export interface DetectionOptions extends DetectedCodecs {
  /** Whether a silent server may be assumed to use plain lines. False if the server is known to number its lines. */
  readonly mayPresume: boolean;
  /** Called when the other side's first line, or its refusal of the upgrade, shows which codec it uses. */
  readonly onDetected: (codec: 'plain' | 'resumable') => void;
}

/**
 * The codec for a link whose server chose `sjp.v1` but may not know it, because the WebSocket servers of many libraries choose the first subprotocol
 * that is offered. The server's first line determines the codec: the resumable codec for a numbered line, the plain codec for any other line. With
 * either codec, this side must send first. The states are:
 * - `asking`: this side has sent its greeting, in a line that a server of plain lines treats as a `keep_alive`. Messages wait until the state changes
 * - `presuming`: the server did not answer with a greeting. Messages are sent as plain lines, and all messages are kept, because a server that greets
 * later accepts no plain line
 * - `presumed`: the time for a late greeting is over. Messages are no longer kept once a ping has proved their arrival
 * - decided: the first line determines the codec, even if it arrives late
 */
export class CodecDetection implements SocketCodec {
  readonly #link: SocketLink;
  readonly #connection: Carried;
  readonly #options: DetectionOptions;
  #state: 'asking' | 'presuming' | 'presumed' = 'asking';
  #decided: SocketCodec | undefined;
  /** The highest message number whose arrival a ping proved while all messages were kept. */
  #proved = 0;
  /** The highest message number that was acknowledged before the first plain line was sent. */
  #acknowledgedBefore = 0;
  #timer: unknown;

  constructor(link: SocketLink, connection: Carried, options: DetectionOptions) {
    this.#link = link;
    this.#connection = connection;
    this.#options = options;
  }

  start(): void {
    const { resumable, mayPresume } = this.#options;
    resumable.start();
    if (!mayPresume) return;
    if (this.#link.canProve) this.#link.ping(0);
    else this.#presumeIn(QUIET_WITHOUT_PING_MS);
  }

  send(entry: ReplayEntry): void {
    this.#current.send(entry);
  }

  sendEnd(): void {
    this.#current.sendEnd?.();
  }

  onLines(lines: readonly Line[]): void {
    if (this.#decided !== undefined) return this.#decided.onLines(lines);
    const { resumable, plain } = this.#options;
    const [first = '', ...rest] = lines;
    const isOwn = resumable.isOwnGreeting(first);
    if (!isOwn && isNumbered(first)) {
      this.#decideResumable();
      resumable.onLines(lines);
    } else {
      this.#decidePlain();
      plain.onLines(isOwn ? rest : lines);
    }
  }

  onBeat(): void {
    this.#current.onBeat();
  }

  onDelivered(mark: number): void {
    if (this.#decided !== undefined) this.#decided.onDelivered?.(mark);
    else if (this.#state === 'presumed') this.#options.plain.onDelivered(mark);
    else if (this.#state === 'presuming') this.#proved = mark;
    else if (this.#options.mayPresume && this.#timer === undefined) this.#presumeIn(QUIET_MS);
  }

  acknowledgeSent(): void {
    if (this.#decided !== undefined) this.#decided.acknowledgeSent?.();
    else if (this.#state === 'presumed') this.#options.plain.acknowledgeSent();
  }

  onEnd(end?: LinkEnd): void {
    this.#connection.clock.clearTimeout(this.#timer);
    this.#decided?.onEnd?.();
    // The server refused plain lines: it numbers its lines, although this side presumed that it does not.
    if (end?.code === NOT_NUMBERED && this.#decided === undefined && this.#state !== 'asking') {
      this.#options.onDetected('resumable');
    }
  }

  /** Until the codec is decided, messages are sent as plain lines. */
  get #current(): SocketCodec {
    return this.#decided ?? this.#options.plain;
  }

  #presumeIn(ms: number): void {
    this.#timer = this.#connection.clock.setTimeout(() => this.#presume(), ms);
  }

  #presume(): void {
    this.#timer = this.#connection.clock.setTimeout(() => this.#keepNoLonger(), LATE_MS);
    this.#state = 'presuming';
    this.#acknowledgedBefore = this.#connection.replay.acknowledged;
    this.#options.plain.start();
  }

  #keepNoLonger(): void {
    this.#state = 'presumed';
    this.#link.isPlain = true;
    this.#connection.onAcknowledged(this.#proved);
  }

  #decidePlain(): void {
    const { plain } = this.#options;
    this.#connection.clock.clearTimeout(this.#timer);
    this.#link.isPlain = true;
    this.#decided = plain;
    this.#options.onDetected('plain');
    if (this.#state === 'asking') plain.start();
    else this.#connection.onAcknowledged(this.#proved);
  }

  #decideResumable(): void {
    const { resumable } = this.#options;
    this.#connection.clock.clearTimeout(this.#timer);
    if (this.#state !== 'asking') {
      this.#link.isPlain = false;
      if (this.#connection.replay.acknowledged > this.#acknowledgedBefore) this.#reportLost();
      this.#connection.onNotReady();
    }
    this.#decided = resumable;
    this.#options.onDetected('resumable');
  }

  /** Messages can be lost because a server that numbers its lines ignores lines without a number. */
  #reportLost(): void {
    const count = this.#connection.replay.acknowledged - this.#acknowledgedBefore;
    const text = `websocket: the server sent its greeting after more than ${LATE_MS} ms, and did not accept ${count} messages`;
    this.#connection.onItems([{ kind: 'malformed', error: new TransportError('lost', text), excerpt: '' }]);
  }
}
