import type { WireMessage } from '@proto/core';
import { type Batch, batchOf, type IncomingLink, relay, type Transport, wrapTransport } from '@proto/core/transport';
import { failedResult, mapIncoming } from '@proto/core/internal';
import type { HeadlessOptions } from '@proto/headless';
import { createOwnTurns, withCancels } from '@proto/remote';
import { Conversation } from './conversation.ts';
import type { HostEnd } from './host-end.ts';
import type { Remote } from './open-remote.ts';
import { PromptEchoes } from './prompt-echoes.ts';
import type { ShimProcess } from './shim-process.ts';
import { onShimSignals } from './shim-signals.ts';
import type { Travelling } from './travelling.ts';

// For what was said and the other side has not taken yet.
const LEAVE_MS = 2000;

/** Stands between one host and one agent that is elsewhere, until one of them is done. */
export class StandIn {
  readonly #agent: Transport;
  readonly #host: HostEnd;
  readonly #here: ShimProcess;
  readonly #remember: (conversation: string) => Promise<void>;
  readonly #turns = createOwnTurns(() => this.#leave());
  readonly #echoes: PromptEchoes;
  readonly #conversation: Conversation;
  #code: number | undefined;
  #lastFailed = false;
  #known: string | undefined;
  #hasSpoken = false;
  #inputEnded = false;
  #isLeaving = false;

  constructor(
    { transport }: Remote,
    options: HeadlessOptions,
    here: ShimProcess,
    given: { host: HostEnd; travelling: Travelling; remember: (conversation: string) => Promise<void> },
  ) {
    this.#agent = transport;
    this.#host = given.host;
    this.#here = here;
    this.#remember = given.remember;
    const { includePartialMessages = false, replayUserMessages = false, permissionPromptTool } = options;
    this.#echoes = new PromptEchoes({ isOn: replayUserMessages, conversation: () => this.#known ?? '' });
    this.#conversation = new Conversation({
      travelling: given.travelling,
      turns: this.#turns,
      echoes: this.#echoes,
      includePartialMessages,
      replayUserMessages,
      tellsState: here.env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] === '1',
      hears: ({ subtype }) => !this.#inputEnded && (subtype !== 'can_use_tool' || permissionPromptTool === 'stdio'),
      answer: (response) => this.#say(response),
      onSpoken: () => (this.#hasSpoken = true),
      onBadLine: (problem) => this.#onBadLine(problem),
      onRefused: (flag, error) => this.#fail(`the agent refused ${flag}: ${error}`),
      onAgentExited: (message) => this.#onAgentExited(message),
      onMessage: (message) => this.#onMessage(message),
    });
  }

  async run(): Promise<number> {
    const unlisten = onShimSignals(this.#here, {
      end: (code) => this.#end(code),
      interrupt: () => this.#interruptLast(),
    });
    const agent = wrapTransport(
      mapIncoming(withCancels(this.#agent), (item) => this.#conversation.fromAgent(item)),
      {
        // The end of the input is no end of the session; when its work is done, the shim leaves.
        end: async () => {},
        send: (batch) => this.#sendPrompts(batch),
      },
    );
    const host = mapIncoming(
      this.#host.transport,
      (item) => this.#conversation.fromHost(item),
      () => this.#onInputEnd(),
    );
    const end = await relay(agent, host, {
      onItem: (from, item) => {
        if (item.kind === 'malformed') this.#complain(`a line of the ${from} is lost`);
        else if (item.kind === 'link') this.#complain(linkText(item));
      },
      // The host would wait for an answer that nobody gives.
      onUndelivered: (to, { message }) => to === 'a' && !this.#isLeaving && this.#fail(`it was not taken: ${message}`),
      lastWords: (of, { error }) => (of === 'a' && error !== undefined ? this.#lastWords(error.message) : undefined),
    });
    unlisten();
    const hasFailed = (end.a.error !== undefined && !this.#isLeaving) || this.#lastFailed;
    return this.#finish(hasFailed ? 1 : 0);
  }

  /** Writes what the formats leave for the end, unless a signal was that. */
  async #finish(code: number): Promise<number> {
    if (this.#code !== undefined && this.#code !== 1) return this.#code;
    const left = await this.#host.finish();
    if (left.stderr !== '') this.#here.stderr.write(left.stderr);
    // Of a stream of lines stdout has ended, and not even an empty text can be written.
    if (left.stdout !== '') this.#here.stdout.write(left.stdout);
    return this.#code ?? (code === 0 ? left.code : code);
  }

  /** What the host says; once that is taken, it hears the echoes that it has asked for. */
  async #sendPrompts(batch: Batch): Promise<void> {
    const taken = this.#echoes.sending();
    await this.#agent.send(batch);
    this.#tell(taken());
  }

  /** What the shim itself says to the host, in order with what it hands on. */
  #tell(messages: readonly WireMessage[]): void {
    if (messages.length > 0) this.#host.transport.send(batchOf(...messages)).catch(() => {});
  }

  #lastWords(reason: string) {
    // Who leaves knows why.
    if (this.#isLeaving) return undefined;
    this.#complain(reason);
    return batchOf(failedResult(`sjp-shim: ${reason}`, this.#known ?? ''));
  }

  #onMessage(message: WireMessage): void {
    const { type, session_id: conversation } = message;
    if (type === 'result') this.#lastFailed = message['is_error'] === true;
    if (type !== 'system' || typeof conversation !== 'string' || conversation === this.#known) return;
    this.#known = conversation;
    this.#remember(conversation).catch(({ message: why }: Error) => this.#complain(`the session is not kept: ${why}`));
  }

  #onAgentExited({ code, stderr, restarting }: WireMessage): void {
    if (restarting === true || (code === 0 && !this.#turns.isWaiting)) return;
    const tail = typeof stderr === 'string' ? stderr.trim() : '';
    const isTold = this.#lastFailed && !this.#turns.isWaiting;
    this.#fail(`the agent exited with code ${JSON.stringify(code)}${tail === '' ? '' : `: ${tail}`}`, isTold);
  }

  #onInputEnd(): void {
    this.#inputEnded = true;
    // Ahead of the check whether all is over: an agent that waits for an answer is not.
    this.#conversation.hostEnded();
    this.#turns.ended();
    if (!this.#hasSpoken) this.#leave();
  }

  /** Ends as an agent does that cannot read on: without a result. What runs elsewhere is stopped. */
  #onBadLine(problem: string): void {
    this.#here.stderr.write(`${problem}\n`);
    this.#end(1);
  }

  /** Ends with an error that its host can read, unless the agent has told it already. */
  #fail(reason: string, isTold = false): void {
    if (this.#code !== undefined) return;
    this.#complain(reason);
    this.#code = 1;
    if (!isTold) this.#tell([failedResult(`sjp-shim: ${reason}`, this.#known ?? '')]);
    this.#leave();
  }

  #leave(): void {
    this.#isLeaving = true;
    void this.#agent.close();
    setTimeout(() => this.#agent.abort(), LEAVE_MS).unref();
  }

  #say(message: WireMessage): void {
    this.#agent.send(batchOf({ ...message, uuid: crypto.randomUUID() })).catch(() => {});
  }

  #complain(text: string): void {
    this.#here.stderr.write(`sjp-shim: ${text}\n`);
  }

  /** What runs elsewhere is stopped. */
  #interrupt(): void {
    const request_id = `sjp-shim-${crypto.randomUUID()}`;
    if (this.#turns.isWaiting) this.#say({ type: 'control_request', request_id, request: { subtype: 'interrupt' } });
  }

  /** Interrupts the turn that it waits for, and leaves behind it. False where it waits for none. */
  #interruptLast(): boolean {
    if (!this.#turns.isWaiting) return false;
    this.#interrupt();
    this.#onInputEnd();
    return true;
  }

  #end(code: number): void {
    this.#code ??= code;
    this.#interrupt();
    this.#leave();
  }
}

function linkText({ state, cause }: IncomingLink): string {
  if (state === 'up') return 'the link to the agent is up again';
  return `the link to the agent is down, trying again: ${cause?.message ?? 'no reason is known'}`;
}
