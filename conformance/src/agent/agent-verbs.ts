import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { LONGEST_TIMER_MS } from '@proto/core/network';
import {
  bindAs,
  describeMismatch,
  isObject,
  limitOf,
  match,
  shortJson,
  type Step,
  StepFailure,
} from '@proto/testkit/steps';

import { describeExit } from './agent-process.ts';
import { type AgentScope, sessionOf, startSession, stderrOf } from './agent-scope.ts';
import type { AgentStart } from './agent-steps.ts';
import { outputText } from './probe-agent.ts';
import { obligationsOf } from './obligations.ts';
import { subtypeOf } from './rules/timeline.ts';
import { member, parseJson } from './session-log.ts';
import { stillRunning } from './process-tree.ts';

type AgentVerb = (step: Step, scope: AgentScope) => Promise<void>;

// A command may take this long to exit after the agent has stopped it.
const PROCESSES_GONE_MS = 1000;
const POLL_MS = 20;
// The suite waits as long as the agent sends messages, but at most this many times the time limit of a step.
const MAX_AWAITED_LIMITS = 6;

export const agentVerbs: Readonly<Record<string, AgentVerb>> = {
  close: async (_step, scope) => sessionOf(scope).closeInput(),
  'say-all': async (step, scope) => {
    const messages = scope.variables.fill(step['say-all']) as readonly unknown[];
    await sessionOf(scope).sendText(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  },
  'say-bytes': sayBytes,
  'answer-newest': answerNewest,
  'answer-open': answerOpen,
  'say-about-newest': async (step, scope) => {
    const session = sessionOf(scope);
    const isOne = ({ value }: { readonly value: unknown }) =>
      [member(value, 'subtype'), member(value, 'request', 'subtype')].includes(step['say-about-newest']);
    const newest = session.inbox.received.findLast(isOne);
    if (newest === undefined) return;
    scope.variables.bind('newest', newest.value);
    await session.sendText(`${JSON.stringify(scope.variables.fill(step['with']))}\n`);
  },
  'stop-reading': async (step, scope) => sessionOf(scope).stopReading(step['stop-reading'] === 'close'),
  'read-again': async (_step, scope) => sessionOf(scope).readAgain(),
  pause: async ({ pause }, { signal }) => {
    await sleep(Math.min(Number(pause), LONGEST_TIMER_MS), undefined, { signal });
  },
  await: awaitAgent,
  signal: async ({ signal }, scope) => sessionOf(scope).signal(signal as NodeJS.Signals),
  'expect-exit': expectExit,
  'expect-running': async (_step, scope) => {
    const { exit } = sessionOf(scope);
    if (exit !== undefined) throw new StepFailure(`The agent has exited ${describeExit(exit)}.`, { got: exit });
  },
  'expect-never': expectNever,
  'expect-file': expectFile,
  'start-again': async (step, scope) => {
    await startSession(scope, step['start-again'] as AgentStart);
  },
  run,
  'expect-output': async (step, scope) => {
    const { run: process } = scope;
    if (process === undefined) throw new Error('No earlier step has run the agent.');
    const stdout = outputText(process);
    const outcome = { stdout, stderr: process.stderr, json: parseJson(stdout), code: process.exit?.code ?? null };
    compare(step['expect-output'], outcome, 'The output is not the expected output', scope);
  },
};

async function sayBytes(step: Step, scope: AgentScope): Promise<void> {
  const parts = step['say-bytes'] as readonly (string | number)[];
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(scope.variables.fillText(part)))),
  );
  bindAs(step, parseJson(bytes.toString()), scope);
  const size = Number(step['pieces'] ?? Math.max(1, bytes.length));
  const every = step['every'] as number | undefined;
  await sessionOf(scope).sendBytes(bytes, { size, every, isLast: step['last'] === true });
}

async function answerNewest(step: Step, scope: AgentScope): Promise<void> {
  const session = sessionOf(scope);
  const [subtype, hook] = String(step['answer-newest']).split('/');
  const request = session.inbox.received.findLast(
    ({ value }) =>
      isObject(value) &&
      subtypeOf(value) === subtype &&
      (hook === undefined || member(value, 'request', 'callback_id') === hook),
  );
  if (request === undefined) return;
  const id = member(request.value, 'request_id');
  scope.answered.add(id);
  scope.variables.bind('served', request.value);
  const response = scope.variables.fill(step['with'] ?? {}, 'left-out');
  const { error } = step;
  const said = error === undefined ? { subtype: 'success', response } : { subtype: 'error', error };
  const answer = { type: 'control_response', response: { ...said, request_id: id } };
  await session.sendText(`${JSON.stringify(answer)}\n`);
}

async function answerOpen(step: Step, scope: AgentScope): Promise<void> {
  const session = sessionOf(scope);
  const payloads = step['with'] as readonly unknown[];
  const open = [...obligationsOf(session).questions].filter(
    ([id, message]) => subtypeOf(message) === step['answer-open'] && !scope.answered.has(id),
  );
  const answers = open.toReversed().map(([id, message], at) => {
    scope.answered.add(id);
    scope.variables.bind('served', message);
    const response = scope.variables.fill(payloads[at % payloads.length], 'left-out');
    return { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
  });
  if (answers.length > 0) await session.sendText(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
}

async function awaitAgent(step: Step, scope: AgentScope): Promise<void> {
  const session = sessionOf(scope);
  const { inbox } = session;
  const wanted = step['await'];
  const enough = inbox.received.length + Number(member(wanted, 'messages') ?? Infinity);
  const subtype = member(wanted, 'request');
  const isAsked = () =>
    [...obligationsOf(session).questions.values()].some(
      (message) => subtype === undefined || subtypeOf(message) === subtype,
    );
  const withdrawn = member(wanted, 'no-request');
  const isOpen = () =>
    [...obligationsOf(session).questions.values()].some((message) => subtypeOf(message) === withdrawn);
  const isDone = () =>
    withdrawn === undefined ? inbox.received.length >= enough || obligationsOf(session).isIdle || isAsked() : !isOpen();
  const limit = limitOf(step, scope);
  const end = performance.now() + MAX_AWAITED_LIMITS * limit;
  while (!isDone()) {
    const patience = Math.min(limit, end - performance.now());
    const arrived = await inbox.find(() => true, inbox.received.length, patience, scope.signal).catch(() => undefined);
    scope.signal.throwIfAborted();
    if (arrived !== undefined && performance.now() < end) continue;
    if (wanted !== 'idle') return;
    const { exit, signalled, events } = session;
    if (exit !== undefined && (signalled || events.some(({ kind }) => kind === 'input-ended'))) return;
    const reason = exit === undefined ? `within ${limit} ms` : `before the agent exited ${describeExit(exit)}`;
    throw new StepFailure(`${obligationsOf(session).outstanding.join('. ')}. The agent did not become idle ${reason}.`);
  }
}

async function expectExit(step: Step, scope: AgentScope): Promise<void> {
  const session = sessionOf(scope);
  const { processes, ...pattern } = step['expect-exit'] as { readonly processes?: number };
  session.endExpected = true;
  const limit = limitOf(step, scope);
  const late = new AbortController();
  const exit = await Promise.race([
    session.exited,
    sleep(Math.min(limit, LONGEST_TIMER_MS), undefined, { signal: AbortSignal.any([late.signal, scope.signal]) }),
  ]);
  late.abort();
  scope.signal.throwIfAborted();
  if (exit === undefined) throw new StepFailure(`The agent did not exit within ${limit} ms.`, { expected: pattern });
  compare(pattern, { ...exit, stderr: session.stderr }, `The agent has exited ${describeExit(exit)}`, scope, session);
  if (processes !== undefined) await expectNoProcesses(session.rememberProcesses());
}

async function expectNoProcesses(processes: Parameters<typeof stillRunning>[0]): Promise<void> {
  const deadline = performance.now() + PROCESSES_GONE_MS;
  while (stillRunning(processes).length > 0) {
    if (performance.now() > deadline)
      throw new StepFailure(
        `${stillRunning(processes).length} of the commands that the agent started are still running.`,
      );
    await sleep(POLL_MS);
  }
}

async function expectNever(step: Step, scope: AgentScope): Promise<void> {
  const found = sessionOf(scope).inbox.received.find(
    ({ value }) => match(step['expect-never'], value, scope.variables).ok,
  );
  if (found !== undefined)
    throw new StepFailure(`A message arrived that should not have arrived: ${shortJson(found.value)}`, {
      expected: { none: step['expect-never'] },
      got: found.value,
    });
}

async function expectFile(step: Step, scope: AgentScope): Promise<void> {
  const pattern = step['expect-file'];
  if (!isObject(pattern)) return;
  const name = scope.variables.fillText(pattern['name']);
  const content = await readFile(join(scope.folder.path, name), 'utf8').catch(() => undefined);
  const { name: _, ...wanted } = pattern;
  compare(wanted, { exists: content !== undefined, content }, `The file ${name} is not as expected`, scope);
}

async function run(step: Step, scope: AgentScope): Promise<void> {
  const { args, stdin } = step['run'] as { readonly args: readonly string[]; readonly stdin?: string };
  const process = scope.folder.start({ args: (scope.variables.fill(args) as unknown[]).map(String) });
  scope.run = process;
  if (stdin !== undefined) await process.sendText(scope.variables.fillText(stdin));
  process.closeInput();
  const limit = limitOf(step, scope);
  const late = new AbortController();
  const exit = await Promise.race([
    process.exited,
    sleep(Math.min(limit, LONGEST_TIMER_MS), undefined, { signal: late.signal }).catch(() => {}),
  ]);
  late.abort();
  if (exit === undefined)
    throw new StepFailure(`The agent did not exit within ${limit} ms.`, { got: outputText(process) });
}

function compare(
  pattern: unknown,
  value: unknown,
  sentence: string,
  scope: AgentScope,
  session?: Parameters<typeof stderrOf>[0],
): void {
  const result = match(scope.variables.fill(pattern), value, scope.variables);
  if (result.ok) return;
  const stderr = session === undefined ? '' : stderrOf(session);
  throw new StepFailure(`${sentence}: ${describeMismatch(result.mismatch)}.${stderr}`, {
    expected: pattern,
    got: value,
  });
}
