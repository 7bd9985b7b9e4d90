import type { Line } from '@proto/core/framing';
import { KEEP_ALIVE, type ReplayEntry } from '@proto/core/internal';
import { type Cursor, type Incoming, incomingLines, incomingMessage, TransportError } from '@proto/core/transport';
import { ACK_BYTES, type LinkMode, type ModeHost } from './link-mode.ts';
import { type Hello, type MessageLine, messageLine, type NoticeLine, parseNumberedLine } from './numbered-lines.ts';
import { AcknowledgedPlace, cursorOf, placeOf } from './peer-place.ts';
import { FRAME_LINES, RESUMABLE_PROTOCOL } from './socket.ts';
import type { SocketLink } from './socket-link.ts';

// So that one acknowledgement serves many messages.
const ACK_MS = 50;

/**
 * The resumable mode, `sjp.v1`: every message has a number, is kept until the other side has it, and is sent again on the next link;
 * the other side drops what it has.
 * A link is up when the other side has greeted.
 */
export class ResumableMode implements LinkMode {
  readonly acknowledged: AcknowledgedPlace;
  readonly #host: ModeHost;
  readonly #stream = newStreamName();
  // Of the other side: its stream, and how far it has arrived.
  #peerStream: string | undefined;
  #received: number;
  #unacknowledgedBytes = 0;
  #ackTimer: unknown;
  #peerEnd: number | undefined;
  #end: number | undefined;
  #link: SocketLink | undefined;

  constructor(host: ModeHost, cursor: Cursor | undefined) {
    this.#host = host;
    this.acknowledged = new AcknowledgedPlace(cursor);
    [this.#received, this.#peerStream] = placeOf(cursor);
  }

  onOpen(link: SocketLink): void {
    this.attach(link);
    const from = this.#host.replay.acknowledged + 1;
    // JSON leaves a name out that is not known. To a server that only repeats the name of the mode, this is a sign of life.
    const greeting = { ack: this.#received, of: this.#peerStream, stream: this.#stream, from, type: KEEP_ALIVE };
    link.send(`${JSON.stringify(greeting)}\n`);
  }

  /** Whether a line is the greeting of this side: a server that sends back whatever it gets. */
  isOwnGreeting(line: Line): boolean {
    const greeting = parseNumberedLine(line);
    return greeting.kind === 'ack' && greeting.stream === this.#stream;
  }

  /** Speaks over a link on which this side has greeted. */
  attach(link: SocketLink): void {
    this.#link = link;
  }

  onEnd(): void {
    this.#link = undefined;
    this.#stopTimer();
  }

  onLines(lines: readonly Line[]): void {
    const { control, clock } = this.#host;
    let items: Incoming[] = [];
    for (const line of lines) {
      const numbered = parseNumberedLine(line);
      if (numbered.kind === 'message') {
        if (this.#isNew(numbered.id, line)) items.push(this.#itemOf(numbered, line));
        continue;
      }
      if (numbered.kind === 'notice') {
        if (this.#isNew(numbered.id, line)) items.push(this.#noticeOf(numbered));
        continue;
      }
      // What came before is handed out before.
      control.receive(items);
      items = [];
      if (numbered.kind === 'end') this.#peerEnd = numbered.end;
      else this.#onAck(numbered);
    }
    control.receive(items);
    if (this.#link === undefined) return;
    if (this.#peerEnd !== undefined && this.#received >= this.#peerEnd) control.ended();
    if (this.#unacknowledgedBytes > ACK_BYTES) this.onBeat();
    else if (this.#unacknowledgedBytes > 0) this.#ackTimer ??= clock.setTimeout(() => this.onBeat(), ACK_MS);
  }

  send({ first, batch }: ReplayEntry): void {
    let id = first;
    let text = '';
    for (const message of batch.messages()) {
      text += messageLine(id++, message.text);
      if ((id - first) % FRAME_LINES !== 0) continue;
      this.#link?.send(text);
      text = '';
    }
    if (text !== '') this.#link?.send(text);
  }

  /** Acknowledges what has come. */
  onBeat(): void {
    this.#stopTimer();
    this.#unacknowledgedBytes = 0;
    this.#link?.send(`{"ack":${this.#received}}\n`);
  }

  /** Tells the other side, now or on the next link, that nothing follows what was sent so far. */
  end(): void {
    this.#end = this.#host.replay.last;
    this.#tellEnd();
  }

  #tellEnd(): void {
    if (this.#end !== undefined && this.#host.isUp) this.#link?.send(`{"end":${this.#end}}\n`);
  }

  #stopTimer(): void {
    this.#host.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
  }

  /** Whether it has not come before. What is lost here has arrived all the same: sent again it would be lost again. */
  #isNew(id: number | undefined, line: Line): boolean {
    if (id !== undefined) {
      if (id <= this.#received) return false;
      this.#received = id;
      this.#unacknowledgedBytes += typeof line === 'string' ? line.length : line.head.length;
    }
    return true;
  }

  #itemOf({ id, source, text }: MessageLine, line: Line): Incoming {
    if (typeof line !== 'string') return incomingLines([line])[0] as Incoming;
    if (text === undefined) {
      const error = new TransportError('malformed', `websocket: not a line of ${RESUMABLE_PROTOCOL}`);
      return { kind: 'malformed', error, excerpt: line.slice(0, 256) };
    }
    return incomingMessage(text, { ...this.#placeOf(id), ...(source !== undefined && { source }) });
  }

  #noticeOf({ id, event, data }: NoticeLine): Incoming {
    return { kind: 'notice', event, data, ...this.#placeOf(id) };
  }

  #placeOf(id: number | undefined): { readonly cursor?: Cursor } {
    return id === undefined ? {} : { cursor: cursorOf(id, this.#peerStream) };
  }

  #onAck({ ack, of, stream, from, gap }: Hello): void {
    if (this.#host.isUp) {
      // What a log has dropped before this side was told of it.
      if (gap && from > this.#received) return this.#host.onUp(false);
      return this.#host.acknowledge(ack);
    }
    const sameStream = stream === this.#peerStream || this.#host.isFresh;
    const resumed = sameStream && from <= this.#received + 1 && !gap;
    if (!sameStream) {
      this.#received = 0;
      this.#peerEnd = undefined;
    } else if (gap && from <= this.#received) {
      // A log that has lost events numbers new ones as those.
      this.#received = Math.max(0, from - 1);
      this.acknowledged.rewind(this.#received);
    }
    this.#peerStream = stream;
    // How far another stream had come says nothing about this one.
    if (of === this.#stream) this.#host.acknowledge(ack);
    this.#host.opened(resumed);
    this.#tellEnd();
  }
}

/** Two that were made at different times never have the same, so that a new process is not taken for the old one. */
function newStreamName(): string {
  // `randomUUID` is missing in pages that came without TLS.
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
