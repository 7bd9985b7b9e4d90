import { join } from 'node:path';
import type { WireMessage } from '@proto/core';
import { batchOf, relay, type Transport, wrapTransport } from '@proto/core/transport';
import { failedResult, type HeadlessOptions, stateDirectory } from '@proto/headless';
import { createStdioTransport } from '@proto/transport-stdio';
import { createOwnTurns } from '../connect/own-turns.ts';
import { clientToken } from '../network/client-token.ts';
import { mapIncoming } from '../network/map-incoming.ts';
import { createConversation } from './conversation.ts';
import { openRemote, type Remote } from './open-remote.ts';
import { openRemoteSessions } from './remote-sessions.ts';
import { parseShimAddress } from './shim-address.ts';
import type { ShimProcess } from './shim-process.ts';
import { type Travelling, travellingOf } from './travelling.ts';

/** The exit codes of published agents. */
const CODES = { SIGHUP: 129, SIGTERM: 143 } as const;
// For what was said and the other side has not taken yet.
const LEAVE_MS = 2000;

/** Stands for an agent that is elsewhere, until its host or the agent is done. Gives the exit code; rejects where there is no agent. */
export async function runShim(options: HeadlessOptions, here: ShimProcess): Promise<number> {
  const { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE: tokenFile } = here.env;
  if (!url) throw new Error('SJP_SHIM_URL is not set: it says where the agent is, such as https://box.example/v1');
  if (options.inputFormat !== 'stream-json' || options.outputFormat !== 'stream-json') {
    throw new Error('only --input-format and --output-format stream-json work with an agent that is elsewhere');
  }
  const address = parseShimAddress(url);
  const travelling = await travellingOf(options);
  const cwd = here.cwd();
  const place = { hostname: address.hostname, cwd, env: here.env };
  const token = () => clientToken({ tokenFile: tokenFile || undefined, ...place });
  const sessions = openRemoteSessions(join(stateDirectory(cwd, here.env), 'remote-sessions.jsonl'));
  const remote = await openRemote({ address, options, token, sessions, cwd });
  here.stderr.write(noticeOf(address.hostname, travelling));
  const remember = async (conversation: string) => {
    if (remote.session === undefined || address.kind !== 'sessions') return;
    await sessions.remember({ conversation, session: remote.session, base: address.base, cwd });
  };
  if (options.sessionId !== undefined) await remember(options.sessionId);
  return new Shim(remote, options, here, { travelling, remember }).run();
}

/** What a user has to know whose files are not where the agent is. */
function noticeOf(hostname: string, { left }: Travelling): string {
  const flags = left.length === 0 ? '' : ` Not passed on: ${left.join(', ')}.`;
  return `sjp-shim: the agent runs on ${hostname}, with its own working directory, files and MCP servers.${flags}\n`;
}

/** One host, one agent. */
class Shim {
  readonly #agent: Transport;
  readonly #here: ShimProcess;
  readonly #remember: (conversation: string) => Promise<void>;
  readonly #turns = createOwnTurns(() => this.#leave());
  readonly #conversation;
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
    given: { travelling: Travelling; remember: (conversation: string) => Promise<void> },
  ) {
    this.#agent = transport;
    this.#here = here;
    this.#remember = given.remember;
    const { includePartialMessages = false, replayUserMessages = false, permissionPromptTool } = options;
    this.#conversation = createConversation({
      travelling: given.travelling,
      turns: this.#turns,
      includePartialMessages,
      replayUserMessages,
      tellsState: here.env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] === '1',
      hears: ({ subtype }) => !this.#inputEnded && (subtype !== 'can_use_tool' || permissionPromptTool === 'stdio'),
      answer: (response) => this.#say(response),
      onSpoken: () => (this.#hasSpoken = true),
      onMalformed: (reason) => this.#complain(`a line of the host is left out: ${reason}`),
      onRefused: (flag, error) => this.#fail(`the agent refused ${flag}: ${error}`),
      onAgentExited: (message) => this.#onAgentExited(message),
      onMessage: (message) => this.#onMessage(message),
    });
  }

  async run(): Promise<number> {
    const { stdin, stdout } = this.#here;
    const stdio = createStdioTransport({ input: stdin, output: stdout });
    const unlisten = this.#heedSignals();
    const { fromHost, fromAgent } = this.#conversation;
    // The end of the input is no end of the session; when its work is done, the shim leaves.
    const agent = wrapTransport(mapIncoming(this.#agent, fromAgent), { end: async () => {} });
    const host = mapIncoming(stdio, fromHost, () => this.#onInputEnd());
    const end = await relay(agent, host, {
      onItem: (from, item) => item.kind === 'malformed' && this.#complain(`a line of the ${from} is lost`),
      // The host would wait for an answer that nobody gives.
      onUndelivered: (to, { message }) => to === 'a' && !this.#isLeaving && this.#fail(`it was not taken: ${message}`),
      lastWords: (of, { error }) => (of === 'a' && error !== undefined ? this.#lastWords(error.message) : undefined),
    });
    unlisten();
    return this.#code ?? ((end.a.error !== undefined && !this.#isLeaving) || this.#lastFailed ? 1 : 0);
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
    this.#turns.ended();
    if (!this.#hasSpoken) this.#leave();
  }

  /** Ends with an error that its host can read, unless the agent has told it already. */
  #fail(reason: string, isTold = false): void {
    if (this.#code !== undefined) return;
    this.#complain(reason);
    this.#code = 1;
    const result = failedResult(`sjp-shim: ${reason}`, this.#known ?? '');
    if (!isTold) this.#here.stdout.write(`${JSON.stringify(result)}\n`);
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

  #interrupt(): void {
    const request_id = `sjp-shim-${crypto.randomUUID()}`;
    if (this.#turns.isWaiting) this.#say({ type: 'control_request', request_id, request: { subtype: 'interrupt' } });
  }

  /** As published agents do: at once on SIGTERM and SIGHUP, behind the interrupted turn on SIGINT. What runs elsewhere is stopped. */
  #heedSignals(): () => void {
    const end = (code: number) => () => {
      this.#code ??= code;
      this.#interrupt();
      this.#leave();
    };
    let interrupted = false;
    const listeners = {
      SIGTERM: end(CODES.SIGTERM),
      SIGHUP: end(CODES.SIGHUP),
      SIGINT: () => {
        if (interrupted || !this.#turns.isWaiting) return end(0)();
        interrupted = true;
        this.#interrupt();
        this.#onInputEnd();
        return undefined;
      },
    };
    const names = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
    for (const name of names) this.#here.on(name, listeners[name]);
    return () => names.forEach((name) => this.#here.off(name, listeners[name]));
  }
}
