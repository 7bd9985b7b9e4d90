import type { WireMessage } from '@proto/core/framing';
import type { Seat } from './own-ways.ts';
import { RawClient } from './raw-client.ts';
import { permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** A worker as a schedule steers it: what it says is numbered, and taken down when it is to say it. */
export abstract class Worker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  abstract readonly settled: boolean;
  protected readonly record: SessionRecord;
  protected readonly client: RawClient;
  readonly #session: string;
  #sent = 0;
  #asked = 0;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
    this.link = world.link();
    this.record = record;
    this.#session = session;
    this.client = new RawClient(world, this.link, `/v1/code/sessions/${session}`);
    this.reading = record.read({ name, kind: 'worker', after: 0 });
  }

  /** It knows that another one has the seat. */
  get over(): boolean {
    return !this.reading.live;
  }

  stop(): void {
    this.reading.live = false;
    this.client.stop();
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) this.#say({ type: 'assistant' });
  }

  ask(): void {
    this.#say(permission(`${this.name}-${++this.#asked}`));
  }

  /** Takes back what it asked last. */
  takeBack(): void {
    if (this.#asked > 0) this.#say({ type: 'control_cancel_request', request_id: `${this.name}-${this.#asked}` });
  }

  /** Says something that nobody has to hear. */
  abstract increment(): void;

  /** Tells that it is done with all it heard. */
  abstract done(): void;

  /** Says it when there is a seat, behind what was to be said before. */
  protected abstract send(message: WireMessage, said: Said): void;

  /** Asks for a seat until there is one; undefined where it is put away before. */
  protected async takeSeat(): Promise<Seat | undefined> {
    const answer = await this.client.insist('/bridge', {});
    if (answer === undefined) return undefined;
    const { worker_jwt: token, worker_epoch: epoch } = answer.body as { worker_jwt: string; worker_epoch: number };
    return { session: this.#session, token, epoch };
  }

  protected async noteSeat({ epoch }: Seat): Promise<void> {
    this.record.seats.push({ epoch, behind: (await this.record.last()).last });
  }

  #say(message: WireMessage): void {
    const { type } = message;
    const said = this.record.say({ sender: this.name, n: ++this.#sent, uuid: crypto.randomUUID(), type });
    const { sender, n, uuid } = said;
    this.send({ ...message, uuid, sender, n }, said);
  }
}
