import { RawClient, type RawFrame } from './raw-client.ts';
import { answerTo, initialize, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

/** What a viewer by hand is told of an event of the log. */
interface Told {
  readonly sequence_num: number;
  readonly event_type: string;
  readonly source: string;
  readonly payload: { readonly uuid?: unknown; readonly request_id?: string };
}

const BARRED = [401, 403];

/** A viewer by hand: it drops nothing that comes twice, as the published ones, and it is told what became of its answers. */
export class RawViewer {
  readonly name: string;
  readonly link: Link;
  /** Requests it was asked and has not answered. */
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
  /** What it has answered last. */
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

  /** Another process, that has the cursor of the one before. */
  restart(): void {
    this.stop();
    if (this.#isBarred) this.#world.rights.revoke(this.name);
    [this.#client, this.#reading] = this.#begin(this.#reading.heard.at(-1)?.sequence ?? this.#reading.after);
  }

  stop(): void {
    this.#reading.live = false;
    this.#client.stop();
  }

  /** Its token is good no more, or for looking on alone; whatever was under way as it lost the right ends by that. */
  async bar(mayLook: boolean): Promise<void> {
    const { rights } = this.#world;
    if (!(mayLook ? rights.demote(this.name) : rights.revoke(this.name))) return;
    this.#isBarred = true;
    await this.#world.moment();
    if (!mayLook) this.#reading.barredBehind ??= await this.#record.last();
    if (!mayLook) this.#reading.live = false;
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) {
      const [sender, uuid] = [this.#reading.name, crypto.randomUUID()];
      // Who has no right is refused, and what follows has no gap then.
      this.#post({ type: 'user', uuid, sender, ...(!this.#isBarred && { n: ++this.#sent }) });
    }
  }

  answer(): void {
    const requestId = this.asked.shift();
    if (requestId !== undefined) this.#answer(requestId, crypto.randomUUID());
  }

  /** The answer that it gave last once more, as if nothing had come back for it. */
  repeat(): void {
    const { requestId, said } = this.#answered ?? {};
    // What was begun without the right to is no answer.
    if (requestId !== undefined && said?.outcome !== undefined && !this.#isBarred)
      this.#answer(requestId, said.uuid, said);
  }

  /** Another answer to what it has answered, which comes too late for sure. */
  answerAgain(): void {
    const { requestId } = this.#answered ?? {};
    if (requestId !== undefined) this.#answer(requestId, crypto.randomUUID());
  }

  /** Joins as a client, which a driver asks of the agent, and an approver of the server. */
  join(): void {
    this.#post(initialize(`${this.name}-joins-${++this.#joined}`, crypto.randomUUID()));
  }

  #answer(requestId: string, uuid: string, before?: Said): void {
    const said = this.#post(answerTo(requestId, uuid), requestId, (outcome) => {
      const isRefused = before !== undefined && before.outcome !== outcome && !this.#isBarred;
      if (isRefused) this.#record.problems.push(`${this.name} was told ${outcome} of what was ${before.outcome}`);
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
    // How requests ended, and how far the worker is: each is said once.
    const told = new Set<unknown>();
    void client.follow('/events/stream', after, (frame) => this.#hear(frame, reading, told));
    return [client, reading];
  }

  #hear({ event, data, first }: RawFrame, reading: Reading, told: Set<unknown>): void {
    const isGap = data['verdict'] === 'gap' && data['reason'] === 'evicted';
    if (first !== (event === 'resume') || (first && data['verdict'] !== 'ok' && !isGap)) {
      this.#record.problems.push(`${reading.name} was not told first what is missing`);
    } else if (isGap || event === 'catch_up_truncated') {
      reading.gaps.push({ from: Number(data['from']), to: Number(data['to']) });
    } else if (event === 'control_resolved' || event === 'delivery_update') {
      const what = `${event} of ${String(data['request_id'] ?? data['event_id'])}: ${String(data['status'] ?? data['outcome'])}`;
      if (told.has(what)) this.#record.problems.push(`${reading.name} was told twice: ${what}`);
      told.add(what);
    } else if (event === 'client_event') {
      const { sequence_num: sequence, event_type: type, source, payload } = data as unknown as Told;
      reading.heard.push({ sequence, uuid: payload.uuid, type });
      if (type === 'control_request' && source === 'worker') this.asked.push(String(payload.request_id));
    }
  }

  #post(
    payload: Pick<Said, 'type' | 'uuid' | 'n'> & { readonly sender?: string },
    requestId?: string,
    onOutcome: (outcome: Said['outcome']) => void = () => {},
  ): Said {
    const { type, uuid, n } = payload;
    const rest = { n, requestId, tellsAnswer: requestId !== undefined, barred: this.#isBarred };
    const said = this.#record.say({ sender: this.#reading.name, uuid, type, ...rest });
    const client = this.#client;
    this.#posting++;
    this.#turn = this.#turn.then(async () => {
      const answer = await client.insist('/events', { events: [{ payload }] });
      if (answer === undefined) return;
      // What becomes of a message whose sender has lost his rights meanwhile is open: an earlier attempt may have been served.
      const isBarred = BARRED.includes(answer.status);
      const [result] = (answer.body['events'] ?? [{ error: answer.status }]) as [{ readonly error?: unknown }];
      if (!isBarred) onOutcome((said.outcome = result.error === undefined ? 'taken' : 'refused'));
      if (client === this.#client) this.#posting--;
    });
    return said;
  }
}
