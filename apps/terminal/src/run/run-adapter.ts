import {
  type AgentBackend,
  buildInvocation,
  type Invocation,
  type ReadOptions,
  toProtoMessages,
} from '@proto/adapters';
import { spawnBackend } from '@proto/adapters/node';
import { inheritEnvironment } from '@proto/transport-stdio';
import type { RunEnd } from '../process/exit-code.ts';
import type { RunProgramOptions } from './run-agent.ts';
import { killGraceOf, watchRun } from './watch-run.ts';

/** Which agent to run, and how to start its program. */
export interface RunAdapterOptions extends RunProgramOptions {
  readonly backend: AgentBackend;
  readonly invocation: Invocation;
  readonly onMalformed: NonNullable<ReadOptions['onMalformed']>;
}

/**
 * Builds the command line for a prompt: the given command or otherwise the backend's program, followed by the flags of the format.
 *
 * @throws TypeError if the program of the backend does not accept this prompt on its command line.
 */
export function adapterInvocation(backend: AgentBackend, [command, ...args]: readonly string[], prompt: string) {
  const own = command === undefined ? backend : { ...backend, command };
  const invocation = buildInvocation(own, { prompt, partial: true });
  return { ...invocation, args: [...args, ...invocation.args] };
}

/**
 * Runs an agent that does not use the protocol on one prompt, and converts its output to protocol messages. Such an agent accepts no input while it
 * runs, so every kind of stop ends its program. Fulfils when the program has ended.
 */
export async function runAdapter(options: RunAdapterOptions): Promise<Omit<RunEnd, 'refused'>> {
  const { backend, invocation, cwd, prompt, onMessage, onStderr, onMalformed } = options;
  const env = inheritEnvironment(options.variables?.([invocation.command]) ?? {}, options.env);
  const abort = new AbortController();
  const stop = () => abort.abort();
  const watch = watchRun(options, { interrupt: stop, close: stop, terminate: stop, kill: stop });
  const killGraceMs = killGraceOf(options);
  const spawning = {
    invocation: { ...invocation, cwd },
    env,
    onStderr,
    onMalformed,
    signal: abort.signal,
    ...(killGraceMs !== undefined && { killGraceMs }),
  };
  const startedAt = performance.now();
  let result: RunEnd['result'];
  let error: unknown;
  try {
    for await (let message of toProtoMessages(spawnBackend(backend, { prompt, partial: true }, spawning))) {
      if (message.type === 'result') {
        // Many agents do not report how long a turn took.
        message = { ...message, duration_ms: message['duration_ms'] || Math.round(performance.now() - startedAt) };
        result = message;
      }
      await watch.pausing(() => onMessage(message));
    }
  } catch (thrown) {
    error = thrown;
  }
  watch.leave();
  return { result, error, stopped: watch.stopped };
}
