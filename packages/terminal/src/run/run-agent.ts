import type { WireMessage } from '@proto/core/framing';
import {
  createHostSession,
  createSessionFollower,
  type HostSession,
  type HostSessionOptions,
  agentCommandLine,
  type SessionFollower,
} from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { checkMessages } from './check-messages.ts';
import type { RunEnd } from './exit-code.ts';
import type { Recorder } from './recorder.ts';
import { type RunLimits, type RunWatch, watchRun } from './watch-run.ts';

/** One prompt for one program. */
export interface RunProgramOptions extends RunLimits {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** The next message waits for it. */
  readonly onMessage: (message: WireMessage) => void | Promise<void>;
  readonly onStderr: (text: string) => void;
  /** Gives what a command line gets of variables beside those that agents inherit. Default: nothing. */
  readonly variables?: ((commandLine: readonly string[]) => Readonly<Record<string, string>>) | undefined;
}

/** What is run, and until when. */
export interface RunAgentOptions extends RunProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Hears of messages that are not as declared. */
  readonly onWarning: (text: string) => void;
  /** Records what goes between this host and the agent. */
  readonly recorder?: Recorder | undefined;
  readonly canUseTool: NonNullable<HostSessionOptions['canUseTool']>;
  /** The first result; that nothing is going on any more; or that the agent leaves by itself. */
  readonly until: 'turn' | 'idle' | 'exit';
}

/** What an agent is told of how it is spoken to. */
export const LAUNCH = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });

/** Runs an agent on one prompt, as a child. Fulfils when the child is gone. */
export async function runAgent(options: RunAgentOptions): Promise<Omit<RunEnd, 'refused'>> {
  const { command, cwd, onStderr, onWarning, canUseTool, recorder } = options;
  const args = [...options.args, ...LAUNCH.args];
  const own = options.variables?.([command, ...options.args]);
  const env = inheritEnvironment({ ...own, ...LAUNCH.env }, options.env);
  const transport = spawnAgent({ command, args, cwd, env, onStderr });
  const session = createHostSession(recorder?.record(transport) ?? transport, {
    validate: checkMessages(onWarning),
    // While somebody thinks about it, the agent waits.
    canUseTool: (request, context) => watch.hearing(() => canUseTool(request, context)),
  });
  const watch = watchRun(options, {
    interrupt: () => void session.interrupt().catch(() => {}),
    close: () => void session.close(),
    kill: () => session.abort(),
  });
  // The state of the session includes messages that are not shown yet.
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
    await watch.hearing(() => onMessage(message));
    const { session: state, results, tasks } = shown.track({ message });
    const isIdle = results > 0 && state === 'idle' && tasks.length === 0 && session.state.questions === 0;
    if (until === 'idle' && isIdle) return;
  }
}
