import type { Tap } from '@proto/remote/bridge';
import { incomingOf } from '@proto/core/internal';
import { encodeBatch, type Incoming, type Transport, wrapTransport } from '@proto/core/transport';
import { type Direction, recordTransport } from '@proto/recording';
import { HeldQueue } from './held-queue.ts';
import {
  ChangeListeners,
  type InspectedSession,
  type SessionAction,
  SessionActionError,
  type SessionState,
} from './inspected-session.ts';
import { Spool, type SpoolOptions } from './spool.ts';
import { VisitorRequests } from './visitor-requests.ts';

/**
 * A session between a host and an agent that are connected by a bridge. The bridge does not change their messages. It adds messages from visitors,
 * and does not send the answers to these messages to the host. A request that a visitor answers is withdrawn from the host.
 */
export class BridgedSession implements InspectedSession, Tap {
  readonly #listeners = new ChangeListeners();
  readonly #spool: Spool;
  readonly #requests = new VisitorRequests();
  readonly #toAgent = new HeldQueue();
  readonly #toHost = new HeldQueue();
  /** Messages from visitors that the host has not read yet. */
  readonly #forHost: Incoming[] = [];
  #wake: () => void = () => {};
  #agent: Transport | undefined;
  #startedAt = 0;
  #isEnded = false;

  /** @throws the error of the file system if the recording cannot be created. */
  constructor(options: Pick<SpoolOptions, 'path' | 'maxBytes'> = {}) {
    this.#spool = new Spool({ ...options, onChange: () => this.#listeners.call() });
  }

  record(agent: Transport): Transport {
    this.#startedAt = performance.now();
    const recorded = recordTransport(agent, {
      side: 'host',
      write: (line) => this.#spool.write(line),
      redactor: false,
    });
    this.#agent = recorded;
    void agent.closed.then(() => {
      this.#isEnded = true;
      // The waiting messages can no longer be delivered, and the bridge waits until they are released.
      for (const queue of [this.#toAgent, this.#toHost]) queue.release();
      this.#wake();
      this.#listeners.call();
    });
    return wrapTransport(recorded, {
      incoming: { [Symbol.asyncIterator]: () => this.#incoming(recorded) },
      send: (batch, options) => this.#toAgent.run(() => recorded.send(batch, options)),
      end: () => this.#toAgent.run(() => recorded.end()),
      close: () => {
        this.#toAgent.release();
        return recorded.close();
      },
    });
  }

  close(): void {
    this.#isEnded = true;
    this.#spool.flush();
    this.#listeners.call();
  }

  /** Removes the recording, unless a path was given for it. */
  dispose(): void {
    this.#spool.close();
  }

  get state(): SessionState {
    const held: Direction[] = [];
    if (this.#toAgent.isHeld) held.push('from-host');
    if (this.#toHost.isHeld) held.push('from-agent');
    const isOpen = this.#agent !== undefined && !this.#isEnded;
    return {
      bytes: this.#spool.bytes,
      isEnded: this.#isEnded,
      trouble: this.#spool.trouble,
      held,
      rights: { send: isOpen, hold: isOpen },
    };
  }

  read(from: number, to: number): Promise<Uint8Array> {
    return this.#spool.read(from, to);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async act(action: SessionAction): Promise<void> {
    const agent = this.#agent;
    if (agent === undefined || this.#isEnded) throw new SessionActionError('ended', 'the session has ended');
    if (action.action === 'send') return this.#send(agent, action.message);
    const queue = action.direction === 'from-host' ? this.#toAgent : this.#toHost;
    queue[action.action]();
    this.#recordAction({ [action.action]: action.direction });
    this.#wake();
    this.#listeners.call();
  }

  async #send(agent: Transport, given: Readonly<Record<string, unknown>>): Promise<void> {
    const message = this.#requests.sent(given);
    if (message === undefined) throw new SessionActionError('refused', 'no open request has this id');
    this.#recordAction({ send: message['type'] });
    await agent.send(encodeBatch(message as { type: string })).catch((error: unknown) => {
      throw new SessionActionError('refused', `the agent did not accept the message: ${(error as Error).message}`);
    });
    const { request_id: id } = Object(message['response']) as { readonly request_id?: unknown };
    if (message['type'] !== 'control_response' || typeof id !== 'string') return;
    const cancel = incomingOf({ type: 'control_cancel_request', request_id: id });
    this.#forHost.push(cancel);
    this.#wake();
  }

  #recordAction(data: object): void {
    const t = Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    this.#spool.add({ t, notice: 'inspector', data });
  }

  /** Passes on the agent's messages and the messages for the host, unless the direction is held. */
  async *#incoming(recorded: Transport): AsyncGenerator<readonly Incoming[], void> {
    const source = recorded.incoming[Symbol.asyncIterator]();
    let arrived: readonly Incoming[] | undefined;
    let isAsked = false;
    const end: { kind?: 'ended' | 'failed'; error?: unknown } = {};
    const ask = () => {
      isAsked = true;
      source.next().then(
        ({ done, value }) => {
          isAsked = false;
          if (done === true) end.kind = 'ended';
          else arrived = value;
          this.#wake();
        },
        (error: unknown) => {
          Object.assign(end, { kind: 'failed', error });
          this.#wake();
        },
      );
    };
    try {
      for (;;) {
        if (!this.#toHost.isHeld) {
          const given = this.#forHost.splice(0);
          if (given.length > 0) yield given;
          if (arrived !== undefined) {
            const items = arrived.filter((item) => !this.#requests.isAnswered(item));
            arrived = undefined;
            if (items.length > 0) yield items;
            continue;
          }
          if (end.kind === 'ended') return;
          if (end.kind === 'failed') throw end.error;
        }
        // At most one batch waits. So an agent whose direction is held is slowed down, as if the host did not read.
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (!isAsked && arrived === undefined && end.kind === undefined) ask();
        });
      }
    } finally {
      await source.return?.();
    }
  }
}
