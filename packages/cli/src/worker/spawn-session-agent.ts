import { inheritEnvironment, type SpawnedAgent, spawnAgent } from '@proto/transport-stdio';
import { LAUNCH } from '../run/run-agent.ts';

/** Which program is the agent of a session. */
export interface SpawnSessionAgentOptions {
  /** The command and its arguments; those of the protocol come behind. */
  readonly agent: readonly string[];
  readonly session: string;
  /** The conversation to go on with. */
  readonly resume: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onStderr: (text: string) => void;
}

/** Starts the agent of a session. It learns which one from `SJP_SESSION_ID`, and no token. */
export function spawnSessionAgent(options: SpawnSessionAgentOptions): SpawnedAgent {
  const { agent, session, resume, cwd, env, onStderr } = options;
  const [command = '', ...args] = agent;
  return spawnAgent({
    command,
    args: [...args, ...LAUNCH.args, ...(resume === undefined ? [] : ['--resume', resume])],
    cwd,
    env: { ...inheritEnvironment({ ...LAUNCH.env, SJP_SESSION_ID: session }, env), SJP_TOKEN: undefined },
    onStderr,
  });
}
