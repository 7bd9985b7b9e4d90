import { agentCommandLine } from '@proto/host';
import { AGENT_VARIABLES, findAgent, pickEnvironment, type SpawnedAgent, spawnAgent } from '@proto/transport-stdio';

/** Which program is the agent of a session, and what it gets. */
export interface SpawnSessionAgentOptions {
  /** The command and its arguments. The flags of the protocol are added at the end. */
  readonly agent: readonly string[];
  /** The id of the session, which the agent gets as `SJP_SESSION_ID`. */
  readonly session: string;
  /** The id of the conversation to go on with. Default: a new conversation. */
  readonly resume?: string | undefined;
  /** The working folder of the agent. */
  readonly cwd: string;
  /** The environment from which the agent gets `AGENT_VARIABLES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that the agent gets from `env`; a `*` at the end stands for any rest. Default: none. */
  readonly passEnv?: readonly string[] | undefined;
  /** Further variables, with their values. Default: none. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Is called with what the agent writes on stderr. */
  readonly onStderr: (text: string) => void;
}

const LAUNCH = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });

/**
 * Checks that the program of an agent exists.
 *
 * @throws AgentNotFoundError when it does not.
 */
export function checkSessionAgent(
  options: Pick<SpawnSessionAgentOptions, 'agent' | 'cwd' | 'env' | 'passEnv' | 'variables'>,
): void {
  const { agent, cwd } = options;
  findAgent({ command: agent[0] ?? '', cwd, env: environmentOf(options) });
}

/** Starts the agent of a session as a child of this process. */
export function spawnSessionAgent(options: SpawnSessionAgentOptions): SpawnedAgent {
  const { agent, session, resume, cwd, onStderr } = options;
  const [command = '', ...args] = agent;
  return spawnAgent({
    command,
    args: [...args, ...LAUNCH.args, ...(resume === undefined ? [] : ['--resume', resume])],
    cwd,
    env: environmentOf(options, { ...LAUNCH.env, SJP_SESSION_ID: session }),
    onStderr,
  });
}

function environmentOf(
  { env, passEnv = [], variables }: Pick<SpawnSessionAgentOptions, 'env' | 'passEnv' | 'variables'>,
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  return pickEnvironment([...AGENT_VARIABLES, ...passEnv], { ...variables, ...added }, env);
}
