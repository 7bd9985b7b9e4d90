import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@proto/core/transport';
import { resolveAgentOptions } from './agent-options.ts';
import { refuseUninitialized } from './await-initialize.ts';
import { type CleanUp, createEnding, type Ending } from './ending.ts';
import { isOn, type Variables } from './environment-variables.ts';
import type { HeadlessEnvironment, HeadlessStart } from './environment.ts';
import { exitCodeOf, FAILED } from './exit-code.ts';
import { unsafeFor } from './flags/check-options.ts';
import { explainFlags, unkeptPromise } from './flags/flag-effects.ts';
import { type HeadlessOptions, PROTOCOL_VERSION } from './flags/options.ts';
import { parseArgv } from './flags/parse-argv.ts';
import { withSettings } from './flags/settings.ts';
import { promptMessages, readPrompt } from './input.ts';
import { type FinalOutput, missingOutput } from './output/formats.ts';
import { redirectStdout } from './output/redirect-stdout.ts';
import { flushed, type OutputWatch, ignoreBrokenPipe, watchOutput, written } from './output/write.ts';
import type { RemoteSession } from './remote/open-remote.ts';
import { serve, type Serving } from './serve.ts';
import { withSessionLayout } from './sessions/session-layout.ts';
import { setUp } from './set-up.ts';
import { handleSignals, type SignalTarget } from './signals.ts';

/**
 * Runs an agent executable: parses the command line, runs the session on stdin and stdout in the given formats, and exits when everything has been
 * written. The exit code is normally 0. After an error result, invalid input or an invalid command line, the exit code is 1. After a signal, the exit
 * code is the code of the signal.
 *
 * @example
 * ```ts
 * import { runHeadless } from '@proto/headless';
 *
 * await runHeadless({
 *   name: 'my-agent',
 *   async *runTurn() {
 *     const content = [{ type: 'text', text: 'Hello.' }];
 *     yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
 *   },
 * });
 * ```
 */
export async function runHeadless(environment: HeadlessEnvironment): Promise<void> {
  const { name, process: { argv = process.argv.slice(2), stdout = process.stdout, stderr = process.stderr } = {} } =
    environment;
  const { reads, process: { exit = (code: number) => process.exit(code) } = {} } = environment;
  const output = watchOutput(stdout);
  watchOutput(stderr);
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (${name})`, { name, ...environment.help });
  switch (parsed.kind) {
    case 'explain':
      await written(stdout, explainFlags(reads));
      return exit(0);
    case 'auth': {
      const { runAuthCommand } = await import('./auth/agent-auth.ts');
      const { stdout: text, stderr: trouble, code } = await runAuthCommand(parsed.command, name, environment.auth);
      await written(stdout, text);
      await written(stderr, trouble);
      return exit(code);
    }
    case 'print':
      await written(stdout, parsed.text);
      return exit(0);
    case 'refuse':
      await written(stderr, parsed.text);
      return exit(FAILED);
    case 'run': {
      for (const warning of parsed.warnings) await written(stderr, `${warning}\n`);
      const ending = createEnding({ exit, onError: (error) => void stderr.write(problem(error)) });
      // Runs after every other clean-up. After a signal, the process ends without waiting for stderr.
      ending.onExit(({ reason }) => (reason === 'signal' ? undefined : flushed(stderr)));
      const code = await new HeadlessRun(environment, ending, output).run(parsed.options);
      return ending.end({ code, reason: code === 0 ? 'ended' : 'other' });
    }
  }
}

/** A signal can end the run early. */
class HeadlessRun implements SignalTarget {
  readonly #environment: HeadlessEnvironment;
  readonly #ending: Ending;
  readonly #watch: OutputWatch;
  readonly #env: Variables;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #stderr: Writable;
  readonly #ended = new AbortController();
  readonly #interrupted = new AbortController();
  #session: Transport | undefined;
  #remote: RemoteSession | undefined;

  constructor(environment: HeadlessEnvironment, ending: Ending, watch: OutputWatch) {
    const {
      process: { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, env = process.env } = {},
    } = environment;
    this.#environment = environment;
    this.#ending = ending;
    this.#watch = watch;
    this.#env = env;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  interrupt(): void {
    // Before the session begins, the process only waits for its input.
    if (this.#session === undefined && this.#remote === undefined) this.#stdin.destroy();
    this.#interrupted.abort();
  }

  abort(): void {
    this.#stdin.destroy();
    this.#session?.abort();
    this.#remote?.close();
    this.#ended.abort();
  }

  /** Fulfils with the exit code. Never rejects, because an error is written to stderr. */
  async run(given: HeadlessOptions): Promise<number> {
    this.#ending.onExit(handleSignals(this.#environment.process?.signals ?? process, this, this.#ending));
    if (this.#stdout === process.stdout) this.#ending.onExit(redirectStdout(this.#stderr));
    try {
      const options = await acceptedOf(given, this.#environment, this.#env);
      return exitCodeOf(await this.#serve(options), this.#watch);
    } catch (error) {
      if (this.#watch.isUnread) return 0;
      // After a signal, the error is a consequence of the signal, so it is not written.
      if (this.#ending.why === undefined) await written(this.#stderr, problem(error));
      return FAILED;
    }
  }

  /** Fulfils with the exit code of the session. */
  async #serve(options: HeadlessOptions): Promise<number> {
    const warn = (text: string) => void this.#stderr.write(`${text}\n`);
    const prompt = options.inputFormat === 'text' ? await readPrompt(options, this.#stdin, warn) : '';
    const start = { options, onExit: (cleanUp: CleanUp) => this.#ending.onExit(cleanUp) };
    const remote = (this.#remote = await openRemoteOf(start, this.#env, warn));
    const mirrored = await openMirrorOf(start, this.#env, warn);
    const { openSession = remote?.openSession } = this.#environment;
    const place = { cwd: process.cwd(), env: this.#env, warn };
    const ready =
      (await refuseUninitialized(options, this.#stdin)) ??
      (await setUp({ ...this.#environment, openSession }, start, place));
    if (exitsAfterStart(this.#env)) {
      await written(this.#stderr, `Startup time: ${Math.round(performance.now())}ms\n`);
      return 0;
    }
    if ('missing' in ready && remote !== undefined) throw new Error(ready.missing);
    const output =
      'missing' in ready
        ? missingOutput(ready, options)
        : await serveIn(remote, {
            options,
            agent: resolveAgentOptions(this.#environment, options, ready, this.#signals),
            prompts: promptMessages(prompt),
            stdin: this.#stdin,
            stdout: ignoreBrokenPipe(this.#stdout, this.#watch),
            mirrored,
            onTransport: (transport) => void (this.#session = transport),
          });
    await written(this.#stderr, output.stderr);
    await written(this.#stdout, output.stdout);
    return output.code;
  }

  get #signals(): { readonly ended: AbortSignal; readonly interrupted: AbortSignal } {
    return { ended: this.#ended.signal, interrupted: this.#interrupted.signal };
  }
}

/** File paths are replaced by the contents of the files. Rejects if this agent does not support an option. */
async function acceptedOf(
  given: HeadlessOptions,
  { reads, sessionLayout, process: { userId = process.getuid?.() } = {} }: HeadlessEnvironment,
  env: Variables,
): Promise<HeadlessOptions> {
  const options = withSessionLayout(await withSettings(given, process.cwd()), env, sessionLayout);
  const refusal = unkeptPromise(options, reads) ?? unsafeFor(options, env, userId);
  if (refusal !== undefined) throw new Error(refusal);
  return options;
}

/** The code for remote sessions is loaded only if it is needed. */
async function openRemoteOf(
  { options: { sdkUrl: url }, onExit }: HeadlessStart,
  env: Variables,
  warn: (text: string) => void,
): Promise<RemoteSession | undefined> {
  if (url === undefined) return undefined;
  const { openRemote } = await import('./remote/open-remote.ts');
  return openRemote({ url, env, warn, onExit });
}

async function openMirrorOf(
  { options: { mirror: url, replayUserMessages: replays = false }, onExit }: HeadlessStart,
  env: Variables,
  warn: (text: string) => void,
): Promise<Serving['mirrored']> {
  if (url === undefined) return undefined;
  const { openMirror } = await import('./mirror/open-mirror.ts');
  return openMirror({ url, env, replays, warn, onExit });
}

function serveIn(remote: RemoteSession | undefined, serving: Serving): Promise<FinalOutput> {
  return remote?.serve(serving) ?? serve(serving);
}

/** Whether to exit after the start without running the session. This is used to measure the start-up time. */
function exitsAfterStart(env: Variables): boolean {
  return isOn(env['CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER']);
}

function problem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.startsWith('Error ') ? '' : 'Error: '}${text}\n`;
}
