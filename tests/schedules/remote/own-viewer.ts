import { batchOf, type Transport } from '@proto/core/transport';
import { createSseTransport } from '@proto/transport-sse';
import { answerTo, type Reading, type Said, type SessionRecord } from './session-record.ts';
import { BASE, type Link, type World } from './world.ts';

/** A viewer by our own transport; another process goes on from the cursor that the one before has offered. */
export class OwnViewer {
  readonly name: string;
  readonly link: Link;
  readonly asked: string[] = [];
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #session: string;
  #transport: Transport;
  #reading: Reading;
  #life = 0;
  #sent = 0;
  #open = 0;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
    this.link = world.link();
    this.#world = world;
    this.#record = record;
    this.#session = session;
    [this.#transport, this.#reading] = this.#begin(0);
  }

  get settled(): boolean {
    return this.#open === 0;
  }

  restart(): void {
    const cursor = Number(this.#transport.resumption?.cursor ?? this.#reading.after);
    this.stop();
    [this.#transport, this.#reading] = this.#begin(cursor);
  }

  stop(): void {
    this.#reading.live = false;
    this.#transport.abort();
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

  #begin(after: number): [Transport, Reading] {
    const { clock, timing } = this.#world;
    const transport = createSseTransport({
      url: `${BASE}/v1/code/sessions/${this.#session}`,
      credential: () => this.#world.token,
      fetch: this.link.fetch,
      clock,
      random: () => 0.5,
      baseMs: timing.retryMs,
      capMs: timing.retryMs * 20,
      silenceMs: timing.silenceMs,
      postTimeoutMs: timing.answerMs,
      connectTimeoutMs: timing.answerMs,
      maxDownMs: Infinity,
      maxOpeningMs: Infinity,
      ...(after > 0 && { cursor: String(after) }),
    });
    const reading = this.#record.read({ name: `${this.name}-${++this.#life}`, kind: 'own viewer', after });
    this.#sent = this.#open = 0;
    void this.#read(transport, reading).catch((error: unknown) => {
      if (reading.live) this.#record.problems.push(`${reading.name} ended: ${String(error)}`);
    });
    return [transport, reading];
  }

  async #read(transport: Transport, reading: Reading): Promise<void> {
    for await (const items of transport.incoming) {
      for (const item of items) {
        // What is handed out behind its end is nobody's any more.
        if (!reading.live) return;
        if (item.kind === 'malformed' || (item.kind === 'link' && item.resumed === false)) {
          this.#record.problems.push(`${reading.name} was handed ${JSON.stringify(item)}`);
        }
        if (item.kind !== 'message' || item.cursor === undefined) continue;
        const { uuid, type, request_id: requestId } = item.read().message ?? { type: 'none' };
        reading.heard.push({ sequence: Number(item.cursor), uuid, type });
        transport.resumption?.acknowledge(item.cursor);
        if (type === 'control_request') this.asked.push(String(requestId));
      }
    }
  }

  #send(messages: readonly { readonly type: string }[], said: readonly Said[]): void {
    const reading = this.#reading;
    for (const one of said) this.#record.say(one);
    this.#open++;
    void this.#transport.send(batchOf(...messages)).then(
      () => {
        for (const one of said) one.outcome = 'taken';
        if (reading.live) this.#open--;
      },
      (error: unknown) => {
        if (reading.live) this.#record.problems.push(`${reading.name} could not send: ${String(error)}`);
      },
    );
  }
}
