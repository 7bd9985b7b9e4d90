import { AgentFolder, type AgentOptions, HOST_FLAGS } from './agent-under-test.ts';
import { type AgentProfile, find, request } from './probe-agent.ts';
import { member } from './session-log.ts';

/** A value for each flag that requires one. */
const FLAG_VALUES: Readonly<Record<string, readonly string[]>> = {
  model: ['default'],
  'mcp-config': ['{"mcpServers":{}}'],
  tools: ['default'],
  'session-id': ['9b2f1c3d-4e5a-4b6c-8d7e-0f1a2b3c4d5e'],
  'permission-prompt-tool': ['stdio'],
  'permission-mode': ['default'],
  'append-system-prompt': ['Be brief.'],
  'setting-sources': [''],
  'max-turns': ['5'],
  'max-budget-usd': ['5'],
  'json-schema': ['{"type":"object"}'],
  resume: ['9b2f1c3d-4e5a-4b6c-8d7e-0f1a2b3c4d5f'],
};
const TRY_MS = 10_000;

/** Finds out what an agent has declared. A flag that `--help` does not mention is tried once. */
export class Declared {
  readonly #tried = new Map<string, Promise<boolean>>();
  readonly #profile: AgentProfile;
  readonly #options: AgentOptions;
  readonly #timeoutScale: number;

  constructor(profile: AgentProfile, options: AgentOptions, timeoutScale: number) {
    this.#profile = profile;
    this.#options = options;
    this.#timeoutScale = timeoutScale;
  }

  /**
   * Returns the first need of a case that the agent has not declared, as a sentence. `undefined` if the agent has declared all needs.
   *
   * @throws if a case needs something that the suite does not know.
   */
  async missing(needs: readonly string[]): Promise<string | undefined> {
    for (const need of needs) {
      if (await this.#has(need)) continue;
      return need.startsWith('prompt.')
        ? `The prompt map has no entry "${need.slice('prompt.'.length)}".`
        : `The agent does not declare ${need}.`;
    }
    return undefined;
  }

  async #has(need: string): Promise<boolean> {
    const [kind, ...rest] = need.split('.');
    const name = rest.join('.');
    const { prompts, capabilities, reportsStates } = this.#profile;
    if (kind === 'prompt') return prompts[name] !== undefined;
    if (kind === 'capability') return capabilities.has(name);
    if (kind === 'flag') return this.#hasFlag(name);
    // For a request, the answer in the case itself shows whether the agent supports it.
    if (kind === 'request') return true;
    if (need === 'session-states') return reportsStates;
    throw new Error(`The suite cannot find out whether an agent has ${need}.`);
  }

  #hasFlag(name: string): Promise<boolean> {
    const named = new RegExp(`--${name}(?![\\w-])`).test(this.#profile.help);
    if (named) return Promise.resolve(true);
    const tried = this.#tried.get(name) ?? this.#try(name);
    this.#tried.set(name, tried);
    return tried;
  }

  /** For `--resume` with an unknown session, a refusal also shows that the agent accepts the flag. */
  async #try(name: string): Promise<boolean> {
    await using folder = await AgentFolder.create(this.#options);
    const flags = name === 'fork-session' ? ['--resume', ...(FLAG_VALUES['resume'] ?? []), `--${name}`] : [`--${name}`];
    const session = folder.start({ args: [...HOST_FLAGS, ...flags, ...(FLAG_VALUES[name] ?? [])] });
    await session.sendText(`${JSON.stringify(request('try', { subtype: 'initialize' }))}\n`);
    const isSign = (value: unknown) =>
      member(value, 'response', 'request_id') === 'try' || member(value, 'type') === 'result';
    return (await find(session, isSign, TRY_MS * this.#timeoutScale)) !== undefined;
  }
}
