import type { Line } from '@proto/core/framing';
import type { ReplayEntry } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import type { LinkModes } from './link-driver.ts';
import type { LinkMode, ModeHost } from './link-mode.ts';
import { isNumbered } from './numbered-lines.ts';
import type { SocketLink } from './socket-link.ts';

// A server that has answered a ping has read the greeting before it, and one of the resumable mode greets back at once.
const QUIET_MS = 500;
// Where sockets cannot ping, the time on the way counts as well.
const QUIET_WITHOUT_PING_MS = 3000;
// For servers that have something to look up before they greet.
const LATE_MS = 5000;

/** What the choice is made of, and who hears of it. */
export interface UndecidedOptions extends LinkModes {
  /** Whether silence may be taken for bare lines: not where the other side is known to number its lines. */
  readonly mayPresume: boolean;
  readonly onDecided: (mode: LinkMode) => void;
}

/**
 * A link whose server chose `sjp.v1` and may not know it: the WebSocket servers of many libraries repeat the first name that is offered. The
 * first line decides: a numbered one is of the resumable mode, any other is a bare line. This side has to speak first in either mode, so:
 * - `asking`: it has greeted, in a line that is a `keep_alive` to a server of bare lines; what is sent waits
 * - `presuming`: nobody greeted back. What is sent goes as bare lines; all of it is kept, for a server that greets after all takes none of it
 * - `presumed`: the time for a late greeting is over, and what pings prove to have arrived is kept no longer
 * - decided, by the first line, however late that is
 */
export class UndecidedMode implements LinkMode {
  readonly #host: ModeHost;
  readonly #options: UndecidedOptions;
  #link!: SocketLink;
  #state: 'asking' | 'presuming' | 'presumed' = 'asking';
  #isDecided = false;
  #wasFresh = false;
  #proved = 0;
  /** Up to this number nothing was kept as the link came up. */
  #keptBehind = 0;
  #timer: unknown;

  constructor(host: ModeHost, options: UndecidedOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Whether bare lines have been sent, and no line has come. */
  get isPresuming(): boolean {
    return this.#state !== 'asking' && !this.#isDecided;
  }

  onOpen(link: SocketLink): void {
    this.#link = link;
    this.#options.resumable.onOpen(link);
    if (!this.#options.mayPresume) return;
    if (link.canProve) link.ping(0);
    else this.#presumeIn(QUIET_WITHOUT_PING_MS);
  }

  onProof(mark: number): void {
    if (this.#state === 'presumed') this.#options.bare.onProof(mark);
    else if (this.#state === 'presuming') this.#proved = mark;
    else if (this.#options.mayPresume && this.#timer === undefined) this.#presumeIn(QUIET_MS);
  }

  onLines(lines: readonly Line[]): void {
    const { resumable, bare } = this.#options;
    const [first = '', ...rest] = lines;
    this.#isDecided = true;
    const isOwn = resumable.isOwnGreeting(first);
    if (!isOwn && isNumbered(first)) {
      this.#decideResumable();
      resumable.onLines(lines);
    } else {
      this.#decideBare();
      bare.onLines(isOwn ? rest : lines);
    }
  }

  send(entry: ReplayEntry): void {
    this.#options.bare.send(entry);
  }

  onBeat(): void {
    this.#options.bare.onBeat();
  }

  look(): void {
    if (this.#state === 'presumed') this.#options.bare.look();
  }

  onEnd(): void {
    this.#host.clock.clearTimeout(this.#timer);
    this.#options.resumable.onEnd();
  }

  #presumeIn(ms: number): void {
    this.#timer = this.#host.clock.setTimeout(() => this.#presume(), ms);
  }

  #presume(): void {
    this.#timer = this.#host.clock.setTimeout(() => this.#keepNoLonger(), LATE_MS);
    this.#state = 'presuming';
    this.#wasFresh = this.#host.isFresh;
    this.#keptBehind = this.#host.replay.acknowledged;
    this.#options.resumable.onEnd();
    this.#options.bare.onOpen(this.#link);
  }

  #keepNoLonger(): void {
    this.#state = 'presumed';
    this.#link.isBare = true;
    this.#host.acknowledge(this.#proved);
  }

  #decideBare(): void {
    const { resumable, bare, onDecided } = this.#options;
    this.#host.clock.clearTimeout(this.#timer);
    this.#link.isBare = true;
    onDecided(bare);
    if (this.#state !== 'asking') return this.#host.acknowledge(this.#proved);
    resumable.onEnd();
    bare.onOpen(this.#link);
  }

  /** Tells the reader which lines are lost: a server that numbers lines takes none without a number. */
  #tellLost(): void {
    const count = this.#host.replay.acknowledged - this.#keptBehind;
    const text = `websocket: the server greeted after more than ${LATE_MS} ms, and did not take ${count} messages`;
    this.#host.control.receive([{ kind: 'malformed', error: new TransportError('lost', text), excerpt: '' }]);
  }

  #decideResumable(): void {
    const { resumable, onDecided } = this.#options;
    this.#host.clock.clearTimeout(this.#timer);
    if (this.#state !== 'asking') {
      this.#link.isBare = false;
      if (this.#host.replay.acknowledged > this.#keptBehind) this.#tellLost();
      this.#host.reopen(this.#wasFresh);
      resumable.attach(this.#link);
    }
    onDecided(resumable);
  }
}
