import { checkDurations, setTimer, type Timer } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import { isResumable, type Transport } from '@proto/core/transport';
import type { HostSession, HostSessionOptions } from './host-options.ts';
import { type OpenedSession, openSession } from './host-session.ts';
import { type AgentCommand, type LaunchOptions, agentCommandLine } from './launch.ts';
import { isSettled } from './state/session-tracker.ts';

const DEFAULT_EXIT_GRACE_MS = 10_000;

/** How to open a session: over an existing transport, or with an agent that is started for the session. */
export interface HostOptions extends HostSessionOptions {
  /** The transport to the agent, or a function that creates it, for example by starting the agent with the given arguments and variables. */
  readonly transport: Transport | ((launch: AgentCommand) => Transport);
  /** How the agent is started, if `transport` is a function. The flags that the session needs are added automatically. */
  readonly launch?: LaunchOptions;
}

/** The content of a prompt, with further members of its user message, such as `uuid`, `priority` or `shouldQuery`. */
export interface PromptMessage {
  readonly content: PromptContent;
  readonly [member: string]: unknown;
}

/** The options of `query`: the prompts, and the options of the session that sends them. */
export interface QueryOptions extends HostOptions {
  /** One prompt, or an iterable of prompts. Each prompt is sent when the iterable yields it. */
  readonly prompt: PromptContent | AsyncIterable<PromptContent | PromptMessage>;
  /**
   * How the prompt is sent to the agent. With `argument`, the prompt is on the agent's command line, where other users of the machine can read it.
   * Such an agent reads no input, so it cannot be controlled and cannot send requests. `query` throws `too-large` for a prompt of 8 KiB or more.
   * Default `input`.
   */
  readonly sendPromptVia?: 'input' | 'argument';
  /**
   * How long the agent may take to exit after its work is done and its input has ended, in milliseconds. After this time the session is closed
   * without an error. With `Infinity`, the session waits without a limit. Default 10 000. Over a transport that resumes (`isResumable`), the default
   * is 0, because such an agent may keep running after its host disconnects.
   */
  readonly exitGraceMs?: number;
}

/**
 * Sends prompts to an agent, and returns the session. Iterate the session to receive messages, and use its methods to control the agent. The agent's
 * input stays open until the agent is idle after the last prompt and its background tasks are over. The iteration ends when the agent's output ends.
 *
 * @example
 * ```ts
 * import { query } from '@proto/host';
 * import { stdio } from '@proto/transport-stdio';
 *
 * for await (const message of query({ prompt: 'Which files are here?', transport: stdio('claude') })) {
 *   if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
 * }
 * ```
 *
 * @throws {TypeError} if options contradict each other. Throws `options.signal.reason` if the signal is already aborted.
 */
export function query({ prompt, sendPromptVia = 'input', exitGraceMs, ...options }: QueryOptions): HostSession {
  if (exitGraceMs !== undefined) checkDurations({ exitGraceMs });
  const isArgument = sendPromptVia === 'argument';
  let isInputEnded = false;
  let isClosed = false;
  let timer: Timer | undefined;
  const host = openHost({
    ...options,
    ...(isArgument && { oneShot: true, launch: { ...options.launch, prompt: promptArgumentOf(prompt, options) } }),
    onState(state) {
      watch();
      options.onState?.(state);
    },
  });
  /** Closes the session if the agent has done its work and does not exit. */
  function watch(): void {
    timer?.clear();
    if (isClosed || !isInputEnded || !isSettled(host.state)) return;
    // The agent of a remote session keeps running after its host has left, so waiting for its exit would never end.
    const graceMs = exitGraceMs ?? (isResumable(host.transport) ? 0 : DEFAULT_EXIT_GRACE_MS);
    timer = setTimer(() => void host.close(), graceMs);
  }
  void (isArgument ? host.endInput() : feed(host, prompt)).then(() => {
    isInputEnded = true;
    watch();
  });
  void host.closed.then(() => {
    isClosed = true;
    timer?.clear();
  });
  return host;
}

/**
 * Opens a session, runs a function with the session once the agent has answered `initialize`, and closes the session even if the function throws.
 * Rejects with the function's error if the function throws. Also rejects if the agent does not answer.
 *
 * @example
 * ```ts
 * import { withHost } from '@proto/host';
 * import { stdio } from '@proto/transport-stdio';
 *
 * await withHost({ transport: stdio('claude') }, async (host) => {
 *   for (const prompt of ['Which files are here?', 'Which of them is the largest?']) {
 *     await host.prompt(prompt).accepted;
 *     for await (const message of host.untilResult()) console.log(message.type);
 *   }
 * });
 * ```
 */
export async function withHost<T>(options: HostOptions, run: (host: HostSession) => T | Promise<T>): Promise<T> {
  const host = openHost(options);
  try {
    await host.initialized;
    return await run(host);
  } finally {
    // The result or the error of the function has priority, so an error while closing is ignored.
    await host.close().catch(() => {});
  }
}

function openHost({ transport, launch = {}, ...options }: HostOptions): OpenedSession {
  options.signal?.throwIfAborted();
  const opened =
    typeof transport === 'function' ? transport(agentCommandLine(withNeededFlags(launch, options))) : transport;
  return openSession(opened, options);
}

function withNeededFlags(launch: LaunchOptions, options: HostSessionOptions): LaunchOptions {
  const { canUseTool, onTranscriptMirror, initialize } = options;
  const { permissionPromptTool, model, fallbackModel } = launch;
  if (canUseTool !== undefined && permissionPromptTool !== undefined) {
    throw new TypeError('canUseTool and permissionPromptTool cannot be used together: give only one of them');
  }
  if (model !== undefined && fallbackModel?.includes(model))
    throw new TypeError('fallbackModel must differ from model');
  return {
    ...(canUseTool && { permissionPromptTool: 'stdio' }),
    ...(onTranscriptMirror && { sessionMirror: true }),
    ...((initialize?.mcpServers ?? initialize?.plugins) && { awaitInitialize: true }),
    ...launch,
  };
}

function promptArgumentOf(prompt: QueryOptions['prompt'], options: HostOptions): string {
  const { transport, canUseTool, hooks, mcpServers, onElicitation, dialogs, initialize } = options;
  if (typeof prompt !== 'string')
    throw new TypeError("with sendPromptVia 'argument' the prompt must be a single string");
  if (typeof transport !== 'function')
    throw new TypeError(
      "sendPromptVia 'argument' needs a transport that is a function: the agent of the given transport is already running",
    );
  const said = { canUseTool, hooks, mcpServers, onElicitation, dialogs, initialize };
  const [name] = Object.entries(said).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined)
    throw new TypeError(`with sendPromptVia 'argument' the agent reads no input, but ${name} needs the input`);
  return prompt;
}

async function feed(host: OpenedSession, prompt: QueryOptions['prompt']): Promise<void> {
  const prompts = typeof prompt === 'object' && Symbol.asyncIterator in prompt ? prompt : [prompt];
  try {
    for await (const next of prompts) {
      const isMessage = typeof next === 'object' && 'content' in next;
      const { content, ...members } = isMessage ? next : { content: next };
      await host.prompt(content, members).accepted;
    }
    await host.endInput();
  } catch (error) {
    // If the session is over, its iteration throws the reason. An error from the program's own prompts ends the session, but a prompt that is
    // refused because the program closes the session does not interrupt the close.
    if (!host.signal.aborted && !host.isLeft) host.abort(error);
  }
}
