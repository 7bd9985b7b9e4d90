import { RawClient, type RawFrame } from './raw-client.ts';
import { answerTo, initialize, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** The members of an event of the log that a handwritten viewer receives. */
interface LogEvent {
  readonly sequence_num: number;
  readonly event_type: string;
  readonly source: string;
  readonly payload: { readonly uuid?: unknown; readonly request_id?: string };
}

const BARRED = [401, 403];

/** A handwritten viewer: like the published ones it keeps duplicates, and it learns what happened to its answers. */
export class RawViewer {
  readonly name: string;
  readonly link: Link;
  /** Requests that the viewer received and has not answered. */
  readonly asked: string[] = [];
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #path: string;
  readonly #role: 'driver' | 'approver';
  #client: RawClient;
  #reading: Reading;
  #life = 0;
  #sent = 0;
  #joined = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #posting = 0;
  /** The last answer of the viewer. */
  #answered: { readonly requestId: string; readonly said: Said } | undefined;
  #isBarred = false;

  constructor(world: World, record: SessionRecord, session: string, name: string, role: 'driver' | 'approver') {
    this.name = name;
    this.link = world.link();
    this.#world = world;
    this.#record = record;
    this.#role = role;
    this.#path = `/v1/code/sessions/${session}`;
    [this.#client, this.#reading] = this.#begin(0);
  }

  get settled(): boolean {
    return this.#posting === 0;
  }

  /** Restarts the viewer as another process with the cursor of the process before. */
  restart(): void {
    this.stop();
    if (this.#isBarred) this.#world.rights.revoke(this.name);
    [this.#client, this.#reading] = this.#begin(this.#reading.received.at(-1)?.sequence ?? this.#reading.after);
  }

  stop(): void {
    this.#reading.live = false;
    this.#client.stop();
  }

  /** The token is revoked, or allows only reading. Requests that are in progress when the right is lost end at once. */
  async bar(mayLook: boolean): Promise<void> {
    const { rights } = this.#world;
    if (!(mayLook ? rights.demote(this.name) : rights.revoke(this.name))) return;
    this.#isBarred = true;
    await this.#world.moment();
    if (!mayLook) this.#reading.barredAfter ??= await this.#record.last();
    if (!mayLook) this.#reading.live = false;
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) {
      const [sender, uuid] = [this.#reading.name, crypto.randomUUID()];
      // A viewer without the right is refused, and the messages that it receives later have no gap.
      this.#post({ type: 'user', uuid, sender, ...(!this.#isBarred && { n: ++this.#sent }) });
    }
  }

  answer(): void {
    const requestId = this.asked.shift();
    if (requestId !== undefined) this.#answer(requestId, crypto.randomUUID());
  }

  /** Sends the last answer again, as if no response to that answer had arrived. */
  repeat(): void {
    const { requestId, said } = this.#answered ?? {};
    // A request that was begun without the right does not count as an answer.
    if (requestId !== undefined && said?.outcome !== undefined && !this.#isBarred)
      this.#answer(requestId, said.uuid, said);
  }

  /** Sends another answer to the request answered last, which is certainly too late. */
  answerAgain(): void {
    const { requestId } = this.#answered ?? {};
    if (requestId !== undefined) this.#answer(requestId, crypto.randomUUID());
  }

  /** Joins with `initialize`, which the agent answers to a driver, and the server to an approver. */
  join(): void {
    this.#post(initialize(`${this.name}-joins-${++this.#joined}`, crypto.randomUUID()));
  }

  #answer(requestId: string, uuid: string, before?: Said): void {
    const said = this.#post(answerTo(requestId, uuid), requestId, (outcome) => {
      const isRefused = before !== undefined && before.outcome !== outcome && !this.#isBarred;
      if (isRefused)
        this.#record.problems.push(`${this.name} got the outcome ${outcome} after the outcome ${before.outcome}`);
    });
    this.#answered = { requestId, said };
  }

  #begin(after: number): [RawClient, Reading] {
    this.#isBarred = false;
    const token = this.#world.rights.token(this.name, this.#role);
    const client = new RawClient(this.#world, this.link, this.#path, token);
    const reading = this.#record.read({ name: `${this.name}-${++this.#life}`, kind: 'viewer', after });
    this.#sent = 0;
    this.#posting = 0;
    this.#turn = Promise.resolve();
    // The reports of settled requests and of the progress of the worker. The server sends each report once.
    const reported = new Set<unknown>();
    void client.follow('/events/stream', after, (frame) => this.#onFrame(frame, reading, reported));
    return [client, reading];
  }

  #onFrame({ event, data, first }: RawFrame, reading: Reading, reported: Set<unknown>): void {
    const isGap = data['verdict'] === 'gap' && data['reason'] === 'evicted';
    if (first !== (event === 'resume') || (first && data['verdict'] !== 'ok' && !isGap)) {
      this.#record.problems.push(`${reading.name} did not first receive the report of where its stream starts`);
    } else if (isGap || event === 'catch_up_truncated') {
      reading.gaps.push({ from: Number(data['from']), to: Number(data['to']) });
    } else if (event === 'control_resolved' || event === 'delivery_update') {
      const what = `${event} of ${String(data['request_id'] ?? data['event_id'])}: ${String(data['status'] ?? data['outcome'])}`;
      if (reported.has(what)) this.#record.problems.push(`${reading.name} got a report twice: ${what}`);
      reported.add(what);
    } else if (event === 'client_event') {
      const { sequence_num: sequence, event_type: type, source, payload } = data as unknown as LogEvent;
      reading.received.push({ sequence, uuid: payload.uuid, type });
      if (type === 'control_request' && source === 'worker') this.asked.push(String(payload.request_id));
    }
  }

  #post(
    payload: Pick<Said, 'type' | 'uuid' | 'n'> & { readonly sender?: string },
    requestId?: string,
    onOutcome: (outcome: Said['outcome']) => void = () => {},
  ): Said {
    const { type, uuid, n } = payload;
    const rest = { n, requestId, learnsOutcome: requestId !== undefined, barred: this.#isBarred };
    const said = this.#record.say({ sender: this.#reading.name, uuid, type, ...rest });
    const client = this.#client;
    this.#posting++;
    this.#turn = this.#turn.then(async () => {
      const answer = await client.insist('/events', { events: [{ payload }] });
      if (answer === undefined) return;
      // If the sender of a message has lost the right in the meantime, the message may or may not be stored, because an earlier attempt may have
      // succeeded.
      const isBarred = BARRED.includes(answer.status);
      const [result] = (answer.body['events'] ?? [{ error: answer.status }]) as [{ readonly error?: unknown }];
      if (!isBarred) onOutcome((said.outcome = result.error === undefined ? 'taken' : 'refused'));
      if (client === this.#client) this.#posting--;
    });
    return said;
  }
}
