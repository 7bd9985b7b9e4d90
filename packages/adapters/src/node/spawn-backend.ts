import { type Batch, flattenIncoming, type Transport } from '@proto/core/transport';
import { createRawDecoder, inheritEnvironment, spawnAgent, type SpawnAgentOptions } from '@proto/transport-stdio';
import type { AgentBackend, RunOptions } from '../backends/backend.ts';
import { buildInvocation, type Invocation } from '../backends/build-invocation.ts';
import type { AgentEvent, SessionResult } from '../events/agent-event.ts';
import { dispatch, type StreamHandler } from '../events/dispatch.ts';
import { readEvents, type ReadOptions } from '../events/read-events.ts';
import type { ExitInfo } from '../parsers/output-parser.ts';

/** How to run a backend's program. */
export interface SpawnBackendOptions
  extends ReadOptions,
    Pick<SpawnAgentOptions, 'closeGraceMs' | 'killGraceMs' | 'maxStderrTailBytes' | 'onStderr' | 'installHint'> {
  /** The command to start. Default: `buildInvocation(backend, options)`. */
  readonly invocation?: Invocation;
  /** The environment of the program. The backend adds its own variables. Default: `inheritEnvironment()` of `@proto/transport-stdio`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * When this signal aborts, the program receives SIGTERM, and SIGKILL after `killGraceMs`. The last output is still read, and the run ends with the
   * reason `aborted`.
   */
  readonly signal?: AbortSignal;
}

/**
 * Starts a backend and yields its events, like `readEvents`. The program starts when the iteration starts, and has exited when the iteration ends.
 * Leaving the loop early terminates the program.
 * @throws {AgentNotFoundError} or another error of `spawnAgent` if the program cannot be started.
 */
export async function* spawnBackend(
  backend: AgentBackend,
  options: RunOptions,
  spawning: SpawnBackendOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const { invocation = buildInvocation(backend, options), env = inheritEnvironment(), signal, ...limits } = spawning;
  signal?.throwIfAborted();
  const { command, args, cwd, stdin } = invocation;
  const agent = spawnAgent({
    ...limits,
    command,
    args,
    env: { ...env, ...invocation.env },
    createDecoder: createRawDecoder,
    ...(cwd !== undefined && { cwd }),
  });
  const exit = agent.closed.then(({ process: end }): ExitInfo => {
    const { exitCode = null, signal: endedBy = null, stderrTail = '' } = end ?? {};
    return { exitCode, signal: endedBy, stderrTail, aborted: signal?.aborted ?? false };
  });
  // The program has already received its whole input, so closing stdin would not end it.
  const onAbort = () => agent.child.terminate();
  signal?.addEventListener('abort', onAbort);
  try {
    await agent.opened;
    void prompt(agent, stdin);
    yield* readEvents(backend, options, pieces(agent), exit, limits);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    agent.child.terminate();
    await agent.closed;
  }
}

async function prompt(agent: Transport, text: string | null): Promise<void> {
  // If a program does not read the whole prompt, its output and its exit status show the reason.
  if (text !== null && text !== '') await agent.send(rawBatch(text)).catch(() => {});
  // stdin is closed even without a prompt, because many agents wait for its end.
  await agent.end();
}

function rawBatch(text: string): Batch {
  return { count: 1, text, *messages() {} };
}

async function* pieces(agent: Transport): AsyncGenerator<string, void, undefined> {
  try {
    for await (const item of flattenIncoming(agent.incoming)) if (item.kind === 'message') yield item.text;
  } catch {
    // The program failed; `closed` describes the failure in full.
  } finally {
    // A program that has closed its output has no more work to do.
    void agent.close();
  }
}

/** Runs a backend for one prompt, and calls a handler for each event. Returns the result of the run after the program has exited. */
export function runBackend(
  backend: AgentBackend,
  options: RunOptions,
  handler: StreamHandler = {},
  spawning: SpawnBackendOptions = {},
): Promise<SessionResult> {
  return dispatch(spawnBackend(backend, options, spawning), handler);
}
