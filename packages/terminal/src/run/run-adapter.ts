import {
  type AgentBackend,
  buildInvocation,
  type Invocation,
  type ReadOptions,
  toProtoMessages,
} from '@proto/adapters';
import { spawnBackend } from '@proto/adapters/node';
import { inheritEnvironment } from '@proto/transport-stdio';
import type { RunEnd } from './exit-code.ts';
import type { RunProgramOptions } from './run-agent.ts';
import { watchRun } from './watch-run.ts';

/** Which agent is run, and how its program is started. */
export interface RunAdapterOptions extends RunProgramOptions {
  readonly backend: AgentBackend;
  readonly invocation: Invocation;
  readonly onMalformed: NonNullable<ReadOptions['onMalformed']>;
}

/**
 * How a backend is started on a prompt: its own program, or the command that stands for it, with the flags of its format behind.
 * Throws `TypeError` where it cannot be.
 */
export function adapterInvocation(backend: AgentBackend, [command, ...args]: readonly string[], prompt: string) {
  const own = command === undefined ? backend : { ...backend, command };
  const invocation = buildInvocation(own, { prompt, partial: true });
  return { ...invocation, args: [...args, ...invocation.args] };
}

/**
 * Runs an agent with a format of its own on one prompt; its output becomes messages of the protocol. Nothing can be said to it on its
 * way, so that whatever stops it ends its program. Fulfils when that is gone.
 */
export async function runAdapter(options: RunAdapterOptions): Promise<Omit<RunEnd, 'refused'>> {
  const { backend, invocation, cwd, prompt, onMessage, onStderr, onMalformed } = options;
  const env = inheritEnvironment(options.variables?.([invocation.command]) ?? {}, options.env);
  const abort = new AbortController();
  const stop = () => abort.abort();
  const watch = watchRun(options, { interrupt: stop, close: stop, kill: stop });
  const spawning = { invocation: { ...invocation, cwd }, env, onStderr, onMalformed, signal: abort.signal };
  const startedAt = performance.now();
  let result: RunEnd['result'];
  let error: unknown;
  try {
    for await (let message of toProtoMessages(spawnBackend(backend, { prompt, partial: true }, spawning))) {
      if (message.type === 'result') {
        // Many do not tell it, which is 0.
        message = { ...message, duration_ms: message['duration_ms'] || Math.round(performance.now() - startedAt) };
        result = message;
      }
      await watch.hearing(() => onMessage(message));
    }
  } catch (thrown) {
    error = thrown;
  }
  watch.leave();
  return { result, error, stopped: watch.stopped };
}
