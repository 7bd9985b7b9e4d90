import { agentCommandLine } from '@proto/host';
import { AGENT_VARIABLES, findAgent, pickEnvironment, type SpawnedAgent, spawnAgent } from '@proto/transport-stdio';
import { attachWorker, type AttachWorkerOptions } from './attach-worker.ts';
import { createSessionAgents, type SessionAgents, type SessionAgentsOptions } from './session-agents.ts';

/** The program to run as the agent of a session, and its arguments and environment. */
export interface SpawnSessionAgentOptions {
  /** The command and its arguments. The flags of the protocol are added at the end. */
  readonly agent: readonly string[];
  /** The id of the session, which is passed to the agent as `SJP_SESSION_ID`. */
  readonly session: string;
  /** The id of the conversation to continue. Default: a new conversation. */
  readonly resume?: string | undefined;
  /** The working folder of the agent. */
  readonly cwd: string;
  /** The environment from which the agent gets `AGENT_VARIABLES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of additional variables that the agent gets from `env`. A `*` at the end of a name matches any text. Default: none. */
  readonly passEnv?: readonly string[] | undefined;
  /** Further variables, with their values. Default: none. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Called with the text that the agent writes to stderr. */
  readonly onStderr: (text: string) => void;
}

const LAUNCH = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });

/**
 * Checks that the program of an agent exists.
 *
 * @throws AgentNotFoundError if the program does not exist
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

/** Which program is the agent of each session, and how it reaches the server. */
export interface LocalAgentsOptions extends Omit<SessionAgentsOptions, 'start' | 'attach'> {
  /** The program that each agent runs, and the options for starting it. */
  readonly program: Omit<SpawnSessionAgentOptions, 'session' | 'resume' | 'onStderr'>;
  /** Returns the address of a session, for `attachWorker`. */
  readonly url: (session: string) => string;
  /** The token of an account that may attach workers. */
  readonly token: string;
  /** Sends a request to the server, such as the `fetch` of an ingress in this process. */
  readonly fetch: NonNullable<AttachWorkerOptions['fetch']>;
  /** Called with the text that an agent writes to stderr. */
  readonly onStderr: (text: string, session: string) => void;
}

/** Creates the agents of a server in this process: each session gets a child process with the same program. */
export function createLocalAgents(options: LocalAgentsOptions): SessionAgents {
  const { program, url, token, fetch } = options;
  return createSessionAgents({
    ...options,
    start: (session, resume) =>
      spawnSessionAgent({ ...program, session, resume, onStderr: (text) => options.onStderr(text, session) }),
    attach: (session) => attachWorker({ url: url(session), token, fetch }),
  });
}

function environmentOf(
  { env, passEnv = [], variables }: Pick<SpawnSessionAgentOptions, 'env' | 'passEnv' | 'variables'>,
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  return pickEnvironment([...AGENT_VARIABLES, ...passEnv], { ...variables, ...added }, env);
}
