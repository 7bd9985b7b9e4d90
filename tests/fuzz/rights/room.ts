import { nameOf } from '../server/accounts.ts';
import { type Answer, jsonOf, type RequestOptions } from '../server/send-request.ts';
import { type FuzzSession, newSession, patiently, type Lease } from '../server/session.ts';
import type { FuzzServer } from '../server/start-server.ts';
import { resultsOf } from './entry-results.ts';
import { type Finding, fixed, Marks, shortened } from './marks.ts';
import { MEDIA, type Medium, type Message, readEvents, readSocket, type StreamReader } from './stream-reader.ts';

/** An acknowledged message, which must be in the log once. */
interface Kept {
  readonly step: string;
  readonly eventId: string;
  readonly payload: unknown;
  readonly source: 'client' | 'worker';
  readonly sender?: string | undefined;
  /** The body that contained the message, if that is useful to know. */
  readonly written?: string;
}

/** A session with a worker in one of its modes and readers of every kind, and a record of everything that was sent. */
export class Room {
  readonly server: FuzzServer;
  readonly session: FuzzSession;
  readonly medium: Medium;
  readonly marks: Marks;
  readonly findings: Finding[] = [];
  readonly kept: Kept[] = [];
  readonly readers: readonly StreamReader[];
  lease: Lease;
  agent: StreamReader;
  /** Sends a line of the worker, if its medium is a WebSocket. */
  #sayLine: ((text: string) => Promise<void>) | undefined;
  #answered = 0;
  #count = 0;
  #numbered = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    session: FuzzSession,
    medium: Medium,
    lease: Lease,
    agent: StreamReader,
    readers: readonly StreamReader[],
  ) {
    this.server = session.server;
    this.session = session;
    this.medium = medium;
    this.marks = new Marks(session.number);
    this.lease = lease;
    this.agent = agent;
    this.readers = readers;
  }

  static async open(server: FuzzServer, medium: Medium): Promise<Room> {
    const session = await newSession(server);
    const lease = await session.claimLease();
    const { sockets, path } = session;
    const stream = `${server.url}${path}/events/stream`;
    const readers = await Promise.all([
      readEvents('an event stream of the driver', stream, session.token('driver')),
      readEvents('an event stream of the viewer', stream, session.token('viewer')),
      ...MEDIA.slice(1).map((kind) =>
        readSocket(`a ${kind} WebSocket of the viewer`, sockets.viewer, kind, session.token('viewer')),
      ),
      readSocket('a WebSocket of the approver', sockets.viewer, 'bare', session.token('approver')),
    ]);
    const room = new Room(session, medium, lease, readers[0], readers);
    await room.followAsAgent();
    room.#timer = setInterval(() => void room.#answerAsAgent(), 5);
    return room;
  }

  /** The stream of the worker with the lease. */
  async followAsAgent(): Promise<void> {
    const { session, lease, medium } = this;
    if (medium === 'sse') {
      this.agent = await readEvents('the agent', `${this.server.url}${session.path}/worker/events/stream`, lease.token);
    } else {
      const reader = await readSocket('the agent', session.sockets.worker, medium, lease.token);
      this.#sayLine = async (text) => {
        await reader.socket.say(text);
        // A line that the server has not read is not acknowledged, and may be lost with the link.
        await reader.socket.proved();
      };
      this.agent = reader;
    }
    this.#answered = 0;
    if (![200, 101].includes(this.agent.status))
      this.found('setup', 'the worker may not read its stream', String(this.agent.status));
  }

  found(step: string, kind: string, detail: string): void {
    this.findings.push({ kind, step, detail: shortened(detail) });
  }

  /** Returns a unique word. */
  unique(): string {
    return `${fixed(this.session.number)}-${fixed(this.#count++)}`;
  }

  /** Posts events of an account. A server error is a finding. */
  async post(
    step: string,
    role: 'viewer' | 'approver' | 'driver',
    options: RequestOptions,
    path = '/events',
  ): Promise<Answer> {
    const answer = await patiently(() => this.session.request(path, { token: this.session.token(role), ...options }));
    this.unlessFailed(step, answer);
    return answer;
  }

  unlessFailed(step: string, { status, text }: Answer): void {
    if (status === undefined || status >= 500) this.found(step, `the server answers ${status ?? 'nothing'}`, text);
  }

  /** Sends a plain prompt of the driver, which must be accepted. */
  async driverSays(step: string, message: Message): Promise<void> {
    const answer = await this.post(step, 'driver', { body: JSON.stringify({ events: [{ payload: message }] }) });
    this.mustBeKept(step, answer, [message], 'client', nameOf('driver', this.session.number));
  }

  /** Sends a message of the worker, which must be stored whatever a client did before. */
  async workerSays(step: string, message: Message): Promise<void> {
    if (this.#sayLine !== undefined) {
      const text = JSON.stringify(message);
      await this.#sayLine(this.medium === 'bare' ? `${text}\n` : `{"id":${++this.#numbered},"data":${text}}\n`);
      this.kept.push({ step, eventId: '', payload: message, source: 'worker' });
      return;
    }
    const body = JSON.stringify({ worker_epoch: this.lease.epoch, events: [{ payload: message }] });
    const answer = await this.asWorker(step, '/worker/events', { body });
    this.mustBeKept(step, answer, [message], 'worker');
  }

  async asWorker(step: string, path: string, options: RequestOptions): Promise<Answer> {
    const answer = await patiently(() => this.session.request(path, { token: this.lease.token, ...options }));
    this.unlessFailed(step, answer);
    return answer;
  }

  /** Records what an answer acknowledges, which must include each of these messages. */
  mustBeKept(
    step: string,
    answer: Answer,
    payloads: readonly unknown[],
    source: 'client' | 'worker',
    sender?: string,
  ): void {
    const results = resultsOf(answer);
    payloads.forEach((payload, index) => {
      const { event_id: eventId, sequence_num, duplicate, error } = results[index] ?? {};
      if (eventId !== undefined && sequence_num !== undefined && duplicate === false) {
        this.kept.push({ step, eventId, payload, source, sender });
      } else {
        const what = duplicate === true ? 'is called a duplicate' : `is refused (${error?.type ?? answer.status})`;
        this.found(
          step,
          `an allowed message of the ${source === 'worker' ? 'worker' : 'driver'} ${what}`,
          `${JSON.stringify(payload)}\n    ${answer.text}`,
        );
      }
    });
  }

  /** Sends a permission request of the worker. Returns its id once readers have received the request. */
  async ask(step: string): Promise<string> {
    const requestId = `ask-${this.unique()}`;
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: `toolu-${requestId}` };
    await this.workerSays(step, { type: 'control_request', request_id: requestId, request, uuid: `asks-${requestId}` });
    const [driver] = this.readers as [StreamReader];
    if (!(await driver.until(() => driver.text.includes(`asks-${requestId}`)))) {
      this.found(step, 'a message of the worker does not arrive', requestId);
    }
    return requestId;
  }

  /** Sends a last message and waits for all readers: all earlier messages have arrived then. */
  async fence(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      const text = this.marks.allow();
      await this.driverSays('the end', {
        type: 'user',
        uuid: `fence-${this.unique()}`,
        message: { role: 'user', content: text },
      });
      for (const reader of [this.agent, ...this.readers]) {
        if (!(await reader.until(() => reader.text.includes(text)))) {
          this.found('the end', `a prompt does not arrive at ${reader.name}`, reader.text.slice(-500));
        }
      }
    }
  }

  /** Returns all events of the log, as the driver reads them. */
  async log(): Promise<{ readonly events: readonly Message[]; readonly text: string }> {
    const events: Message[] = [];
    let text = '';
    for (let after = '0'; ; ) {
      const page = await patiently(() =>
        this.session.request(`/events?after=${after}&limit=1000`, {
          method: 'GET',
          token: this.session.token('driver'),
        }),
      );
      this.unlessFailed('the end', page);
      text += page.text;
      const { data = [], next_cursor } = jsonOf(page) as { data?: readonly Message[]; next_cursor?: string | null };
      events.push(...data);
      if (typeof next_cursor !== 'string') return { events, text };
      after = next_cursor;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const reader of [this.agent, ...this.readers]) reader.close();
  }

  /** Answers each request of a client, as an agent does. */
  async #answerAsAgent(): Promise<void> {
    const messages = this.agent.messages;
    const news = messages.slice(this.#answered);
    this.#answered = messages.length;
    for (const { type, request_id } of news) {
      if (type !== 'control_request') continue;
      const response = { subtype: 'success', request_id, response: { commands: [], models: [] } };
      await this.workerSays('an answer of the agent', {
        type: 'control_response',
        response,
        uuid: `agent-${this.unique()}`,
      });
    }
  }
}
