import { type Random, type Step } from '@proto/testkit/steps';

import type { Case } from '../../cases/case-schema.ts';
import { generateCases, type RandomSessions } from '../../random/random-sessions.ts';
import type { SimplifyStart } from '../../random/shrink-session.ts';
import type { PromptMap } from '../prompt-map.ts';

/** The cases for a number of generated sessions. They use only prompts that the map contains. */
export function generateSessions(random: RandomSessions, prompts: PromptMap): Case[] {
  return generateCases('agent', random, (numbers) => ({
    spec: 'TRN-16',
    ...new SessionWriter(numbers, prompts).write(),
  }));
}

const without = (flag: string) => (start: Case['start']) => ({
  ...start,
  args: ((start['args'] ?? []) as readonly string[]).filter((arg) => arg !== flag),
});

/** Ways to start the agent of a generated session with less. */
export const SIMPLER_STARTS: readonly SimplifyStart[] = [
  (start) => (start['initialize'] === undefined ? start : { ...start, initialize: {} }),
  without('--replay-user-messages'),
  without('--include-partial-messages'),
];

// Prompts whose turns end by themselves within about a second.
const SHORT_PROMPTS = ['text', 'tool', 'two-tools', 'parallel-tools', 'failing-tool', 'brief', 'think', 'unicode'];
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'manual', 'no-such-mode'];
const PRIORITIES = [undefined, undefined, undefined, 'next', 'later', 'now'];
const MAX_OPERATIONS = 24;
const BURSTS = [3, 10, 80];

/** An operation of the host, and how often it is chosen. */
interface Operation {
  readonly weight: number;
  readonly steps: (session: SessionWriter) => readonly Step[];
}

class SessionWriter {
  readonly #random: Random;
  readonly #prompts: PromptMap;
  readonly #shortPrompts: readonly string[];
  readonly #sent: Step[] = [];
  #ids = 0;

  constructor(random: Random, prompts: PromptMap) {
    this.#random = random;
    this.#prompts = prompts;
    this.#shortPrompts = SHORT_PROMPTS.filter((name) => prompts[name] !== undefined);
  }

  /** Returns how the agent is started, and the steps. */
  write(): Pick<Case, 'start' | 'steps'> {
    const hooks = this.isLucky(0.5) ? this.hooks() : undefined;
    const args = ['--permission-prompt-tool', 'stdio', ...(this.isLucky(0.3) ? ['--replay-user-messages'] : [])];
    const start = {
      args: [...args, ...(this.isLucky(0.3) ? ['--include-partial-messages'] : [])],
      env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
      ...(hooks === undefined ? {} : { initialize: { hooks } }),
    };
    const steps: Step[] = [{ serve: { can_use_tool: ALLOW, hook_callback: {} } }];
    for (let left = 1 + this.below(MAX_OPERATIONS); left > 0; left--) steps.push(...this.#choose().steps(this));
    steps.push({ serve: { can_use_tool: ALLOW, 'hook_callback/before': {} } }, ...this.#end());
    return { start, steps };
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  isLucky(share: number): boolean {
    return this.#random.next() < share;
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An id that does not occur elsewhere in the session. */
  newId(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  /** A prompt that does what the name in the prompt map says, or a short one if the map does not have this name. */
  prompt(wanted = this.oneOf(this.#shortPrompts)): Step {
    const name = this.#prompts[wanted] === undefined ? 'text' : wanted;
    const priority = this.oneOf(PRIORITIES);
    const step = {
      say: {
        type: 'user',
        uuid: this.newId(),
        parent_tool_use_id: null,
        session_id: '',
        ...(priority === undefined ? {} : { priority }),
        message: { role: 'user', content: this.#contentOf(name) },
      },
    };
    this.#sent.push(step);
    return step;
  }

  /** A prompt that was already sent. `undefined` before the first prompt. */
  sentPrompt(): Step | undefined {
    return this.#sent.length === 0 ? undefined : this.oneOf(this.#sent);
  }

  hooks(): object {
    const matcher = this.oneOf([undefined, '', this.#prompts['tool-name'], 'NoSuchTool', '.*']);
    const before = { hookCallbackIds: ['before'], ...(matcher === undefined ? {} : { matcher }) };
    return {
      PreToolUse: this.isLucky(0.8) ? [before] : [],
      ...(this.isLucky(0.3) ? { PostToolUse: [{ hookCallbackIds: ['after', 'after-too'] }] } : {}),
      ...(this.isLucky(0.3) ? { Stop: [{ hookCallbackIds: ['stop'] }] } : {}),
      ...(this.isLucky(0.3) ? { UserPromptSubmit: [{ hookCallbackIds: ['prompt'] }] } : {}),
    };
  }

  get otherModel(): unknown {
    return this.#prompts['other-model'];
  }

  get toolName(): unknown {
    return this.#prompts['tool-name'];
  }

  #contentOf(name: string): unknown {
    if (name === 'text' && this.#prompts['echo'] !== undefined && this.isLucky(0.3))
      return `\${prompt.echo}word-${this.below(1000)}`;
    const text = `\${prompt.${name}}`;
    return this.isLucky(0.2) ? [{ type: 'text', text }] : text;
  }

  #choose(): Operation {
    let at = this.below(TOTAL_WEIGHT);
    return OPERATIONS.find(({ weight }) => (at -= weight) < 0) as Operation;
  }

  #end(): readonly Step[] {
    if (this.isLucky(0.7)) return [{ await: 'idle' }];
    if (this.isLucky(0.5))
      return [this.prompt(), { close: 'input' }, { 'expect-exit': {}, within: 30_000, spec: 'CLI-22' }];
    const signal = this.oneOf(['SIGTERM', 'SIGINT']);
    return [
      this.prompt(),
      { await: { messages: 1 + this.below(6) } },
      { signal },
      { 'expect-exit': {}, spec: 'CLI-31' },
    ];
  }
}

const ALLOW = { behavior: 'allow' };

/** The answers to permission requests. `null` leaves them unanswered. */
const PERMISSION_ANSWERS: readonly ((session: SessionWriter) => unknown)[] = [
  () => ALLOW,
  () => ALLOW,
  () => ({ behavior: 'allow', updatedInput: '${served.request.input}', toolUseID: '${served.request.tool_use_id}' }),
  () => ({ behavior: 'deny', message: 'Not this one.' }),
  () => ({ behavior: 'deny', message: 'Stop.', interrupt: true }),
  () => ({ $error: 'The user cannot be asked.' }),
  () => ({ behavior: 'no-such-behavior' }),
  ({ toolName }) => ({ ...ALLOW, updatedPermissions: [rulesOf('addRules', 'allow', toolName)] }),
  ({ toolName }) => ({ ...ALLOW, updatedPermissions: [rulesOf('addRules', 'deny', toolName)] }),
  ({ toolName }) => ({ ...ALLOW, updatedPermissions: [rulesOf('removeRules', 'allow', toolName)] }),
  ({ toolName }) => ({ ...ALLOW, updatedPermissions: [rulesOf('replaceRules', 'ask', toolName)] }),
  (session) => ({
    ...ALLOW,
    updatedPermissions: [{ type: 'setMode', mode: session.oneOf(MODES), destination: 'session' }],
  }),
  () => null,
];

function rulesOf(type: string, behavior: string, toolName: unknown): object {
  return { type, behavior, rules: [{ toolName }], destination: 'session' };
}

/** The answers of the hook that is called before a tool. */
const HOOK_ANSWERS: readonly unknown[] = [
  {},
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } },
  {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Not with this hook.',
    },
  },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'no-such-decision' } },
  { continue: false, stopReason: 'Enough.' },
  { async: true },
  { $error: 'The hook has failed.' },
];

function requestOf(subtype: string, members: object = {}): readonly Step[] {
  return [{ request: { subtype, ...members } }];
}

const OPERATIONS: readonly Operation[] = [
  { weight: 14, steps: (session) => [session.prompt()] },
  { weight: 14, steps: (session) => [{ await: { messages: 1 + session.below(10) } }] },
  { weight: 5, steps: () => [{ await: 'idle' }] },
  { weight: 5, steps: () => [{ await: { request: 'can_use_tool' }, within: 3000 }] },
  { weight: 2, steps: () => [{ await: { request: 'hook_callback' }, within: 3000 }] },
  {
    weight: 10,
    steps: (session) => [{ serve: { can_use_tool: session.oneOf(PERMISSION_ANSWERS)(session) } }],
  },
  { weight: 6, steps: (session) => [{ serve: { 'hook_callback/before': session.oneOf(HOOK_ANSWERS) } }] },
  { weight: 8, steps: () => requestOf('interrupt') },
  { weight: 2, steps: () => requestOf('interrupt', { cancel_queued: true }) },
  {
    weight: 4,
    steps: (session) => [
      { serve: { can_use_tool: null } },
      session.prompt('tool'),
      { await: { request: 'can_use_tool' }, within: 3000 },
    ],
  },
  {
    weight: 2,
    steps: (session) => Array.from({ length: session.oneOf(BURSTS) }, () => session.prompt('text')),
  },
  { weight: 3, steps: (session) => [session.sentPrompt() ?? session.prompt()] },
  {
    weight: 4,
    steps: (session) => {
      const { say } = (session.isLucky(0.9) ? session.sentPrompt() : undefined) ?? {};
      const { uuid = session.newId() } = (say ?? {}) as { readonly uuid?: string };
      return requestOf('cancel_async_message', { message_uuid: uuid });
    },
  },
  { weight: 5, steps: (session) => requestOf('set_permission_mode', { mode: session.oneOf(MODES) }) },
  {
    weight: 2,
    steps: ({ otherModel = 'default' }) => requestOf('set_model', { model: otherModel }),
  },
  { weight: 2, steps: (session) => requestOf('initialize', { hooks: session.hooks() }) },
  { weight: 2, steps: () => requestOf('no_such_request') },
  { weight: 1, steps: () => requestOf('stop_task', { task_id: 'no-such-task' }) },
  { weight: 1, steps: () => requestOf('get_task_output', { task_id: 'no-such-task' }) },
  { weight: 1, steps: () => [{ say: { type: 'keep_alive' } }] },
  { weight: 1, steps: () => [{ say: { type: 'no_such_type', value: 1 } }] },
  { weight: 1, steps: () => [{ say: { type: 'control_cancel_request', request_id: 'no-such-request' } }] },
  {
    weight: 1,
    steps: () => [
      { say: { type: 'control_response', response: { subtype: 'success', request_id: 'no-such-id', response: {} } } },
    ],
  },
  {
    weight: 2,
    steps: (session) => [
      { 'stop-reading': true },
      ...Array.from({ length: 1 + session.below(5) }, () => session.prompt()),
      ...(session.isLucky(0.5) ? requestOf('interrupt') : []),
      { pause: 1 + session.below(100) },
      { 'read-again': true },
    ],
  },
];

const TOTAL_WEIGHT = OPERATIONS.reduce((sum, { weight }) => sum + weight, 0);
