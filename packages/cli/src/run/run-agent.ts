import type { WireMessage } from '@proto/core';
import { createHostSession, type HostSession, type HostSessionOptions } from '@proto/core/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import type { RunEnd } from './exit-code.ts';
import { onInterrupts, type SignalSource } from './interrupts.ts';

/** What is run, and until when. */
export interface RunAgentOptions extends Pick<HostSessionOptions, 'canUseTool'> {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** The first result; that nothing is going on any more; or that the agent leaves by itself. */
  readonly until: 'turn' | 'idle' | 'exit';
  readonly timeoutMs?: number | undefined;
  readonly signals: SignalSource;
  /** The next message waits for it. */
  readonly onMessage: (message: WireMessage) => void | Promise<void>;
  readonly onStderr: (text: string) => void;
}

/** What an agent is told of how it is spoken to. */
export const PROTOCOL_FLAGS = [
  '--output-format=stream-json',
  '--input-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--permission-prompt-tool=stdio',
];

/** Runs an agent on one prompt, as a child. Fulfils when the child is gone. */
export async function runAgent(options: RunAgentOptions): Promise<Omit<RunEnd, 'refused'>> {
  const { command, args, cwd, env, onStderr, timeoutMs, canUseTool } = options;
  const transport = spawnAgent({
    command,
    args: [...args, ...PROTOCOL_FLAGS],
    cwd,
    env: inheritEnvironment({}, env),
    onStderr,
  });
  const session = createHostSession(transport, { ...(canUseTool && { canUseTool }) });
  let stopped: RunEnd['stopped'];
  const stop = (why: RunEnd['stopped']) => {
    stopped ??= why;
    void session.close();
  };
  const leave = onInterrupts(options.signals, {
    interrupt() {
      stopped ??= 'interrupted';
      session.interrupt().catch(() => {});
    },
    close: () => stop('terminated'),
    kill: () => session.abort(),
  });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), timeoutMs);
  let error: unknown;
  try {
    await converse(session, options);
  } catch (thrown) {
    error = thrown;
  }
  await session.close();
  clearTimeout(timer);
  leave();
  return { result: session.state.last?.result, error: stopped === undefined ? error : undefined, stopped };
}

async function converse(session: HostSession, { prompt, until, onMessage }: RunAgentOptions): Promise<void> {
  await session.transport.opened;
  await session.prompt(prompt);
  if (until === 'exit') void session.endInput();
  for await (const message of until === 'turn' ? session.untilResult() : session) {
    await onMessage(message);
    const { session: state, results, tasks } = session.state;
    if (until === 'idle' && results > 0 && state === 'idle' && tasks.length === 0) return;
  }
}
