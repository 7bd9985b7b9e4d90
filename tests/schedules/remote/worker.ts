import type { WireMessage } from '@proto/core/framing';
import type { Lease } from './own-ways.ts';
import { RawClient } from './raw-client.ts';
import { initialized, permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** A worker that a schedule controls: its messages are numbered, and recorded when they are to be sent. */
export abstract class Worker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  abstract readonly settled: boolean;
  protected readonly record: SessionRecord;
  protected readonly client: RawClient;
  protected epoch = 0;
  readonly #session: string;
  /** Events that the link has delivered and the worker has not handled. */
  readonly #unseen: WireMessage[] = [];
  /** Requests of the worker without an answer that the worker has handled. */
  readonly #waitsFor = new Map<string, object>();
  #sent = 0;
  #asked = 0;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
    this.link = world.link();
    this.record = record;
    this.#session = session;
    this.client = new RawClient(world, this.link, `/v1/code/sessions/${session}`, world.rights.token('owner'));
    this.reading = record.read({ name, kind: 'worker', after: 0 });
  }

  /** Whether the worker knows that another worker has the lease. */
  get over(): boolean {
    return !this.reading.live;
  }

  stop(): void {
    this.reading.live = false;
    this.client.stop();
  }

  say(count: number): void {
    this.#say(Array.from({ length: count }, () => ({ type: 'assistant' })));
  }

  ask(): void {
    const request = permission(`${this.name}-${++this.#asked}`);
    this.#waitsFor.set(request.request_id, request);
    this.#say([request]);
  }

  /** Withdraws the last request. */
  takeBack(): void {
    const requestId = `${this.name}-${this.#asked}`;
    if (this.#waitsFor.delete(requestId)) this.#say([{ type: 'control_cancel_request', request_id: requestId }]);
  }

  /** Handles the delivered events in order until a client wants an answer, which lists the requests that are open at that point. */
  answer(): void {
    for (let next = this.#unseen.shift(); next !== undefined; next = this.#unseen.shift()) {
      if (next.type === 'control_response') {
        this.#waitsFor.delete(String((next['response'] as { request_id?: unknown } | undefined)?.request_id));
      } else if (next.type === 'control_request') {
        const mark = `${this.name}-${this.#sent}`;
        return this.#say([initialized(String(next['request_id']), mark, [...this.#waitsFor.values()])]);
      }
    }
  }

  /** Sends a partial message, which nobody has to receive. */
  increment(): void {
    this.#say([{ type: 'stream_event' }]);
  }

  /** Sends two messages with a partial message in between, all at once. */
  stream(): void {
    this.#say([{ type: 'assistant' }, { type: 'stream_event' }, { type: 'assistant' }]);
  }

  /** Reports that it has processed all events it received. */
  abstract done(): void;

  /** Sends messages at once if the worker has a lease, after those that wait. Partial messages are recorded as undefined. */
  protected abstract send(messages: readonly WireMessage[], said: readonly (Said | undefined)[]): void;

  protected onEvent(sequence: number, message: WireMessage): void {
    const { uuid, type } = message;
    this.reading.received.push({ sequence, uuid, type });
    this.#unseen.push(message);
  }

  /** Notes that another worker has claimed the lease: later confirmations and reports of this worker do not count. */
  protected get isOut(): boolean {
    return this.record.newestEpoch > this.epoch;
  }

  /** Claims a lease until the server grants one. Returns undefined if the worker was stopped before. */
  protected async claimLease(): Promise<Lease | undefined> {
    const answer = await this.client.insist('/bridge', {});
    if (answer === undefined) return undefined;
    const { worker_jwt: token, worker_epoch: epoch } = answer.body as { worker_jwt: string; worker_epoch: number };
    this.epoch = epoch;
    return { session: this.#session, token, epoch };
  }

  #say(messages: readonly WireMessage[]): void {
    const numbered = messages.map((message) => {
      const [sender, uuid] = [this.name, crypto.randomUUID()];
      if (isIncrement(message)) return { message: { ...message, uuid }, said: undefined };
      const n = ++this.#sent;
      const said = this.record.say({ sender, n, uuid, type: message.type });
      return { message: { ...message, uuid, sender, n }, said };
    });
    this.send(
      numbered.map(({ message }) => message),
      numbered.map(({ said }) => said),
    );
  }
}

/** Returns whether a message is partial: it need not arrive, and must not be stored. */
export function isIncrement({ type }: WireMessage): boolean {
  return type === 'stream_event';
}
