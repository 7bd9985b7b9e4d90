import type { Resumption } from '@proto/core/internal';
import { createReplayBuffer, type ReplayEntry } from '@proto/core/network';
import {
  type Batch,
  type Cursor,
  incomingMessage,
  type TransportControl,
  type TransportDriver,
  TransportError,
} from '@proto/core/transport';
import type { Frame, LinkEnd, LinkEvents } from './link.test-support.ts';

export type Fault =
  | 'repeats'
  | 'does not send again'
  | 'does not say that it is up again'
  | 'claims to have resumed'
  | 'insists'
  | 'asks once'
  | 'goes back'
  | 'does not listen'
  | 'keeps its timer';

/**
 * Every message has a number, is kept until the other side acknowledges it, and until then is sent again over each new connection. The other side
 * drops the messages that it has already received.
 */
export abstract class ResumingEnd implements TransportDriver {
  protected readonly control: TransportControl;
  protected readonly fault: Fault | undefined;
  protected link: LinkEnd | undefined;
  protected over = false;
  readonly #maxBytes: number;
  readonly #replay = createReplayBuffer();
  #acknowledged: Cursor | undefined;
  #received = 0;
  #receivedAtAck = 0;
  #unacknowledgedBytes = 0;
  #greeted = false;
  #whole = true;
  #paused = false;
  #unread: { sequence: number; text: string }[] = [];
  #waits: { until: () => boolean; resolve: () => void }[] = [];

  constructor(control: TransportControl, maxBytes: number, fault?: Fault) {
    this.control = control;
    this.#maxBytes = maxBytes;
    this.fault = fault;
  }

  readonly resumption: Resumption = ((end: ResumingEnd) => ({
    get cursor() {
      return end.#acknowledged;
    },
    acknowledge(cursor: Cursor) {
      const further = end.#acknowledged === undefined || Number(cursor) > Number(end.#acknowledged);
      if (further || end.fault === 'goes back') end.#acknowledged = cursor;
    },
  }))(this);

  write(batch: Batch): Promise<void> | void {
    this.#send({ first: this.#replay.append(batch), batch });
    return this.#wait(() => this.#replay.bytes <= this.#maxBytes);
  }

  flush(): Promise<void> | void {
    return this.#wait(() => this.#greeted);
  }

  async close(): Promise<void> {
    await this.#wait(() => this.#replay.bytes === 0);
    this.link?.send({ kind: 'bye' });
    this.release();
  }

  abort(): void {
    this.link?.drop();
    this.release();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused) {
      const message = this.#unread.shift();
      if (message === undefined) break;
      this.#deliver(message.sequence, message.text);
    }
  }

  /** The next connection is then reported with `resumed: false`. */
  forget(): void {
    this.#whole = false;
  }

  protected attach(link: LinkEnd): LinkEvents {
    this.link = link;
    this.#greeted = false;
    const received = this.fault === 'repeats' ? this.#receivedAtAck : this.#received;
    link.send({ kind: 'hello', received, whole: this.#whole });
    this.#whole = true;
    return {
      onText: (text) => this.link === link && this.onText(text),
      onDown: () => {
        if (this.link !== link) return;
        this.link = undefined;
        this.onDown();
      },
    };
  }

  protected onText(text: string): void {
    const frame = parseFrame(text);
    switch (frame?.kind) {
      case 'hello':
        this.#acknowledge(frame.received);
        this.#greeted = true;
        this.onHello(frame.whole);
        if (this.fault !== 'does not send again') for (const entry of this.#replay.unacknowledged()) this.#send(entry);
        return this.#settle();
      case 'message':
        // The item is added after the waiting items; otherwise it would overtake them while the consumer is paused.
        if (this.#paused) this.#unread.push(frame);
        else this.#deliver(frame.sequence, frame.text);
        return;
      case 'ping':
        this.sendControl('pong');
        return this.#acknowledge(frame.received);
      case 'ack':
      case 'pong':
        return this.#acknowledge(frame.received);
      case 'news':
        return this.control.receive([{ kind: 'notice', event: frame.event, data: frame.data }]);
      case 'bye':
        return this.release();
      case undefined: {
        const error = new TransportError('malformed', 'resuming: bad frame');
        this.control.receive([{ kind: 'malformed', error, excerpt: text.slice(0, 20) }]);
      }
    }
  }

  /** `whole` is `false` if messages may be missing. */
  protected abstract onHello(whole: boolean): void;
  protected abstract onDown(): void;

  protected release(error?: TransportError): void {
    this.over = true;
    this.link = undefined;
    this.#waits = [];
    this.control.closed(error);
  }

  #send({ first, batch }: ReplayEntry): void {
    if (!this.#greeted) return;
    let sequence = first;
    for (const { text } of batch.messages()) this.link?.send({ kind: 'message', sequence: sequence++, text });
  }

  #deliver(sequence: number, text: string): void {
    if (sequence <= this.#received && this.fault !== 'repeats') return;
    this.#received = Math.max(sequence, this.#received);
    this.control.receive([incomingMessage(text, { cursor: String(sequence) })]);
    this.#unacknowledgedBytes += text.length;
    if (this.#unacknowledgedBytes > this.#maxBytes / 4) this.sendControl('ack');
  }

  /** Sends a frame that also acknowledges the messages received so far. */
  protected sendControl(kind: 'ack' | 'ping' | 'pong'): void {
    this.link?.send({ kind, received: this.#received });
    this.#receivedAtAck = this.#received;
    this.#unacknowledgedBytes = 0;
  }

  #acknowledge(sequence: number): void {
    this.#replay.acknowledge(sequence);
    this.#settle();
  }

  #wait(until: () => boolean): Promise<void> | void {
    if (until()) return;
    return new Promise((resolve) => this.#waits.push({ until, resolve }));
  }

  #settle(): void {
    for (const { until, resolve } of this.#waits) if (until()) resolve();
    this.#waits = this.#waits.filter(({ until }) => !until());
  }
}

function parseFrame(text: string): Frame | undefined {
  try {
    return JSON.parse(text) as Frame;
  } catch {
    return undefined;
  }
}
