import { AgentFolder, type AgentOptions, HOST_FLAGS } from './agent-under-test.ts';
import type { AgentProcess } from './agent-process.ts';
import { type AgentProfile, find, request } from './probe-agent.ts';
import { blocksOf, member, type Message } from './session-log.ts';

interface Effect {
  /** What the agent does, as in `did not call a tool`. */
  readonly action: string;
  readonly initialize: object;
  readonly shows: (message: Message) => boolean;
  /** Whether the effect is tried only with the map for unknown agents. Any other map states that the agent has the feature. */
  readonly onlyGuessed: boolean;
}

const TOOL: Effect = {
  action: 'call a tool',
  initialize: {},
  shows: (message) =>
    member(message, 'request', 'subtype') === 'can_use_tool' ||
    blocksOf(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  onlyGuessed: false,
};
const HOOK: Effect = {
  action: 'call a hook',
  initialize: { hooks: { UserPromptSubmit: [{ hookCallbackIds: ['trial'] }] } },
  shows: (message) => member(message, 'request', 'subtype') === 'hook_callback',
  onlyGuessed: true,
};
const SERVER: Effect = {
  action: 'send a message to an MCP server of the host',
  initialize: { sdkMcpServers: ['conformance'] },
  shows: (message) => member(message, 'request', 'subtype') === 'mcp_message',
  onlyGuessed: true,
};

/** The effects of the prompts whose effect is optional for agents. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  tool: TOOL,
  'two-tools': TOOL,
  'parallel-tools': TOOL,
  'failing-tool': TOOL,
  'slow-tool': TOOL,
  variable: TOOL,
  subagent: TOOL,
  background: TOOL,
  'long-background': TOOL,
  hook: HOOK,
  'mcp-tool': SERVER,
  'mcp-odd-tool': SERVER,
  'parallel-mcp-tools': SERVER,
  elicitation: SERVER,
};

const TRIAL_MS = 10_000;

/** Runs a prompt once if a case that needs its effect has failed. */
export class Trials {
  readonly #results = new Map<string, Promise<boolean>>();
  readonly #profile: AgentProfile;
  readonly #options: AgentOptions;
  readonly #timeoutScale: number;

  constructor(profile: AgentProfile, options: AgentOptions, timeoutScale: number) {
    this.#profile = profile;
    this.#options = options;
    this.#timeoutScale = timeoutScale;
  }

  /**
   * Returns a sentence about a prompt that the case needs, but that had no effect in the processes of the case or in a trial. `undefined` if each
   * prompt had its effect.
   */
  async unreached(needs: readonly string[], sessions: readonly AgentProcess[]): Promise<string | undefined> {
    for (const need of needs) {
      const name = need.replace(/^prompt\./, '');
      const effect = need.startsWith('prompt.') ? EFFECTS[name] : undefined;
      if (effect === undefined || (effect.onlyGuessed && !this.#profile.isGuessed)) continue;
      if (sessions.some((session) => hasEffect(session, effect))) continue;
      const tried = this.#results.get(name) ?? this.#try(name, effect);
      this.#results.set(name, tried);
      if (!(await tried))
        return `The prompt "${name}" did not make the agent ${effect.action}. If the agent can do this, give a prompt map with --prompts.`;
    }
    return undefined;
  }

  /** An agent that does not end the turn within the time limit counts as an agent with the effect. */
  async #try(name: string, effect: Effect): Promise<boolean> {
    await using folder = await AgentFolder.create(this.#options);
    const session = folder.start({ args: HOST_FLAGS });
    const limit = TRIAL_MS * this.#timeoutScale;
    await session.sendText(`${JSON.stringify(request('trial', { subtype: 'initialize', ...effect.initialize }))}\n`);
    const isAnswer = (value: unknown) => member(value, 'response', 'request_id') === 'trial';
    if ((await find(session, isAnswer, limit)) === undefined) return true;
    const message = { role: 'user', content: this.#profile.prompts[name] };
    await session.sendText(`${JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '' })}\n`);
    const end = await find(session, (value) => isResult(value) || effect.shows(value as Message), limit);
    return end === undefined || hasEffect(session, effect);
  }
}

function isResult(value: unknown): boolean {
  return member(value, 'type') === 'result';
}

function hasEffect({ inbox }: AgentProcess, { shows }: Effect): boolean {
  return inbox.received.some(({ value }) => shows(value as Message));
}
