import { type Batch, flattenIncoming, type Transport } from '@proto/core/transport';
import { createPieceDecoder, inheritEnvironment, spawnAgent, type SpawnAgentOptions } from '@proto/transport-stdio';
import type { AgentBackend, RunOptions } from '../backends/backend.ts';
import { buildInvocation, type Invocation } from '../backends/build-invocation.ts';
import type { AgentEvent, SessionResult } from '../events/agent-event.ts';
import { dispatch, type StreamHandler } from '../events/dispatch.ts';
import { readEvents, type ReadOptions } from '../events/read-events.ts';
import type { ExitInfo } from '../parsers/output-parser.ts';

/** How to run a program. */
export interface SpawnBackendOptions
  extends ReadOptions,
    Pick<SpawnAgentOptions, 'closeGraceMs' | 'killGraceMs' | 'maxStderrTailBytes' | 'onStderr' | 'installHint'> {
  /** What to start. Default: what `buildInvocation` makes of the backend and the options. */
  readonly invocation?: Invocation;
  /** The environment, to which the backend adds its own. Default: `inheritEnvironment()` of `@proto/transport-stdio`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the program: SIGTERM, and after `killGraceMs` SIGKILL. What it still says is read; the run then was `aborted`. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a backend and gives its events, as `readEvents` does; the program starts with the loop and has left when it ends. Throws
 * what `spawnAgent` opens with when there is nothing to start. Leaving the loop early ends the program.
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
    createDecoder: createPieceDecoder,
    ...(cwd !== undefined && { cwd }),
  });
  const exit = agent.closed.then(({ process: end }): ExitInfo => {
    const { exitCode = null, signal: endedBy = null, stderrTail = '' } = end ?? {};
    return { exitCode, signal: endedBy, stderrTail, aborted: signal?.aborted ?? false };
  });
  // It has its whole input, so the end of that would tell it nothing.
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

/** Its stdin is closed in any case: many agents wait for the end of it. */
async function prompt(agent: Transport, text: string | null): Promise<void> {
  // One that does not read it all tells why by its output and its exit.
  if (text !== null && text !== '') await agent.send(asItIs(text)).catch(() => {});
  await agent.end();
}

function asItIs(text: string): Batch {
  return { count: 1, text, *messages() {} };
}

async function* pieces(agent: Transport): AsyncGenerator<string, void, undefined> {
  try {
    for await (const item of flattenIncoming(agent.incoming)) if (item.kind === 'message') yield item.text;
  } catch {
    // A bad exit, which `closed` tells with all there is to know of it.
  } finally {
    // One that says no more has nothing left to do.
    void agent.close();
  }
}

/** Runs a backend for one prompt and calls a handler for each of its events; gives how it ended, when the program has left. */
export function runBackend(
  backend: AgentBackend,
  options: RunOptions,
  handler: StreamHandler = {},
  spawning: SpawnBackendOptions = {},
): Promise<SessionResult> {
  return dispatch(spawnBackend(backend, options, spawning), handler);
}
