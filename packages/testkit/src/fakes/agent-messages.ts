import { randomUUID } from 'node:crypto';

/** Some hosts refuse older agents. */
export const FAKE_AGENT_VERSION = '2.1.330';

type Members = Readonly<Record<string, unknown>>;

/** The payload of a fake agent's answer to `initialize`. */
export const INITIALIZE_ANSWER: Members = {
  commands: [{ name: 'clear', description: 'Start a new conversation', argumentHint: '' }],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [{ value: 'default', displayName: 'Default', description: 'The usual model' }],
  account: {},
  hooks_applied: true,
  hook_on_failure_supported: true,
  capabilities: [],
};

/** Creates an agent's messages in one session. The given members are added to a message or replace its default members. */
export class AgentMessages {
  readonly #sessionId = randomUUID();
  #results = 0;
  #replies = 0;

  /** The first message of a turn. */
  init(members: Members = {}): Members {
    return this.#complete({
      type: 'system',
      subtype: 'init',
      apiKeySource: 'none',
      claude_code_version: FAKE_AGENT_VERSION,
      cwd: '/home/user/project',
      tools: ['Bash', 'Read'],
      mcp_servers: [],
      model: 'model-1',
      permissionMode: 'default',
      slash_commands: ['clear'],
      output_style: 'default',
      skills: [],
      plugins: [],
      capabilities: [],
      ...members,
    });
  }

  /** A complete model reply with these content blocks. */
  assistant(content: readonly unknown[], members: Members = {}): Members {
    this.#replies += 1;
    const message = {
      id: `msg_${this.#replies}`,
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 1 },
    };
    return this.#complete({ type: 'assistant', message, parent_tool_use_id: null, ...members });
  }

  /** The end of a turn. */
  result(members: Members = {}): Members {
    this.#results += 1;
    return this.#complete({
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 120,
      duration_api_ms: 90,
      num_turns: 1,
      result: 'Done.',
      stop_reason: 'end_turn',
      total_cost_usd: 0.001 * this.#results,
      usage: { input_tokens: 3, output_tokens: 1 },
      modelUsage: {},
      permission_denials: [],
      result_index: this.#results - 1,
      ...members,
    });
  }

  #complete(message: Members): Members {
    return { ...message, uuid: message['uuid'] ?? randomUUID(), session_id: message['session_id'] ?? this.#sessionId };
  }

  /** The `session_id` of the messages: a random UUID for each instance. */
  get sessionId(): string {
    return this.#sessionId;
  }
}
