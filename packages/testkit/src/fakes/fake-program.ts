import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { FAKE_AGENT_VERSION } from './agent-messages.ts';
import { ALL_CHAOS, type FakeChaos } from './chaos.ts';
import { playFake } from './fake.ts';
import { createJumpingClock, createRealClock } from './fake-clock.ts';
import { type FakeScript, FakeScriptError, type FakeSide, parseFakeScript } from './fake-script.ts';
import type { FakeWire } from './fake-wire.ts';
import { installFakeAgent } from './install-fake.ts';

/** The options for a fake that runs as a process. */
export interface FakeProgramOptions {
  /** The name of the program in messages, such as `sjp fake`. */
  readonly name: string;
  /** The kinds of chaos, separated by commas, or `true` for every kind except `death`. Default: none. */
  readonly chaos?: string | boolean | undefined;
  /** The seed for the chaos: the same seed results in the same disturbances. Default 1. */
  readonly seed?: number | undefined;
  /** Whether `wait` steps and delays take real time. Default `virtual`: waits take no time. */
  readonly clock?: 'virtual' | 'real' | undefined;
  /**
   * The words after the options. For a fake host, these words are the command line of the agent. For a fake agent, they are the flags that the host
   * passes. With `asCli`, they are the command to run while the fake is installed.
   */
  readonly words: readonly string[];
  /** If set, the fake agent is installed as an executable with this name instead of being played. `true` means `claude`. */
  readonly asCli?: string | boolean | undefined;
  /** Used with `asCli`: the arguments with which this program plays a fake agent, such as `fake agent`. */
  readonly agentWords: readonly string[];
}

/** The members of `process` that a fake uses. */
export type FakeProcess = Pick<
  NodeJS.Process,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'execPath' | 'argv' | 'pid' | 'kill'
>;

/** The exit code if the peer does not do what the script expects. */
const EXIT_DIFFERS = 6;
const EXIT_USAGE = 2;

/**
 * Plays a script to the program on stdin and stdout, or to an agent started with a command line. Fulfils with the exit code: 2 if the file is not a
 * script, 6 if the peer does not do what the script expects.
 */
export async function runFakeProgram(
  side: FakeSide,
  file: string,
  options: FakeProgramOptions,
  here: FakeProcess,
): Promise<number> {
  const fail = (error: unknown, code: number) => {
    here.stderr.write(`${options.name}: ${(error as Error).message}\n`);
    return code;
  };
  let script: FakeScript;
  let chaos: boolean | readonly FakeChaos[];
  try {
    chaos = chaosOf(options.chaos);
    script = parseFakeScript(await readFile(file, 'utf8'), side);
  } catch (error) {
    return fail(error, EXIT_USAGE);
  }
  const { seed = 1, words, asCli = false } = options;
  if (side === 'agent' && asCli !== false) return installed(file, chaos, seed, options, here);
  if (side === 'agent' && words.some((word) => word === '-v' || word === '--version')) {
    here.stdout.write(`${FAKE_AGENT_VERSION} (fake)\n`);
    return 0;
  }
  const clock = options.clock === 'real' ? createRealClock() : createJumpingClock();
  const wire = side === 'host' && words.length > 0 ? wireOfAgent(words, here) : wireOfProcess(here);
  try {
    const { exitCode } = await playFake(side, script, wire, { chaos, seed, clock });
    return exitCode;
  } catch (error) {
    return fail(error, EXIT_DIFFERS);
  }
}

function chaosOf(asked: string | boolean = false): boolean | readonly FakeChaos[] {
  if (typeof asked === 'boolean') return asked;
  return asked.split(',').map((name) => {
    const kind = ALL_CHAOS.find((known) => known === name.trim());
    if (kind === undefined)
      throw new FakeScriptError(`unknown kind of chaos: ${name}. The known kinds are ${ALL_CHAOS.join(', ')}`);
    return kind;
  });
}

/** If a command is given, the fake is removed when the command has ended. */
async function installed(
  file: string,
  chaos: boolean | readonly FakeChaos[],
  seed: number,
  { asCli, words, agentWords }: FakeProgramOptions,
  { stdout, env, execPath, argv }: FakeProcess,
): Promise<number> {
  const name = typeof asCli === 'string' ? asCli : 'claude';
  const fake = installFakeAgent(file, { name, chaos, seed, command: [execPath, argv[1] ?? '', ...agentWords] });
  const [command, ...args] = words;
  if (command === undefined) {
    stdout.write(`${fake.folder}\n`);
    return 0;
  }
  try {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...env, PATH: fake.path } });
    return await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    fake.remove();
  }
}

function wireOfProcess(here: FakeProcess): FakeWire {
  const { stdin, stdout } = here;
  // An open stdin would keep the process running.
  return { input: stdin, die: () => killed(here), close: () => void stdin.destroy(), ...outputTo(stdout) };
}

/** The agent is killed when the host dies or gives up. */
function wireOfAgent([command = '', ...args]: readonly string[], here: FakeProcess): FakeWire {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: here.env });
  child.on('error', (error) => child.stdout.destroy(error));
  child.stderr.pipe(here.stderr, { end: false });
  const kill = () => {
    child.kill('SIGKILL');
    killed(here);
  };
  const close = (exitCode: number) => exitCode !== 0 && child.kill('SIGKILL');
  return { input: child.stdout, die: kill, close, ...outputTo(child.stdin) };
}

/** Kills the process with a signal that cannot be handled. */
function killed({ pid, kill }: FakeProcess): void {
  kill(pid, 'SIGKILL');
}

function outputTo(output: Writable): Pick<FakeWire, 'write' | 'end'> {
  // A broken output is ignored, because the end of the peer is detected on the input.
  output.on('error', () => {});
  return {
    write: (bytes) => new Promise((resolve) => output.write(bytes, () => resolve())),
    async end() {
      output.end();
      await finished(output).catch(() => {});
    },
  };
}
