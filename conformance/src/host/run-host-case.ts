import { LONGEST_TIMER_MS } from '@proto/core/network';
import { parseMessage } from '@proto/core/messages';
import { AgentMessages, INITIALIZE_ANSWER } from '@proto/testkit/fakes';
import {
  createScope,
  DEFAULT_STEP_MS,
  NotReceived,
  runSteps,
  StepError,
  StepFailure,
  Variables,
} from '@proto/testkit/steps';

import type { Case } from '../cases/case-schema.ts';
import { type CaseResult, type Failure, verdictOf } from '../results/result.ts';
import { citedAtTheEnd, citing, failureOf } from './citing.ts';
import type { HostProgram, HostPrompt, HostResult, HostRun, RunningHost } from './host-program.ts';
import { HostSession } from './host-session.ts';
import type { HostStart } from './host-steps.ts';
import type { HostScope } from './host-scope.ts';
import { hostVerbs, userOf } from './host-verbs.ts';
import type { PlayedHost } from './random/host-facts.ts';
import { brokenRules } from './rules/session-rules.ts';
import { UserDecisions } from './user-decisions.ts';
import { writeTrace } from './write-trace.ts';

const DEFAULT_PROMPT = 'Hello';

export interface HostCaseOptions {
  readonly timeoutScale?: number;
  readonly traceFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onStart?: () => void;
  /** Called at the end of the session, if no step has failed. */
  readonly onPlayed?: (played: PlayedHost) => void;
}

export type HostOutcome = Omit<CaseResult, 'id' | 'title' | 'spec' | 'level' | 'ms'>;

/** Rejects if the suite itself is at fault. */
export async function runHostCase(entry: Case, program: HostProgram, options: HostCaseOptions): Promise<HostOutcome> {
  const { timeoutScale = 1, traceFolder, signal = new AbortController().signal, onStart } = options;
  if (entry.steps.length === 0) throw new Error('The case has no steps. A case for hosts cannot use a generator.');
  const missing = entry.needs.filter((need) => !program.features.has(need));
  if (missing.length > 0)
    return { verdict: 'not-declared', failures: [], reason: `the host does not declare ${missing.join(', ')}` };
  const start = entry.start as HostStart;
  const session = new HostSession();
  const variables = new Variables();
  const base = createScope({ variables, defaultParty: 'agent', timeoutScale, signal, served: servedBy(start) });
  session.answerOther = (message) => refuse(message, start);
  const agent = await session.open(base);
  const run = runOf(entry, start, agent, variables, program.features);
  const host = await program.start(run).catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  const scope: HostScope = {
    ...base,
    session,
    messages: new AgentMessages(),
    host,
    prompts: [...run.prompts],
    made: [],
    decisions: new UserDecisions(host, variables),
    features: program.features,
    start,
  };
  scope.parties.set('agent', session).set('user', userOf(scope));
  void host.result.then((result) => {
    if (!session.hasStarted) session.inbox.end(`the program did not start the agent, and ${endOf(result)}`);
  });
  try {
    const outcome = await runAndCheck(entry, start, scope, program);
    if (session.hasStarted) onStart?.();
    if (outcome.verdict !== 'not-declared' && outcome.failures.every(({ step }) => step === undefined))
      options.onPlayed?.({ record: session.record, events: eventsOf(host), calls: scope.made });
    if (traceFolder === undefined) return outcome;
    return { ...outcome, trace: await writeTrace(traceFolder, entry.id, session) };
  } finally {
    host.stop();
    await session.close();
  }
}

async function runAndCheck(
  entry: Case,
  start: HostStart,
  scope: HostScope,
  program: HostProgram,
): Promise<HostOutcome> {
  const { session } = scope;
  const failures: Failure[] = [];
  const stopped = await untilStarted(scope)
    .then(() => runSteps(entry.steps, scope, hostVerbs))
    .then(
      () => undefined,
      (error: unknown) => error as StepError,
    );
  if (stopped !== undefined) {
    if (!(stopped.cause instanceof StepFailure || stopped.cause instanceof NotReceived)) throw stopped;
    if (hasNoMoreInput(scope, program)) {
      const reason = `the host does not declare open-input, and it ended the input of the agent before step ${stopped.step}`;
      return { verdict: 'not-declared', failures: [], reason };
    }
    failures.push(failureOf(entry, stopped, session));
  }
  const isCutOff = session.isEnding;
  const end = await finish(start, scope, stopped === undefined);
  if (end !== undefined && stopped === undefined) failures.push({ ...citedAtTheEnd(entry, session), message: end });
  const dialogs = new Set(start.options?.dialogs ?? []);
  const events = eventsOf(scope.host);
  const { answers } = scope.host;
  const rules = brokenRules(session, {
    dialogs,
    isComplete: stopped === undefined && end === undefined,
    events: program.features.has('messages') ? events : undefined,
    user: answers && {
      events,
      answers,
      brings: start.options ?? {},
      withdraws: program.features.has('withdrawn'),
    },
    options: start.options ?? {},
    methods: scope.made.map(({ method }) => method),
    calls: scope.made,
    isCutOff,
    isOpen: start.open === true,
    prompts: scope.prompts,
    decides: start.options?.permissions === true,
  });
  failures.push(...rules.map(({ spec, ...rest }) => ({ ...rest, ...citing(spec) })));
  const invalid = stopped === undefined ? invalidMessageOfOurs(session) : undefined;
  if (invalid !== undefined) throw new Error(`The suite sent a message that is not valid: ${invalid}`);
  return { verdict: verdictOf(failures), failures };
}

function eventsOf({ inbox }: RunningHost): readonly unknown[] {
  return inbox.received.map(({ value }) => value);
}

async function untilStarted({ session, timeoutScale, signal }: HostScope): Promise<void> {
  const limit = DEFAULT_STEP_MS * timeoutScale;
  await session.inbox
    .find(() => true, 0, limit, signal)
    .catch((error: unknown) => {
      if (!(error instanceof NotReceived)) throw error;
      throw new StepError(0, 'start', new StepFailure(`The program did not start the agent: ${error.message}.`));
    });
}

/** Whether the host has ended the agent's input because the host cannot keep the input open. The agent can then no longer ask the host anything. */
function hasNoMoreInput({ session }: HostScope, program: HostProgram): boolean {
  return session.hasEnded && !program.features.has('open-input');
}

/** Returns what was wrong with the end of the session. */
async function finish(start: HostStart, scope: HostScope, isWhole: boolean): Promise<string | undefined> {
  const { session, host, timeoutScale } = scope;
  const limit = DEFAULT_STEP_MS * timeoutScale;
  // After a failed step, waiting for the whole time would show nothing new.
  const patience = isWhole ? limit : limit / 10;
  if (start.open === true) endInput(host);
  const isOver = session.isEnding;
  let problem: string | undefined;
  if (!session.hasStarted) problem = 'The program did not start the agent.';
  else if (!isOver) {
    const isEnd = ({ value }: { value: unknown }) => (value as { event?: unknown }).event === 'end-of-input';
    const ended = await session.inbox.find(isEnd, 0, patience).catch(() => undefined);
    if (ended === undefined) problem = 'The host did not end the input of the agent after the last result.';
    await session.order({ exit: 0 }).catch((error: Error) => {
      problem ??= error.message;
    });
  }
  const result = await within(patience, host.result);
  if (result === undefined)
    return problem ?? 'The agent has exited, but the session did not end for the user of the host.';
  if (result.failure !== undefined || problem !== undefined) return result.failure ?? problem;
  // If a step has ended the agent, the user may get an error.
  return isOver || result.error === undefined
    ? undefined
    : `The agent exited with code 0, but the user got an error: ${result.error}`;
}

/** A host that does not accept orders ends its input by itself. */
function endInput(host: RunningHost): void {
  try {
    host.send({ type: 'call', id: 'end', method: 'end', arguments: {} });
  } catch {
    // A program without the adapter protocol accepts no orders. It ends its input by itself.
  }
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>(
    (resolve) => (timer = setTimeout(() => resolve(undefined), Math.min(milliseconds, LONGEST_TIMER_MS))),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function runOf(
  { id }: Case,
  start: HostStart,
  agent: string,
  variables: Variables,
  features: ReadonlySet<string>,
): HostRun {
  const { prompts = [DEFAULT_PROMPT], together = false, open = false, options = {}, answers = {} } = start;
  return {
    case: id,
    agent,
    prompts: prompts.map((prompt) => promptOf(variables.fill(prompt))),
    together,
    // A host that cannot keep its input open ends it as for a single prompt.
    open: open && features.has('open-input'),
    options,
    answers,
  };
}

function promptOf(value: unknown): HostPrompt {
  return Array.isArray(value) ? value : String(value);
}

function servedBy({ hold = [] }: HostStart): Map<string, unknown> {
  const answers = Object.entries({ initialize: INITIALIZE_ANSWER, interrupt: { still_queued: [] } });
  return new Map(answers.filter(([subtype]) => !hold.includes(subtype)));
}

function refuse(message: Readonly<Record<string, unknown>>, { hold = [] }: HostStart): unknown {
  const { type, request_id, request } = message as {
    type: unknown;
    request_id: unknown;
    request?: { subtype?: unknown };
  };
  const subtype = String(request?.subtype);
  if (type !== 'control_request' || hold.includes(subtype) || ['initialize', 'interrupt'].includes(subtype))
    return undefined;
  const error = `Unsupported control request subtype: ${subtype}`;
  return {
    type: 'control_response',
    response: { subtype: 'error', request_id, error, error_code: 'unsupported_request' },
  };
}

/** An invalid message from the suite is an error in the suite. Lines that steps write as text are exempt. */
function invalidMessageOfOurs({ record }: HostSession): string | undefined {
  for (const line of record) {
    if (line.by !== 'agent' || line.isText === true) continue;
    const parsed = parseMessage(line.message, { direction: 'from-agent' });
    if (parsed.kind === 'invalid') return `${JSON.stringify(parsed.issues)}: ${JSON.stringify(line.message)}`;
  }
  return undefined;
}

function endOf({ error, failure }: HostResult): string {
  return failure ?? (error === undefined ? 'reported the end of its session' : `reported an error: ${error}`);
}
