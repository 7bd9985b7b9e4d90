import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { connectEditor, type EditorOptions, localSessions, type LocalSessionsOptions } from '@proto/acp';
import { createStoredSessions } from '@proto/headless';
import { parseSessionAddress } from '@proto/remote';
import { createStdioTransport, inheritEnvironment, type SpawnAgentOptions, stdio } from '@proto/transport-stdio';
import { serverSessionsFor } from './server-sessions.ts';

/** The process that an editor has started: its standard streams, its variables and its working directory. `process` is such an object. */
export interface EditorProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the working directory. */
  cwd(): string;
}

/** The options of `serveEditor`. */
export interface ServeEditorOptions extends Pick<EditorOptions, 'info'>, Pick<LocalSessionsOptions, 'launch'> {
  /** Variables that the agents get in addition to those of this process. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** How the agents are started, such as limits of their output. Default: the defaults of `spawnAgent`. */
  readonly spawn?: Omit<SpawnAgentOptions, 'command' | 'args' | 'cwd' | 'env'>;
  /** The address of the server whose sessions the editor opens. Default: this process starts the agents. */
  readonly connect?: string | undefined;
  /** Returns the token for the host name of the server. Called for each link. Default: no token is sent. */
  readonly token?: (hostname: string) => Promise<string | undefined>;
}

/**
 * Serves an editor over stdin and stdout, and fulfils when the editor has closed the connection. Each session of the editor has an agent with the given
 * command line, or is a session of a server. The conversations that the editor lists, loads and deletes are those in the session files of the user, or
 * those on the server. What the agents write to stderr is written to stderr.
 *
 * @throws Error if the address of the server is malformed, or names a session.
 */
export async function serveEditor(
  command: readonly string[],
  options: ServeEditorOptions,
  here: EditorProcess,
): Promise<void> {
  const { info, connect, token } = options;
  if (here.env[LOGIN_VARIABLE] !== undefined) return authenticate('login', command, environmentOf(options, here));
  const sessions = connect === undefined ? agentsOf(command, options, here) : sessionsOf(connect, token, here.cwd());
  const transport = createStdioTransport({ input: here.stdin as Readable, output: here.stdout as Writable });
  await connectEditor(transport, { ...sessions, ...(info && { info }) }).closed;
  await transport.close();
}

function agentsOf(
  words: readonly string[],
  options: ServeEditorOptions,
  here: EditorProcess,
): Pick<EditorOptions, 'sessions' | 'login' | 'logout'> {
  const [command = '', ...args] = words;
  const { spawn: limits = {}, launch } = options;
  const env = environmentOf(options, here);
  const onStderr = (piece: string) => void here.stderr.write(piece);
  const sessions = localSessions({
    start: ({ cwd, ...added }) => stdio(command, { ...limits, args, cwd, env, onStderr })(added),
    conversations: createStoredSessions(env),
    ...(launch && { launch }),
  });
  return { sessions, login: { [LOGIN_VARIABLE]: '1' }, logout: () => authenticate('logout', words, env) };
}

function sessionsOf(address: string, token: ServeEditorOptions['token'], cwd: string): Pick<EditorOptions, 'sessions'> {
  const { base, hostname, prefer, session } = parseSessionAddress(address);
  if (session !== undefined) throw new Error(`the editor chooses the session: give the address of the server, ${base}`);
  const ask = token && (() => token(hostname));
  return { sessions: serverSessionsFor({ base, prefer, cwd, ...(ask && { token: ask }) }) };
}

/** An editor sets this variable when it starts this program in a terminal to log in. */
const LOGIN_VARIABLE = 'SJP_ACP_LOGIN';

/** The variables of the agents. This process reads the same variables to find the session files of the agents. */
function environmentOf({ variables = {} }: ServeEditorOptions, { env }: EditorProcess): EditorProcess['env'] {
  return inheritEnvironment(variables, env);
}

/** Runs the command of the agent that logs in or out. The user answers the questions of a login in the terminal. */
async function authenticate(
  what: 'login' | 'logout',
  [command = '', ...args]: readonly string[],
  env: EditorProcess['env'],
): Promise<void> {
  const child = spawn(command, [...args, 'auth', what], { env, stdio: what === 'login' ? 'inherit' : 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`auth ${what} ended with the code ${code}`);
}
