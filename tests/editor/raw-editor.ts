import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What tests read without a check: a missing member fails the test. */
// oxlint-disable-next-line no-explicit-any
type Unchecked = any;

/** A message of JSON-RPC, as it arrived. */
export interface RawMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Unchecked;
  readonly result?: Unchecked;
  readonly error?: { readonly code: unknown; readonly message: unknown };
}

/** An editor that starts a program and exchanges lines with it, without a library that would hide what the program sends. */
export class RawEditor {
  /** Everything that the program has written so far. */
  readonly messages: RawMessage[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #bytes: Buffer[] = [];
  #rest = '';
  #lastId = 0;
  readonly #waiting = new Set<() => void>();

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.resume();
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#bytes.push(bytes);
      const lines = (this.#rest + bytes.toString('latin1')).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as RawMessage);
    });
  }

  /** Sends a request, and returns its answer. */
  async request(method: string, params: object, id: unknown = (this.#lastId += 1)): Promise<RawMessage> {
    this.#send({ id, method, params });
    return this.until((message) => message.method === undefined && message.id === id);
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Returns the first message that fits, once it has arrived. */
  async until(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Returns the updates of a session. */
  updates(sessionId: unknown): readonly RawMessage[] {
    return this.messages.filter(
      ({ method, params }) => method === 'session/update' && params?.['sessionId'] === sessionId,
    );
  }

  /** Closes the input, and returns all bytes of the output when the program has ended. */
  async close(): Promise<Buffer> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
    return Buffer.concat(this.#bytes);
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(message: RawMessage): void {
    this.messages.push(message);
    // Each permission is refused, and nothing else is offered to the agent.
    if (message.method === 'session/request_permission')
      this.#send({ id: message.id, result: { outcome: { outcome: 'cancelled' } } });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
