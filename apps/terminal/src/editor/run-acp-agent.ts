import { type AcpAgentOptions, createAcpAgent } from '@proto/acp/node';
import { runHeadless } from '@proto/headless';
import { inheritEnvironment, type SpawnAgentOptions, stdio } from '@proto/transport-stdio';
import { createClientFiles } from './client-files.ts';
import type { EditorProcess } from './serve-editor.ts';

/** The options of `runAcpAgent`. */
export interface RunAcpAgentOptions extends Pick<AcpAgentOptions, 'authMethod'> {
  /** Whether the agent reads and writes the files of the working directory through this process. Default false: the agent does so itself. */
  readonly files?: boolean;
  /** Variables that the agent gets in addition to those of this process. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** How the agent is started, such as limits of its output. Default: the defaults of `spawnAgent`. */
  readonly spawn?: Omit<SpawnAgentOptions, 'command' | 'args' | 'cwd' | 'env'>;
}

/**
 * Runs the command of an ACP agent as an agent executable: a stream-json host sends its messages to stdin, and reads stdout. What the agent writes to
 * stderr is written to stderr.
 *
 * @param words The command of the agent and its arguments, `--`, and the flags of the host.
 * @param here The process that the host has started, for the agent.
 * @throws {RangeError} if the command or the `--` is missing.
 */
export async function runAcpAgent(
  words: readonly string[],
  { files = false, authMethod, variables = {}, spawn = {} }: RunAcpAgentOptions,
  here: Pick<EditorProcess, 'env' | 'stderr' | 'cwd'>,
): Promise<void> {
  const end = words.lastIndexOf('--');
  const [command, ...args] = words.slice(0, Math.max(end, 0));
  if (command === undefined)
    throw new RangeError(
      'The command of the agent must be followed by -- and the flags of the host: opencode acp -- FLAGS',
    );
  const agent = createAcpAgent({
    start: stdio(command, {
      ...spawn,
      args,
      env: inheritEnvironment(variables, here.env),
      onStderr: (piece) => void here.stderr.write(piece),
    }),
    ...(files && { files: createClientFiles(here.cwd()) }),
    ...(authMethod !== undefined && { authMethod }),
  });
  await runHeadless({ ...agent, process: { argv: words.slice(end + 1) } });
}
