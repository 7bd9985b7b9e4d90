import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';

import { LONGEST_TIMER_MS } from '@proto/core/network';
import { isObject } from '@proto/testkit/steps';

import type { Failure } from '../results/result.ts';
import { ProgramNotStarted } from '../run/test-options.ts';
import { AgentFolder, type AgentOptions, HOST_FLAGS } from './agent-under-test.ts';
import { type AgentExit, type AgentProcess, describeExit } from './agent-process.ts';
import { mapNameFor, type PromptMap, readPromptMap } from './prompt-map.ts';
import { brokenRules } from './rules/index.ts';
import { member } from './session-log.ts';

/** What the suite finds out about an agent before the first case. */
export interface AgentProfile {
  /** The name or the file of the prompt map. */
  readonly promptMap: string;
  /** The line that the agent prints for `-v`. Empty if the agent prints nothing. */
  readonly version: string;
  readonly prompts: PromptMap;
  /** Whether the prompt map is the map for unknown agents, and the user did not choose it. */
  readonly isGuessed: boolean;
  /** The names in `capabilities` of `system/init` and of the answer to `initialize`. */
  readonly capabilities: ReadonlySet<string>;
  readonly help: string;
  readonly reportsStates: boolean;
  readonly answersInitialize: boolean;
  /** Milliseconds from the program's start to its first answer. */
  readonly startMs: number;
  readonly answersPrompts: boolean;
  /** Milliseconds from the first prompt to its result, or to the end of the time limit. */
  readonly turnMs: number;
  /** The rules that were broken in the probe's session. */
  readonly failures: readonly Failure[];
}

const VERSION_MS = 10_000;
const ANSWER_MS = 10_000;
// If the user sets no time limit, an agent may take this many times longer, so that the suite can measure how slow the agent is.
const PATIENCE = 3;
// An agent that refuses to start exits within this time, or within twice the time that it took before.
const START_MS = 3000;

/** @throws {@link ProgramNotStarted} if the agent cannot be started, or exits immediately with every argument list */
export async function probeAgent(
  options: AgentOptions,
  {
    prompts: nameOrFile,
    timeoutScale,
  }: { readonly prompts?: string | undefined; readonly timeoutScale?: number | undefined },
): Promise<AgentProfile> {
  await using folder = await AgentFolder.create(options);
  const patience = timeoutScale ?? PATIENCE;
  const version = await outputOf(folder, ['-v'], VERSION_MS * patience);
  const promptMap = nameOrFile ?? mapNameFor(version);
  const prompts = await readPromptMap(promptMap);
  const help = await outputOf(folder, ['--help'], VERSION_MS * patience);
  const started = performance.now();
  const session = folder.start({ args: HOST_FLAGS, env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } });
  await failsToStart(session, options);
  await session.sendText(`${JSON.stringify(request('probe', { subtype: 'initialize' }))}\n`);
  const isAnswer = (value: unknown) => member(value, 'response', 'request_id') === 'probe';
  const answer = await find(session, isAnswer, ANSWER_MS * patience);
  const startMs = performance.now() - started;
  const message = { role: 'user', content: prompts['text'] };
  await session.sendText(`${JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '' })}\n`);
  const limit = ANSWER_MS * (answer === undefined ? (timeoutScale ?? 1) : patience);
  const result = await find(session, (value) => member(value, 'type') === 'result', limit);
  const turnMs = performance.now() - started - startMs;
  if (answer === undefined && result === undefined && session.exit !== undefined)
    await refusesToStart(folder, options, startMs);
  await find(session, (value) => member(value, 'state') === 'idle', 50);
  const all = session.inbox.received.map(({ value }) => value);
  return {
    version: version.split('\n')[0] ?? '',
    promptMap,
    prompts,
    isGuessed: nameOrFile === undefined && promptMap === 'model',
    help,
    capabilities: new Set(all.flatMap(capabilitiesOf)),
    reportsStates: all.some((value) => member(value, 'subtype') === 'session_state_changed'),
    answersInitialize: answer !== undefined,
    startMs,
    answersPrompts: result !== undefined,
    turnMs,
    failures: brokenRules(session),
  };
}

export function request(id: string, content: object): object {
  return { type: 'control_request', request_id: id, request: content };
}

/** Returns `undefined` if no such message arrives in time. */
export async function find(
  { inbox }: AgentProcess,
  passes: (value: unknown) => boolean,
  milliseconds: number,
): Promise<unknown> {
  const at = await inbox.find(({ value }) => passes(value), 0, milliseconds).catch(() => undefined);
  return at === undefined ? undefined : inbox.received[at]?.value;
}

function capabilitiesOf(value: unknown): string[] {
  const lists = [member(value, 'capabilities'), member(value, 'response', 'response', 'capabilities')];
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []));
}

/** Returns an empty string if the run does not succeed in time. */
async function outputOf(folder: AgentFolder, args: readonly string[], milliseconds: number): Promise<string> {
  const run = folder.start({ args });
  run.closeInput();
  const timer = setTimeout(() => void run.kill(), Math.min(milliseconds, LONGEST_TIMER_MS));
  const exit = await run.exited.catch(() => undefined);
  clearTimeout(timer);
  return exit?.code === 0 ? outputText(run) : '';
}

export function outputText({ events }: AgentProcess): string {
  return events
    .map((event) => (event.kind === 'received' ? `${event.line.text}${event.line.ended ? '\n' : ''}` : ''))
    .join('');
}

/** @throws {@link ProgramNotStarted} if the program does not exist. */
async function failsToStart(session: AgentProcess, { command }: AgentOptions): Promise<void> {
  const failed = await Promise.race([
    session.exited.then(
      () => undefined,
      (error: unknown) => error,
    ),
    // If the program does not exist, Node reports the error before this promise settles.
    nextTick(undefined),
  ]);
  if (!(failed instanceof Error)) return;
  const isMissing = isObject(failed) && failed['code'] === 'ENOENT';
  throw new ProgramNotStarted(
    `${command} cannot be started: ${isMissing ? 'the program was not found' : failed.message}.`,
  );
}

/**
 * Restarts an agent that exited before it answered anything, and sends it no message. If only its answers are faulty, the agent keeps running, and
 * exits with code 0 at the end of its input.
 *
 * @throws {@link ProgramNotStarted} if the agent ends although it received no input, or fails at the end of an empty input.
 */
async function refusesToStart(folder: AgentFolder, { command }: AgentOptions, exitedAfterMs: number): Promise<void> {
  const session = folder.start({ args: HOST_FLAGS });
  const limit = Math.max(START_MS, 2 * exitedAfterMs);
  const early = await exitWithin(session, limit);
  session.closeInput();
  const exit = early ?? (await exitWithin(session, limit));
  if (exit === undefined || (early === undefined && exit.code === 0)) return;
  const written = [session.stderr, outputText(session)].map((text) => text.trim()).find((text) => text !== '');
  const text = written === undefined ? '' : ` It wrote:\n${written.split('\n').slice(-5).join('\n')}`;
  throw new ProgramNotStarted(
    `${command} exited ${describeExit(exit)} before it answered. Hosts add the arguments ${HOST_FLAGS.join(' ')}, which an agent must accept.${text}`,
  );
}

async function exitWithin(session: AgentProcess, milliseconds: number): Promise<AgentExit | undefined> {
  const late = new AbortController();
  const exit = await Promise.race([
    session.exited,
    sleep(Math.min(milliseconds, LONGEST_TIMER_MS), undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return exit;
}
