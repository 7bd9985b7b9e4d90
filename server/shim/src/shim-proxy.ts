import type { WireMessage } from '@proto/core/framing';
import { failedResult, mapIncoming, type RelayOptions } from '@proto/core/internal';
import {
  type Batch,
  encodeBatch,
  type IncomingLink,
  relay,
  type Transport,
  wrapTransport,
} from '@proto/core/transport';
import { createOwnTurns, withCancels } from '@proto/remote';
import { Conversation } from './conversation.ts';
import type { ForwardedOptions } from './forwarded-options.ts';
import type { HostSide } from './host-side.ts';
import { PromptEchoes } from './prompt-echoes.ts';
import type { ShimOptions } from './shim-options.ts';

// How long the other side may take to read what was sent, when the shim ends.
const LEAVE_MS = 2000;

/** Both sides of a shim, and its command-line options. */
export interface ShimProxyOptions {
  readonly shim: ShimOptions;
  readonly agent: Transport;
  readonly host: HostSide;
  readonly forwarded: ForwardedOptions;
  /** Stores which conversation the session contains. */
  readonly remember: (conversation: string) => Promise<void>;
}

/** Connects one host with one remote agent until one of them has finished. */
export class ShimProxy {
  readonly #options: ShimProxyOptions;
  readonly #turns = createOwnTurns(() => this.#leave());
  readonly #echoes: PromptEchoes;
  readonly #conversation: Conversation;
  #code: number | undefined;
  #lastFailed = false;
  #known: string | undefined;
  #hasSpoken = false;
  #inputEnded = false;
  #isLeaving = false;

  constructor(options: ShimProxyOptions) {
    this.#options = options;
    const { shim, forwarded } = options;
    const { includePartialMessages = false, replayUserMessages = false, permissionPromptTool } = shim.options;
    this.#echoes = new PromptEchoes({ isOn: replayUserMessages, conversation: () => this.#known ?? '' });
    this.#conversation = new Conversation({
      forwarded,
      turns: this.#turns,
      echoes: this.#echoes,
      includePartialMessages,
      replayUserMessages,
      sendsState: shim.readsSessionState,
      canAnswer: ({ subtype }) => !this.#inputEnded && (subtype !== 'can_use_tool' || permissionPromptTool === 'stdio'),
      answer: (response) => this.#sendToAgent(response),
      onSpoken: () => (this.#hasSpoken = true),
      onBadLine: (problem) => this.#onBadLine(problem),
      onRefused: (flag, error) => this.#fail(`the agent refused ${flag}: ${error}`),
      onAgentExited: (message) => this.#onAgentExited(message),
      onMessage: (message) => this.#onMessage(message),
    });
  }

  /** Connects the two sides until both have ended. Fulfils with a preliminary exit code. Call `finish` with this code to get the final exit code. */
  async run(): Promise<number> {
    const { agent, host } = this.#options;
    const agentSide = wrapTransport(
      mapIncoming(withCancels(agent), (item) => this.#conversation.fromAgent(item)),
      {
        // The end of the input does not end the session: the shim exits when the agent has finished its work.
        end: async () => {},
        send: (batch) => this.#sendPrompts(batch),
      },
    );
    const hostSide = mapIncoming(
      host.transport,
      (item) => this.#conversation.fromHost(item),
      () => this.#onInputEnd(),
    );
    const end = await relay(agentSide, hostSide, this.#relayOptions());
    const hasFailed = (end.a.error !== undefined && !this.#isLeaving) || this.#lastFailed;
    return hasFailed ? 1 : 0;
  }

  /** Writes the output that was collected for the end, unless a signal ended the shim. Fulfils with the exit code. */
  async finish(code: number): Promise<number> {
    if (this.#code !== undefined && this.#code !== 1) return this.#code;
    const { shim, host } = this.#options;
    const left = await host.finish();
    if (left.stderr !== '') shim.onStderr(left.stderr);
    // If the output is a stream of lines, stdout has already ended and does not accept even an empty text.
    if (left.stdout !== '') shim.stdout.write(left.stdout);
    return this.#code ?? (code === 0 ? left.code : code);
  }

  /** Exits with an exit code, and interrupts the turn that the host is waiting for. */
  end(code: number): void {
    this.#code ??= code;
    this.#interrupt();
    this.#leave();
  }

  /** Interrupts the turn that the host is waiting for, and exits when that turn is over. Returns false if the host is not waiting for a turn. */
  interruptLast(): boolean {
    if (!this.#turns.isWaiting) return false;
    this.#interrupt();
    this.#onInputEnd();
    return true;
  }

  /** The callbacks of the relay: `a` is the agent, `b` the host. */
  #relayOptions(): RelayOptions {
    return {
      onItem: (from, item) => {
        if (item.kind === 'malformed') this.#complain(`a line from the ${from === 'a' ? 'agent' : 'host'} was lost`);
        else if (item.kind === 'link') this.#complain(linkText(item));
      },
      // If the connection did not end, the host would wait for an answer that never arrives.
      onUndelivered: (to, { message }) =>
        to === 'a' && !this.#isLeaving && this.#fail(`the server did not accept the message: ${message}`),
      finalMessages: (of, { error }) =>
        of === 'a' && error !== undefined ? this.#finalMessage(error.message) : undefined,
    };
  }

  /** Sends the host's messages. When the agent has accepted the messages, sends the host the requested echoes. */
  async #sendPrompts(batch: Batch): Promise<void> {
    const taken = this.#echoes.sending();
    await this.#options.agent.send(batch);
    this.#sendToHost(taken());
  }

  /** Sends the shim's own messages to the host, in order with the agent's messages. */
  #sendToHost(messages: readonly WireMessage[]): void {
    if (messages.length > 0) this.#options.host.transport.send(encodeBatch(...messages)).catch(() => {});
  }

  #finalMessage(reason: string): Batch | undefined {
    // If the host made the shim exit, the host already knows why.
    if (this.#isLeaving) return undefined;
    this.#complain(reason);
    return encodeBatch(failedResult(`sjp-shim: ${reason}`, this.#known ?? ''));
  }

  #onMessage(message: WireMessage): void {
    const { type, session_id: conversation } = message;
    if (type === 'result') this.#lastFailed = message['is_error'] === true;
    if (type !== 'system' || typeof conversation !== 'string' || conversation === this.#known) return;
    this.#known = conversation;
    this.#options
      .remember(conversation)
      .catch(({ message: why }: Error) => this.#complain(`the session will not be stored: ${why}`));
  }

  #onAgentExited({ code, stderr, restarting }: WireMessage): void {
    if (restarting === true || (code === 0 && !this.#turns.isWaiting)) return;
    const tail = typeof stderr === 'string' ? stderr.trim() : '';
    const isReported = this.#lastFailed && !this.#turns.isWaiting;
    this.#fail(`the agent exited with code ${JSON.stringify(code)}${tail === '' ? '' : `: ${tail}`}`, isReported);
  }

  #onInputEnd(): void {
    this.#inputEnded = true;
    // The open requests are refused first, because an agent that waits for an answer has not finished.
    this.#conversation.hostEnded();
    this.#turns.ended();
    if (!this.#hasSpoken) this.#leave();
  }

  /** Exits without a result, like an agent that cannot read its input, and interrupts the remote agent. */
  #onBadLine(problem: string): void {
    this.#options.shim.onStderr(`${problem}\n`);
    this.end(1);
  }

  /** Ends with a failed result for the host, unless the agent has already sent one. */
  #fail(reason: string, isReported = false): void {
    if (this.#code !== undefined) return;
    this.#complain(reason);
    this.#code = 1;
    if (!isReported) this.#sendToHost([failedResult(`sjp-shim: ${reason}`, this.#known ?? '')]);
    this.#leave();
  }

  #leave(): void {
    const { agent } = this.#options;
    this.#isLeaving = true;
    void agent.close();
    setTimeout(() => agent.abort(), LEAVE_MS).unref();
  }

  #sendToAgent(message: WireMessage): void {
    this.#options.agent.send(encodeBatch({ ...message, uuid: crypto.randomUUID() })).catch(() => {});
  }

  #complain(text: string): void {
    this.#options.shim.onStderr(`sjp-shim: ${text}\n`);
  }

  #interrupt(): void {
    const request_id = `sjp-shim-${crypto.randomUUID()}`;
    if (this.#turns.isWaiting)
      this.#sendToAgent({ type: 'control_request', request_id, request: { subtype: 'interrupt' } });
  }
}

function linkText({ state, cause }: IncomingLink): string {
  if (state === 'up') return 'the link to the agent is up again';
  return `the link to the agent is down, trying again: ${cause?.message ?? 'the reason is unknown'}`;
}
