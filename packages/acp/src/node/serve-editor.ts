import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { createStoredSessions } from '@proto/headless';
import { inheritEnvironment, type SpawnAgentOptions, stdio } from '@proto/transport-stdio';
import { connectEditor, type EditorOptions } from '../editor/connect-editor.ts';

/** The process that an editor has started: its standard streams and its variables. `process` is such an object. */
export interface EditorProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The options of `serveEditor`. */
export interface ServeEditorOptions extends Pick<EditorOptions, 'info' | 'launch'> {
  /** Variables that the agents get in addition to those of this process. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** How the agents are started, such as limits of their output. Default: the defaults of `spawnAgent`. */
  readonly spawn?: Omit<SpawnAgentOptions, 'command' | 'args' | 'cwd' | 'env'>;
}

/**
 * Serves an editor over stdin and stdout with the agent of a command line, and fulfils when the editor has closed the connection. The conversations
 * that the editor lists, loads and deletes are those in the session files of the user. What the agents write to stderr is written to stderr.
 */
export async function serveEditor(
  [command = '', ...args]: readonly string[],
  { variables = {}, spawn: limits = {}, ...options }: ServeEditorOptions,
  here: EditorProcess,
): Promise<void> {
  // The session files are where the agents put them, so the agents and this process read the same variables.
  const env = inheritEnvironment(variables, here.env);
  const input = Readable.toWeb(here.stdin as Readable) as ReadableStream<Uint8Array>;
  const stream = ndJsonStream(Writable.toWeb(here.stdout as Writable), input);
  const onStderr = (piece: string) => void here.stderr.write(piece);
  const connection = connectEditor(stream, {
    ...options,
    start: ({ cwd, ...added }) => stdio(command, { ...limits, args, cwd, env, onStderr })(added),
    sessions: createStoredSessions(env),
    logout: () => logOut(command, args, env),
  });
  await connection.closed;
}

/** Runs the command of the agent that deletes its login. */
async function logOut(command: string, args: readonly string[], env: EditorProcess['env']): Promise<void> {
  const child = spawn(command, [...args, 'auth', 'logout'], { env, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`auth logout ended with the code ${code}`);
}
