import { setMaxListeners } from 'node:events';
import { LONGEST_TIMER_MS } from '@proto/core/network';

import { createScope, runSteps, StepError, StepFailure, Variables } from '@proto/testkit/steps';

import type { Case } from '../cases/case-schema.ts';
import { citedBy } from '../cases/cited.ts';
import type { CaseResult, Failure } from '../results/result.ts';
import { verdictOf } from '../results/result.ts';
import { redact, tokensOf } from './redact.ts';
import { checkRules } from './rules/check-rules.ts';
import type { ServerProfile } from './server-profile.ts';
import { ONLY_SESSION, type ServerScope } from './server-scope.ts';
import { serverVerbs } from './verbs/server-verbs.ts';

export interface ServerUnderTest {
  readonly base: string;
  readonly profile: ServerProfile;
  readonly timeoutScale: number;
  readonly signal: AbortSignal;
  readonly takeSession: () => string | undefined;
}

const MAX_CASE_MS = 60_000;

/** Runs one case, and returns its outcome together with everything that the server sent. */
export async function runServerCase(entry: Case, server: ServerUnderTest) {
  const given = new AbortController();
  // Each open stream and each request adds a listener.
  setMaxListeners(0, given.signal);
  const scope = newScope(server, given.signal);
  const timer = setTimeout(
    () => {
      given.abort(new StepFailure(`The case did not end within ${MAX_CASE_MS / 1000} s.`));
    },
    Math.min(MAX_CASE_MS * server.timeoutScale, LONGEST_TIMER_MS),
  );
  const giveUp = () => given.abort(server.signal.reason);
  server.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const failure = await failureOf(entry, scope);
    return { outcome: outcomeOf(failure, scope), observed: scope.observed };
  } finally {
    clearTimeout(timer);
    server.signal.removeEventListener('abort', giveUp);
    for (const link of scope.links.values()) link.close();
    await Promise.all(Array.from(scope.proxies.values(), (proxy) => proxy.close()));
  }
}

async function failureOf(entry: Case, scope: ServerScope): Promise<Failure | undefined> {
  const sessions = (entry.start['sessions'] as readonly string[] | undefined) ?? [ONLY_SESSION];
  try {
    await runSteps(
      sessions.map((session) => ({ session })),
      scope,
      serverVerbs,
    );
    // Steps need `session` for addresses that are not below the address of the session.
    scope.variables.bind('session', scope.sessions.get(ONLY_SESSION));
    await runSteps(entry.steps, scope, serverVerbs);
    return undefined;
  } catch (error) {
    const failure = causeOf(error);
    if (failure === undefined) throw error;
    const { expected, got } = failure;
    return {
      ...citedBy(error, entry),
      ...(error instanceof StepError && { step: error.step }),
      message: error instanceof StepError ? error.message : failure.message,
      ...(expected !== undefined && { expected }),
      ...(got !== undefined && { got }),
    };
  }
}

/** Includes nested steps. `undefined` for errors of the suite. */
function causeOf(error: unknown): StepFailure | undefined {
  if (error instanceof StepFailure) return error;
  return error instanceof StepError ? causeOf(error.cause) : undefined;
}

function outcomeOf(failure: Failure | undefined, { observed }: ServerScope): Pick<CaseResult, 'verdict' | 'failures'> {
  const failures = [...(failure === undefined ? [] : [failure]), ...checkRules(observed)];
  return { verdict: verdictOf(failures), failures: redact(failures, tokensOf(observed)) };
}

function newScope(server: ServerUnderTest, signal: AbortSignal): ServerScope {
  const started = performance.now();
  const variables = new Variables();
  const { profile, base, timeoutScale, takeSession } = server;
  const { body = 0, retention = 0, streams = 0 } = profile.limits;
  const { driver, approver, viewer } = profile.tokens;
  // Two messages of this length exceed what a session keeps.
  variables.bind('tokens', profile.tokens);
  variables.bind('limits', { body, aboveBody: body + 1, streams, half: Math.ceil(retention * 0.55) });
  return {
    ...createScope({ variables, timeoutScale, signal }),
    profile,
    base,
    takeSession,
    sessions: new Map(),
    workers: new Map(),
    links: new Map(),
    proxies: new Map(),
    observed: {
      exchanges: [],
      openings: [],
      lost: [],
      readings: [],
      sessions: new Set(),
      archived: new Map(),
      accounts: { driver, approver, viewer },
    },
    now: () => Math.round(performance.now() - started),
  };
}
