import type { Line } from '@proto/core/framing';
import {
  type Batch,
  type Clock,
  createReplayBuffer,
  type Cursor,
  DEFAULT_MAX_REPLAY_BYTES,
  type Incoming,
  incomingLines,
  incomingMessage,
  type ReplayBuffer,
  type ReplayEntry,
  type Resumption,
  type Retained,
  systemClock,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import { type Hello, idOf, messageLine, parseNumberedLine } from './numbered-lines.ts';
import type { SocketLike } from './socket.ts';
import { type LinkEnd, type LinkOptions, SocketLink } from './socket-link.ts';

/** What a socket may hold of what was sent to it, before `send` stays pending. */
export const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;
/** What may come in while nobody reads, over a socket that cannot stop reading. Above it the transport ends with `overflow`. */
export const DEFAULT_MAX_UNREAD_BYTES = 256 * 1024 * 1024;

/** What every WebSocket transport takes. */
export interface LinkDriverOptions extends LinkOptions, Pick<TransportOptions, 'maxIncomingBytes'> {
  /** Default `DEFAULT_MAX_BUFFERED_BYTES`. */
  readonly maxBufferedBytes?: number;
  /** Default `DEFAULT_MAX_UNREAD_BYTES`. */
  readonly maxUnreadBytes?: number;
  /** Kept until the other side has it; above it `send` stays pending. Default `DEFAULT_MAX_REPLAY_BYTES` of `@proto/core/transport`. */
  readonly maxReplayBytes?: number;
  /** Default false: without the resumable mode each frame has one line, which any peer understands. With it, a frame has a batch. */
  readonly batchFrames?: boolean;
  /** Lines that come in ahead of what the other side says, such as the first prompt. */
  readonly initialLines?: Iterable<string> | AsyncIterable<string>;
  /** Told what a log says beside the messages, such as `delivery_update`, in the resumable mode. */
  readonly onNotice?: Notice;
}

/** What a log says beside the messages: the name of the event and its data. */
export type Notice = (event: string, data: unknown) => void;

// Sent to keep middle boxes from forgetting a link whose socket cannot ping.
const KEEP_ALIVE = '{"type":"keep_alive"}\n';
/** `bufferedAmount` has no event. */
const POLL_MS = 5;
// So that one acknowledgement serves many messages, and the other side need not keep more than this for one that is idle.
const ACK_MS = 50;
const ACK_BYTES = 64 * 1024;

/**
 * What all WebSocket transports have in common: one link at a time, and what has to outlive it. In the resumable mode every message
 * has a number, is kept until the other side has it, and is sent again on the next link; the other side drops what it has.
 * In the bare mode a message is kept until the answer to a ping proves that it arrived, so that it may come twice but is not lost.
 *
 * States of a link: `greeting` until the other side has said what it has (resumable mode only), then `up`.
 */
export abstract class LinkDriver implements TransportDriver {
  protected readonly control: TransportControl;
  protected readonly clock: Clock;
  protected leaving = false;
  protected over = false;
  protected everUp = false;
  readonly #options: LinkDriverOptions;
  readonly #replay: ReplayBuffer;
  readonly #acknowledged: Acknowledged;
  readonly #stream = newStreamName();
  #link: SocketLink | undefined;
  #up = false;
  #paused = false;
  #unreadBytes = 0;
  // Of the other side: its stream, and how far it has arrived.
  #peerStream: string | undefined;
  #received = 0;
  #unacknowledgedBytes = 0;
  #ackTimer: unknown;
  #peerEnd: number | undefined;
  #end: number | undefined;
  #pollTimer: unknown;
  #done: (() => void) | undefined;
  #waits: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  constructor(control: TransportControl, options: LinkDriverOptions, cursor?: Cursor) {
    this.control = control;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.#replay = createReplayBuffer({ maxBytes: options.maxReplayBytes ?? DEFAULT_MAX_REPLAY_BYTES });
    this.#acknowledged = new Acknowledged(cursor);
    [this.#received, this.#peerStream] = placeOf(cursor);
    if (options.initialLines !== undefined) {
      this.#deliver(options.initialLines).catch((error) => this.release(TransportError.from(error)));
    }
  }

  get resumption(): Resumption | undefined {
    return this.retains || this.#link?.isResumable === true ? this.#acknowledged : undefined;
  }

  get retained(): Retained | undefined {
    if (this.resumption === undefined) return undefined;
    return { batches: () => this.#replay.unacknowledged().map(({ batch }) => batch) };
  }

  write(batch: Batch): Promise<void> | void {
    const room = this.#until(() => this.#hasRoom(batch));
    return room === undefined ? this.#write(batch) : room.then(() => this.#write(batch));
  }

  flush(): Promise<void> | void {
    return this.#until(() => this.#up && this.#link?.bufferedBytes === 0);
  }

  /** Tells the other side that nothing follows, where the mode has a line for that. */
  end(): void {
    this.#end = this.#replay.last;
    this.#tellEnd();
  }

  async close(): Promise<void> {
    this.leaving = true;
    await this.#goodbye();
  }

  abort(reason: TransportError): void {
    this.release(reason);
  }

  pause(): void {
    this.#paused = true;
    if (this.#up) this.#link?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#unreadBytes = 0;
    this.#link?.resume();
  }

  /** Whether what was sent has to be kept for another link. */
  protected abstract readonly retains: boolean;

  /** Whether something may still have to be sent again. */
  protected get unproved(): boolean {
    return this.#replay.bytes > 0;
  }

  /** Takes a socket as the next link. `credential` is the first frame of one whose upgrade could not carry any. */
  protected attach(socket: SocketLike, credential?: string): SocketLink {
    const mine = (act: () => void) => this.#link === link && act();
    const link: SocketLink = new SocketLink(
      socket,
      {
        onOpen: () => mine(() => this.#greet(link, credential)),
        onLines: (lines) => mine(() => this.#onLines(lines)),
        onProof: (mark) => mine(() => this.#onProof(mark)),
        onBeat: () => this.#onBeat(link),
        onEnd: (end) => mine(() => this.#onEnd(end)),
      },
      this.#options,
    );
    this.#link = link;
    this.#up = false;
    return link;
  }

  /** Closes the link, or without a code breaks it, and listens to it no more; gives whether there was one. */
  protected detach(code?: number): boolean {
    const link = this.#link;
    this.#link = undefined;
    this.#up = false;
    if (code === undefined) link?.drop();
    else link?.close(code);
    return link !== undefined;
  }

  /** The link is up; `resumed` when nothing can be missing. */
  protected abstract onUp(resumed: boolean): void;
  protected abstract onDown(end: LinkEnd, wasUp: boolean): void;

  protected release(error?: TransportError, status?: number): void {
    if (this.over) return;
    this.over = true;
    this.#done = () => this.control.closed(error, status === undefined ? {} : { status });
    this.clock.clearTimeout(this.#ackTimer);
    this.clock.clearTimeout(this.#pollTimer);
    for (const { resolve } of this.#waits.splice(0)) resolve();
    // Closed is only what holds no socket any more.
    if (this.#link === undefined) this.#done();
    else this.#link.drop();
  }

  #greet(link: SocketLink, credential: string | undefined): void {
    if (credential !== undefined) link.send(credential);
    // Bare lines say nothing about what came before them.
    if (!link.isResumable) return this.#onLinkUp(!this.everUp && this.#received === 0);
    const of = this.#peerStream === undefined ? {} : { of: this.#peerStream };
    const from = this.#replay.acknowledged + 1;
    link.send(`${JSON.stringify({ ack: this.#received, ...of, stream: this.#stream, from })}\n`);
  }

  #onHello({ ack, of, stream, from, gap }: Hello): void {
    const sameStream = stream === this.#peerStream || (!this.everUp && this.#received === 0);
    const resumed = sameStream && from <= this.#received + 1 && !gap;
    if (!sameStream) {
      this.#received = 0;
      this.#peerEnd = undefined;
    } else if (gap && from <= this.#received) {
      // A log that has lost events numbers new ones as those.
      this.#received = Math.max(0, from - 1);
      this.#acknowledged.rewind(this.#received);
    }
    this.#peerStream = stream;
    // How far another stream had come says nothing about this one.
    if (of === this.#stream) this.#onAck(ack);
    this.#onLinkUp(resumed);
  }

  #onLinkUp(resumed: boolean): void {
    this.#up = true;
    // Ahead of what `onUp` lets the caller write.
    for (const entry of this.#replay.unacknowledged()) this.#transmit(entry);
    this.#tellEnd();
    this.everUp = true;
    this.onUp(resumed);
    this.#settle();
    if (this.#paused) this.#link?.pause();
    if (this.leaving) void this.#goodbye();
  }

  #onLines(lines: readonly Line[]): void {
    if (this.over) return;
    if (this.#paused) {
      for (const line of lines) this.#unreadBytes += typeof line === 'string' ? line.length : line.head.length;
      if (this.#unreadBytes > (this.#options.maxUnreadBytes ?? DEFAULT_MAX_UNREAD_BYTES)) {
        return this.release(
          new TransportError('overflow', `websocket: ${this.#unreadBytes} bytes came that nobody reads`),
        );
      }
    }
    if (this.#link?.isResumable !== true) return this.control.receive(incomingLines(lines));
    let items: Incoming[] = [];
    for (const line of lines) {
      const numbered = typeof line === 'string' ? parseNumberedLine(line) : undefined;
      if (numbered?.kind === 'message') {
        const { id, text, source } = numbered;
        if (id !== undefined) {
          if (id <= this.#received) continue;
          this.#received = id;
          this.#unacknowledgedBytes += text.length;
        }
        const cursor = id === undefined ? {} : { cursor: this.#cursorOf(id) };
        items.push(incomingMessage(text, { ...cursor, ...(source !== undefined && { source }) }));
      } else if (numbered === undefined) {
        const excerpt = typeof line === 'string' ? line.slice(0, 256) : line.head;
        // What is lost here has arrived all the same: sent again it would be lost again, and the other side wait for ever.
        const id = idOf(excerpt);
        if (id !== undefined && id <= this.#received) continue;
        this.#received = id ?? this.#received;
        this.#unacknowledgedBytes += excerpt.length;
        const error = new TransportError('malformed', 'websocket: a line that is none of the resumable mode');
        if (typeof line === 'string') items.push({ kind: 'malformed', error, excerpt });
        else items.push(...incomingLines([line]));
      } else {
        // What came before is handed out before.
        this.control.receive(items);
        items = [];
        if (numbered.kind === 'end') this.#peerEnd = numbered.end;
        else if (numbered.kind === 'notice') this.#notice(numbered.event, numbered.data);
        else if (this.#up) this.#onFurther(numbered);
        else this.#onHello(numbered);
      }
    }
    this.control.receive(items);
    if (this.over) return;
    if (this.#peerEnd !== undefined && this.#received >= this.#peerEnd) this.control.ended();
    if (this.#unacknowledgedBytes > ACK_BYTES) this.#tellAck();
    else if (this.#unacknowledgedBytes > 0) this.#ackTimer ??= this.clock.setTimeout(() => this.#tellAck(), ACK_MS);
  }

  #onFurther({ ack, from, gap }: Hello): void {
    // What a log has dropped before this side was told of it.
    if (gap && from > this.#received) this.onUp(false);
    else this.#onAck(ack);
  }

  #notice(event: string, data: unknown): void {
    // What it throws is its own affair, and not a fault of the link.
    queueMicrotask(() => this.#options.onNotice?.(event, data));
  }

  #onAck(ack: number): void {
    // The number comes from outside: one that was never sent proves nothing.
    if (ack > this.#replay.last) return;
    this.#replay.acknowledge(ack);
    this.#settle();
  }

  #onProof(mark: number): void {
    if (this.#link?.isResumable !== true) this.#onAck(mark);
  }

  #onBeat(link: SocketLink): number {
    if (this.#link === link && this.#up) {
      if (link.isResumable) this.#tellAck();
      else if (!link.canProve) link.send(KEEP_ALIVE);
    }
    return this.#replay.last;
  }

  #onEnd(end: LinkEnd): void {
    const wasUp = this.#up;
    this.#link = undefined;
    this.#up = false;
    this.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    if (this.over) return this.#done?.();
    if (this.leaving && (end.code === 1000 || !this.unproved)) return this.release();
    this.onDown(end, wasUp);
    this.#settle();
  }

  #hasRoom({ text }: Batch): boolean {
    const { bytes } = this.#replay;
    return bytes === 0 || bytes + text.length <= (this.#options.maxReplayBytes ?? DEFAULT_MAX_REPLAY_BYTES);
  }

  #write(batch: Batch): Promise<void> | void {
    if (this.over) return;
    const link = this.#link;
    // Where nothing can be proved, what has left is all that is known.
    if (link !== undefined && !link.isResumable && !link.canProve && link.bufferedBytes === 0) {
      this.#replay.acknowledge(this.#replay.last);
    }
    this.#transmit({ first: this.#replay.append(batch), batch });
    if (!this.retains && link?.isResumable !== true) this.#replay.acknowledge(this.#replay.last);
    if (link !== undefined && !link.isResumable && this.#replay.bytes > ACK_BYTES) link.ping(this.#replay.last);
    return this.#until(
      () => (this.#link?.bufferedBytes ?? 0) <= (this.#options.maxBufferedBytes ?? DEFAULT_MAX_BUFFERED_BYTES),
    );
  }

  #transmit({ first, batch }: ReplayEntry): void {
    const link = this.#link;
    if (link === undefined || !this.#up) return;
    if (link.isResumable) {
      let id = first;
      let text = '';
      for (const message of batch.messages()) text += messageLine(id++, message.text);
      link.send(text);
    } else if (this.#options.batchFrames === true) link.send(batch.text);
    else link.sendLines(batch.text);
  }

  #tellAck(): void {
    this.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacknowledgedBytes = 0;
    this.#link?.send(`{"ack":${this.#received}}\n`);
  }

  #tellEnd(): void {
    if (this.#end !== undefined && this.#up && this.#link?.isResumable === true)
      this.#link.send(`{"end":${this.#end}}\n`);
  }

  /** Closes the link once the other side has everything, or as much of that as can be known. */
  async #goodbye(): Promise<void> {
    const left = () => this.#link?.bufferedBytes === 0 && (!this.#link.isResumable || !this.unproved);
    await this.#until(() => !this.#up || left());
    if (this.over) return;
    if (this.#up) this.#link?.close(1000);
    else if (!this.unproved || !this.everUp) this.release();
  }

  #until(holds: () => boolean): Promise<void> | void {
    if (this.over || holds()) return;
    return new Promise((resolve) => {
      this.#waits.push({ holds, resolve });
      this.#poll();
    });
  }

  #settle(): void {
    const waits = this.#waits;
    this.#waits = [];
    for (const wait of waits) {
      if (wait.holds()) wait.resolve();
      else this.#waits.push(wait);
    }
    this.#poll();
  }

  /** Looks again later at what a socket holds; all else that is waited for is an event. */
  #poll(): void {
    if (this.#waits.length === 0 || !this.#link?.bufferedBytes) return;
    this.#pollTimer ??= this.clock.setTimeout(() => {
      this.#pollTimer = undefined;
      this.#settle();
    }, POLL_MS);
  }

  #cursorOf(id: number): Cursor {
    return this.#peerStream === undefined ? String(id) : `${id}@${this.#peerStream}`;
  }

  async #deliver(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    for await (const line of lines) this.control.receive([incomingMessage(line)]);
  }
}

/** The last place acknowledged. */
class Acknowledged implements Resumption {
  cursor: Cursor | undefined;

  constructor(cursor: Cursor | undefined) {
    this.cursor = cursor;
  }

  acknowledge(cursor: Cursor): void {
    const [id, stream] = placeOf(cursor);
    const [last, lastStream] = placeOf(this.cursor);
    if (stream !== lastStream || id > last) this.cursor = cursor;
  }

  /** The other side has nothing behind this number any more. */
  rewind(id: number): void {
    if (placeOf(this.cursor)[0] > id) this.cursor = id === 0 ? undefined : String(id);
  }
}

function placeOf(cursor: Cursor = ''): [id: number, stream: string | undefined] {
  const [id, stream] = cursor.split('@');
  return [Number(id) || 0, stream];
}

/** Two that were made at different times never have the same, so that a new process is not taken for the old one. */
function newStreamName(): string {
  // `randomUUID` is missing in pages that came without TLS.
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
