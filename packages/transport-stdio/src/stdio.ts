import { inheritEnvironment } from './agent-environment.ts';
import { type SpawnedAgent, spawnAgent } from './spawn-agent.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';

/** The flags and the variables that a host adds to the command of an agent. */
export interface AddedToCommand {
  /** Appended to the arguments of the command. */
  readonly args?: readonly string[];
  /** Variables that are set in the environment of the agent. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Describes an agent that communicates over its stdin and stdout. Pass the result as `transport` to `query` or `withHost`, which start the agent with
 * the flags that the session needs. Calling `stdio` itself starts nothing. See `spawnAgent` for how the agent is found, which environment it
 * inherits, and how it ends.
 *
 * @example
 * ```ts
 * import { query } from '@proto/host';
 * import { stdio } from '@proto/transport-stdio';
 *
 * const session = query({ prompt: 'Which files are here?', transport: stdio('claude', { cwd: '/srv/project' }) });
 * ```
 *
 * @param command A path, or a name that is looked up on the PATH and in the folders where installers put agents. A shell is never used.
 * @returns A function that starts the agent. Each call starts another process.
 */
export function stdio(
  command: string,
  options: Omit<SpawnAgentOptions, 'command'> = {},
): (added?: AddedToCommand) => SpawnedAgent {
  return ({ args = [], env = {} } = {}) =>
    spawnAgent({
      ...options,
      command,
      args: [...(options.args ?? []), ...args],
      env: options.env === undefined ? inheritEnvironment(env) : { ...options.env, ...env },
    });
}
