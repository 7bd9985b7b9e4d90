import type { WireMessage } from '@proto/core/framing';
import { type Cursor, encodeBatch, isResumable, type Transport } from '@proto/core/transport';
import { readAll, sequenceOf } from './own-transport.ts';
import type { MakeViewer } from './own-ways.ts';
import { answerTo, type Reading, type Said, type SessionRecord } from './session-record.ts';
import { Unproved } from './unproved.ts';
import type { Link, World } from './world.ts';

/** A viewer with our own transport. A restarted viewer continues after the cursor of the process before. */
export class OwnViewer {
  readonly name: string;
  readonly link: Link;
  readonly asked: string[] = [];
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #session: string;
  readonly #make: MakeViewer;
  #unproved = new Unproved();
  #transport: Transport;
  #reading: Reading;
  /** Set while the viewer does not read from its transport. */
  #busy: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #life = 0;
  #sent = 0;
  #open = 0;

  constructor(world: World, record: SessionRecord, session: string, name: string, make: MakeViewer) {
    this.name = name;
    this.#make = make;
    this.link = world.link();
    this.#world = world;
    this.#record = record;
    this.#session = session;
    [this.#transport, this.#reading] = this.#begin('0');
  }

  get settled(): boolean {
    return this.#open === 0 && this.#unproved.prove(this.#transport) === 0;
  }

  restart(): void {
    const { received, after, name } = this.#reading;
    const acknowledged = isResumable(this.#transport) ? this.#transport.resumption.cursor : undefined;
    const cursor = acknowledged ?? String(after);
    const sequence = sequenceOf(cursor);
    const last = received.at(-1)?.sequence ?? after;
    if (sequence > last)
      this.#record.problems.push(`${name} resumes after event ${sequence}, but has received events up to ${last}`);
    this.stop();
    [this.#transport, this.#reading] = this.#begin(cursor);
  }

  stop(): void {
    this.#unproved.prove(this.#transport);
    this.#reading.live = false;
    this.#transport.abort();
  }

  /** Stops reading from the transport, or starts again. */
  take(yes: boolean): void {
    if (yes) this.#busy?.end();
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#busy = yes ? undefined : (this.#busy ?? { over, end });
  }

  say(count: number): void {
    const sender = this.#reading.name;
    const messages = Array.from({ length: count }, () => ({
      type: 'user',
      uuid: crypto.randomUUID(),
      sender,
      n: ++this.#sent,
    }));
    this.#send(
      messages,
      messages.map(({ type, uuid, n }) => ({ sender, type, uuid, n })),
    );
  }

  answer(): void {
    const requestId = this.asked.shift();
    if (requestId === undefined) return;
    const uuid = crypto.randomUUID();
    const said = { sender: this.#reading.name, type: 'control_response', uuid, requestId };
    this.#send([answerTo(requestId, uuid)], [said]);
  }

  #begin(cursor: Cursor): [Transport, Reading] {
    const after = sequenceOf(cursor);
    const transport = this.#make(this.#world, this.link, this.#session, { name: this.name, cursor });
    const reading = this.#record.read({ name: `${this.name}-${++this.#life}`, kind: 'own viewer', after });
    this.#sent = this.#open = 0;
    this.#unproved = new Unproved();
    this.take(true);
    const onMessage = ({ type, uuid, request_id: id }: WireMessage, sequence: number) => {
      reading.received.push({ sequence, uuid, type });
      if (type === 'control_request') this.asked.push(String(id));
    };
    void readAll(transport, reading, this.#record, onMessage, () => this.#busy?.over).catch((error: unknown) => {
      if (reading.live) this.#record.problems.push(`${reading.name} ended: ${String(error)}`);
    });
    return [transport, reading];
  }

  #send(messages: readonly { readonly type: string }[], said: readonly Said[]): void {
    const reading = this.#reading;
    for (const one of said) this.#record.say(one);
    this.#open++;
    void this.#transport.send(encodeBatch(...messages)).then(
      () => {
        if (!reading.live) return;
        this.#unproved.add(said);
        this.#open--;
      },
      (error: unknown) => {
        if (reading.live) this.#record.problems.push(`${reading.name} could not send: ${String(error)}`);
      },
    );
  }
}
