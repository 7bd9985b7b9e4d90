import { RawClient } from './raw-client.ts';
import { answerTo, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** A viewer by hand: it drops nothing that comes twice, as the published ones, and it is told what became of its answers. */
export class RawViewer {
  readonly name: string;
  readonly link: Link;
  /** Requests it was asked and has not answered. */
  readonly asked: string[] = [];
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #path: string;
  #client: RawClient;
  #reading: Reading;
  #life = 0;
  #sent = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #posting = 0;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
    this.link = world.link();
    this.#world = world;
    this.#record = record;
    this.#path = `/v1/code/sessions/${session}`;
    [this.#client, this.#reading] = this.#begin(0);
  }

  get settled(): boolean {
    return this.#posting === 0;
  }

  /** Another process, that has the cursor of the one before. */
  restart(): void {
    this.stop();
    [this.#client, this.#reading] = this.#begin(this.#reading.heard.at(-1)?.sequence ?? this.#reading.after);
  }

  stop(): void {
    this.#reading.live = false;
    this.#client.stop();
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) {
      const [sender, uuid] = [this.#reading.name, crypto.randomUUID()];
      const message = { type: 'user', uuid, sender, n: ++this.#sent };
      this.#post(message);
    }
  }

  answer(): void {
    const requestId = this.asked.shift();
    if (requestId !== undefined) this.#post(answerTo(requestId, crypto.randomUUID()), requestId);
  }

  #begin(after: number): [RawClient, Reading] {
    const client = new RawClient(this.#world, this.link, this.#path);
    const reading = this.#record.read({ name: `${this.name}-${++this.#life}`, kind: 'viewer', after });
    this.#sent = 0;
    this.#posting = 0;
    this.#turn = Promise.resolve();
    // How requests ended, and how far the worker is: each is said once.
    const told = new Set<unknown>();
    void client.follow('/events/stream', after, ({ event, data, first }) => {
      if (first !== (event === 'resume') || (first && data['verdict'] !== 'ok')) {
        this.#record.problems.push(`${reading.name} was not told first that nothing is missing`);
      } else if (event === 'control_resolved' || event === 'delivery_update') {
        const what = `${event} of ${String(data['request_id'] ?? data['event_id'])}: ${String(data['status'] ?? data['outcome'])}`;
        if (told.has(what)) this.#record.problems.push(`${reading.name} was told twice: ${what}`);
        told.add(what);
      } else if (event === 'client_event') {
        const {
          sequence_num: sequence,
          event_type: type,
          payload,
        } = data as { sequence_num: number; event_type: string; payload: { uuid?: unknown; request_id?: string } };
        reading.heard.push({ sequence, uuid: payload.uuid, type });
        if (type === 'control_request') this.asked.push(String(payload.request_id));
      }
    });
    return [client, reading];
  }

  #post(payload: Pick<Said, 'type' | 'uuid' | 'n'> & object, requestId?: string): void {
    const { type, uuid, n } = payload;
    const rest = { ...(n !== undefined && { n }), ...(requestId !== undefined && { requestId, tellsAnswer: true }) };
    const said = this.#record.say({ sender: this.#reading.name, uuid, type, ...rest });
    const client = this.#client;
    this.#posting++;
    this.#turn = this.#turn.then(async () => {
      const answer = await client.insist('/events', { events: [{ payload }] });
      if (answer === undefined) return;
      const [result] = answer.body['events'] as [{ readonly error?: unknown }] | [];
      said.outcome = result?.error === undefined ? 'taken' : 'refused';
      if (client === this.#client) this.#posting--;
    });
  }
}
