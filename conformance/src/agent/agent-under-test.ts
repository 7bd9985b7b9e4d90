import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AgentProcess } from './agent-process.ts';
import type { Message } from './session-log.ts';

/** The arguments that hosts pass to every agent. */
export const HOST_FLAGS: readonly string[] = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
];

/** The program under test, and how it is started in every case. */
export interface AgentOptions {
  /**
   * The program: an absolute path, or a name that is looked up in PATH. If the name of the file ends in `.js`, `.mjs` or `.cjs`, it is run with
   * Node.js.
   */
  readonly command: string;
  /** Arguments that precede the suite's arguments. */
  readonly args: readonly string[];
  /**
   * The environment of the agent. Variables that describe an agent session in which this process runs are left out. Default: the environment of this
   * process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly served?: (message: Message) => unknown;
}

/** The working directory and the home of the processes of a case. */
export class AgentFolder implements AsyncDisposable {
  readonly path: string;
  readonly processes: AgentProcess[] = [];
  readonly #options: AgentOptions;
  readonly #started = performance.now();

  private constructor(path: string, options: AgentOptions) {
    this.path = path;
    this.#options = options;
  }

  static async create(options: AgentOptions, files: Readonly<Record<string, string>> = {}): Promise<AgentFolder> {
    // Symbolic links are resolved, because a process sees its working directory with all links resolved.
    const path = await realpath(await mkdtemp(join(tmpdir(), 'sjp-conformance-')));
    const folder = new AgentFolder(path, options);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
    return folder;
  }

  /** Milliseconds since the folder was created. */
  now(): number {
    return Math.round(performance.now() - this.#started);
  }

  start({ args, env, served }: ProcessOptions): AgentProcess {
    const { command, args: first, env: base = process.env } = this.#options;
    const started = new AgentProcess({
      command,
      args: [...first, ...args],
      cwd: this.path,
      env: { ...withoutSession(base), ...homeIn(this.path, base), ...env },
      now: () => this.now(),
      ...(served === undefined ? {} : { served }),
    });
    this.processes.push(started);
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const started of this.processes) await started.kill();
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The agent's home is the folder of the case, so that sessions and settings do not mix. An agent with a model keeps its own home if an environment
 * variable gives the location of its settings, because it may be signed in there.
 */
function homeIn(folder: string, base: Readonly<Record<string, string | undefined>>) {
  const needsHome = base['CLAUDE_CONFIG_DIR'] !== undefined;
  return { ...(needsHome ? {} : { HOME: folder }), SJP_HOME: join(folder, '.sjp') };
}

/** Returns the environment without the variables with which an agent that runs this suite describes its own session. */
function withoutSession(base: Readonly<Record<string, string | undefined>>) {
  const kept = Object.entries(base).filter(
    ([name]) =>
      !/^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SESSION|EMIT_SESSION|SDK_READS)|NODE_OPTIONS$|SJP_(?!FIXTURE))/.test(name),
  );
  return { ...Object.fromEntries(kept), CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' };
}
