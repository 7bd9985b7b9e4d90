import { DEFAULT_MAX_INCOMING_BYTES, defineTransport } from './define-transport.ts';
import { TransportError } from './error.ts';
import { Fifo } from './queues/fifo.ts';
import { incomingMessage } from './lines/incoming.ts';
import type { Batch, Incoming, Transport, TransportControl, TransportDriver } from './transport.ts';

/** The two ends of one link in memory. */
export interface MemoryPair {
  readonly host: Transport;
  readonly agent: Transport;
  /** Holds back everything on the wire, in both directions, until `release` is called, so that the order of events in a test is fixed. */
  hold(): void;
  release(): void;
}

/** The limits of a link in memory. */
export interface MemoryOptions {
  /** The maximum number of unread bytes of each side. The same number of bytes may also be on the wire to that side. Default 16 MiB. */
  readonly maxIncomingBytes?: number;
}

/**
 * Creates two transports in one process. Each side reads the text that the other side sends. The two sides share no object.
 *
 * @example
 * ```ts
 * import { createMemoryPair, encodeBatch } from '@proto/core/transport';
 *
 * const { host, agent } = createMemoryPair();
 * await host.send(encodeBatch({ type: 'keep_alive' }));
 * for await (const items of agent.incoming) {
 *   console.log(items.length); // 1
 *   break;
 * }
 * ```
 */
export function createMemoryPair(options: MemoryOptions = {}): MemoryPair {
  const host = new MemorySide(options);
  const agent = new MemorySide(options);
  host.peer = agent;
  agent.peer = host;
  return {
    host: defineTransport('memory', (control) => host.connect(control), options),
    agent: defineTransport('memory', (control) => agent.connect(control), options),
    hold() {
      host.held = agent.held = true;
    },
    release() {
      host.held = agent.held = false;
      host.arrive();
      agent.arrive();
    },
  };
}

const NOW = Promise.resolve();

interface WireStep {
  readonly bytes: number;
  take(control: TransportControl): void;
}

/** One end of the link, and the wire to this end. The wire contains steps in the order in which the other end made them. */
class MemorySide implements TransportDriver {
  peer!: MemorySide;
  held = false;
  readonly #maxBytes: number;
  #control!: TransportControl;
  readonly #wire = new Fifo<WireStep>();
  #bytes = 0;
  #paused = false;
  #room: (() => void) | undefined;

  constructor({ maxIncomingBytes = DEFAULT_MAX_INCOMING_BYTES }: MemoryOptions) {
    this.#maxBytes = maxIncomingBytes;
  }

  connect(control: TransportControl): TransportDriver {
    this.#control = control;
    control.opened();
    return this;
  }

  write(batch: Batch): Promise<void> | void {
    const items: Incoming[] = [];
    let bytes = 0;
    for (const { text } of batch.messages()) {
      items.push(incomingMessage(text));
      bytes += text.length + 1;
    }
    return this.peer.#deliver({ bytes, take: (control) => control.receive(items) });
  }

  end(): void {
    void this.peer.#deliver({ bytes: 0, take: (control) => control.ended() });
  }

  close(): void {
    void this.peer.#deliver({ bytes: 0, take: (control) => control.closed() });
    this.#leave();
  }

  abort(reason: TransportError): void {
    const lost = new TransportError('lost', 'memory: the other side aborted', { cause: reason });
    this.peer.#clearWire();
    void this.peer.#deliver({ bytes: 0, take: (control) => control.closed(lost) });
    this.#leave();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.arrive();
  }

  /** Does nothing while the wire is held or this side is paused. */
  arrive(): void {
    while (!this.held && !this.#paused) {
      const step = this.#wire.shift();
      if (step === undefined) break;
      this.#bytes -= step.bytes;
      step.take(this.#control);
    }
    if (!this.#full) this.#makeRoom();
  }

  get #full(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  // Stays pending while the wire is full.
  #deliver(step: WireStep): Promise<void> | void {
    this.#wire.push(step);
    this.#bytes += step.bytes;
    // `queueMicrotask` is not used: Node keeps an async context for each call, which takes 5 % of the time of a request.
    void NOW.then(() => this.arrive());
    if (!this.#full) return;
    // At most one write waits, because each side writes one batch at a time.
    return new Promise((resolve) => {
      this.#room = resolve;
    });
  }

  #makeRoom(): void {
    this.#room?.();
    this.#room = undefined;
  }

  #clearWire(): void {
    this.#wire.clear();
    this.#bytes = 0;
    this.#paused = false;
    this.#makeRoom();
  }

  #leave(): void {
    this.#clearWire();
    this.#control.closed();
  }
}
