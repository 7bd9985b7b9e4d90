import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Case } from '../cases/case-schema.ts';
import { levelOfRequirement } from '../cases/suite.ts';
import { type FailedSession, Shrinker } from '../random/random-sessions.ts';
import { type CaseResult, type Failure, verdictOf } from '../results/result.ts';
import { MOST_FAILED_SESSIONS, runCases } from '../run/run-cases.ts';
import { ProgramNotStarted, type TestOptions } from '../run/test-options.ts';
import type { Observed } from './observed.ts';
import { generateSessions } from './random/generate-session.ts';
import { redact, tokensOf } from './redact.ts';
import { runServerCase, type ServerUnderTest } from './run-server-case.ts';
import { sendRequest } from './send-request.ts';
import { SERVER_FEATURES, type ServerProfile, ServerProfileError } from './server-profile.ts';

/** How a session server is reached and used. */
export interface TestServerOptions extends TestOptions {
  /** The address of the server, such as `https://sessions.example`. */
  readonly url: string;
  /** The tokens, the way to create a session, and the features that the server declares. {@link parseServerProfile} reads a profile from a file. */
  readonly profile: ServerProfile;
}

/** How long the server may take to give its first answer, in milliseconds. */
const REACH_MS = 10_000;

const ONLY_LISTED =
  'Generated sessions need a request that creates sessions: replace the list of ids in "session" of the token file.';

/**
 * Tests a session server over event streams and POST, and over WebSockets if it declares them. If the server does not declare what a case needs, the
 * case gets the verdict `not-declared`.
 *
 * @throws {@link ProgramNotStarted} if nothing answers at the address.
 * @throws {@link ServerProfileError} if generated sessions are to be run, and the profile contains a list of sessions.
 */
export async function testServer(options: TestServerOptions): Promise<CaseResult[]> {
  const { profile, jobs, onResult, traceFolder, random, timeoutScale = 1 } = options;
  const signal = options.signal ?? new AbortController().signal;
  if (random !== undefined && 'ids' in profile.session) throw new ServerProfileError(ONLY_LISTED);
  const cases = random === undefined ? options.cases : generateSessions(random, profile);
  const base = options.url.replace(/\/+$/, '');
  await reach(base, timeoutScale, signal);
  const server: ServerUnderTest = { base, profile, timeoutScale, signal, takeSession: sessionsOf(profile) };
  const shrinker = new Shrinker(traceFolder, random?.knownRules);
  const runCase = async (entry: Case) => {
    const missing = missingFeatures(entry, profile);
    if (missing.length > 0) {
      return {
        verdict: 'not-declared' as const,
        failures: [],
        reason: `the server does not declare ${missing.join(', ')}`,
      };
    }
    const { outcome, observed } = await runServerCase(entry, server);
    const trace = traceFolder === undefined ? {} : { trace: await writeTrace(traceFolder, entry, observed) };
    if (outcome.failures.length > 0 && (await hasStopped(server))) return { ...stopped(entry, base), ...trace };
    if (random === undefined || outcome.failures.length === 0) return { ...outcome, ...trace };
    const failures = outcome.failures.map(weighed);
    const shrunk = await shrinker.shrink(failedSession(entry, failures, server));
    return { verdict: verdictOf(failures), failures, ...(shrunk && { shrunk: shrunk.path }), ...trace };
  };
  const together = {
    runCase,
    signal,
    ...(random === undefined ? {} : { mostFailed: MOST_FAILED_SESSIONS, knownRules: random.knownRules ?? [] }),
    ...(jobs !== undefined && { jobs }),
    ...(onResult !== undefined && { onResult }),
  };
  // A restart breaks the links of all running cases, so these cases run last, one at a time.
  const restarts = ({ needs }: Case) => needs.includes('restart');
  const results = [
    ...(await runCases({ ...together, cases: cases.filter((entry) => !restarts(entry)) })),
    ...(await runCases({ ...together, cases: cases.filter(restarts), jobs: 1 })),
  ];
  const byId = new Map(results.map((result) => [result.id, result]));
  return cases.flatMap(({ id }) => byId.get(id) ?? []);
}

function weighed(failure: Failure): Failure {
  return { ...failure, level: levelOfRequirement(failure.spec) };
}

function failedSession(entry: Case, failures: readonly Failure[], server: ServerUnderTest): FailedSession {
  return {
    entry,
    failures,
    simpler: [],
    run: async (shorter) => {
      // Steps that use what an earlier step has opened or named cannot run without this step.
      const ran = await runServerCase(shorter, server).catch(() => undefined);
      server.signal.throwIfAborted();
      return ran?.outcome.failures.map(weighed) ?? [];
    },
  };
}

function missingFeatures({ needs }: Case, { declares, limits, restart }: ServerProfile): readonly string[] {
  const declared = new Set<string>(declares);
  if (limits.body === undefined) declared.delete('limit');
  if (limits.streams === undefined) declared.delete('streams');
  if (limits.retention === undefined) declared.delete('retention');
  if (restart === undefined) declared.delete('restart');
  for (const need of needs) {
    if (!(SERVER_FEATURES as readonly string[]).includes(need))
      throw new Error(`"${need}" is not a feature of servers.`);
  }
  return needs.filter((need) => !declared.has(need));
}

/** Each session is handed out once. */
function sessionsOf({ session }: ServerProfile): () => string | undefined {
  const ids = 'ids' in session ? [...session.ids] : [];
  return () => ids.shift();
}

/** Any answer is sufficient. */
async function reach(base: string, timeoutScale: number, signal: AbortSignal): Promise<void> {
  const ask = { base, method: 'GET', path: '/', token: undefined, headers: {}, body: undefined, signal };
  try {
    await sendRequest({ ...ask, milliseconds: REACH_MS * Math.max(1, timeoutScale) });
  } catch (error) {
    signal.throwIfAborted();
    throw new ProgramNotStarted(`No server answers at ${base}: ${(error as Error).message}`);
  }
}

/** Whether nothing answers at the address any more. Without this check, each later case would blame another requirement. */
async function hasStopped({ base, timeoutScale, signal }: ServerUnderTest): Promise<boolean> {
  return reach(base, timeoutScale, signal).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ProgramNotStarted) return true;
      throw error;
    },
  );
}

function stopped({ spec: [spec = ''], level }: Case, base: string): Pick<CaseResult, 'verdict' | 'failures'> {
  const message = `The server at ${base} has stopped: nothing answers there any more. Look at what the server wrote last.`;
  const failures: readonly Failure[] = [{ spec, level, message }];
  return { verdict: verdictOf(failures), failures };
}

/** Writes the messages of a case, one object per line, without the tokens. */
async function writeTrace(folder: string, { id }: Case, observed: Observed): Promise<string> {
  const lines = [...observed.exchanges.map(({ token: _, ...exchange }) => exchange), ...observed.readings];
  const text = redact(lines, tokensOf(observed)).map((line) => `${JSON.stringify(line)}\n`);
  const file = join(folder, `${id.replaceAll('/', '-')}.jsonl`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, text.join(''));
  return file;
}
