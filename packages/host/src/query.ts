import type { PromptContent } from '@proto/core/internal';
import type { Transport } from '@proto/core/transport';
import type { HostSession, HostSessionOptions } from './host-options.ts';
import { createHostSession } from './host-session.ts';
import { type Launch, type LaunchOptions, agentCommandLine } from './launch.ts';
import { isSettled } from './state/session-tracker.ts';

const DEFAULT_EXIT_GRACE_MS = 10_000;

/** A session over a transport that is there, or one to an agent that is started for it. */
export interface HostOptions extends HostSessionOptions {
  /** The way to the agent, or what makes it, such as a function that spawns it with these arguments and variables. */
  readonly transport: Transport | ((launch: Launch) => Transport);
  /** How the agent is started, where `transport` starts it. What the session needs is added. */
  readonly launch?: LaunchOptions;
}

/** A user message with what belongs to it, such as its `uuid`, `priority` or `shouldQuery`. */
export interface PromptMessage {
  readonly content: PromptContent;
  readonly [member: string]: unknown;
}

/** What is asked, of whom, and how. */
export interface QueryOptions extends HostOptions {
  /** One prompt, or one after the other as they come. */
  readonly prompt: PromptContent | AsyncIterable<PromptContent | PromptMessage>;
  /**
   * How the prompt gets to the agent. `argument`: on its command line, where other users of the machine can read it; the agent then
   * reads nothing, so that it can neither be controlled nor ask. `query` throws `too-large` for a prompt of 8 KiB or more.
   * Default `input`.
   */
  readonly promptBy?: 'input' | 'argument';
  /**
   * How long the agent may take to exit when it has nothing left to do and its input has ended, in milliseconds. The session is closed
   * after that, which is no error. Default 10 000.
   */
  readonly exitGraceMs?: number;
}

/**
 * Asks an agent, and gives the session with it: iterate it for the messages; its methods control the agent meanwhile. The input stays
 * open until the agent is idle behind the last prompt and its background tasks are over, and ends by itself then; the iteration ends
 * with the agent's output.
 */
export function query({
  prompt,
  promptBy = 'input',
  exitGraceMs = DEFAULT_EXIT_GRACE_MS,
  ...options
}: QueryOptions): HostSession {
  const isArgument = promptBy === 'argument';
  let isInputEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const host = openHost({
    ...options,
    ...(isArgument && { hasInput: false, launch: { ...options.launch, prompt: argumentOf(prompt, options) } }),
    onState(state) {
      watch();
      options.onState?.(state);
    },
  });
  /** An agent that has done everything and does not leave is left. */
  function watch(): void {
    clearTimeout(timer);
    if (isInputEnded && isSettled(host.state) && exitGraceMs < 2 ** 31)
      timer = setTimeout(() => void host.close(), exitGraceMs);
  }
  void (isArgument ? host.endInput() : feed(host, prompt)).then(() => {
    isInputEnded = true;
    watch();
  });
  void host.closed.then(() => clearTimeout(timer));
  return host;
}

/** Opens a session, runs a function with it once the agent has answered, and closes the session whatever happens. */
export async function withHost<T>(options: HostOptions, run: (host: HostSession) => T | Promise<T>): Promise<T> {
  const host = openHost(options);
  try {
    await host.initialized;
    return await run(host);
  } finally {
    // What the function gave or threw counts, not what closing met.
    await host.close().catch(() => {});
  }
}

function openHost({ transport, launch = {}, ...options }: HostOptions): HostSession {
  options.signal?.throwIfAborted();
  const opened = typeof transport === 'function' ? transport(agentCommandLine(completed(launch, options))) : transport;
  return createHostSession(opened, options);
}

/** The flags that follow from what the host serves and sends. */
function completed(launch: LaunchOptions, options: HostSessionOptions): LaunchOptions {
  const { canUseTool, onTranscriptMirror, initialize } = options;
  const { permissionPromptTool, model, fallbackModel } = launch;
  if (canUseTool !== undefined && permissionPromptTool !== undefined) {
    throw new TypeError('canUseTool and permissionPromptTool: one of them decides');
  }
  if (model !== undefined && fallbackModel?.includes(model)) throw new TypeError('fallbackModel is the model itself');
  return {
    ...(canUseTool && { permissionPromptTool: 'stdio' }),
    ...(onTranscriptMirror && { sessionMirror: true }),
    ...((initialize?.mcpServers ?? initialize?.plugins) && { awaitInitialize: true }),
    ...launch,
  };
}

/** A prompt that can be an argument, of a session that has nothing else to say. */
function argumentOf(prompt: QueryOptions['prompt'], options: HostOptions): string {
  const { transport, canUseTool, hooks, mcpServers, onElicitation, dialogs, initialize } = options;
  if (typeof prompt !== 'string') throw new TypeError('promptBy argument: the prompt is not one text');
  if (typeof transport !== 'function') throw new TypeError('promptBy argument: the agent is started already');
  const said = { canUseTool, hooks, mcpServers, onElicitation, dialogs, initialize };
  const [name] = Object.entries(said).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined)
    throw new TypeError(`promptBy argument: the agent reads nothing, and ${name} needs its input`);
  return prompt;
}

async function feed(host: HostSession, prompt: QueryOptions['prompt']): Promise<void> {
  const prompts = typeof prompt === 'object' && Symbol.asyncIterator in prompt ? prompt : [prompt];
  try {
    for await (const next of prompts) {
      const isMessage = typeof next === 'object' && 'content' in next;
      const { content, ...members } = isMessage ? next : { content: next };
      await host.prompt(content, members).accepted;
    }
    await host.endInput();
  } catch (error) {
    // A session that is over tells so to who iterates it; what the program's own prompts throw ends it.
    if (!host.signal.aborted) host.abort(error);
  }
}
