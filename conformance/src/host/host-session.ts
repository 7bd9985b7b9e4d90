import { parseJson } from '@proto/core/framing';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import type { RecordingEntry } from '@proto/recording';
import {
  DEFAULT_STEP_MS,
  Inbox,
  isObject,
  type Party,
  type Scope,
  servedAnswer,
  StepFailure,
} from '@proto/testkit/steps';

import { AgentChannel, type HostAct, type StandInOrder } from './agent-channel.ts';
import { type HostLine, HostOutput } from './host-output.ts';

/** A line of the session, or an event of the process. Records list them in the order in which the suite saw them. */
export type RecordedLine =
  | {
      readonly by: 'agent' | 'host';
      readonly at: number;
      readonly message: Readonly<Record<string, unknown>>;
      /** Whether a step wrote the line as text. Such a line need not be a valid message. */
      readonly isText?: boolean;
    }
  | { readonly by: 'host'; readonly at: number; readonly event: string; readonly detail?: unknown };

export type BrokenLine = Extract<HostLine, { spec: string }>;

/**
 * The session of one case, in which the suite is the agent. Its inbox contains the host's messages, and between them what the host did to the
 * process, as `{event: "start", argv}`, `{event: "end-of-input"}`, `{event: "signal", signal}` and `{event: "killed"}`.
 */
export class HostSession implements Party {
  readonly name = 'agent';
  readonly inbox = new Inbox();
  readonly record: RecordedLine[] = [];
  /** What was written, for a recording of the case. */
  readonly written: RecordingEntry[] = [];
  readonly #brokenLines: BrokenLine[] = [];
  /** Called for requests from the host that no `serve` step answers. Returns the answer, or `undefined` to leave the request open. */
  answerOther: (message: Readonly<Record<string, unknown>>) => unknown = () => undefined;
  readonly #output = new HostOutput();
  readonly #started = performance.now();
  readonly #done = new Map<number, () => void>();
  #channel: AgentChannel | undefined;
  #scope: Scope | undefined;
  #isGone = false;
  #reads = true;
  #isOrderedToEnd = false;
  /** The text that steps have written since the last LF. */
  #unfinished = '';

  /** Returns the path of the agent. */
  async open(scope: Scope): Promise<string> {
    this.#scope = scope;
    this.#channel = await AgentChannel.open((act) => this.#seen(act));
    return this.#channel.path;
  }

  get hasStarted(): boolean {
    return this.#channel?.isOpen ?? false;
  }

  get reads(): boolean {
    return this.#reads;
  }

  /** Whether the stand-in's process has ended or was ordered to end. */
  get isEnding(): boolean {
    return this.#isGone || this.#isOrderedToEnd;
  }

  get hasEnded(): boolean {
    return this.record.some((line) => 'event' in line && line.event === 'end-of-input');
  }

  /** Includes an unfinished message. */
  get brokenLines(): readonly BrokenLine[] {
    return [...this.#brokenLines, ...this.#output.unfinished().filter((line) => 'spec' in line)];
  }

  sendText(text: string): Promise<void> {
    this.#noteText(text);
    return this.order({ output: Buffer.from(text) });
  }

  send(message: unknown): Promise<void> {
    return this.sendAll([message]);
  }

  /** Sends messages in one write. */
  sendAll(messages: readonly unknown[]): Promise<void> {
    const lines = messages.map((message) => this.#noteSent(message));
    return this.order({ output: Buffer.from(lines.map((line) => `${line}\n`).join('')) });
  }

  /** Sends a text in writes of a few bytes each, with a pause in milliseconds after each of them. */
  sendPieces(text: string, size: number, every: number): Promise<void> {
    this.#noteText(text);
    const bytes = Buffer.from(text);
    const count = Math.ceil(bytes.length / size);
    const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    return this.order({ pieces, every });
  }

  /**
   * Resolves when the order is carried out, or when the process is gone.
   *
   * @throws {@link StepFailure} if the stand-in cannot continue because the host does not read its output
   */
  async order(order: StandInOrder): Promise<void> {
    if (this.#channel === undefined || this.#isGone) return;
    this.#reads = order.reads ?? this.#reads;
    if (order.exit !== undefined || order.kill !== undefined) {
      this.#isOrderedToEnd = true;
      this.#noteLastLine();
    }
    const number = this.#channel.send(order);
    const limit = DEFAULT_STEP_MS * (this.#scope?.timeoutScale ?? 1);
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new StepFailure(`The host did not read the output of the agent within ${limit} ms.`));
      const timer = setTimeout(late, Math.min(limit, LONGEST_TIMER_MS));
      this.#done.set(number, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    await this.#channel?.close();
  }

  get #now(): number {
    return performance.now() - this.#started;
  }

  #noteSent(message: unknown): string {
    if (isObject(message)) this.#keep({ by: 'agent', at: this.#now, message });
    const line = JSON.stringify(message);
    this.written.push({ t: this.#now, dir: 'from-agent', line });
    return line;
  }

  #keep(line: RecordedLine): void {
    this.record.push(line);
  }

  /** Records the messages among the lines that a text completes. */
  #noteText(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    for (const line of lines) {
      this.written.push({ t: this.#now, dir: 'from-agent', line });
      const message = parse(line);
      if (isObject(message)) this.#keep({ by: 'agent', at: this.#now, message, isText: true });
    }
  }

  #noteLastLine(): void {
    if (this.#unfinished !== '') this.#noteText('\n');
  }

  #seen(act: HostAct): void {
    if (act.kind === 'input') this.#lines(this.#output.push(act.bytes));
    else if (act.kind === 'done') this.#settle(act.order);
    else if (act.kind === 'gone') this.#gone();
    else {
      if (act.kind === 'end-of-input') {
        this.#lines(this.#output.end());
        this.written.push({ t: this.#now, dir: 'from-host', end: true });
      }
      const { kind: event, lateMs, ...detail } = { lateMs: 0, ...act };
      const at = this.#now - lateMs;
      this.#keep({ by: 'host', at, event, detail });
      this.inbox.add({ value: { event, ...detail }, text: event, at }, lateMs);
    }
  }

  #lines(lines: readonly HostLine[]): void {
    for (const line of lines) {
      this.written.push({ t: this.#now, dir: 'from-host', line: line.text });
      if ('spec' in line) this.#brokenLines.push(line);
      else {
        this.#keep({ by: 'host', at: this.#now, message: line.message });
        this.inbox.add({ value: line.message, text: line.text, at: this.#now });
        this.#serve(line.message);
      }
    }
  }

  #serve(message: Readonly<Record<string, unknown>>): void {
    const scope = this.#scope;
    const answer = (scope && servedAnswer(message, scope)) ?? this.answerOther(message);
    // If the host does not read, a step will fail.
    if (answer !== undefined) this.send(answer).catch(() => {});
  }

  #settle(order: number): void {
    this.#done.get(order)?.();
    this.#done.delete(order);
  }

  #gone(): void {
    this.#isGone = true;
    this.#noteLastLine();
    // The bytes after the last LF are a line as well.
    if (this.#unfinished !== '') this.#noteText('\n');
    // A process that ended without an order was killed by a signal that no process can handle.
    const event = this.#isOrderedToEnd ? 'gone' : 'killed';
    this.#keep({ by: 'host', at: this.#now, event });
    this.inbox.add({ value: { event }, text: event, at: this.#now });
    for (const done of this.#done.values()) done();
    this.#done.clear();
    this.inbox.end(this.#isOrderedToEnd ? 'the agent has exited' : 'the host killed the agent');
  }
}

function parse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
