import type { WireMessage } from '@proto/core/framing';
import {
  agentCommandLine,
  createHostSession,
  createSessionFollower,
  type HostSession,
  type HostSessionOptions,
  type SessionFollower,
} from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { checkMessages } from './check-messages.ts';
import type { RunEnd } from '../process/exit-code.ts';
import type { Recorder } from './recorder.ts';
import { killGraceOf, type RunLimits, type RunWatch, watchRun } from './watch-run.ts';

/** A program to run on one prompt, and the limits of the run. */
export interface RunProgramOptions extends RunLimits {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** Called with each message. The next message waits until the returned promise settles. */
  readonly onMessage: (message: WireMessage) => void | Promise<void>;
  /** Called with what the program writes to stderr. */
  readonly onStderr: (text: string) => void;
  /** Returns environment variables for a command line, in addition to the variables that agents inherit. Default: none. */
  readonly variables?: ((commandLine: readonly string[]) => Readonly<Record<string, string>>) | undefined;
}

/** Which agent to run, and when the run ends. */
export interface RunAgentOptions extends RunProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Called for messages of the agent that do not match the schemas. */
  readonly onWarning: (text: string) => void;
  /** Records what the host and the agent send. Default: no recording. */
  readonly recorder?: Recorder | undefined;
  readonly canUseTool: NonNullable<HostSessionOptions['canUseTool']>;
  /** When the run ends: `turn` at the first result, `idle` when no turn and no task is running, `exit` when the agent exits by itself. */
  readonly until: 'turn' | 'idle' | 'exit';
}

/** The flags and variables with which this host starts an agent. */
export const LAUNCH = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });

/** Runs an agent on one prompt, as a child process. Fulfils when the process has ended. */
export async function runAgent(options: RunAgentOptions): Promise<Omit<RunEnd, 'refused'>> {
  const { command, cwd, onStderr, onWarning, canUseTool, recorder } = options;
  const args = [...options.args, ...LAUNCH.args];
  const own = options.variables?.([command, ...options.args]);
  const env = inheritEnvironment({ ...own, ...LAUNCH.env }, options.env);
  const killGraceMs = killGraceOf(options);
  const transport = spawnAgent({
    command,
    args,
    cwd,
    env,
    onStderr,
    ...(killGraceMs !== undefined && { killGraceMs }),
  });
  const session = createHostSession(recorder?.record(transport) ?? transport, {
    validate: checkMessages(onWarning),
    // The time that a person takes to answer does not count as agent silence.
    canUseTool: (request, context) => watch.pausing(() => canUseTool(request, context)),
  });
  const watch = watchRun(options, {
    interrupt: () => void session.interrupt().catch(() => {}),
    close: () => void session.close(),
    terminate() {
      transport.child.terminate();
      void session.close();
    },
    kill: () => session.abort(),
  });
  // Follows only the messages that are shown: the state of the session also counts messages that are not shown yet.
  const shown = createSessionFollower();
  let error: unknown;
  try {
    await converse(session, shown, options, watch);
  } catch (thrown) {
    error = thrown;
  }
  await session.close();
  watch.leave();
  const { stopped } = watch;
  return { result: shown.state.last?.result, error: stopped === undefined ? error : undefined, stopped };
}

async function converse(
  session: HostSession,
  shown: SessionFollower,
  { prompt, until, onMessage }: RunAgentOptions,
  watch: RunWatch,
): Promise<void> {
  await session.transport.opened;
  const sent = session.prompt(prompt);
  shown.track({ prompt: sent.uuid });
  await sent.accepted;
  if (until === 'exit') void session.endInput();
  for await (const message of until === 'turn' ? session.untilResult() : session) {
    await watch.pausing(() => onMessage(message));
    const { session: state, results, tasks } = shown.track({ message });
    const isIdle = results > 0 && state === 'idle' && tasks.length === 0 && session.state.questions === 0;
    if (until === 'idle' && isIdle) return;
  }
}
