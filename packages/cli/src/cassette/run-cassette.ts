import { readFile } from 'node:fs/promises';
import { bridge, createTap, startProgram } from '@proto/bridge';
import type { Transport } from '@proto/core/transport';
import { createRedactor } from '@proto/recording';
import type { RunProcess } from '@proto/terminal';
import { missingAgent } from '@proto/terminal/errors';
import { EXIT, onInterrupts, openPrivateFile, plain } from '@proto/terminal/process';
import { playCassette, recordCassette } from '@proto/testkit/cassettes';
import { createStdioTransport } from '@proto/transport-stdio';
import { exitCodeOfBridge } from '../bridge/bridge-exit.ts';
import { ownVariables } from '../own-variables.ts';

/** What stands between the agent and its Messages API. */
interface Tape {
  readonly env: Readonly<Record<string, string>>;
  wire(agent: Transport): Transport;
}

/** Records a session of the host at stdin and stdout with an agent, and what the agent asks of its API. Fulfils with the exit code of the agent. */
export async function recordSession(file: string, agent: readonly string[], here: RunProcess): Promise<number> {
  const { env, stderr } = here;
  let descriptor: number;
  try {
    descriptor = openPrivateFile(file);
  } catch (error) {
    return refuse('record', here, (error as Error).message);
  }
  const out = createTap(descriptor, ({ message }) =>
    stderr.write(`sjp cassette record: the file broke off: ${message}\n`),
  );
  const upstream = env['ANTHROPIC_BASE_URL'];
  const recorder = await recordCassette({
    write: out.write,
    ...(upstream && { upstream }),
    redactor: createRedactor({ env }),
  });
  const tape = { env: recorder.env, wire: (transport: Transport) => recorder.record(transport) };
  const code = await join(agent, tape, here, 'record');
  await recorder.close();
  out.close();
  return code;
}

/**
 * Joins the host at stdin and stdout with an agent whose Messages API is a cassette. Fulfils with the exit code: 6 where the agent has asked for what the
 * cassette does not have, else that of the agent.
 */
export async function playSession(file: string, agent: readonly string[], here: RunProcess): Promise<number> {
  let player: Awaited<ReturnType<typeof playCassette>>;
  try {
    player = await playCassette(await readFile(file, 'utf8'));
  } catch (error) {
    return refuse('play', here, (error as Error).message);
  }
  const code = await join(agent, { env: player.env, wire: (transport) => transport }, here, 'play');
  await player.close();
  for (const { number, message } of player.misses) {
    here.stderr.write(`sjp cassette play: request ${number}: ${plain(message)}\n`);
  }
  return player.misses.length > 0 ? EXIT.invalid : code;
}

async function join(agent: readonly string[], tape: Tape, here: RunProcess, command: string): Promise<number> {
  const { env, stdin, stdout, stderr } = here;
  const child = startProgram(agent, {
    env,
    variables: (program) => ({ ...ownVariables(program, env), ...tape.env }),
    onStderr: (text) => stderr.write(text),
  });
  const opened = await child.opened.then(
    () => undefined,
    (error: unknown) => missingAgent(error),
  );
  if (opened !== undefined) {
    stderr.write(`sjp cassette ${command}: ${opened.text}\n`);
    return EXIT.unreachable;
  }
  const host = createStdioTransport({ input: stdin, output: stdout });
  const joined = bridge({ host, agent: child, recorded: tape.wire(child), tellsHost: false });
  let signal: 'SIGINT' | 'SIGTERM' | undefined;
  const leave = onInterrupts(here, {
    interrupt() {
      signal = 'SIGINT';
      joined.interrupt();
    },
    close() {
      signal ??= 'SIGTERM';
      joined.close();
    },
    kill: () => joined.abort(),
  });
  const end = await joined.closed;
  leave();
  return exitCodeOfBridge({ ...end, signal });
}

function refuse(command: string, { stderr }: RunProcess, why: string): number {
  stderr.write(`sjp cassette ${command}: ${why}\n`);
  return EXIT.usage;
}
