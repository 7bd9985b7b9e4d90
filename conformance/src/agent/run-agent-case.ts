import { parseJson } from '@proto/core/framing';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { setTimeout as sleep } from 'node:timers/promises';

import { createScope, runSteps, type Step, StepError, StepFailure, Variables } from '@proto/testkit/steps';

import type { Case } from '../cases/case-schema.ts';
import { citedBy } from '../cases/cited.ts';
import { type CaseResult, type Failure, verdictOf } from '../results/result.ts';
import type { AgentProcess } from './agent-process.ts';
import { type AgentScope, NotInitialized, startSession, stderrOf } from './agent-scope.ts';
import type { AgentStart } from './agent-steps.ts';
import { AgentFolder, type AgentOptions } from './agent-under-test.ts';
import { agentVerbs } from './agent-verbs.ts';
import type { AgentProfile } from './probe-agent.ts';
import { brokenBetween, brokenRules } from './rules/index.ts';
import { member, type SessionLog } from './session-log.ts';
import { awaitedInVain } from './awaited.ts';
import type { Trials } from './trial.ts';
import { writeTrace } from './write-trace.ts';

export interface RunAgentCase {
  readonly agent: AgentOptions;
  readonly profile: AgentProfile;
  readonly timeoutScale: number;
  readonly traceFolder: string | undefined;
  readonly signal: AbortSignal;
  /** Finds the prompts without an effect, if a case has failed. Default: each prompt has its effect. */
  readonly trials?: Trials | undefined;
  /** Called with the processes when they have ended, if no step has failed. */
  readonly onPlayed?: (processes: readonly SessionLog[]) => void;
}

export type AgentOutcome = Pick<CaseResult, 'verdict' | 'failures' | 'reason' | 'trace' | 'shrunk' | 'differences'>;

// How long an agent may take to exit after the end of its input if all its work is done.
const EXIT_MS = 10_000;

export async function runAgentCase(entry: Case, options: RunAgentCase): Promise<AgentOutcome> {
  const start = entry.start as AgentStart;
  await using folder = await AgentFolder.create(options.agent, start.files);
  const scope = newScope(folder, options);
  const failures: Failure[] = [];
  const error = await play(entry, start, scope);
  if (error !== undefined)
    failures.push(failureOf(error, entry, scope), ...awaitedInVain(error, entry, scope.sessions.at(-1)));
  else failures.push(...(await finish(scope)));
  for (const session of scope.sessions) await session.kill();
  if (error === undefined) options.onPlayed?.(scope.sessions);
  const trace =
    options.traceFolder === undefined ? undefined : await writeTrace(options.traceFolder, entry.id, scope.sessions);
  const unsupported = unsupportedRequest(entry, scope);
  const withTrace = trace === undefined ? {} : { trace };
  if (unsupported !== undefined) return { verdict: 'not-declared', failures: [], reason: unsupported, ...withTrace };
  for (const session of scope.sessions) failures.push(...brokenRules(session));
  failures.push(...brokenBetween(scope.sessions));
  const ofRules = failures.filter(({ rule }) => rule !== undefined);
  if (ofRules.length === failures.length) return { verdict: verdictOf(failures), failures, ...withTrace };
  const reason = await options.trials?.unreached(entry.needs, scope.sessions);
  if (reason === undefined) return { verdict: verdictOf(failures), failures, ...withTrace };
  // The steps could not succeed, but the rules apply to every session.
  const verdict = ofRules.length === 0 ? 'not-declared' : verdictOf(ofRules);
  return { verdict, failures: ofRules, reason, ...withTrace };
}

function newScope(folder: AgentFolder, { profile, timeoutScale, signal }: RunAgentCase): AgentScope {
  const variables = new Variables();
  variables.bind('prompt', profile.prompts);
  variables.bind('folder', { path: folder.path });
  return {
    ...createScope({ variables, defaultParty: 'agent', timeoutScale, signal }),
    folder,
    sessions: [],
    run: undefined,
  };
}

/**
 * Returns the failures that the agent caused.
 *
 * @throws the errors that the suite caused
 */
async function play(
  entry: Case,
  start: AgentStart,
  scope: AgentScope,
): Promise<StepError | NotInitialized | undefined> {
  try {
    if (start.process !== false) await startSession(scope, start);
    await runSteps(entry.steps as readonly Step[], scope, agentVerbs);
    return undefined;
  } catch (error) {
    if (error instanceof NotInitialized) return error;
    if (error instanceof StepError && (error.cause instanceof StepFailure || error.cause instanceof NotInitialized))
      return error;
    throw error;
  }
}

function failureOf(error: StepError | NotInitialized, entry: Case, scope: AgentScope): Failure {
  const start = entry.start as AgentStart;
  const cited = citedBy(error, entry);
  if (error instanceof NotInitialized) {
    // The agent starts in other cases, so it does not accept the arguments of this case.
    const isStart = (start.args ?? start.flags ?? start.env) !== undefined;
    return { ...(isStart ? cited : { spec: 'CTL-3', level: 'must' }), message: error.message };
  }
  const { cause, step } = error;
  const session = scope.sessions.at(-1);
  const stderr = session?.exit === undefined || error.message.includes('standard error') ? '' : stderrOf(session);
  const details = cause instanceof StepFailure ? { expected: cause.expected, got: cause.got } : {};
  return { ...cited, step, message: `${error.message}${stderr}`, ...details };
}

/** Processes that are still working are killed. */
async function finish({ sessions, timeoutScale }: AgentScope): Promise<Failure[]> {
  const session = sessions.at(-1);
  if (session === undefined || session.exit !== undefined || session.signalled || isBusy(session)) return [];
  session.closeInput();
  const late = new AbortController();
  const limit = EXIT_MS * timeoutScale;
  const exit = await Promise.race([
    session.exited,
    sleep(Math.min(limit, LONGEST_TIMER_MS), undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  if (exit !== undefined) return [];
  const message = `The agent did not exit within ${limit} ms after the end of its input, although no turn was running.`;
  return [{ spec: 'CLI-22', level: 'must', rule: 'process/exits', message }];
}

/** A busy agent would not exit soon. */
function isBusy({ inbox }: AgentProcess): boolean {
  const last = inbox.received.findLast(
    ({ value }) => member(value, 'type') === 'result' || member(value, 'subtype') === 'init',
  );
  return member(last?.value, 'subtype') === 'init';
}

/** Returns a sentence about a request that the case needs, but that the agent refused as unsupported. */
function unsupportedRequest({ needs }: Case, { sessions }: AgentScope): string | undefined {
  for (const need of needs) {
    if (!need.startsWith('request.')) continue;
    const subtype = need.slice('request.'.length);
    for (const { inbox, events } of sessions) {
      const ids = events.flatMap((event) =>
        event.kind === 'sent' ? event.text.split('\n').flatMap((line) => requestId(line, subtype)) : [],
      );
      const isRefused = inbox.received.some(
        ({ value }) =>
          member(value, 'response', 'error_code') === 'unsupported_request' &&
          ids.includes(member(value, 'response', 'request_id')),
      );
      if (isRefused) return `The agent does not support ${subtype}.`;
    }
  }
  return undefined;
}

function requestId(line: string, subtype: string): unknown[] {
  if (!line.includes(subtype)) return [];
  try {
    const message: unknown = parseJson(line);
    return member(message, 'request', 'subtype') === subtype ? [member(message, 'request_id')] : [];
  } catch {
    return [];
  }
}
