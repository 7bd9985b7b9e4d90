import { isObject, type Random, type Step } from '@proto/testkit/steps';

import { Choices } from '../../random/choices.ts';
import { oddText } from '../../random/odd-values.ts';
import type { PromptMap } from '../prompt-map.ts';

/** Prompts whose turns end by themselves within about a second, each with how often it is chosen. */
const SHORT_PROMPTS: Readonly<Record<string, number>> = {
  text: 5,
  tool: 14,
  'two-tools': 2,
  'parallel-tools': 3,
  'many-parallel-tools': 1,
  'failing-tool': 2,
  brief: 2,
  think: 1,
  unicode: 1,
  subagent: 2,
  'parallel-subagents': 1,
  background: 1,
  'mcp-tool': 4,
  'parallel-mcp-tools': 2,
  'mcp-odd-tool': 1,
  clear: 1,
  compact: 1,
  'fail-api': 1,
  'fail-execution': 1,
};
interface Weighted {
  readonly name: string;
  readonly weight: number;
}

const SERVER_PROMPTS = ['mcp-tool', 'mcp-odd-tool', 'parallel-mcp-tools', 'many-parallel-tools'];
const PRIORITIES = [undefined, undefined, undefined, undefined, 'next', 'later', 'later', 'now', 'no-such-priority'];

const ODD_IDS = ['constructor', '__proto__', 'toString', ' ', '0', 'long-'.repeat(60)];

const LONG_WORD = 'long-';
const LENGTHS = [1000, 5000, 14_000, 60_000];
const TEXTS_FOR_THE_MODEL = new Set(['message', 'reason', 'permissionDecisionReason', 'stopReason', 'text']);

export const HOOK_EVENTS = {
  PreToolUse: ['before', 'before-too'],
  PostToolUse: ['after', 'after-too'],
  PostToolUseFailure: ['failed'],
  PermissionRequest: ['permission'],
  UserPromptSubmit: ['prompt'],
  Stop: ['stop'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type HookEvent = keyof typeof HOOK_EVENTS;

/** All messages depend only on the random numbers and on the prompt map. */
export class SessionWriter extends Choices {
  readonly #prompts: PromptMap;
  readonly #short: readonly Weighted[];
  readonly #used = new Map<unknown, unknown>();
  #sentPrompts: object[] = [];
  #withdrawn: object | undefined;
  readonly #sentRequests: string[] = [];
  readonly hookEvents = new Set<HookEvent>();
  /** Whether the calls to the model in a turn are limited. */
  isLimited = false;
  /** Whether the agent echoes what the host sends. */
  isReplayed = false;
  /** Whether a request of the host has the id of a request of the agent. A second one could have the same id. */
  hasUsedAnId = false;
  /** Whether a hook has a time limit. */
  hasTimeouts = false;
  /** Whether the model has learned the word of the prompt `remember` in the first conversation. */
  hasRemembered = false;
  #ids = 0;

  constructor(random: Random, prompts: PromptMap) {
    super(random);
    this.#prompts = prompts;
    const known = Object.entries(SHORT_PROMPTS).map(([name, weight]) => ({ name, weight }));
    this.#short = known.filter(({ name }) => prompts[name] !== undefined);
  }

  /** Each session uses only some values of each list. */
  override weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    const used = (this.#used.get(list) as readonly T[] | undefined) ?? this.someOf(list);
    this.#used.set(list, used);
    return super.weighted(used);
  }

  fact(name: string): unknown {
    return this.#prompts[name];
  }

  get hasServers(): boolean {
    return SERVER_PROMPTS.some((name) => this.#prompts[name] !== undefined);
  }

  /**
   * A message with a prompt that does what the name in the prompt map says, or a short one if the map does not have this name. For an agent that
   * repeats a text, `echoed` is the text, or the texts of several blocks.
   */
  prompt(wanted = this.weighted(this.#short).name, echoed?: string | readonly string[]): object {
    const name = this.#prompts[wanted] === undefined ? 'text' : wanted;
    const priority = this.oneOf(PRIORITIES);
    const hasId = !this.isLucky(0.05);
    const message = {
      type: 'user',
      ...(hasId ? { uuid: this.newId() } : {}),
      parent_tool_use_id: null,
      session_id: '',
      ...(priority === undefined ? {} : { priority }),
      ...(this.isLucky(0.03) ? { shouldQuery: false } : {}),
      message: { role: 'user', content: echoed === undefined ? this.contentOf(name) : this.#echoOf(echoed) },
    };
    if (hasId) this.#sentPrompts.push(message);
    return message;
  }

  /** A prompt without any unusual member. If the prompt map does not have the name, it is a short prompt. */
  plainPrompt(wanted: string) {
    const name = this.#prompts[wanted] === undefined ? 'text' : wanted;
    const message = { role: 'user', content: `\${prompt.${name}}` };
    return { type: 'user', uuid: this.newId(), parent_tool_use_id: null, session_id: '', message };
  }

  /** A prompt that was already sent, or a new one. */
  sentPrompt(): object {
    return this.#sentPrompts.length === 0 ? this.prompt() : this.oneOf(this.#sentPrompts);
  }

  /** The uuid of a prompt that was already sent, or occasionally a uuid that no prompt has. The prompt may be sent again later. */
  withdrawn(): unknown {
    const prompt = this.sentPrompt();
    this.#withdrawn = prompt;
    return this.isLucky(0.1) ? this.newId() : (prompt as { readonly uuid?: unknown }).uuid;
  }

  /** The prompt that was withdrawn last, or a prompt that was already sent. */
  withdrawnPrompt(): object {
    return this.#withdrawn ?? this.sentPrompt();
  }

  /** The prompts so far are not sent again, because a resumed session does not run them. */
  forgetPrompts(): void {
    this.#sentPrompts = [];
    this.#withdrawn = undefined;
  }

  request(subtype: string, members: object = {}): object {
    const id = this.#requestId();
    this.#sentRequests.push(id);
    return { type: 'control_request', request_id: id, request: { subtype, ...members } };
  }

  /** Sometimes an id that a program may read or compare wrongly, or must not use as the name of a member of an object. */
  #requestId(): string {
    if (this.isLucky(0.06)) return oddText(this) + this.newId();
    const odd = this.isLucky(0.04) ? ODD_IDS.find((id) => !this.#sentRequests.includes(id)) : undefined;
    return odd ?? this.newId();
  }

  /** Withdraws a request that was already sent, which the agent may have answered, or a request that does not exist. */
  cancel(): object {
    const id = this.#sentRequests.length === 0 ? 'no-such-request' : this.oneOf(this.#sentRequests);
    return { type: 'control_cancel_request', request_id: id };
  }

  initialize(hooks: object | null | undefined = this.#anyHooks()): object {
    const names = this.oneOf([['conformance'], ['conformance'], ['conformance', 'second'], ['second']]);
    const servers = this.hasServers ? { sdkMcpServers: names } : {};
    return this.request('initialize', { ...servers, ...(hooks === undefined ? {} : { hooks }) });
  }

  #anyHooks(): object | null | undefined {
    if (this.isLucky(0.05)) return null;
    return this.isLucky(0.7) ? this.#hooks() : undefined;
  }

  #hooks(): object {
    const chosen = Object.entries(HOOK_EVENTS).filter(() => this.isLucky(0.5));
    for (const [event] of chosen) this.hookEvents.add(event as HookEvent);
    const hooks = chosen.map(([event, ids]) => {
      const lists = this.isLucky(0.5) ? [ids] : ids.map((id) => [id]);
      // A hook of several matchers is called for each matcher.
      const all = this.isLucky(0.15) ? [...lists, [ids[0]]] : lists;
      return [event, all.map((hookCallbackIds) => ({ hookCallbackIds, ...this.#matcherFor(event), ...this.#limit() }))];
    });
    return Object.fromEntries(this.isLucky(0.1) ? [...hooks, ['NoSuchEvent', [{ hookCallbackIds: ['none'] }]]] : hooks);
  }

  #limit(): object {
    const hasLimit = this.isLucky(0.05);
    this.hasTimeouts ||= hasLimit;
    return hasLimit ? { timeout: 1 } : {};
  }

  #matcherFor(event: string): object {
    const tool = String(this.#prompts['tool-name']);
    const expressions = [`^${tool}$`, `^${tool.slice(0, 2)}.*$`, '^.*$'];
    const others = [tool.toLowerCase(), tool.slice(0, -1), `${tool}s`, `NoSuchTool|${tool.toUpperCase()}`];
    const names = [undefined, '', tool, tool, tool, `${tool}|NoSuchTool`, 'NoSuchTool', this.oneOf(others)];
    const matchers = [...names, '.*', ...expressions];
    const matcher = event.includes('Tool') ? this.oneOf(matchers) : undefined;
    return matcher === undefined ? {} : { matcher };
  }

  /** An id that does not occur elsewhere in the session. */
  newId(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  #echoOf(echoed: string | readonly string[]): unknown {
    const first = this.#prompts['echo'] === undefined ? '${prompt.text}' : '${prompt.echo}';
    if (typeof echoed === 'string') return `${first}${echoed}`;
    return [first, ...echoed].map((text) => ({ type: 'text', text }));
  }

  contentOf(name: string): unknown {
    const echo = name === 'text' && this.#prompts['echo'] !== undefined && this.isLucky(0.3);
    const text = echo ? `\${prompt.echo}${this.#word()}` : `\${prompt.${name}}`;
    return this.isLucky(0.2) ? [{ type: 'text', text }] : text;
  }

  #word(): string {
    if (this.isLucky(0.1)) return oddText(this);
    return this.isLucky(0.04) ? LONG_WORD.repeat(this.oneOf(LENGTHS)) : `word-${this.below(1000)}`;
  }

  /** The same answer, in which the texts for the model are sometimes long or unusual. */
  withTexts<Answer>(answer: Answer): Answer {
    if (this.isLucky(0.05)) return lengthened(answer, ` ${oddText(this)}`);
    return this.isLucky(0.05) ? lengthened(answer, ` ${LONG_WORD}`.repeat(this.oneOf(LENGTHS.slice(0, 2)))) : answer;
  }
}

function lengthened<Value>(value: Value, more: string): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => lengthened(item, more)) as Value;
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    TEXTS_FOR_THE_MODEL.has(name) && typeof member === 'string' ? member + more : lengthened(member, more),
  ]);
  return Object.fromEntries(members) as Value;
}

/** The steps that send messages: one after the other, or in one write. */
export function sending(messages: readonly object[], isOneWrite: boolean): readonly Step[] {
  return isOneWrite && messages.length > 1 ? [{ 'say-all': messages }] : messages.map((message) => ({ say: message }));
}
