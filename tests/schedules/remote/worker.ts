import type { WireMessage } from '@proto/core/framing';
import type { Lease } from './own-ways.ts';
import { RawClient } from './raw-client.ts';
import { initialized, permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** A worker as a schedule steers it: what it says is numbered, and taken down when it is to say it. */
export abstract class Worker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  abstract readonly settled: boolean;
  protected readonly record: SessionRecord;
  protected readonly client: RawClient;
  protected epoch = 0;
  readonly #session: string;
  /** What its link has brought and it has not looked at. */
  readonly #unseen: WireMessage[] = [];
  /** What it asked, and has not seen an answer to. */
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

  /** It knows that another one has the lease. */
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

  /** Takes back what it asked last. */
  takeBack(): void {
    const requestId = `${this.name}-${this.#asked}`;
    if (this.#waitsFor.delete(requestId)) this.#say([{ type: 'control_cancel_request', request_id: requestId }]);
  }

  /** Looks at what has come, one after the other, until there is something to answer: with what it waits for as far as it has looked. */
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

  /** Says something that nobody has to hear. */
  increment(): void {
    this.#say([{ type: 'stream_event' }]);
  }

  /** Says that between two messages, all at once. */
  stream(): void {
    this.#say([{ type: 'assistant' }, { type: 'stream_event' }, { type: 'assistant' }]);
  }

  /** Tells that it is done with all it heard. */
  abstract done(): void;

  /** Says them at once when there is a lease, behind what was to be said before. What is taken down of increments is undefined. */
  protected abstract send(messages: readonly WireMessage[], said: readonly (Said | undefined)[]): void;

  protected hear(sequence: number, message: WireMessage): void {
    const { uuid, type } = message;
    this.reading.heard.push({ sequence, uuid, type });
    this.#unseen.push(message);
  }

  /** It is known that another one has claimed the lease: what this one proves or marks from now on says nothing. */
  protected get isOut(): boolean {
    return this.record.newestEpoch > this.epoch;
  }

  /** Asks for a lease until there is one; undefined where it is put away before. */
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

/** Whether it need not arrive, and is not to be kept. */
export function isIncrement({ type }: WireMessage): boolean {
  return type === 'stream_event';
}
