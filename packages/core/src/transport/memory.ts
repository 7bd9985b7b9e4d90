import { defineTransport } from './define-transport.ts';
import { TransportError } from './error.ts';
import { incomingMessage } from './incoming.ts';
import type { Batch, Transport, TransportControl, TransportDriver } from './transport.ts';

export interface MemoryPair {
  readonly host: Transport;
  readonly agent: Transport;
  /** Keeps everything on the wire, in both directions, until `release`: what makes interleavings deterministic in tests. */
  hold(): void;
  release(): void;
}

/** Two transports in one process, joined by text: what one sends the other reads, and no object is shared. */
export function createMemoryPair(options: { readonly maxIncomingBytes?: number } = {}): MemoryPair {
  const host = new MemorySide();
  const agent = new MemorySide();
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

/** One end. What is under way to it waits in its own inbox, as steps in the order they were sent. */
class MemorySide implements TransportDriver {
  peer!: MemorySide;
  held = false;
  #control!: TransportControl;
  #inbox: (() => void)[] = [];
  #paused = false;
  #drained: (() => void)[] = [];

  connect(control: TransportControl): TransportDriver {
    this.#control = control;
    control.opened();
    return this;
  }

  write(batch: Batch): Promise<void> | void {
    const items = Array.from(batch.messages(), ({ text }) => incomingMessage(text));
    return this.peer.#deliver((control) => control.receive(items));
  }

  end(): void {
    void this.peer.#deliver((control) => control.ended());
  }

  close(): void {
    void this.peer.#deliver((control) => control.closed());
    this.#leave();
  }

  abort(reason: TransportError): void {
    const lost = new TransportError('lost', 'memory: the other side aborted', { cause: reason });
    this.peer.#inbox = [];
    void this.peer.#deliver((control) => control.closed(lost));
    this.#leave();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.arrive();
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Takes what is on the wire, unless it is held or this side is behind. */
  arrive(): void {
    while (!this.held && !this.#paused) {
      const step = this.#inbox.shift();
      if (step === undefined) return;
      step();
    }
  }

  /** Puts one step on the wire; pending while this side is behind. */
  #deliver(step: (control: TransportControl) => void): Promise<void> | void {
    this.#inbox.push(() => step(this.#control));
    queueMicrotask(() => this.arrive());
    if (this.#paused) return new Promise((resolve) => this.#drained.push(resolve));
  }

  #leave(): void {
    // Nobody reads here any more: who writes to this side must not wait for it.
    this.#inbox = [];
    this.resume();
    this.#control.closed();
  }
}
