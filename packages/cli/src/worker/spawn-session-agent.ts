import { AGENT_VARIABLES, findAgent, pickEnvironment, type SpawnedAgent, spawnAgent } from '@proto/transport-stdio';
import { ownVariables } from '../own-variables.ts';
import { LAUNCH } from '../run/run-agent.ts';

/** Which program is the agent of a session. */
export interface SpawnSessionAgentOptions {
  /** The command and its arguments; those of the protocol come behind. */
  readonly agent: readonly string[];
  readonly session: string;
  /** The conversation to go on with. */
  readonly resume: string | undefined;
  readonly cwd: string;
  /** That of this process, of which the agent gets `AGENT_VARIABLES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further variables that it gets. */
  readonly passEnv?: readonly string[];
  readonly onStderr: (text: string) => void;
}

/** Looks whether the program is there. Throws `AgentNotFound` where it is not. */
export function checkSessionAgent(options: Pick<SpawnSessionAgentOptions, 'agent' | 'cwd' | 'env' | 'passEnv'>): void {
  const { agent, cwd } = options;
  findAgent({ command: agent[0] ?? '', cwd, env: environmentOf(options, {}) });
}

/** Starts the agent of a session. `SJP_SESSION_ID` tells the agent which session that is. */
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
  { agent, env, passEnv = [] }: Pick<SpawnSessionAgentOptions, 'agent' | 'env' | 'passEnv'>,
  added: Readonly<Record<string, string>>,
) {
  return pickEnvironment([...AGENT_VARIABLES, ...passEnv], { ...ownVariables(agent, env), ...added }, env);
}
