import { cutText, type Line } from '@proto/core/framing';
import type { NumberedStreams, ReplayEntry } from '@proto/core/network';
import { type Incoming, incomingLines, incomingMessage, TransportError } from '@proto/core/transport';
import { FRAME_LINES, RESUMABLE_PROTOCOL } from '../socket/socket.ts';
import type { SocketLink } from '../socket/socket-link.ts';
import { ACK_BYTES, type Codec, type CodecEvents } from './codec.ts';
import {
  type AckFrame,
  greetingLine,
  type MessageLine,
  messageLine,
  type NoticeLine,
  parseNumberedLine,
} from './numbered-lines.ts';

/** One acknowledgement serves all messages of so many milliseconds. */
const ACK_MS = 50;

/**
 * The subprotocol `sjp.v1`: every message has a number, is kept until the other side has it, and is sent again on the next link; the
 * other side drops what it has. Messages can be sent once the other side has greeted.
 */
export class ResumableCodec implements Codec {
  readonly #link: SocketLink;
  readonly #events: CodecEvents;
  readonly #streams: NumberedStreams;
  /** Whether nothing came in before this link. */
  readonly #isFresh: boolean;
  #isGreeted = false;
  #isEnded = false;
  #unacknowledgedBytes = 0;
  #ackTimer: unknown;

  constructor(link: SocketLink, events: CodecEvents, streams: NumberedStreams, isFresh: boolean) {
    this.#link = link;
    this.#events = events;
    this.#streams = streams;
    this.#isFresh = isFresh;
  }

  start(): void {
    this.#link.send(`${greetingLine(this.#streams.greeting(this.#events.replay.acknowledged + 1))}\n`);
  }

  /** Whether a line is the greeting of this side: some servers send back whatever they receive. */
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

  /** If the other side has not greeted yet, the end is reported after its greeting. */
  sendEnd(): void {
    const { ownEnd } = this.#streams;
    if (ownEnd !== undefined && this.#isGreeted) this.#link.send(`{"end":${ownEnd}}\n`);
  }

  onLines(lines: readonly Line[]): void {
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
      // The reader gets the messages before this line first.
      this.#events.onItems(items);
      items = [];
      if (numbered.kind === 'end') this.#streams.onPeerEnd(numbered.end);
      else this.#onAck(numbered);
    }
    this.#events.onItems(items);
    // A reader may have closed the connection.
    if (this.#isEnded) return;
    if (this.#streams.isPeerDone) this.#events.onPeerEnd();
    if (this.#unacknowledgedBytes > ACK_BYTES) this.#sendAck();
    else if (this.#unacknowledgedBytes > 0) {
      this.#ackTimer ??= this.#events.clock.setTimeout(() => this.#sendAck(), ACK_MS);
    }
  }

  onBeat(): void {
    this.#sendAck();
  }

  onEnd(): void {
    this.#isEnded = true;
    this.#stopTimer();
  }

  #sendAck(): void {
    this.#stopTimer();
    this.#unacknowledgedBytes = 0;
    this.#link.send(`{"ack":${this.#streams.received}}\n`);
  }

  #stopTimer(): void {
    this.#events.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
  }

  /** Whether a line has not come before. A line that cannot be read counts as received: sent again, it could not be read either. */
  #isNew(id: number | undefined, line: Line): boolean {
    if (id !== undefined) {
      if (!this.#streams.isNew(id)) return false;
      this.#unacknowledgedBytes += typeof line === 'string' ? line.length : line.head.length;
    }
    return true;
  }

  #itemOf({ id, source, text }: MessageLine, line: Line): Incoming {
    if (typeof line !== 'string') return incomingLines([line])[0] as Incoming;
    if (text === undefined) {
      const error = new TransportError('malformed', `websocket: not a line of ${RESUMABLE_PROTOCOL}`);
      return { kind: 'malformed', error, excerpt: cutText(line, 256) };
    }
    return incomingMessage(text, { ...this.#streams.placeOf(id), ...(source !== undefined && { source }) });
  }

  #noticeOf({ id, event, data }: NoticeLine): Incoming {
    return { kind: 'notice', event, data, ...this.#streams.placeOf(id) };
  }

  #onAck(frame: AckFrame): void {
    if (this.#isGreeted) {
      // A log dropped events that this side was not told of.
      if (frame.gap && frame.from > this.#streams.received) return this.#events.onGap();
      return this.#events.onAcknowledged(frame.ack);
    }
    const resumed = this.#streams.onGreeting(frame, this.#isFresh);
    // The other side may speak of the stream of an earlier process, whose numbers mean other messages.
    if (frame.of === this.#streams.ownName) this.#events.onAcknowledged(frame.ack);
    this.#isGreeted = true;
    this.#events.onReady(resumed);
    this.sendEnd();
  }
}
