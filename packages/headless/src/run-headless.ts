import type { Transport } from '@proto/core/transport';
import { resolveAgentOptions } from './agent-options.ts';
import { refuseUninitialized } from './await-initialize.ts';
import { type CleanUp, createEnding, type Ending } from './ending.ts';
import { isOn, type Variables } from './environment-variables.ts';
import type { HeadlessEnvironment, HeadlessStart } from './environment.ts';
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
import { setUp } from './set-up.ts';
import { handleSignals } from './signals.ts';

/**
 * Runs an agent executable: reads the command line, runs the session on stdin and stdout in the given formats, and exits when everything is
 * written. The exit code is 0, 1 after an error result, bad input or a bad command line, or the code of a signal.
 */
export async function runHeadless(environment: HeadlessEnvironment): Promise<void> {
  const { name, argv = process.argv.slice(2), stdout = process.stdout, stderr = process.stderr } = environment;
  const { reads, exit = (code: number) => process.exit(code) } = environment;
  const output = watchOutput(stdout);
  watchOutput(stderr);
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (${name})`, { name, ...environment.help });
  switch (parsed.kind) {
    case 'explain':
      await written(stdout, explainFlags(reads));
      return exit(0);
    case 'print':
      await written(stdout, parsed.text);
      return exit(0);
    case 'refuse':
      await written(stderr, parsed.text);
      return exit(1);
    case 'run': {
      for (const warning of parsed.warnings) await written(stderr, `${warning}\n`);
      const ending = createEnding({ exit, onError: (error) => void stderr.write(problem(error)) });
      // Runs after every other clean-up. A signal ends the process at once.
      ending.onExit(({ reason }) => (reason === 'signal' ? undefined : flushed(stderr)));
      const code = await run(environment, parsed.options, ending, output);
      return ending.end({ code, reason: code === 0 ? 'ended' : 'other' });
    }
  }
}

/** Runs the session, and ends it on signals. Fulfils with the exit code. */
async function run(
  environment: HeadlessEnvironment,
  given: HeadlessOptions,
  ending: Ending,
  watch: OutputWatch,
): Promise<number> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, env = process.env } = environment;
  const warn = (text: string) => void stderr.write(`${text}\n`);
  const ended = new AbortController();
  const interrupted = new AbortController();
  let session: Transport | undefined;
  let remote: RemoteSession | undefined;
  const target = {
    interrupt() {
      // Before the session begins, the process only waits for its input.
      if (session === undefined && remote === undefined) stdin.destroy();
      interrupted.abort();
    },
    abort() {
      stdin.destroy();
      session?.abort();
      remote?.close();
      ended.abort();
    },
  };
  ending.onExit(handleSignals(environment.signals ?? process, target, ending));
  if (stdout === process.stdout) ending.onExit(redirectStdout(stderr));
  try {
    const options = await acceptedOf(given, environment, env);
    const prompt = options.inputFormat === 'text' ? await readPrompt(options, stdin, warn) : '';
    const start = { options, onExit: (cleanUp: CleanUp) => ending.onExit(cleanUp) };
    remote = await openRemoteOf(start, env, warn);
    const mirrored = await openMirrorOf(start, env, warn);
    const { openSession = remote?.openSession } = environment;
    const ready =
      (await refuseUninitialized(options, stdin)) ??
      (await setUp({ ...environment, openSession }, start, { cwd: process.cwd(), env, warn }));
    if (exitsAfterStart(env)) {
      await written(stderr, `Startup time: ${Math.round(performance.now())}ms\n`);
      return 0;
    }
    const signals = { ended: ended.signal, interrupted: interrupted.signal };
    if ('missing' in ready && remote !== undefined) throw new Error(ready.missing);
    const output =
      'missing' in ready
        ? missingOutput(ready, options)
        : await serveIn(remote, {
            options,
            agent: resolveAgentOptions(environment, options, ready, signals),
            prompts: promptMessages(prompt),
            stdin,
            stdout: ignoreBrokenPipe(stdout, watch),
            mirrored,
            onTransport: (transport) => void (session = transport),
          });
    await written(stderr, output.stderr);
    await written(stdout, output.stdout);
    if (watch.isUnread) return 0;
    if (watch.broken) throw watch.broken;
    return output.code;
  } catch (error) {
    if (watch.isUnread) return 0;
    // After a signal the reason is known, so no error is written.
    if (ending.why === undefined) await written(stderr, problem(error));
    return 1;
  }
}

/** Gives the options with their files read. Rejects for an option that this agent cannot follow. */
async function acceptedOf(
  given: HeadlessOptions,
  { reads, userId = process.getuid?.() }: HeadlessEnvironment,
  env: Variables,
): Promise<HeadlessOptions> {
  const options = await withSettings(given, process.cwd());
  const refusal = unkeptPromise(options, reads) ?? unsafeFor(options, env, userId);
  if (refusal !== undefined) throw new Error(refusal);
  return options;
}

/** Opens the remote session that the command line names. Loads the code for remote sessions only then. */
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

/** For measurements of the start: prepares everything, and runs nothing. */
function exitsAfterStart(env: Variables): boolean {
  return isOn(env['CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER']);
}

function problem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.startsWith('Error ') ? '' : 'Error: '}${text}\n`;
}
