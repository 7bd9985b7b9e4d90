import { cutText, type Line } from '@proto/core/framing';
import type { ReplayEntry } from '@proto/core/network';
import { type Incoming, incomingLines, incomingMessage, TransportError } from '@proto/core/transport';
import { FRAME_LINES, RESUMABLE_PROTOCOL } from '../socket/socket.ts';
import type { SocketLink } from '../socket/socket-link.ts';
import { ACK_BYTES, type Carried, type SocketCodec } from './codec.ts';
import {
  type AckFrame,
  greetingLine,
  type MessageLine,
  messageLine,
  type NoticeLine,
  parseNumberedLine,
} from './numbered-lines.ts';

const ACK_INTERVAL_MS = 50;

/**
 * A codec for the subprotocol `sjp.v1`. Every message has a number, is kept until the other side has received it, and is sent again on the next link
 * if necessary. The other side drops repeated messages. Messages can be sent as soon as the other side's greeting has arrived.
 */
export class ResumableCodec implements SocketCodec {
  readonly #link: SocketLink;
  readonly #connection: Carried;
  readonly #isFresh: boolean;
  #isGreeted = false;
  #isEnded = false;
  #unacknowledgedBytes = 0;
  #ackTimer: unknown;

  constructor(link: SocketLink, connection: Carried, isFresh: boolean) {
    this.#link = link;
    this.#connection = connection;
    this.#isFresh = isFresh;
  }

  start(): void {
    this.#link.send(`${greetingLine(this.#connection.greeting)}\n`);
  }

  /** Some servers echo whatever they receive. */
  isOwnGreeting(line: Line): boolean {
    const greeting = parseNumberedLine(line);
    return greeting.kind === 'ack' && greeting.stream === this.#streams.ownName;
  }

  send({ first, batch }: ReplayEntry): void {
    let id = first;
    let text = '';
    for (const message of batch.messages()) {
      text += messageLine(id++, message.text);
      if ((id - first) % FRAME_LINES !== 0) continue;
      this.#link.send(text);
      text = '';
    }
    if (text !== '') this.#link.send(text);
  }

  sendEnd(): void {
    this.#link.send(`{"end":${this.#streams.ownEnd}}\n`);
  }

  onLines(lines: readonly Line[]): void {
    let items: Incoming[] = [];
    for (const line of lines) {
      const numbered = parseNumberedLine(line);
      if (numbered.kind === 'message' || numbered.kind === 'notice') {
        if (this.#isNew(numbered.id, line)) items.push(this.#itemOf(numbered, line));
        continue;
      }
      // The reader first receives the messages before this line.
      this.#connection.onItems(items);
      items = [];
      if (numbered.kind === 'end') this.#streams.onPeerEnd(numbered.end);
      else this.#onAck(numbered);
    }
    this.#connection.onItems(items);
    // A reader may have closed the connection.
    if (this.#isEnded) return;
    if (this.#streams.isPeerDone) this.#connection.onPeerEnd();
    if (this.#unacknowledgedBytes > ACK_BYTES) this.#sendAck();
    else if (this.#unacknowledgedBytes > 0) {
      this.#ackTimer ??= this.#connection.clock.setTimeout(() => this.#sendAck(), ACK_INTERVAL_MS);
    }
  }

  onBeat(): void {
    this.#sendAck();
  }

  onEnd(): void {
    this.#isEnded = true;
    this.#stopTimer();
  }

  get #streams() {
    return this.#connection.streams;
  }

  #sendAck(): void {
    this.#stopTimer();
    this.#unacknowledgedBytes = 0;
    this.#link.send(`{"ack":${this.#streams.received}}\n`);
  }

  #stopTimer(): void {
    this.#connection.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
  }

  // An unreadable line counts as received, because it would be unreadable again if it were resent.
  #isNew(id: number | undefined, line: Line): boolean {
    if (id !== undefined) {
      if (!this.#streams.isNew(id)) return false;
      this.#unacknowledgedBytes += typeof line === 'string' ? line.length : line.head.length;
    }
    return true;
  }

  #itemOf(numbered: MessageLine | NoticeLine, line: Line): Incoming {
    const place = this.#streams.placeOf(numbered.id);
    if (numbered.kind === 'notice') return { kind: 'notice', event: numbered.event, data: numbered.data, ...place };
    const { source, text } = numbered;
    if (typeof line !== 'string') return incomingLines([line])[0] as Incoming;
    if (text === undefined) {
      const error = new TransportError('malformed', `websocket: a line does not conform to ${RESUMABLE_PROTOCOL}`);
      return { kind: 'malformed', error, excerpt: cutText(line, 256) };
    }
    return incomingMessage(text, { ...place, ...(source !== undefined && { source }) });
  }

  #onAck(frame: AckFrame): void {
    if (this.#isGreeted) {
      // The log has dropped events that this side has not received.
      if (frame.gap && frame.from > this.#streams.received) return this.#connection.onGap();
      return this.#connection.onAcknowledged(frame.ack);
    }
    this.#isGreeted = true;
    this.#connection.onGreeting(frame, this.#isFresh);
  }
}
