import { isObject, type Random, type Step } from '@proto/testkit/steps';

import type { Case } from '../../cases/case-schema.ts';
import { generateCases, type GeneratedSession, type RandomSessions } from '../../random/random-sessions.ts';
import type { SimplifyStart } from '../../random/shrink-session.ts';
import { BAD_JSON } from '../../random/odd-values.ts';
import { withUnknownMembers } from '../../random/unknown-members.ts';
import type { PromptMap } from '../prompt-map.ts';
import { ALLOW, answerAll, SERVER_ANSWER } from './host-answers.ts';
import { continuedTurn, OPERATIONS, wordUnknown } from './operations.ts';
import { SessionWriter } from './session-writer.ts';
import { bytes, lineOf } from './unusual-lines.ts';

const MAX_OPERATIONS = 40;

/** The sessions use only prompts that the map contains. */
export function generateSessions(random: RandomSessions, prompts: PromptMap): Case[] {
  return generateCases('agent', random, (numbers) => generateSession(numbers, prompts));
}

function generateSession(random: Random, prompts: PromptMap): GeneratedSession {
  const session = new SessionWriter(random, prompts);
  const flags = ['--replay-user-messages', '--include-partial-messages'].filter(() => session.isLucky(0.3));
  session.isReplayed = flags.includes('--replay-user-messages');
  const isMirrored = session.isLucky(0.15);
  const isLimited = session.isLucky(0.12);
  session.isLimited = isLimited;
  const needs = [...(isMirrored ? ['flag.session-mirror'] : []), ...(isLimited ? ['flag.max-turns'] : [])];
  const others = [
    ...(isMirrored ? ['--session-mirror'] : []),
    ...(isLimited ? ['--max-turns', String(1 + session.below(3))] : []),
  ];
  const start = (...args: readonly string[]) => ({
    args: ['--permission-prompt-tool', 'stdio', ...flags, ...others, ...args],
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    // The steps send `initialize` themselves, because the agent asks MCP servers of the host before it answers.
    initialize: false,
  });
  if (!session.isLucky(0.14))
    return { spec: 'TRN-16', needs, start: start(), steps: [...processOf(session, MAX_OPERATIONS), ...endOf(session)] };
  if (session.isLucky(0.2)) return refusedStart(session);
  if (session.isLucky(0.15)) return notStored(session, start, needs);
  const id = session.newId();
  const first = [...processOf(session, MAX_OPERATIONS / 2), ...endOfFirst(session)];
  // A prompt that was accepted in the first process does not run again.
  if (session.isLucky(0.5)) session.forgetPrompts();
  const isCopied = !session.hasRemembered && session.isLucky(0.5);
  const copy = isCopied ? [{ 'start-again': start('--resume', id, '--fork-session') }, ...copyOf(session)] : [];
  const known = isCopied ? recalled(session) : [];
  const second = [...known, ...processOf(session, MAX_OPERATIONS / 2), ...endOf(session)];
  const steps = [...first, ...copy, { 'start-again': start('--resume', id) }, ...second];
  return {
    spec: 'TRN-16',
    needs: [...needs, 'flag.resume', 'flag.session-id', ...(isCopied ? ['flag.fork-session'] : [])],
    start: start('--session-id', id),
    steps,
  };
}

type Start = (...args: readonly string[]) => Readonly<Record<string, unknown>>;

/** A session that the agent must not store, so that it cannot be resumed. */
function notStored(session: SessionWriter, start: Start, needs: readonly string[]): GeneratedSession {
  const prompt = session.plainPrompt('text');
  const last = { type: 'result', user_message_uuids: { $contains: prompt.uuid } };
  return {
    spec: 'TRN-58',
    needs: [...needs, 'flag.resume', 'flag.no-session-persistence'],
    start: start('--no-session-persistence'),
    steps: [
      ...processOf(session, MAX_OPERATIONS / 2),
      { await: 'idle' },
      { say: prompt },
      { expect: last, as: 'last' },
      { close: 'input' },
      { 'expect-exit': {}, spec: 'CLI-22' },
      { 'start-again': start('--resume', '${last.session_id}') },
      { 'expect-exit': { code: 1 }, spec: 'TRN-58' },
    ],
  };
}

/** A process with a copy of the session, in which the model learns a word. */
function copyOf(session: SessionWriter): readonly Step[] {
  return [
    { serve: answerAll() },
    { say: session.plainPrompt('text') },
    { say: session.plainPrompt('remember') },
    { await: 'idle' },
    { close: 'input' },
    { 'expect-exit': {}, spec: 'CLI-22' },
  ];
}

/** The model does not know the word in the session that was copied. */
function recalled(session: SessionWriter): readonly Step[] {
  if (session.fact('remembered') === undefined) return [];
  return [{ serve: answerAll() }, { await: 'idle' }, ...wordUnknown(session, 'TRN-39')];
}

/** A start that the agent refuses, whatever other flags it gets. */
function refusedStart(session: SessionWriter): GeneratedSession {
  const [spec, needs, args] = session.oneOf<readonly [string, readonly string[], readonly string[]]>([
    ['TRN-42', ['flag.resume'], ['--resume', session.newId()]],
    ['CLI-13', ['flag.permission-mode'], ['--permission-mode', 'no-such-mode']],
    ['CLI-14', ['flag.session-id'], ['--session-id', 'not-a-uuid']],
    ['CLI-4', [], ['--no-such-flag']],
  ]);
  const others = ['include-partial-messages', 'no-session-persistence', 'session-mirror', 'fork-session'];
  const chosen = others.filter(() => session.isLucky(0.3));
  const flags = session.isLucky(0.5)
    ? [...chosen.map((flag) => `--${flag}`), ...args]
    : [...args, ...chosen.map((flag) => `--${flag}`)];
  return {
    spec,
    needs: [...needs, ...chosen.map((flag) => `flag.${flag}`)],
    start: { args: flags, initialize: false },
    steps: [{ 'expect-exit': { code: 1 }, spec }],
  };
}

/** The steps of one process, up to the point where everything is answered. */
function processOf(session: SessionWriter, maxOperations: number): readonly Step[] {
  const steps: Step[] = [
    {
      serve: { can_use_tool: ALLOW, hook_callback: {}, mcp_message: SERVER_ANSWER, elicitation: { action: 'cancel' } },
    },
    ...(session.isLucky(0.93) ? [{ say: session.initialize() }] : []),
    ...(session.isLucky(0.8) ? [{ await: 'idle' }] : []),
  ];
  for (let left = 1 + session.below(maxOperations); left > 0; left--)
    steps.push(...session.weighted(OPERATIONS).of(session));
  if (session.isLimited && session.isLucky(0.5)) steps.push(...continuedTurn(session));
  return [...withUnknownMembers(session, steps), { serve: answerAll() }];
}

/** The end of a process whose session is resumed. It begins with a prompt, because an agent need not store a conversation without one. */
function endOfFirst(session: SessionWriter): readonly Step[] {
  const stored = [{ say: session.prompt('text') }, { await: 'idle' }];
  if (session.isLucky(0.6)) return [...stored, { close: 'input' }, { 'expect-exit': {}, spec: 'CLI-22' }];
  return [
    ...stored,
    { say: session.prompt() },
    { await: { messages: 1 + session.below(6) } },
    { signal: 'SIGTERM' },
    { 'expect-exit': {}, spec: 'CLI-31' },
  ];
}

function endOf(session: SessionWriter): readonly Step[] {
  if (session.isLucky(0.6)) return [{ await: 'idle' }];
  if (session.isLucky(0.1)) return [{ await: 'idle' }, ...notByTheUser(session)];
  if (session.isLucky(0.1))
    return [
      { await: 'idle' },
      session.isLucky(0.2)
        ? { ...bytes('{"type":"user"'), last: true }
        : { 'say-text': `${session.oneOf(BAD_JSON)}\n` },
      { 'expect-exit': { code: 1 }, spec: 'FRM-19' },
    ];
  if (session.isLucky(0.15)) return unreadEnd(session);
  if (session.isLucky(0.5))
    return [...lastPrompt(session), { close: 'input' }, { 'expect-exit': {}, within: 30_000, spec: 'CLI-22' }];
  return [
    { say: session.prompt() },
    { await: { messages: 1 + session.below(6) } },
    { signal: session.oneOf(['SIGTERM', 'SIGINT']) },
    { 'expect-exit': {}, spec: 'CLI-31' },
  ];
}

/** A message whose role is not `user`. The agent runs no turn for it, and may end because of it. */
function notByTheUser(session: SessionWriter): readonly Step[] {
  const { message, ...prompt } = session.plainPrompt('text');
  const role = session.oneOf(['assistant', 'system', 'no-such-role']);
  return [
    { say: { ...prompt, message: { ...message, role } } },
    { close: 'input' },
    { 'expect-exit': {}, spec: 'CLI-22' },
  ];
}

/** The host reads nothing while the agent ends. */
function unreadEnd(session: SessionWriter): readonly Step[] {
  return [
    { 'stop-reading': true, spec: 'CLI-38' },
    ...(session.isLucky(0.5) ? [{ say: session.plainPrompt('big') }] : []),
    { say: session.plainPrompt('text') },
    { close: 'input' },
    { pause: session.oneOf([100, 700, 1500]) },
    { 'read-again': true },
    { 'expect-exit': {}, within: 30_000, spec: 'CLI-38' },
  ];
}

/** Sometimes, the last line of the input has no LF. */
function lastPrompt(session: SessionWriter): readonly Step[] {
  const place = session.below(10);
  if (place < 2) {
    const pieces = session.isLucky(0.4) ? { pieces: 1 + session.below(60), every: 20 } : {};
    return [{ ...bytes(lineOf(session, session.prompt())), ...pieces, last: true, spec: 'FRM-6' }];
  }
  // Turns that take some time after the end of the input.
  if (place >= 8) return Array.from({ length: 3 }, () => ({ say: session.plainPrompt('brief') }));
  return [{ say: session.prompt() }, ...(place < 4 ? [{ 'say-text': ' \t', spec: 'FRM-5' }] : [])];
}

const without = (flag: string) => (start: Case['start']) => ({
  ...start,
  args: ((start['args'] ?? []) as readonly string[]).filter((arg) => arg !== flag),
});

/**
 * Whether a session from which some steps were removed still ends: a `Stop` hook that blocks every time lets no turn end, so it must not block while
 * the host waits for the end of a turn.
 */
export function isPlayable({ steps }: Pick<Case, 'steps'>): boolean {
  let isBlocked = false;
  return steps.every((step) => {
    const hook = isObject(step['serve']) ? step['serve']['hook_callback/stop'] : undefined;
    if (hook !== undefined) isBlocked = isObject(hook) && hook['decision'] === 'block';
    return !isBlocked || !(step['await'] === 'idle' || 'expect-exit' in step);
  });
}

/** Ways to start the agent of a generated session with fewer arguments. */
export const SIMPLER_STARTS: readonly SimplifyStart[] = [
  without('--replay-user-messages'),
  without('--include-partial-messages'),
  without('--session-mirror'),
];
